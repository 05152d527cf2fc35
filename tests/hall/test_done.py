"""After each form the page says what was done, and the record says it in words."""

from __future__ import annotations

import re

import pytest

from referee.errors import NotNow
from referee.hall.desk import Desk
from referee.hall.pages.corrections import corrections
from referee.tournament.acts import KINDS, Act, read_act
from referee.tournament.acts.base import act
from referee.tournament.acts.floor import CallOpened
from referee.tournament.event import Event
from tests.hall.conftest import NOW
from tests.hall.visitor import Answer, Visitor

CLUBS = "Anna, Rohan\nBo, Gondor\nCem, Rohan\nDana, Gondor\n"


def notice(answer: Answer) -> str:
    """Return the sentence that says what was done."""
    found = re.search(r'<p class="notice" role="status">(.*?)</p>', answer.text)
    return re.sub(r"<[^>]*>", "", found[1]) if found else ""


@pytest.fixture
def four(organiser: Visitor) -> Visitor:
    """Four of two clubs are entered, of whom one is checked in."""
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    organiser.post("/players", "add", list=CLUBS)
    assert notice(organiser.post("/players", "check-in", key=1, player=1)) == "Anna is checked in"
    return organiser


def drafted(organiser: Visitor, *, sides: str = "none") -> None:
    """A draft without club mates at a table."""
    assert notice(organiser.post("/players", "check-in-all")) == "3 players are checked in"
    organiser.post("/setup", "open-stage", format="swiss", match="one game", sides=sides, rounds=3)
    words = notice(organiser.post("/round", "draft"))
    assert words == "Round 1 is drafted, and only you see it; look through it, then publish it"
    words = notice(organiser.post("/round", "by-hand", round=1, tables="1 1 2\n2 3 4"))
    assert words == "Round 1 is paired as written, and only you see it; look through it, then publish it"


def started(organiser: Visitor, **stage: str) -> None:
    """Round 1 is being played."""
    drafted(organiser, **stage)
    organiser.post("/round", "publish", round=1)
    words = notice(organiser.post("/round", "start", round=1))
    unsold = " No bids for sides were entered for tables 1 and 2 yet." if stage.get("sides") == "bid" else ""
    assert words == f"Round 1 has started, and its clock runs. Key in the slips as they come.{unsold}"


def test_coming_and_going(four: Visitor) -> None:
    assert notice(four.post("/players", "drop", player=1)) == "Anna has dropped out, and is not paired any more"
    words = notice(four.post("/players", "return", player=1, why="back"))
    assert words == "Anna is back, and is paired from the next draft on"
    assert notice(four.post("/players", "change", player=1, name="Anne")) == "What was changed of Anne is saved"
    for number in (2, 3):
        four.post("/players", "check-in", player=number)
    assert "Check in the one who is expected" in four.get("/players").words
    assert notice(four.post("/players", "check-in-all")) == "1 player is checked in"
    assert notice(four.post("/players", "check-in-all")) == "Nobody else is expected"


def test_an_exchange_says_what_was_printed_before(four: Visitor) -> None:
    drafted(four)
    words = notice(four.post("/round", "exchange", round=1, one=2, other=4, why="x"))
    assert words == "Bo and Dana are exchanged. Look through the draft, then publish it."
    four.post("/round", "publish", round=1)
    words = notice(four.post("/round", "exchange", round=1, one=3, other=4, why="x"))
    stale = "What was printed or shown of tables 1 and 2 is out of date: print pairings and slips again."
    mates = "Table 1: Anna and Cem are of the same club – could be avoided."
    others = "Table 2: Dana and Bo are of the same club – could be avoided."
    assert words == f"Cem and Dana are exchanged. {stale} {mates} {others}"
    words = notice(four.post("/round", "exchange", round=1, one=3, other=1, why="x"))
    assert words.startswith("Cem and Anna are exchanged. What was printed or shown of table 1 is out of date")
    assert "Table 2" not in words


def test_a_bye_in_a_round_that_is_published_says_which_slip_is_stale(four: Visitor) -> None:
    started(four)
    four.post("/players", "drop", key=2, player=2, why="has a train to catch")
    words = notice(four.post("/round", "by-hand", round=1, tables="0 1", why="nobody to play with"))
    stale = "What was printed or shown of table 1 is out of date: print pairings and slips again."
    assert words == f"Paired as written. {stale}"
    four.post("/round", "extend", round=1, table=2, minutes=5, why="a call")
    words = notice(four.post("/round", "by-hand", round=1, tables="0 1\n7 3 4", why="a quieter room"))
    stale = "What was printed or shown of tables 2 and 7 is out of date: print pairings and slips again."
    assert words.startswith(f"Paired as written. {stale} Table 7 has 5 min more, which went with its players.")


def test_a_bye_for_who_comes_late_says_that_byes_have_changed(four: Visitor) -> None:
    started(four)
    four.post("/players", "add", list="Eva")
    four.post("/players", "check-in", key=5, player=5)
    words = notice(four.post("/round", "by-hand", round=1, tables="0 5", why="came late"))
    assert words == "Paired as written. Byes have changed: print pairings and slips again."
    words = notice(four.post("/round", "exchange", round=1, one=5, other=3, why="a ferry"))
    assert words.startswith("Eva and Cem are exchanged. What was printed or shown of table 2 is out of date: print")


def test_a_draft_again(four: Visitor) -> None:
    drafted(four)
    four.post("/round", "publish", round=1)
    words = notice(four.post("/round", "unpublish", round=1, why="x"))
    assert words == "Round 1 is a draft again, and only you see it. Collect what was printed."
    assert notice(four.post("/round", "discard", round=1)) == "The draft of round 1 is discarded"


def test_results(four: Visitor) -> None:
    started(four)
    four.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    words = notice(four.post("/round", "challenge", key=1, round=1, table=1, why="x"))
    assert words == "The result of table 1 is challenged. A judge corrects it or lets it stand."
    desk_page = four.get("/")
    assert "Disputed results round 1, table 1" in desk_page.words
    assert 'href="/round?round=1#t1"' in desk_page.text
    words = notice(four.post("/round", "reject", key=1, round=1, table=1, why="x"))
    assert words == "The result of table 1 stands"
    words = notice(four.post("/round", "take-back", key=1, round=1, table=1, why="x"))
    assert words == "The result of table 1 is taken back. Key in the right one."
    page = four.post("/round", "end", round=1)
    assert page.refusals() == ["expected the results of tables 1 and 2, or a reason to go on without"]
    assert "Missing: tables 1 and 2." in page.words
    words = notice(four.post("/round", "end", round=1, why="x"))
    assert words == "Round 1 has ended. Missing: tables 1 and 2; key in what comes later."
    four.post("/round", "draft")
    four.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    assert "<h1>Round 1</h1>" in four.post("/round", "take-back", key=1, round=1, table=1, why="x").text


def test_the_clock_and_calls(four: Visitor, desk: Desk) -> None:
    started(four)
    four.post("/round", "pause", round=1, why="fire alarm")
    assert notice(four.post("/round", "resume", round=1)) == "The round clock runs again."
    desk.perform(CallOpened(who="box", at=round(NOW * 1000), table=2))
    assert "Open calls table 2" in four.get("/").words
    assert notice(four.post("/floor", "claim", key=1, call=1)) == "The call of table 2 is claimed"
    assert notice(four.post("/floor", "resolve", key=1, call=1, why="x")) == "The call of table 2 is resolved"


def test_what_is_to_be_chosen_is_said(four: Visitor) -> None:
    started(four, sides="bid")
    page = four.post("/round", "bid", round=1, table="", game=1, side="Shadow", bids="0, 1")
    assert page.refusals() == ["choose a table"]
    page = four.post("/floor", "penalty", penalty="warning", player="", why="x")
    assert page.refusals() == ["choose a player"]


def test_bids(four: Visitor) -> None:
    started(four, sides="bid")
    words = notice(four.post("/round", "bid", round=1, table=1, game=1, side="Shadow", bids="0, 1, 3"))
    assert words == "The bids of game 1 at table 1 are entered"


def test_the_record_names_the_act_that_another_one_corrects(four: Visitor, desk: Desk) -> None:
    started(four)
    first = len(desk.acts) + 1
    four.post("/round", "result", key=1, round=1, table=1, game1="1:1")
    four.post("/round", "challenge", key=1, round=1, table=1, why="x")
    four.post("/round", "reject", key=1, round=1, table=1, why="x")
    four.post("/round", "take-back", key=1, round=1, table=1, why="x")
    four.post("/round", "result", key=1, round=1, table=1, game1="2:2")
    four.post("/floor", "penalty", penalty="warning", player=1, why="x")
    four.post("/floor", "penalty", penalty="game loss", player=2, why="x")
    four.post("/floor", "lift", key=1, penalty=1, why="x")
    assert corrections(desk.acts) == {
        first + 2: first + 1,
        first + 3: first,
        first + 4: first,
        first + 7: first + 5,
    }
    words = four.get("/record").words
    assert f"corrects no. {first + 1}, result challenged: round 1, table 1" in words
    entered = re.search(rf"result taken back: round 1, table 1; corrects no. {first}, result entered: (.*?)x ", words)
    assert entered is not None
    assert "won: Ring, by scorekeeper" in entered[1]
    assert "penalty lifted: penalty 1; corrects no." in words


def test_the_record_says_what_was_done_in_words(four: Visitor, desk: Desk) -> None:
    started(four, sides="bid")
    four.post("/round", "bid", round=1, table=1, game=1, side="Shadow", bids="0, 1, 3")
    four.post("/round", "extend", round=1, table=2, minutes=20, why="x")
    four.post("/round", "extend", round=1, minutes=7)
    four.post("/floor", "call", table=2)
    four.post("/floor", "resolve", key=1, call=1, why="x")
    words = four.get("/record").words
    for said in (
        "call resolved: table 2",
        "extension: round 1, table 2, 20 min",
        "extension: round 1, 7 min, every table",
        "bids 0, 1 and 3",
        "club Rohan",
        "settings: rounds of 240 min; sides Free Peoples and Shadow; kinds of win Ring and military",
    ):
        assert said in words
    assert "pod 4" not in words
    assert re.search(r"stage opened: format swiss, (Anna|Bo|Cem|Dana) ,", words)
    assert "2027-01-15" in words


def test_the_desk_says_what_is_next_once_every_slip_is_in(four: Visitor) -> None:
    started(four)
    assert "Next Key in the slips" in four.get("/").words
    for table in (1, 2):
        four.post("/round", "result", key=table, round=1, table=table, game1="1:1")
    assert "Next End the round" in four.get("/").words
    four.post("/round", "challenge", key=1, round=1, table=1, why="the Shadow won")
    assert "Next Settle what is disputed" in four.get("/").words
    four.post("/round", "reject", key=1, round=1, table=1, why="both signed")
    assert "Next End the round" in four.get("/").words


def test_a_new_act_stands_in_the_record_and_is_said_without_another_file(four: Visitor, desk: Desk) -> None:
    @act("prize given")
    class PrizeGiven(Act):
        """A player gets something; nothing else changes."""

        player: int
        for_place: int = 0

        def _on(self, event: Event) -> Event:
            event.player(self.player)
            return event

    try:
        desk.perform(PrizeGiven(who="organiser", at=desk.now(), player=2, for_place=1))
        with pytest.raises(NotNow):
            desk.perform(PrizeGiven(who="organiser", at=desk.now(), player=9))
        assert "prize given: Bo , for place 1" in four.get("/record").words
        assert read_act(desk.acts[-1].as_json()) == desk.acts[-1]
    finally:
        del KINDS["prize given"]
