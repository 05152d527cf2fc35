"""Boxes at tables: what the organiser places, what each box is told, and what stands on its glass."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.seatings import seatings
from referee.hall.uplink.messages import Seating, write
from referee.station.inbox import Seated
from referee.station.uplink import seating_of
from referee.testing.station import Bench
from referee.tournament import Event
from referee.tournament.acts import BoxPlaced, RoundUnpublished
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, Hall, box, go_on, talk
from tests.hall.visitor import Visitor, at_desk_of

ANNA_AND_BO = Seating(2, 7, ((3, "Anna Schmidt", "Free Peoples"), (9, "Bo Li", "Shadow")), wins=("Ring", "military"))


@pytest.fixture
def organiser(desk: Desk, hall: Hall) -> Iterator[Visitor]:
    loop = asyncio.new_event_loop()
    boxes = Boxes(desk, hall.intake, hall.make, "192.0.2.7:8470", loop)
    yield at_desk_of(desk, boxes=boxes)
    loop.close()


def test_a_box_is_placed_and_keeps_its_table(sixteen: Desk, organiser: Visitor) -> None:
    page = organiser.post("/boxes", "place", key=KEY.public[:8], box=KEY.public, table=3)
    assert "Table 3 has this box from now on" in page.words
    assert sixteen.event.boxes == {3: KEY.public}
    page = organiser.post("/boxes", "place", key=KEY.public[:8], box="f" * 64, table=4)
    assert "expected a box that is paired" in page.words
    organiser.post("/boxes", "remove", key=KEY.public[:8], table=3, why="its battery is flat")
    assert sixteen.event.boxes == {}


def test_a_box_is_told_its_table_of_the_published_round_and_who_sits_there(sixteen: Desk) -> None:
    mark = {"who": "organiser", "at": 0, "why": "begin"}
    sixteen.perform(BoxPlaced(**mark, table=3, box="b" * 64))  # type: ignore[arg-type]
    pairing = sixteen.event.rounds[0].at(3)
    names = tuple(map(sixteen.names.player, pairing.players))
    told = seatings(sixteen.event, sixteen.names)
    assert told == {
        "b" * 64: Seating(
            1,
            3,
            tuple(zip(pairing.players, names, ("Free Peoples", "Shadow"), strict=True)),
            wins=("Ring", "military"),
        )
    }
    sixteen.perform(RoundUnpublished(**mark, round=1))  # type: ignore[arg-type]
    assert seatings(sixteen.event, sixteen.names) == {"b" * 64: Seating(0, 3)}


def test_a_box_is_told_what_its_slip_may_say_and_whether_a_call_stops_the_clocks(sixteen: Desk) -> None:
    sixteen.perform(BoxPlaced(who="organiser", at=0, why="begin", table=3, box=KEY.public))
    event = sixteen.event
    (stage,) = event.stages

    def terms(event: Event) -> tuple[int, int, bool, bool]:
        seating = seatings(event, sixteen.names)[KEY.public]
        return seating.games, seating.split, seating.drawn, seating.stops

    assert terms(event) == (1, 0, True, False)
    bracket = replace(stage, format="single elimination", match="best of three")
    assert terms(replace(event, stages=(bracket,))) == (3, 0, False, False)
    settings = replace(event.settings, points=replace(event.settings.points, split=6), call_stops=True)
    assert terms(replace(event, settings=settings)) == (1, 6, True, True)


def test_a_box_is_told_when_it_connects_and_when_it_changes(hall: Hall) -> None:
    side = box(MemoryJournal(KEY), KEY)
    hall.side.seat({KEY.public: ANNA_AND_BO})
    talk(hall, 1, side)
    assert side.seating == ANNA_AND_BO
    hall.side.seat({KEY.public: ANNA_AND_BO})
    assert hall.words(1) == []  # what it knows is not said again
    hall.side.seat({})
    assert [json.loads(word)["table"] for word in hall.words(1)] == [0]


def test_before_anything_is_placed_a_hall_without_tables_says_nothing_of_them(hall: Hall) -> None:
    side = box(MemoryJournal(KEY), KEY)
    talk(hall, 1, side)
    assert side.seating is None


def test_a_name_no_box_could_show_is_refused(hall: Hall) -> None:
    side = box(MemoryJournal(KEY), KEY)
    talk(hall, 1, side)
    text = write(ANNA_AND_BO).replace("Anna", "An\\nna")
    assert side.received(text, hall.now) == []
    assert side.refused is not None
    assert "at most 100 letters of one line" in side.refused.expected
    go_on(hall, 1, side)
    assert side.seating is None


@pytest.fixture
def bench(memory: Path) -> Iterator[Bench]:
    with Bench(memory / "journal.db") as opened:
        yield opened


def seat(bench: Bench, seating: Seating) -> None:
    bench.inbox.put(Seated(seating_of(seating)))
    bench.settle()


def test_the_glass_shows_the_table_before_a_game_begins_and_no_journal_has_a_name(bench: Bench) -> None:
    shelf = bench.view
    seat(bench, ANNA_AND_BO)
    assert "Table 7, round 2" in bench.text
    assert "Free Peoples: Anna Schmidt" in bench.text
    assert bench.misfits == []
    bench.key("select")
    assert bench.view == shelf
    bench.play("battle-of-the-ring")
    game = bench.view
    seat(bench, Seating(3, 7, ((5, "Cem Öz", ""),)))
    assert bench.view == game  # nobody is disturbed who plays
    bench.console.table.leave()
    bench.settle()
    assert "Table 7, round 3" in bench.text
    seat(bench, Seating(0, 0))
    assert bench.view == shelf
    data = b"".join(path.read_bytes() for path in bench.journal.path.parent.glob("journal.db*"))
    assert b"Anna" not in data
    assert b"Cem" not in data
