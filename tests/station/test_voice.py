"""The box's voice: a real process for each text, cut off by the next, and never waited for."""

from __future__ import annotations

import os
import queue
import sys
import wave
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from subprocess import run

import pytest

from referee.config import VoiceSettings
from referee.console.views import Refusal, Ruling
from referee.station.virtual.bench import Bench
from referee.station.voice import Said, Speaker, command

PATIENCE = 20.0
"""Seconds within which a process must have done what it does at once."""

SAYS = "import sys; open(sys.argv[1], 'wb', 0).write(sys.stdin.buffer.read() + b'|')"
"""A voice that writes what it says into a pipe, and is silent."""
TALKS = f"{SAYS}; import signal; signal.pause()"
"""A voice that never ends."""

Report = queue.SimpleQueue[tuple[str, str]]
Begin = Callable[..., Speaker]


@pytest.fixture
def reports() -> Report:
    return queue.SimpleQueue()


@pytest.fixture
def begin(reports: Report) -> Iterator[Begin]:
    speakers = []

    def begins(*command: str, limit: float = PATIENCE) -> Speaker:
        speakers.append(Speaker(command, limit=limit))
        return speakers[-1]

    yield begins
    for speaker in speakers:
        speaker.close()


def into(reports: Report, text: str) -> Said:
    """Return what notes that a text has ended, and why it could not be said."""
    return lambda at, why: reports.put((text, why))


class Mouth:
    """Where the words of a voice come out."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self._pipe = os.open(path, os.O_RDWR)

    def program(self, script: str) -> tuple[str, ...]:
        return sys.executable, "-c", script, str(self._path)

    def hear(self) -> str:
        words = b""
        while not words.endswith(b"|"):
            words += os.read(self._pipe, 100)
        return words.decode()

    def close(self) -> None:
        os.close(self._pipe)


@pytest.fixture
def mouth(tmp_path: Path) -> Iterator[Mouth]:
    with closing(Mouth(tmp_path / "mouth")) as opened:
        yield opened


def test_every_text_is_said_and_its_end_is_told(begin: Begin, mouth: Mouth, reports: Report) -> None:
    speaker = begin(*mouth.program(SAYS))
    for text in ("Defender out.", "Nazgûl: 2 to 1."):
        speaker.say(text, into(reports, text))
        assert mouth.hear() == f"{text}|"
        assert reports.get(timeout=PATIENCE) == (text, "")


def test_a_new_text_cuts_off_the_one_before(begin: Begin, mouth: Mouth, reports: Report) -> None:
    speaker = begin(*mouth.program(TALKS))
    speaker.say("one", into(reports, "one"))
    assert mouth.hear() == "one|"
    speaker.say("two", into(reports, "two"))
    assert mouth.hear() == "two|"
    speaker.close()
    assert reports.empty()  # neither was said to its end


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("no-such-voice",), "no-such-voice: not installed"),
        ((sys.executable, "-c", "raise SystemExit('no sound card')"), f"{sys.executable}: no sound card"),
        ((sys.executable, "-c", "raise SystemExit(3)"), f"{sys.executable}: ended with 3"),
    ],
)
def test_a_voice_that_fails_says_why(begin: Begin, reports: Report, command: tuple[str, ...], why: str) -> None:
    begin(*command).say("words" * 1000, into(reports, "words"))
    assert reports.get(timeout=PATIENCE) == ("words", why)


def test_espeak_takes_the_settings_and_says_a_sentence(espeak_ng: str, tmp_path: Path) -> None:
    program, *options = command(VoiceSettings(True, "en-gb", 200))
    assert espeak_ng.endswith(program)
    sound = tmp_path / "sound.wav"
    done = run([espeak_ng, *options, "-w", sound], input=b"Nazgul attacks Gondor.", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    with wave.open(str(sound)) as opened:
        assert opened.getnframes() > opened.getframerate()  # more than a second


@pytest.fixture
def said() -> list[tuple[str, Said]]:
    """The texts a bench was to say, each with who is told its end."""
    return []


@pytest.fixture
def speaking(tmp_path: Path, said: list[tuple[str, Said]]) -> Iterator[Bench]:
    """A box whose voice is noted, and ends when the test says so."""
    with Bench(tmp_path / "journal.db", say=lambda text, done: said.append((text, done))) as bench:
        yield bench


def end(bench: Bench, done: Said, why: str = "") -> None:
    done(bench.clock.now, why)
    bench.settle()


def test_a_question_a_throw_and_its_ruling_are_said_once_each(speaking: Bench, said: list[tuple[str, Said]]) -> None:
    speaking.key("1", "2", "1", "2")
    speaking.key("5", "4")
    assert [text for text, _ in said] == [
        "Referee. Which game?",
        "Battle of the Ring.",
        "Attack. Attacker against defender: of what strength?",
        "Ordinary against Ordinary. Where does the defender stand?",
        "Ordinary against Ordinary. Roll 2 dice.",
        "",
        "Defender out. The dice show 5 and 4. The total is 9. A throw of 9 or more kills.",
    ]


def test_a_ruling_stays_until_it_was_read_aloud(speaking: Bench, said: list[tuple[str, Said]]) -> None:
    speaking.key("1", "2", "1", "2", "5", "4")
    earlier, ruling = said[-2:]
    speaking.wait(10)
    assert isinstance(speaking.view, Ruling)
    end(speaking, earlier[1])  # an earlier one, whose end is told late
    speaking.wait(2)
    assert isinstance(speaking.view, Ruling)
    end(speaking, ruling[1])
    speaking.wait(1.1)
    assert said[-1][0] == "Attack. Attacker against defender: of what strength?"


def test_a_voice_that_fails_is_told_once_until_it_speaks_again(speaking: Bench, said: list[tuple[str, Said]]) -> None:
    for why, shown in (
        ("espeak-ng: no sound card", True),
        ("espeak-ng: no sound card", False),
        ("", False),
        ("again", True),
    ):
        speaking.key("1")
        end(speaking, said[-1][1], why)
        assert isinstance(speaking.view, Refusal) is shown, why
        if shown:
            assert why in speaking.text
            speaking.key("select")


def test_a_browser_that_reads_aloud_keeps_the_ruling(bench: Bench) -> None:
    bench.key("1", "2", "1", "2", "5", "4")
    bench.hub.voice("1a2b3c4d", speaks=True)
    bench.wait(10)
    assert isinstance(bench.view, Ruling)
    bench.hub.voice("1a2b3c4d", speaks=False)
    bench.wait(1.1)
    assert not isinstance(bench.view, Ruling)
