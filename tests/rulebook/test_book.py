"""A book: its switches in every spelling, its procedures by name, and the sections they cite."""

from __future__ import annotations

import pytest

from referee.errors import BadSetting, UnknownRuling
from referee.rulebook import Book, Game, Procedure, Section, Switch, breadcrumb, cited, section
from tests.rulebook import duel

SWITCH = Switch("fog", "Fog?", (False, True))


@pytest.mark.parametrize("word", [True, "on", "ON", "true", "Yes", "1"])
def test_a_switch_is_turned_on_in_every_usual_spelling(word: object) -> None:
    assert SWITCH.parse(word) is True


@pytest.mark.parametrize("word", [1, 0, None, "maybe", "", [True], 1.0])
def test_a_switch_takes_nothing_else(word: object) -> None:
    with pytest.raises(BadSetting, match="fog: expected one of off, on; got"):
        SWITCH.parse(word)


def test_settings_are_complete_and_known_by_every_name() -> None:
    book = duel.BOOK
    assert book.settings({}) == {"rain": False, "pace": 1}
    assert book.settings({"wet": "on"}) == book.settings({"rain": True}) == {"rain": True, "pace": 1}
    with pytest.raises(BadSetting, match="duel has no switch 'snow'; known: rain, pace"):
        book.settings({"snow": True})
    with pytest.raises(BadSetting, match=r"known: none$"):
        Book("a", "A", "1", lambda s: Game()).settings({"snow": True})


def test_procedures_are_found_by_name() -> None:
    assert duel.BOOK.procedure(None) is duel.play
    assert duel.BOOK.procedure("shot") is duel.shot
    with pytest.raises(UnknownRuling, match="duel has no ruling 'stab'; it offers: shot"):
        duel.BOOK.procedure("stab")
    with pytest.raises(UnknownRuling, match="it offers: none"):
        Book("a", "A", "1", lambda s: Game()).procedure("stab")
    with pytest.raises(UnknownRuling, match="has only single rulings: shot"):
        Book("a", "A", "1", lambda s: Game(), rulings={"shot": duel.shot}).procedure(None)


def test_the_breadcrumb_is_the_chain_of_open_sections() -> None:
    @section("T-1", "T-2", title="The outer one")
    def outer() -> Procedure[None]:
        yield "first"
        yield from plain()
        yield "last"

    def plain() -> Procedure[None]:
        yield from inner_most()

    @section("T-3")
    def inner_most() -> Procedure[None]:
        yield "second"

    running = outer()
    seen = [breadcrumb(running) for _ in running]
    first, inner = Section(("T-1", "T-2"), "The outer one"), Section(("T-3",), "Inner most")
    assert seen == [(first,), (first, inner), (first,)]
    assert {"T-1", "T-2", "T-3", "DU-1", "DU-2", "DU-3"} <= cited()


def test_a_switch_set_under_two_of_its_names_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"rain is set twice, as 'rain' and 'wet'$"):
        duel.BOOK.settings({"rain": True, "wet": False, "pace": 2})
