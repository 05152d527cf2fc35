"""What stands under the keys: options, and the bundles that take the keys of one."""

from __future__ import annotations

from dataclasses import replace

from referee.console.cards.asks import items
from referee.rulebook import Bar, Barred, Bundle, Option
from referee.session import Prompt

AMONG = (Option("walk", "Walk"), Option("ride", "Ride"), Option("stay", "Stay"))
FAR = Bundle("walk-far", "Walk far", ("walk", 3), instead="walk")
NEAR = Bundle("walk-near", "Walk near", ("walk", 1), instead="walk")
AGAIN = Bundle("again", "Again", ("ride", 2))


def prompt(*bundles: Bundle, barred: str = "") -> Prompt:
    bars = tuple(Barred(option, Bar("X-1", "No")) for option in AMONG if option.id == barred)
    open_now = tuple(option for option in AMONG if option.id != barred)
    return Prompt(1, "north", "choose", "go", "How?", "", among=AMONG, options=open_now, barred=bars, bundles=bundles)


def test_bundles_take_the_place_of_the_option_they_begin_with() -> None:
    shown = items(prompt(AGAIN, NEAR, FAR))
    assert [item.id for item in shown] == ["walk-near", "walk-far", "ride", "stay", "again"]
    assert [item.extra for item in shown] == [True, True, False, False, True]


def test_a_barred_option_keeps_its_key_and_says_why() -> None:
    shown = items(prompt(NEAR, barred="walk"))
    assert [(item.id, item.bar is not None) for item in shown] == [("walk", True), ("ride", False), ("stay", False)]


def test_a_held_select_never_sends_what_stands_instead_of_an_option() -> None:
    assert prompt(NEAR, FAR).shortcut is None
    assert prompt(NEAR, AGAIN).shortcut is AGAIN


def test_a_held_select_never_sends_what_ends_or_skips_the_question() -> None:
    over = Bundle("over", "Stay, and on", ("stay", 1))
    asked = replace(prompt(over, AGAIN), passing="stay")
    assert asked.shortcut is AGAIN
    assert replace(asked, bundles=(over,)).shortcut is None
