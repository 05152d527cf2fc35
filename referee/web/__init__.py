"""The front panel in a browser: the box's own pixels, lamps, sounds and keys over one WebSocket."""
