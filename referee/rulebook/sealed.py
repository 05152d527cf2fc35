"""Questions that several seats answer in secret, in whatever order: nobody is told an answer until all are in."""

from __future__ import annotations

from collections.abc import Mapping

from referee.rulebook.asks import Ask, Roll


class Sealed:
    """What is yielded for it; the procedure receives a dictionary: seat -> answer.

    ``asks``  seat -> its question, in the order in which the table is asked
    """

    __slots__ = ("asks",)

    def __init__(self, *asks: Ask) -> None:
        """Take one question of each seat. Raises ValueError for a roll, bundles, no seat, or a seat twice."""
        self.asks: Mapping[str, Ask] = {ask.seat: ask for ask in asks if ask.seat}
        if not asks or len(self.asks) != len(asks):
            raise ValueError("expected questions in secret, one of each seat, that `seat=` names")
        for ask in asks:
            if isinstance(ask, Roll) or ask.bundles():
                raise ValueError(f"{ask.key}: neither dice nor bundles can be a secret")
