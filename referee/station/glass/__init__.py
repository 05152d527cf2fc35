"""The glass of a station: the display's thread, what spares the panel, and who watches that it answers."""
