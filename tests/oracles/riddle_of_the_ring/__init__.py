"""A second opinion on Riddle of the Ring."""

GAME = "riddle-of-the-ring"
