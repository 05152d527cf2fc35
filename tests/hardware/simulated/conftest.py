"""The fixture that comes with the package."""

from hardware.simulated import plugin

pins = plugin.pins
