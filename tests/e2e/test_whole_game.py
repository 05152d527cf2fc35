"""Whole games pressed through in the browser, to a victory, for both player counts."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from referee.journal import Journal

if TYPE_CHECKING:
    from tests.e2e.conftest import Player, Station


def begin(player: Player, players: int) -> None:
    player.choose("Battle of the Ring")
    player.choose("New game")
    if players == 2:
        player.choose("Players 3")
    player.choose("Start")
    player.bundle()
    player.go_on()


def attack(player: Player, attacker: str, target: str, position: str, faces: str) -> None:
    player.choose(attacker)
    player.choose(target)
    player.choose(f"No helper, {position.lower()}" if "No helper" in player.glass else position)
    for face in faces:
        player.press(face)


def finish(player: Player) -> None:
    """Read what is told up to the end of the game."""
    for _ in range(4):
        if ". wins" in player.glass:
            return
        player.press("select")
    raise AssertionError(f"the game is not over: {player.glass!r}")


def records(station: Station) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "referee", "log", "--json", "--journal", str(station.journal)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.long
def test_two_players_to_the_ring_in_barad_dur(player: Player, station: Station) -> None:
    begin(player, 2)
    player.choose("Moves done, nothing special")
    player.go_on()
    attack(player, "Orc", "Gondor", "Open ground", "44")
    player.read("Gondor out")
    player.press("select", hold=0.6)  # the same again
    player.press("1", "1")
    player.read("Orc out")
    player.press("select")
    player.choose("No more attacks")
    player.go_on()
    player.choose("Ring captured")
    player.choose("Nazgûl")
    player.go_on()
    player.press("3")  # the escape: three hexes
    player.go_on()
    player.choose("Barad-dûr: Evil wins")
    finish(player)
    player.read("Evil")
    assert station.stop() == 0
    with Journal(station.journal, write=False) as journal:
        assert journal.games()[0].over
    texts = [str(line["text"]) for line in records(station)]
    assert any("Gondor out" in text for text in texts)
    assert any("Barad-dûr" in text for text in texts)
