"""The board and a table's page: what is played, whose box is silent, what waits for somebody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.judging.docket import Docket
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.outbox import JournalOutbox
from referee.journal import Journal, seal
from referee.journal.notes import Notes
from referee.journal.sequence import Place
from referee.session import Session
from referee.tournament.acts import BoxPlaced, CallOpened, ExtensionGiven, RoundStarted
from tests.hall.uplink.memory import MemoryJournal, Written, signer
from tests.hall.uplink.pair import Hall, box, go_on, talk
from tests.hall.visitor import Visitor, at_desk_of

MARK = {"who": "organiser", "at": 0, "why": "as planned"}


class Here(Docket):
    """Judges here, and not in a process of its own."""

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.take(request)

    async def end(self) -> None: ...


@dataclass
class Floor:
    """An event with a box at table 3 that plays."""

    hall: Hall
    boxes: Boxes
    session: Session
    journal: Journal
    side: BoxSide
    visitor: Visitor

    def judged(self) -> None:
        """Carry what was played to the hall, and let it be judged."""
        go_on(self.hall, 1, self.side)
        live = self.boxes.follower.live[self.side.signer.public]
        assert live.game is not None
        asyncio.run(self.boxes.judge.judge(live.game))


@pytest.fixture
def floor(sixteen: Desk, memory: Path) -> Iterator[Floor]:
    hall = Hall(memory / "intake.db")
    loop = asyncio.new_event_loop()
    with Journal(memory / "box" / "journal.db") as journal:
        key = seal.signer(memory / "box")
        hall.side.intake.admit(key.public)
        boxes = Boxes(sixteen, hall.intake, hall.make, "192.0.2.7:8470", loop, Here())
        session = Session(games.load("war-of-the-ring"), journal=journal)
        side = box(JournalOutbox(journal), key)
        hall.now = 5.0
        talk(hall, 1, side)
        sixteen.perform(BoxPlaced(**MARK, table=3, box=key.public), RoundStarted(**MARK, round=1))  # type: ignore[arg-type]
        yield Floor(hall, boxes, session, journal, side, at_desk_of(sixteen, boxes=boxes))
    hall.side.intake.close()
    loop.close()


def test_the_board_shows_what_is_played_and_the_page_of_a_table_its_log(floor: Floor) -> None:
    floor.judged()
    words = floor.visitor.get("/board").words
    assert words.count("paper") == 7
    assert "War of the Ring: Battle 1" in words
    prompt = floor.session.prompt
    assert prompt is not None
    assert prompt.text in words
    floor.session.answer(next(each.id for each in prompt.options if each.id != prompt.passing))
    floor.judged()
    asyncio.run(floor.boxes.read_log(floor.side.signer.public))
    page = floor.visitor.get("/table?table=3")
    assert floor.session.log()[-1].text in page.words
    assert "Nobody plays at this table" in floor.visitor.get("/table?table=99").words


def test_seat_clocks_are_shown_as_the_box_told_them(floor: Floor) -> None:
    floor.judged()
    seats = [{"seat": "shadow", "left": 61_000}, {"seat": "free-peoples", "left": 90_000}]
    Notes(floor.journal, 1).add({"clock": {"no": 1, "what": "set", "seats": seats}})
    floor.judged()
    words = floor.visitor.get("/board").words
    assert "Shadow 1:01" in words
    assert "Free Peoples 1:30" in words
    Notes(floor.journal, 1).add({"clock": {"no": 2, "what": "state", "seats": ["?"], "runs": [7]}})
    floor.judged()
    assert "1:01" not in floor.visitor.get("/board").words


def test_filters_leave_the_tables_that_meet_them(floor: Floor, sixteen: Desk) -> None:
    sixteen.perform(CallOpened(**MARK, table=2), ExtensionGiven(**MARK, round=1, table=5, ms=300_000))  # type: ignore[arg-type]
    page = floor.visitor.get("/board")
    assert "all (8) open (8) calling (1) extended (1) disputed (0)" in page.words
    assert "Calling: table 2" in page.words
    calling = floor.visitor.get("/board?show=calling").text
    assert 'id="t2"' in calling
    assert calling.count("<article") == 1
    assert floor.visitor.get("/board?show=<script>").text.count("<article") == 8


def test_a_box_without_a_word_for_two_seconds_is_grey_and_the_board_hears_of_it(floor: Floor) -> None:
    key, changes = floor.side.signer.public, floor.boxes.changes
    floor.boxes.look(7.0)
    assert (floor.boxes.seen(key, 7.0).state, floor.boxes.changes) == ("connected", changes)
    floor.boxes.look(7.1)
    assert (floor.boxes.seen(key, 7.1).state, floor.boxes.changes) == ("silent", changes + 1)
    floor.hall.side.closed(1)
    floor.hall.side.commit()
    assert floor.boxes.seen(key, 7.1).state == "not connected"
    assert 'class="grey"' in floor.visitor.get("/board").text


def test_two_boxes_whose_games_began_alike_are_not_taken_for_one_another(floor: Floor, memory: Path) -> None:
    other = signer(7)
    floor.hall.side.intake.admit(other.public)
    record = next(iter(floor.journal.records(1, 0, 0)))
    copy = MemoryJournal(other)
    copy.log.append(Written(Place(1, 0, record["hash"]), 1, record, other.seal(1, 0, record["hash"])))
    copy._at[record["hash"]] = 0
    prompt = floor.session.prompt
    assert prompt is not None
    floor.session.answer(next(each.id for each in prompt.options if each.id != prompt.passing))
    floor.judged()
    talk(floor.hall, 2, box(copy, other))
    keys = (floor.side.signer.public, other.public)
    for key in keys:
        asyncio.run(floor.boxes.read_log(key))
    judged = [floor.boxes.seen(key, floor.hall.now).judged for key in keys]
    assert [each.entries for each in judged if each is not None] == [2, 1]


def test_a_hall_that_starts_again_takes_up_what_came_before(floor: Floor, sixteen: Desk) -> None:
    again = Boxes(sixteen, floor.hall.intake, floor.hall.make, "192.0.2.7:8470", floor.boxes.loop, Here())
    live = again.follower.live[floor.side.signer.public]
    assert live.game is not None
    assert live.game.records(0) == list(floor.journal.records(1))
    assert asyncio.run(again.judge.judge(live.game)).state["title"] == "War of the Ring"


def test_without_boxes_every_table_plays_on_paper(sixteen: Desk, organiser: Visitor) -> None:
    assert organiser.get("/board").words.count("paper") == 8
    assert "plays on paper" in organiser.get("/table?table=1").words
