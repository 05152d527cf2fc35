"""The station's process is killed at random moments of a game; every start shows the question that stood."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.faults.rig import recorded
from tests.web.visitor import read

KILLS = 6
PATIENCE = 30.0
"""Seconds to wait for what must come."""
QUIET = 0.65
"""Seconds without news after which a player presses: more than the guard of a screen that came by itself."""


class Live:
    """A station of its own, watched and played over the socket its panel uses."""

    def __init__(self, process: subprocess.Popen[str], line: ClientConnection) -> None:
        self._process = process
        self._line = line
        self.table: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.until(lambda: self.table)

    def until(self, so: Callable[[], object]) -> None:
        """Listen until something is so."""
        end = time.monotonic() + PATIENCE
        while not so():
            assert self._hear(max(0.0, end - time.monotonic())), f"waited in vain: {self.table}"

    def read_on(self) -> None:
        """Read what is told and begin the turn, up to the question."""
        for _ in range(6):
            self._settle()
            if self.table["prompt"]:
                return
            self.click("select")
        raise AssertionError(f"no question: {self.table}")

    def press(self, key: str) -> None:
        """Press a key as somebody does who has looked at the glass."""
        self._settle()
        self.click(key)
        self._settle()

    def click(self, key: str) -> None:
        """Press a key, and look at nothing."""
        self._line.send(json.dumps({"type": "click", "key": key, "ms": 0}))

    def kill(self) -> None:
        """End it as the kernel does when memory runs out."""
        self._process.kill()

    @property
    def prompt(self) -> tuple[Any, ...]:
        prompt = self.table["prompt"]
        return (prompt["n"], prompt["kind"], prompt["text"]) if prompt else ()

    @property
    def accepted(self) -> int:
        """How many entries the panel has shown as accepted."""
        return max((entry["seq"] + 1 for entry in self.log), default=0)

    def _settle(self) -> None:
        while self._hear(QUIET):
            pass

    def _hear(self, seconds: float) -> bool:
        try:
            message = read(self._line, seconds)
        except TimeoutError:
            return False
        if message["type"] == "table":
            self.table = message
        elif message["type"] == "log":
            self.log = [line for line in self.log if line["seq"] < message["since"]] + message["entries"]
        return True


@contextlib.contextmanager
def live(journal: Path) -> Iterator[Live]:
    command = [sys.executable, "-m", "referee", "play", "--no-browser", "--port", "0", "--journal", str(journal)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address, "it did not start"
        try:
            with (
                contextlib.suppress(ConnectionClosed),
                connect(f"ws{address[0][4:]}/ws", origin=Origin(address[0]), open_timeout=PATIENCE) as line,
            ):
                yield Live(process, line)
        finally:
            process.kill()


@pytest.mark.long
def test_killed_at_any_moment_it_is_back_at_its_question(memory: Path) -> None:
    chance = random.Random(7)
    journal = memory / "journal.db"
    stood: tuple[Any, ...] = ()
    accepted = 0
    for number in range(KILLS + 1):
        with live(journal) as station:
            if number:
                there = len(recorded(journal))
                assert accepted <= there <= accepted + 1, "an answer was lost, or taken twice"
                station.until(lambda: station.accepted == there)  # noqa: B023 - within this round
                station.read_on()
                assert (station.prompt == stood) == (there == accepted)
            else:
                for key in ("die-1", "die-1", "die-1"):  # a whole game of the first book
                    station.press(key)
                station.read_on()
            station.press("die-1")
            station.read_on()
            stood, accepted = station.prompt, station.accepted
            station.click("die-1")
            time.sleep(chance.uniform(0, 0.03))
            station.kill()
