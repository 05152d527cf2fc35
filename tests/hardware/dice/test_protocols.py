"""Bytes of dice in, throws out: what is a throw and what is not, and that no bytes at all do harm."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.dice import godice, pixels
from hardware.dice.godice import GoDiceTalk
from hardware.dice.pixels import PATIENCE, PixelsTalk
from hardware.dice.talk import DieTalk
from hardware.events import Disturbed, Doubt, Reading, Thrown

ROLLED, HANDLING, ROLLING, CROOKED, ON_FACE = 1, 2, 3, 4, 5


def state(name: int, face: int = 1) -> bytes:
    return bytes((3, name, face - 1))


def telemetry(face: int, certainty: int) -> bytes:
    return b"\x04" + struct.pack("<hhhiIBB", 0, 0, 1000, certainty, 77, ROLLED, face - 1) + b"\x50\x00"


def stable(kind: bytes, x: int, y: int, z: int) -> bytes:
    return kind + struct.pack("bbb", x, y, z)


def told(talk: DieTalk, heard: list[Any], messages: Sequence[bytes]) -> list[Any]:
    """Return what comes of messages that arrive each a tenth of a second after the one before."""
    talk.opened(0.0)
    for number, message in enumerate(messages):
        talk.received(message, number / 10)
    return heard


def of_pixels(*messages: bytes, built: int = 0) -> list[Any]:
    heard: list[Any] = []
    return told(PixelsTalk(heard.append, built=built), heard, messages)


def of_godice(*messages: bytes) -> list[Any]:
    heard: list[Any] = []
    return told(GoDiceTalk(heard.append), heard, messages)


def thrown(face: int, certainty: int | None, started: float, at: float) -> Thrown:
    return Thrown((Reading(face, "", certainty),), started, at)


def doubt(why: str, face: int | None, started: float, at: float, certainty: int | None = None) -> Doubt:
    return Doubt(why, (Reading(face, "", certainty),), started, at)


# -- Pixels


def test_a_throw_of_pixels_is_rolling_then_rolled_and_level() -> None:
    heard: list[Any] = []
    talk = PixelsTalk(heard.append)
    assert talk.opened(0.0) == [b"\x17", b"\x21"]
    for at, message in ((1.0, state(HANDLING)), (1.1, state(ROLLING)), (1.5, state(ROLLING, 3))):
        assert talk.received(message, at) == []
    assert talk.received(state(ROLLED, 5), 2.0) == [b"\x1a\x01\x00\x00"]
    assert heard == []
    assert talk.deadline() == 2.0 + PATIENCE
    talk.received(telemetry(5, 998), 2.1)
    talk.received(telemetry(5, 998), 2.2)
    talk.received(state(ON_FACE, 5), 2.3)
    assert heard == [thrown(5, 998, 1.1, 2.1)]
    assert talk.deadline() is None


def test_what_pixels_tell_without_rolling_is_no_throw() -> None:
    """Older firmware says "rolled" where it lies, and all do so for a nudge."""
    assert of_pixels(state(ROLLED, 4), state(ON_FACE, 4), telemetry(4, 1000)) == []
    nudged = of_pixels(state(ROLLED, 4), state(ROLLED, 2), state(HANDLING, 2), state(ON_FACE, 2))
    assert nudged == [Disturbed("", 0.1), Disturbed("", 0.2)]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([state(ROLLING), state(ROLLED, 5), telemetry(5, 939)], doubt("tilted", 5, 0.0, 0.2, 939)),
        ([state(ROLLING), state(ROLLED, 5), telemetry(4, 999)], doubt("unsure", 4, 0.0, 0.2, 999)),
        ([state(ROLLING), state(ROLLED, 5), state(ROLLED, 4)], doubt("unsure", None, 0.0, 0.2)),
        ([state(ROLLING), state(ROLLED, 5), state(HANDLING)], doubt("unsure", None, 0.0, 0.2)),
        ([state(ROLLING), state(CROOKED)], doubt("cocked", None, 0.0, 0.1)),
        ([state(ROLLING), state(ROLLED, 7)], doubt("unread", None, 0.0, 0.1)),  # P2
        ([state(ROLLING), state(ROLLED, 5), *[b"\x00"] * 4], doubt("unsure", 5, 0.0, 0.5)),
        ([state(ROLLING), state(ROLLED), state(CROOKED), *[b"\x00"] * 4], doubt("cocked", None, 0.0, 0.2)),
    ],
)
def test_what_is_not_certain_of_pixels_is_a_doubt(messages: list[bytes], expected: Doubt) -> None:
    assert of_pixels(*messages) == [expected]


def test_pixels_that_are_lost_while_they_roll_are_unread() -> None:
    for messages, why, face in (
        ([state(ROLLING)], "unread", None),
        ([state(ROLLING), state(ROLLED, 5)], "unsure", 5),
    ):
        heard: list[Any] = []
        talk = PixelsTalk(heard.append)
        told(talk, heard, messages)
        for _ in range(2):
            talk.lost(9.0)
        assert heard == [doubt(why, face, 0.0, 9.0)]


def test_faces_of_old_firmware_are_in_another_order() -> None:
    assert [pixels.face_of(index, 0) for index in range(-1, 7)] == [None, 1, 2, 3, 4, 5, 6, None]
    assert [pixels.face_of(index, pixels.PERMUTED_UNTIL) for index in range(6)] == [1, 5, 4, 3, 2, 6]
    assert [pixels.face_of(index, pixels.PERMUTED_UNTIL + 1) for index in range(6)] == [1, 2, 3, 4, 5, 6]
    messages = state(ROLLING), state(ROLLED, 2), telemetry(2, 1000)
    assert of_pixels(*messages, built=1_700_000_000) == [thrown(5, 1000, 0.0, 0.2)]


# -- GoDice


def test_a_throw_of_godice_is_rolling_then_stable() -> None:
    assert of_godice(b"R", b"R", stable(b"S", 1, -63, 4)) == [thrown(4, 997, 0.0, 0.2)]
    faces = [godice.face_of(*(64 * each for each in axis))[0] for axis in godice._AXES.values()]
    assert faces == list(godice._AXES)
    assert godice.face_of(1, 0, 0) == (None, 0)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([b"R", stable(b"TS", 64, 0, 0)], [doubt("cocked", None, 0.0, 0.1)]),
        ([b"R", stable(b"S", 50, 45, 0)], [doubt("tilted", 6, 0.0, 0.1, 743)]),
        ([b"R", stable(b"S", 0, 0, 0)], [doubt("unread", None, 0.0, 0.1)]),
        ([b"R", stable(b"FS", 64, 0, 0)], []),
        ([stable(b"S", 64, 0, 0), stable(b"MS", 64, 0, 0)], []),
        ([stable(b"S", 64, 0, 0), stable(b"MS", -64, 0, 0)], [Disturbed("", 0.1)]),
        ([stable(b"S", 64, 0, 0), stable(b"S", -64, 0, 0)], [Disturbed("", 0.1)]),
        ([stable(b"TS", 64, 0, 0)], []),
    ],
)
def test_what_else_godice_tell(messages: list[bytes], expected: list[object]) -> None:
    assert of_godice(*messages) == expected


def test_a_godice_that_is_lost_while_it_rolls_is_unread() -> None:
    heard: list[Any] = []
    talk = GoDiceTalk(heard.append)
    told(talk, heard, [b"R"])
    talk.lost(9.0)
    talk.lost(9.0)
    assert heard == [doubt("unread", None, 0.0, 9.0)]


# -- any bytes

BYTES = st.one_of(
    st.binary(max_size=24),
    st.builds(lambda name, face: bytes((3, name, face)), st.integers(0, 7), st.integers(0, 8)),
    st.builds(telemetry, st.integers(1, 8), st.integers(-2000, 2000)),
    st.builds(
        lambda kind, rest: kind + rest,
        st.sampled_from([b"R", b"S", b"TS", b"FS", b"MS", b"Bat"]),
        st.binary(max_size=4),
    ),
)


@pytest.mark.parametrize("kind", [PixelsTalk, GoDiceTalk])
@given(messages=st.lists(BYTES, max_size=40))
def test_no_bytes_do_harm_and_each_roll_ends_once(kind: type[DieTalk], messages: list[bytes]) -> None:
    heard: list[Any] = []
    talk = kind(heard.append)
    rolls = 0
    talk.opened(0.0)
    for number, message in enumerate(messages):
        rolls += message == b"R" or (message[:2] == b"\x03\x03" and len(message) >= 3)
        talk.received(message, number / 10)
    talk.lost(99.0)
    ends = [event for event in heard if isinstance(event, (Thrown, Doubt))]
    assert len(ends) <= rolls
    starts = [event.started for event in ends]
    assert len(set(starts)) == len(starts), "no roll is told twice"
    for event in ends:
        assert event.started <= event.at
        for die in event.dice:
            assert die.face in (None, 1, 2, 3, 4, 5, 6)
            assert die.certainty is None or 0 <= die.certainty <= 1000
        assert isinstance(event, Doubt) or event.dice[0].face
