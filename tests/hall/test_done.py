"""After each form the page says what was done, and the record says it in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.hall.desk import Desk
from referee.hall.pages.board import FORMS
from referee.hall.pages.forms import Does, act
from referee.hall.staff import JUDGES
from referee.tournament.acts import KINDS, Act, base, fold, read_act
from referee.tournament.event import Event
from tests.hall.visitor import Answer, Visitor

STALE = "What was printed or shown of it is out of date: print pairings and slips again."
PLAYERS = "Anna\nBo\nCem\nDana\n"


def notice(answer: Answer) -> str:
    """Return the sentence that says what was done."""
    found = re.search(r'<p class="notice" role="status">(.*?)</p>', answer.text)
    return re.sub(r"<[^>]*>", "", found[1]) if found else ""


@pytest.fixture
def four(organiser: Visitor) -> Visitor:
    """Four players; round 1 is paired by hand."""
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    assert notice(organiser.post("/players", "add", list=PLAYERS)).startswith("4 players are entered")
    assert notice(organiser.post("/players", "check-in", key=1, player=1)) == "Anna is checked in"
    assert notice(organiser.post("/players", "check-in-all")) == "3 players are checked in"
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides="none", rounds=3)
    words = notice(organiser.post("/round", "draft"))
    assert words == "Round 1 is drafted, and only you see it; look through it, then publish it"
    organiser.post("/round", "by-hand", round=1, tables="1 1 2\n2 3 4")
    return organiser


@pytest.fixture
def started(four: Visitor) -> Visitor:
    """Round 1 is being played."""
    four.post("/round", "publish", round=1)
    words = notice(four.post("/round", "start", round=1))
    assert words == "Round 1 has started. Enter the slips as they come."
    return four


def test_an_exchange_says_what_was_printed_before(four: Visitor) -> None:
    words = notice(four.post("/round", "exchange", round=1, one=2, other=4, why="x"))
    assert words == "Bo and Dana are exchanged. Look through the draft, then publish it."
    four.post("/round", "publish", round=1)
    words = notice(four.post("/round", "exchange", round=1, one=3, other=4, why="x"))
    assert words == f"Cem and Dana are exchanged. {STALE}"


def test_who_comes_late_is_paired_with_who_has_the_bye(started: Visitor, desk: Desk) -> None:
    started.post("/players", "drop", key=2, player=2, why="has a train to catch")
    started.post("/round", "by-hand", round=1, tables="0 1", why="nobody to play with")
    started.post("/players", "add", list="Eva")
    page = started.post("/players", "check-in", key=5, player=5)
    told = "Eva is checked in. Plays from round 2 on, or now against who has the bye: see Rounds, By hand"
    assert notice(page) == told
    page = started.get("/round")
    assert "Eva is here: pair with Anna, who has the bye" in page.words
    words = notice(started.fill(page, "by-hand", "late5"))
    assert words == f"Paired as written. {STALE}"
    assert [each.players for each in desk.event.rounds[0].pairings if each.table == 3] == [(1, 5)]


def test_one_slip_that_cannot_be_leaves_all_where_they_were(started: Visitor, desk: Desk) -> None:
    page = started.post("/round", "results", round=1, game1_1="1:1", game1_2="9:9")
    assert page.refusals() == ["table 2: choose one of the list"]
    assert 'id="results-game1_2" name="game1_2" form="results" aria-invalid="true"' in page.text
    assert '<option value="1:1" selected' in page.text, "what was chosen stays"
    assert not any(each.result for each in desk.event.rounds[0].pairings)


def test_the_record_says_what_was_done_in_words(started: Visitor, desk: Desk) -> None:
    started.post("/round", "extend", round=1, table=2, minutes=20, why="x")
    started.post("/round", "extend", round=1, minutes=7)
    started.post("/judges", "call", table=2)
    started.post("/judges", "resolve", key=1, call=1, why="x")
    words = started.get("/record").words
    for said in (
        "call resolved: table 2",
        "extension: round 1, table 2, 20 min",
        "extension: round 1, 7 min, every table",
        "settings: rounds of 240 min; sides Free Peoples and Shadow; kinds of win Ring and military",
    ):
        assert said in words
    assert "pod 4" not in words
    assert "2027-01-15" in words


def test_a_new_act_needs_its_class_and_one_line_of_a_form(
    four: Visitor, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is checked, recorded, said, exported and refused without a line of boxes, pages or stores."""

    @base.act("prize given")
    class PrizeGiven(Act):
        """A player gets something; nothing else changes."""

        player: int
        for_place: int = 0

        def _on(self, event: Event) -> Event:
            event.player(self.player)
            return event

    monkeypatch.setitem(FORMS, "prize", Does(JUDGES, act(PrizeGiven, "Player {player} has a prize")))
    try:
        assert notice(four.post("/judges", "prize", player=2, for_place=1)) == "Bo has a prize"
        assert four.post("/judges", "prize", player=9).refusals() == ["no player has the number 9"]
        assert four.post("/judges", "prize", player="").refusals() == ["choose a player"]
        assert "prize given: Bo , for place 1" in four.get("/record").words
        lines = [json.loads(line)["act"] for line in four.get("/event.jsonl").text.splitlines()]
        assert fold(map(read_act, lines)) == desk.event
    finally:
        del KINDS["prize given"]


def test_the_desk_says_what_is_next_once_every_slip_is_in(started: Visitor) -> None:
    assert "Next Enter the slips" in started.get("/").words
    started.post("/round", "results", round=1, game1_1="1:1", game1_2="1:1")
    assert "Next End the round" in started.get("/").words
    started.post("/round", "challenge", key=1, round=1, table=1, why="the Shadow won")
    assert "Next Settle what is disputed" in started.get("/").words


def test_no_act_is_known_in_more_than_six_files() -> None:
    files = [each.read_text("utf-8") for each in Path(base.__file__).parents[2].rglob("*.py")]
    for known in KINDS.values():
        assert sum(bool(re.search(rf"\b{known.__name__}\b", text)) for text in files) <= 6, known
