"""The input board on a cable that lives in virtual time: the daemon's production end, a board at the other."""

from __future__ import annotations

from collections.abc import Callable

from hardware.line.input_board import BoardTalk
from hardware.line.presence import Presence
from hardware.line.wire import Link
from hardware.ports import LampState, Sink
from tests.reference import KEYS, SEAT_KEYS


class CabledBoard:
    """A device beside the box, as `referee.station.peripherals.Device` has it; the test calls `due`."""

    def __init__(self, report: Callable[[Presence], None], clock: Callable[[], float]) -> None:
        self._report = report
        self._clock = clock
        self._runs = 0
        self._talk: BoardTalk | None = None
        self._board: Link | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return SEAT_KEYS

    def open(self, sink: Sink) -> None:
        self._talk = BoardTalk(1, sink, self._report, self._clock())

    def close(self) -> None:
        self.pull()

    def level(self, line: str) -> bool:
        assert line in KEYS
        return self._talk is not None and line in self._talk.down

    def set(self, name: str, state: LampState) -> None:
        assert self._talk is not None
        self._talk.lamp(name, state)
        self._carry()

    # -- hands

    def plug(self) -> None:
        """Plug it in: the board begins another run."""
        assert self._talk is not None
        self._runs += 1
        self._board = Link(1 + self._runs, "1.0.0", self._milliseconds())
        self._talk.opened(self._clock())
        self._carry()

    def pull(self) -> None:
        """Pull it out."""
        if self._board is not None:
            assert self._talk is not None
            self._board = None
            self._talk.outgoing()
            self._talk.lost("unplugged", self._clock())

    def contact(self, key: str, *, closed: bool) -> None:
        """Close or open a contact of the board."""
        if self._board is not None:
            self._board.send(f"{key} {int(closed)}", self._milliseconds())
            self._carry()

    # -- time

    def deadline(self) -> float | None:
        """When an end of the line has something to do."""
        if self._board is None or self._talk is None:
            return None
        theirs = self._board.deadline()
        times = [self._talk.deadline(), None if theirs is None else theirs / 1000]
        return min((at for at in times if at is not None), default=None)

    def due(self, now: float) -> None:
        """Let both ends do what is due."""
        if self._board is not None and self._talk is not None:
            self._board.due(self._milliseconds())
            self._talk.due(now)
            self._carry()

    def _carry(self) -> None:
        """Carry what was said to the other end until neither says more."""
        while self._board is not None and self._talk is not None:
            ours, theirs = b"".join(self._talk.outgoing()), b"".join(self._board.outgoing())
            if not ours and not theirs:
                return
            if ours:
                self._board.receive(ours, self._milliseconds())
            if theirs:
                self._talk.received(theirs, self._clock())

    def _milliseconds(self) -> int:
        return int(self._clock() * 1000 + 0.001)
