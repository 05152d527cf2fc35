"""The devices of the box: keys, encoder, lamps, buzzer and display. This package knows no game."""
