"""Reports of games whose match is over: for everybody, made once, with the names that the hall has."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from referee.cli.replay import reply
from referee.hall.desk import Desk
from referee.hall.pages.exports import POLICY
from referee.hall.pages.public import public_app
from referee.hall.pages.render import News
from referee.hall.reports import Replays, Reports
from referee.session.chain import canonical
from referee.tournament import Game, Result
from referee.tournament.acts.matches import ResultChallenged, ResultEntered
from referee.tournament.acts.people import BoxPlaced
from tests.hall.hours import Time
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.visitor import Answer, Visitor, at_desk_of

PATH = f"/report?round=1&table={TABLE}&game=1"


@dataclass
class Here(Replays):
    """Replays here, and counts. ``says``: what it replies instead."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    says: dict[str, Any] | None = None

    async def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(dict(request))
        return reply(request) if self.says is None else self.says


@dataclass
class Room:
    """A table with a box whose match is over, and who reads of it."""

    floor: Floor
    replays: Any
    public: Visitor
    staff: Visitor
    reports: Reports

    def read(self, path: str = PATH) -> Answer:
        """Ask for it."""
        return self.public.get(path)


def room_of(floor: Floor, replays: Any) -> Room:
    reports = Reports(floor.desk, floor.boxes, replays)
    served = floor.served._replace(reports=reports)
    app = public_app(floor.desk, News(lambda: 0), allowed_hosts=["hall.local"], served=served)
    return Room(floor, replays, Visitor(app, "hall.local"), at_desk_of(floor.desk, served=served), reports)


@pytest.fixture
def begun(floor: Floor) -> Room:
    """Its game has begun."""
    floor.bench.key("1", "1")
    return room_of(floor, Here())


@pytest.fixture
def room(begun: Room) -> Room:
    """Both seats have confirmed the slip."""
    begun.floor.slip("1", "seat-1", "seat-2")
    begun.floor.carry()
    return begun


def players(room: Room) -> list[str]:
    return [room.floor.desk.names.player(number) for number in room.floor.pairing.players]


def test_the_report_of_a_game_is_read_on_the_phone_once_the_match_is_over(begun: Room, time: Time) -> None:
    begun.floor.carry()
    number, table = begun.floor.pairing.players[0], f"/table?round=1&table={TABLE}"
    assert PATH.replace("&", "&amp;") not in begun.public.get(f"/player?number={number}").text
    assert begun.public.get(PATH).status == 404
    begun.floor.slip("1", "seat-1", "seat-2")
    begun.floor.carry()
    time.now += 1.0
    for path in (f"/player?number={number}", table):
        assert PATH.replace("&", "&amp;") in begun.public.get(path).text
    page = begun.public.get(PATH)
    assert page.status == 200
    one, other = players(begun)
    assert (
        f"Round 1, table {TABLE}: \u2068{one}\u2069 – \u2068{other}\u2069. \u2068{one}\u2069 won: Ring" in page.words
    )
    assert f"Free Peoples (\u2068{one}\u2069)" in page.words
    assert f"Shadow (\u2068{other}\u2069)" in page.words
    assert page.headers["content-security-policy"] == POLICY
    assert POLICY.startswith("default-src 'none';")
    assert "img-src data:;" in POLICY, "the glass of every ruling"
    assert begun.public.send("POST", PATH, b"", {"origin": "http://hall.local"}).status == 405


def test_three_hundred_phones_have_it_made_once(room: Room) -> None:
    assert {room.public.get(PATH).status for _ in range(300)} == {200}
    assert len(room.replays.asked) == 1


def test_after_the_event_numbers_are_said(room: Room) -> None:
    names, before = players(room), room.read().text
    room.floor.desk.names.erase()
    room.floor.desk.follow()
    after = room.public.get(PATH).text
    assert not [name for name in names if name in after]
    number = room.floor.pairing.players[0]
    assert f"\u2068Player {number}\u2069" in after
    assert f"\u2068Player {number}\u2069" not in before


def test_a_name_cannot_become_a_part_of_the_page(room: Room) -> None:
    room.floor.desk.perform(names={"player": {room.floor.pairing.players[0]: '<script>"'}})
    assert "&lt;script&gt;&quot;" in room.read().text


def test_what_is_played_after_the_slip_is_not_of_the_match(room: Room) -> None:
    before = room.read().text
    room.floor.bench.wait(10.0)
    room.floor.bench.key("select", "select", "back", "1", "1", "1", "1")
    room.floor.carry()
    assert room.public.get(PATH).text == before
    assert len(room.replays.asked) == 1


def test_a_result_that_is_challenged_or_taken_back_does_not_stand(room: Room) -> None:
    assert room.read().status == 200
    room.floor.desk.perform(ResultChallenged(**MARK, round=1, table=TABLE))
    assert room.public.get(PATH).status == 404
    assert "Games" not in room.public.get(f"/table?round=1&table={TABLE}").words


def test_a_game_that_nobody_could_replay_has_no_report(room: Room) -> None:
    room.replays.says = {"fault": "edition 9 of War of the Ring is not here, but 8"}
    answer = room.read()
    assert answer.status == 404
    assert "edition 9 of War of the Ring is not here" in answer.words


@pytest.mark.parametrize("program", ["import time; time.sleep(99)", "print('no reply')", "x = 'x' * (1 << 62)"])
def test_what_takes_too_much_or_says_nonsense_is_told(room: Room, program: str) -> None:
    again = room_of(room.floor, Replays((sys.executable, "-c", program), seconds=1.0))
    assert "more time or memory than any game needs" in again.read().words


def test_staff_read_the_same_report(room: Room) -> None:
    for path in (f"/table?table={TABLE}", "/record"):
        assert PATH.replace("&", "&amp;") in room.staff.get(path).text
    assert room.staff.get(PATH).text == room.public.get(PATH).text


def test_a_table_on_paper_has_no_report_and_its_page_says_so(room: Room, sixteen: Desk, organiser: Visitor) -> None:
    player = sixteen.event.rounds[0].at(1).players[0]
    result = Result(games=(Game(player, "Ring"),))
    sixteen.perform(ResultEntered(**MARK, round=1, table=1, result=result, by="scorekeeper"))
    assert "No report: no box recorded a game of this match" in room.public.get("/table?round=1&table=1").words
    assert organiser.get(PATH).status == 404
    assert room.public.get("/report?round=x&table=&game=1").status == 404


def test_a_box_that_never_stood_at_a_table_has_no_game_there(room: Room) -> None:
    """It may have the journal of another one."""
    journal, other = room.floor.bench.journal, "b" * 64
    for chain in (1, journal.notes_beside(1)):
        assert chain is not None
        records = list(journal.records(chain))
        lines = b"".join(canonical(each).encode() + b"\n" for each in records)
        assert room.floor.boxes.games.put(other, records[0]["hash"], -1, lines).result()[0]
    event = room.floor.desk.event
    assert len(room.reports.of(event.rounds[0], room.floor.pairing)) == 1
    room.floor.desk.perform(BoxPlaced(**MARK, table=TABLE, box=other))
    assert len(room.reports.of(event.rounds[0], room.floor.pairing)) == 2


def test_it_is_made_in_a_process_of_its_own(begun: Room) -> None:
    room = room_of(begun.floor, Replays())
    room.floor.slip("1", "seat-1", "seat-2")
    room.floor.carry()
    assert "again for this page with the same result" in room.read().words
