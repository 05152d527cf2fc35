"""Sections: procedures that carry the numbers of their rules, and the breadcrumb of the open ones.

The decorator only notes which code belongs to which rule; the breadcrumb is read from the chain of suspended
generators (``gi_yieldfrom``) when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from types import CodeType
from typing import Any, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Procedure = Generator[Any, Any, R]
"""A rulebook procedure: yields questions, receives answers, returns an R."""


class Section(NamedTuple):
    """One section of the printed rules: the ids it follows, and its name in the breadcrumb.

    ``lasting``: a battle, say, that no stray Select may end
    """

    rules: tuple[str, ...]
    title: str
    lasting: bool = False


_sections: dict[CodeType, Section] = {}


def section(
    *rules: str, title: str = "", lasting: bool = False
) -> Callable[[Callable[P, Procedure[R]]], Callable[P, Procedure[R]]]:
    """Mark a procedure as the section that follows these rules; ``title`` names it in the breadcrumb.

    ``lasting``: what Select sends as a question appears does not end it (a battle, say); conformance checks that.
    """

    def mark(procedure: Callable[P, Procedure[R]]) -> Callable[P, Procedure[R]]:
        name = title or procedure.__name__.replace("_", " ").capitalize()
        _sections[procedure.__code__] = Section(rules, name, lasting)
        return procedure

    return mark


def breadcrumb(running: Generator[Any, Any, Any]) -> tuple[Section, ...]:
    """Return the sections a suspended procedure stands in, outermost first."""
    return tuple(section for section, _ in _chain(running))


def lasting(running: Generator[Any, Any, Any]) -> tuple[tuple[Section, Procedure[Any]], ...]:
    """Return those that last, each with its procedure, a generator that is closed once it has ended."""
    return tuple((section, procedure) for section, procedure in _chain(running) if section.lasting)


def whereabouts(running: Generator[Any, Any, Any]) -> str:
    """Return the file and line at which a procedure is suspended."""
    *_, inner = _generators(running)
    return f"{inner.gi_code.co_filename}:{inner.gi_frame.f_lineno}"


def _generators(running: Any) -> Iterator[Any]:
    while running is not None:
        yield running
        running = getattr(running, "gi_yieldfrom", None)


def _chain(running: Generator[Any, Any, Any]) -> Iterator[tuple[Section, Procedure[Any]]]:
    for inner in _generators(running):
        here = _sections.get(getattr(inner, "gi_code", None))  # type: ignore[arg-type]
        if here is not None:
            yield here, inner


def cited() -> frozenset[str]:
    """Return the rule ids of all sections that have been imported."""
    return frozenset(rule for each in _sections.values() for rule in each.rules)
