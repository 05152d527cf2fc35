"""Messages of the drive protocol: rulings, reminders and odds as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from referee.rulebook import Event, Odds, Ruling
from referee.session import Entry
from referee.session.extra import in_words, origins_of, unused_of


def encoded(message: dict[str, Any]) -> bytes:
    """Return a message as one line of UTF-8."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def odds_json(odds: Odds) -> list[dict[str, Any]]:
    """Return chances as JSON: the exact fraction as text, in 36ths where that is exact, and a share from 0 to 1."""
    return [{"id": c.id, "text": c.text, "chance": c.out_of_36, "share": round(float(c.chance), 6)} for c in odds]


def told_json(told: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Return the message that tells what was answered in secret, once all answers are in."""
    return {"type": "told", "answers": [{"seat": seat, "ask": ask, "answer": answer} for seat, ask, answer in told]}


def throw_json(entry: Entry) -> dict[str, Any]:
    """Return the message that tells where the faces of a throw came from, and what was corrected."""
    faces = entry.answer if isinstance(entry.answer, list) else []
    unused = unused_of(entry.extra)
    text = in_words(faces, origins_of(entry.source, len(faces), entry.extra), unused) if faces or unused else ""
    message = {"type": "throw", "answer": entry.answer, "text": text}
    return message | {name: entry.extra[name] for name in ("faces", "unused", "corrected") if name in entry.extra}


def event_json(event: Event) -> dict[str, Any]:
    """Return the message that tells a ruling or a reminder."""
    if isinstance(event, Ruling):
        ruling = {
            "type": "ruling",
            "result": event.result,
            "rules": list(event.rules),
            "headline": event.headline,
            "why": list(event.why),
            "data": dict(event.data),
            "changed": event.changed,
        }
        return ruling | {"to_do": list(event.to_do)} if event.to_do else ruling
    return {"type": "reminder", "rule": event.rule, "text": event.text}
