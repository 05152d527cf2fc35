"""The electronic referee: rulebooks, sessions, the console and the station of a box that referees a table game."""

__version__ = "0.1.0"
