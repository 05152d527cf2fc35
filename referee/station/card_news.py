"""What browsers are told of the card on the glass, with what can be pressed there, and of the last ruling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.console import views
from referee.console.buttons import Button
from referee.console.table import Table
from referee.console.views import View
from referee.rulebook import Ruling, after, joined, whole, written


def card_news(view: View, buttons: Iterable[Button], seat: str = "", whose: str = "") -> dict[str, Any]:
    """Return what is asked or told, and what can be pressed.

    ``seat``: who is asked; ``whose``: the seat whose button is waited for
    """
    said = view.speech()
    buttons = tuple(buttons)
    return {
        "kind": type(view).__name__.lower(),
        "title": whole(said.title),
        "text": whole(said.text),
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
