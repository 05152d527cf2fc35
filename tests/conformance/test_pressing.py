"""What the report of conformance says of presses is what a table presses."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee import games
from referee.console.cards.asks import ChooseCard
from referee.station.virtual.bench import Bench
from referee.testing.pressing import presses


def key_of(card: ChooseCard, answer: str) -> str:
    """Return the keys that lead to an option now, "turn" where only the knob does."""
    place = next(n for n, item in enumerate(card.deal.items) if item.id == answer)
    return card.buttons[place].key


@pytest.mark.parametrize("game", [book.id for book in games.books()])
def test_an_option_takes_the_presses_that_are_counted(tmp_path: Path, game: str) -> None:
    chance, compared, paged = random.Random(game), 0, 0
    with Bench(tmp_path / "journal.db") as bench:
        while compared < 25:
            if bench.console.table.session is None:
                bench.play(game)
            bench.wait(1)
            card = bench.console.stage.top
            if not isinstance(card, ChooseCard):
                card.tap(chance.choice(card.buttons).id)
                bench.settle()
                continue
            answer = chance.choice([item.id for item in card.deal.items if item.bar is None])
            remembered = bench.console.table.last_choice(card.prompt)  # its page is shown first
            counted, before = presses(card.prompt, answer), bench.presses
            keys = key_of(card, answer)
            if keys == "turn":  # it lies beside what is lit
                assert counted == 2 or remembered
                card.deal.turn(1)
                continue
            bench.key(*(("select",) if keys == "Select" else keys.split()))
            if not remembered:
                assert bench.presses - before == counted, (card.prompt.ask, answer)
                compared += 1
                paged += counted > 1
    assert paged or game == "battle-of-the-ring"


def test_numbers_and_dice(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        bench.key("1", "2", "1", "2")
        prompt = bench.prompt
        assert prompt is not None
        assert presses(prompt, [5, 4]) == 2
        assert presses(prompt, 9) == 1
