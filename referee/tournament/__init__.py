"""A tournament as its rulebook has it: players, stages, rounds, pairings, results, standings. No I/O, no clock."""
