"""Devices on a serial line: an input board and electronic dice, which may be unplugged and come back."""
