"""Self-reading dice: the seam to readers, and two of them (docs/dice.md)."""
