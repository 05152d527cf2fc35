"""The text file of a flashed card: what a box gets to know without a terminal."""
