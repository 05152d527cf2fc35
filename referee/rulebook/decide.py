"""Questions that need not be asked: where one answer is possible, nobody has to press for it."""

from __future__ import annotations

from typing import Any, overload

from referee.rulebook.asks import Choose, Count
from referee.rulebook.sections import Procedure


@overload
def decide(ask: Choose) -> Procedure[str]: ...
@overload
def decide(ask: Count) -> Procedure[int]: ...
def decide(ask: Choose | Count) -> Procedure[Any]:
    """Ask, unless exactly one answer is open: then return it without a question.

    For facts, where the barred answers are not open to this table at all. What costs a player something, or what a
    card could open, is asked all the same: yield the question itself.
    """
    if isinstance(ask, Choose):
        answers: list[Any] = [option.id for option in ask.options()]
    else:
        answers = [number for number in range(ask.low, ask.high + 1) if ask.bar(number) is None]
    return answers[0] if len(answers) == 1 else (yield ask)
