"""The daemon's end of the serial line, on a clock of the test's; tests/firmware has it on a line, with a board."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from hardware.events import Click, Edge, Press, Release
from hardware.keys.debounce import CLICK, HOLD, Keys
from hardware.line.input_board import BoardTalk, InputBoard
from hardware.line.presence import Connected, Disconnected
from hardware.line.wire import DATA, Event, Link, encode
from tests.hardware.line.cable import Cable, Reports


def test_edges_and_lamps_cross_a_line(cable: Cable, reports: Reports) -> None:
    board, link = InputBoard("auto", reports.queue.put, find=cable.find), Link(0xB0A4D, "1.0.0", 0)
    board.open(reports.queue.put)
    told: set[str] = set()

    def speak(done: Callable[[], object]) -> None:
        end = time.monotonic() + 20
        while not done():
            assert time.monotonic() < end
            now = int(time.monotonic() * 1000)
            events = link.receive(cable.read(0.01), now) + link.due(now)
            told.update(event.text for event in events if event.kind == DATA)
            for frame in link.outgoing():
                cable.write(frame)

    board.set("seat-3", "blink")  # before anybody is there
    speak(lambda: "seat-3 blink" in told)
    assert reports.next().firmware == "1.0.0"
    link.send("die-3 1", int(time.monotonic() * 1000))
    speak(lambda: board.level("die-3"))
    edge = reports.next()
    assert (edge.line, edge.level) == ("die-3", True)
    cable.pull()
    assert [type(reports.next()) for _ in range(2)] == [Edge, Disconnected]
    assert not board.level("die-3")
    board.close()


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


def test_another_protocol_is_named_with_its_cure(talk: Talk) -> None:
    talk.hear("H 00b04d 000000 0000 2 9.9.9")
    (told,) = talk.heard
    assert isinstance(told, Disconnected)
    assert "9.9.9 speaks protocol 2, not 1" in told.why
    assert "make deploy-input-board" in told.why


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
