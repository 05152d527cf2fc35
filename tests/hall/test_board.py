"""The board and a table's page: what is played, whose box is silent, what waits for somebody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee import games
from referee.clock import COMMON, Control, Customs, Period
from referee.hall.board import clocks
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.follower import Live
from referee.hall.judging.judge import Judged
from referee.hall.pages.news import News
from referee.hall.pages.public import public_app
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.outbox import JournalOutbox
from referee.journal import Journal, seal
from referee.journal.notes import Notes
from referee.journal.sequence import Place
from referee.session import Session, keeper_of
from referee.tournament import Game, Result, draw_round
from referee.tournament.acts import (
    BoxPlaced,
    CallOpened,
    CallResolved,
    ExtensionGiven,
    ResultEntered,
    RoundEnded,
    RoundPaired,
    RoundPublished,
    RoundStarted,
)
from tests.hall.table import Here
from tests.hall.uplink.memory import MemoryJournal, Written, signer
from tests.hall.uplink.pair import Hall, box, go_on, talk
from tests.hall.visitor import Visitor, at_desk_of

MARK = {"who": "organiser", "at": 0, "why": "as planned"}


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


def say_match(journal: Journal, desk: Desk, game: int = 1, number: int = 1) -> None:
    """Write of which match a game is, as a station does at its beginning."""
    match = {"round": number, "table": 3, "players": list(desk.event.round(number).at(3).players)}
    Notes(journal, game).add({"match": match})


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
        say_match(journal, sixteen)
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
    control = {"control": Control("sudden-death", (Period(90_000),)).as_json(), "customs": Customs().as_json()}
    Notes(floor.journal, 1).add({"clock": {"no": 1, "what": "set", "seats": seats, **control}})
    floor.judged()
    words = floor.visitor.get("/board").words
    assert "Shadow 1:01" in words
    assert "Free Peoples 1:30" in words
    Notes(floor.journal, 1).add({"clock": {"no": 2, "what": "state", "seats": ["?"], "runs": [7]}})
    floor.judged()
    assert "1:01" not in floor.visitor.get("/board").words


SIX_S = 6.0


@pytest.mark.parametrize(
    ("control", "members", "shown"),
    [
        (Control("sudden-death", (Period(90_000),)), {"runs": "shadow"}, ("0:55", "1:30")),
        (Control("sudden-death", (Period(90_000),)), {"runs": "shadow", "paused": "pause"}, ("1:01", "1:30")),
        (Control("sudden-death", (Period(90_000),)), {"runs": COMMON}, ("0:58", "1:27")),
        (Control("us-delay", (Period(90_000),), 10_000), {"runs": "shadow"}, ("0:59", "1:30")),
        (Control("count-up", (Period(0),)), {"runs": "shadow"}, ("0:36", "0:20")),
    ],
)
def test_seat_clocks_go_on_as_their_control_says(
    control: Control, members: dict[str, str], shown: tuple[str, str]
) -> None:
    seats = [
        {"seat": "shadow", "left": 61_000, "used": 30_000, "free": 4000 if control.mode == "us-delay" else 0},
        {"seat": "free-peoples", "left": 90_000, "used": 20_000},
    ]
    how = {"control": control.as_json(), "customs": Customs().as_json()}
    live = Live(control=how, clock={"what": "state", "seats": seats, **members}, at=1.0)
    assert tuple(each.text for each in clocks(live, Judged(), 1.0 + SIX_S)) == shown


def test_after_an_answer_the_clock_of_the_seat_that_is_asked_runs() -> None:
    """An entry says whose time ran before it."""
    control = Control("us-delay", (Period(90_000),), 10_000)
    how = {"control": control.as_json(), "customs": Customs(table="common").as_json()}
    seats = [{"seat": "shadow", "left": 61_000}, {"seat": "free-peoples", "left": 90_000, "free": 4000}]
    live = Live(control=how, clock={"seats": seats, "runs": "shadow", "mover": "shadow"}, at=1.0, answered=True)

    def after(waits: str) -> list[tuple[str, int]]:
        return [(each.text, each.ends) for each in clocks(live, Judged(state={"waits": waits}), 1.0 + SIX_S)]

    assert after("free-peoples") == [("1:01", 0), ("1:28", 88_000)]
    assert after(COMMON) == [("0:58", 0), ("1:27", 0)], "shared, which no page can count down"
    assert after("") == after("a seat nobody knows") == [("1:01", 0), ("1:30", 0)]
    assert [each.ends for each in clocks(live, Judged(state={"waits": "free-peoples"}), 1.0)] == [0, 94_000]
    assert clocks(Live(clock=live.clock), Judged(), 1.0) == (), "nobody said how they were set"


def test_the_clocks_of_a_box_come_from_its_notes_and_entries(floor: Floor) -> None:
    """As a station writes them: set by a note, then told by each answer, then taken away."""
    keeper = keeper_of(floor.session, Notes(floor.journal, 1))
    keeper.set(Control("sudden-death", (Period(90_000),)), Customs(), tuple(floor.session.seats()), 0, "keys")
    prompt = floor.session.prompt
    assert prompt is not None
    floor.session.answer(next(each.id for each in prompt.options if each.id != prompt.passing))
    floor.judged()
    box = floor.boxes.seen(floor.side.signer.public, 5.0)
    assert box.live is not None
    assert box.judged is not None
    assert box.live.answered
    assert [each.text for each in clocks(box.live, box.judged, box.live.at)] == ["1:30", "1:30"]
    keeper.stop(0, "keys")
    floor.judged()
    assert clocks(box.live, box.judged, box.live.at) == ()


def test_filters_leave_the_tables_that_meet_them(floor: Floor, sixteen: Desk) -> None:
    sixteen.perform(CallOpened(**MARK, table=2), ExtensionGiven(**MARK, round=1, table=5, ms=300_000))  # type: ignore[arg-type]
    page = floor.visitor.get("/board")
    assert "all (8) open (8) calling (1) extended (1) disputed (0)" in page.words
    assert "Calling: table 2" in page.words
    calling = floor.visitor.get("/board?show=calling").text
    assert 'id="t2"' in calling
    assert calling.count("<article") == 1
    assert floor.visitor.get("/board?show=<script>").text.count("<article") == 8
    sixteen.perform(CallResolved(who="judge", at=1, why="the rule was read out", call=1))
    assert "calling (0)" in floor.visitor.get("/board").words


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
    played = [floor.boxes.follower.live[key].game for key in (floor.side.signer.public, other.public)]
    judged = [asyncio.run(floor.boxes.judge.judge(game)) for game in played if game is not None]
    assert [each.entries for each in judged] == [2, 1]


def test_a_hall_that_starts_again_takes_up_what_came_before(floor: Floor, sixteen: Desk) -> None:
    again = Boxes(sixteen, floor.hall.intake, floor.hall.make, "192.0.2.7:8470", floor.boxes.loop, Here())
    live = again.follower.live[floor.side.signer.public]
    assert live.game is not None
    assert live.game.records(0) == list(floor.journal.records(1))
    assert asyncio.run(again.judge.judge(live.game)).state["title"] == "War of the Ring"


def test_without_boxes_every_table_plays_on_paper(sixteen: Desk, organiser: Visitor) -> None:
    assert organiser.get("/board").words.count("paper") == 8
    assert "plays on paper" in organiser.get("/table?table=1").words


def test_a_television_shows_the_last_ruling_of_a_table_with_its_dice(floor: Floor, sixteen: Desk) -> None:
    public = Visitor(
        public_app(sixteen, News(lambda: 0), allowed_hosts=["hall.local"], boxes=floor.boxes), "hall.local"
    )
    floor.judged()
    assert "Table 3" not in " ".join(public.get(f"/tv?page={page}").words for page in range(1, 6))  # no ruling yet
    assert "your table" in public.get("/tv?table=3").words
    attack = Session(games.load("battle-of-the-ring"), ruling="attack", journal=floor.journal)
    assert attack.game_id is not None
    say_match(floor.journal, sixteen, attack.game_id)
    for answer in ("o-v-o", "open", [5, 4]):
        attack.answer(answer)
    floor.judged()
    names = " – ".join(sixteen.names.player(number) for number in sixteen.event.rounds[0].pairings[2].players)
    page = public.get("/tv?table=3&seconds=5")
    assert f"Table 3 {names} Defender out 5 4" in page.words
    assert 'data-following="/tv?page=1&amp;table=3&amp;seconds=5"' in page.text  # again, with what came since
    every = [public.get(f"/tv?page={number}").words for number in (1, 2, 3)]
    assert ["Defender out" in words for words in every] == [False, False, True]  # after pairings and standings
    assert "Round 1, table 99 There is no such table in this round." in public.get("/tv?table=99").words


def test_page_and_television_of_a_table_have_the_dice_that_ended_its_battle(floor: Floor, sixteen: Desk) -> None:
    battle = Session(games.load("war-of-the-ring"), ruling="battle", journal=floor.journal)
    assert battle.game_id is not None
    say_match(floor.journal, sixteen, battle.game_id)
    for answer in ("shadow", "field", 5, 0, 0, 1, 0, 0, "none", "none", [6, 6, 1, 2, 3], [5]):
        battle.answer(answer)
    floor.judged()
    words = floor.visitor.get("/table?table=3").words
    thrown = "Last throw: Units left: 4 against 0 (Shadow 6 6 1 2 3, Free Peoples 5)"
    assert f"Last ruling: Free Peoples lost the whole Army. {thrown}" in words
    app = public_app(sixteen, News(lambda: 0), allowed_hosts=["hall.local"], boxes=floor.boxes)
    television = Visitor(app, "hall.local").get("/tv?table=3").words
    assert "lost the whole Army The ruling is given. Last throw: Shadow 6 6 1 2 3 Free Peoples 5" in television


def ruled(floor: Floor, sixteen: Desk, number: int) -> None:
    """A game of the match at table 3 in that round comes to a ruling."""
    attack = Session(games.load("battle-of-the-ring"), ruling="attack", journal=floor.journal)
    assert attack.game_id is not None
    say_match(floor.journal, sixteen, attack.game_id, number)
    for answer in ("o-v-o", "open", [5, 4]):
        attack.answer(answer)
    floor.judged()


def next_round(desk: Desk) -> None:
    """The first seat wins everywhere, and round 2 starts."""
    for pairing in desk.event.rounds[0].pairings:
        result = Result(games=(Game(pairing.players[0], "Ring"),))
        desk.perform(ResultEntered(**MARK, round=1, table=pairing.table, result=result, by="scorekeeper"))  # type: ignore[arg-type]
    desk.perform(RoundEnded(**MARK, round=1))  # type: ignore[arg-type]
    desk.perform(RoundPaired(**MARK, pairings=draw_round(desk.event, 2), seed=2))  # type: ignore[arg-type]
    desk.perform(RoundPublished(**MARK, round=2), RoundStarted(**MARK, round=2))  # type: ignore[arg-type]


def shown(floor: Floor, sixteen: Desk, table: int = 3) -> list[bool]:
    """Whether the ruling is on the television, the page of the table, and the board."""
    app = public_app(sixteen, News(lambda: 0), allowed_hosts=["hall.local"], boxes=floor.boxes)
    asyncio.run(floor.boxes.read_log(floor.side.signer.public))
    pages = Visitor(app, "hall.local").get(f"/tv?table={table}"), floor.visitor.get(f"/table?table={table}")
    return [*("Defender out" in page.words for page in pages), "Attack" in floor.visitor.get("/board").words]


def test_a_game_of_an_earlier_round_is_not_shown_under_the_names_of_the_next_players(
    floor: Floor, sixteen: Desk
) -> None:
    ruled(floor, sixteen, 1)
    assert shown(floor, sixteen) == [True] * 3
    next_round(sixteen)
    assert shown(floor, sixteen) == [False] * 3
    floor.boxes.follower.begin()  # the hall is started again
    assert shown(floor, sixteen) == [False] * 3
    ruled(floor, sixteen, 2)
    assert shown(floor, sixteen) == [True] * 3


def test_a_box_that_was_moved_does_not_show_its_game_at_the_other_table(floor: Floor, sixteen: Desk) -> None:
    ruled(floor, sixteen, 1)
    key = floor.side.signer.public
    sixteen.perform(BoxPlaced(**MARK, table=5, box=key))  # type: ignore[arg-type]
    assert shown(floor, sixteen, 5) == [False] * 3
    sixteen.perform(BoxPlaced(**MARK, table=3, box=key))  # type: ignore[arg-type]
    assert shown(floor, sixteen) == [True] * 3


@pytest.mark.parametrize("said", [7, {}, {"round": "1", "players": [1]}, {"round": 1, "players": ["1"]}])
def test_a_game_of_which_nothing_is_said_or_nonsense_is_no_match(floor: Floor, sixteen: Desk, said: object) -> None:
    attack = Session(games.load("battle-of-the-ring"), ruling="attack", journal=floor.journal)
    assert attack.game_id is not None
    Notes(floor.journal, attack.game_id).add({"match": said})
    for answer in ("o-v-o", "open", [5, 4]):
        attack.answer(answer)
    floor.judged()
    assert shown(floor, sixteen) == [False] * 3


def test_a_judge_sees_what_a_replaced_box_has_and_lets_it_count(floor: Floor, sixteen: Desk) -> None:
    say_match(floor.journal, sixteen)
    floor.judged()
    old, spare = floor.side.signer.public, signer(7).public
    prompt = floor.session.prompt
    assert prompt is not None
    assert "stood here before" not in floor.visitor.get("/table?table=3").words
    sixteen.perform(BoxPlaced(**MARK, table=3, box=spare))  # type: ignore[arg-type]
    words = floor.visitor.get("/table?table=3").words
    assert f"Box {old[:8]} stood here before What it played does not count" in words
    assert f"Its own game has 1 entry. Last ruling: none. It asks: {prompt.text}" in words
    page = floor.visitor.post("/table", "own-game", key=old[:8], table=3, box=old, why="")
    assert page.refusals() == ["expected why what this box played counts"]
    page = floor.visitor.post("/table", "own-game", key=old[:8], table=3, box=spare, why="x")
    assert "expected a box that was replaced at table 3" in page.words
    page = floor.visitor.post("/table", "own-game", key=old[:8], table=3, box=old, why="it had more")
    assert "Table 3 goes on with the game of this box" in page.words
    assert sixteen.event.boxes[3] == old
    assert sixteen.acts[-1] == BoxPlaced(
        who="organiser", at=sixteen.now(), why="it had more", table=3, box=old, own_game=True
    )
