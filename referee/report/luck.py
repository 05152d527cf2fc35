"""Luck, exactly: the probability that fair dice show as much as these did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext

FAIR = 3.5
"""Mean of a fair die."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The dice of one seat: how many, their sum, and the chance of that sum or a more extreme one on its side.

    ``tenths``  that chance with fair dice, in tenths of a per cent, rounded
    """

    seat: str
    dice: int
    total: int
    tenths: int

    @property
    def average(self) -> float:
        """Mean of the faces."""
        return self.total / self.dice

    @property
    def words(self) -> str:
        """How it compares with fair dice, in a sentence.

        >>> luck("Sauron", [6, 6]).words
        'Fair dice give a mean this high or higher on 2.8 % of evenings.'
        """
        mean = "low or lower" if 2 * self.total < 7 * self.dice else "high or higher"
        share = f"{self.tenths // 10}.{self.tenths % 10} %" if self.tenths else "less than 0.1 %"
        return f"Fair dice give a mean this {mean} on {share} of evenings."


def luck(seat: str, faces: Iterable[int]) -> Luck:
    """Return the luck of these faces, at least one."""
    shown = list(faces)
    dice, total = len(shown), sum(shown)
    least = min(total, 7 * dice - total)  # as many throws are this far above the mean as below it
    return Luck(seat, dice, total, round(1000 * at_most(dice, least)))


def at_most(dice: int, total: int) -> Decimal:
    """Return the chance that so many fair dice show this sum or less, to more than thirty digits.

    The chances of the sums are the coefficients of g^dice, where g = (1 + x + ... + x^5) / 6. As g (g^dice)' =
    dice g' g^dice, each follows from the five before it, so this takes as many steps as there are sums.

    >>> [round(36 * at_most(2, total)) for total in range(2, 13)]
    [1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]
    """
    with localcontext(prec=40, Emin=MIN_EMIN, Emax=MAX_EMAX):
        chance = together = Decimal(6) ** -dice
        before = [Decimal(0)] * 4 + [chance]
        for more in range(1, total - dice + 1):
            chance = sum((back * (dice + 1) - more) * before[-back] for back in range(1, 6)) / Decimal(more)
            before = [*before[1:], chance]
            together += chance
        return +together
