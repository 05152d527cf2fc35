"""The chip of the header is found by its label (P1): gpiozero's real LGPIOFactory over a machine's chips."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hardware.box import Box, open_real
from hardware.errors import PinsForbidden, UnknownBoard, WrongChip
from hardware.glass.buses import I2cWire, Wire
from hardware.header import Chip
from hardware.pins import load
from hardware.simulated.bus import SimulatedI2c
from hardware.simulated.controllers import Ssd1309
from referee.doctor.findings import Finding
from referee.doctor.host import Host
from referee.doctor.wires import gpio, wired
from tests.hardware.chips import BOARDS, Board, Chips, pi_5


def bus(number: int, address: int) -> Wire:
    return I2cWire(SimulatedI2c(Ssd1309(), address=address), address)


def opened() -> Box:
    box = open_real(load(), bus=bus)
    box.inputs.open(lambda event: None)
    return box


class Devices(Host):
    """The doctor's view of the same chips."""

    def __init__(self, board: Board, devices: Path) -> None:
        self._board, self._devices = board, devices

    def names(self, folder: str) -> list[str]:
        return sorted(f"gpiochip{number}" for number in self._board.chips)

    def chip(self, path: str) -> Chip:
        return super().chip(str(self._devices / Path(path).name))


def examined(board: Board, devices: Path) -> list[Finding]:
    return [*gpio(Devices(board, devices), load())]


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_line_of_the_box_is_claimed_on_the_header(
    board: Board, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """P1: never on another chip, whatever their numbers; and the doctor looks at the same one."""
    chips = Chips(board, monkeypatch, tmp_path)
    box = opened()
    assert dict(chips.claimed) == {board.header: set(wired(load()))}
    box.close()
    found, free = examined(board, tmp_path)
    assert (f"/dev/gpiochip{board.header} " in found.text, free.level) == (True, "ok")


@pytest.mark.parametrize("error", [errno.EACCES, errno.EPERM])
def test_permission_is_said_where_it_was_denied(error: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """P1: by the station and by the doctor."""
    board = pi_5(11, 12, 13, 14, 15)
    Chips(board, monkeypatch, tmp_path).refused = dict.fromkeys(board.chips, error)
    with pytest.raises(PinsForbidden, match=f"{os.strerror(error)}. This user must be in the group gpio"):
        opened()
    (found,) = examined(board, tmp_path)
    assert "usermod -aG gpio" in found.todo or "no group gpio" in found.todo


NO_HEADER = {
    "no chip at all": Board(0xC04170, {}, 0),
    "only chips of the board": Board(0xC04170, {0: ("gpio-brcmstb@107d508500", 32), 10: ("pinctrl-amd", 58)}, 0),
    "the header of a kernel without its driver": Board(0xC03111, {0: ("raspberrypi-exp-gpio", 8)}, 0),
}


@pytest.mark.parametrize("board", NO_HEADER.values(), ids=NO_HEADER)
def test_without_a_header_nothing_is_claimed(board: Board, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """P1: a 32-line chip as number 0 took five outputs of the box without a word."""
    chips = Chips(board, monkeypatch, tmp_path)
    with pytest.raises(WrongChip, match="no header of a Raspberry Pi") as wrong:
        opened()
    assert all(label in str(wrong.value) for label, _ in board.chips.values())
    assert "group" not in str(wrong.value)
    assert not chips.claimed
    (found,) = examined(board, tmp_path)
    assert (found.part, found.level, "group" in found.text + found.todo) == ("gpio", "fail", False)


def test_a_board_without_a_revision_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chips = Chips(BOARDS["4B"], monkeypatch, tmp_path)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", chips.unknown)
    with pytest.raises(UnknownBoard, match=r"no revision.*linux,revision"):
        opened()
    assert not chips.claimed
