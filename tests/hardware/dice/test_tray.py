"""A tray's process over a pipe: what it tells, whatever it sends, and that it is started again."""

from __future__ import annotations

import json
import random
import sys

import pytest

from hardware.dice.tray import LONGEST, TrayDice, TrayTalk
from hardware.errors import DeviceClosed
from hardware.events import DiceEvent, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Presence, Unreadable
from tests.hardware.line.cable import Reports


@pytest.fixture
def reports() -> Reports:
    return Reports()


READY = b'{"type": "ready"}\n'
HASH = "0123456789abcdef" * 4


def line(why: str, *dice: tuple[int | None, int], **more: object) -> bytes:
    members = [{"face": face, "certainty": certainty} for face, certainty in dice]
    return json.dumps({"type": "throw", "why": why, "ago": 1.5, "dice": members, **more}).encode()


def events(data: bytes, *, confirm: bool = True) -> list[DiceEvent | Presence]:
    told: list[DiceEvent | Presence] = []
    TrayTalk(told.append, told.append, confirm=confirm).line(data, 10.0)
    return told


def test_a_throw_is_proposed_until_certain_dice_may_count_by_themselves() -> None:
    dice = (Reading(5, "", 990), Reading(4, "", 930))
    assert events(line("", (5, 990), (4, 930))) == [Doubt("unsure", dice, 8.5, 10.0)]
    assert events(line("", (5, 990), (4, 930)), confirm=False) == [Thrown(dice, 8.5, 10.0)]
    assert events(line("", (5, 990), (4, 899)), confirm=False) == [
        Doubt("unsure", (Reading(5, "", 990), Reading(4, "", 899)), 8.5, 10.0)
    ]


@pytest.mark.parametrize(("why", "word"), [("cocked", "cocked"), ("touching", "unread"), ("foreign", "unread")])
def test_a_throw_with_a_die_that_shows_no_face_is_in_doubt_as_a_whole(why: str, word: str) -> None:
    dice = (Reading(5, "", 990), Reading(None, "", 0))
    assert events(line(why, (5, 990), (None, 0)), confirm=False) == [Doubt(word, dice, 8.5, 10.0)]


def test_the_picture_of_a_throw_goes_with_its_faces() -> None:
    (doubt,) = events(line("", (5, 990), picture=HASH))
    assert isinstance(doubt, Doubt)
    assert doubt.dice == (Reading(5, "", 990, HASH),)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\n", b"5\n", b"null", b"[" * LONGEST, b"\xff\xfe"),
        *(b'{"type": "throw"}', b'{"type": ["throw"]}', b'{"type": "throw", "why": []}'),
        *(line("why not", (5, 990)), line("", (7, 990)), line("", (0, 990))),
        *(line("", (5, 1001)), line("", (5, -1))),
        *(line(""), line("", *[(5, 990)] * 31), line("", (5, 990), ago=-1), line("", (5, 990), ago=float("nan"))),
        *(line("", (5, 990), ago=True), line("", (True, 990)), line("", (5, 990), picture="../x")),
        *(line("", (5, 990), dice=[{"face": 5}]), line("", (5, 990), dice=[5]), line("", (5, 990), ago=[])),
    ],
)
def test_what_is_no_throw_may_have_been_one_and_that_is_told_once(data: bytes) -> None:
    """P2: as of dice on a cable."""
    told: list[object] = []
    talk = TrayTalk(told.append, told.append)
    for each in (data, data, b'{"type": "rolling"}', data):
        talk.line(each, 10.0)
    assert told == [Unreadable(data[:120], 10.0)] * 2


def test_no_bytes_break_it() -> None:
    rng = random.Random(7)
    whole = line("cocked", (5, 990), (None, 0), picture=HASH)
    for _ in range(3000):
        broken = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            broken[rng.randrange(len(broken))] = rng.choice(b'0123456789-.,:{}[]"enul\xff\\')
        for told in events(bytes(broken)):
            if not isinstance(told, Unreadable):
                assert isinstance(told, Doubt)
                assert all(die.face in (None, *range(1, 7)) for die in told.dice)


def test_its_process_is_started_again_after_its_death_and_told_each_time(reports: Reports) -> None:
    code = f"print({READY.decode().strip()!r}, flush=True); raise SystemExit('the camera is gone')"
    dice = TrayDice([sys.executable, "-S", "-c", code], reports.queue.put, retry=0)
    dice.open(reports.queue.put)
    with pytest.raises(DeviceClosed):
        dice.open(reports.queue.put)
    for _ in range(2):
        assert isinstance(reports.next(), Connected)
        gone = reports.next()
        assert isinstance(gone, Disconnected)
        assert gone.why == "the camera is gone"
    dice.close()
    dice.close()


def test_a_process_that_cannot_be_started_is_told(reports: Reports) -> None:
    dice = TrayDice(["/nowhere/tray"], reports.queue.put)
    dice.open(reports.queue.put)
    gone = reports.next()
    dice.close()
    assert isinstance(gone, Disconnected)
    assert gone.why == "/nowhere/tray: No such file or directory"


def test_closing_ends_a_process_that_says_nothing(reports: Reports) -> None:
    code = f"import sys; print({READY.decode().strip()!r}, flush=True); sys.stdin.read()"
    dice = TrayDice([sys.executable, "-S", "-c", code], reports.queue.put)
    dice.open(reports.queue.put)
    assert isinstance(reports.next(), Connected)
    dice.close()
    assert reports.queue.empty()
