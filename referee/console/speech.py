"""What is said of the glass: to a screen reader, by a voice, and on the card of the panel.

A voice speaks to people who sit round the table and look elsewhere. Options, odds and clocks are for the eyes; what
was ruled, what is to be done and who is asked what is said, in the whole words of what stands there in short.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from referee.rulebook import after, whole

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

UNNAMED: Final = re.compile(r"[^\w\s.'()-]")
"""What is not said of the name of a person."""

_GLUED: Final = re.compile(r"(?<=:)\.(?= )|(?<=\w[?!])\.(?= [A-Za-z])|(?<=\.)\.(?= )")
"""Full stops after what ends a text already. Before the number of an option one stays, so that a reader rests."""


class Speech(NamedTuple):
    """What a view says.

    ``title``, ``text``  whom or what it is about, and what it asks or tells
    ``shown``   all that stands there, in order
    ``voiced``  what of it a voice says; nothing where people look
    """

    title: str
    text: str
    shown: tuple[str, ...]
    voiced: tuple[str, ...] = ()

    @property
    def spoken(self) -> str:
        """All of it as a screen reader should say it."""
        return _GLUED.sub("", ". ".join(filter(None, self.shown)))

    @property
    def aloud(self) -> str:
        """What a voice says when this comes onto the glass, "" for nothing."""
        return " ".join(dict.fromkeys(filter(None, map(sentence, self.voiced))))


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


def listed(faces: Iterable[int]) -> str:
    """Return the faces of a throw as they are said.

    >>> listed((5, 4, 1)), listed((3,))
    ('5, 4 and 1', '3')
    """
    *rest, last = map(str, faces)
    return f"{', '.join(rest)} and {last}" if rest else last
