"""Turns as a table plays them: what is counted when, what is dropped, who is out, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.drive.messages import event_json
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


def test_a_battle_counts_from_its_first_force(table: Make) -> None:
    t = table().attack("br1").answer("stop")
    assert (t.key, t.game.pp_used, t.game.battled["br1"], t.events) == ("turn.menu", 0, False, [])
    t.answer("battle")
    assert t.play.may_drop
    t.answer("good-card")
    assert t.play.may_drop
    t.answer(2)
    assert not t.play.may_drop
    assert (t.game.pp_used, t.game.battled["br1"]) == (1, True)


def test_a_city_can_be_taken_back_in_the_middle_of_a_battle(table: Make) -> None:
    t = table().attack("br1").answer("good-city", "evil-city", "back")
    assert (t.key, t.score, t.play.seat) == ("battle.match", "1-0", "br1")
    assert not t.play.may_drop
    t = table().attack("br1").answer("good-card", "back")
    assert (t.key, t.score, t.game.pp_used) == ("battle.attack", "0-0", 0)


def test_character_cards(table: Make) -> None:
    t = table().answer("take-card", "character", "br1", "give", "taken")
    assert (t.last().why, t.last().to_do) == (("Frodo takes 1 card from BR1",), ("Give BR1 the card",))
    t.answer("take-card", "character", "merry", "sam", "empty")
    assert (t.last().why, t.last().to_do) == (("Frodo draws nothing from Sam",), ("Discard Merry's card",))
    assert t.game.pp_used == 2


def test_optional_rule_for_two_players_is_recalled(table: Make) -> None:
    two = table("frodo", "br1").answer("take-card", "character")
    four = table().answer("take-card", "character")
    assert "RR-36" in two.play.ask.notes
    assert "RR-36" not in four.play.ask.notes


def test_shelob_leaves_out_the_halls(table: Make) -> None:
    t = table().judge("in_halls.sam", True).answer("take-card", "shelob").send("all-ordinary")
    assert t.last().data["hit"] == {"br1": "ordinary", "br2": "ordinary"}


def test_the_halls_of_mandos_last_until_the_table_says_so(table: Make) -> None:
    t = table("frodo", "br1").attack("br1").answer("good-army", "surrender", "taken")
    for turn in range(1, 4):
        t.turn_of("br1")
        assert (t.game.halls_turns["br1"], t.reminders) == (turn, [])
        t.answer("end-turn")
    t.turn_of("br1")
    assert t.reminders == ["A-RR14"]
    for _ in range(3):  # a table that plays on otherwise is not reminded again
        t.answer("end-turn").turn_of("br1")
    assert t.reminders == ["A-RR14"]
    t.answer("left-halls")
    assert "move" in t.open()
    assert not t.game.in_halls["br1"]


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


def test_who_concedes_at_the_first_hand_sees_no_second(table: Make) -> None:
    t = table().answer("clairvoyance", "elf-ring", "two-hands", "br1")
    assert t.key == "clairvoyance.resist"
    t.play.concede("frodo")
    t.answer("resists")
    assert (t.key, t.game.seat) == ("turn.menu", "br1")


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


def test_a_friendly_exchange_is_not_called_a_power_play(table: Make) -> None:
    t = table().answer("move", "finished", ["br1"])
    assert t.refused("battle") == "RR-X03"
    bars = {entry.option.id: entry.bar.text for entry in t.play.ask.barred()}
    assert bars["battle"] == "Enter the Friendly Exchange first"


def test_the_discards_name_whose_they_are(table: Make) -> None:
    t = table().attack("br1").answer("good-army", "evil-army", "strider", "surrender", "taken")
    assert t.last().why[3:] == ("Frodo discards 1 Good, Strider", "BR1 discards 1 Evil")
    assert t.last().told[3:] == (
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


# -- both readings of every switch, and the single rulings


def test_overshoot_keeps_the_ceiling(table: Make) -> None:
    t = table("br1", "frodo", overshoot=True).attack("frodo")
    for _ in range(4):
        t.answer("evil-army", "good-army")
    t.answer("evil-army")
    assert t.refused("strider") == "RR-X12"


def test_overshoot_never_wins_and_is_matched_at_once(table: Make) -> None:
    t = table("br1", "frodo", overshoot=True).attack("frodo").answer("evil-army", "strider", "mouth-of-sauron")
    assert (t.score, t.key) == ("3-2", "battle.match")
    t.answer("good-army", "evil-army", "good-army", "evil-army", "good-army")
    assert t.last().data["total"] == "5-5"
    assert t.last().result == "tie"


@pytest.mark.parametrize(
    ("first", "order"), [(False, ["take", "discard", "return"]), (True, ["return", "take", "discard"])]
)
def test_return_first_gives_retained_cards_back_before_the_pick(table: Make, first: bool, order: list[str]) -> None:
    t = table(return_first=first).attack("br1").answer("the-ring", "surrender")
    assert ("go back before" in dict(t.play.ask.notes)["A-RR7"]) is first
    assert t.answer("taken").last().data["order"] == order


@pytest.mark.parametrize(
    ("kinds", "attack", "match"),
    [
        ("hobbit-rider", "good-army", "evil-army"),
        ("rider-hobbit", "evil-army", "good-army"),
        ("hobbit-hobbit", "evil-army", "good-army"),
        ("rider-rider", "good-army", "evil-army"),
    ],
)
def test_a_battle_by_itself_knows_the_kinds(table: Make, kinds: str, attack: str, match: str) -> None:
    t = table(ruling="battle").answer(kinds)
    assert t.refused(match) == "RR-X10"
    t.answer(attack)
    assert t.refused(attack) == "RR-X10"
    t.answer("surrender", "taken")
    assert t.last().result == "win"
    assert t.play.over.reason == "finished"
    assert t.game.pp_used == 0


def test_a_battle_by_itself_names_both_sides(table: Make) -> None:
    t = table(ruling="battle").answer("hobbit-rider")
    assert t.play.ask.head == "Hobbit 0-0"
    assert t.answer("good-army").play.ask.head == "Rider 1-0"
    t = table(ruling="battle").answer("rider-rider", "good-army", "surrender", "empty")
    assert t.last().headline == "Defender to Halls"


def test_no_force_no_battle(table: Make) -> None:
    assert table(ruling="battle").answer("hobbit-rider", "stop").last().result == "no-battle"


def test_a_riddle_by_itself(table: Make) -> None:
    t = table(ruling="riddle")
    assert t.refused(0) == "RR-X16"
    t.answer(3, "right", "wrong")
    assert (t.last().to_do, t.last().why) == (("1 random card goes", "from you to Target"), ("1 card won",))
    assert t.play.over.reason == "finished"
