"""A question as the drive protocol has it: what its kind has, and no member that says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from referee.rulebook import (
    Ask,
    Bar,
    Book,
    Bundle,
    Choose,
    Count,
    Game,
    Options,
    Pick,
    Play,
    Procedure,
    Roll,
    section,
)
from referee.session.prompt import read_prompt

ORCS = Options([("orc", "Orc", "O"), ("troll", "Troll"), ("ent", "Ent")])
FAR = Bar("X-1", "Too far")
NEVER = Bar("X-2", "No Ents", firm=True, aside=True)


@dataclass
class Table(Game):
    """A game with one question."""

    seat: str = "north"

    def seats(self) -> Mapping[str, str]:
        return {"north": "North"}


def asked(ask: Ask, stands: tuple[int, ...] | None = None) -> dict[str, Any]:
    """Return a question as JSON, without what every question has."""

    @section("X-9", title="Only")
    def play(_: Table) -> Procedure[None]:
        yield ask

    book = Book(id="table", title="Table", edition="1", start=lambda _: Table(), play=play)
    prompt = read_prompt(Play(book, {}, None), 4, stands)
    assert prompt is not None
    written = prompt.as_json()
    common = {
        "type": "prompt",
        "n": 4,
        "seat": "north",
        "kind": ask.kind,
        "ask": "key",
        "text": "What?",
        "rule": "",
    }
    assert {name: written.pop(name) for name in common} == common
    return written


def bar(option: str) -> Bar | None:
    return {"troll": FAR, "ent": NEVER}.get(option)


OPEN = [{"id": "orc", "text": "Orc", "short": "O"}]
BARRED = [
    {"id": "troll", "code": "X-1", "text": "Too far", "label": "Troll"},
    {"id": "ent", "code": "X-2", "text": "No Ents", "label": "Ent", "firm": True, "aside": True},
]


@pytest.mark.parametrize(
    ("ask", "written"),
    [
        (Choose("key", "What?", ORCS, bar), {"options": OPEN, "barred": BARRED}),
        (Pick("key", "What?", ORCS, bar, low=0, high=2), {"options": OPEN, "barred": BARRED, "low": 0, "high": 2}),
        (
            Count("key", "What?", 1, 3, lambda n: None if n == 2 else FAR, unit="hexes", one="hex", default=2),
            {
                "low": 1,
                "high": 3,
                "barred": [
                    {"value": 1, "code": "X-1", "text": "Too far", "label": "1"},
                    {"value": 3, "code": "X-1", "text": "Too far", "label": "3"},
                ],
                "default": 2,
                "unit": "hexes",
                "one": "hex",
            },
        ),
        (Roll("key", "What?", 2), {"dice": 2, "low": 2, "total": False}),
        (
            Roll("key", "What?", 3, low=1, total=True, tally="hits", by_tally=True, need="5+", need_note="or 6"),
            {
                "dice": 3,
                "low": 1,
                "total": True,
                "tally": "hits",
                "by_tally": True,
                "need": "5+",
                "need_note": "or 6",
            },
        ),
        (Roll("key", "What?", 1, foot=("", "kills")), {"dice": 1, "low": 1, "total": False, "foot": ["", "kills"]}),
    ],
    ids=["choose", "pick", "count", "roll", "tally", "foot"],
)
def test_each_kind_of_question_has_its_members_and_no_other(ask: Ask, written: dict[str, Any]) -> None:
    assert asked(ask) == written


def test_bundles_notes_head_and_tag_are_told() -> None:
    bundles = (Bundle("both", "Both", (("orc", "troll"), 2)),)
    ask = Pick("key", "What?", ORCS, low=0, high=2, bundles=lambda: bundles, head="Round 1", tag="1/2")
    written = asked(ask)
    assert written["bundles"] == [{"id": "both", "text": "Both", "answers": [["orc", "troll"], 2]}]
    assert (written["head"], written["tag"]) == ("Round 1", "1/2")
