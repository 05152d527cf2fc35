"""Cards: what can lie on the glass, each with its own answer to the keys.

A card turns presses into calls on the `Host` and its own small state into a view. It has no clock and does no
I/O. `base` says what every key does by default: nothing.
"""
