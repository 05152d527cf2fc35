"""A result that both seats confirmed is countersigned: at the box, on the pages, and for whoever checks it later."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.errors import NotNow
from referee.files.receipt import receipt
from referee.hall.countersignature import check, signed, text_of
from referee.hall.desk import Desk
from referee.hall.pages.files import event_file
from referee.hall.uplink.messages import Order, write
from referee.journal.export import export
from referee.journal.seal import Signer
from referee.station.inbox import Seated
from referee.testing.station import Bench
from referee.tournament import Game, Result
from referee.tournament.acts import Countersigned, ResultEntered, ResultTakenBack, RoundStarted
from referee.tournament.plain import from_json, to_json
from referee.tournament.results import Countersignature
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.uplink.memory import signer
from tests.hall.visitor import Visitor

TOOLS = Path(__file__).parents[2] / "tools"
GAME, HEAD = "a" * 64, "b" * 64


def confirmed(floor: Floor) -> str:
    """Play a little, have both seats confirm; return what the hall signed, as in QR codes."""
    floor.bench.key("1", "1")
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    return text_of(to_json(floor.pairing.countersigned))


# -- at the box ------------------------------------------------------------------------------------------------------


def test_the_receipt_stands_on_the_glass_and_what_was_signed_in_the_journal(floor: Floor) -> None:
    floor.bench.hub.subscribe(lambda _: None)
    floor.bench.settle()
    text = confirmed(floor)
    (panel,) = [each["countersigned"] for each in floor.bench.hub.snapshot() if each["type"] == "table"]
    assert panel == {"text": text, "receipt": receipt(text)}
    assert floor.bench.text == f"Countersigned. Receipt: {receipt(text)}"
    members, entries = json.loads(text), list(floor.bench.journal.records(1, 0, 99))
    assert (members["game"], members["head"]) == (entries[0]["hash"], floor.bench.journal.head(1)[1])
    assert (members["round"], members["table"], tuple(members["players"])) == (1, TABLE, floor.pairing.players)
    assert [each["text"] for each in floor.notes("order")] == [text]
    check(text, floor.desk.record.event)
    floor.reconnect()
    floor.restarted()
    floor.carry()
    assert [type(act) for act in floor.desk.acts].count(Countersigned) == 1
    assert len(floor.notes("order")) == 1


def test_the_receipt_is_there_again_after_the_box_was_switched_off(floor: Floor) -> None:
    text, console = confirmed(floor), floor.bench.console
    assert console.event.seating is not None
    floor.bench.close()
    with Bench(floor.bench.journal.path) as bench:
        assert bench.console.event.countersignature == ""  # before the hall has said that there is an event
        bench.inbox.put(Seated(console.event.seating))
        bench.settle()
        bench.wait(1.0)
        bench.hold("back", 0.5)
        bench.key("6", "2", "5")
        assert bench.text == f"Countersigned. Receipt: {receipt(text)}"


def test_the_end_of_a_game_shows_the_receipt(floor: Floor) -> None:
    console = floor.bench.console
    console.table.concede("shadow")
    floor.bench.settle()
    floor.bench.wait(1.0)
    before = floor.bench.text
    assert receipt(text := confirmed(floor)) not in before
    floor.bench.key("select", "select")
    assert receipt(text) in floor.bench.text
    floor.bench.key("select")
    assert floor.bench.console.table.session is None


def test_a_countersignature_that_does_not_hold_ends_the_connection(floor: Floor) -> None:
    text = confirmed(floor)
    other = text.replace(f'"table":{TABLE}', '"table":4')
    for wrong in (other, text.replace("{", "{ ", 1), text.replace(floor.desk.record.event, GAME), "{}", "[]"):
        floor.side.state = "on"
        floor.side.received(write(Order(99, "countersigned", 0, "hall", wrong)), 0.0)
        assert floor.side.refused is not None
        assert floor.side.refused.code == "malformed"
        assert "expected" in floor.side.refused.expected
    assert floor.side.news.orders == []


def test_a_slip_of_no_game_that_the_box_has_sent_is_told(floor: Floor) -> None:
    players = list(floor.pairing.players)
    slip = {"round": 1, "players": players, "result": {"games": [{"winner": players[0], "kind": "Ring"}]}}
    for of in ({"of": {"hash": GAME}}, {"of": {"hash": 7}}, {"of": 1}):
        floor.write_note({"slip": slip, **of})
    floor.carry()
    assert floor.pairing.result is None
    assert {text.partition(": ")[2] for _, _, text in floor.hall.side.intake.incidents()} == {
        "of: expected an entry of a game that this box has sent"
    }


# -- on the pages ----------------------------------------------------------------------------------------------------


def test_phones_and_the_printed_slip_show_receipt_and_code(floor: Floor, organiser: Visitor, public: Visitor) -> None:
    player, where = floor.pairing.players[0], f"/table?round=1&table={TABLE}"
    assert "Receipt" not in public.get(where).words
    assert "countersigned" not in public.get(f"/player?number={player}").text
    text = confirmed(floor)
    assert where.replace("&", "&amp;") in public.get(f"/player?number={player}").text
    for page in (public.get(where), organiser.get("/print/slips?round=1")):
        assert receipt(text) in page.words
        assert page.text.count("<svg") == 1
        assert "<title>Countersigned result</title>" in page.text
    assert receipt(text) in organiser.get("/round").words
    for nowhere in ("/table", "/table?round=1", "/table?round=2&table=3", "/table?round=1&table=99"):
        assert public.get(nowhere).status == 404


def test_a_draft_has_no_public_table(sixteen: Desk, organiser: Visitor, public: Visitor) -> None:
    organiser.post("/round", "start")
    organiser.post("/round", "end", why="for a test")
    organiser.post("/round", "draft")
    assert public.get("/table?round=1&table=1").status == 200
    assert public.get("/table?round=2&table=1").status == 404


# -- for whoever checks it later -------------------------------------------------------------------------------------


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("verify_event")


def entered(desk: Desk, result: Result, table: int = 1) -> ResultEntered:
    return ResultEntered(who="table 1", at=desk.now(), round=1, table=table, result=result, by="seats", note="c" * 64)


def countersigned(desk: Desk, result: Result, by: Signer | None = None) -> Countersigned:
    """The act by which a hall signs a result of table 1."""
    members = {
        "event": desk.record.event,
        "round": 1,
        "table": 1,
        "players": desk.event.rounds[0].at(1).players,
        "game": GAME,
        "head": HEAD,
        "result": to_json(result),
    }
    countersignature = from_json(Countersignature, signed(by or desk.record.signer, members))
    return Countersigned(who="hall", at=desk.now(), countersignature=countersignature, note="c" * 64)


@pytest.fixture
def won(sixteen: Desk) -> Result:
    sixteen.perform(RoundStarted(**MARK, round=1))
    return Result(games=(Game(sixteen.event.rounds[0].at(1).players[0], "Ring"),))


def checked(reader: Any, desk: Desk, folder: Path, *options: str) -> int:
    """Have the reader check the event's file."""
    path = folder / "event.jsonl"
    path.write_text("".join(f"{line}\n" for line in event_file(desk)))
    return int(reader.main([str(path), *options]))


def test_the_reader_says_what_was_countersigned(
    floor: Floor, reader: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = confirmed(floor)
    game = tmp_path / "game.jsonl"
    game.write_text("".join(f"{line}\n" for line in export(floor.bench.journal, 1)))
    floor.desk.perform(ResultTakenBack(**MARK, round=1, table=TABLE))
    options = ["--event", floor.desk.record.event, "--game", str(game), "--code", text]
    assert checked(reader, floor.desk, tmp_path, *options) == 0
    lines = capsys.readouterr().out
    assert "\n1 term verified, certified by" in lines
    assert "\n1 countersignature verified\n" in lines
    players = ", ".join(map(str, floor.pairing.players))
    assert f"round 1, table {TABLE}, players {players}: receipt {receipt(text)}; taken back later" in lines
    assert f"is the game of round 1, table {TABLE} up to entry {floor.bench.journal.head(1)[0]}" in lines
    assert "the code is the countersignature in entry" in lines
    other = text.replace(f'"table":{TABLE}', '"table":4')
    for wrong in (["--event", GAME], ["--code", other], ["--game", str(tmp_path / "event.jsonl")]):
        assert checked(reader, floor.desk, tmp_path, *wrong) == 1
    assert capsys.readouterr().err.count("verify_event: ") == 3
    assert reader.main([str(game)]) == 2
    assert "expected an event file, got a game" in capsys.readouterr().err


def test_a_result_without_its_countersignature_is_told(
    sixteen: Desk, won: Result, reader: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sixteen.perform(entered(sixteen, won))
    assert checked(reader, sixteen, tmp_path) == 1
    assert "the result of round 1, table 1 is not countersigned" in capsys.readouterr().err
    sixteen.perform(ResultTakenBack(**MARK, round=1, table=1))  # nor is it made good by what comes later
    sixteen.perform(replace(entered(sixteen, won), by="judge"), countersigned(sixteen, won))
    assert checked(reader, sixteen, tmp_path) == 1


def test_a_changed_result_is_told_though_the_record_holds(
    sixteen: Desk, won: Result, reader: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = Result(games=(Game(sixteen.event.rounds[0].at(1).players[1], "Ring"),))
    act = countersigned(sixteen, won)
    changed = replace(act, countersignature=replace(act.countersignature, result=lost))
    sixteen.perform(entered(sixteen, lost), changed)
    assert checked(reader, sixteen, tmp_path) == 1
    assert "its signature does not match" in capsys.readouterr().err
    path = tmp_path / "event.jsonl"
    path.write_text(path.read_text().replace('"kind":"Ring"', '"kind":"military"', 1))  # the file alone
    assert reader.main([str(path)]) == 1
    assert "was changed; its hash does not match" in capsys.readouterr().err


def test_a_changed_head_and_another_halls_key_are_told(sixteen: Desk, won: Result, reader: Any) -> None:
    event, hall = sixteen.record.event, sixteen.record.signer.public
    right = to_json(countersigned(sixteen, won).countersignature)
    reader.check_signature("here", right, event, hall)
    other = to_json(countersigned(sixteen, won, signer(5)).countersignature)
    for wrong, why in (
        (right | {"head": "d" * 64}, "its signature does not match"),
        (right | {"game": "d" * 64}, "its signature does not match"),
        (right | {"players": right["players"][::-1]}, "its signature does not match"),
        (right | {"round": 2}, "its signature does not match"),
        (right | {"signature": "0" * 128}, "its signature does not match"),
        (right | {"event": "d" * 64}, "is of another event"),
        (other, "is by another hall"),
        (other | {"hall": hall}, "its signature does not match"),
        (right | {"head": right["head"].upper()}, "expected event, game, head and hall as 64 hex digits"),
        (right | {"table": "1"}, "expected whole numbers"),
        (right | {"more": 1}, "expected a countersignature with event, game"),
        ([], "expected a countersignature with event, game"),
    ):
        with pytest.raises(reader.Bad, match=f"here: {why}"):
            reader.check_signature("here", wrong, event, hall)


def test_nothing_of_another_result_is_countersigned(sixteen: Desk, won: Result) -> None:

    lost = Result(games=(Game(sixteen.event.rounds[0].at(1).players[1], "Ring"),))
    sixteen.perform(entered(sixteen, lost))
    with pytest.raises(NotNow, match="expected the result of table 1, not countersigned yet"):
        sixteen.perform(countersigned(sixteen, won))
