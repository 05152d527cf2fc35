"""The box's side of the hall: an HTTP client in threads of its own, for which the loop never waits.

What box and hall say to each other is in docs/hall.md, *What a box says*.
"""
