"""The board without its hardware: contacts become payloads, payloads become lamps. MicroPython.

Bounce is forwarded, not removed: the daemon does that, alike for every key of the box. Here a line is only read
again `SETTLE` ms after it changed, so that a bad contact cannot fill the queue with its chatter.
"""

VERSION = "1.0.0"

SETTLE = 2
"""Milliseconds for which a line that has changed is not looked at."""

BLINK = 250
"""Milliseconds for which a blinking lamp is on, and off."""

STATES = ("off", "on", "blink")


class Board:
    """Scans contacts and drives lamps; `link` is one end of the serial line (wire.py).

    `contacts` and `lamps` map a line's name to a pin with MicroPython's `value()`; a closed contact reads 0.
    """

    def __init__(self, link, contacts, lamps):
        self.link = link
        self._contacts = contacts
        # A key that is held while the board starts counts from its next press.
        self._levels = {name: pin.value() for name, pin in contacts.items()}
        self._again_at = dict.fromkeys(contacts, 0)
        self._lamps = lamps
        self._states = {}
        self._dark()

    def step(self, data, now):
        """Take what came in, look at the contacts, drive the lamps; call it at least every few milliseconds."""
        events = self.link.receive(data, now) if data else []
        events += self.link.due(now)
        for event in events:
            if event.kind == "data":
                self._command(event.text)
            elif event.kind == "down":
                self._dark()
        self._scan(now)
        for name, state in self._states.items():
            if state == "blink":
                self._lamps[name].value(1 - now // BLINK % 2)

    def _scan(self, now):
        for name, pin in self._contacts.items():
            if now < self._again_at[name]:
                continue
            level = pin.value()
            if level != self._levels[name]:
                self._levels[name] = level
                self._again_at[name] = now + SETTLE
                self.link.send(name + (" 0" if level else " 1"), now)

    def _command(self, text):
        name, _, state = text.partition(" ")
        # A lamp this board does not have, or a word of a newer daemon: nothing to do.
        if name in self._lamps and state in STATES:
            self._states[name] = state
            self._lamps[name].value(0 if state == "off" else 1)

    def _dark(self):
        # Without the daemon nobody knows whose turn it is.
        for name, pin in self._lamps.items():
            self._states[name] = "off"
            pin.value(0)
