"""What an answer costs at the box: the presses from the question as it appears, to the answer."""

from __future__ import annotations

from typing import Any

from referee.console.cards.asks import deal, items
from referee.console.cards.lists import DIE_KEY_COUNT, TURN, Deal
from referee.session import Prompt


def presses(prompt: Prompt, answer: Any) -> int:
    """Return how many presses that answer takes; a number past six counts as one for setting it and one for Select.

    A cell of another page takes the sixth key for each page before it, a die its key, a number of dice that hit one.
    """
    if prompt.kind == "roll":
        return len(answer) if isinstance(answer, (list, tuple)) else 1
    if prompt.kind == "count":
        return 1 if prompt.high <= DIE_KEY_COUNT and answer else 2
    if prompt.kind == "pick":
        cells = Deal(items(prompt))
        return sum(_pages(cells, each) + 1 for each in answer) + 1
    cells = deal(prompt)
    return _pages(cells, answer) + 1


def _pages(cells: Deal, answer: str) -> int:
    """Turn to the page with that item, or to the item itself where no page has it; return the presses it takes."""
    at = next((n for n, item in enumerate(cells.items) if item.id == answer), None)
    if at is None:
        return 0  # a bundle stands in its place
    key = cells.buttons()[at].key
    if key == TURN:
        return 1  # it has no cell: one detent lights it
    turned = len(key.split()) - 1
    for _ in range(turned):
        cells.press(DIE_KEY_COUNT)
    return turned
