"""Faults of keys, display and the clock on the wall."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from referee.journal.check import verify
from tests.faults.rig import Rig

DECADE = 3652 * 24 * 3600.0


def test_a_key_that_is_stuck_leaves_the_others(memory: Path) -> None:
    with Rig(memory) as rig:
        rig.inject(lambda: rig.simulated.press("select"))
        rig.until_said("Key stuck", "select is held or shorted")
        rig.until_usable("back")
        rig.answer()


def test_the_table_plays_on_while_a_key_chatters(memory: Path) -> None:
    with Rig(memory) as rig:

        def chatter(times: int) -> None:
            for _ in range(times):
                for move in (rig.simulated.press, rig.simulated.release):
                    move("seat-1")
                    rig.wait(0.0025)

        rig.inject(lambda: chatter(400))
        rig.until_said("Key chatters", "seat-1")
        for key in ("back", "die-2", "die-5", "die-4"):
            rig.simulated.press(key)
            chatter(20)
            rig.simulated.release(key)
            chatter(100)
        assert [entry.answer for entry in rig.console.table.current.entries][-2:] == ["fortress-or-river", [5, 4]]
        chatter(1000)
        rig.key("select")
        assert len([said for _, said in rig.spoken if "chatters" in said]) == 1
        rig.whole()


def test_of_two_seats_at_once_the_one_that_is_asked_counts(memory: Path) -> None:
    with Rig(memory, begin=("1", "1", *["select"] * 5)) as rig:  # Sauron's seat is asked to begin
        asked = rig.console.table.seat_keys[rig.console.table.turn]
        other = next(key for key in rig.console.table.seat_keys.values() if key != asked)

        def both() -> None:
            for move in (rig.simulated.press, rig.simulated.release):
                for key in (other, asked):
                    move(key)
                rig.wait(0.1)

        rig.inject(both)
        assert "late" in rig.sounds, "the wrong one is told by a tick"
        rig.silent()
        assert rig.console.table.begun == rig.console.table.turn
        rig.answer("5")


def test_an_edge_that_is_missed_is_no_key_held_for_ever(memory: Path) -> None:
    with Rig(memory) as rig:
        rig.simulated.press("back")
        rig.wait(0.2)
        rig.inject(lambda: rig.unheard("back", rig.simulated.release))
        rig.silent()
        assert not rig.loop._keys._debouncer._contacts["back"].down
        rig.inject(lambda: rig.unheard("die-2", rig.simulated.press))
        rig.wait(0.1)
        rig.simulated.release("die-2")
        rig.silent()
        rig.answer()


def test_a_display_that_is_plugged_in_again_shows_the_question(memory: Path) -> None:
    with Rig(memory) as rig:
        rig.simulated.controller.absent = True
        rig.inject(lambda: rig.simulated.turn(1))
        rig.until_said_beside("Display lost")
        rig.wait(20)
        rig.simulated.controller.power_cycle()
        rig.simulated.controller.absent = False
        rig.until_seen("Display back")
        rig.until_usable("select")
        rig.answer()


def test_a_bus_error_is_told_and_mends_itself(memory: Path) -> None:
    with Rig(memory) as rig:
        rig.simulated.controller.fail_next(errno.EIO, after=1, sent=40)
        rig.inject(lambda: rig.simulated.turn(1))
        rig.until_said_beside("Display lost")
        rig.until_seen("Display back")
        rig.until_usable("select")
        rig.answer()


@pytest.mark.parametrize("seconds", [10.0, 3600.0])
def test_behind_a_display_that_hangs_no_key_waits(memory: Path, seconds: float) -> None:
    with Rig(memory) as rig:
        rig.simulated.controller.stall_next(seconds)
        before = len(rig.console.table.current.entries)
        rig.inject(lambda: rig.simulated.turn(1))
        rig.wait(0.2)
        rig.hold("die-2", 0.06)  # on the question that still stands on the glass
        assert len(rig.console.table.current.entries) == before + 1, "a key had to wait for the display"
        rig.asked = rig.console.table.current.n
        rig.until_said_beside("Display hangs")
        for _ in range(3):  # on what nobody can see
            rig.key("1", "select", "back")
        assert len(rig.console.table.current.entries) == before + 1, "a press was taken for a question nobody saw"
        rig.wait(seconds)
        rig.screen.let_go()
        rig.until_seen("Display back")
        rig.until_usable("select")
        rig.answer("5", "4")


def test_a_display_that_lost_its_power_unnoticed_comes_back(memory: Path) -> None:
    with Rig(memory) as rig:
        rig.inject(rig.simulated.controller.power_cycle)
        rig.wait(1)
        assert rig.glass.getbbox() is None
        rig.hold("back", 0.6)
        rig.until_seen("Undo")
        rig.until_usable("back")
        rig.answer()


@pytest.mark.parametrize("seconds", [3600.0, -3600.0, DECADE, -DECADE])
def test_a_clock_that_is_set_changes_nothing(memory: Path, seconds: float) -> None:
    with Rig(memory) as rig:
        view, before = rig.view, rig.clock.wall()
        rig.inject(lambda: rig.clock.step(seconds))
        rig.silent()
        assert rig.view == view
        rig.answer()
        (proof,) = verify(rig.journal)
        last = [*rig.journal.entries(proof.game.game)][-1]
        assert abs(last.wall - before - seconds) < 60
        assert rig.shelf.latest() is not None  # it is taken up again
