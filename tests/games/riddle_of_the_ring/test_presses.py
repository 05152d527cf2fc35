"""Presses counted exactly: what stands under which key, on which page, and what a bundle saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.console.cards.asks import items
from referee.console.cards.cells import Deal
from referee.rulebook import Play
from referee.session import Prompt
from referee.session.prompt import read_prompt

Make = Callable[..., Any]
TYPICAL, MOST = 2, 4
"""Presses of one round: each side lays one force; and whatever both may lay."""


def prompt_of(play: Play) -> Prompt:
    prompt = read_prompt(play, 1, None)
    assert prompt is not None
    return prompt


def presses(prompt: Prompt) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield every way to answer with open options and bundles: how many presses, and the answers sent."""
    sent = {bundle.id: bundle.answers for bundle in prompt.bundles}
    dealt = items(prompt)
    deal = Deal(dealt, prompt.default if isinstance(prompt.default, str) else None, prompt.passing)
    for index, item in enumerate(dealt):
        if item.bar is None:
            turned = (index // deal.per_page - deal.page) % deal.pages
            answers = sent[item.id] if item.extra else (item.id,)
            yield 1 if index == deal.cursor else turned + 1, answers


def rounds(t: Any) -> dict[tuple[Any, ...], int]:
    """Return every way one round can go, told by the forces laid, with the fewest presses for it."""
    play = t.play
    began, laid = len(play.moves), len(t.game.battle.forces)
    found: dict[tuple[Any, ...], int] = {}

    def go_on(so_far: int) -> None:
        for count, answers in presses(prompt_of(play)):
            here = len(play.moves)
            for answer in answers:
                play.answer(answer)
            forces = tuple((f.owner, f.name) for f in t.game.battle.forces[laid:])
            if play.ask.key == "battle.attack" and forces:
                key = tuple(sorted(forces))
                found[key] = min(found.get(key, 99), so_far + count)
            elif play.ask.key in ("battle.spoils", "turn.menu") or (play.ask.key == "battle.attack"):
                pass
            elif so_far + count < 7:
                go_on(so_far + count)
            play.rewind(here)

    go_on(0)
    assert len(play.moves) == began
    return found


@pytest.mark.parametrize(
    ("players", "before"),
    [
        (("frodo", "br1"), ()),
        (("br1", "frodo"), ()),
        (("frodo", "sam"), ()),
        (("br1", "frodo"), ("evil-army", "good-army")),
        (("frodo", "br1"), ("good-city", "a", "evil-city", "a")),
    ],
)
def test_a_round_takes_two_presses_and_never_more_than_four(table: Make, players: Any, before: Any) -> None:
    t = table(*players).attack(players[1]).answer(*before)
    found = rounds(t)
    assert len(found) > 30
    assert max(found.values()) <= MOST
    army = [key for key in found if len(key) == 2 and all("army" in name for _, name in key)]
    assert len(army) == 4
    assert {found[key] for key in army} == {TYPICAL}


def fewest(t: Any, answers: tuple[Any, ...]) -> int:
    """Send these answers one by one; return how many presses that takes."""
    total = 0
    for answer in answers:
        total += min(count for count, sent in presses(prompt_of(t.play)) if sent == (answer,))
        t.answer(answer)
    return total


@pytest.mark.parametrize(
    ("fought", "many"),
    [
        (("good-army", "surrender", "taken"), 1),
        (("good-army", "evil-army", "neutral-army", "surrender", "taken"), 2),
        (("good-army", "evil-army", "stop"), 1),
        (("good-army", "evil-army") * 5, 5),
    ],
)
def test_a_whole_battle_takes_two_and_two_a_round_and_one(table: Make, fought: tuple[str, ...], many: int) -> None:
    t = table().stop("br1")
    assert fewest(t, ("battle", "br1", *fought)) <= 2 + 2 * many + 1
    assert t.key == "turn.menu"


def test_a_battle_by_itself_takes_one_less(table: Make) -> None:
    t = table(ruling="battle")
    assert fewest(t, ("hobbit-rider", "good-army", "evil-army", "neutral-army", "surrender", "taken")) == 6


def test_a_stop_beside_a_player_takes_two(table: Make) -> None:
    t = table()
    begin = min(count for count, sent in presses(prompt_of(t.play)) if sent == ("move",))
    t.answer("move")
    whole = min(count for count, sent in presses(prompt_of(t.play)) if sent == ("finished", ["br1"], "done"))
    assert begin + whole == 2


def test_the_pass_is_what_select_sends(table: Make) -> None:
    t = table().attack("br1").answer("good-army")
    assert prompt_of(t.play).default == "surrender"
    t.answer("evil-army")
    assert prompt_of(t.play).default == "stop"
