"""Fuzzed input at the three seams a stranger can reach: the serial line, the drive protocol, the panel.

    python -m tests.fuzz [--inputs 1000000] [--seed 1] [--seam drive [--part 17]]

Each seam is the production code, fed in parts of some thousand inputs, each part from its own seed. What must hold:
nothing raises, nothing leaves a traceback in the log; what is not valid changes nothing, judged by a few lines that
share no code with what is fuzzed; what is valid does what it says, afterwards too; memory stays bounded. A failure
prints seam, seed, part and input; the first three repeat it.
"""
