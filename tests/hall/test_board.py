"""The board and a table's page: what is played, whose box is silent, what waits for somebody."""

from __future__ import annotations

import pytest

from referee.hall.boxes import GONE, SILENT
from referee.hall.desk import Desk
from referee.hall.pages.public import public_app
from referee.hall.pages.render import News
from referee.journal.notes import Notes
from referee.tournament import Game, Result, draw_round
from referee.tournament.acts.matches import ResultEntered
from referee.tournament.acts.people import BoxPlaced
from referee.tournament.acts.rounds import RoundEnded, RoundPaired, RoundPublished, RoundStarted
from tests.hall.hours import Time
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.visitor import Visitor, at_desk_of


@pytest.fixture
def visitor(floor: Floor) -> Visitor:
    return at_desk_of(floor.desk, served=floor.served)


def public_of(floor: Floor) -> Visitor:
    app = public_app(floor.desk, News(lambda: 0), allowed_hosts=["hall.local"], served=floor.served)
    return Visitor(app, "hall.local")


def attack(floor: Floor) -> None:
    """A game at the table comes to a ruling with dice."""
    bench = floor.bench
    bench.console.table.leave()
    bench.play("battle-of-the-ring", "attack")
    session = bench.console.table.session
    assert session is not None
    for answer in ("o-v-o", "open", [5, 4]):
        session.answer(answer)
    floor.carry()


def test_the_board_shows_what_is_played_and_the_page_of_a_table_its_log(floor: Floor, visitor: Visitor) -> None:
    words = visitor.get("/board").words
    assert words.count("paper") == 7
    assert "War of the Ring: Battle 1" in words
    prompt = floor.bench.prompt
    assert prompt is not None
    assert prompt.text in words
    floor.bench.key("1")
    floor.carry()
    session = floor.bench.console.table.session
    assert session is not None
    assert session.log()[-1].text in visitor.get("/table?table=3").words
    assert "Nobody plays at this table" in visitor.get("/table?table=99").words


def test_a_box_without_a_word_is_grey_and_the_board_hears_of_it(floor: Floor, visitor: Visitor, time: Time) -> None:
    floor.boxes.look()
    changes = floor.boxes.changes
    time.now += SILENT
    floor.boxes.look()
    assert floor.boxes.changes == changes
    time.now += 0.1
    floor.boxes.look()
    assert floor.boxes.changes == changes + 1
    assert "box silent" in visitor.get("/board").words
    time.now += GONE
    assert "box not connected" in visitor.get("/board").words
    assert 'class="grey"' in visitor.get("/board").text
    floor.carry()
    assert "box connected" in visitor.get("/board").words


def test_without_boxes_every_table_plays_on_paper(sixteen: Desk, organiser: Visitor) -> None:
    assert organiser.get("/board").words.count("paper") == 8
    assert "plays on paper" in organiser.get("/table?table=1").words


def test_a_table_is_followed_on_a_phone_while_it_is_played(floor: Floor, sixteen: Desk) -> None:
    attack(floor)
    public = public_of(floor)
    page = public.get("/table?table=3")
    assert "Battle of the Ring" in page.words
    assert "Last ruling: " in page.words
    assert 'data-every="4000"' in page.text
    pairing = sixteen.event.rounds[0].at(3)
    result = Result(games=(Game(pairing.players[0], "Ring"),))
    sixteen.perform(ResultEntered(**MARK, round=1, table=3, result=result, by="judge"))
    over = public.get("/table?table=3")
    assert "Last ruling" not in over.words
    assert "data-every" not in over.text


def test_a_television_shows_the_last_ruling_of_a_table_with_its_dice(floor: Floor, sixteen: Desk) -> None:
    public = public_of(floor)
    assert "Table 3" not in " ".join(public.get(f"/tv?page={page}").words for page in range(1, 6))  # no ruling yet
    assert "your table" in public.get("/tv?table=3").words
    attack(floor)
    names = " – ".join(sixteen.names.player(number) for number in floor.pairing.players)
    page = public.get("/tv?table=3")
    assert f"Table 3 {names} Defender out 5 4" in page.words
    assert 'data-following="/tv?page=1&amp;table=3"' in page.text  # again, with what came since
    every = [public.get(f"/tv?page={number}").words for number in (1, 2, 3)]
    assert ["Defender out" in words for words in every] == [False, False, True]  # after all others
    assert "Round 1, table 99 There is no such table in this round." in public.get("/tv?table=99").words


def next_round(desk: Desk) -> None:
    """The first seat wins everywhere, and round 2 starts."""
    for pairing in desk.event.rounds[0].pairings:
        result = Result(games=(Game(pairing.players[0], "Ring"),))
        desk.perform(ResultEntered(**MARK, round=1, table=pairing.table, result=result, by="scorekeeper"))
    desk.perform(RoundEnded(**MARK, round=1))
    desk.perform(RoundPaired(**MARK, pairings=draw_round(desk.event, 2), seed=2))
    desk.perform(RoundPublished(**MARK, round=2), RoundStarted(**MARK, round=2))


def shown(floor: Floor, table: int = 3) -> list[bool]:
    """Whether the ruling is on the television, the page of the table, and the board."""
    visitor = at_desk_of(floor.desk, served=floor.served)
    pages = public_of(floor).get(f"/tv?table={table}"), visitor.get(f"/table?table={table}")
    return [*("Defender out" in page.words for page in pages), "Attack" in visitor.get("/board").words]


def test_a_game_of_an_earlier_round_is_not_shown_under_the_next_players(floor: Floor, sixteen: Desk) -> None:
    attack(floor)
    assert shown(floor) == [True] * 3
    next_round(sixteen)
    assert shown(floor) == [False] * 3
    floor.restarted()
    assert shown(floor) == [False] * 3


def test_a_box_that_was_moved_does_not_show_its_game_at_the_other_table(floor: Floor, sixteen: Desk) -> None:
    attack(floor)
    sixteen.perform(BoxPlaced(**MARK, table=5, box=floor.key))
    assert shown(floor, 5) == [False] * 3
    sixteen.perform(BoxPlaced(**MARK, table=3, box=floor.key))
    assert shown(floor) == [True] * 3


@pytest.mark.parametrize("said", [7, {}, {"round": "1", "players": [1]}, {"round": 1, "players": ["1"]}])
def test_a_game_of_which_nothing_is_said_or_nonsense_is_no_match(floor: Floor, said: object) -> None:
    floor.boxes.hear(floor.key, {**floor.boxes.shown(floor.key).told, "match": said})
    assert floor.boxes.seen(floor.key).board == {}
    floor.boxes.hear(floor.key, {"board": said, "game": said, "seats": said})
    assert at_desk_of(floor.desk, served=floor.served).get("/board").status == 200


@pytest.mark.parametrize(
    "strange",
    [
        {"title": None},
        {"ruling": 5},
        {"pools": [1]},
        {"pools": [["Hunt", [1]]]},
        {"dice": [1]},
        {"dice": [{"seat": "", "faces": [1] * 1000}]},
        {"place": 7},
        {"asks": ["a"], "seat": "b"},
        {"title": "\ud800"},
        {"ruling": "a" * 5000},
        {"odds": [["a", 10**400]]},
        {"paused": None},
    ],
)
def test_what_no_box_shows_breaks_no_page(floor: Floor, visitor: Visitor, strange: dict[str, object]) -> None:
    attack(floor)
    told = floor.boxes.shown(floor.key).told
    floor.boxes.hear(floor.key, {**told, "board": {**told["board"], **strange}, "game": "\ud800"})
    assert floor.boxes.seen(floor.key).board == {}
    public = public_of(floor)
    for page in (visitor.get("/board"), visitor.get(f"/table?table={TABLE}"), public.get(f"/tv?table={TABLE}")):
        assert page.status == 200
    assert public.get(f"/table?table={TABLE}").status == 200


def test_a_game_that_cannot_be_replayed_says_so_on_its_page(floor: Floor, visitor: Visitor) -> None:
    chain = floor.bench.journal.notes_beside(1)
    assert chain is not None
    (start,) = floor.bench.journal.records(chain, 0, 0)
    Notes(floor.bench.journal, 1).add({"strange": True})
    floor.carry()
    told = {**floor.boxes.shown(floor.key).told, "game": start["hash"]}  # which is no game of a rulebook
    floor.boxes.hear(floor.key, told)
    assert "there are: battle-of-the-ring" in visitor.get(f"/table?table={TABLE}").words
