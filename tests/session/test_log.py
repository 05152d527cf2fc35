"""The words of the log: answers after their questions, rulings with their reasons, and every field under its name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from referee.rulebook import BACK, Ask, Choose, Count, Options, Over, Pick, Reminder, Roll, Ruling
from referee.session.log import LogLine, event_line, plain, summary, words

ORCS = Options([("orc", "Orc"), ("troll", "Troll")])
WAYS = Options([("on", "On"), (BACK, "Retreat")])
WON = Ruling("out", "Orc out", ("BR-1",), ("4 against 2",))


@pytest.mark.parametrize(
    ("ask", "answer", "line"),
    [
        (Choose("a", "Attack whom?", ORCS), "orc", "Attack whom? Orc"),
        (Choose("a", "Target", ORCS), "troll", "Target: Troll"),
        (Choose("a", "Your targets:", ORCS), "orc", "Your targets: Orc"),
        (Choose("a", "", ORCS), "orc", "Orc"),
        (Choose("a", "Target", ORCS), BACK, "Target: back"),
        (Choose("a", "Which way?", WAYS), BACK, "Which way? Retreat"),
        (Pick("a", "Who?", ORCS), ["orc", "troll"], "Who? Orc, Troll"),
        (Pick("a", "Who?", ORCS), [], "Who? none"),
        (Pick("a", "Who?", ORCS), BACK, "Who? back"),
        (Count("a", "Hits", 0, 3), 2, "Hits: 2"),
        (Count("a", "Move", 0, 3, unit="hexes", one="hex"), 1, "Move: 1 hex"),
        (Count("a", "Move", 0, 3, unit="hexes", one="hex"), 2, "Move: 2 hexes"),
        (Roll("a", "Roll", 2), (5, 4), "Roll: 5 4"),
        (Roll("a", "Roll", 2, total=True), 9, "Roll: total 9"),
    ],
)
def test_an_answer_stands_after_its_question(ask: Ask, answer: Any, line: str) -> None:
    assert words(ask, answer) == line


def test_counters_are_told_in_words_and_numbers() -> None:
    assert [plain(value) for value in (True, False, 0, 3, "Evil")] == ["yes", "no", "0", "3", "Evil"]


def test_a_line_keeps_every_field_under_its_name() -> None:
    line = LogLine(
        7, "north", "ruling", "Hit", ("12 against 7",), ("SK-2",), True, "override", "keys", 1.5, 9.0, "south"
    )
    written = line.as_json()
    assert [*written] == [each.name for each in fields(LogLine)]
    for name, value in written.items():
        kept = getattr(line, name)
        assert value == (list(kept) if isinstance(kept, tuple) else kept), name
    bare = LogLine(0, "", "start", "Skirmish")
    assert (bare.why, bare.rules, bare.undone, bare.mode, bare.source, bare.at, bare.wall, bare.by) == (
        (), (), False, "", "", 0.0, 0.0, ""
    )  # fmt: skip


def test_a_ruling_is_told_with_its_reasons_and_a_reminder_with_its_rule() -> None:
    assert event_line(WON) == ("ruling", "Orc out", ("4 against 2",), ("BR-1",))
    assert event_line(Reminder("BR-2", "Discard a card")) == ("reminder", "Discard a card", (), ("BR-2",))
    assert event_line(Reminder("", "Discard a card"))[3] == ("",)


def test_an_entry_keeps_rulings_and_the_end_and_nothing_of_reminders() -> None:
    result = {"rulings": [{"result": "out", "headline": "Orc out", "rules": ["BR-1"]}]}
    assert summary([Reminder("BR-2", "Discard"), WON], None) == result
    assert summary([WON], Over("ring", "Evil wins", ("sauron",))) == result | {
        "over": {"reason": "ring", "winners": ["sauron"]}
    }
    assert summary([Reminder("BR-2", "Discard")], None) is None
    assert summary([], None) is None
