"""Acts that were lost with the hall before any box had a copy of them (docs/hall.md, "What no box had")."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.hall.countersignature import text_of
from referee.hall.desk import Desk
from referee.hall.rebuilding import finish, side_of, unheard
from referee.hall.round_clock import round_clock
from referee.journal.notes import Notes
from referee.testing.station import Bench
from referee.tournament import Game, Result, draw_round
from referee.tournament.acts import (
    BoxPlaced,
    ExtensionGiven,
    PenaltyGiven,
    PlayerAdded,
    ResultEntered,
    RoundEnded,
    RoundPaired,
    RoundPublished,
    RoundStarted,
)
from referee.tournament.clock import MINUTE
from referee.tournament.plain import to_json
from tests.hall.conftest import NOW
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.uplink.memory import signer
from tests.hall.uplink.pair import CERTIFICATE, EVENT_KEY

HOURS = 4 * 60 * MINUTE
"""How long a round takes."""


class Venue(Floor):
    """A table whose box copies the record; what is done after `copied` is lost with the hall."""

    def __init__(self, desk: Desk, folder: Path, bench: Bench, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(desk, folder, bench, loop, copied=True)

    def copied(self) -> None:
        """The box copies everything that was done."""
        self.reconnect()
        end = self.side.copies.state().end
        assert end is not None
        assert end.hash == self.desk.record.journal.head(self.desk.record.chain)[1]

    def lose(self, folder: Path) -> None:
        """The laptop is lost with its folder; another one has the event from the box, which connects to it."""
        self.forget()
        self.hall.intake.close()
        self.side.closed()
        folder.mkdir()
        rebuilt = side_of(folder, EVENT_KEY, CERTIFICATE)
        rebuilt.opened(1, "1" * 64, 0.0)
        self.side.opened(CERTIFICATE, "2" * 64, 0.0)
        while out := rebuilt.take_out():
            for text in (text for _, text in out if text is not None):
                for answer in self.side.received(text, 0.0):
                    rebuilt.received(1, answer, 0.0)
        assert unheard(rebuilt) == []
        finish(folder, EVENT_KEY, rebuilt)
        self.side.closed()
        self.open(self.lines.enter_context(Desk(folder, clock=lambda: NOW)), folder, copied=True)
        self.connect()

    lines: ExitStack


@pytest.fixture
def venue(sixteen: Desk, memory: Path, bench: Bench) -> Iterator[Venue]:
    """A game that has begun, and everything on the box that the desk had done by then."""
    loop = asyncio.new_event_loop()
    with ExitStack() as lines:
        venue = Venue(sixteen, memory, bench, loop)
        venue.lines = lines
        bench.key("back")
        bench.play("war-of-the-ring")
        venue.carry()
        venue.copied()
        bench.wait(1.0)
        yield venue
        venue.hall.intake.close()
    loop.close()


def test_what_the_box_said_comes_again_and_what_was_done_at_the_desk_does_not(venue: Venue, memory: Path) -> None:
    desk, bench = venue.desk, venue.bench
    copied = len(desk.acts)
    bench.hold("back", 2.1)
    bench.key("select")
    desk.perform(
        ResultEntered(**MARK, round=1, table=4, result=Result("double loss"), by="judge"),
        PenaltyGiven(**MARK, player=1, penalty="warning"),
        PlayerAdded(**MARK, player=17),
        ExtensionGiven(**MARK, round=1, table=TABLE, ms=10 * MINUTE),
    )
    venue.carry()
    bench.key("select")
    venue.slip("1", "seat-1", "seat-2", "select")
    venue.carry()
    result, before = venue.pairing.result, venue.pairing.countersigned
    (shown,) = venue.notes("order")[-1:]
    assert (shown["what"], shown["text"]) == ("countersigned", text_of(to_json(before)))

    venue.lose(memory / "new")
    venue.carry()
    event, pairing = venue.desk.event, venue.pairing
    assert len(venue.desk.acts) == copied + 3, "call, result and countersignature"
    assert [(call.table, call.resolved) for call in event.calls] == [(TABLE, 0)]
    assert pairing.result == result
    assert pairing.countersigned != before, "it is signed with the key of the other laptop"
    signed = [each["text"] for each in venue.notes("order") if each["what"] == "countersigned"]
    assert signed == [text_of(to_json(each)) for each in (before, pairing.countersigned)]
    assert (event.rounds[0].at(4).result, event.penalties, 17 in event.players) == (None, (), False)
    clock = round_clock(venue.desk, venue.key.public)
    assert clock is not None
    assert clock.left == HOURS, "without the ten minutes more"
    assert venue.hall.intake.incidents() == []


def test_a_publication_a_place_and_a_pairing_are_made_again_and_the_slip_counts_then(
    venue: Venue, memory: Path
) -> None:
    desk, other = venue.desk, signer(5)
    desk.perform(RoundEnded(**MARK, round=1), BoxPlaced(**MARK, table=TABLE, box=""))
    venue.copied()
    pairings = draw_round(desk.event, 1)
    players = next(each.players for each in pairings if each.table == TABLE)
    again = (
        RoundPaired(**MARK, pairings=pairings, seed=0),
        RoundPublished(**MARK, round=2),
        RoundStarted(**MARK, round=2),
        BoxPlaced(**MARK, table=TABLE, box=venue.key.public),
    )
    desk.perform(*again)
    desk.record.admit(other.public)
    result = Result(games=(Game(players[0], "Ring"),))
    Notes(venue.bench.journal, 1).add({"slip": {"round": 2, "players": list(players), "result": to_json(result)}})
    venue.carry()
    assert desk.event.rounds[1].at(TABLE).result == result

    venue.lose(memory / "new")
    assert len(venue.desk.event.rounds) == 1
    assert [why for _, _, why in venue.boxes.view()["early"]] == ["waits until round 2 is published"]
    assert [each["code"] for each in venue.hall.log_in(9, other)] == ["unknown"]
    venue.desk.perform(*again)
    venue.boxes.look(1.0)
    pairing = venue.desk.event.round(2).at(TABLE)
    assert pairing.result == result
    assert pairing.countersigned is not None
    assert venue.hall.intake.incidents() == []
