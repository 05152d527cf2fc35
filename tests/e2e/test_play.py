"""`referee play` in headless Chromium: a ruling, a whole attack, undo, a clean end."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By

from referee.journal import Journal
from referee.journal.check import verify
from tests.e2e.conftest import SURPRISED

if TYPE_CHECKING:
    from tests.e2e.conftest import Player, Station


def two_players_at_the_attack(player: Player) -> None:
    player.press("1", "1", "2", "1")
    player.press("select", hold=0.6)  # all pieces are placed
    player.read("No builds")
    player.press("select", "select")
    player.choose("Moves done, all else as before")
    player.read("Orc")


@pytest.mark.long
def test_a_whole_attack_and_its_undo_by_the_keyboard(player: Player, station: Station) -> None:
    two_players_at_the_attack(player)
    player.press("1", "1")
    player.until(lambda: "Round 1" in player.text("#where"))
    for _ in range(2):  # the column, where a helper could matter, and the position
        if "roll 2 dice" not in player.glass:
            player.press("1")
    player.until(lambda: len(player.driver.find_elements(By.CSS_SELECTOR, "#odds li, #odds .row, #odds div")) > 0)
    assert "/36" in player.text("#odds")
    player.press("6", "6")
    player.read("dice 6 and 6")
    player.until(lambda: "6, 6" in player.text("#log"))
    player.press("back")
    player.read("6→?. keyed 6")
    player.press("5")
    player.read("dice 6 and 5")
    player.until(lambda: "6→5" in player.text("#log"))
    player.press("back", "back", "back")
    player.read("kept. rolled 6 5")  # the dice are not unthrown
    player.until(lambda: "undone" in player.text("#log").lower())
    player.press("select")
    player.read("dice 6 and 5")
    assert station.stop() == 0
    with Journal(station.journal, write=False) as journal:
        assert verify(journal)[0].game.entries > 8


@pytest.mark.parametrize("ruling_seconds", [1])
@pytest.mark.long
def test_a_ruling_gives_way_by_itself_and_back_brings_it_back(player: Player) -> None:
    player.press("1", "2", "1", "2", "5", "4")
    player.read("Defender out. dice 5 and 4")
    player.read("Attack. Defender out. 1 Ordinary v Ordinary")  # nobody has pressed a key
    player.until(lambda: "Ordinary against Ordinary" in player.text("#asked"))
    player.press("back", reaction=SURPRISED)
    player.read("Defender out. dice 5 and 4")


def test_sigterm_ends_it_cleanly_and_says_that_the_game_is_saved(station: Station) -> None:
    assert station.stop() == 0
    (line,) = station.rest.splitlines()
    assert "stopped" in line
    assert "saved" in line


def test_a_second_station_on_the_same_journal_is_refused(station: Station) -> None:
    command = [sys.executable, "-m", "referee", "play", "--no-browser", "--port", "0", "--journal"]
    second = subprocess.run([*command, str(station.journal)], capture_output=True, text=True, timeout=30, check=False)
    assert second.returncode == 74
    assert "another station" in second.stderr
    assert "whose panel was last at http://127.0.0.1:" in second.stderr
    assert "Traceback" not in second.stderr


def test_run_without_a_box_says_what_is_missing_in_one_line(station: Station) -> None:
    command = [sys.executable, "-m", "referee", "run", "--no-panel", "--journal", f"{station.journal}.other"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 69
    assert done.stderr.count("\n") == 1
    assert "referee play" in done.stderr
