"""The seat that is asked stands on every screen of its questions, and so does the way its turn ends: on the glass."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from referee import games
from referee.console.cards.asks import ChooseCard
from referee.console.cards.beside import first_named
from referee.console.cards.throw import ask_card
from referee.console.console import Console
from referee.console.drawing.screens import draw, problems
from referee.console.views import Dice, Grid, Notice, Question, Rows, View, Why
from referee.errors import Refused
from referee.rulebook import Book, Ruling, whole
from referee.session import Prompt, Session
from referee.testing.fits import DICE, Bare, some_answer

TABLES = 2
ANSWERS = 250
USUAL = 0.5
"""Share of choices that are the default or the first one, or end what is asked: they lead further into a game."""
TIMES = ("59:50", "60'")


class Asked:
    """What was asked: the question, what people call its seat and the others, and its screens in their order.

    ``unnamed``: on how many of them Select would send what neither a cell nor the band names.
    """

    def __init__(self, console: Console, prompt: Prompt) -> None:
        self.prompt = prompt
        self.names = dict(console.table.names)
        card = ask_card(console.context, prompt)
        self.screens = [card.view(None)]
        self.unnamed = 0
        pages = len(prompt.among) + len(prompt.bundles) + len(console.table.notes(prompt))
        for _ in range(min(40, pages) if isinstance(card, ChooseCard) else 1):
            card.turn(1)
            self.screens.append(card.view(None))
            named = card.deal.named if isinstance(card, ChooseCard) else None
            if named is not None and (named.short or named.text) not in self.screens[-1].band.right:  # type: ignore[attr-defined]
                self.unnamed += 1

    @property
    def called(self) -> tuple[str, ...]:
        """What people call the seat."""
        return self.names[self.prompt.seat]


@cache
def asked(game: str, *times: str) -> tuple[Asked, ...]:
    """Return the questions to a seat of some random tables, with this time on a seat clock beside them."""
    return tuple(each for seed in range(TABLES) for each in _evening(games.load(game), seed, times))


def _evening(book: Book, seed: int, times: tuple[str, ...]) -> Iterator[Asked]:
    chance = random.Random(seed)
    console = Console(Bare(book), DICE)
    console.table.clocks.beside = lambda asked, head: times  # type: ignore[method-assign]
    session = Session(book)
    console.table.use(session)
    for _ in range(ANSWERS):
        prompt = session.prompt
        if prompt is None:
            session = Session(book)
            console.table.use(session)
            continue
        if prompt.seat in session.seats():
            yield Asked(console, prompt)
        how, value = some_answer(prompt, chance)
        if prompt.kind == "choose" and prompt.options and chance.random() < USUAL:
            passes = [o.id for o in prompt.options if o.id == prompt.passing]
            how, value = "answer", chance.choice([prompt.default or prompt.options[0].id, *passes])
        try:
            outcome = session.bundle(value) if how == "bundle" else session.answer(value)
        except Refused:
            continue
        console.table.recent = next((each for each in outcome.events if isinstance(each, Ruling)), None)


@pytest.mark.parametrize(
    "times",
    [(), pytest.param(TIMES, marks=pytest.mark.long)],
    ids=str,
)
@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_every_screen_of_a_question_names_the_seat_that_is_asked(book: Book, times: tuple[str, ...]) -> None:
    seen: set[tuple[str, View]] = set()
    for each in asked(book.id, *times):
        assert not each.unnamed, each.prompt
        for view in each.screens:
            if (each.prompt.seat, view) not in seen:
                seen.add((each.prompt.seat, view))
                assert problems(view) == [], each.prompt.ask
    assert len(seen) > 100


@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_no_other_seat_is_named_before_it_and_the_voice_names_it_too(book: Book) -> None:
    for each in asked(book.id):
        for view in each.screens:
            if isinstance(view, Notice | Why):
                assert view.seat == each.called[0]
                continue
            band = view.band  # type: ignore[attr-defined]
            assert first_named(f"{band.tab} {band.left}", each.names) == each.prompt.seat, view
            words = view.speech().aloud
            names = {seat: tuple(map(whole, called)) for seat, called in each.names.items()}
            assert not words or first_named(words, names) == each.prompt.seat, words
            assert words.count("?") < 2, words


ENDS = {
    "battle-of-the-ring": {"move.menu": "done", "attack.attacker": "done", "build.nation": "done"},
    "war-of-the-ring": {"round.cease": "cease", "round.retreat": "retreat"},
    "riddle-of-the-ring": {"turn.menu": "end-turn", "battle.attack": "stop", "battle.match": "surrender"},
    "middle-earth-the-wizards": {"strike.attacker": "none"},
}
"""What ends a turn, a phase, a battle or a strike, by question."""


def _offers(view: View, prompt: Prompt, option: str) -> bool:
    """Tell whether a cell or the band names the option, or a bundle that begins with it."""
    assert isinstance(view, Grid | Rows | Question)
    ways = [o for o in prompt.among if o.id == option] + [b for b in prompt.bundles if b.answers[0] == option]
    texts = {cell.text for cell in view.cells}
    sent = view.band.right.removeprefix("Sel: ")
    return any(way.text in texts or sent in (way.text, way.short) for way in ways)


@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_what_ends_it_is_on_every_screen_of_a_question(book: Book) -> None:
    ends = ENDS[book.id]
    met: set[str] = set()
    for each in asked(book.id):
        option = ends.get(each.prompt.ask)
        if option is None or all(o.id != option for o in each.prompt.options):
            continue
        met.add(each.prompt.ask)
        for view in each.screens:
            if not isinstance(view, Notice | Why):
                assert _offers(view, each.prompt, option), view
    assert met == set(ends)


def test_a_time_costs_the_tag_and_then_letters_of_the_name_and_of_neither_seat_nor_head_anything_else() -> None:
    strikes = [each for each in asked("middle-earth-the-wizards", *TIMES) if each.prompt.ask == "strike.dice"]
    assert strikes
    for each in strikes:
        view = each.screens[0]
        assert isinstance(view, Dice)
        assert (view.band.short, view.band.right) == (view.band.seat.replace("layer ", ""), "")
        bare = replace(view, band=replace(view.band, clock=()))
        assert draw(view)[0].tobytes() != draw(bare)[0].tobytes(), "no time is shown"
