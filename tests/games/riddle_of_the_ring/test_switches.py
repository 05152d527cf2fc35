"""Both readings of every switch, and the single rulings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games import load

Make = Callable[..., Any]


def test_defaults() -> None:
    assert load("riddle-of-the-ring").settings({}) == {"overshoot": False, "return_first": False}


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
