"""The daemon's end of the serial line over real ptys; closing the master is the unplug."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.events import Click, Edge, Press, Release
from hardware.keys.debounce import CLICK, HOLD, Keys
from hardware.line.input_board import BoardTalk, InputBoard
from hardware.line.presence import Connected, Disconnected, Gap
from hardware.line.wire import DATA, GONE, Event, Link, encode
from hardware.ports import Inputs, Lamps
from tests.hardware.line.cable import Cable, Reports


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


def test_another_protocol_is_named_with_its_cure(cable: Cable, board: InputBoard, reports: Reports) -> None:
    peer = Peer(cable)
    peer.until(lambda: peer.link.peer != 0)  # the port is open: we have been greeted
    cable.write(encode("H 00b04d 000000 0000 2 9.9.9"))
    while not isinstance(report := reports.next(), Disconnected):
        pass
    assert "9.9.9 speaks protocol 2, not 1" in report.why
    assert "make deploy-input-board" in report.why


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

    def hear(self, body: str) -> None:
        """Take a frame of the board's; `{}` stands for the tag."""
        tag = (3 * self.peer.me + self.peer.peer) & 0xFFFFFF
        self.talk.received(encode(body.replace("{}", f"{tag:06x}")), self.now)

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
def test_a_key_down_when_the_board_went_is_no_click_or_hold(talk: Talk, seconds: float) -> None:
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


def test_a_key_that_was_down_at_a_gap_comes_up(talk: Talk) -> None:
    talk.hear("D {} 0001 0 die-1 1")
    talk.hear("G {} 0002 0 3")
    press, release, gap = talk.heard
    assert [press.level, release.level, release.at - press.at, gap.missed] == [True, False, pytest.approx(0.375), 3]
    talk.hear("D {} 0003 0 die-1 0")
    assert len(talk.heard) == 3


def test_a_silent_board_is_gone_once_after_two_heartbeats() -> None:
    talk = Talk()
    talk.run(0.79, lose=True)
    talk.talk.lost("pulled", talk.now)
    talk.talk.opened(talk.now)
    assert talk.heard == []
    talk.run(2.0, lose=True)
    why = "the port is open, but no input board answers"
    assert talk.heard == [Disconnected(why, pytest.approx(100.8, abs=0.006))]  # type: ignore[arg-type]
    talk.talk.lost("pulled", talk.now)
    assert len(talk.heard) == 1
    talk.talk.opened(talk.now)
    talk.run(0.5)
    assert talk.heard[1:] == [Connected("1.0.0", talk.heard[-1].at)]
