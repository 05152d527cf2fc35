"""The big screen in the games that are kept: what their players meet stands on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver import Chrome

from referee.console.cards.asks import AskCard
from referee.rulebook import whole
from referee.session.board import labelled
from referee.web.server import Address
from tests.console.evenings import moments
from tests.kept import BOOKS
from tests.web.playback import Playback
from tests.web.recorded import recorded
from tests.web.states import GESTURES

SHOWN = """
const [tables] = arguments;
return tables.map((table) => {
  tell([table]);
  return document.querySelector("#stage").innerText;
});
"""
"""A script that shows tables one after another, and returns what could be read of each."""


@pytest.fixture
def screen(browser: Chrome, address: Address) -> Playback:
    screen = Playback(browser, address)
    screen.load("tv")
    return screen


def questions(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield who was asked in a kept game, with who plays there, and what the big screen was told then."""
    for bench, hands in moments(game, 300):
        hands.act()
        table = bench.console.table
        if not bench.hub.watched:
            bench.hub.subscribe(lambda message: None, judge=False)
        if table.nameable and not table.players:
            bench.hub.name("seat-1", "Anna")
        bench.settle()
        names = labelled({seat: whole(table.seat_name(seat)) for seat in table.seat_keys}, table.players)
        told = {news["type"]: news for news in bench.hub.snapshot(judge=False)}
        top = bench.console.stage.top
        if isinstance(top, AskCard) and top.prompt.seat in names:
            yield names[top.prompt.seat], dict(told["table"])


@pytest.mark.parametrize("game", BOOKS)
def test_whoever_is_asked_is_named_over_the_question(screen: Playback, game: str) -> None:
    asked = list(questions(game))
    shown = screen.run(SHOWN, [told | {"ruling": None} for _, told in asked])
    assert [(who, text) for (who, _), text in zip(asked, shown, strict=True) if who not in text] == []
    assert len(asked) > 5
    assert any("(Anna)" in who for who, _ in asked)


@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 720), (768, 1024)])
@pytest.mark.parametrize("game", ["battle-of-the-ring", "war-of-the-ring"])
def test_nothing_jumps_through_a_game(screen: Playback, game: str, size: tuple[int, int]) -> None:
    screen.size(*size)
    batches = recorded(game, GESTURES)
    screen.tell(batches[:2])
    screen.moved()
    screen.tell(batches[2:])
    # On the shelf there is another title, and what stands beside it moves.
    assert [each for each in screen.moved() if not each.startswith(" where:")] == []
