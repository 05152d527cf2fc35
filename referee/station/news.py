"""What the browsers see of a table: the card on the glass, the last ruling, the clocks, and of the log what is new.

A message of clocks has ``at``: when it was so. What is sent says instead for how long it has been so; see
`counted_on`.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from referee.clock import COMMON
from referee.clock.round import RoundClock
from referee.console import views
from referee.console.buttons import Button
from referee.console.drawing.raster import Raster
from referee.console.sounds import RHYTHMS
from referee.console.table import Table
from referee.console.views import View
from referee.rulebook import ANYBODY, Ruling, after, joined, over_one, whole, written
from referee.session import LogLine, Session
from referee.session.board import labelled
from referee.web.hub import Message
from referee.web.outbox import LOG_LINES


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
    ruling = next((each for each in table.pending if isinstance(each, Ruling)), table.current.last_ruling)
    return None if ruling is None else told(ruling)


def over_news(table: Table) -> str:
    """Return why the game is over, as a sentence that does not say again who wins; "" while it goes on."""
    over = table.current.over if table.session is not None else None
    if over is None:
        return ""
    names = whole(joined(" and ", map(table.seat_name, over.winners)))
    if whole(over.text) == f"{names} has won":
        return "The table says so."
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


def round_message(clock: RoundClock) -> Message:
    """Return how the clock of the round stands; of round 0 where it is taken away."""
    news = clock.news
    if news is None:
        return {"type": "round", "round": 0, "ms": 0, "runs": False, "about": False}
    return {
        "type": "round",
        "round": news.round,
        "ms": clock.left,
        "runs": news.runs,
        "about": news.about,
        "at": clock.at,
    }


def counted_on(message: Message, now: int) -> Message:
    """Return a message as it is sent ``now``, ms: in place of when it was so, for how long it has been so."""
    if "at" not in message:
        return message
    return {name: value for name, value in message.items() if name != "at"} | {"ago": max(0, now - message["at"])}


def clock_message(table: Table) -> Message:
    """Return how the clocks stand; without seats where they are taken away."""
    seat_clocks = table.clocks
    if seat_clocks.keeper.clocks is None:
        return {"type": "clock", "seats": []}
    clocks = seat_clocks.keeper.current
    first = clocks.first_fall
    return {
        "type": "clock",
        "at": clocks.at,
        "control": clocks.control.words,
        "shared": len(clocks.seats) if clocks.runs == COMMON else 1,
        "paused": bool(clocks.paused),
        "first": "" if first is None else whole(table.seat_name(first.seat)),
        "seats": [
            {
                "key": table.seat_keys.get(time.seat, ""),
                "name": whole(time.name),
                "ms": time.ms,
                "free": clocks.seats[time.seat].free if time.runs else 0,
                "runs": time.runs,
                "down": time.fallen,
            }
            for time in seat_clocks.times()
        ],
    }


def log_message(session: Session | None, players: Mapping[str, str], since: int = 0) -> Message:
    """Return the newest part of the log from entry ``since`` on; ``players``: who plays, by seat."""
    if session is None:
        return {"type": "log", "since": 0, "entries": []}
    called = seat_names(session)
    names = labelled(called, players)
    lines = session.log(newest=LOG_LINES, since=since)
    entries = [
        line.as_json()
        | {
            "kind": _kind(line),
            "seat": names.get(line.seat, line.seat),
            "text": line.after(called.get(line.seat, "")),
            "why": [*filter(None, map(written, line.why))],
            "place": [*map(whole, line.place)],
        }
        for line in lines
    ]
    return {"type": "log", "since": since, "entries": entries}


def seat_names(session: Session) -> dict[str, str]:
    """Return what people call each seat, in whole words, and all of them together."""
    return {**{seat: whole(name) for seat, name in session.seats().items()}, ANYBODY: "Table"}


def _kind(line: LogLine) -> str:
    """Return the kind of a line as the panel names it."""
    if line.mode == "override":
        return "override"
    return {"void": "undo"}.get(line.kind, line.kind)


def glass_message(picture: Raster) -> Message:
    """Return the picture on the glass: rows from the top, one bit a pixel, the leftmost in the highest bit."""
    bits = base64.b64encode(picture.packed()).decode("ascii")
    return {"type": "glass", "width": picture.width, "height": picture.height, "bits": bits, "on": True}


def sound_message(name: str) -> Message:
    """Return a sound with its rhythm."""
    return {"type": "sound", "name": name, "pattern": list(RHYTHMS[name])}


def lamps_message(
    states: Mapping[str, str], names: Mapping[str, str], players: Mapping[str, str], *, judges: bool = False
) -> Message:
    """Return the seats' lamps: button -> state, -> seat, and -> who plays it. ``judges``: no seat may press now."""
    return {
        "type": "lamps",
        "seats": [
            {"key": key, "name": names.get(key, ""), "player": players.get(key, ""), "state": state}
            for key, state in states.items()
        ],
        "judges": judges,
    }


def table_message(
    session: Session | None, *, simulated: bool, asked: bool = True, where: list[str] | None = None
) -> Message:
    """Return where the game stands and what is asked, with pools, odds and dice.

    ``asked``: whether the question is on the glass, or under what lies on it; before that neither it nor its odds
    are told. ``where``: the place to tell in place of that of the question.
    """
    message: Message = {
        "type": "table",
        "title": "Electronic referee",
        "where": [],
        "n": 0,
        "prompt": None,
        "pools": [],
        "odds": [],
        "odds_of": "roll",
        "assumes": "",
        "dice": {"faces": [0] * 6},
        "sim": simulated,
    }
    if session is None:
        return message
    return {
        **message,
        "title": session.book.title,
        "where": place(session) if where is None else where,
        "n": session.n,
        "prompt": _prompt(session) if asked else None,
        "pools": _pools(session),
        **(_odds(session) if asked else {}),
        "dice": {"faces": list(session.dice())},
    }


def _odds(session: Session) -> dict[str, Any]:
    """Return the odds of the roll, or else the outlook."""
    (shown, of_roll, _), prompt = session.chances(), session.prompt
    one_die = prompt is not None and of_roll and prompt.kind == "roll" and prompt.dice == 1
    return {
        "odds": [
            {"id": c.id, "text": whole(c.text), "chance": fraction, "share": float(c.chance)}
            for c, fraction in zip(shown, over_one(shown, prompt.sides if prompt and one_die else 0), strict=True)
        ],
        "odds_of": "outcome" if shown and not of_roll else "roll",
        "assumes": whole(session.book.assumes.text) if shown and not of_roll else "",
    }


def place(session: Session) -> list[str]:
    """Return the place in the sequence of play and the sections of the rules, no name twice; or that it is over."""
    if session.over is not None:
        return ["Game over"]
    names = [whole(name) for name in (*session.place, *(section.title for section in session.crumbs))]
    return [name for i, name in enumerate(names) if name not in ("", session.book.title, *names[:i])]


def _pools(session: Session) -> list[dict[str, Any]]:
    """Return the counters of a whole game; a single ruling has none."""
    if session.ruling is not None:
        return []
    seats = seat_names(session)
    return [
        pool._asdict() | {"name": whole(pool.name), "side": seats.get(pool.side, pool.side)} for pool in session.pools
    ]


def _prompt(session: Session) -> dict[str, Any] | None:
    """Return the prompt as the drive protocol gives it, with names for the seat and for barred options."""
    if session.prompt is None:
        return None
    message = session.prompt.as_json()
    barred = [entry | {"name": entry.get("label", "")} for entry in message.get("barred", ()) if "aside" not in entry]
    return message | {"barred": barred, "seat": seat_names(session).get(message["seat"], message["seat"])}
