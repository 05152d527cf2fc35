"""A second opinion on Riddle of the Ring."""
