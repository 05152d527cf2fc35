"""The state of a game for the hall's board, in whole words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeGuard

from referee.errors import WHOLE
from referee.rulebook import Pool, Ruling, whole
from referee.session.clocked import waits_for
from referee.session.session import Session

MOST_SHOWN: Final = 12
"""Counters, and chances, of one game that are shown."""
MOST_DICE: Final = 24
"""Dice of one throw that are shown."""
MOST_TEXT: Final = 300
"""Letters of any text that is shown."""


def state_of(session: Session) -> dict[str, Any]:
    """Return how a game stands, as the board shows it."""
    seats = session.seats()
    prompt, over, ruling = session.prompt, session.over, session.last_ruling
    thrown = session.last_thrown if ruling is None or not ruling.throws else None
    return {
        "title": session.book.title,
        "place": [*filter(None, map(text_of, session.place))],
        "pools": [
            [_pool(pool, seats.get(pool.side, ""), session.short_names().get(pool.side, "")), pool.value, pool.cap]
            for pool in session.pools[:MOST_SHOWN]
        ],
        "seats": {text_of(seat): text_of(name) for seat, name in seats.items()},
        "asks": text_of(prompt.text) if prompt is not None else "",
        "seat": text_of(seats.get(prompt.seat, "")) if prompt is not None else "",
        "waits": text_of(waits_for(session).asks),
        "paused": session.paused,
        "over": sentence(over.text) if over is not None else "",
        "winners": [text_of(seats.get(seat, seat)) for seat in over.winners] if over is not None else [],
        "odds": [[text_of(each.text), each.percent] for each in session.chances().odds[:MOST_SHOWN]],
        "ruling": sentence(ruling.headline) if ruling is not None else "",
        "dice": _dice(ruling, seats) if ruling is not None else [],
        "thrown": sentence(thrown.headline) if thrown is not None else "",
        "thrown_dice": _dice(thrown, seats) if thrown is not None else [],
    }


def is_board(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is a board as `state_of` makes it: what a box says stands on pages that others look at."""
    if not isinstance(value, dict) or not all(_is_text(value.get(name)) for name in _TEXTS):
        return False
    throws = all(
        _are(value.get(name), MOST_SHOWN, lambda each: isinstance(each, dict) and _is_text(each.get("seat")))
        and all(_are(each.get("faces"), MOST_DICE, _is_plain) for each in value[name])
        for name in ("dice", "thrown_dice")
    )
    pairs = all(
        _are(value.get(name), MOST_SHOWN, lambda each: _are(each, 3, _is_plain) and len(each) > 1)
        for name in ("pools", "odds")
    )
    return (
        throws and pairs and isinstance(value.get("paused"), bool) and _are(value.get("place"), MOST_SHOWN, _is_text)
    )


_TEXTS: Final = ("title", "asks", "seat", "over", "ruling", "thrown")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 3 * MOST_TEXT and value == value.encode(errors="replace").decode()


def _is_plain(value: object) -> bool:
    return value is None or _is_text(value) or (isinstance(value, (int, float)) and abs(value) < WHOLE)


def _are(values: object, most: int, is_one: Callable[[Any], bool]) -> bool:
    return isinstance(values, (list, tuple)) and len(values) <= most and all(map(is_one, values))


def labelled(seats: Mapping[str, str], players: Mapping[str, str]) -> dict[str, str]:
    """Return the seats with who plays them.

    >>> labelled({"sauron": "Sauron", "saruman": "Saruman"}, {"sauron": "Anna"})
    {'sauron': 'Sauron (Anna)', 'saruman': 'Saruman'}
    """
    return {seat: f"{name} ({players[seat]})" if players.get(seat) else name for seat, name in seats.items()}


def _pool(pool: Pool, seat: str, short: str) -> str:
    """Return what a counter is called, and whose it is where its name does not say."""
    named = any(name and name in pool.name for name in (seat, short))
    return text_of(pool.name) if named else f"{text_of(seat)} {text_of(pool.name)}".lstrip()


def _dice(ruling: Ruling, seats: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the throws of a ruling; whose each is stands there only where there are several."""
    throws = ruling.throws[:MOST_SHOWN]
    return [
        {"seat": text_of(seats.get(each.seat, "")) if len(throws) > 1 else "", "faces": each.faces[:MOST_DICE]}
        for each in throws
    ]


def sentence(text: str) -> str:
    """Return the whole words of what stands by itself, with a capital."""
    words = text_of(text)
    return words[:1].upper() + words[1:]


def text_of(text: str) -> str:
    """Return the whole words of a text, cut where nobody reads on."""
    return whole(text)[:MOST_TEXT]
