"""Files from outside and files that must last."""
