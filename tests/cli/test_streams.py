"""What the command line does with terminals, pipes, full disks and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, referee


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
