"""Questions that need not be asked: where one answer is possible, nobody has to press for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from referee.rulebook.asks import Bar, Choose, Count
from referee.rulebook.sections import Procedure


@overload
def decide(ask: Choose | Callable[[], Choose], *, cards: bool = False) -> Procedure[str]: ...
@overload
def decide(ask: Count | Callable[[], Count], *, cards: bool = False) -> Procedure[int]: ...
def decide(ask: Choose | Count | Callable[[], Choose | Count], *, cards: bool = False) -> Procedure[Any]:
    """Ask, unless exactly one answer is open: then return it without a question.

    For facts, where the barred answers are not open to this table at all. ``cards``: a card may say otherwise, so it
    is asked as long as one of them is not barred firmly. What costs a player something is asked all the same: yield
    the question itself.
    """
    bars: dict[Any, Bar | None]
    made = ask() if callable(ask) else ask
    if isinstance(made, Choose):
        bars = {option.id: None for option in made.options()} | {each.option.id: each.bar for each in made.barred()}
    else:
        bars = {number: made.bar(number) for number in range(made.low, made.high + 1)}
    answers = [answer for answer, bar in bars.items() if bar is None]
    soft = cards and any(bar is not None and not bar.firm for bar in bars.values())
    return answers[0] if len(answers) == 1 and not soft else (yield ask)
