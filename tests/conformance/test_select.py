"""What the keys send: conformance catches what a bare Select ends, and a needless question."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee import rulebook as kit
from referee.console.cards.asks import AskCard, select_sends
from referee.station.virtual.bench import Bench
from referee.testing.conformance import (
    NotConforming,
    Report,
    Variant,
    a_stray_select_ends_nothing,
    a_stray_select_is_never_refused,
    no_question_has_one_answer,
    variants,
)

OTHER = {"north": "south", "south": "north"}
OPTIONS = kit.Options([("fight", "Fight on"), ("hide", "Hide"), ("end", "End it")])
ENDS: tuple[Any, ...] = ("end", 1, (), {"hits": 0})

Question = Callable[[], kit.Ask]


@dataclass
class Raid(kit.Game):
    """Whose turn it is, and by day or by night."""

    seat: str = "north"
    night: bool = False

    def place(self) -> tuple[str, ...]:
        return ("Raid", "Night" if self.night else "Day")

    def seats(self) -> dict[str, str]:
        return {"north": "North", "south": "South"}


def fight(game: Raid, question: Question) -> kit.Procedure[None]:
    del game
    while (yield question()) not in ENDS:
        pass


@kit.section(title="Battle", lasting=True)
def battle(game: Raid, question: Question) -> kit.Procedure[None]:
    yield from fight(game, question)


def play(game: Raid, question: Question, ends: str) -> kit.Procedure[None]:
    while game.over is None:
        yield kit.MILESTONE
        yield from (battle if ends == "battle" else fight)(game, question)
        if ends == "turn":
            game.seat = OTHER[game.seat]
        elif ends == "phase":
            game.night = not game.night
        elif ends == "game":
            game.over = kit.Over("done", "It is over")


def variant(question: Question, ends: str, onward: dict[str, kit.Onward] | None = None) -> Variant:
    book = kit.Book(
        "raid", "Raid", "1", lambda settings: Raid(), lambda game: play(game, question, ends), onward=onward or {}
    )
    return Variant(book, None, {})


def choose(**how: Any) -> kit.Choose:
    return kit.Choose("fight.on", "Fight on?", OPTIONS, **how)


AT_ONCE = kit.Bundle("at-once", "End it at once", ("fight", "end"))
ENDING: dict[str, Question] = {
    "default": lambda: choose(default="end"),
    "remembered": choose,
    "bundle": lambda: choose(default="at-once", bundles=(AT_ONCE,)),
    "number": lambda: kit.Count("fight.on", "How many go?", 0, 3, default=1),
    "nothing picked": lambda: kit.Pick("fight.on", "Who fights on?", OPTIONS),
}
SOUND: dict[str, Question] = {
    "passing": lambda: choose(passing="end"),
    "default": lambda: choose(default="fight"),
    "number": lambda: kit.Count("fight.on", "How many go?", 0, 3, default=0),
    "some must be picked": lambda: kit.Pick("fight.on", "Who fights on?", OPTIONS, low=1),
    "fewest dice": lambda: kit.Roll("fight.on", "Roll", 2, low=0),
}
NAMES = {"game": "the game", "turn": "the turn", "phase": "Raid / (Day|Night)", "battle": "Battle"}


@pytest.mark.parametrize("ends", NAMES)
@pytest.mark.parametrize("by", ENDING)
def test_what_a_bare_select_ends_is_named(by: str, ends: str) -> None:
    with pytest.raises(NotConforming, match=f"fight.on: a bare Select .* ends {NAMES[ends]}$"):
        a_stray_select_ends_nothing(variant(ENDING[by], ends), 60, Report())


@pytest.mark.parametrize("ends", NAMES)
@pytest.mark.parametrize("by", SOUND)
def test_where_it_ends_nothing_the_book_conforms(by: str, ends: str) -> None:
    a_stray_select_ends_nothing(variant(SOUND[by], ends), 60, Report())
    a_stray_select_is_never_refused(variant(SOUND[by], ends), 60, Report())


@pytest.mark.parametrize(
    ("ends", "answers", "conforms"),
    [("phase", None, True), ("battle", ("end",), True), ("phase", ("hide",), False), ("turn", None, False)],
)
def test_an_exception_is_for_places_and_sections_alone(
    ends: str, answers: tuple[str, ...] | None, conforms: bool
) -> None:
    named = variant(ENDING["default"], ends, {"fight.on": kit.Onward("Night falls", *([answers] if answers else []))})
    with nullcontext() if conforms else pytest.raises(NotConforming):
        a_stray_select_ends_nothing(named, 60, Report())


def test_a_section_ends_by_a_select_where_every_answer_ends_it() -> None:
    """E1: and by none where another answer, and Select wherever it goes on, leave it open."""
    whole = kit.Options([("end", "End it"), ("hide", "Hide, then end it")])

    def over(game: Raid) -> kit.Procedure[None]:
        yield from hidden(game, "battle.left")

    @kit.section(title="Battle", lasting=True)
    def hidden(game: Raid, after: str) -> kit.Procedure[None]:
        del game
        if (yield kit.Choose("fight.on", "Fight on?", whole, default="end")) == "hide":
            yield kit.Choose(after, "And now?", kit.Options([("end", "End it")]), default="end")

    onward = {"fight.on": kit.Onward("Nobody is left"), "battle.left": kit.Onward("As `fight.on`")}
    for known, conforms in ((onward, True), ({"fight.on": onward["fight.on"]}, False)):
        book = kit.Book("raid", "Raid", "1", lambda settings: Raid(), rulings={"battle": over}, onward=known)
        open_left = pytest.raises(NotConforming, match="ends Battle, which another answer leaves open")
        with nullcontext() if conforms else open_left:
            a_stray_select_ends_nothing(Variant(book, "battle", {}), 60, Report())


@pytest.mark.long
@pytest.mark.parametrize("game", games.SHELF)
def test_no_default_ends_what_another_answer_leaves_open(game: str) -> None:
    """E1, by steps: deep enough for what is asked once in a long evening."""
    for each in variants(games.load(game)):
        a_stray_select_ends_nothing(each, 3000, Report())


def test_a_select_that_is_refused_is_named() -> None:
    refused = kit.Bundle("no", "No", ("no-such-option",))
    with pytest.raises(NotConforming, match=r"fight.on: a bare Select \(no\) is refused"):
        a_stray_select_is_never_refused(
            variant(lambda: choose(default="no", bundles=(refused,)), "turn"), 60, Report()
        )


@pytest.mark.parametrize("firm", [True, False])
def test_a_question_with_one_answer_is_for_cards_alone(*, firm: bool) -> None:
    shut = kit.Bar("F-X1", "Not here", firm=firm)
    numbers = lambda: kit.Count("fight.on", "How many?", 0, 3, lambda value: shut if value else None)  # noqa: E731
    options = lambda: choose(bar=lambda each: shut if each != "fight" else None)  # noqa: E731
    for question in (numbers, options):
        needless = pytest.raises(NotConforming, match=r"fight\.on is asked, though one answer is open")
        with needless if firm else nullcontext():
            no_question_has_one_answer(variant(question, "turn"), 60, Report())
        deciding = kit.decide(question(), cards=True)
        if firm:
            with pytest.raises(StopIteration) as decided:
                next(deciding)
            assert decided.value.value in (0, "fight")
        else:
            assert next(deciding).key == "fight.on"


@pytest.mark.parametrize("game", games.SHELF)
def test_the_box_sends_what_conformance_looks_at(game: str, tmp_path: Path) -> None:
    hand = random.Random(7)
    looked = seen = 0
    with Bench(tmp_path / "journal.db") as bench:
        bench.play(game)
        for _ in range(300):
            prompt, table = bench.prompt, bench.console.table
            if table.session is None or table.current.over is not None:
                break
            fresh = prompt is not None and prompt.n != seen and prompt.stands is None
            if prompt is not None and fresh and table.asking and isinstance(bench.console.stage.top, AskCard):
                seen = prompt.n
                if hand.random() < 0.6:
                    sending = select_sends(prompt, table.last_choice(prompt))
                    before = len(table.current.entries)
                    bench.key("select")
                    sent = [entry.answer for entry in table.current.entries[before:]]
                    assert tuple(sent) == (() if sending is None else sending.answers), prompt.ask
                    looked += 1
                    continue
            bench.key(hand.choice(("1", "2", "3", "4", "5", "6", "select", "seat-1", "seat-2", "seat-3", "seat-4")))
    assert looked >= 8
