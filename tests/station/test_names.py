"""Who plays which seat: picked at the box, typed in a browser, and told where people look and listen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.config import Config, TableSettings
from referee.console.views import Idle, Why
from referee.errors import StationError
from referee.files.players import PlayerNames, beside
from referee.station.virtual.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A box whose configuration knows a name."""
    with Bench(tmp_path / "journal.db", Config(table=TableSettings(players=("Cleo",)))) as bench:
        bench.play("battle-of-the-ring")
        bench.wait(1)
        yield bench


def latest(bench: Bench, kind: str) -> Any:
    return {message["type"]: message for message in bench.hub.snapshot()}[kind]


def hand_over(bench: Bench) -> Idle:
    """Go on to where a seat begins its turn."""
    while not isinstance(bench.view, Idle):
        bench.key("select")
    return bench.view


def test_a_player_is_picked_from_settings_and_from_those_before(bench: Bench) -> None:
    bench.console.table.seat_player("alliance", "Ben ☠")
    bench.hold("back", 0.6)
    bench.key("5", "5", "1")
    assert bench.text.startswith("People. names. 1 Sauron (lit). 2 Saruman. 3 Alliance")
    bench.key("1")
    assert "1 Cleo (lit). 2 Ben ?. 3 Nobody" in bench.text
    bench.key("1")
    assert "1 Sauron: Cleo" in bench.text
    bench.key("1", "3")
    assert bench.console.table.players == {"alliance": "Ben ☠"}
    bench.key("1", "2", "back", "back", "back", "back")
    assert bench.console.table.players == {"alliance": "Ben ☠", "sauron": "Ben ☠"}
    entries = bench.console.table.current.entries
    assert "Ben" not in str(entries), "no name is in what is hashed"
    view = hand_over(bench)
    assert (view.title, view.subtitle) == ("Sauron", "Ben ?: 1st Movement")
    assert bench.misfits == []


def test_a_name_typed_in_a_browser_is_told_everywhere(bench: Bench) -> None:
    bench.hub.subscribe(lambda message: None)
    hand_over(bench)
    bench.hub.name("seat-1", "Anna")
    bench.wait(1)
    assert {seat["name"]: seat["player"] for seat in latest(bench, "lamps")["seats"]} == {
        "Sauron": "Anna",
        "Saruman": "",
        "Alliance": "",
    }
    table = latest(bench, "table")
    assert table["card"]["whose"] == table["turn"] == "Sauron (Anna)"
    assert table["card"]["text"] == "1st Movement"
    assert bench.view.speech().aloud == table["aloud"] == "Sauron, Anna: press your button. 1st Movement."
    bench.key("select", "1")
    assert latest(bench, "table")["card"]["seat"] == "Sauron (Anna)"
    assert any(line["seat"] == "Sauron (Anna)" for line in latest(bench, "log")["entries"])


def test_no_flood_of_names_lies_on_the_glass(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """L1: 16 names of a seat that is not in the game, or that cannot be saved, were 16 cards to put away."""
    for _ in range(16):
        bench.hub.name("seat-8", "Nobody")
    bench.settle()
    assert bench.console.stage.top is bench.console.stage.lowest
    assert bench.sounds[-1] == "late"

    def full(*_: object) -> None:
        raise StationError("No space left on device")

    monkeypatch.setattr(PlayerNames, "name", full)
    for _ in range(16):
        bench.hub.name("seat-1", "Anna")
        bench.wait(0.5)
    assert "Name not saved. No space left on device" in bench.text
    bench.key("select")
    assert bench.console.stage.top is bench.console.stage.lowest


def test_an_erased_name_is_gone_from_open_pages_at_a_ping(bench: Bench, tmp_path: Path) -> None:
    bench.hub.subscribe(lambda message: None)
    hand_over(bench)
    bench.hub.name("seat-1", "Anna")
    bench.settle()
    bench.hub.refresh()
    bench.settle()
    assert "Anna" in str(bench.hub.snapshot())
    beside(tmp_path / "journal.db").forget("Anna")
    bench.hub.refresh()
    bench.settle()
    assert "Anna" not in str(bench.hub.snapshot())
    assert "Anna" not in bench.view.speech().aloud


@pytest.mark.parametrize("name", ["Anna", "W. Featherstonehaugh-Ash", "אנה"])
def test_a_voice_names_the_player_whose_turn_begins(bench: Bench, name: str) -> None:
    bench.console.table.seat_player("sauron", name)
    hand_over(bench)
    assert bench.view.speech().aloud == f"Sauron, {name}: press your button. 1st Movement."
    bench.key("select")
    assert bench.view.speech().aloud == f"Sauron, {name}. Move freely. Did any of these happen?"
    bench.turn(1)
    assert (
        bench.view.speech().aloud == f"Sauron, {name}. Move freely. Did any of these happen?"
    )  # no news at a detent
    bench.key("1")
    assert bench.view.speech().aloud.startswith("Sauron. ")
    bench.key("back")
    assert bench.view.speech().aloud == "Sauron. Move freely. Did any of these happen?"
    assert bench.misfits == []


def test_names_that_cannot_be_saved_are_said(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "journal.players.json").write_text("{")
    bench.hub.name("seat-1", "Anna")
    bench.settle()
    assert isinstance(bench.view, Why)
    assert bench.view.title == "Name not saved"
    bench.wait(1)
    bench.key("select")
    assert hand_over(bench).title == "Sauron"
