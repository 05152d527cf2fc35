"""The daemon's end of the serial line over real ptys; closing the master is the unplug."""

from __future__ import annotations

import os
import pty
import queue
import select
import time
import tty
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from hardware.errors import BadPattern, BadPort, DeviceClosed, PortNotFound, UnknownLine
from hardware.events import Click, Edge, Press, Release
from hardware.keys.debounce import CLICK, HOLD, Keys
from hardware.line.input_board import BoardTalk, InputBoard
from hardware.line.presence import Connected, Disconnected, Gap
from hardware.line.serial_dice import SerialDice
from hardware.line.serial_port import find_pico, finder
from hardware.line.wire import AGAIN, DATA, GONE, Event, Link, encode
from hardware.ports import Inputs, Lamps


class Cable:
    """A pty that can be plugged in again and again; each time it may be another device."""

    def __init__(self) -> None:
        self.master = -1
        self.path = ""

    def plug(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)

    def pull(self) -> None:
        if self.master >= 0:
            os.close(self.master)
        self.master, self.path = -1, ""

    def find(self) -> str:
        if not self.path:
            raise PortNotFound("nothing is plugged in")
        return self.path

    def write(self, data: bytes) -> None:
        assert os.write(self.master, data) == len(data)

    def read(self, timeout: float) -> bytes:
        if not select.select([self.master], [], [], timeout)[0]:
            return b""
        try:
            return os.read(self.master, 4096)
        except OSError:  # nobody has the other end open
            return b""


@pytest.fixture
def cable() -> Iterator[Cable]:
    cable = Cable()
    cable.plug()
    yield cable
    cable.pull()


class Peer:
    """The board's end, run by the test itself."""

    def __init__(self, cable: Cable, me: int = 0xB0A4D) -> None:
        self.cable = cable
        self.link = Link(me, "1.0.0", self.now())
        self.events: list[Event] = []

    @staticmethod
    def now() -> int:
        return int(time.monotonic() * 1000)

    def until(self, done: Callable[[], bool]) -> None:
        """Speak until something is so; it must be within 20 seconds."""
        end = time.monotonic() + 20
        while not done():
            assert time.monotonic() < end, "waited in vain"
            self.events += self.link.due(self.now())
            self.say()
            self.events += self.link.receive(self.cable.read(0.01), self.now())
            self.say()

    def say(self) -> None:
        for frame in self.link.outgoing():
            self.cable.write(frame)


class Reports:
    """What the daemon hears, in order."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def next(self) -> Any:
        return self.queue.get(timeout=20)


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture
def board(cable: Cable, reports: Reports) -> Iterator[InputBoard]:
    board = InputBoard("auto", reports.queue.put, find=cable.find)
    board.open(reports.queue.put)
    yield board
    board.close()


def met(cable: Cable, reports: Reports) -> Peer:
    """A board that both ends know of."""
    peer = Peer(cable)
    peer.until(lambda: peer.link.up and not reports.queue.empty())
    connected = reports.next()
    assert connected == Connected("1.0.0", connected.at)
    return peer


def test_edges_and_levels(cable: Cable, board: InputBoard, reports: Reports) -> None:
    peer = met(cable, reports)
    pressed = time.monotonic()
    peer.link.send("die-3 1", peer.now())
    peer.until(lambda: not reports.queue.empty())
    edge = reports.next()
    assert (edge.line, edge.level) == ("die-3", True)
    assert pressed - 0.002 <= edge.at <= time.monotonic()
    assert board.level("die-3")
    assert not board.level("die-4")
    inputs: Inputs = board
    lamps: Lamps = board
    assert (inputs, lamps.names[0]) == (board, "seat-1")


def test_lamps_are_told_at_once_and_again_to_a_new_board(cable: Cable, board: InputBoard, reports: Reports) -> None:
    board.set("seat-3", "blink")  # before anybody is there
    peer = met(cable, reports)
    peer.until(lambda: "seat-3 blink" in [e.text for e in peer.events])
    board.set("seat-3", "on")
    peer.until(lambda: "seat-3 on" in [e.text for e in peer.events])
    cable.pull()
    assert isinstance(reports.next(), Disconnected)
    cable.plug()
    again = Peer(cable, 0xB0A4E)
    again.until(lambda: len([e for e in again.events if e.kind == DATA]) >= 4)
    assert {e.text for e in again.events if e.kind == DATA} == {"seat-1 off", "seat-2 off", "seat-3 on", "seat-4 off"}


@pytest.mark.timed
def test_a_pulled_cable_is_noticed_at_once_and_a_new_name_found(
    cable: Cable, board: InputBoard, reports: Reports
) -> None:
    peer = met(cable, reports)
    before, old, pulled = cable.path, cable.master, time.monotonic()
    cable.plug()
    os.close(old)
    report = reports.next()
    assert isinstance(report, Disconnected)
    assert report.at - pulled < GONE / 1000
    peer.link.cut()
    peer.link.reopen(peer.now())
    peer.link.send("die-1 1", peer.now())
    peer.until(lambda: reports.queue.qsize() >= 2)
    assert {type(reports.next()), type(reports.next())} == {Connected, Gap}
    assert cable.path != before


@pytest.mark.timed
def test_silence_is_noticed_within_two_heartbeats(cable: Cable, board: InputBoard, reports: Reports) -> None:
    met(cable, reports)
    silent = time.monotonic()
    report = reports.next()
    assert report == Disconnected("it stopped answering", report.at)
    assert report.at - silent < GONE / 1000 + 0.5


@pytest.mark.timed
def test_board_that_is_not_there_is_said_to_be_gone(reports: Reports) -> None:
    cable = Cable()
    board = InputBoard("auto", reports.queue.put, find=cable.find)
    start = time.monotonic()
    board.open(reports.queue.put)
    report = reports.next()
    board.close()
    assert report == Disconnected("nothing is plugged in", report.at)
    assert GONE / 1000 <= report.at - start < GONE / 1000 + 2
    assert reports.queue.empty()


def test_another_protocol_is_named_with_its_cure(cable: Cable, board: InputBoard, reports: Reports) -> None:
    peer = Peer(cable)
    peer.until(lambda: peer.link.peer != 0)  # the port is open: we have been greeted
    cable.write(encode("H 00b04d 000000 0000 2 9.9.9"))
    while not isinstance(report := reports.next(), Disconnected):
        pass
    assert "9.9.9 speaks protocol 2, not 1" in report.why
    assert "make deploy-input-board" in report.why


def test_second_opener_is_kept_out(cable: Cable, board: InputBoard, reports: Reports) -> None:
    met(cable, reports)
    second: queue.SimpleQueue[Any] = queue.SimpleQueue()
    other = InputBoard(cable.path, second.put)
    other.open(second.put)
    report = second.get(timeout=20)
    other.close()
    assert report.why == f"{cable.path}: another program uses it"


def test_sink_that_fails_loses_one_event_only(
    cable: Cable, reports: Reports, caplog: pytest.LogCaptureFixture
) -> None:
    def sink(event: object) -> None:
        if event == Edge("die-1", True, getattr(event, "at", 0)):
            raise RuntimeError("full")
        reports.queue.put(event)

    board = InputBoard("auto", reports.queue.put, find=cable.find)
    board.open(sink)
    peer = met(cable, reports)
    for text in ("die-1 1", "what is this", "die-2 1"):
        peer.link.send(text, peer.now())
    peer.until(lambda: not reports.queue.empty())
    board.close()
    assert reports.next().line == "die-2"
    assert "was not handled" in caplog.text
    assert "expected a key and 0 or 1" in caplog.text


def test_wrong_use_is_refused(cable: Cable, board: InputBoard, reports: Reports) -> None:
    with pytest.raises(UnknownLine, match="expected one of seat-1"):
        board.set("seat-9", "on")
    with pytest.raises(BadPattern, match="expected a lamp to be off, on, blink"):
        board.set("seat-1", "bright")  # type: ignore[arg-type]
    with pytest.raises(UnknownLine, match="die-7"):
        board.level("die-7")
    with pytest.raises(DeviceClosed, match="open already"):
        board.open(reports.queue.put)
    board.close()
    board.close()
    with pytest.raises(DeviceClosed, match="not open"):
        board.set("seat-1", "on")


# ---------------------------------------------------------------------- without a port


class Talk:
    """The daemon's end and a board joined without a cable, on a clock of the test's."""

    def __init__(self) -> None:
        self.now = 100.0
        self.heard: list[Any] = []
        self.keys = Keys(lambda line: line in self.talk.down)
        self.events: list[Any] = []
        self.talk = BoardTalk(0xDAE, self.take, self.heard.append, self.now)
        self.talk.opened(self.now)
        self.peer = Link(0xB0A, "1.0.0", 100_000)

    def take(self, event: Any) -> None:
        self.heard.append(event)
        self.events += self.keys.feed(event)

    def run(self, seconds: float, *, lose: bool = False) -> list[Event]:
        """Let time pass in steps of 5 ms; return what the board is told."""
        reports: list[Event] = []
        for _ in range(round(seconds / 0.005)):
            self.now += 0.005
            milliseconds = int(self.now * 1000 + 0.001)
            reports += self.peer.due(milliseconds)
            ours, theirs = self.talk.outgoing(), self.peer.outgoing()
            if not lose:
                reports += self.peer.receive(b"".join(ours), milliseconds)
                self.talk.received(b"".join(theirs), self.now)
            self.talk.due(self.now)
            self.events += self.keys.due(self.now)
        return reports

    def send(self, text: str) -> bool:
        return self.peer.send(text, int(self.now * 1000 + 0.001))


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.run(0.1)
    assert [type(e) for e in talk.heard] == [Connected]
    talk.heard.clear()
    return talk


def test_edges_carry_the_time_of_the_press(talk: Talk) -> None:
    pressed = talk.now
    talk.send("die-3 1")
    talk.run(0.3, lose=True)
    talk.run(0.2)
    (edge,) = talk.heard
    assert edge == Edge("die-3", True, pytest.approx(pressed, abs=0.001))  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [0.02, CLICK, HOLD - 0.02])
def test_key_that_was_down_when_the_board_went_is_neither_clicked_nor_held(talk: Talk, seconds: float) -> None:
    talk.send("select 1")
    talk.run(seconds)
    talk.talk.lost("pulled", talk.now)
    talk.now += 2
    talk.events += talk.keys.due(talk.now)
    assert [type(e) for e in talk.events] == [Press, Release]
    assert [type(e) for e in talk.heard] == [Edge, Edge, Disconnected]


def test_key_held_through_a_silence_counts_from_its_next_press(talk: Talk) -> None:
    talk.send("select 1")
    talk.run(0.01)
    talk.run(1.0, lose=True)
    talk.run(1.0)
    talk.heard.clear()
    talk.events.clear()
    for text in ("select 0", "select 1", "select 0"):
        assert talk.send(text)
        talk.run(0.1)
    assert [(e.line, e.level) for e in talk.heard] == [("select", True), ("select", False)]
    assert [type(e) for e in talk.events] == [Press, Release, Click]


def test_presses_during_a_silence_are_announced_by_number(talk: Talk) -> None:
    talk.run(1.0, lose=True)
    assert [talk.send("die-1 1"), talk.send("die-1 0")] == [False, False]
    reports = talk.run(1.0)
    assert [e.missed for e in talk.heard if isinstance(e, Gap)] == [2]
    assert not [e for e in talk.heard if isinstance(e, Edge)]
    assert AGAIN not in [e.kind for e in reports]


# ---------------------------------------------------------------------- finding it


def ports(*numbers: str) -> Callable[[], list[Any]]:
    listed = [SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None, serial_number=None)]
    listed += [
        SimpleNamespace(device=f"/dev/ttyACM{i}", vid=0x2E8A, pid=0x0005, serial_number=number)
        for i, number in enumerate(numbers)
    ]
    return lambda: listed


def test_board_is_found_by_its_usb_ids_and_serial_number() -> None:
    assert find_pico("", ports("E1")) == "/dev/ttyACM0"
    assert find_pico("E2", ports("E1", "E2")) == "/dev/ttyACM1"


@pytest.mark.parametrize(
    ("wanted", "there", "message"),
    [
        ("", (), "no input board with USB 2e8a:0005 is plugged in; there: none"),
        ("", ("E1", "E2"), "several input boards are plugged in: name the serial number of one, E1, E2"),
        ("E3", ("E1",), "no input board with serial number E3 is plugged in; there: E1"),
    ],
)
def test_board_that_is_not_clear_is_not_guessed(wanted: str, there: tuple[str, ...], message: str) -> None:
    with pytest.raises(PortNotFound) as refused:
        find_pico(wanted, ports(*there))
    assert str(refused.value) == message


def test_port_that_cannot_be_is_refused_when_it_is_named() -> None:
    for port in (
        "telnet9://there",
        "socket://",
        "socket://desk",
        "socket:///7000",
        "socket://desk:70000",
        "a\0b",
        "",
    ):
        with pytest.raises(BadPort) as refused:
            finder(port)
        assert str(refused.value) == f'expected "auto", a device path or a URL like socket://host:port, got "{port}"'
    for port in ("/dev/referee-input", "socket://desk:7000", "socket://[::1]:7000"):
        assert finder(port)() == port
    with pytest.raises(BadPort, match='requires the port "auto"'):
        finder("/dev/ttyACM0", "E1")


@pytest.mark.parametrize(
    ("port", "message"),
    [
        ("/dev/none-such", "/dev/none-such: No such file or directory"),
        ("/dev/null", "/dev/null: no serial port"),
        ("socket://127.0.0.1:9", "socket://127.0.0.1:9: Connection refused"),
    ],
)
def test_a_port_that_cannot_be_opened_is_told_in_plain_words(reports: Reports, port: str, message: str) -> None:
    board = InputBoard(port, reports.queue.put)
    board.open(reports.queue.put)
    report = reports.next()
    board.close()
    assert report.why == message


def test_port_that_cannot_be_waited_for_is_named(reports: Reports) -> None:
    board = InputBoard("loop://", reports.queue.put, find=lambda: "loop://")
    board.open(reports.queue.put)
    report = reports.next()
    board.close()
    assert report.why == "loop:// cannot be used with select(): expected a device path or a socket:// URL"


# ---------------------------------------------------------------------- dice of other makers


def test_dice_tell_their_faces_in_order_and_their_names_if_they_have_some(cable: Cable, reports: Reports) -> None:
    dice = SerialDice(cable.path, reports.queue.put)
    dice.open(reports.queue.put)
    assert isinstance(reports.next(), Connected)
    cable.write(b"4\n4\r\n 6 ")
    cable.write(b"\n5 A7\n 1  white_1 \r\n")
    faces = [reports.next() for _ in range(5)]
    assert [(each.face, each.die) for each in faces] == [(4, ""), (4, ""), (6, ""), (5, "A7"), (1, "white_1")]
    cable.pull()
    assert isinstance(reports.next(), Disconnected)
    dice.close()
    dice.close()


@pytest.mark.parametrize(
    "noise",
    [
        *(b"7\n", b"0\n", b"44\n", b"\n", b"\xff\n", b"x" * 40 + b"\n", b"x" * 40 + b"4\n"),
        *(b"4A7\n", b"4 A 7\n", b"4 \xff\n", b"4 ninecharz\n", b"A7 4\n"),
    ],
)
def test_what_is_no_face_is_ignored_and_logged(
    cable: Cable, reports: Reports, caplog: pytest.LogCaptureFixture, noise: bytes
) -> None:
    dice = SerialDice(cable.path, reports.queue.put)
    dice.open(reports.queue.put)
    assert isinstance(reports.next(), Connected)
    for byte in noise:
        cable.write(bytes([byte]))
    cable.write(b"5\n")
    assert reports.next().face == 5
    assert "expected one face from 1 to 6" in caplog.text
    dice.close()
