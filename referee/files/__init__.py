"""Files from outside and files that must last: bounded reading, one way to write."""
