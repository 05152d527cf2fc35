"""What the command line does with terminals, pipes, full disks and signals."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from referee.cli.output import complain
from referee.cli.progress import progress
from referee.hall.desk import Desk
from referee.tournament.acts import PlayerAdded
from tests.cli.running import ROOT, Run, Terminal, referee


def test_a_long_command_says_at_a_terminal_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        seconds = iter((0.0, 0.1, 0.6, 0.6, 0.65, 0.8, 0.8))
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(progress("games", "abcd", partial(next, seconds))) == ["a", "b", "c", "d"]
    assert terminal.getvalue() == "\r1 of 4 games\r3 of 4 games\r            \r"
    assert file.getvalue() == ""


class Pty:
    """A terminal of the kernel's, in place of stderr."""

    def __init__(self) -> None:
        self._ours, theirs = os.openpty()
        self.stream = os.fdopen(theirs, "w")

    def shown(self) -> str:
        """End it; return what was written."""
        self.stream.close()
        shown = b""
        with contextlib.suppress(OSError):  # that nobody writes any more
            while part := os.read(self._ours, 65536):
                shown += part
        return shown.decode()

    def close(self) -> None:
        self.stream.close()
        os.close(self._ours)


@pytest.fixture
def pty(terminal: None) -> Iterator[Pty]:
    pty = Pty()
    yield pty
    pty.close()


@pytest.mark.parametrize(
    ("words", "counted"),
    [
        ("report -o {folder}/evening.html", "entries"),
        ("log", "entries"),
        ("export", "entries"),
        ("replay {folder}/game.jsonl", "entries"),
        ("verify", "games"),
        ("check --json", "games"),
        ("dice", "entries"),
    ],
)
def test_each_long_command_says_it_at_a_terminal_alone(
    run: Run, journal: Path, pty: Pty, monkeypatch: pytest.MonkeyPatch, words: str, counted: str
) -> None:
    monkeypatch.setattr("referee.cli.progress.PATIENCE", 0.0)
    arguments = words.format(folder=journal.parent).split()
    run("export", "-o", str(journal.parent / "game.jsonl"))
    (journal.parent / "event").mkdir()
    with Desk(journal.parent / "event") as desk:
        desk.perform(PlayerAdded(who="organiser", at=1, player=1))
    piped = run(*arguments)
    assert (piped.code, piped.err) == (0, "")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", pty.stream)
        assert run(*arguments).out == piped.out
    shown = pty.shown()
    assert re.match(rf"\r0 of \d {counted}\r", shown)
    assert shown.endswith(" \r")


def test_an_error_stands_alone_on_its_line(pty: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", pty.stream)
    for game in progress("games", "ab", partial(next, count())):
        complain(f"referee: {game}", 1, as_json=False)
    gone = f"\r{' ' * 12}\r"
    assert pty.shown() == f"\r0 of 2 games{gone}referee: a\r\n\r1 of 2 games{gone}referee: b\r\n"


def driven() -> subprocess.Popen[bytes]:
    """Drive a single ruling in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "referee", "drive", "battle-of-the-ring", "--ruling", "attack"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )


def test_reader_that_goes_away_ends_it_cleanly() -> None:
    child = driven()
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    child.stdin.write(b'{"state":true}\n')
    child.stdin.close()
    assert (child.wait(timeout=30), child.stderr.read()) == (141, b"")
    child.stderr.close()


def test_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", "odds"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "referee: No space left on device\n")


@pytest.mark.parametrize(
    ("closed", "code", "message"),
    [
        ("games >&-", 0, ""),
        ("replay - <&-", 1, "referee: line 1: expected a JSON object, got an empty line\n"),
        ("drive battle-of-the-ring <&- >&-", 0, ""),
    ],
)
def test_streams_that_are_closed_are_no_fault(closed: str, code: int, message: str) -> None:
    line = f'exec "{sys.executable}" -m referee {closed}'
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (code, message)


def test_ctrl_c_ends_it_cleanly() -> None:
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job of a shell ignores
    try:
        child = driven()
    finally:
        signal.signal(signal.SIGINT, ours)
    assert child.stdout is not None
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=30) == 130  # while more could still come: the end of the input would end it, too
    assert child.communicate() == (b"", b"")


def test_terminal_without_the_letters_ends_no_command() -> None:
    done = referee("games", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nazg\\xfbl" in done.stdout
