"""Which GPIO of the Pico each line is wired to. Leave out what the board does not have.

A contact closes its line to ground (the Pico's own pull-ups do the rest): a die key, a contact of the dice tray,
a seat's button. A lamp hangs on a transistor that switches on high.
"""

CONTACTS = {
    "die-1": 2,
    "die-2": 3,
    "die-3": 4,
    "die-4": 5,
    "die-5": 6,
    "die-6": 7,
    "seat-1": 10,
    "seat-2": 11,
    "seat-3": 12,
    "seat-4": 13,
}

LAMPS = {
    "seat-1": 18,
    "seat-2": 19,
    "seat-3": 20,
    "seat-4": 21,
}
