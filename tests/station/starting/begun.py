"""A bench that begins as the station does: the start is counted, and a bad one enters the safe mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.console.console import Console
from referee.console.shelf import BoxDice, Visitors
from referee.station.start import Start
from referee.station.starts import StartAgain
from referee.station.virtual.bench import Bench


class BegunBench(Bench):
    """Ends as its context does, like a station that was asked to end or fell over; or by `kill`."""

    start: Start

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        self._path = journal
        self.start = Start(journal, terminal=False, waiting=self.slow.waiting, clock=self.clock)
        self.start.__enter__()
        return self.start.open_console(dice, visitors)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.simulated.close()
        self.start.__exit__(kind, error, trace)

    def kill(self) -> None:
        """End it as SIGKILL does: nothing is said, nothing is tidied up."""
        self.simulated.close()
        if self.start.journal is not None:
            self.start.journal.close()

    def again(self, press: Callable[[], None]) -> BegunBench:
        """Press what has the station start anew, and return that start."""
        try:
            press()
        except StartAgain as over:
            self.__exit__(StartAgain, over, None)
            return BegunBench(self._path)
        raise AssertionError(f"it goes on: {self.read_out}")

    @property
    def read_out(self) -> str:
        """What stands on the glass, as it is read out."""
        return self.view.speech().spoken
