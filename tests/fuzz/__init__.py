"""Fuzzed messages of browsers, which anybody in the network can send, to a whole station behind its panel.

    python -m tests.fuzz [--inputs 100000] [--seed 1] [--part 17]

The production code is fed in parts of some thousand messages, each part from its own seed. What must hold: nothing
raises, nothing leaves a traceback in the log; what is not valid changes nothing, judged by a few lines that share no
code with what is fuzzed; what is valid does what it says, afterwards too; memory stays bounded. A failure prints
seed, part and input; the first two repeat it. Bytes on a serial line and lines of the drive protocol come from
whoever has the machine: `tests/hardware/line` and `tests/drive` try those.
"""
