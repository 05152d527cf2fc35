"""A reader of dice whose lines a test writes: they go the way of those of a program."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from hardware.dice.reader import Answer, ReaderTalk
from hardware.events import DiceEvent
from hardware.line.presence import Presence


class SimulatedReader:
    """A reader, as `hardware.ports` has dice. ``told``: what it was told."""

    def __init__(
        self,
        report: Callable[[Presence], None],
        clock: Callable[[], float],
        answer: Callable[[Answer], None] = lambda _: None,
    ) -> None:
        """As `hardware.dice.reader.Reader`."""
        self.told: list[Mapping[str, Any]] = []
        self._report = report
        self._clock = clock
        self._answer = answer
        self._talk: ReaderTalk | None = None
        self._number = 0

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Start."""
        self._talk = ReaderTalk(sink, self._report, self._answer)
        self.line(b"{}")

    def close(self) -> None:
        """End."""
        self._talk = None

    def tell(self, words: Mapping[str, Any]) -> bool:
        """Take what it is told."""
        self.told.append(words)
        return True

    def line(self, line: bytes) -> None:
        """Write a line of any bytes."""
        assert self._talk is not None
        self._talk.line(line, self._clock())

    def say(self, **members: object) -> None:
        """Write an object."""
        self.line(json.dumps(members).encode())

    def throw(self, *faces: int | None, sure: bool = True, **more: object) -> None:
        """Write a throw with the next number; ``more``: its other members."""
        self._number += 1
        self.say(throw=self._number, faces=faces, sure=sure, **more)

    def die(self, why: str) -> None:
        """End as a program that fails; the next line is that of the next one."""
        assert self._talk is not None
        self._talk.ended(why, self._clock())
        self._number = 0
