"""Dice that tell themselves by Bluetooth: protocols without I/O, and one thread that speaks them (docs/dice.md)."""
