"""A station in a process of its own, watched and played over the socket its panel uses."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.web.visitor import read

PATIENCE = 30.0
"""Seconds to wait for what must come."""

QUIET = 0.65
"""Seconds without news after which a player presses: more than the guard of a screen that came by itself."""


class Live:
    """``referee play`` on a journal, from start to end or `kill`; ``begun``: when the process was begun."""

    def __init__(self, journal: Path) -> None:
        self.begun = time.perf_counter()
        command = [sys.executable, "-m", "referee", "play", "--no-browser", "--port", "0", "--journal", str(journal)]
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.table: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self._undo = contextlib.ExitStack()
        try:
            self._line = self._joined()
            self.until(lambda: self.table)
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._end()

    def kill(self) -> None:
        """End it as the kernel does when memory runs out: SIGKILL, at once and without a word."""
        self._process.kill()
        self._end()

    @property
    def read_out(self) -> str:
        """What stands on the glass, as it is read out."""
        return str(self.table.get("spoken", ""))

    def until(self, so: Callable[[], object]) -> None:
        """Listen until something is so. Raises AssertionError if it is not within `PATIENCE`."""
        end = time.monotonic() + PATIENCE
        while not so():
            assert self._hear(max(0.0, end - time.monotonic())), f"waited in vain; the glass says: {self.read_out}"

    def settle(self) -> None:
        """Listen until nothing has changed for a while."""
        while self._hear(QUIET):
            pass

    def press(self, key: str, *, look: bool = True) -> None:
        """Press a key as somebody does who has looked at the glass, and see what comes of it."""
        if look:
            self.settle()
        self.click(key)
        if look:
            self.settle()

    def again(self, key: str) -> None:
        """Press a key that has the station start anew, and come back to its panel."""
        self.settle()
        self.table = {}
        self.click(key)
        self._line = self._joined()
        self.until(lambda: self.table)

    def click(self, key: str) -> None:
        """Press a key, and look at nothing."""
        self._line.send(json.dumps({"type": "click", "key": key, "ms": 0}))

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

    def _joined(self) -> ClientConnection:
        assert self._process.stdout is not None
        line = ""
        for line in self._process.stdout:
            if address := re.search(r"(http://127\.0\.0\.1:\d+)/", line):
                joined = connect(f"ws{address[1][4:]}/ws", origin=Origin(address[1]), open_timeout=PATIENCE)
                return self._undo.enter_context(joined)
        raise AssertionError(f"it did not start: {line}")

    def _end(self) -> None:
        with contextlib.suppress(ConnectionClosed, OSError):
            self._undo.close()
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
