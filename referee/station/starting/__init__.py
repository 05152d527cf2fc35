"""How a station starts: again after a fault, in safe mode, or at the game that was left."""
