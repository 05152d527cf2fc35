"""The keys of the reference build: not every key that a box can have."""

from hardware.pins import load

KEYS = tuple(load().keys)
SEAT_KEYS = tuple(load().lamps)
