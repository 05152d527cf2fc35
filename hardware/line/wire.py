"""The serial line between the daemon and an input board: frames, and a link that loses and doubles nothing.

This one file runs at both ends, under CPython and under MicroPython, so it keeps to what both know: no
dataclasses, no typing, whole milliseconds instead of seconds (a Pico's floats have 24 bits). The link is a
state machine without clock, thread or port: bytes and the time go in, events and bytes come out.
"""

from binascii import crc32

PROTOCOL = 1
"""Raised with every change that an older end would misunderstand."""

HEARTBEAT = 400
"""Milliseconds after which an end that has nothing to say says so."""

GONE = 2 * HEARTBEAT
"""Milliseconds of silence after which the other end is gone."""

PROBES = (HEARTBEAT + 100, HEARTBEAT + 200, HEARTBEAT + 300)
"""Milliseconds of silence after which the other end is asked for a sign, so that noise is not taken for a pull."""

RESEND = 80
"""Milliseconds to wait for an acknowledgement."""

LONGEST = 63
"""Bytes of the longest frame with its newline. A Pico's USB stalls on multiples of 64."""

OVERHEAD = 13
LONGEST_BODY = LONGEST - OVERHEAD
LONGEST_PAYLOAD = LONGEST_BODY - len("D 123456 1234 1234567 ")
LONGEST_FIRMWARE = LONGEST_BODY - len("H 123456 123456 1234 12 ")

QUEUE = 64
"""Payloads that wait for their turn; more are counted as missed."""

MOST_AGE = 9999999
MOST_MISSED = 9999

UP = "up"  # the other end is there; text: its firmware
AGAIN = "again"  # the other end had lost us and is back, unnoticed here: tell it again what it should know
DOWN = "down"  # the other end is gone; text: one of the four reasons below
DATA = "data"  # text: a payload; at: when it was sent, in this end's clock
GAP = "gap"  # something was missed; count: how many payloads at most, None: unknown
SILENT, RESTARTED, ASTRAY, OTHER = "silent", "restarted", "out of step", "another protocol"
FOREIGN = "foreign"  # the other end speaks another protocol; text: its firmware; count: its protocol

OPEN, CUT, PART, GREET, HEAR, QUIET = "open", "cut", "part", "greet", "hear", "quiet"
SHUT, PARKED, CALLING, LOST, TALKING = "shut", "parked", "calling", "lost", "talking"
STATES = {
    SHUT: {OPEN: CALLING, CUT: SHUT},
    PARKED: {OPEN: LOST, CUT: PARKED},
    CALLING: {OPEN: CALLING, CUT: SHUT, PART: CALLING, GREET: TALKING},
    LOST: {OPEN: LOST, CUT: PARKED, PART: CALLING, GREET: TALKING, HEAR: TALKING},
    TALKING: {OPEN: TALKING, CUT: PARKED, PART: CALLING, GREET: TALKING, HEAR: TALKING, QUIET: LOST},
}
"""The states of a link, and where what happens to it leads. A session with the other end is kept while the port is
shut (parked) or the other end silent (lost). It ends when they part.
"""

_SIZES = [f"{size:02x}".encode() for size in range(LONGEST_BODY + 1)]


class Event:
    """What a link tells: `kind` is one of UP, AGAIN, DOWN, DATA, GAP and FOREIGN."""

    def __init__(self, kind: str, text: str, at: int, count: int | None = 0) -> None:
        self.kind = kind
        self.text = text
        self.at = at
        self.count = count


def encode(body: str) -> bytes:
    """Put `body` (1 to 50 printable ASCII characters without `$` and `*`) into a frame. Raises ValueError."""
    data = body.encode()
    if not 1 <= len(data) <= LONGEST_BODY or not _plain(data):
        raise ValueError("expected 1 to 50 printable ASCII characters without $ and *, got " + repr(body))
    data = _SIZES[len(data)] + data
    return b"$" + data + b"*" + f"{crc32(data):08x}".encode() + b"\n"


def decode(line: bytes) -> str | None:
    """Return the body of the frame at the end of `line` (without its newline), None where there is no valid one."""
    if line[-1:] == b"\r":
        line = line[:-1]
    start = line.rfind(b"$")
    size = len(line) - start - OVERHEAD + 1
    if start < 0 or not 1 <= size <= LONGEST_BODY or line[-9:-8] != b"*":
        return None
    data = line[start + 1 : -9]
    if data[:2] != _SIZES[size] or line[-8:] != f"{crc32(data):08x}".encode():
        return None
    return data[2:].decode() if _plain(data) else None


def number(text: str, digits: int) -> int:
    """Return the value of exactly so many lower-case hexadecimal digits. Raises ValueError for anything else."""
    if len(text) != digits:
        raise ValueError(text)
    return _value(text, 16)


def _decimal(text: str, digits: int) -> int:
    if len(text) > digits:
        raise ValueError(text)
    return _value(text, 10)


def _value(text: str, base: int) -> int:
    # int() would also take capitals, signs and spaces.
    for letter in text:
        if letter not in "0123456789abcdef"[:base]:
            raise ValueError(text)
    return int(text, base)


def _plain(data: bytes) -> bool:
    # $ and * frame a frame, so they cannot stand in it.
    for byte in data:  # noqa: SIM110 - a generator costs a Pico more
        if byte < 32 or byte > 126 or byte in (36, 42):
            return False
    return True


class Link:
    """One end of the line; both ends are alike.

    `me` is a number from 1 to 0xffffff that names this run of this end: another one after every restart.
    Whoever owns the port calls `receive` with what came in, `due` when `deadline` has passed, and writes what
    `outgoing` returns. All times are milliseconds of one clock that never goes back.
    """

    def __init__(self, me: int, firmware: str, now: int) -> None:
        """Begin to speak as `me`. Raises ValueError for a name or a firmware version that fits no frame."""
        if not 1 <= me <= 0xFFFFFF:
            raise ValueError("expected a number from 1 to 0xffffff, got " + repr(me))
        if not 1 <= len(firmware) <= LONGEST_FIRMWARE or not _plain(firmware.encode()):
            raise ValueError("expected a version of 1 to 26 printable ASCII characters, got " + repr(firmware))
        self.me = me
        self.peer = 0
        self.missed = 0
        self._firmware = firmware
        self._theirs = ""
        self._complained = 0
        self._state = CALLING
        self._buffer = b""
        self._frames: list[bytes] = []
        self._queue: list[tuple[str, str, int]] = []
        self._sequence = 0  # of the last payload sent
        self._acknowledged = 0  # of the last one that has arrived; another one is under way, or none
        self._received = 0
        self._hello_at = now
        self._resend_at = now
        self._sent = now
        self._heard = now
        self._probes = 0

    @property
    def up(self) -> bool:
        """Whether the other end is there."""
        return self._state == TALKING

    # ------------------------------------------------------------------ the port

    def cut(self) -> list[Event]:
        """The port is closed: say nothing until `reopen`."""
        self._frames = []
        return self._leave(CUT, self._heard, SILENT)

    def reopen(self, now: int) -> None:
        """The port is open again: begin to speak."""
        self._go(OPEN)
        self._hello_at = now

    def outgoing(self) -> list[bytes]:
        """Return the frames to write, oldest first, each once."""
        frames, self._frames = self._frames, []
        return frames

    def receive(self, data: bytes, now: int) -> list[Event]:
        """Take bytes as they come, in pieces of any size; the port is open."""
        lines = (self._buffer + data).split(b"\n")
        self._buffer = lines.pop()[-LONGEST:]
        events: list[Event] = []
        for line in lines:
            body = decode(line)
            if body is not None:
                events += self._take(body, now)
        return events

    def due(self, now: int) -> list[Event]:
        """Do what is due by `now`. Call `receive` first: who reads late must not take the other end for gone."""
        if self._closed:
            return []
        events: list[Event] = []
        if self.up and now - self._heard >= GONE:
            events = self._leave(QUIET, now, SILENT)
        if not self.up:
            if now >= self._hello_at:
                self._hello("H")
                self._hello_at = now + HEARTBEAT
            return events
        self._pump(now)
        if self._probes < len(PROBES) and now - self._heard >= PROBES[self._probes]:
            self._probes += 1
            self._say("?", now)
        if now - self._sent >= HEARTBEAT:
            self._say(".", now)
        return events

    def deadline(self) -> int | None:
        """When `due` should be called next; None: not before `reopen`."""
        if self._closed:
            return None
        if not self.up:
            return self._hello_at
        at = min(self._heard + GONE, self._sent + HEARTBEAT)
        if self._probes < len(PROBES):
            at = min(at, self._heard + PROBES[self._probes])
        return min(at, self._resend_at) if self._waiting else at

    @property
    def _closed(self) -> bool:
        return self._state in (SHUT, PARKED)

    @property
    def _waiting(self) -> bool:
        """Whether the first of the queue is under way and not acknowledged yet."""
        return self._sequence != self._acknowledged

    def _go(self, event: str) -> None:
        """Follow the table."""
        self._state = STATES[self._state][event]

    def _leave(self, event: str, now: int, why: str) -> list[Event]:
        """Follow the table to where the other end is gone; tell it if it was there, and call at once."""
        was_up = self.up
        self._go(event)
        if not was_up:
            return []
        self._hello_at = now
        return [Event(DOWN, why, now)]

    # ------------------------------------------------------------------ payloads

    def send(self, payload: str, now: int) -> bool:
        """Send a payload of up to 28 characters; False: the line is down or full, and it was counted as missed.

        Once one was missed all are, until the other end has been told: order is never changed. Raises ValueError.
        """
        data = payload.encode()
        if not 1 <= len(data) <= LONGEST_PAYLOAD or not _plain(data):
            raise ValueError("expected 1 to 28 printable ASCII characters without $ and *, got " + repr(payload))
        if not self.up or len(self._queue) >= QUEUE:
            self._miss(1)
            return False
        self._queue.append(("D", payload, now))
        if not self._waiting:
            self._transmit(now)
        return True

    def _pump(self, now: int) -> None:
        if self.missed and len(self._queue) < QUEUE:
            self._queue.append(("G", str(self.missed), now))
            self.missed = 0
        if self._queue and (not self._waiting or now >= self._resend_at):
            self._transmit(now)

    def _transmit(self, now: int) -> None:
        """Send the first of the queue, for the first time or again, with its age as it is now."""
        if not self._waiting:
            self._sequence = (self._sequence + 1) & 0xFFFF
        kind, payload, at = self._queue[0]
        self._say(f"{kind} {{}} {self._sequence:04x} {min(now - at, MOST_AGE)} {payload}", now)
        self._resend_at = now + RESEND

    def _miss(self, count: int) -> None:
        self.missed = min(self.missed + count, MOST_MISSED)

    # ------------------------------------------------------------------ frames out

    def _say(self, body: str, now: int) -> None:
        """Write a frame of this session; "{}" stands for the session's tag, which else comes last."""
        tag = f"{(3 * self.me + self.peer) & 0xFFFFFF:06x}"
        body = body.replace("{}", tag) if "{}" in body else body + " " + tag
        self._frames.append(encode(body))
        self._sent = now

    def _hello(self, kind: str) -> None:
        base = self._acknowledged  # an unacknowledged one may come once more
        self._frames.append(encode(f"{kind} {self.me:06x} {self.peer:06x} {base:04x} {PROTOCOL} {self._firmware}"))

    # ------------------------------------------------------------------ frames in

    def _take(self, body: str, now: int) -> list[Event]:
        """Act on a body. One that the protocol does not have is none of its: it has no effect."""
        try:
            kind, tag, *fields = body.split(" ", 4)
            if kind in ("H", "h"):
                return self._take_hello(kind, tag, fields, now)
            if self._state == CALLING or number(tag, 6) != (3 * self.peer + self.me) & 0xFFFFFF:
                return []
            if kind == "A":
                return self._take_acknowledgement(fields, now)
            if kind in ("D", "G"):
                return self._take_payload(kind, fields, now)
            if kind in (".", "?") and not fields:
                return self._take_heartbeat(kind, now)
        except ValueError:  # raised before anything was done
            pass
        return []

    def _take_heartbeat(self, kind: str, now: int) -> list[Event]:
        events = self._alive(now)
        if kind == "?":
            self._say(".", now)
        return events

    def _take_acknowledgement(self, fields: list[str], now: int) -> list[Event]:
        (text,) = fields
        sequence = number(text, 4)
        events = self._alive(now)
        if self._waiting and sequence == self._sequence:
            self._acknowledged = sequence
            self._queue.pop(0)
            self._pump(now)
        return events

    def _take_payload(self, kind: str, fields: list[str], now: int) -> list[Event]:
        text, age, payload = fields
        sequence = number(text, 4)
        sent = now - _decimal(age, 7)
        event = Event(DATA, payload, sent) if kind == "D" else Event(GAP, "", sent, _decimal(payload, 4))
        if (sequence - self._received) & 0xFFFE:  # neither the last one nor the next
            # Out of step, which cannot happen while both keep to the protocol: meet anew and say that there is a gap.
            return self._leave(PART, now, ASTRAY)
        events = self._alive(now)
        if sequence != self._received:
            self._received = sequence
            events.append(event)
        self._say(f"A {{}} {sequence:04x}", now)
        return events

    def _take_hello(self, kind: str, sender: str, fields: list[str], now: int) -> list[Event]:
        receiver, last, rest = fields
        version, firmware = rest.split(" ", 1)
        peer, them, base = number(sender, 6), number(receiver, 6), number(last, 4)
        protocol = _decimal(version, 2)
        if peer in (0, self.me):  # our own: somebody echoes
            return []
        if protocol != PROTOCOL:
            return self._foreign(peer, firmware, protocol, now)
        events: list[Event] = []
        if peer != self.peer:
            events += self._meet(peer, now)
        self._theirs = firmware
        if kind == "H":
            self._hello("h")
        if them != self.me:
            return events
        if self._state == CALLING or (self._received - base) & 0xFFFE:
            self._received = base
            events.append(Event(GAP, "", now, None))
        if self.up and kind == "H":
            events.append(Event(AGAIN, self._theirs, now))
        return events + self._alive(now, GREET)

    def _foreign(self, peer: int, firmware: str, protocol: int, now: int) -> list[Event]:
        events = self._leave(PART, now, OTHER)
        if peer != self._complained:
            self._complained = peer
            events.append(Event(FOREIGN, firmware, now, protocol))
        return events

    def _meet(self, peer: int, now: int) -> list[Event]:
        """Another run of the other end: what the former one did not acknowledge it may have had, so it is a gap."""
        events = self._leave(PART, now, RESTARTED)
        self._hello_at = now
        self.peer = peer
        self._acknowledged = self._sequence
        for kind, payload, _ in self._queue:
            self._miss(int(payload) if kind == "G" else 1)
        self._queue = []
        return events

    def _alive(self, now: int, event: str = HEAR) -> list[Event]:
        self._heard = now
        self._probes = 0
        was_up = self.up
        self._go(event)
        if was_up:
            return []
        self._complained = 0
        self._pump(now)
        self._say(".", now)
        return [Event(UP, self._theirs, now)]
