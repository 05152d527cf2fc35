"""How sharp a comparison is: rules of an oracle are broken one after another, and each must be noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from tests.oracles.report import Report

Rule = Any
Broken = Mapping[str, tuple[str, Callable[[Rule], Rule]]]
"""What is broken -> the name of the rule (a function or a table), and what makes a broken one of the sound one."""


class Compared(Protocol):
    """Compares so many answers, and stops at so many divergences."""

    def __call__(self, answers: int, seed: int, *, most_divergences: int) -> Report: ...


@contextmanager
def broken(rules: object, name: str, breaking: Callable[[Rule], Rule]) -> Iterator[None]:
    """Let the oracle play by a broken rule of that module."""
    sound = getattr(rules, name)
    setattr(rules, name, breaking(sound))
    try:
        yield
    finally:
        setattr(rules, name, sound)


def unnoticed(rules: object, table: Broken, compared: Compared, answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal; sound ones must agree with the rulebook."""
    assert not compared(answers, seed, most_divergences=1).divergences
    missed = []
    for what, (name, breaking) in table.items():
        with broken(rules, name, breaking):
            if not compared(answers, seed, most_divergences=1).divergences:
                missed.append(what)
    return missed
