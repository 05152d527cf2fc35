"""Every headline of the four games in the band of every question of the same game."""

from __future__ import annotations

from functools import cache

import pytest

from referee import games
from referee.console.cards.asks import ChooseCard
from referee.console.cards.throw import ask_card
from referee.console.console import Console
from referee.console.drawing.screens import problems
from referee.rulebook import Book, Ruling
from referee.session import Prompt, Session
from referee.session.prompt import read_prompt
from referee.testing.fits import DICE, Bare
from referee.testing.random_table import RandomTable

TABLES = 6
ANSWERS = 250


@cache
def played(game: str) -> tuple[tuple[Prompt, ...], tuple[Ruling, ...]]:
    """Return the questions, one of each look, and the rulings, one of each headline, of some random tables."""
    book = games.load(game)
    asked: dict[object, Prompt] = {}
    ruled: dict[str, Ruling] = {}
    for ruling in (None, *book.rulings):
        for seed in range(TABLES):
            table = RandomTable(book, {}, ruling, seed)
            for _ in range(ANSWERS):
                prompt = read_prompt(table.play, 1, None)
                if prompt is None:
                    break
                asked[prompt.ask, prompt.seat, prompt.head, prompt.tag, len(prompt.among)] = prompt
                events = table.play.answer(table.legal())
                ruled |= {event.headline: event for event in events if isinstance(event, Ruling)}
    return tuple(asked.values()), tuple(ruled.values())


@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_whoever_is_asked_stays_in_the_band_beside_the_headline_or_the_tag(book: Book) -> None:
    prompts, rulings = played(book.id)
    assert len(prompts) > 30
    assert len(rulings) > 5
    console = Console(Bare(book), DICE)
    console.table.use(Session(book))
    shown = 0
    for prompt in prompts:
        card = ask_card(console.context, prompt)
        name = console.table.seat_name(prompt.seat)
        for ruling in rulings:
            console.table.recent = ruling
            view = card.view(None)
            band = view.band  # type: ignore[union-attr]
            assert band.left == (prompt.head or name)
            assert name in (band.left, band.seat) or band.left.startswith(console.table.names[prompt.seat])
            shown += band.right == ruling.headline
            assert not problems(view), prompt
    assert shown > len(prompts) * len(rulings) / 4


@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_what_select_would_send_without_a_cell_is_named_beside_who_is_asked(book: Book) -> None:
    console = Console(Bare(book), DICE)
    console.table.use(Session(book))
    for prompt in played(book.id)[0]:
        card = ask_card(console.context, prompt)
        if not isinstance(card, ChooseCard):
            continue
        for _ in card.deal.items:
            named = card.deal.named
            if named is not None:
                band = card.view(None).band  # type: ignore[union-attr]
                assert (named.short or named.text) in band.right, prompt
                assert band.left == (prompt.head or console.table.seat_name(prompt.seat))
                assert not problems(card.view(None)), prompt
            card.turn(1)
