"""What a voice says of the glass, for people who sit round the table and look elsewhere: sentences for the ear.

Options, odds and clocks are for the eyes; what was ruled, what is to be done and who is asked what is said, in the
whole words of what stands there in short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from referee.console import views
from referee.console.views import View
from referee.rulebook import after, phrase, whole

SIGNS: Final = tuple(
    (re.compile(sign), words)
    for sign, words in (
        (r"\s*\([A-Z]+-[A-Z]*\d+\)|\s*\b[A-Z]+-[A-Z]*\d+\b:?", ""),  # the id of a rule
        (r"(?<=[A-Za-z])/(?=[A-Za-z])", " or "),
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
        (r"\s*\.\.\.", " and so on"),
        (r"[^\w\s.,:;?!'()-]", " "),
    )
)
"""Signs that are read with the eyes, and the words for them; what has none is left out."""

WANTED: Final = re.compile(r"\d+\+? [a-z]")
"""A number that is wanted of the dice, and what it does: no sentence by itself."""

UNNAMED: Final = re.compile(r"[^\w\s.'()-]")
"""What is not said of the name of a person."""


def aloud(view: View) -> str:
    """Return what a voice says when this comes onto the glass, "" for nothing.

    >>> aloud(views.Ruling("Defender out", True, (5, 4), "9", "A, 3+"))
    'Defender out. The dice show 5 and 4. The total is 9. A, 3 or more.'
    >>> aloud(views.Grid(views.Band("Sauron", "kind?"), (views.Cell("Orc"),), 0, question="Which attack?"))
    'Sauron. Which attack?'
    >>> aloud(views.Ruling("Losses 2→1", True))
    'Losses 2 to 1.'
    >>> aloud(views.Confirm("Concede", "Sauron gives up"))
    'Concede. Sauron gives up. Hold Select for 1 second.'
    """
    return " ".join(dict.fromkeys(filter(None, map(sentence, _SAYS[type(view)](view)))))


def sentence(text: str) -> str:
    """Return the whole words of a text as a sentence for the ear, "" where it has none.

    >>> sentence("7+4=11 > 8")
    '7 plus 4 equals 11 beats 8.'
    """
    text = whole(text)
    for sign, words in SIGNS:
        text = sign.sub(words, text)
    text = " ".join(text.split()).replace("( ", "(")
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".?!" else f"{text.rstrip(',;:')}."


def about(head: str, text: str) -> tuple[str, str]:
    """Return both in whole words, none of which names what the other has named: "" for a head that is in the text.

    >>> about("Orc", "Orc attacks whom?"), about("Frodo against 8", "Frodo: what next?")
    (('', 'Orc attacks whom?'), ('Frodo against 8', 'What next?'))
    """
    head, text = whole(head), whole(text)
    if re.search(rf"(?<!\w){re.escape(head)}(?!\w)", text):
        return "", text
    subject = text.partition(": ")[0]
    return head, after(subject, text) if re.match(rf"{re.escape(subject)}(?!\w)", head) else text


def called(seat: str, player: str) -> str:
    """Return what a voice calls a seat: with who plays it, as typed but for signs that would be read as words.

    >>> called("Saruman", "Anna"), called("Saruman", "Anna+Ben/2"), called("Saruman", "")
    ('Saruman, Anna', 'Saruman, Anna Ben 2', 'Saruman')
    """
    return ", ".join(filter(None, (whole(seat), " ".join(UNNAMED.sub(" ", player).split()))))


def _asked(band: views.Band, *said: str) -> Iterable[str]:
    """Return what is said to the seat that is asked: its name first, with its player's where that is to be said."""
    if not band.call:
        return band.seat, *said
    seat, player = band.call
    return called(seat, player), *(after(seat, text) for text in said if whole(text) != whole(seat))


def _question(view: views.Grid | views.Rows | views.Pick | views.Count) -> Iterable[str]:
    return _asked(view.band, *about(view.band.left, view.question or view.band.right))


def _dice(view: views.Dice) -> Iterable[str]:
    if view.doubts:
        return _asked(view.band, view.foot_left, view.foot_right)
    if view.keyed or view.faces[0] is not None:
        return ()  # whoever keys them in sees them
    count = len(view.faces)
    roll = "Roll 1 die" if count == 1 else f"Roll {count} dice"
    return _asked(view.band, view.band.left, roll if view.sides == 6 else f"{roll} of {view.sides} sides")


def _ruling(view: views.Ruling) -> Iterable[str]:
    if view.to_do:
        return view.headline, *view.to_do
    dice = f"The dice show {listed(view.faces)}" if view.faces else ""
    total = f"The total is {view.total}" if view.total.isdigit() else view.total
    need = f"A throw of {whole(view.need)}" if WANTED.match(whole(view.need)) else view.need
    return view.headline, dice, total, need, view.foot_left


def listed(faces: Iterable[int]) -> str:
    """Return the faces of a throw as they are said.

    >>> listed((5, 4, 1)), listed((3,))
    ('5, 4 and 1', '3')
    """
    *rest, last = map(str, faces)
    return f"{', '.join(rest)} and {last}" if rest else last


def _idle(view: views.Idle) -> Iterable[str]:
    """Return title and subtitle as one sentence, who does what and where, if there is nothing else to be said."""
    if view.says:
        return view.says
    between = " " if whole(view.subtitle)[:1].islower() else ": " if view.subtitle else ""
    return (phrase("{}{}{}", view.title, between, view.subtitle),)


_SAYS: Final[dict[type[View], Callable[[Any], Iterable[str]]]] = {
    views.Grid: _question,
    views.Rows: _question,
    views.Pick: _question,
    views.Count: _question,
    views.Question: lambda v: _asked(v.band, *about(v.band.left, v.text)),
    views.Dice: _dice,
    views.Ruling: _ruling,
    views.Why: lambda v: v.lines,
    views.Log: lambda v: (),  # noqa: ARG005
    views.Refusal: lambda v: (v.title, v.text),
    views.Idle: _idle,
    views.Notice: lambda v: (v.text,),
    views.Confirm: lambda v: (v.title, v.text, views.HOLD),
    views.Odds: lambda v: (),  # noqa: ARG005
    views.Clocks: lambda v: (),  # noqa: ARG005
    views.Code: lambda v: (),  # noqa: ARG005
    views.Blank: lambda v: (),  # noqa: ARG005
}
