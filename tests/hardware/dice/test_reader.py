"""A reader of dice as a process: what it says, and whatever it does, named, bounded and ended."""

from __future__ import annotations

import json
import os
import pty
import queue
import random
import signal
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.dice.reader import LINES, LONGEST, Reader, ReaderTalk
from hardware.errors import DeviceClosed
from hardware.events import DiceEvent, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Gap, Presence, Unreadable

ROOT = Path(__file__).parents[3]
HASH = "0123456789abcdef" * 4


def line(**members: object) -> bytes:
    return json.dumps(members).encode()


def heard(*lines: bytes) -> list[Any]:
    told: list[DiceEvent | Presence] = []
    talk = ReaderTalk(told.append, told.append)
    for each in (b"{}", *lines):
        talk.line(each, 10.0)
    assert told[0] == Connected("", 10.0)
    return told[1:]


def test_a_throw_counts_or_is_in_doubt_as_its_reader_says() -> None:
    dice = (Reading(5, "A7", 990), Reading(4, "B2", None))
    more: dict[str, Any] = {"dice": ["A7", "B2"], "certainty": [990, None], "ago": 1.5}
    assert heard(line(throw=7, faces=[5, 4], sure=True, **more)) == [Thrown(dice, 8.5, 10.0)]
    assert heard(line(throw=7, faces=[5, 4], sure=False, **more)) == [Doubt("unsure", dice, 8.5, 10.0)]
    (doubt,) = heard(line(throw=7, faces=[None], sure=False, picture=HASH))
    assert doubt == Doubt("unread", (Reading(None, "", None, HASH),), 10.0, 10.0)
    assert heard(line(throw=7, faces=[None], sure=False, why="cocked"))[0].why == "cocked"


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\xff", b"[]", b"null", b"17", b'{"throw": 1}', b"[" * LONGEST, b'{"a":' * 800, b"1" * LONGEST),
        *(line(no=1), line(moved="far too long"), line(moved=["A7"]), line(battery=101, die="A7"), line(battery=8)),
        *(
            line(throw=1, faces=faces, sure=True)
            for faces in ([], [0], [7], [5.0], [True], ["5"], [None], [5] * 31, 5)
        ),
        *(line(throw=number, faces=[5], sure=True) for number in (-1, True, "1", 1.0, 2**40)),
        *(line(throw=1, faces=[5], sure=sure) for sure in (1, None, "yes")),
        *(line(throw=1, faces=[5], sure=True, ago=ago) for ago in (-1, "1", 1e9, float("nan"), float("inf"), True)),
        *(line(throw=1, faces=[5], sure=True, dice=dice) for dice in ([], ["a b"], ["A7", "B2"], "A", [5])),
        *(line(throw=1, faces=[5], sure=True, certainty=each) for each in ([], [1001], [1.5], 5)),
        line(throw=1, faces=[5, 4], sure=True, dice=["A7", "A7"]),
        line(throw=1, faces=[5], sure=True, why="cocked"),
        line(throw=1, faces=[5], sure=False, why="bored"),
        line(throw=1, faces=[5], sure=True, picture="x"),
        line(throw=1, faces=[5], sure=True, other=1),
        line(throw=1, faces=[5], sure=True, seat=9),
        line(error=5),
        line(answer=5),
    ],
)
def test_what_no_reader_may_write_is_no_throw_and_told_once(data: bytes) -> None:
    told = heard(data, data, line(throw=1, faces=[5], sure=True), line(throw=2, faces=[5], sure=True))
    assert [type(each) for each in told] == [Unreadable, Doubt, Thrown], "what comes next is in doubt"
    assert len(told[0].why) < 60


def test_no_throw_counts_twice_and_none_is_left_out_in_silence() -> None:
    """P2: a reader that began anew with the number of its last throw lost one, and nothing was said."""
    throw = {number: line(throw=number, faces=[5], sure=True) for number in range(9)}
    told = heard(throw[1], throw[1], throw[2], throw[3], throw[2], throw[4])
    assert [type(each) for each in told] == [Thrown, Unreadable, Doubt, Thrown, Unreadable, Gap, Doubt]
    assert told[1].why == "throw 1 came after 1"
    told = heard(*(throw[number] for number in (7, 8, 1, 2, 3, 4)))
    assert [type(each) for each in told] == [Thrown, Thrown, Unreadable, Doubt, Thrown, Thrown], "it counts anew"
    told = heard(throw[1], throw[5])
    assert told[1] == Gap(3, 10.0)


def test_the_first_throw_after_a_restart_is_in_doubt() -> None:
    told: list[Any] = []
    talk = ReaderTalk(told.append, told.append)
    throw = line(throw=1, faces=[5], sure=True)
    talk.line(throw, 1.0)
    talk.line(line(error="No camera."), 1.0)
    talk.ended("It ended with 1", 2.0)
    talk.line(throw, 3.0)
    talk.line(line(throw=2, faces=[5], sure=True), 3.0)
    assert [type(each) for each in told] == [Connected, Thrown, Disconnected, Connected, Doubt, Thrown]
    assert (told[2].why, told[2].advice) == ("It ended with 1", "No camera.")


def test_no_bytes_break_what_hears_a_reader() -> None:
    chance = random.Random(4)
    good = line(throw=1, faces=[5, 4], sure=True, dice=["A7", "B2"], certainty=[990, None], ago=1.5)
    for _ in range(3000):
        broken = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        for event in heard(bytes(broken)):
            assert isinstance(event, (Thrown, Doubt, Unreadable))
            assert isinstance(event, Unreadable) or all(die.face in (None, *range(1, 7)) for die in event.dice)


# -- the process


class Hands:
    """Readers as a station has them; what they tell is in a queue."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.open: list[Reader] = []

    def run(self, *command: str, silence: tuple[float, float] = (30.0, 30.0), **more: Any) -> Reader:
        reader = Reader(command, self.queue.put, silence=silence, pauses=(0.0, 0.0), **more)
        reader.open(self.queue.put)
        self.open.append(reader)
        return reader

    def shell(self, script: str, **more: Any) -> Reader:
        return self.run("bash", "-c", script, **more)

    def next(self) -> Any:
        return self.queue.get(timeout=30)


@pytest.fixture
def hands() -> Iterator[Hands]:
    hands = Hands()
    yield hands
    for reader in hands.open:
        reader.close()
        reader.close()


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]


def gone(pid: int) -> bool:
    """Whether a process is gone within some seconds."""
    end = time.monotonic() + 20
    while runs(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not runs(pid)


def test_a_reader_is_started_again_whenever_it_ends(hands: Hands) -> None:
    reader = hands.shell("""echo '{"throw": 1, "faces": [5], "sure": true}'; exit 3""")
    kinds = [type(hands.next()) for _ in range(6)]
    assert kinds == [Connected, Thrown, Disconnected, Connected, Doubt, Disconnected]
    with pytest.raises(DeviceClosed):
        reader.open(print)


def test_a_reader_that_restarts_at_every_byte_is_told_each_time(hands: Hands, tmp_path: Path) -> None:
    """P2: each time it writes one byte more; a line that is whole is a throw, one that is cut is none."""
    lines = [line(throw=number, faces=[5, number], sure=True) for number in (1, 2)]
    (tmp_path / "dice").write_bytes(b"".join(each + b"\n" for each in lines))
    hands.shell(f"cd {tmp_path}; echo >> starts; head -c $(wc -l < starts) dice")
    ends = [len(lines[0]) + 1, len(lines[0]) + len(lines[1]) + 2]
    for count in range(1, ends[1] + 1):
        told = [hands.next()]
        while not isinstance(told[-1], Disconnected):
            told.append(hands.next())
        begun = [[], [Connected, Doubt], [Connected, Doubt, Thrown]][sum(count >= end for end in ends)]
        assert [type(each) for each in told] == [*begun, Disconnected]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 3", "It ended with 3"),
        ("kill -9 $$", "It was killed by signal 9"),
        ("exec >&-; sleep 60", "It was killed by signal 9"),
        ("sleep 60", "It was silent for 0 s"),
        ("(while sleep 0.01; do echo '{}'; done) & exit 4", "It ended with 4"),
        ("while :; do echo '{}'; done", f"It wrote over {LINES} lines in 10 s"),
        ("yes 'no reader at all'", f"It wrote over {LINES} lines in 10 s"),
        ("cat /dev/zero", f"It wrote a line of over {LONGEST} bytes"),
    ],
)
def test_what_a_reader_does_wrong_is_named(hands: Hands, script: str, why: str) -> None:
    hands.shell(script, silence=(0.3, 30.0))
    told = hands.next()
    while not isinstance(told, Disconnected):
        told = hands.next()
    assert (told.why, told.advice) == (why, f"{why}.")


@pytest.mark.parametrize(
    ("program", "why"), [("/nowhere/reader", "No such file or directory"), ("no-such-reader", "not installed")]
)
def test_a_program_that_is_not_there_is_named(hands: Hands, program: str, why: str) -> None:
    hands.run(program)
    assert hands.next().why == f"{program}: {why}"


def test_a_flood_gives_the_station_a_few_events_only(hands: Hands) -> None:
    """Megabytes a second of throws: what stands before a key in the queue is one event, not a thousand."""
    hands.shell("""n=0; while :; do n=$((n+1)); echo "{\\"throw\\": $n, \\"faces\\": [5], \\"sure\\": true}"; done""")
    events = 0
    while not isinstance(hands.next(), Disconnected):
        assert hands.queue.qsize() <= 5 or events < 5
        events += 1
    assert events <= LINES + 1


def test_a_station_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    code = (
        "import sys, threading; from hardware.dice.reader import Reader;"
        "from referee.station.readers import configured; from referee.config import Config, OwnReader;"
        "from pathlib import Path; over = threading.Event();"
        "script = 'echo $$; trap \"\" TERM HUP PIPE; echo {}; while :; do read -t 1 -r _; sleep 1; done';"
        "(source,) = configured(Config(reader=OwnReader(('bash', '-c', script))), Path('journal.db'));"
        "heard = lambda line: print(line.decode(), flush=True);"
        "Reader(source.command, print, heard=heard).open(print); over.wait()"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as station:
        assert station.stdout is not None
        reader = int(station.stdout.readline())
        station.send_signal(signal.SIGKILL)
    assert gone(reader)


def test_a_reader_is_told_things_and_never_waited_for(hands: Hands) -> None:
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    echo = """while read -r line; do echo "{\\"answer\\": $line}"; done"""
    reader = hands.shell(echo, greeting=lambda: [{"add": 1}], answer=answers.put)
    assert answers.get(timeout=30) == {"add": 1}
    assert reader.tell({"find": True})
    assert answers.get(timeout=30) == {"find": True}
    deaf = hands.shell("echo '{}'; sleep 60")
    while not isinstance(hands.next(), Connected):
        pass
    told = 0
    while deaf.tell({"find": "x" * 1000}):
        told += 1
        assert told < 1000
    deaf.close()
    assert not deaf.tell({"find": True})


# -- the document


def example(language: str) -> str:
    text = (ROOT / "docs" / "dice.md").read_text()
    return text.partition(f"```{language}\n")[2].partition("```")[0]


@pytest.mark.usefixtures("terminal")
def test_the_example_of_the_document_reads_dice(hands: Hands, tmp_path: Path) -> None:
    script = tmp_path / "tower.sh"
    script.write_text(example("bash"))
    assert len(example("bash").splitlines()) <= 10
    tower, end = pty.openpty()
    tty.setraw(end)
    hands.run("bash", str(script), os.ttyname(end))
    assert isinstance(hands.next(), Connected)
    os.write(tower, b"5\r\n4\n")
    faces = [hands.next() for _ in range(2)]
    assert [each.dice for each in faces] == [(Reading(5),), (Reading(4),)]
    assert all(isinstance(each, Thrown) for each in faces)
    os.close(end)
    os.close(tower)
    assert hands.next().advice == "The tower is gone."
