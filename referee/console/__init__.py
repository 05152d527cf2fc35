"""Prompts to presses and 1-bit screens: what the box shows and what its keys mean. Pure, without I/O."""
