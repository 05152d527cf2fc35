"""Faults of what the box is made of: its keys and its display."""

from __future__ import annotations

import errno
from pathlib import Path

from tests.faults.rig import Rig
from tests.faults.table import Row, scenario

NEVER = 1e9
"""Seconds, more than any evening has."""

UNNOTICED = "by the players only"
"""Where the box cannot know."""


@scenario("Keys", "stuck: Select is shorted")
def stuck(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.inject(lambda: rig.simulated.press("select"))
        rig.until_said("Key stuck")
        rig.mend(lambda: None)
        rig.until_usable(key="back")
        return rig.row("any other key; the stuck key works again once it is released")


@scenario("Keys", "chattering: 200 contacts a second, for ten seconds")
def chatters(folder: Path) -> Row:
    with Rig(folder) as rig:
        open_again: list[float] = []

        def chatter(times: int, *, look: bool = True) -> None:
            for _ in range(times):
                for move in (rig.simulated.press, rig.simulated.release):
                    move("seat-1")
                    rig.wait(0.0025)
                if look and not open_again and rig.open_to_answers() and rig.on_glass():
                    open_again.append(rig.clock.now)

        rig.inject(lambda: chatter(400, look=False))
        rig.until_said("Key chatters")
        rig.mend(lambda: None)
        for key in ("back", "die-2", "die-5", "die-4"):  # the table plays on while it goes on
            rig.simulated.press(key)
            chatter(20)
            rig.simulated.release(key)
            chatter(100)
        assert [entry.answer for entry in rig.console.table.current.entries][-2:] == ["fortress-or-river", [5, 4]]
        chatter(1000)
        rig.key("select")
        rig.asked = rig.console.table.current.n
        rig.usable = open_again[0] - rig._mended_at
        assert [words for _, words in rig.spoken if "chatters" in words] == [rig.seen]
        return rig.row("any other key; the noisy key works again after 2 s of rest", "1")


@scenario("Keys", "two seats press at once")
def two_seats(folder: Path) -> Row:
    with Rig(folder, begin=("1", "1", *["select"] * 5)) as rig:  # Sauron's seat is asked to begin
        asked = rig.console.table.seat_keys[rig.console.table.turn]
        other = next(key for key in rig.console.table.seat_keys.values() if key != asked)

        def both() -> None:
            for move in (rig.simulated.press, rig.simulated.release):
                for key in (other, asked):
                    move(key)
                rig.wait(0.1)

        rig.inject(both)
        assert "late" in rig.sounds, "the wrong one is told by a tick"
        rig.silent("nothing: the seat that is asked begins; the other one gets a tick")
        assert rig.console.table.begun == rig.console.table.turn
        return rig.row("nothing to do", "5")


@scenario("Keys", "a missed edge: a release")
def release_missed(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.simulated.press("back")
        rig.wait(0.2)
        rig.inject(lambda: rig.unheard("back", rig.simulated.release))
        rig.silent("nothing: the level is read again, and the press does not count")
        assert not rig.loop._keys._debouncer._contacts["back"].down
        return rig.row("pressing again")


@scenario("Keys", "a missed edge: a press")
def press_missed(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.inject(lambda: rig.unheard("die-2", rig.simulated.press))
        rig.wait(0.1)
        rig.simulated.release("die-2")
        rig.silent("nothing: no sound and no answer")
        return rig.row("pressing again")._replace(noticed=UNNOTICED)


@scenario("Display", "unplugged between two pictures, then the encoder is turned")
def unplugged(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.simulated.controller.absent = True
        rig.inject(lambda: rig.simulated.turn(1))
        rig.until_said_beside("Display lost")

        def plug() -> None:
            rig.simulated.controller.power_cycle()
            rig.simulated.controller.absent = False

        rig.wait(20)
        rig.mend(plug)
        rig.until_seen("Display back")
        rig.until_usable(key="select")
        return rig.row("plugging it in, then any key")


@scenario("Display", "a bus error (EIO) during a picture")
def bus_error(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.simulated.controller.fail_next(errno.EIO, after=1, sent=40)
        rig.inject(lambda: rig.simulated.turn(1))
        rig.until_said_beside("Display lost")
        rig.mend(lambda: None)
        rig.until_seen("Display back")
        rig.until_usable(key="select")
        return rig.row("a retry after a second, then any key")


@scenario("Display", "a transfer that takes ten seconds, and a key pressed meanwhile")
def slow_bus(folder: Path) -> Row:
    with Rig(folder) as rig:
        return _wedged(rig, 10.0)


@scenario("Display", "a bus that hangs for an hour")
def wedged_bus(folder: Path) -> Row:
    with Rig(folder) as rig:
        return _wedged(rig, NEVER)


def _wedged(rig: Rig, seconds: float) -> Row:
    rig.simulated.controller.stall_next(seconds)
    before = len(rig.console.table.current.entries)
    rig.inject(lambda: rig.simulated.turn(1))
    rig.wait(0.2)
    rig.hold("die-2", 0.06)  # on the question that still stands on the glass
    assert len(rig.console.table.current.entries) == before + 1, "a key had to wait for the display"
    assert rig.clock.now - rig.console.table.current.entries[-1].at < 0.1
    rig.asked = rig.console.table.current.n
    rig.until_said_beside("Display hangs")
    for _ in range(3):  # on what nobody can see
        rig.key("1", "select", "back")
    assert len(rig.console.table.current.entries) == before + 1, "a press was taken for a question nobody had seen"
    rig.wait(min(seconds, 3600))
    rig.mend(rig.screen.let_go)
    rig.until_seen("Display back")
    rig.until_usable(key="select")
    return rig.row("the bus working again, then any key", "5", "4")


@scenario("Display", "unplugged and plugged in again, unnoticed")
def powered_anew(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.inject(rig.simulated.controller.power_cycle)
        rig.wait(1)
        assert rig.glass.getbbox() is None
        rig.seen = "a dark glass, until Back is held"
        rig.mend(lambda: rig.hold("back", 0.6))
        rig.until_seen("Undo")
        rig.until_usable(key="back")
        ends = "holding Back, or five minutes without a key; Back closes the menu"
        return rig.row(ends)._replace(noticed=UNNOTICED)
