"""A second opinion on Battle of the Ring."""

GAME = "battle-of-the-ring"
