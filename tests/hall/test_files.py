"""What is left of an event: a file that proves itself to a program that shares no code; results as tables."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from referee.errors import JournalDamaged, JournalError
from referee.hall.desk import Desk
from referee.hall.pages import files
from referee.hall.record import exported
from referee.journal.export import read
from referee.tournament import Game, Result
from referee.tournament.acts import ResultEntered, RoundEnded, RoundStarted, fold, read_act
from tests.hall.visitor import Visitor

TOOL = Path(__file__).parents[2] / "tools" / "verify_export.py"


def play(desk: Desk) -> None:
    """Play round 1: the first seat wins at each table but the last, where nobody came."""
    mark = {"who": "organiser", "at": desk.now()}
    desk.perform(RoundStarted(**mark, round=1))  # type: ignore[arg-type]
    *tables, last = desk.event.rounds[0].pairings
    results = [(each.table, Result(games=(Game(each.players[0], "military"),))) for each in tables]
    for table, result in [*results, (last.table, Result("no-show", fault=last.players))]:
        desk.perform(ResultEntered(**mark, round=1, table=table, result=result, by="judge"))  # type: ignore[arg-type]
    desk.perform(RoundEnded(**mark, round=1))  # type: ignore[arg-type]


def verified(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(TOOL), str(path)], capture_output=True, text=True, check=False)


def test_the_event_file_is_verified_by_a_program_that_shares_no_code(
    organiser: Visitor, sixteen: Desk, tmp_path: Path
) -> None:
    play(sixteen)
    path = tmp_path / "event.jsonl"
    answer = organiser.get("/event.jsonl")
    assert answer.headers["content-disposition"] == 'attachment; filename="event.jsonl"'
    path.write_bytes(answer.body)
    assert "Aragorn" not in answer.text  # numbers only
    done = verified(path)
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_bytes(answer.body.replace(b'"winner":', b'"winner":1', 1))
    assert verified(path).returncode == 1


def test_the_event_is_what_its_file_says(organiser: Visitor, sixteen: Desk, tmp_path: Path) -> None:
    play(sixteen)
    read_back = read(io.BytesIO(organiser.get("/event.jsonl").body))
    assert read_back.book == "tournament"
    assert fold(read_act(entry.extra["act"]) for entry in read_back.entries[2:]) == sixteen.event
    # A hall may have the folder open meanwhile.
    assert "\n".join(exported(sixteen.folder / "hall.db")) + "\n" == organiser.get("/event.jsonl").text
    with pytest.raises(JournalError):
        list(exported(tmp_path / "elsewhere.db"))


def test_a_record_that_is_damaged_gives_no_file_and_says_so(
    organiser: Visitor, sixteen: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> NoReturn:
        raise JournalDamaged("game 1, entry 2: was changed")

    monkeypatch.setattr(files, "export", damaged)
    answer = organiser.get("/event.jsonl")
    assert (answer.status, answer.text) == (503, "game 1, entry 2: was changed\n")


def test_results_as_csv_and_json(organiser: Visitor, sixteen: Desk) -> None:
    sixteen.names.put({"player": {1: "=HYPERLINK(1)", 2: 'Bo "B", Li'}})
    play(sixteen)
    rows = list(csv.DictReader(io.StringIO(organiser.get("/results.csv").text)))
    assert len(rows) == 16
    pairing = sixteen.event.rounds[0].pairings[0]
    first = next(row for row in rows if row["player"] == str(pairing.players[0]))
    assert (first["round"], first["table"], first["seat"], first["winner"]) == ("1", "1", "1", "1")
    assert (first["stage"], first["side"], first["match_points"], first["game_points"]) == (
        *("1", "Free Peoples", "3", "3"),
    )
    assert {row["name"] for row in rows if row["player"] in ("1", "2")} == {"'=HYPERLINK(1)", 'Bo "B", Li'}
    assert sum(row["outcome"] == "no-show" for row in rows) == 2
    value = json.loads(organiser.get("/results.json").text)
    assert value["version"] == 1
    assert value["rounds"][0]["tables"][0]["match_points"] == [3, 0]
    assert value["rounds"][0]["tables"][0]["sides"] == ["Free Peoples", "Shadow"]
    places = list(csv.DictReader(io.StringIO(organiser.get("/standings.csv").text)))
    assert next((row["place"], row["match points"]) for row in places) == ("1", "3")
    assert value["stages"][0]["standings"][0]["values"]["match points"] == "3"
    assert value["event"] == "Example event"
    assert [table["table"] for table in value["rounds"][0]["tables"]] == list(range(1, 9))
    assert value["rounds"][0]["tables"][0]["result"]["games"][0]["kind"] == "military"
    assert {row["player"] for row in value["standings"]} == set(range(1, 17))


def test_a_draft_is_in_no_table_of_results(organiser: Visitor, sixteen: Desk) -> None:
    play(sixteen)
    before = organiser.get("/results.csv").text, organiser.get("/results.json").text
    organiser.post("/round", "draft")
    assert (organiser.get("/results.csv").text, organiser.get("/results.json").text) == before
