"""The protocol as a process: killed at any moment it is taken up at the same prompt."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


class Peer:
    """A drive process at the other end of two pipes."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "drive", "battle-of-the-ring", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def expect(self) -> list[bytes]:
        """Return the lines up to the next prompt or the end."""
        replies: list[bytes] = []
        while not replies or json.loads(replies[-1])["type"] not in ("prompt", "over"):
            line = self.stdout.readline()
            assert line.endswith(b"\n")
            replies.append(line)
        return replies

    def send(self, line: bytes) -> list[bytes]:
        self.stdin.write(line + b"\n")
        self.stdin.flush()
        return self.expect()


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return str(tmp_path / "journal.db")


@pytest.fixture
def peers() -> Iterator[list[Peer]]:
    """Processes that must not outlive the test."""
    started: list[Peer] = []
    yield started
    for peer in started:
        peer.process.kill()
        peer.process.wait()
        peer.stdin.close()
        peer.stdout.close()


def test_killed_process_is_taken_up_at_the_same_prompt(journal: str, peers: list[Peer]) -> None:
    sent: list[Any] = [{"answer": "o-v-o"}, {"answer": "open"}, {"answer": [5, 4]}]
    peers.append(Peer("--ruling", "attack", "--journal", journal))
    last = peers[-1].expect()[-1]
    for line in sent:
        last = peers[-1].send(json.dumps(line).encode())[-1]
        peers[-1].process.kill()
        peers[-1].process.wait()
        peers.append(Peer("--journal", journal, "--resume"))
        if json.loads(last)["type"] == "over":
            # A ruling that is given is no open game; the journal still tells it.
            assert peers[-1].process.wait(timeout=30) == 74
            return
        assert peers[-1].expect() == [last]
    raise AssertionError("the ruling was never given")
