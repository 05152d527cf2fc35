"""Turns as a table plays them: what is counted when, what is dropped, who is out, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.drive import event_json
from referee.errors import NotNow
from referee.games import load
from referee.rulebook import Play, whole
from referee.session import Session, Submission

Make = Callable[..., Any]


@pytest.mark.parametrize("number", range(2, 9))
def test_a_usual_line_up_is_one_bundle(table: Make, number: int) -> None:
    play = Play(load("riddle-of-the-ring"))
    play.answer(number)
    assert play.ask
    (usual,) = play.ask.offered()
    for answer in usual.answers:
        play.answer(answer)
    seats = list(play.game.seats())
    assert len(seats) == number
    assert (play.game.seat, play.ask.key) == ("frodo", "turn.menu")
    riders = [seat for seat in seats if seat.startswith("br")]
    assert len(riders) == number // 2


def test_optional_rule_for_two_players_is_recalled(table: Make) -> None:
    two = table("frodo", "br1").answer("take-card", "character")
    four = table().answer("take-card", "character")
    assert "RR-36" in two.play.ask.notes
    assert "RR-36" not in four.play.ask.notes


def test_seating_order_rounds_and_place(table: Make) -> None:
    t = table("sam", "br4", "frodo")
    order = []
    for _ in range(6):
        order.append((t.game.round, t.game.seat))
        t.answer("end-turn")
    assert order == [(r, s) for r in (1, 2) for s in ("sam", "br4", "frodo")]
    assert t.game.place() == ("Round 3", "Sam", "Before moving")
    t.answer("move")
    assert t.game.place()[-1] == "Moving"
    t.answer("finished", [])
    assert t.game.place()[-1] == "After moving"
    assert t.game.status() == "2 PP left"


def test_a_rider_is_named_in_whole_words_where_there_is_room() -> None:
    session = Session(load("riddle-of-the-ring"))
    for answer in (2, "frodo", "br4"):
        session.answer(answer)
    with pytest.raises(NotNow) as refused:
        session.answer(Submission("end-turn", seat="br4"))
    assert whole(refused.value.text) == "Frodo is asked"
    session.concede("br4")
    (line,) = (line for line in session.log() if line.kind == "concede")
    assert (line.text, whole(line.text)) == ("BR4 concedes", "Black Rider 4 concedes")
    session.undo()
    assert whole(session.log()[-1].text) == "Undone: Black Rider 4 concedes"


def test_the_points_of_a_battle_name_its_players_in_whole_words(table: Make) -> None:
    t = table("frodo", "br4")
    t.game.open_battle("frodo", "br4")
    assert [whole(pool.name) for pool in t.game.pools()][1:] == ["Frodo attacks", "Black Rider 4 defends"]


def test_what_a_question_tells_follows_the_judge(table: Make) -> None:
    t = table().answer("riddle", "sam", 4).judge("entry.cards", 3)
    assert (t.play.ask.text, t.play.ask.head, t.play.ask.tag) == (
        "2 guesses for one of 3 cards",
        "2 guesses",
        "3 cards",
    )
    t = table().judge("pp_used", 1)
    assert (t.play.ask.text, t.play.ask.tag) == ("What now? 1 PP left", "1 PP left")
    t = t.attack("br1").judge("battle.att_total", 2)
    assert t.play.ask.text == "Frodo attacks: 2-0"
    t = t.answer("good-army").judge("battle.def_total", 1)
    assert (t.play.ask.head, t.play.ask.tag) == ("BR1 3-1", "needs 2")


def test_the_discards_name_whose_they_are(table: Make) -> None:
    t = table().attack("br1").answer("good-army", "evil-army", "strider", "surrender", "taken")
    assert t.last().why[3:] == ("Frodo discards 1 Good, Strider", "BR1 discards 1 Evil")
    assert t.last().told[2:] == (
        "Frodo discards 1 Good card of 1 and Strider (RR-69).",
        "Black Rider 1 discards 1 Evil card of 1 (RR-69).",
    )


def test_what_the_players_do_after_a_battle_is_on_its_ruling() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.answer(2)
    session.bundle("usual")
    session.sequence(("move", "finished", ["br1"], "done", "battle", "the-ring", "own-character", "own-character"))
    session.answer("surrender")
    (ruling,) = session.answer("taken").events
    message = event_json(ruling)
    assert message["headline"] == "BR1 to Halls"
    assert message["to_do"] == ["Keep Ring, own cards"]
    assert "BR1 goes to the Halls of Mandos" in message["why"]
    line = session.log()[-1]
    assert (line.text, line.why[0]) == ("BR1 to Halls", "Keep Ring, own cards")


@pytest.mark.parametrize(
    ("way", "to_do"),
    [
        (("take-card", "gollum", "br1", "yes"), ("Take The Ring",)),
        (("take-card", "gollum", "br1", "no"), ()),
        (("take-card", "bilbo", "br1", "yes"), ("Take Gollum", "Discard Bilbo")),
        (("take-card", "bilbo", "br1", "no"), ("See BR1's hand", "Discard Bilbo")),
        (("take-card", "shelob", "ordinary", "stays", "no-cards"), ("Discard cards drawn",)),
        (("take-card", "shelob", "stays", "no-cards", "no-cards"), ()),
        (("clairvoyance", "spy", "br1"), ("BR1 shows Frodo", "the whole hand")),
        (("riddle", "br1", 3, "right", "stop"), ()),
    ],
)
def test_every_ruling_says_what_the_players_do_now(table: Make, way: tuple[Any, ...], to_do: tuple[str, ...]) -> None:
    assert table().answer(*way).last().to_do == to_do


@pytest.mark.parametrize(("card", "changed"), [("bilbo", True), ("gollum", False)])
def test_bilbo_is_discarded_even_in_vain(table: Make, card: str, changed: bool) -> None:
    assert table().answer("take-card", card, "br1", "no").last().changed is changed


def test_a_battle_by_itself_names_both_sides(table: Make) -> None:
    t = table(ruling="battle").answer("hobbit-rider")
    assert t.play.ask.head == "Hobbit 0-0"
    assert t.answer("good-army").play.ask.head == "Rider 1-0"
    t = table(ruling="battle").answer("rider-rider", "good-army", "surrender", "empty")
    assert t.last().headline == "Defender to Halls"


def test_a_single_ruling_and_a_game_being_set_up_say_so() -> None:
    book = load("riddle-of-the-ring")
    assert Session(book).place == ("Setup",)
    assert {Session(book, None, name).place for name in book.rulings} == {("Ruling",)}


def test_another_riddle_proposes_what_the_last_one_left(table: Make) -> None:
    t = table().answer("riddle", "sam", 5, "right", "right", "stop")
    assert t.answer("riddle", "sam").play.ask.default == 3
    assert t.answer(3, "wrong").game.held["sam"] == 4
    assert table().answer("riddle", "sam").play.ask.default == 4
    t.answer("end-turn")
    assert not any(t.game.held.values())
