"""Questions that need not be asked: where one answer is possible, nobody has to press for it."""

from __future__ import annotations

from referee.rulebook.asks import Choose
from referee.rulebook.sections import Procedure


def decide(ask: Choose) -> Procedure[str]:
    """Ask, unless exactly one option is open: then return its id without a question.

    For facts, where the barred options are not open to this table at all. What costs a player something, or what a
    card could open, is asked all the same: yield the question itself.
    """
    options = ask.options()
    if len(options) == 1:
        return options[0].id
    answer: str = yield ask
    return answer
