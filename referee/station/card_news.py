"""What browsers are told of the card on the glass, with what can be pressed there, and of the last ruling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from referee.console import views
from referee.console.aloud import about
from referee.console.buttons import Button
from referee.console.table import Table
from referee.console.views import View
from referee.rulebook import Ruling, after, joined, whole, written

_RULE: Final = re.compile(r"[A-Z]+-[A-Z]*\d+")
"""The id of a rule, or of a refusal that a rulebook names."""


def card_news(view: View, buttons: Iterable[Button], seat: str = "", whose: str = "") -> dict[str, Any]:
    """Return what is asked or told, and what can be pressed.

    ``seat``: who is asked; ``whose``: the seat whose button is waited for
    """
    title, text = _HEADS[type(view)](view)
    buttons = tuple(buttons)
    return {
        "kind": type(view).__name__.lower(),
        "title": whole(title),
        "text": whole(text),
        "seat": seat,
        "whose": whose,
        "dice": [*view.faces] if isinstance(view, views.Dice) else [],
        "sides": view.sides if isinstance(view, views.Dice) else 6,
        "buttons": [*map(_button, buttons)],
        "lit": next((button.id for button in buttons if button.lit), ""),
    }


def ruling_news(table: Table) -> dict[str, Any] | None:
    """Return the ruling that is read now, else the last one that counts; None where there is none."""
    if table.session is None:
        return None
    ruling = next((each for each in table.pending if isinstance(each, Ruling)), table.last_ruling)
    return None if ruling is None else told(ruling)


def over_news(table: Table) -> str:
    """Return why the game is over, as a sentence that does not say again who wins; "" while it goes on."""
    over = table.over if table.session is not None else None
    if over is None:
        return ""
    names = whole(joined(" and ", map(table.seat_name, over.winners)))
    return written(after(f"{names} win{'s' * (len(over.winners) == 1)}", over.text))


def told(ruling: Ruling) -> dict[str, Any]:
    """Return what people read of a ruling, in whole words: nothing twice, and the reasons as sentences."""
    changed = "" if written(ruling.foot) == written(ruling.headline) else whole(ruling.foot)
    total = ruling.data.get("total")
    return {
        "headline": whole(ruling.headline),
        "faces": list(ruling.faces),
        "sides": ruling.sides,
        "total": "" if total is None else str(total),
        "need": whole(ruling.need),
        "changed": changed,
        "to_do": [*filter(None, map(whole, ruling.to_do))],
        "why": list(ruling.told),
        "rules": list(ruling.rules),
    }


def _button(button: Button) -> dict[str, Any]:
    return {
        "id": button.id,
        "text": whole(button.text),
        "key": button.key,
        "why_not": whole(button.bar.text) if button.bar else "",
        "chosen": button.chosen,
        "held": button.held,
        "note": button.note,
    }


def _asked(view: views.Grid | views.Rows | views.Pick | views.Count | views.Dice) -> tuple[str, str]:
    title, text = about(view.band.left, view.question or view.band.right)
    return title, text[:1].upper() + text[1:] if text.endswith("?") else text


def _dice(view: views.Dice) -> tuple[str, str]:
    """What is thrown, and what is needed."""
    title, text = _asked(view)
    need = " ".join(filter(None, (whole(view.need), whole(view.need_note))))
    return title, f"{text}; {need}" if need else text


def _refused(view: views.Refusal) -> tuple[str, str]:
    """Why it was refused, with the rule where it is one; who answers needs no other code."""
    text = whole(view.text)
    return view.title, f"{text} ({view.code})" if _RULE.fullmatch(view.code) else text


def _line(text: str) -> str:
    """Return a text as a sentence; as it is where another line follows from it, or people compare it with another."""
    return text if text.endswith(":") else written(text)


def _numbered(view: views.Why | views.Log) -> str:
    return view.title if view.pages == 1 else f"{whole(view.title)}, page {view.page + 1} of {view.pages}"


_HEADS: Final[dict[type[View], Callable[[Any], tuple[str, str]]]] = {
    views.Grid: _asked,
    views.Rows: _asked,
    views.Pick: _asked,
    views.Count: _asked,
    views.Dice: _dice,
    views.Question: lambda v: about(v.band.left, v.text),
    views.Ruling: lambda v: ("Ruling", v.headline),
    views.Why: lambda v: (_numbered(v), " ".join(filter(None, map(_line, v.lines)))),
    views.Log: lambda v: (_numbered(v), "\n".join(map(whole, v.lines))),
    views.Refusal: _refused,
    views.Idle: lambda v: (v.title, v.subtitle),
    views.Notice: lambda v: (v.title, v.text),
    views.Odds: lambda v: (v.band.left, ""),
    views.Confirm: lambda v: (v.title, _line(v.text)),
    views.Clocks: lambda v: (v.band.left, ""),
    views.Code: lambda v: (v.title, v.address),
    views.Blank: lambda v: ("", ""),  # noqa: ARG005
}
"""Whom or what a view is about, and what it says."""
