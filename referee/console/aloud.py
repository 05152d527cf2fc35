"""What a voice says of the glass, for people who sit round the table and look elsewhere: sentences for the ear.

Options, odds and clocks are for the eyes; what was ruled, what is to be done and who is asked what is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from referee.console import views
from referee.console.views import View

SIGNS: Final = tuple(
    (re.compile(sign), words)
    for sign, words in (
        (r"\s*\b[A-Z]{2}-[A-Z]?\d+\b", ""),  # the id of a rule
        (r"(?<=[A-Za-z])/(?=[A-Za-z])", " or "),
        (r"(?<=\d)/-", ", no body"),
        (r"(?<=\d)/(?=(?:36|216|1296)\b)", " in "),
        (r"(?<=\d)/(?=\d)", ", "),
        (r"(?<![\w)])[-\N{MINUS SIGN}](?=\d)", "minus "),
        (r"(?<=\d)\s*[-\N{EN DASH}]\s*(?=\d)", " to "),
        (r"(?<=\d)\+(?!\s?\d)", " or more"),
        (r"\s*\+\s*", " plus "),
        (r"\s*\N{RIGHTWARDS ARROW}\s*", " to "),
        (r"\s+v\s+|(?<=\d):(?=\d)", " against "),
        (r"\s*\N{GREATER-THAN OR EQUAL TO}\s*", " at least "),
        (r"\s*=\s*", " equals "),
        (r"\s*>\s*", " beats "),
        (r"\N{MULTIPLICATION SIGN}\s*(?=\d)", "times "),
        (r"[^\w\s.,:;?!'()-]", " "),
    )
)
"""Signs that are read with the eyes, and the words for them; what has none is left out."""


def aloud(view: View) -> str:
    """Return what a voice says when this comes onto the glass, "" for nothing.

    >>> aloud(views.Ruling("Defender out", True, (5, 4), "9", "A, 3+"))
    'Defender out. Dice 5 and 4. Total 9. A, 3 or more.'
    >>> aloud(views.Grid(views.Band("Sauron", "kind?"), (views.Cell("Orc"),), 0, side=("Which attack?",)))
    'Sauron. Which attack?'
    >>> aloud(views.Ruling("Losses 2→1", True))
    'Losses 2 to 1.'
    >>> aloud(views.Confirm("Card says", "Override RR-X02: Riddle"))
    'Card says. Override: Riddle. Hold Select for 1 second.'
    """
    return " ".join(sentence for sentence in map(_sentence, _SAYS[type(view)](view)) if sentence)


def _sentence(text: str) -> str:
    for sign, words in SIGNS:
        text = sign.sub(words, text)
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".,;:?!" else f"{text}."


def _about(head: str, text: str) -> Iterable[str]:
    """Return both, or the text alone where it begins with the same words."""
    return (text,) if re.match(rf"{re.escape(head)}\b", text) else (head, text)


def _question(view: views.Grid | views.Rows | views.Pick | views.Count) -> Iterable[str]:
    return view.band.seat, *_about(view.band.left, view.side[0] if view.side else view.band.right)


def _dice(view: views.Dice) -> Iterable[str]:
    if view.doubts:
        return view.band.seat, view.foot_left, view.foot_right
    if view.keyed or view.faces[0] is not None:
        return ()  # whoever keys them in sees them
    count = len(view.faces)
    return view.band.seat, view.band.left, "Roll 1 die" if count == 1 else f"Roll {count} dice"


def _ruling(view: views.Ruling) -> Iterable[str]:
    if view.to_do:
        return view.headline, *view.to_do
    faces = " and ".join(str(face) for face in view.faces)
    dice = f"Dice {faces}" if faces else ""
    total = f"Total {view.total}" if view.total.isdigit() else view.total
    return view.headline, dice, total, view.need, view.foot_left


_SAYS: Final[dict[type[View], Callable[[Any], Iterable[str]]]] = {
    views.Grid: _question,
    views.Rows: _question,
    views.Pick: _question,
    views.Count: _question,
    views.Question: lambda v: (v.band.seat, *_about(v.band.left, v.text)),
    views.Dice: _dice,
    views.Ruling: _ruling,
    views.Why: lambda v: v.lines,
    views.Log: lambda v: (),  # noqa: ARG005
    views.Refusal: lambda v: (v.title, v.text),
    views.Idle: lambda v: (v.title, v.subtitle),
    views.Notice: lambda v: (v.text,),
    views.Confirm: lambda v: (v.title, v.text, views.HOLD),
    views.Odds: lambda v: (),  # noqa: ARG005
    views.Clocks: lambda v: (),  # noqa: ARG005
    views.Code: lambda v: (),  # noqa: ARG005
    views.Blank: lambda v: (),  # noqa: ARG005
}
