"""What stands on the glass, as one line to be read out: for people who do not see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from referee.console import views
from referee.console.views import Cell, View

_GLUED: Final = re.compile(r"(?<=:)\.(?= )|(?<=\w[?!])\.(?= [A-Za-z])|(?<=\.)\.(?= )")
"""Full stops after what ends a text already. Before the number of an option one stays, so that a reader rests."""


def spoken(view: View) -> str:
    """Return the text of a view as a screen reader should say it.

    >>> spoken(views.Idle("Sauron", "Attack", "Round 4"))
    'Sauron. Attack. Round 4'
    >>> spoken(views.Confirm("Hall", "Does the hall show 217 670?"))
    'Hall. Does the hall show 217 670? hold 1 s'
    """
    return _GLUED.sub("", ". ".join(part for part in _parts(view) if part))


def _parts(view: View) -> tuple[str, ...]:
    return _SAID[type(view)](view)


def _options(view: views.Grid | views.Rows | views.Pick) -> tuple[str, ...]:
    return (*_band(view.band), *_cells(view.cells, view.lit))


def _band(band: views.Band) -> tuple[str, ...]:
    return band.seat, band.left, band.right


def _dice(view: views.Dice) -> tuple[str, ...]:
    faces = " ".join(str(face) for face in view.faces if face is not None)
    dice = "dice" if view.sides == 6 else f"d{view.sides}"
    state = f"{'rolled' if view.standing else 'keyed'} {faces}" if faces else f"roll {len(view.faces)} {dice}"
    if view.doubts:
        marks = (f"{face or '?'}{'?' * (face is not None and i in view.doubts)}" for i, face in enumerate(view.faces))
        state = "in doubt " + " ".join(marks)
    return (
        *_band(view.band),
        state,
        f"{view.need} {view.need_note}".strip(),
        view.foot_left,
        view.foot_right,
    )


def _number(value: int | None) -> str:
    return "no number yet" if value is None else str(value)


def _ruling(view: views.Ruling) -> tuple[str, ...]:
    faces = " and ".join(str(face) for face in view.faces)
    dice = (faces and f"dice {faces}", view.total and f"total {view.total}", view.need)
    return (view.headline, *(view.to_do or dice), view.foot_left)


def _page(view: views.Why | views.Log) -> str:
    return f"page {view.page + 1} of {view.pages}" if view.pages > 1 else ""


_SAID: dict[type[View], Callable[[Any], tuple[str, ...]]] = {
    views.Grid: _options,
    views.Rows: _options,
    views.Pick: _options,
    views.Question: lambda v: (v.band.seat, v.band.left, v.text, *_cells(v.cells, v.lit)),
    views.Dice: _dice,
    views.Count: lambda v: (*_band(v.band), f"{_number(v.value)}, from {v.low} to {v.high}", v.foot_left),
    views.Ruling: _ruling,
    views.Why: lambda v: (v.seat, f"{v.title} {v.rules}".strip(), _page(v), *v.lines),
    views.Log: lambda v: (v.title, _page(v), *v.lines),
    views.Refusal: lambda v: (v.title, v.text, v.code, v.hint),
    views.Idle: lambda v: (v.title, v.subtitle, v.foot_left, v.foot_right),
    views.Notice: lambda v: (v.seat, v.title, v.text),
    views.Odds: lambda v: (v.band.left, *(f"{label} {text}" for label, _, text in v.rows)),
    views.Confirm: lambda v: (v.title, v.text, v.hint),
    views.Code: lambda v: (v.title, v.address),
    views.Clocks: lambda v: (v.band.left, *(_clock(clock) for clock in v.clocks), v.foot_left),
    views.Blank: lambda v: (),  # noqa: ARG005 - nothing is shown, nothing is said
}
"""What is said of each kind of view."""


def _clock(clock: views.Clock) -> str:
    marks = [mark for mark, there in (("runs", clock.runs), ("flag down", clock.fallen)) if there]
    return f"{clock.name} {clock.time}" + (f" ({', '.join(marks)})" if marks else "")


def _cells(cells: tuple[Cell, ...], lit: int | None) -> list[str]:
    texts = []
    for index, cell in enumerate(cells):
        if not cell.text:
            continue
        marks = [
            mark
            for mark, there in (("barred", cell.barred), ("selected", cell.chosen), ("lit", index == lit))
            if there
        ]
        texts.append(f"{index + 1} {cell.text}" + (f" ({', '.join(marks)})" if marks else ""))
    return texts
