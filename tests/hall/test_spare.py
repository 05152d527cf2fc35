"""A spare goes on with the game of the box before it; a card that was set back is told, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.config import Config
from referee.hall.desk import Desk
from referee.station.hall.spare import Taken, adopt
from referee.station.virtual.bench import Bench
from referee.tournament.acts.people import BoxPlaced
from tests.hall.hours import Time
from tests.hall.table import MARK, TABLE, Floor, Member
from tests.hall.visitor import at_desk_of


@pytest.fixture
def spare(floor: Floor, memory: Path) -> Iterator[Member]:
    """Another box of the event, with an empty glass."""
    with Bench(memory / "spare" / "journal.db", Config()) as bench:
        box = Member(floor, bench)
        box.carry()
        yield box
        box.journal.close()
        assert bench.misfits == []


def placed(floor: Floor, box: Member) -> None:
    floor.desk.perform(BoxPlaced(**MARK, table=TABLE, box=box.key))


def took(box: Member) -> Taken | None:
    """Let a box hear of its table, and take over what it is to take over."""
    for _ in range(3):
        box.carry()
    taken = box.taken
    if taken is not None:
        box.bench.inbox.put(partial(box.bench.loop.take_over, partial(adopt, box.bench.journal, taken)))
        box.bench.settle()
        box.carry()
    return taken


def test_a_spare_asks_what_the_box_before_it_asked(floor: Floor, spare: Member) -> None:
    floor.bench.key("1", "1")
    floor.carry()
    asked = floor.bench.prompt
    placed(floor, spare)
    taken = took(spare)
    assert taken is not None
    assert asked is not None
    assert spare.bench.prompt is not None
    assert spare.bench.prompt.text == asked.text
    assert floor.boxes.seen(spare.key).board["asks"] == floor.boxes.shown(floor.key).board["asks"]
    clocks = spare.bench.console.table.clocks.keeper.clocks
    assert clocks is not None
    assert clocks.control == floor.bench.console.table.clocks.keeper.current.control
    assert took(spare) is taken, "it is done once"
    floor.carry()
    assert f"A spare box took over table {TABLE}. Continue there" in floor.bench.text


def test_its_slip_counts_and_that_of_the_old_box_does_not(floor: Floor, spare: Member) -> None:
    placed(floor, spare)
    took(spare)
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    assert not floor.desk.event.rounds[0].at(TABLE).result
    spare.bench.wait(1.0)
    spare.bench.hold("back", 0.5)
    spare.bench.key("6", "2", "2", "2", "seat-1", "seat-2")
    spare.carry()
    assert floor.pairing.result is not None
    (report,) = floor.reports.of(floor.desk.event.rounds[0], floor.pairing)
    assert report.of.box == spare.key


def test_a_game_that_is_over_is_not_taken_over(floor: Floor, spare: Member) -> None:
    floor.bench.console.table.leave()
    floor.bench.settle()
    floor.carry()
    placed(floor, spare)
    assert took(spare) is None


def test_a_spare_reads_no_game_but_the_one_it_goes_on_with(floor: Floor, spare: Member) -> None:
    floor.carry()
    (start,) = floor.bench.journal.records(1, 0, 0)
    path = f"/api/games/{start['hash']}/entries?after=-1"
    assert spare.say("GET", path).body["entries"] == []
    placed(floor, spare)
    assert spare.say("GET", path).body["entries"] != []


def test_of_a_copied_card_both_boxes_and_every_page_tell(floor: Floor, sixteen: Desk, time: Time) -> None:
    """E: two boxes with one token that begin new games are told apart by what runs there."""
    desk, clone = at_desk_of(sixteen, served=floor.served), "b" * 16
    floor.carry()
    told = floor.boxes.shown(floor.key).told
    floor.boxes.hear(floor.key, {**told, "run": clone})
    assert not floor.boxes.copied(floor.key), "a box that was started again"
    floor.carry()
    assert floor.box.talk.copied
    words = f"Two boxes use the card of table {TABLE}: revoke its access on Boxes, then add each again."
    for path in ("/", "/round", "/judges", "/boxes"):
        assert words in desk.get(path).words, path
    assert "Two boxes use the card of this one" in desk.get("/boxes").words
    page = desk.post("/boxes", "bar", key=floor.key[:8], box=floor.key, why="a copied card")
    assert f"Box {floor.key[:8]} has lost its access" in page.words
    assert TABLE not in sixteen.event.boxes
    assert floor.box.say("POST", "/api/state", b"{}").status == 401
    time.now += 61
    assert "Two boxes" not in desk.get("/").words


def test_a_journal_that_was_set_back_is_told_on_every_page(floor: Floor, sixteen: Desk) -> None:
    floor.carry()
    told = {**floor.boxes.shown(floor.key).told, "other": ["a" * 64]}
    floor.boxes.hear(floor.key, told)
    words = at_desk_of(sixteen, served=floor.served).get("/").words
    assert (
        "The journal at table 3 was restored or copied: the hall does not have its game. Enter its result." in words
    )
    assert "Its journal was restored or copied" in at_desk_of(sixteen, served=floor.served).get("/boxes").words
