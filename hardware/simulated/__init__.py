"""A whole box without hardware: the production drivers over mock pins and a byte-level display controller."""

from hardware.simulated.box import SimulatedBox

__all__ = ["SimulatedBox"]
