"""The box's side of the hall: an HTTP client in threads of its own, for which the loop never waits (docs/hall.md)."""
