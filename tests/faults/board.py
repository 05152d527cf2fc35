"""Faults of the input board and of its cable. The board runs its own firmware; the cable is simulated at pyserial."""

from __future__ import annotations

import random
from pathlib import Path

from tests.bench.usb import UsbBoard
from tests.faults.rig import Rig
from tests.faults.table import Row, scenario

FLOOD = 20
"""Times a hundred kilobytes of noise, one after another, in a second: as much as USB brings."""


class BoardRig(Rig):
    """A rig with an input board beside the box; what is answered in the end is answered on the board."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.board = UsbBoard(self.clock, random.Random(1))
        self.parts.append(self.board)
        self.loop.attach("Input board", self.board.make)
        self.wait(2)
        self.spoken.clear()

    def tap(self, key: str) -> None:
        """Press a key of the board."""
        self.presses += 1
        for closed in (True, False):
            self.board.move(key, closed=closed)
            self.wait(0.06)

    def answer(self) -> None:
        """Answer on the board, in time and once."""
        before = len(self.console.table.current.entries)
        self.wait(0.4)
        at = self.clock.now
        self.tap("die-2")
        self.wait(0.2)
        entries = self.console.table.current.entries
        assert len(entries) == before + 1, f"no answer was taken: {self.spoken[-1]}"
        assert 0 <= entries[-1].at - at < 0.005, "the press was given another time"
        self.answered = self.clock.now

    def row(self, ends: str, *answer: str) -> Row:
        """As of any rig, but answered on the board."""
        self.answer()
        return self.counted(ends)


@scenario("Input board", "unplugged while one of its keys is down")
def unplugged(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        rig.board.move("seat-3", closed=True)
        rig.wait(0.5)
        rig.inject(rig.board.cable.pull)
        rig.until_said("Input board lost")
        rig.wait(20)
        rig.board.move("seat-3", closed=False)
        rig.mend(lambda: rig.board.cable.plug("ttyACM0"))
        rig.until_seen("Input board back")
        rig.until_usable(key="select")
        return rig.row("plugging it in, then any key")


@scenario("Input board", "unplugged, then back under another device name")
def renamed(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        rig.inject(rig.board.cable.pull)
        rig.until_said("Input board lost")
        rig.mend(lambda: rig.board.cable.plug("ttyACM7"))
        rig.until_seen("Input board back")
        rig.until_usable(key="select")
        return rig.row("plugging it in, then any key")


@scenario("Input board", "it hangs, with its cable connected")
def hangs(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        rig.inject(lambda: setattr(rig.board, "frozen", True))
        rig.until_said("Input board lost")
        rig.wait(20)
        rig.mend(lambda: setattr(rig.board, "frozen", False))
        rig.until_seen("Input board back")
        rig.until_usable(key="select")
        return rig.row("the board answering again, or plugging it in again; then any key")


@scenario("Input board", "it restarts")
def rebooted(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        rig.inject(rig.board.boot)
        rig.until_said("Input board back")
        rig.mend(lambda: None)
        rig.until_usable(key="select")
        return rig.row("any key")


@scenario("Input board", "half a frame of a press")
def half_a_frame(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        rig.board.cable.spoil = lambda frame: frame[: len(frame) // 2]
        rig.inject(lambda: rig.board.move("seat-4", closed=True))
        rig.board.move("seat-4", closed=False)
        rig.silent("nothing: the board sends it again after 80 ms")
        halved: list[bytes] = []

        def half(frame: bytes) -> bytes:
            if b"die-2" not in frame:
                rig.board.cable.spoil = half
                return frame
            halved.append(frame)
            return frame[: len(frame) // 2]

        rig.board.cable.spoil = half  # of the press that answers
        row = rig.row("nothing to do")
        assert len(halved) == 1
        return row


@scenario("Input board", "a press sent twice, and a bit of another flipped")
def noise(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        rig.board.cable.spoil = lambda frame: frame[:-4] + bytes([frame[-4] ^ 1]) + frame[-3:]
        rig.inject(lambda: rig.board.move("seat-4", closed=True))
        rig.board.move("seat-4", closed=False)
        rig.silent("nothing: frames are numbered and carry a checksum")
        rig.board.cable.spoil = lambda frame: frame * 2
        return rig.row("nothing to do")


@scenario("Input board", "a flood: two megabytes of noise in a second, and a press on the box")
def flood(folder: Path) -> Row:
    with BoardRig(folder) as rig:
        chance = random.Random(2)

        def noise() -> None:
            for _ in range(FLOOD):
                rig.board.cable.carry(chance.randbytes(100_000))
                rig.wait(1 / FLOOD)

        rig.inject(noise)
        rig.silent("nothing: bytes that are not a frame are skipped")
        return rig.row("nothing to do")
