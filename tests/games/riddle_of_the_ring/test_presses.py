"""Presses counted exactly: what stands under which key, on which page, and what a bundle saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.console.cards.asks import deal
from referee.games.riddle_of_the_ring.tables import FORCES
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
    if prompt.kind == "count":  # up to six the number is its own key
        barred = {entry.option.id for entry in prompt.barred}
        yield from ((1, (number,)) for number in range(prompt.low, prompt.high + 1) if str(number) not in barred)
        return
    sent = {bundle.id: bundle.answers for bundle in prompt.bundles}
    cells = deal(prompt)
    fewest = {} if cells.lit is None else {cells.lit.id: 1}
    for turned in range(cells.pages):
        for number in range(1, 6 if cells.pages > 1 else 7):
            item = cells.press(number)
            if item is not None:
                fewest.setdefault(item.id, turned + 1)
        cells.press(6)
    for item in cells.items:
        if item.bar is None and item.id in fewest:
            yield fewest[item.id], sent[item.id] if item.extra else (item.id,)


def rounds(t: Any) -> dict[tuple[Any, ...], int]:
    """Return every way one round can go, named by the forces laid, with the fewest presses for it."""
    play = t.play
    began, laid = len(play.moves), len(t.game.battle.forces)
    fewest_of: dict[tuple[Any, ...], int] = {}

    def go_on(so_far: int) -> None:
        for count, answers in presses(prompt_of(play)):
            here = len(play.moves)
            for answer in answers:
                play.answer(answer)
            forces = tuple((f.owner, f.name, f.points) for f in t.game.battle.forces[laid:])
            if play.ask.key == "battle.attack" and forces:
                key = tuple(sorted(forces))
                fewest_of[key] = min(fewest_of.get(key, 99), so_far + count)
            elif play.ask.key in ("battle.spoils", "turn.menu") or (play.ask.key == "battle.attack"):
                pass
            elif so_far + count < 7:
                go_on(so_far + count)
            play.rewind(here)

    go_on(0)
    assert len(play.moves) == began
    return fewest_of


@pytest.mark.parametrize(
    ("players", "before"),
    [
        (("frodo", "br1"), ()),
        (("br1", "frodo"), ()),
        (("frodo", "sam"), ()),
        (("br1", "frodo"), ("evil-army", "good-army")),
        (("frodo", "br1"), ("good-city", "evil-city", "b")),
    ],
)
def test_a_round_takes_two_presses_and_never_more_than_four(table: Make, players: Any, before: Any) -> None:
    t = table(*players).attack(players[1]).answer(*before)
    fewest_of = rounds(t)
    assert len(fewest_of) > 30
    usual = {key: many for key, many in fewest_of.items() if not any(FORCES[name].asks for _, name, _ in key)}
    assert max(usual.values()) <= MOST
    army = [key for key in fewest_of if len(key) == 2 and all("army" in name for _, name, _ in key)]
    assert len(army) == 4
    assert {fewest_of[key] for key in army} == {TYPICAL}


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
def test_a_whole_battle_takes_one_and_two_a_round_and_one(table: Make, fought: tuple[str, ...], many: int) -> None:
    t = table().stop("br1")
    assert fewest(t, ("battle", *fought)) <= 1 + 2 * many + 1
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
