"""The serial line: what is a frame, what a link tells."""

from __future__ import annotations

from binascii import crc32

import pytest

from hardware.line import wire
from hardware.line.wire import AGAIN, DATA, DOWN, GAP, GONE, HEARTBEAT, LONGEST, QUEUE, UP, Event, Link

HOST, BOARD = 0x0A0B0C, 0x51EA5E


class Pair:
    """Two links joined by a cable without delay."""

    def __init__(self) -> None:
        self.now = 0
        self.host = Link(HOST, "daemon", 0)
        self.board = Link(BOARD, "1.0.0", 0)
        self.events: dict[int, list[Event]] = {HOST: [], BOARD: []}

    def pass_on(self, *, lose: bool = False) -> None:
        """Bring everything across that was said, and what is said in answer."""
        while frames := [(a, b, a.outgoing()) for a, b in ((self.host, self.board), (self.board, self.host))]:
            if not any(sent for *_, sent in frames):
                return
            for _, to, sent in frames:
                if not lose:
                    self.events[to.me] += to.receive(b"".join(sent), self.now)

    def at(self, now: int, *, lose: bool = False) -> None:
        """Let time pass in steps of 10 ms."""
        while True:
            for link in (self.host, self.board):
                self.events[link.me] += link.due(self.now)
            self.pass_on(lose=lose)
            if self.now >= now:
                return
            self.now += 10

    def kinds(self, me: int) -> list[str]:
        kinds = [event.kind for event in self.events[me]]
        self.events[me].clear()
        return kinds


@pytest.fixture
def pair() -> Pair:
    """Two links that have met."""
    pair = Pair()
    pair.at(20)
    assert pair.host.up
    assert pair.board.up
    pair.events[HOST].clear()
    pair.events[BOARD].clear()
    return pair


def crafted(body: str, **changes: str) -> bytes:
    """A frame with a right checksum whatever is wrong with it."""
    data = (changes.get("size", f"{len(body):02x}") + body).encode()
    return b"$" + data + b"*" + f"{crc32(data):08x}".encode() + b"\n"


@pytest.mark.parametrize(
    ("frame", "body"),
    [
        ("$1cH 51ea5e 000000 0000 1 1.0.0*e67e1166", "H 51ea5e 000000 0000 1 1.0.0"),
        ("$1dh 0a0b0c 51ea5e 0000 1 daemon*61f248fc", "h 0a0b0c 51ea5e 0000 1 daemon"),
        ("$17D ffca26 0001 3 die-4 1*e4666605", "D ffca26 0001 3 die-4 1"),
        ("$0dA 700b82 0001*6a55c30e", "A 700b82 0001"),
        ("$11G ffca26 0002 0 5*f824c511", "G ffca26 0002 0 5"),
        ("$08. 700b82*e1bf447b", ". 700b82"),
    ],
)
def test_examples_of_the_specification(frame: str, body: str) -> None:
    assert wire.encode(body) == frame.encode() + b"\n"
    assert wire.decode(frame.encode()) == body


def test_no_frame_is_a_multiple_of_a_usb_packet() -> None:
    longest = wire.encode("D 123456 1234 9999999 " + "x" * wire.LONGEST_PAYLOAD)
    assert len(longest) == LONGEST < 64


@pytest.mark.parametrize("body", ["", "x" * 51, "a$b", "a*b", "a\nb", "é"])
def test_what_fits_no_frame_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match="expected 1 to 50 printable ASCII"):
        wire.encode(body)


@pytest.mark.parametrize(
    "line",
    [
        *(crafted("? 123456", size="09"), crafted("? 12$456"), crafted(""), b"\n", b"$\n", b"$*\n"),
        *(crafted("? 1\t3456"), crafted("? 1\x1f3456"), crafted("? 1\x7f3456")),
        crafted("? 123456")[1:],
        crafted("? 123456").replace(b"*", b" "),
    ],
)
def test_right_checksum_alone_is_no_frame(line: bytes) -> None:
    assert wire.decode(line[:-1]) is None


def test_frame_after_noise_and_in_pieces(pair: Pair) -> None:
    pair.board.send("die-3 1", pair.now)
    (frame,) = pair.board.outgoing()
    events = pair.host.receive(b"MicroPython v1.27 \xff\x00$17D 51" + frame[:-1], pair.now)
    assert events == []
    for byte in b"\r\n":
        events += pair.host.receive(bytes([byte]), pair.now + 5)
    assert [(event.kind, event.text) for event in events] == [(DATA, "die-3 1")]


def test_too_many_at_once_are_counted_in_their_place(pair: Pair) -> None:
    accepted = [pair.board.send(str(n), pair.now) for n in range(QUEUE + 3)]
    assert accepted == [True] * QUEUE + [False] * 3
    (first,) = pair.board.outgoing()
    pair.events[HOST] += pair.host.receive(first, pair.now)
    pair.board.receive(pair.host.outgoing()[0], pair.now)  # there is room for one, and the gap takes it
    assert not pair.board.send("never", pair.now)
    pair.at(pair.now + 100)
    assert pair.board.send("after", pair.now)
    pair.pass_on()
    events = [e.text or e.count for e in pair.events[HOST]]
    assert events == [*map(str, range(QUEUE)), 3, 1, "after"]


def test_frames_of_another_session_are_nobodys(pair: Pair) -> None:
    stranger = (3 * BOARD + HOST + 1) & 0xFFFFFF
    mirrored = (3 * HOST + BOARD) & 0xFFFFFF
    for tag in (stranger, mirrored):
        assert pair.host.receive(crafted(f"D {tag:06x} 0001 0 die-3 1"), pair.now) == []
    assert pair.host.receive(crafted(f"H {HOST:06x} 000000 0000 1 echo"), pair.now) == []
    assert pair.host.outgoing() == []


class Station:
    """The station's end alone, in a session with a board that the test plays."""

    HEARD, SAID = (3 * BOARD + HOST) & 0xFFFFFF, (3 * HOST + BOARD) & 0xFFFFFF

    def __init__(self) -> None:
        self.link = Link(HOST, "daemon", 0)
        self.hello()
        self.bodies()

    def hear(self, body: str, now: int = 0) -> list[tuple[str, str, int, int | None]]:
        """What comes of a frame whose checksum is right; `{}` stands for the tag."""
        events = self.link.receive(crafted(body.replace("{}", f"{self.HEARD:06x}")), now)
        return [(e.kind, e.text, e.at, e.count) for e in events]

    def hello(self, base: int = 0, now: int = 0, *, kind: str = "H") -> list[str]:
        """What comes of a greeting of the board."""
        return [kind for kind, *_ in self.hear(f"{kind} {BOARD:06x} {HOST:06x} {base:04x} 1 1.0.0", now)]

    def bodies(self) -> list[str]:
        """The bodies to be written, with `{}` for the tag."""
        bodies = [wire.decode(frame[:-1]) or "" for frame in self.link.outgoing()]
        return [body.replace(f"{self.SAID:06x}", "{}") for body in bodies]

    def follow(self, steps: int) -> list[tuple[int, list[str], list[str]]]:
        """What it says, and tells, at each of the next deadlines."""
        script = []
        for _ in range(steps):
            at = self.link.deadline()
            assert at is not None
            kinds = [event.kind for event in self.link.due(at)]
            script.append((at, self.bodies(), kinds))
        return script


@pytest.fixture
def station() -> Station:
    return Station()


def test_two_ends_meet_with_the_frames_of_the_specification() -> None:
    board, host = Link(BOARD, "1.0.0", 0), Link(HOST, "daemon", 0)
    assert board.deadline() == 0
    assert board.due(0) == []
    (greeting,) = board.outgoing()
    assert wire.decode(greeting[:-1]) == "H 51ea5e 000000 0000 1 1.0.0"
    assert board.deadline() == HEARTBEAT
    assert host.receive(greeting, 7) == []
    assert [wire.decode(frame[:-1]) for frame in host.outgoing()] == ["h 0a0b0c 51ea5e 0000 1 daemon"]
    assert host.deadline() == 7, "a board that has just been plugged in is called at once"
    host.due(7)
    assert [wire.decode(frame[:-1]) for frame in host.outgoing()] == ["H 0a0b0c 51ea5e 0000 1 daemon"]
    assert not host.up


def test_silence_is_questioned_three_times_before_a_call(station: Station) -> None:
    hello = [f"H {HOST:06x} {BOARD:06x} 0000 1 daemon"]
    assert station.follow(7) == [
        (400, [". {}"], []),
        (500, ["? {}"], []),
        (600, ["? {}"], []),
        (700, ["? {}"], []),
        (800, hello, [DOWN]),
        (1200, hello, []),
        (1600, hello, []),
    ]


def test_a_payload_is_sent_every_80_ms_until_acknowledged(station: Station) -> None:
    assert station.link.send("seat-1 on", 100)
    assert station.bodies() == ["D {} 0001 0 seat-1 on"]
    assert station.link.send("seat-2 on", 150)
    assert station.bodies() == []
    assert station.follow(2) == [(180, ["D {} 0001 80 seat-1 on"], []), (260, ["D {} 0001 160 seat-1 on"], [])]
    assert station.hear("A {} 0002", 270) == []
    assert station.bodies() == [], "nothing has that number yet"
    assert station.hear("A {} 0001", 280) == []
    assert station.bodies() == ["D {} 0002 130 seat-2 on"]
    assert station.hear("A {} 0001", 290) == []
    assert station.bodies() == [], "the first came twice, and so did its acknowledgement"
    assert station.hear("A {} 0002", 300) == []
    assert station.follow(1) == [(680, [". {}"], [])], "nothing waits any more"


def test_each_number_is_taken_once_past_the_largest_too(station: Station) -> None:
    assert station.hello(base=0xFFFE) == [GAP, AGAIN]
    station.bodies()
    for number, text in (("ffff", "die-1 1"), ("0000", "die-1 0"), ("0001", "die-2 1")):
        assert station.hear(f"D {{}} {number} 5 {text}", 20) == [(DATA, text, 15, 0)]
        assert station.hear(f"D {{}} {number} 85 {text}", 100) == []
        assert station.bodies() == [f"A {{}} {number}"] * 2
    assert station.hear("G {} 0002 3 9999", 120) == [(GAP, "", 117, 9999)]
    assert station.bodies() == ["A {} 0002"]


@pytest.mark.parametrize("ahead", [2, 3, 0xFFFF])
def test_any_other_number_ends_the_session(station: Station, ahead: int) -> None:
    number = (5 + ahead) & 0xFFFF
    assert station.hello(base=5) == [GAP, AGAIN]
    station.bodies()
    assert [kind for kind, *_ in station.hear(f"D {{}} {number:04x} 0 die-1 1", 30)] == [DOWN]
    assert station.bodies() == []
    assert station.follow(1) == [(30, [f"H {HOST:06x} {BOARD:06x} 0000 1 daemon"], [])], "it is called at once"


@pytest.mark.parametrize(
    "body",
    [
        "X {}",
        "A {}",
        "A {} 00A1",
        "D {} 0001  die-1 1",
        "D {} 0001 -1 die-1 1",
        "G {} 0001 1 x",
        "E {} 0001 1 die-1 1",
        "H 51ea5e 0a0b0c 0000 1",
        "H 51EA5E 0a0b0c 0000 1 1.0.0",
        "H 000000 0a0b0c 0000 1 1.0.0",
        "H 51ea5e 0a0b0c 0000 x 1.0.0",
    ],
)
def test_an_unknown_body_is_no_sign_of_life(station: Station, body: str) -> None:
    station.link.send("seat-1 on", 0)
    station.link.outgoing()
    assert station.hear(body, GONE - 1) == []
    assert station.bodies() == []
    assert [event.kind for event in station.link.due(GONE)] == [DOWN]


def test_frames_of_a_failed_port_are_not_written_later(station: Station) -> None:
    """They would make a press younger than it is."""
    assert station.link.send("seat-1 on", 100)
    assert [(e.kind, e.text) for e in station.link.cut()] == [(DOWN, "silent")]
    assert (station.link.deadline(), station.link.due(5000), station.bodies()) == (None, [], [])
    station.link.reopen(5000)
    assert station.link.cut() == []
    station.link.reopen(5000)
    assert station.follow(1) == [(5000, [f"H {HOST:06x} {BOARD:06x} 0000 1 daemon"], [])]
    assert station.hear(". {}", 5010) == [(UP, "1.0.0", 5010, 0)]
    assert station.bodies() == ["D {} 0001 4910 seat-1 on", ". {}"]
