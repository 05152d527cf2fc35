"""A bench that begins as the station does: a bad start enters the safe mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Self

from referee.console.console import Console
from referee.console.shelf import BoxDice, Visitors
from referee.station.start import Start
from referee.station.starts import StartAgain
from referee.station.virtual.bench import Bench


class BegunBench(Bench):
    """Ends as its context does, like a station that was asked to end or fell over; or by `kill`."""

    start: Start

    def __init__(self, path: Path, fault: Exception | None = None) -> None:
        """``fault``: what ended the run before."""
        self._fault = fault
        super().__init__(path)

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        self._path = journal
        self.start = Start(journal, terminal=False, fault=self._fault, waiting=self.slow.waiting, clock=self.clock)
        self.start.__enter__()
        return self.start.open_console(dice, visitors)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulated.close()
        self.start.__exit__()

    def again(self, press: Callable[[], None]) -> BegunBench:
        """Press what has the station start anew, and return that start."""
        try:
            press()
        except StartAgain:
            self.__exit__()
            return BegunBench(self._path)
        raise AssertionError(f"it goes on: {self.read_out}")

    @property
    def read_out(self) -> str:
        """What stands on the glass, as it is read out."""
        return self.view.speech().spoken
