"""What is left of an event: a file that proves itself, and from which it can be restored; results as tables."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalBusy, JournalDamaged
from referee.hall.backup import restore
from referee.hall.desk import Desk, has_event
from referee.tournament import Game, Result
from referee.tournament.acts import fold, read_act
from referee.tournament.acts.matches import ResultEntered
from referee.tournament.acts.rounds import RoundEnded, RoundStarted
from tests.hall.visitor import Visitor


def play(desk: Desk) -> None:
    """Play round 1: the first seat wins at each table but the last, where nobody came."""
    mark = {"who": "organiser", "at": desk.now()}
    desk.perform(RoundStarted(**mark, round=1))  # type: ignore[arg-type]
    *tables, last = desk.event.rounds[0].pairings
    results = [(each.table, Result(games=(Game(each.players[0], "military"),))) for each in tables]
    for table, result in [*results, (last.table, Result("no-show", fault=last.players))]:
        desk.perform(ResultEntered(**mark, round=1, table=table, result=result, by="judge"))  # type: ignore[arg-type]
    desk.perform(RoundEnded(**mark, round=1))  # type: ignore[arg-type]


def test_the_event_file_proves_that_nothing_was_changed(organiser: Visitor, sixteen: Desk) -> None:
    play(sixteen)
    answer = organiser.get("/event.jsonl")
    assert answer.headers["content-disposition"] == 'attachment; filename="event.jsonl"'
    assert "Aragorn" not in answer.text  # numbers only
    head = "0" * 64
    for line in map(json.loads, answer.text.splitlines()):
        act = json.dumps(line["act"], sort_keys=True, separators=(",", ":"))
        head = hashlib.sha256(f"{head}\n{line['revision']}\n{line['request']}\n{act}".encode()).hexdigest()
        assert line["head"] == head
    acts = [read_act(json.loads(line)["act"]) for line in answer.text.splitlines()]
    assert fold(acts) == sixteen.event


def test_an_event_that_is_exported_and_restored_is_the_same(
    organiser: Visitor, sixteen: Desk, tmp_path: Path
) -> None:
    play(sixteen)
    file = tmp_path / "event.jsonl"
    file.write_bytes(organiser.get("/event.jsonl").body)
    assert restore(file, tmp_path / "again", sixteen.now) == sixteen.ledger.state.revision
    with Desk(tmp_path / "again") as again:
        assert again.ledger.state == sixteen.ledger.state
        assert again.names.player(1) == "Player 1"
    with pytest.raises(JournalBusy, match="has an event"):
        restore(file, tmp_path / "again", sixteen.now)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda lines: [lines[0].replace(b"organiser", b"Organiser"), *lines[1:]],
            "act 1 of the event does not follow",
        ),
        (lambda lines: [lines[0], *lines[2:]], "act 3 of the event does not follow"),
        (lambda lines: [b"[1]", *lines], "line 1: expected an act of an event file"),
        (lambda lines: [b"[" * 9999, *lines], "line 1: expected an act of an event file"),
    ],
)
def test_an_event_file_that_was_changed_restores_nothing(
    change: Any, expected: str, organiser: Visitor, sixteen: Desk, tmp_path: Path
) -> None:
    file = tmp_path / "event.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in change(organiser.get("/event.jsonl").body.splitlines())))
    with pytest.raises(JournalDamaged, match=expected):
        restore(file, tmp_path / "again", sixteen.now)
    assert not has_event(tmp_path / "again")


def test_results_as_csv_and_json(organiser: Visitor, sixteen: Desk) -> None:
    sixteen.perform(names={"player": {1: "=HYPERLINK(1)", 2: 'Bo "B", Li', 3: "\uff1dSUM(1)"}})
    play(sixteen)
    rows = list(csv.DictReader(io.StringIO(organiser.get("/results.csv").body.decode("utf-8-sig"))))
    assert len(rows) == 16
    pairing = sixteen.event.rounds[0].pairings[0]
    first = next(row for row in rows if row["player"] == str(pairing.players[0]))
    assert (first["round"], first["table"], first["seat"], first["winner"]) == ("1", "1", "1", "1")
    assert (first["stage"], first["side"], first["match_points"], first["game_points"]) == (
        *("1", "Free Peoples", "3", "3"),
    )
    assert {row["name"] for row in rows if row["player"] in ("1", "2")} == {"'=HYPERLINK(1)", 'Bo "B", Li'}
    assert {row["name"] for row in rows if row["player"] == "3"} == {"'\uff1dSUM(1)"}
    assert sum(row["outcome"] == "no-show" for row in rows) == 2
    value = json.loads(organiser.get("/results.json").text)
    assert value["version"] == 1
    assert len(value["results"]) == 16
    won = next(each for each in value["results"] if each["player"] == pairing.players[0])
    assert (won["match_points"], won["side"], won["winner"]) == (3, "Free Peoples", 1)
    places = list(csv.DictReader(io.StringIO(organiser.get("/standings.csv").body.decode("utf-8-sig"))))
    assert next((row["place"], row["match points"]) for row in places) == ("1", "3")
    assert value["standings"][0]["match points"] == "3"
    assert value["event"] == "Example event"
    assert {row["player"] for row in value["standings"]} == set(range(1, 17))


def test_a_draft_is_in_no_table_of_results(organiser: Visitor, sixteen: Desk) -> None:
    play(sixteen)
    before = organiser.get("/results.csv").text, organiser.get("/results.json").text
    organiser.post("/round", "draft")
    assert (organiser.get("/results.csv").text, organiser.get("/results.json").text) == before
