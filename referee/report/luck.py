"""Luck, exactly: how often fair dice show as much as these did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

FAIR = Fraction(7, 2)


@dataclass(frozen=True, slots=True)
class Luck:
    """The dice of one seat: how many, their sum, and the share of fair evenings with as much, or as little."""

    seat: str
    dice: int
    total: int
    as_much: Fraction
    as_little: Fraction

    @property
    def average(self) -> Fraction:
        """Mean of the faces."""
        return Fraction(self.total, self.dice)

    @property
    def thrown(self) -> str:
        """How many dice were thrown, in words: five at once are five."""
        return "1 die" if self.dice == 1 else f"{self.dice} dice"

    @property
    def words(self) -> str:
        """How it compares with fair dice, in a sentence.

        >>> luck("Sauron", [6, 6]).words
        'Fair dice give a mean this high or higher on 2.8 % of evenings.'
        """
        low = self.as_little < self.as_much
        share = min(self.as_little, self.as_much)
        mean = "low or lower" if low else "high or higher"
        return f"Fair dice give a mean this {mean} on {_percent(share)} of evenings."

    @property
    def as_far(self) -> Fraction:
        """The share of fair evenings whose mean is as far from 3.5 as this, or farther, on either side."""
        return min(Fraction(1), 2 * min(self.as_much, self.as_little))

    @property
    def fairness(self) -> str:
        """What that says of the dice, in a sentence.

        >>> luck("Sauron", [6, 6]).fairness
        '2 dice, mean 6.00. Fair dice give a mean this far from 3.50 or farther on 5.6 % of evenings.'
        >>> luck("Sauron", [3]).fairness
        '1 die, mean 3.00. So many fair dice come no nearer to 3.50.'
        """
        far = f"Fair dice give a mean this far from 3.50 or farther on {_percent(self.as_far)} of evenings."
        near = "So many fair dice come no nearer to 3.50."
        return f"{self.thrown}, mean {float(self.average):.2f}. {near if self.as_far == 1 else far}"


def luck(seat: str, faces: Iterable[int]) -> Luck:
    """Return the luck of these faces, at least one."""
    shown = list(faces)
    total = sum(shown)
    ways = sums(len(shown))
    whole = 6 ** len(shown)
    least = total - len(shown)
    as_much, as_little = sum(ways[least:]), sum(ways[: least + 1])
    return Luck(seat, len(shown), total, Fraction(as_much, whole), Fraction(as_little, whole))


def sums(dice: int) -> tuple[int, ...]:
    """Return in how many ways so many dice show each sum, from the lowest on.

    >>> sums(2)
    (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    """
    ways = [1]
    for _ in range(dice):
        ways = [sum(ways[max(0, at - 5) : at + 1]) for at in range(len(ways) + 5)]
    return tuple(ways)


def _percent(share: Fraction) -> str:
    tenths = round(share * 1000)
    return f"{tenths // 10}.{tenths % 10} %" if tenths else "less than 0.1 %"
