"""Faults of the input board and of its cable. The board runs its own firmware; the cable is simulated at pyserial."""

from __future__ import annotations

import random
from pathlib import Path

from tests.bench.usb import UsbBoard
from tests.faults.rig import Rig


class BoardRig(Rig):
    """A rig with an input board beside the box; what is answered in the end is answered on the board."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.board = UsbBoard(self.clock, random.Random(1))
        self.parts.append(self.board)
        self.loop.attach("Input board", self.board.make)
        self.wait(2)
        self.spoken.clear()

    def answer(self, *keys: str) -> None:
        """Answer on the board, in time and once."""
        before = len(self.console.table.current.entries)
        self.wait(0.4)
        at = self.clock.now
        for closed in (True, False):
            self.board.move("die-2", closed=closed)
            self.wait(0.06)
        self.wait(0.2)
        entries = self.console.table.current.entries
        assert len(entries) == before + 1, f"no answer was taken: {self.text}"
        assert 0 <= entries[-1].at - at < 0.005, "the press was given another time"
        self.whole()


def test_a_board_pulled_out_with_a_key_down_comes_back(memory: Path) -> None:
    with BoardRig(memory) as rig:
        rig.board.move("seat-3", closed=True)
        rig.wait(0.5)
        rig.inject(rig.board.cable.pull)
        rig.until_said("Input board lost", "Check its cable")
        rig.wait(20)
        rig.board.move("seat-3", closed=False)
        rig.board.cable.plug("ttyACM7")  # the kernel may call it otherwise
        rig.until_seen("Input board back")
        rig.until_usable("select")
        rig.answer()


def test_a_board_that_hangs_is_missed_though_its_cable_is_in(memory: Path) -> None:
    with BoardRig(memory) as rig:
        rig.inject(lambda: setattr(rig.board, "frozen", True))
        rig.until_said("Input board lost")
        rig.wait(20)
        rig.board.frozen = False
        rig.until_seen("Input board back")
        rig.until_usable("select")
        rig.answer()


def test_a_board_that_restarts_says_that_presses_may_be_lost(memory: Path) -> None:
    with BoardRig(memory) as rig:
        rig.inject(rig.board.boot)
        rig.until_said("Input board back", "Keys pressed meanwhile do not count")
        rig.until_usable("select")
        rig.answer()


def test_half_a_frame_is_sent_again(memory: Path) -> None:
    with BoardRig(memory) as rig:
        halved: list[bytes] = []

        def half(frame: bytes) -> bytes:
            if b"die-2" not in frame:
                rig.board.cable.spoil = half
                return frame
            halved.append(frame)
            return frame[: len(frame) // 2]

        rig.board.cable.spoil = half
        rig.answer()
        assert len(halved) == 1


def test_a_flipped_bit_and_a_frame_sent_twice_change_nothing(memory: Path) -> None:
    with BoardRig(memory) as rig:
        rig.board.cable.spoil = lambda frame: frame[:-4] + bytes([frame[-4] ^ 1]) + frame[-3:]
        rig.inject(lambda: rig.board.move("seat-4", closed=True))
        rig.board.move("seat-4", closed=False)
        rig.silent()
        rig.board.cable.spoil = lambda frame: frame * 2
        rig.answer()


def test_a_flood_of_noise_is_skipped(memory: Path) -> None:
    """Two megabytes in a second: as much as USB brings."""
    with BoardRig(memory) as rig:
        chance = random.Random(2)

        def noise() -> None:
            for _ in range(20):
                rig.board.cable.carry(chance.randbytes(100_000))
                rig.wait(0.05)

        rig.inject(noise)
        rig.silent()
        rig.answer()
