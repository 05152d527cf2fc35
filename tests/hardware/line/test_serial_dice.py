"""Dice of other makers over a real pty."""

from __future__ import annotations

import threading

import pytest

from hardware.errors import BadPort, DeviceClosed
from hardware.events import Face
from hardware.line.presence import Connected, Disconnected
from hardware.line.serial_dice import DiceTalk, SerialDice
from tests.hardware.line.cable import Cable, Reports


def test_dice_tell_their_faces_in_order_and_their_names_if_they_have_some(cable: Cable, reports: Reports) -> None:
    dice = SerialDice(cable.path, reports.queue.put)
    dice.open(reports.queue.put)
    assert isinstance(reports.next(), Connected)
    cable.write(b"4\n4\r\n 6 ")
    cable.write(b"\n5 A7\n 1  white_1 \r\n")
    faces = [reports.next() for _ in range(5)]
    assert [(each.face, each.die) for each in faces] == [(4, ""), (4, ""), (6, ""), (5, "A7"), (1, "white_1")]
    cable.write(b"4 half")
    cable.pull()
    assert isinstance(reports.next(), Disconnected)
    dice.close()
    dice.close()
    assert reports.queue.empty()


@pytest.mark.parametrize(
    "noise",
    [
        *(b"7\n", b"0\n", b"44\n", b"\n", b"\xff\n", b"x" * 40 + b"\n", b"x" * 40 + b"4\n"),
        b"4" + b" " * 15 + b"x\n",
        *(b"4A7\n", b"4 A 7\n", b"4 \xff\n", b"4 ninecharz\n", b"A7 4\n"),
    ],
)
def test_what_is_no_face_is_ignored_and_logged(caplog: pytest.LogCaptureFixture, noise: bytes) -> None:
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for byte in noise + b"5" + b" " * 15 + b"\n":
        dice.received(bytes([byte]), 1.0)
    assert heard == [Face(5, "", 1.0)]
    assert f"the dice sent {noise[:16].rstrip()!r}"[:-1] in caplog.text
    assert "expected one face from 1 to 6" in caplog.text


def test_half_a_line_ends_with_its_cable() -> None:
    """Dice that are gone, or were never there, are said to be so once."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for at in (1.0, 2.0):
        dice.lost("no such port", at)
    assert heard == [Disconnected("no such port", 1.0)]
    for at in (3.0, 4.0):
        heard.clear()
        dice.opened(at)
        dice.received(b"6\n4 ha", at + 0.1)
        for later in (0.2, 0.3):
            dice.lost("pulled", at + later)
        assert heard == [Connected("", at), Face(6, "", at + 0.1), Disconnected("pulled", at + 0.2)]


def test_dice_that_are_open_are_not_opened_twice_and_once_they_are_closed_they_are(
    cable: Cable, reports: Reports
) -> None:
    dice = SerialDice(cable.path, reports.queue.put)
    dice.open(reports.queue.put)
    with pytest.raises(DeviceClosed, match="open already"):
        dice.open(reports.queue.put)
    dice.close()
    dice.open(reports.queue.put)
    dice.close()
    assert "serial dice" not in {thread.name for thread in threading.enumerate()}


def test_dice_are_not_looked_for_where_the_input_board_is(reports: Reports) -> None:
    with pytest.raises(BadPort, match='expected a device path or a URL, got "auto"'):
        SerialDice("auto", reports.queue.put)
