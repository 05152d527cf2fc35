"""A dice tray with a camera above it: what lies in it, read from pictures.

Needs the extra `[tray]` (numpy and OpenCV) and is imported in the tray's own process alone.
"""
