"""What can stand on the glass: one frozen value for each kind of screen.

A view says what is shown, `referee.console.drawing.screens` how. Views are checked when they are made: a view that
could not be drawn raises `ValueError` naming the field, what it held and what was expected. Text may be any length;
whether it fits is told by `screens.problems`.

``question`` is what is asked, in a sentence, where the band has only room for a word: for the voice and the panel.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

GRID = 6
"""Cells of a grid: as many as there are die keys."""

ROWS = 3
"""Rows of a list that stand on the glass together."""


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}: expected {low} to {high}")


def _at_most(name: str, items: tuple[object, ...], high: int, low: int = 0) -> None:
    if not low <= len(items) <= high:
        raise ValueError(f"{name} has {len(items)} entries: expected {low} to {high}")


def _page(page: int, pages: int) -> None:
    _within("pages", pages, 1, 999)
    _within("page", page, 0, pages - 1)


def _lit(lit: int | None, cells: tuple[object, ...]) -> None:
    if lit is not None and not 0 <= lit < len(cells):
        raise ValueError(f"lit is {lit}: expected None or the index of one of {len(cells)} cells")


def _share(name: str, value: float | None) -> None:
    if value is not None:
        _within(name, value, 0.0, 1.0)


def _faces(name: str, faces: tuple[int | None, ...], sides: int) -> None:
    for face in faces:
        if face is not None and face not in range(1, sides + 1):
            raise ValueError(f"{name} holds {face!r}: expected faces 1 to {sides}")


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
        """What stands in the tab, "" if there is none."""
        return self.short or self.seat


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
class Grid:
    """Up to six cells, two wide and three high, as the die keys lie. ``lit``: index of the cell Select sends."""

    band: Band
    cells: tuple[Cell, ...]
    lit: int | None = None
    page: int = 0
    pages: int = 1
    question: str = ""

    def __post_init__(self) -> None:
        _at_most("cells", self.cells, GRID)
        _lit(self.lit, self.cells)
        _page(self.page, self.pages)


@dataclass(frozen=True)
class Rows:
    """Up to six cells with long labels, three on the glass at a time: 1-3, or 4-6 when ``lit`` is among those.

    A cell keeps its number, and its die key works, whether its row is on the glass or not.
    """

    band: Band
    cells: tuple[Cell, ...]
    lit: int | None = None
    page: int = 0
    pages: int = 1
    question: str = ""

    def __post_init__(self) -> None:
        _at_most("cells", self.cells, GRID)
        _lit(self.lit, self.cells)
        _page(self.page, self.pages)

    @property
    def first(self) -> int:
        """Index of the uppermost row on the glass: 0 or 3."""
        return 0 if self.lit is None else self.lit // ROWS * ROWS


@dataclass(frozen=True)
class Question:
    """A sentence over one or two cells, side by side: yes or no, placed, go on."""

    band: Band
    text: str
    cells: tuple[Cell, ...]
    lit: int | None = None

    def __post_init__(self) -> None:
        _at_most("cells", self.cells, 2, low=1)
        _lit(self.lit, self.cells)


@dataclass(frozen=True)
class Pick:
    """Several of up to six cells: those with ``chosen`` are picked. ``count`` says how many, "2 of 3"."""

    band: Band
    cells: tuple[Cell, ...]
    lit: int | None = None
    count: str = ""
    page: int = 0
    pages: int = 1
    question: str = ""

    def __post_init__(self) -> None:
        _at_most("cells", self.cells, GRID)
        _lit(self.lit, self.cells)
        _page(self.page, self.pages)


@dataclass(frozen=True)
class Dice:
    """One to five dice being keyed in; None is a die still to come.

    ``need`` ("9+") and ``need_note`` ("kills") state before the throw what is needed. ``standing``: these faces were
    thrown before and stand. ``bar``: how far the hold that lets the box throw has come, 0 to 1. ``doubts``: indices
    of dice that were thrown and whose faces are not certain; None there is a die that shows no face.
    ``sides``: how many each has.
    """

    band: Band
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
        _at_most("faces", self.faces, 5, low=1)
        _faces("faces", self.faces, self.sides)
        _share("bar", self.bar)
        for doubt in self.doubts:
            _within("doubts", doubt, 0, len(self.faces) - 1)

    @property
    def keyed(self) -> int:
        """Index of the die keyed last, or of the first one when none is."""
        return max((i for i, face in enumerate(self.faces) if face is not None), default=0)


@dataclass(frozen=True)
class Count:
    """A number from ``low`` to ``high``, set by the keys or the knob; None as long as it is not set.

    ``barred``: this value is not open now.
    """

    band: Band
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
        if self.value is not None:
            _within("value", self.value, self.low, self.high)


@dataclass(frozen=True)
class Ruling:
    """What was ruled. ``changed``: something on the table is different now.

    ``to_do``: up to two lines of what the players do now, in the place of dice, total and need.

    ``clock``: times, in the foot where nothing else stands there on the left.

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
    clock: str = ""
    sides: int = 6

    def __post_init__(self) -> None:
        _at_most("to_do", self.to_do, 0 if self.faces else 2)
        _at_most("faces", self.faces, 10 if self.sides == 6 else 5)
        _faces("faces", self.faces, self.sides)


@dataclass(frozen=True)
class Why:
    """One page of the reasons of a ruling; ``rules`` are the rule ids on the right of the band.

    ``seat``: who is asked meanwhile, in the tab of the band.
    """

    page: int
    pages: int
    rules: str
    lines: tuple[str, ...]
    title: str = "Why"
    seat: str = ""

    def __post_init__(self) -> None:
        _page(self.page, self.pages)


@dataclass(frozen=True)
class Log:
    """One page of the log, newest entries as the caller orders them."""

    page: int
    pages: int
    lines: tuple[str, ...]
    title: str = "Log"

    def __post_init__(self) -> None:
        _page(self.page, self.pages)


@dataclass(frozen=True)
class Refusal:
    """An answer that was refused: why, under which code, and what to do instead."""

    title: str
    text: str
    code: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Idle:
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


@dataclass(frozen=True)
class Notice:
    """Something to read: a reminder, a line of the setup, a fault of the box. ``seat``: who is asked meanwhile."""

    title: str
    text: str
    foot: str = ""
    page: int = 0
    pages: int = 1
    seat: str = ""

    def __post_init__(self) -> None:
        _page(self.page, self.pages)


@dataclass(frozen=True)
class Odds:
    """Up to four outcomes: label, share from 0 to 1 drawn as a bar, and that share in words ("83%")."""

    band: Band
    rows: tuple[tuple[str, float, str], ...]

    def __post_init__(self) -> None:
        _at_most("rows", self.rows, 4)
        for label, share, _ in self.rows:
            _share(f"share of {label!r}", share)


HOLD: Final = "Hold Select for 1 second"
"""What a `Confirm` takes, where there is room for all of it."""


@dataclass(frozen=True)
class Confirm:
    """Something that takes a hold of one second; ``bar`` is how far it has come, None before it began."""

    title: str
    text: str
    bar: float | None = None
    hint: str = "hold 1 s"

    def __post_init__(self) -> None:
        _share("bar", self.bar)


@dataclass(frozen=True)
class Clock:
    """The clock of one seat on a page of clocks: its ``time``, and ``short`` where the name is too long."""

    name: str
    time: str
    short: str = ""
    runs: bool = False
    fallen: bool = False


CLOCKS = 3
"""Clocks on a page of them."""


@dataclass(frozen=True)
class Clocks:
    """The clocks of up to three seats, the one that runs marked."""

    band: Band
    clocks: tuple[Clock, ...]
    foot_left: str = ""
    foot_right: str = ""
    page: int = 0
    pages: int = 1

    def __post_init__(self) -> None:
        _at_most("clocks", self.clocks, CLOCKS, low=1)
        _page(self.page, self.pages)


@dataclass(frozen=True)
class Code:
    """An address to open on a phone, as a code to scan and as text.

    ``rows``: the modules of the code from the top, a byte for each, 1 is dark; empty while it is being drawn.
    """

    title: str
    address: str
    rows: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        _at_most("rows", self.rows, CODE)
        if any(len(row) != len(self.rows) for row in self.rows):
            raise ValueError(f"rows are {[len(row) for row in self.rows]} long: expected {len(self.rows)}")


CODE = 57
"""Modules of a code that stand on 64 rows with some of the light round them that readers want."""


@dataclass(frozen=True)
class Blank:
    """A dark glass."""


View: TypeAlias = (
    Grid
    | Rows
    | Question
    | Pick
    | Dice
    | Count
    | Ruling
    | Why
    | Log
    | Refusal
    | Idle
    | Notice
    | Odds
    | Confirm
    | Clocks
    | Code
    | Blank
)


def timeless(view: View) -> View:
    """Return a view without the times that change by themselves: what is new about it is no mere second."""
    if isinstance(view, Clocks):
        return replace(view, clocks=tuple(replace(clock, time="") for clock in view.clocks))
    if isinstance(view, (Idle, Ruling)):
        return replace(view, clock="") if view.clock else view
    if isinstance(view, (Grid, Rows, Question, Pick, Dice, Count)) and view.band.clock:
        return replace(view, band=replace(view.band, clock=()))
    return view
