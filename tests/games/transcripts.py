"""What every game asks, offers, refuses and rules in games of random answers, as text that people can read.

``python -m tests.games.transcripts`` writes the files anew that stand beside this one, in ``kept``. Read the
difference: each changed line is a question, a reason, a ruling, a chance or a number that tables will see changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee import games
from referee.console.aloud import sentence
from referee.rulebook import Event, Odds, Ruling
from referee.session.log import event_line, words
from referee.session.prompt import read_prompt
from referee.testing.conformance import Variant, variants
from referee.testing.random_table import RandomTable
from tests.kept import keep

FOLDER = Path(__file__).parent / "kept"
GAME, SINGLE = 500, 24
"""Answers of a whole game with its usual rules, and of each of the others."""
OUTLOOK = 40
"""After so many answers what may come of the battle is told: it takes long to work out."""


def transcript(book: str) -> str:
    """Return the games of a book. What stood there before, word for word, is not repeated."""
    lines: list[str] = []
    seen: set[str] = set()
    for variant in variants(games.load(book)):
        lines += ["", f"== {variant.name}"]
        whole = variant.ruling is None and not variant.settings
        for block in _blocks(variant, GAME if whole else SINGLE):
            fresh = [line for line in block if line not in seen]
            seen.update(fresh)
            lines += fresh
    return "\n".join(lines[1:]) + "\n"


def _blocks(variant: Variant, answers: int) -> Iterator[list[str]]:
    """Yield what is told after each answer."""
    for table in variant.tables(1, answers):
        state: dict[str, Any] = {}
        while table.play.ask is not None and table.answered < answers:
            yield [*_changes(state, table), *_question(table)]
            state = _flat(table.play.game.as_json())
            yield _answer(table)
        if table.play.over is not None:
            yield [f"the end: {table.play.over}", *_heard(table.play.over.text)]


def _question(table: RandomTable) -> Iterator[str]:
    prompt = read_prompt(table.play, 0, None)
    assert prompt is not None
    members = prompt.as_json()
    name = f"{members.pop('ask')}, {members.pop('seat')}"
    for unused in ("type", "n"):
        del members[unused]
    lists = {key: members.pop(key) for key in ("options", "barred", "bundles", "notes", "place") if key in members}
    yield f"{name}: {_text(members)}"
    yield f"{name}: rare {prompt.rare}, shortcut {prompt.shortcut and prompt.shortcut.id}"
    for key, rows in lists.items():
        for row in rows:
            yield f"{name}, {key}: {row if isinstance(row, str) else ' | '.join(map(str, row.values()))}"
    items = (*(each.text for each in prompt.among), *(each.text for each in prompt.bundles))
    bars, notes = (each.bar.text for each in prompt.barred), (line for _, line in prompt.notes)
    yield from _heard(prompt.head, prompt.text, *items, *bars, *notes, *prompt.place, prompt.need, prompt.need_note)
    ask = table.play.ask
    if ask is not None and ask.kind == "roll":
        yield from _chances(f"{name}, odds", table.play.odds())
    if table.answered % OUTLOOK == 0:
        yield from _chances("outlook", table.play.outlook())


def _chances(name: str, odds: Odds | None) -> Iterator[str]:
    if odds is not None:
        yield f"{name}: " + ", ".join(f"{each.id} {each.text!r} {each.chance}" for each in odds)
        yield from _heard(*(each.text for each in odds))


def _heard(*texts: str) -> Iterator[str]:
    """Yield texts as sentences for the ear, in their whole words."""
    yield from (f"heard: {sentence(text)}" for text in texts if sentence(text))


def _answer(table: RandomTable) -> list[str]:
    override = table.override() if table.random.random() < 0.03 else None
    value = table.legal() if override is None else override
    ask = table.play.ask
    assert ask is not None
    answer = words(ask, value)
    events = table.play.answer(value, override=override is not None)
    table.answered += 1
    return [f"> {answer}", *_heard(answer), *(line for event in events for line in _event(event))]


def _event(event: Event) -> Iterator[str]:
    if isinstance(event, Ruling):
        yield f"  {event.result}: {event.headline} ({', '.join(event.rules)})"
        yield from (f"  {event.result}{name} = {value}" for name, value in _flat(dict(event.data)).items())
        yield from (f"  {line}" for line in (*event.why, *event.to_do, event.changed) if line)
        yield from _heard(event.headline, event.need, event.foot, *event.to_do, *event.why)
    else:
        yield f"  {event_line(event)}"
        yield from _heard(event.text)


def _changes(before: dict[str, Any], table: RandomTable) -> Iterator[str]:
    game = table.play.game
    after = _flat(game.as_json())
    for name in sorted(before.keys() | after.keys()):
        if before and before.get(name) != after.get(name):
            yield f"  {name} {before.get(name, '-')} -> {after.get(name, '-')}"
    yield from (f"  {' '.join(map(str, pool))}" for pool in game.pools())
    yield from _heard(*(pool.name for pool in game.pools()), *game.seats().values())
    yield f"  {game.status()}"
    yield "  " + " / ".join(f"{each.title} {' '.join(each.rules)}" for each in table.play.crumbs)


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        value = dict(enumerate(value))
    if isinstance(value, dict) and value:
        return {k: v for key, each in value.items() for k, v in _flat(each, f"{name}.{key}").items()}
    return {name: value}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    keep(FOLDER, transcript)
