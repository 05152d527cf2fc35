"""Sections: procedures that carry the number of the rule they follow, and the live breadcrumb they form.

A section costs nothing while a game runs. The decorator only notes which code belongs to which rule; where the
game stands is read off the chain of suspended generators (``gi_yieldfrom``) when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import CodeType
from typing import Any, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Procedure = Generator[Any, Any, R]
"""A rulebook procedure: yields questions, receives answers, returns an R."""


class Section(NamedTuple):
    """One section of the printed rules: the ids it follows, and its name in the breadcrumb."""

    rules: tuple[str, ...]
    title: str


_sections: dict[CodeType, Section] = {}


def section(*rules: str, title: str = "") -> Callable[[Callable[P, Procedure[R]]], Callable[P, Procedure[R]]]:
    """Mark a procedure as the section that follows these rules; ``title`` names it in the breadcrumb."""

    def mark(procedure: Callable[P, Procedure[R]]) -> Callable[P, Procedure[R]]:
        _sections[procedure.__code__] = Section(rules, title or procedure.__name__.replace("_", " ").capitalize())
        return procedure

    return mark


def breadcrumb(running: Generator[Any, Any, Any]) -> tuple[Section, ...]:
    """Return the sections a suspended procedure stands in, outermost first."""
    crumbs: list[Section] = []
    inner: Any = running
    while inner is not None:
        here = _sections.get(getattr(inner, "gi_code", None))  # type: ignore[arg-type]
        if here is not None:
            crumbs.append(here)
        inner = getattr(inner, "gi_yieldfrom", None)
    return tuple(crumbs)


def cited() -> frozenset[str]:
    """Return the rule ids of all sections that have been imported."""
    return frozenset(rule for each in _sections.values() for rule in each.rules)
