"""The log of a game in words, with the reasons; undone lines stay in it and are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.rulebook import BACK, Ask, Choose, Count, Event, Over, Pick, Roll, Ruling, Short, after, joined, whole
from referee.rulebook.wording import shortened


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log.

    ``seq``     number of the entry it belongs to
    ``kind``    kind of that entry, ``correct`` where it takes a throw back to correct it; ``told`` for an answer in
                secret that is told with it, ``ruling``, ``reminder`` or ``over`` for what followed from it
    ``why``     what a ruling orders, and the lines that explain it
    ``undone``  whether it has been taken back
    ``by``      seat whose button it was, where that is known
    ``dice``    of a throw: where its faces came from, in words; "" if all were keyed in at the box
    ``place``   where the sequence of play stood before that entry, outermost first
    ``event``   the ruling or the reminder itself; programs do not get it
    """

    seq: int
    seat: str
    kind: str
    text: str
    why: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    undone: bool = False
    mode: str = ""
    source: str = ""
    at: float = 0.0
    wall: float = 0.0
    by: str = ""
    dice: str = ""
    place: tuple[str, ...] = ()
    event: Event | None = field(default=None, compare=False)

    def after(self, seat: str) -> str:
        """Return its whole words as they stand after those of its seat; what followed stands by itself."""
        return whole(self.text) if self.kind in ("ruling", "reminder", "over") else after(seat, self.text)

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {name: plain_answer(getattr(self, name)) for name in self.__slots__ if name != "event"}


def asked(question: str, answer: str) -> str:
    """Return an answer as people would say it, after the question it answers."""
    return shortened(_after(question, answer), _whole_after, question, answer)


def _whole_after(question: str, answer: str) -> str:
    return _after(whole(question), whole(answer))


def _after(question: str, answer: str) -> str:
    return (" " if question.endswith(("?", ":")) else ": ").join(filter(None, (question, answer)))


def answer_words(ask: Ask, answer: Any) -> str:
    """Return an answer to a question as people would say it."""
    if answer == BACK and not (isinstance(ask, Choose) and BACK in ask.among.by_id):
        return "back"
    if isinstance(ask, Choose):
        return ask.among.by_id[answer].text
    if isinstance(ask, Pick):
        return joined(", ", (ask.among.by_id[each].text for each in answer)) if answer else "none"
    if isinstance(ask, Count):
        return joined(" ", (str(answer), ask.one if answer == 1 else ask.unit))
    if isinstance(ask, Roll) and ask.tally and isinstance(answer, (int, Mapping)):
        number = answer[ask.tally] if isinstance(answer, Mapping) else answer
        return f"{number} {ask.tally.removesuffix('s') if number == 1 else ask.tally}"
    return f"total {answer}" if isinstance(answer, int) else joined(Short(" ", ", "), map(str, answer)) or "none"


def plain_answer(answer: Any) -> Any:
    """Return an answer as JSON has it."""
    return list(answer) if isinstance(answer, (list, tuple)) else answer


def plain(value: object) -> str:
    """Return a counter's value as people say it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def event_line(event: Event) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """Return kind, text, why and rules of a ruling or a reminder."""
    if isinstance(event, Ruling):
        return "ruling", event.headline, (*event.to_do, *event.why), event.rules
    return "reminder", event.text, (), (event.rule,)


def summary(events: Sequence[Event], over: Over | None) -> dict[str, Any] | None:
    """Return what an entry keeps of what followed: rulings and the end, None if neither."""
    if not events and over is None:
        return None
    parts: dict[str, Any] = {}
    rulings = [
        {"result": e.result, "headline": e.headline, "rules": list(e.rules)} for e in events if isinstance(e, Ruling)
    ]
    if rulings:
        parts["rulings"] = rulings
    if over is not None:
        parts["over"] = {"reason": over.reason, "winners": list(over.winners)}
    return parts or None
