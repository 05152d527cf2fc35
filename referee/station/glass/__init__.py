"""The glass of a station: the display's thread, burn-in protection, and supervision."""
