"""Some play of each rulebook, and a few answers of each of its single rulings, as text that people can read.

``python -m tests.games.transcripts`` writes the files again that stand beside this one, in ``kept``. Read the
difference: each changed line is a question, an option, a reason or a ruling that tables will see changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee import games
from referee.rulebook import Event, Ruling
from referee.session.log import answer_words, asked, event_line
from referee.session.prompt import read_prompt
from referee.testing.conformance import Variant, variants
from referee.testing.random_table import RandomTable
from tests.kept import keep

FOLDER = Path(__file__).parent / "kept"
GAME, SINGLE = 280, 25
"""Answers of a whole game, and of each single ruling."""


def transcript(book: str) -> str:
    """Return the games of a book. A line that stood there before is not repeated."""
    lines: list[str] = []
    seen: set[str] = set()
    for variant in variants(games.load(book), switches=False):
        lines += ["", f"== {variant.name}"]
        for line in _told(variant, GAME if variant.ruling is None else SINGLE):
            if line not in seen:
                seen.add(line)
                lines.append(line)
    return "\n".join(lines[1:]) + "\n"


def _told(variant: Variant, answers: int) -> Iterator[str]:
    for table in variant.tables(1, answers):
        while table.play.ask is not None and table.answered < answers:
            yield from _question(table)
            yield from _answer(table)
        if table.play.over is not None:
            yield f"the end: {table.play.over}"


def _question(table: RandomTable) -> Iterator[str]:
    prompt = read_prompt(table.play, 0, None)
    assert prompt is not None
    yield f"{prompt.seat}, {prompt.ask} {prompt.rule}: {prompt.head}. {prompt.text}"
    if prompt.kind == "count":
        yield f"  {prompt.low} to {prompt.high} {prompt.unit}, default {prompt.default}"
    elif prompt.kind == "roll":
        yield f"  needs {prompt.need} {prompt.need_note}".rstrip()
    else:
        options = (f"{each.text}{' (default)' * (each.id == prompt.default)}" for each in prompt.options)
        yield f"  {' | '.join(options)}"
    yield from (f"  not {each.option.text}: {each.bar.text}" for each in prompt.barred)


def _answer(table: RandomTable) -> Iterator[str]:
    ask = table.play.ask
    assert ask is not None
    value = table.legal()
    yield f"> {asked(ask.text, answer_words(ask, value))}"
    for event in table.play.answer(value):
        yield from _event(event)
    table.answered += 1


def _event(event: Event) -> Iterator[str]:
    if isinstance(event, Ruling):
        yield f"  {event.result}: {event.headline} ({', '.join(event.rules)})"
        yield from (f"    {line}" for line in (*event.why, *event.to_do, event.changed) if line)
    else:
        yield f"  {event_line(event)}"


if __name__ == "__main__":
    keep(FOLDER, transcript)
