"""Odds compared with the throws: each throw is made on a running game, and taken back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Final, NamedTuple

from referee.rulebook import Choose, Odds, Play, Roll, Ruling

SETS: Final = 1300
"""Sets of faces tried of one throw: up to eight six-sided dice, two of twenty sides."""

ORDERED: Final = 7776
"""Throws tried where it matters which die shows what: up to five six-sided dice."""

STATES: Final = 4
"""Dice of a throw that is compared by the states that follow: they are put together to the odds, which takes long."""

CHAIN: Final = 1500
"""Throws tried of rolls that follow one another until a ruling is given: two of two dice."""


class NotCompared(Exception):
    """Odds that cannot be compared with throws; its text says why."""


class Compared(NamedTuple):
    """What came of it.

    ``throws``  throws of the dice that were compared
    ``tried``   answers that this took
    ``differs`` what differs, "" for nothing
    """

    throws: int
    tried: int
    differs: str


def compare(play: Play, odds: Odds) -> Compared:
    """Make every throw of the pending `Roll` and compare what follows with ``odds``. Raises NotCompared."""
    ask = play.ask
    assert isinstance(ask, Roll)
    trial = _Trial(play, {chance.id for chance in odds})
    results = trial.results(1)
    throws = ask.sides**ask.dice
    if results.keys() == {""}:
        return Compared(throws, trial.tried, _compared_by_what_follows(play, odds))
    if "" in results:
        raise NotCompared(f"{float(results['']):.0%} of the throws lead to {trial.stopped_at} before a ruling")
    wrong = next((chance for chance in odds if results.get(chance.id, 0) != chance.chance), None)
    if wrong is None:
        return Compared(throws, trial.tried, "")
    if trial.assumed:
        raise NotCompared(f"they depend on the answer to {trial.assumed}")
    text = f"the odds give {wrong.id} {wrong.chance}, the throws {results.get(wrong.id, 0)}"
    return Compared(throws, trial.tried, text)


class _Trial:
    """All throws of one roll, tried; what follows them is looked for among the results of the odds.

    ``tried``       answers given
    ``assumed``     a question between throw and ruling that was answered as Select would
    ``stopped_at``  a question at which the trial went no further
    """

    def __init__(self, play: Play, ids: set[str]) -> None:
        self._play = play
        self._ids = ids
        self.tried = 0
        self.assumed = ""
        self.stopped_at = ""

    def results(self, before: int) -> dict[str, Fraction]:
        """Return the chance of each result after the pending roll, and of none of them under "".

        A throw that leads to another roll is followed. ``before``: throws that lead here.
        """
        ask = self._play.ask
        assert isinstance(ask, Roll)
        throws = ask.sides**ask.dice
        tried = before * (throws if ask.dice <= 2 else _set_count(ask))
        total: dict[str, Fraction] = {}
        for found, ways in _throws(ask, lambda faces: self._after(faces, tried)):
            for result, chance in found.items():
                total[result] = total.get(result, Fraction(0)) + chance * ways / throws
        return total

    def _after(self, faces: list[int], tried: int) -> dict[str, Fraction]:
        play = self._play
        here = len(play.moves)
        result = self._answer(faces)
        between = ""
        if not result and isinstance(play.ask, Choose) and (options := play.ask.options()):
            lit = play.ask.default
            between = play.ask.key
            result = self._answer(lit if lit in {option.id for option in options} else options[0].id)
        if (
            result
            or play.ask is None
            or not isinstance(play.ask, Roll)
            or tried * play.ask.sides**play.ask.dice > CHAIN
        ):
            found = {result: Fraction(1)}
            self.stopped_at = self.stopped_at or (
                "" if result else between or (play.ask.key if play.ask else "the end")
            )
        else:
            found = self.results(tried)
        self.assumed = self.assumed or (between if "" not in found else "")
        play.rewind(here)
        return found

    def _answer(self, answer: object) -> str:
        self.tried += 1
        ruled = [event.result for event in self._play.answer(answer) if isinstance(event, Ruling)]
        return next((each for each in ruled if each in self._ids), "")


def _throws(
    ask: Roll, after: Callable[[list[int]], dict[str, Fraction]]
) -> Iterable[tuple[dict[str, Fraction], int]]:
    """Return what follows each throw, and how many throws that stands for.

    Faces in another order are the same throw, unless what follows differs (two dice of two sides in one roll, say).
    """
    ordered = product(range(1, ask.sides + 1), repeat=ask.dice)
    if ask.dice <= 2:
        return [(after(list(faces)), 1) for faces in ordered]
    unordered = []
    for faces, ways in _sets(ask):
        found = after(list(faces))
        if any(after(list(other)) != found for other in _other_orders(faces)):
            break
        unordered.append((found, ways))
    else:
        return unordered
    if ask.sides**ask.dice > ORDERED:
        raise NotCompared(f"{ask.dice} dice whose order matters are too many to try each throw")
    return [(after(list(faces)), 1) for faces in ordered]


def _set_count(ask: Roll) -> int:
    return comb(ask.dice + ask.sides - 1, ask.dice)


def _sets(ask: Roll) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each set of faces, ascending, and in how many orders it can fall."""
    if _set_count(ask) > SETS:
        raise NotCompared(f"{ask.dice} dice are too many to try each throw")
    for faces in combinations_with_replacement(range(1, ask.sides + 1), ask.dice):
        yield faces, factorial(ask.dice) // prod(factorial(faces.count(face)) for face in set(faces))


def _other_orders(faces: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    """Return other orders of these faces, in which each die shows another face once where there are two."""
    return ({faces[i:] + faces[:i] for i in range(1, len(faces))} | {faces[::-1]}) - {faces}


def _compared_by_what_follows(play: Play, odds: Odds) -> str:
    """Compare odds that no ruling names (hits that wait for a casualty, say) by the states that follow the throws."""
    ask, here = play.ask, len(play.moves)
    assert isinstance(ask, Roll)
    throws = ask.sides**ask.dice
    if any((chance.chance * throws).denominator > 1 for chance in odds):
        raise NotCompared("they are the odds of what another throw decides")
    if ask.dice > STATES:
        raise NotCompared(f"no ruling names their outcomes, and {ask.dice} dice lead to too many states")
    follows: Counter[str] = Counter()
    for faces, ways in _sets(ask):
        ruled = [event.result for event in play.answer(list(faces)) if isinstance(event, Ruling)]
        follows[json.dumps([ruled, play.ask.key if play.ask else "", play.game.as_json()])] += ways
        play.rewind(here)
    wanted = tuple(int(chance.chance * throws) for chance in odds)
    shares = tuple(sorted(follows.values(), reverse=True))
    if _adds_up(shares, wanted):
        return ""
    if _adds_up(tuple(sorted(filter(None, wanted), reverse=True)), shares):
        raise NotCompared("different outcomes leave the same state")
    return f"the odds ({wanted} of {throws}) cannot be made of what follows from the throws ({shares})"


@lru_cache(maxsize=4096)
def _adds_up(parts: tuple[int, ...], sums: tuple[int, ...]) -> bool:
    """Whether the parts can be put together to these sums, all of them used."""
    if not parts:
        return not any(sums)
    rests = {(*sums[:i], each - parts[0], *sums[i + 1 :]) for i, each in enumerate(sums) if each >= parts[0]}
    return any(_adds_up(parts[1:], tuple(sorted(rest))) for rest in rests)
