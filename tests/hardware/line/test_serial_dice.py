"""Dice of other makers over a real pty."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import BadPort, DeviceClosed
from hardware.events import Disturbed, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Gap, Unreadable
from hardware.line.serial_dice import LONGEST_LINE, DiceTalk, SerialDice, checksum
from tests.hardware.line.cable import Cable, Reports


def test_dice_tell_their_faces_in_order_and_their_names_if_they_have_some(cable: Cable, reports: Reports) -> None:
    dice = SerialDice(cable.path, reports.queue.put, known=("A7", "white_1").__contains__)
    dice.open(reports.queue.put)
    assert isinstance(reports.next(), Connected)
    cable.write(b"4\n4\r\n 6 ")
    cable.write(b"\n5 A7\n 1  white_1 \r\n")
    thrown = [reports.next() for _ in range(5)]
    faces = [(4, ""), (4, ""), (6, ""), (5, "A7"), (1, "white_1")]
    assert [each.dice for each in thrown] == [(Reading(*face),) for face in faces]
    assert {type(each) for each in thrown} == {Thrown}
    cable.write(b"4 half")
    cable.pull()
    assert isinstance(reports.next(), Disconnected)
    dice.close()
    dice.close()
    assert reports.queue.empty()


def test_a_name_counts_once_it_was_heard_on_a_clean_line() -> None:
    """P6: the rest of a mutilated line looks like a face of a die that nobody has."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append, {"C9"}.__contains__)
    for line in (b"4 A7", b"4 A7", b"4 C9", b"4 A 7", b"4 C9", b"4 A7", b"4 A7"):
        dice.received(line + b"\n", 1.0)
    face, owned = (Reading(4, "A7"),), (Reading(4, "C9"),)
    assert heard == [
        *(Doubt("unsure", face, 1.0, 1.0), Thrown(face, 1.0, 1.0), Thrown(owned, 1.0, 1.0)),
        *(Unreadable(b"4 A 7", 1.0), Doubt("unsure", owned, 1.0, 1.0)),
        *(Doubt("unsure", face, 1.0, 1.0), Thrown(face, 1.0, 1.0)),
    ]


@pytest.mark.parametrize(
    "noise",
    [
        *(b"7\n", b"0\n", b"44\n", b"\n", b"\xff\n", b"x" * 140 + b"\n", b"x" * 140 + b"4\n"),
        b"4" + b" " * LONGEST_LINE + b"x\n",
        *(b"4A7\n", b"4 A 7\n", b"4 \xff\n", b"4 ninecharz\n", b"A7 4\n"),
    ],
)
def test_what_is_no_face_is_told_once_and_puts_the_next_in_doubt(noise: bytes) -> None:
    """P6: it says that the dice restarted, or that somebody else reads the port."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for byte in noise * 2 + b"5" + b" " * (LONGEST_LINE - 1) + b"\n5\n":
        dice.received(bytes([byte]), 1.0)
    face = (Reading(5),)
    assert heard == [
        Unreadable(noise[:LONGEST_LINE].rstrip(b"\n"), 1.0),
        Doubt("unsure", face, 1.0, 1.0),
        Thrown(face, 1.0, 1.0),
    ]


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
    assert heard_of("9998 A7=5/990", "9999 B2=4/900", "0 A7=5/990", "2 B2=4/900") == [
        *(Thrown((A,), 0.0, 0.0), Thrown((B,), 1.0, 1.0), Thrown((A,), 2.0, 2.0)),
        *(Gap(1, 3.0), Thrown((B,), 3.0, 3.0)),
    ]
    assert heard_of("9 A7=5/990", "8 B2=4/900") == [Thrown((A,), 0.0, 0.0), Doubt("unsure", (B,), 1.0, 1.0)]
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for at in (0.0, 0.9, 1.8):
        dice.received(checked("9 A7=5/990"), at)
    assert heard == [Thrown((A,), 0.0, 0.0)], "each sent less than a second after the one before"
    dice.received(checked("9 A7=5/990"), 2.8)
    assert heard[1:] == [Doubt("unsure", (A,), 2.8, 2.8)]


@pytest.mark.parametrize(
    "lines",
    [
        ["0 A7=5/990 B2=4/900", b"boot\n", "0 rolling", "0 A7=1/990 B2=6/900"],
        ["0 A7=5/990 B2=4/900", "0 rolling", "0 A7=5/990 B2=4/900"],
        ["0 A7=5/990 B2=4/900", "0 A7=1/990 B2=6/900"],
        ["0 A7=5/990 B2=4/900", b"boot\n", "0 A7=5/990 B2=4/900"],
    ],
)
def test_dice_that_count_anew_lose_no_throw(lines: list[str | bytes]) -> None:
    """P2: the first number equals the last one before, while the port stays open."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for line in lines:
        dice.received(line if isinstance(line, bytes) else checked(line), 0.5)
    told = [event for event in heard if not isinstance(event, Unreadable)]
    assert [type(event) for event in told] == [Thrown, Doubt]
    assert isinstance(told[1], Doubt)
    shown = (1, 6) if "=1/" in str(lines) else (5, 4)
    assert (told[1].why, tuple(die.face for die in told[1].dice)) == ("unsure", shown)


def test_a_port_that_was_closed_may_bring_what_was_taken_before() -> None:
    """P2: dice that run on may send their last throw again, others count anew."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    for _ in range(2):
        dice.opened(1.0)
        dice.received(checked("0 A7=5/990"), 1.0)
        dice.lost("pulled", 1.0)
    told = [event for event in heard if isinstance(event, (Thrown, Doubt))]
    assert told == [Thrown((A,), 1.0, 1.0), Doubt("unsure", (A,), 1.0, 1.0)]


def test_what_never_ends_is_told() -> None:
    """P2: half a line, and dice that began to roll."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    dice.received(b"0 A7=5/9", 1.0)
    assert dice.deadline() == 2.0
    dice.due(1.9)
    assert heard == []
    dice.due(2.0)
    assert heard == [Unreadable(b"0 A7=5/9", 2.0)]
    dice.received(checked("0 A7=5/990", "1 rolling", "5 rolling"), 3.0)
    assert dice.deadline() == 13.0
    dice.due(13.0)
    dice.received(checked("1 B2=4/900"), 13.5)
    assert heard[1:] == [Doubt("unsure", (A,), 3.0, 3.0), Gap(2, 13.0), Doubt("unsure", (B,), 13.5, 13.5)]
    assert dice.deadline() is None


def test_two_throws_may_roll_at_once() -> None:
    assert heard_of("5 rolling", "6 rolling", "5 A7=5/990", "6 B2=4/900") == [
        Thrown((A,), 0.0, 2.0),
        Thrown((B,), 1.0, 3.0),
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("17", "17 ", "17 A7", "17 A7=7/990", "17 A7=5/1001", "17 A7=5", "17 A7=5/990 A7=5/990", "17 moved"),
        *("17 cocked", "17 rolling A7=5/990", "17  A7=5/990", "12345 A7=5/990", "x A7=5/990", "17 moved A7 B2"),
    ],
)
def test_a_numbered_line_that_says_nothing_puts_the_next_in_doubt(line: str) -> None:
    assert heard_of(line, "17 A7=5/990") == [
        Unreadable(checked(line).rstrip(), 0.0),
        Doubt("unsure", (A,), 1.0, 1.0),
    ]


def test_a_bare_face_between_numbered_throws_is_none() -> None:
    """P6: "4 rolling*5B" without its end would be a face of the die "rolling"."""
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    dice.received(checked("3 A7=5/990") + b"4 rolling\n", 1.0)
    assert heard == [Thrown((A,), 1.0, 1.0), Unreadable(b"4 rolling", 1.0)]


def test_a_line_with_any_bit_turned_over_is_no_throw() -> None:
    line = checked("17 A7=5/990 B2=4/900")
    for place in range(len(line) - 1):
        for bit in range(8):
            heard: list[object] = []
            broken = bytearray(line)
            broken[place] ^= 1 << bit
            DiceTalk(heard.append, heard.append).received(bytes(broken), 0.0)
            # A checksum may be written in small letters.
            kinds = [type(event) for event in heard]
            assert kinds == [Unreadable] or heard == [Thrown((A, B), 0.0, 0.0)], bytes(broken)


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
def test_no_bytes_do_harm(lines: list[bytes], size: int) -> None:
    heard: list[object] = []
    dice = DiceTalk(heard.append, heard.append)
    data = b"".join(line + b"\n" for line in lines)
    for at in range(0, len(data), size):
        dice.received(data[at : at + size], float(at))
    for event in heard:
        assert isinstance(event, (Thrown, Doubt, Disturbed, Gap, Unreadable))
        if isinstance(event, Thrown):
            assert all(die.face in range(1, 7) for die in event.dice)
            assert event.started <= event.at
