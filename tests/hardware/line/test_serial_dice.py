"""Dice of other makers over a real pty."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import BadPort, DeviceClosed
from hardware.events import Disturbed, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Gap
from hardware.line.serial_dice import LONGEST_LINE, DiceTalk, SerialDice, checksum
from tests.hardware.line.cable import Cable, Reports


def test_dice_tell_their_faces_in_order_and_their_names_if_they_have_some(cable: Cable, reports: Reports) -> None:
    dice = SerialDice(cable.path, reports.queue.put)
    dice.open(reports.queue.put)
    assert isinstance(reports.next(), Connected)
    cable.write(b"4\n4\r\n 6 ")
    cable.write(b"\n5 A7\n 1  white_1 \r\n")
    thrown = [reports.next() for _ in range(5)]
    faces = [(4, ""), (4, ""), (6, ""), (5, "A7"), (1, "white_1")]
    assert [each.dice for each in thrown] == [(Reading(*face),) for face in faces]
    cable.write(b"4 half")
    cable.pull()
    assert isinstance(reports.next(), Disconnected)
    dice.close()
    dice.close()
    assert reports.queue.empty()


@pytest.mark.parametrize(
    "noise",
    [
        *(b"7\n", b"0\n", b"44\n", b"\n", b"\xff\n", b"x" * 140 + b"\n", b"x" * 140 + b"4\n"),
        b"4" + b" " * LONGEST_LINE + b"x\n",
        *(b"4A7\n", b"4 A 7\n", b"4 \xff\n", b"4 ninecharz\n", b"A7 4\n"),
    ],
)
def test_what_is_no_face_is_ignored_and_logged(caplog: pytest.LogCaptureFixture, noise: bytes) -> None:
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for byte in noise + b"5" + b" " * (LONGEST_LINE - 1) + b"\n":
        dice.received(bytes([byte]), 1.0)
    assert heard == [Thrown((Reading(5),), 1.0, 1.0)]
    assert f"the dice sent {noise[:LONGEST_LINE].rstrip()!r}"[:-1] in caplog.text
    assert "expected one face from 1 to 6, or a throw" in caplog.text


def checked(*lines: str) -> bytes:
    """Return these lines, each with its checksum."""
    return b"".join(b"%b*%02X\n" % (line.encode(), checksum(line.encode())) for line in lines)


def heard_of(*lines: str) -> list[object]:
    """Return what comes of these lines, each a second after the one before."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for at, line in enumerate(lines):
        dice.received(checked(line), float(at))
    return heard


A, B = Reading(5, "A7", 990), Reading(4, "B2", 900)


def test_a_numbered_throw_tells_when_it_began_and_how_sure_it_is() -> None:
    assert checked("17 A7=5/990 B2=4/900") == b"17 A7=5/990 B2=4/900*08\n"
    assert heard_of("17 rolling", "17 A7=5/990 B2=4/900") == [Thrown((A, B), 0.0, 1.0)]
    assert heard_of("17 rolling", "18 A7=5/990") == [Thrown((A,), 1.0, 1.0)]


def test_what_is_not_certain_is_told_as_a_doubt() -> None:
    unsure, cocked = Reading(3, "C1", 899), Reading(None, "D1", 0)
    assert heard_of("1 A7=5/990 C1=3/899") == [Thrown((A,), 0.0, 0.0), Doubt("unsure", (unsure,), 0.0, 0.0)]
    assert heard_of("1 cocked A7=5/990 D1=?") == [Thrown((A,), 0.0, 0.0), Doubt("cocked", (cocked,), 0.0, 0.0)]
    assert heard_of("1 D1=?") == [Doubt("unread", (cocked,), 0.0, 0.0)]
    assert heard_of("1 cocked A7=5/990") == [Doubt("cocked", (A,), 0.0, 0.0)]
    assert heard_of("1 moved A7") == [Disturbed("A7", 0.0)]


def test_a_throw_that_is_sent_twice_is_taken_once_and_one_that_is_missing_is_told() -> None:
    assert heard_of("9998 A7=5/990", "9998 A7=5/990", "9999 B2=4/900", "0 A7=5/990", "2 B2=4/900") == [
        *(Thrown((A,), 0.0, 0.0), Thrown((B,), 2.0, 2.0), Thrown((A,), 3.0, 3.0)),
        *(Gap(1, 4.0), Thrown((B,), 4.0, 4.0)),
    ]
    assert heard_of("9 A7=5/990", "8 B2=4/900") == [Thrown((A,), 0.0, 0.0), Doubt("unsure", (B,), 1.0, 1.0)]


@pytest.mark.parametrize(
    "line",
    [
        *("17", "17 ", "17 A7", "17 A7=7/990", "17 A7=5/1001", "17 A7=5", "17 A7=5/990 A7=5/990", "17 moved"),
        *("17 cocked", "17 rolling A7=5/990", "17  A7=5/990", "12345 A7=5/990", "x A7=5/990", "17 moved A7 B2"),
    ],
)
def test_a_numbered_line_that_says_nothing_has_no_effect(caplog: pytest.LogCaptureFixture, line: str) -> None:
    assert heard_of(line, "17 A7=5/990") == [Thrown((A,), 1.0, 1.0)]
    assert "the dice sent" in caplog.text


def test_a_line_with_any_bit_turned_over_has_no_effect() -> None:
    line = checked("17 A7=5/990 B2=4/900")
    for place in range(len(line) - 1):
        for bit in range(8):
            heard: list[object] = []
            broken = bytearray(line)
            broken[place] ^= 1 << bit
            DiceTalk(heard.append, heard.append).received(bytes(broken), 0.0)
            assert heard in ([], [Thrown((A, B), 0.0, 0.0)]), bytes(
                broken
            )  # a checksum may be written in small letters


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
        assert heard == [
            Connected("", at),
            Thrown((Reading(6),), at + 0.1, at + 0.1),
            Disconnected("pulled", at + 0.2),
        ]


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


WORDS = ("A7=5/990", "B2=?", "A7=1/10", "rolling", "cocked A7=?", "moved A7")
LINES = st.one_of(
    st.binary(max_size=30).map(lambda noise: noise.replace(b"\n", b"")),
    st.tuples(st.integers(0, 3), st.sampled_from(WORDS)).map(lambda line: checked(f"{line[0]} {line[1]}").rstrip()),
)


@given(st.lists(LINES, max_size=12), st.integers(1, 9))
def test_no_bytes_do_harm_and_no_throw_is_taken_twice(lines: list[bytes], size: int) -> None:
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    data = b"".join(line + b"\n" for line in lines)
    for at in range(0, len(data), size):
        dice.received(data[at : at + size], float(at))
    for event in heard:
        assert isinstance(event, (Thrown, Doubt, Disturbed, Gap))
        if isinstance(event, Thrown):
            assert all(die.face in range(1, 7) for die in event.dice)
            assert event.started <= event.at
    again = len(heard)
    dice.received(b"\n".join(lines[-1:]) + b"\n", 999.0)
    if lines and b"=" in lines[-1] and lines[-1][-3:-2] == b"*":
        assert len(heard) == again, "sent once more"
