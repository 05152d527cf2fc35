"""The devices of the box: keys, encoder, lamps, buzzer and display. Independent of the games."""
