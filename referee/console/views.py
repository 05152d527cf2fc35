"""What can stand on the glass: one frozen value for each kind of screen, which says itself.

A view says what is shown, `referee.console.drawing.screens` how. Text may be any length; whether it fits is told by
`screens.problems`. What a rulebook may ask for and nobody could draw raises `ValueError` with what was expected.

``question`` is what is asked, in a sentence, where the band has only room for a word: for the voice and the panel.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from referee.console.speech import Speech, about, called, listed
from referee.rulebook import after, phrase, whole, written

ROWS = 3
"""Rows of a list that stand on the glass together."""

_RULE: Final = re.compile(r"[A-Z]+-[A-Z]*\d+")
"""The id of a rule, or of a refusal that a rulebook names."""

_WANTED: Final = re.compile(r"\d+\+? [a-z]")
"""A number that is wanted of the dice, and what it does: no sentence by itself."""


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}: expected {low} to {high}")


@dataclass(frozen=True)
class Band:
    """The inverse line on top: who on the left, what on the right.

    ``clock``: the time that stands at its right end, in texts of which the first that leaves room for the others is
    shown.
    ``seat``: who is asked, before ``left`` in a tab of its own, where that names nobody or somebody else; ``short``:
    what the tab shows for want of room.
    ``call``: the seat and who plays it, as typed, where a voice is to name both: the glass does not show it.
    """

    left: str
    right: str = ""
    clock: tuple[str, ...] = field(default=(), repr=False)  # another every second
    seat: str = ""
    short: str = ""
    call: tuple[str, ...] = field(default=(), repr=False)

    @property
    def tab(self) -> str:
        return self.short or self.seat

    @property
    def shown(self) -> tuple[str, ...]:
        return self.seat, self.left, self.right

    def voiced(self, *said: str) -> tuple[str, ...]:
        """Return what is said to the seat that is asked: its name first, and its player's where that is news."""
        if not self.call:
            return self.seat, *said
        seat, player = self.call
        return called(seat, player), *(after(seat, text) for text in said if whole(text) != whole(seat))


@dataclass(frozen=True)
class Cell:
    """One option under a die key. Its number is its position, counted from 1.

    ``short`` is shown when ``text`` fits in no strike. ``barred``: known but not open now. ``chosen``: already
    picked. ``extra``: not an answer itself but a bundle of answers, or the way to more options.
    """

    text: str
    short: str = ""
    barred: bool = False
    chosen: bool = False
    extra: bool = False


@dataclass(frozen=True)
class View(ABC):
    """One screen."""

    @abstractmethod
    def speech(self) -> Speech:
        """Return what it says."""

    def timeless(self) -> Self:
        """Return it without the times that change by themselves: what is new about it is no mere second."""
        return self


@dataclass(frozen=True)
class _Banded(View):
    """A screen under a band."""

    band: Band

    def timeless(self) -> Self:
        return replace(self, band=replace(self.band, clock=())) if self.band.clock else self

    def _asking(self, question: str, *shown: str) -> Speech:
        title, text = about(self.band.left, question or self.band.right)
        voiced = self.band.voiced(title, text)
        if text.endswith("?"):
            text = text[:1].upper() + text[1:]
        return Speech(title, text, (*self.band.shown, *shown), voiced)


@dataclass(frozen=True)
class _Celled(_Banded):
    """Up to six cells. ``lit``: index of the cell Select sends."""

    cells: tuple[Cell, ...]
    lit: int | None = None
    page: int = 0
    pages: int = 1
    question: str = ""

    def speech(self) -> Speech:
        return self._asking(self.question, *_cells(self.cells, self.lit))


@dataclass(frozen=True)
class Grid(_Celled):
    """Up to six cells, two wide and three high, as the die keys lie. ``ticks``: several of them can be chosen."""

    ticks: bool = False


@dataclass(frozen=True)
class Rows(_Celled):
    """Up to six cells with long labels, three on the glass at a time: 1-3, or 4-6 when ``lit`` is among those.

    A cell keeps its number, and its die key works, whether its row is on the glass or not.
    """

    @property
    def first(self) -> int:
        """Index of the uppermost row on the glass: 0 or 3."""
        return 0 if self.lit is None else self.lit // ROWS * ROWS


@dataclass(frozen=True)
class Question(_Banded):
    """A sentence over one or two cells, side by side: yes or no, placed, go on."""

    text: str
    cells: tuple[Cell, ...]
    lit: int | None = None

    def speech(self) -> Speech:
        title, text = about(self.band.left, self.text)
        shown = self.band.seat, self.band.left, self.text, *_cells(self.cells, self.lit)
        return Speech(title, text, shown, self.band.voiced(title, text))


@dataclass(frozen=True)
class Dice(_Banded):
    """One to five dice being keyed in; None is a die still to come.

    ``need`` ("9+") and ``need_note`` ("kills") state before the throw what is needed. ``standing``: these faces were
    thrown before and stand. ``bar``: how far the hold that lets the box throw has come, 0 to 1. ``doubts``: indices
    of dice that were thrown and whose faces are not certain; None there is a die that shows no face.
    ``sides``: how many each has.
    """

    faces: tuple[int | None, ...]
    need: str = ""
    need_note: str = ""
    foot_left: str = ""
    foot_right: str = ""
    standing: bool = False
    bar: float | None = None
    question: str = ""
    doubts: tuple[int, ...] = ()
    sides: int = 6

    def __post_init__(self) -> None:
        _within("number of faces", len(self.faces), 1, 5)

    @property
    def keyed(self) -> int:
        """Index of the die keyed last, or of the first one when none is."""
        return max((i for i, face in enumerate(self.faces) if face is not None), default=0)

    def speech(self) -> Speech:
        """Return what is thrown, and what is needed; of faces that are keyed in, nothing to who keys them."""
        faces = " ".join(str(face) for face in self.faces if face is not None)
        state = f"{'rolled' if self.standing else 'keyed'} {faces}"
        if not faces:
            state = f"roll {len(self.faces)} {'dice' if self.sides == 6 else f'd{self.sides}'}"
        if self.doubts:
            marks = (
                f"{face or '?'}{'?' * (i in self.doubts and face is not None)}" for i, face in enumerate(self.faces)
            )
            state = "in doubt " + " ".join(marks)
        need = f"{self.need} {self.need_note}".strip()
        said = self._asking(self.question, state, need, self.foot_left, self.foot_right)
        need = " ".join(filter(None, (whole(self.need), whole(self.need_note))))
        return said._replace(
            text=said.text if said.text.endswith("?") or not need else f"{said.text}; {need}", voiced=self._voiced()
        )

    def _voiced(self) -> tuple[str, ...]:
        if self.doubts:
            return self.band.voiced(self.foot_left, self.foot_right)
        if self.faces[self.keyed] is not None:
            return ()
        count = len(self.faces)
        roll = "Roll 1 die" if count == 1 else f"Roll {count} dice"
        return self.band.voiced(self.band.left, roll if self.sides == 6 else f"{roll} of {self.sides} sides")


@dataclass(frozen=True)
class Count(_Banded):
    """A number from ``low`` to ``high``, set by the keys or the knob; None as long as it is not set.

    ``barred``: this value is not open now.
    """

    value: int | None
    low: int
    high: int
    foot_left: str = ""
    foot_right: str = ""
    barred: bool = False
    question: str = ""

    def __post_init__(self) -> None:
        _within("low", self.low, -99, 999)
        _within("high", self.high, self.low, 999)

    def speech(self) -> Speech:
        value = "no number yet" if self.value is None else str(self.value)
        return self._asking(self.question, f"{value}, from {self.low} to {self.high}", self.foot_left)


@dataclass(frozen=True)
class Ruling(View):
    """What was ruled. ``changed``: something on the table is different now.

    ``to_do``: up to two lines of what the players do now, in the place of dice, total and need.

    ``faces``: of dice of ``sides``; of other than six at most five.

    ``total`` is the reading of the dice: a plain number is shown as a sum ("= 9"), anything else ("2 hits") as it is.
    """

    headline: str
    changed: bool
    faces: tuple[int, ...] = ()
    total: str = ""
    need: str = ""
    foot_left: str = ""
    foot_right: str = ""
    to_do: tuple[str, ...] = ()
    sides: int = 6

    def __post_init__(self) -> None:
        _within("number of faces", len(self.faces), 0, 10 if self.sides == 6 else 5)

    def speech(self) -> Speech:
        faces = " and ".join(map(str, self.faces))
        dice = (faces and f"dice {faces}", self.total and f"total {self.total}", self.need)
        shown = (self.headline, *(self.to_do or dice), self.foot_left)
        if self.to_do:
            return Speech("Ruling", self.headline, shown, (self.headline, *self.to_do))
        dice = (
            f"The dice show {listed(self.faces)}" if self.faces else "",
            f"The total is {self.total}" if self.total.isdigit() else self.total,
            f"A throw of {whole(self.need)}" if _WANTED.match(whole(self.need)) else self.need,
        )
        return Speech("Ruling", self.headline, shown, (self.headline, *dice, self.foot_left))


@dataclass(frozen=True)
class Why(View):
    """One page of lines: the reasons of a ruling, say; ``rules`` are the rule ids on the right of the band.

    ``seat``: who is asked meanwhile, in the tab of the band.
    ``listed``: lines to look at, such as those of the log; no voice reads them, and no change of them is news.
    """

    page: int
    pages: int
    rules: str
    lines: tuple[str, ...]
    title: str = "Why"
    seat: str = ""
    listed: bool = False

    def timeless(self) -> Self:
        return replace(self, lines=()) if self.listed else self

    def speech(self) -> Speech:
        page = f"page {self.page + 1} of {self.pages}" if self.pages > 1 else ""
        shown = (self.seat, f"{self.title} {self.rules}".strip(), page, *self.lines)
        title = ", ".join(filter(None, (whole(self.title), page)))
        if self.listed:
            return Speech(title, "\n".join(map(whole, self.lines)), shown)
        return Speech(title, " ".join(filter(None, map(_line, self.lines))), shown, self.lines)


@dataclass(frozen=True)
class Refusal(View):
    """An answer that was refused: why, and what to do instead; of a ``code`` people see the id of a rule only."""

    title: str
    text: str
    code: str = ""
    hint: str = ""

    @property
    def rule(self) -> str:
        return self.code if _RULE.fullmatch(self.code) else ""

    def speech(self) -> Speech:
        text = whole(self.text)
        told = f"{text} ({self.rule})" if self.rule else text
        return Speech(self.title, told, (self.title, self.text, self.rule, self.hint), (self.title, self.text))


@dataclass(frozen=True)
class Idle(View):
    """Nothing is asked: whose turn it is and where in the sequence of play the game stands.

    ``clock``: a time, in the foot at the right, in the place of ``foot_right``.
    ``says``: what a voice says in the place of title and subtitle, a sentence each.
    """

    title: str
    subtitle: str = ""
    foot_left: str = ""
    foot_right: str = ""
    clock: str = ""
    says: tuple[str, ...] = field(default=(), repr=False)

    def timeless(self) -> Self:
        return replace(self, clock="") if self.clock else self

    def speech(self) -> Speech:
        """Return title and subtitle: aloud as one sentence, who does what and where, unless a view says more."""
        between = " " if whole(self.subtitle)[:1].islower() else ": " if self.subtitle else ""
        shown = self.title, self.subtitle, self.foot_left, self.foot_right
        voiced = self.says or (phrase("{}{}{}", self.title, between, self.subtitle),)
        return Speech(self.title, self.subtitle, shown, voiced)


@dataclass(frozen=True)
class Notice(View):
    """Something to read: a reminder, a line of the setup, a fault of the box. ``seat``: who is asked meanwhile."""

    title: str
    text: str
    foot: str = ""
    seat: str = ""

    def speech(self) -> Speech:
        return Speech(self.title, self.text, (self.seat, self.title, self.text), (self.text,))


@dataclass(frozen=True)
class Odds(_Banded):
    """Up to four outcomes: label, share from 0 to 1 drawn as a bar, and that share in words ("83%")."""

    rows: tuple[tuple[str, float, str], ...]

    def speech(self) -> Speech:
        return Speech(self.band.left, "", (self.band.left, *(f"{label} {text}" for label, _, text in self.rows)))


HOLD: Final = "Hold Select for 1 second"
"""What a `Confirm` takes, where there is room for all of it."""


@dataclass(frozen=True)
class Confirm(View):
    """Something that takes a hold of one second; ``bar`` is how far it has come, None before it began."""

    title: str
    text: str
    bar: float | None = None
    hint: str = "hold 1 s"

    def speech(self) -> Speech:
        shown = self.title, self.text, self.hint
        return Speech(self.title, _line(self.text), shown, (self.title, self.text, HOLD))


@dataclass(frozen=True)
class Code(View):
    """An address to open on a phone, as a code to scan and as text.

    ``rows``: the modules of the code from the top, a byte for each, 1 is dark, at most 57; empty while it is drawn.
    """

    title: str
    address: str
    rows: tuple[bytes, ...] = ()

    def speech(self) -> Speech:
        return Speech(self.title, self.address, (self.title, self.address))


@dataclass(frozen=True)
class Blank(View):
    """A dark glass."""

    def speech(self) -> Speech:
        return Speech("", "", ())


def _marks(**marks: bool) -> str:
    there = ", ".join(mark.replace("_", " ") for mark, is_there in marks.items() if is_there)
    return f" ({there})" if there else ""


def _cells(cells: Sequence[Cell], lit: int | None) -> list[str]:
    return [
        f"{index + 1} {cell.text}" + _marks(barred=cell.barred, selected=cell.chosen, lit=index == lit)
        for index, cell in enumerate(cells)
        if cell.text
    ]


def _line(text: str) -> str:
    """Return a text as a sentence; as it is where another line follows from it, or people compare it with another."""
    return text if text.endswith(":") else written(text)
