"""What the time of a round asks for: who is missing at a table, and games that are adjudicated."""

from __future__ import annotations

from typing import Any

import pytest

from referee.hall.boxes import GONE
from referee.hall.desk import Desk
from referee.hall.pages.news import News
from referee.hall.pages.public import public_app
from referee.hall.pages.render import clock
from referee.tournament import Result
from referee.tournament.acts.floor import BoxPlaced
from referee.tournament.acts.matches import ResultEntered
from referee.tournament.acts.rounds import ExtensionGiven, RoundEnded, RoundPaused, RoundResumed, RoundStarted
from referee.tournament.clock import MINUTE
from tests.hall.hours import START, Time
from tests.hall.table import TABLE, Floor
from tests.hall.visitor import Visitor, at_desk_of

MARK: dict[str, Any] = {"who": "organiser", "why": "as planned", "round": 1}
MINUTE_S = 60
WAIT, LENGTH, ADJUDICATION = 30, 240, 290
"""Minutes of the example."""
DARK = "ab" * 32
"""Key of a box that is never connected."""


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def paper(sixteen: Desk, time: Time) -> Desk:
    """The example on paper, round 1 started; a box that nobody has heard is at table 5."""
    sixteen.perform(BoxPlaced(who="organiser", at=time.ms, table=5, box=DARK))
    sixteen.perform(RoundStarted(**MARK, at=time.ms))
    return sixteen


@pytest.fixture
def public(paper: Desk) -> Visitor:
    return Visitor(public_app(paper, News(lambda: len(paper.acts)), allowed_hosts=["hall.local"]), "hall.local")


def at(minutes: float) -> str:
    return clock(round((START + minutes * MINUTE_S) * 1000))


def end(desk: Desk, table: int, at: int) -> None:
    """Somebody did not come."""
    missing = Result("no-show", fault=desk.event.rounds[0].at(table).players[:1])
    desk.perform(ResultEntered(**MARK, at=at, table=table, result=missing, by="judge"))


PAGES = ("/", "/round", "/board")


@pytest.mark.parametrize("path", PAGES)
def test_who_is_missing_may_come_until_a_time_and_then_tables_are_looked_at(
    paper: Desk, organiser: Visitor, time: Time, path: str
) -> None:
    page = organiser.get(path)
    assert f"Who is missing may come until {at(WAIT)} ." in page.words
    assert f'data-again="{round(START + WAIT * MINUTE_S) * 1000}"' in page.text
    time.minutes = WAIT - 0.1
    assert "may come until" in organiser.get(path).words
    time.minutes = WAIT
    words = organiser.get(path).words
    assert "may come" not in words
    on_paper = "On paper, look whether both are there: table 1, table 2, table 3, table 4, table 6, table 7, table 8."
    assert on_paper in words.replace(" ,", ",").replace(" .", ".")
    assert "Box not connected, look whether they play: table 5" in words
    for table in range(2, 9):
        end(paper, table, time.ms)
    words = organiser.get(path).words
    assert "look whether both are there: table 1 ." in words
    assert "Box not connected, look" not in words
    time.minutes = LENGTH
    assert "Time to come is over" not in organiser.get(path).words, "time is called: it is known by now"
    paper.perform(RoundEnded(**MARK, at=time.ms))
    assert "Time to come" not in organiser.get(path).words


def test_the_table_leads_to_the_form_that_takes_a_no_show(paper: Desk, organiser: Visitor, time: Time) -> None:
    time.minutes = WAIT
    assert '<a href="/round#t4">table&nbsp;4</a>' in organiser.get("/").text
    assert '<tr id="t4">' in organiser.get("/round").text
    organiser.enter(round=1, table=4, game1="", otherwise="no-show:2")
    pairing = paper.event.rounds[0].at(4)
    assert pairing.result == Result("no-show", fault=(pairing.players[1],))
    assert 'href="/round#t4"' not in organiser.get("/").text


@pytest.mark.parametrize("path", PAGES)
def test_a_pause_stops_the_time_and_an_extension_moves_that_of_its_table(
    paper: Desk, organiser: Visitor, time: Time, path: str
) -> None:
    time.minutes = 10
    paper.perform(RoundPaused(**MARK, at=time.ms))
    time.minutes = 300
    page = organiser.get(path)
    assert "Who is missing may come for 20:00 once the clock goes on" in page.words
    assert "data-again" not in page.text, "as long as it stands still nothing changes by itself"
    paper.perform(RoundResumed(**MARK, at=time.ms))
    assert f"may come until {at(320)} ." in organiser.get(path).words
    paper.perform(ExtensionGiven(**MARK, at=time.ms, table=2, ms=5 * MINUTE))
    words = organiser.get(path).words
    assert f"Who is missing at table 2 may come until {at(325)} ." in words
    time.minutes = 320
    words = organiser.get(path).words
    assert f"Who is missing at table 2 may come until {at(325)} ." in words
    assert "look whether both are there: table 1 , table 3 , table 4" in words


def test_phones_say_until_when_to_be_there(paper: Desk, public: Visitor, time: Time) -> None:
    mine = f"/player?number={paper.event.rounds[0].at(2).players[0]}"
    for path in ("/", mine):
        assert f"Be at your table by {at(WAIT)} ." in public.get(path).words
    paper.perform(ExtensionGiven(**MARK, at=time.ms, table=2, ms=5 * MINUTE))
    assert f"Be at your table by {at(WAIT)} ." in public.get("/").words
    assert f"Be at your table by {at(WAIT + 5)} ." in public.get(mine).words
    paper.perform(RoundPaused(**MARK, at=time.ms))
    assert "Be at your table within 30:00 once the clock goes on" in public.get("/").words
    assert "Be at your table within 35:00 once the clock goes on" in public.get(mine).words
    paper.perform(RoundResumed(**MARK, at=time.ms))
    time.minutes = WAIT
    assert "Be at your table" not in public.get("/").words
    assert f"Be at your table by {at(WAIT + 5)} ." in public.get(mine).words
    end(paper, 2, time.ms)
    assert "Be at your table" not in public.get(mine).words


@pytest.mark.parametrize("path", PAGES)
def test_once_time_is_called_the_pages_say_when_games_are_adjudicated(
    paper: Desk, organiser: Visitor, time: Time, path: str
) -> None:
    time.minutes = LENGTH - 0.1
    page = organiser.get(path)
    assert "djudicat" not in page.words
    assert f'data-again="{round(START + LENGTH * MINUTE_S) * 1000}"' in page.text
    for table in (1, 2, 4, 6, 7, 8):
        end(paper, table, time.ms)
    paper.perform(ExtensionGiven(**MARK, at=time.ms, table=5, ms=60 * MINUTE))
    time.minutes = LENGTH
    assert f"Adjudication at {at(ADJUDICATION)} ." in organiser.get(path).words
    paper.perform(RoundPaused(**MARK, at=time.ms))
    assert "Adjudication 50:00 after the clock goes on" in organiser.get(path).words
    time.minutes += 20
    paper.perform(RoundResumed(**MARK, at=time.ms))
    assert f"Adjudication at {at(ADJUDICATION + 20)} ." in organiser.get(path).words
    time.minutes = ADJUDICATION + 20
    page = organiser.get(path)
    assert "Adjudicate now: table 3 , table 5 ." in page.words
    assert "Adjudication at" not in page.words
    assert "data-again" not in page.text or path == "/", "nothing changes by itself any more"
    for table in (3, 5):
        end(paper, table, time.ms)
    assert "djudicat" not in organiser.get(path).words


def test_the_television_shows_it_beside_the_clock(paper: Desk, public: Visitor, time: Time) -> None:
    clock_page = "/tv?page=2"
    assert f"Until {at(LENGTH)}" in public.get(clock_page).words
    assert "djudicat" not in public.get(clock_page).words
    time.minutes = LENGTH
    assert f"Adjudication at {at(ADJUDICATION)}" in public.get(clock_page).words
    paper.perform(RoundPaused(**MARK, at=time.ms))
    assert "Adjudication 50:00 later" in public.get(clock_page).words
    paper.perform(RoundResumed(**MARK, at=time.ms))
    end(paper, 4, time.ms)
    time.minutes = ADJUDICATION
    assert "Adjudicate now: tables 1 to 3, 5 to 8" in public.get(clock_page).words
    for table in (1, 2, 3, 5, 6, 7, 8):
        end(paper, table, time.ms)
    assert "djudicat" not in public.get(clock_page).words


def begun(floor: Floor) -> tuple[bool, bool]:
    """Return whether the pages say that the table has not begun, and that its box is not connected."""
    page = at_desk_of(floor.desk, served=floor.served)
    words = page.get("/").words
    board = page.get("/board").words
    assert ("Not begun" in board) == ("not begun: table" in words)
    return f"not begun: table {TABLE} ." in words, f"whether they play: table {TABLE} ." in words


def test_a_table_whose_box_has_no_game_of_this_match_has_not_begun(time: Time, early: Floor) -> None:
    time.minutes = WAIT + 1
    early.carry()
    assert begun(early) == (True, False)
    time.now += GONE + 1
    assert begun(early) == (False, True), "it may have begun: nobody knows"
    early.bench.key("back")
    early.bench.play("war-of-the-ring")
    early.carry()
    assert begun(early) == (False, False)
    early.restarted()
    assert begun(early) == (False, False)
