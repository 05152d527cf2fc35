"""The same clocks a second time, as naively as can be: every ms of a list of intervals is counted by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from referee.clock import COMMON, Control


class Interval(NamedTuple):
    """So many ms run for a seat, for all, or for nobody; before them, whose move begins, if one does."""

    ms: int
    runs: str
    begins: str = ""


@dataclass
class Ticking:
    """What each seat has and has used, after so many ms."""

    control: Control
    names: tuple[str, ...]
    life: int = 0
    common: int = 0
    mover: str = ""
    left: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    stage: dict[str, int] = field(default_factory=dict)
    moves: dict[str, int] = field(default_factory=dict)
    delay: dict[str, int] = field(default_factory=dict)
    took: dict[str, int] = field(default_factory=dict)
    down: dict[str, bool] = field(default_factory=dict)
    falls: list[tuple[str, int, int, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in self.names:
            self.left[name] = self.control.periods[0].time
            for each in (self.used, self.stage, self.moves, self.delay, self.took):
                each[name] = 0
            self.down[name] = False

    def count(self, intervals: list[Interval]) -> None:
        for ms, runs, begins in intervals:
            if begins:
                self.turn(begins)
            for _ in range(ms):
                self.life += 1
                if runs == COMMON:
                    self.common += 1
                    # The last seat round the table pays the first ms, the first seat the last.
                    self.tick(self.names[-1 - (self.common - 1) % len(self.names)], own=False)
                elif runs:
                    self.tick(runs, own=True)

    def tick(self, name: str, *, own: bool) -> None:
        self.used[name] += 1
        if own:
            self.took[name] += 1
            if self.delay[name]:
                self.delay[name] -= 1
                return
        self.left[name] -= 1
        if self.left[name] == 0 and not self.down[name] and self.control.periods[0].time:
            self.pass_stage(name)

    def pass_stage(self, name: str) -> None:
        stage, periods = self.stage[name], self.control.periods
        if periods[stage].moves:
            more = None
        elif stage + 1 < len(periods):
            more = periods[stage + 1].time
        else:
            more = None
        self.falls.append((name, stage, self.life, more is None))
        if more is None:
            self.down[name] = True
        else:
            self.left[name], self.stage[name], self.moves[name] = more, stage + 1, 0

    def turn(self, begins: str) -> None:
        ends, mode, extra = self.mover, self.control.mode, self.control.extra
        if ends:
            self.moves[ends] += 1
            if not self.down[ends]:
                if mode == "bronstein":
                    self.left[ends] += min(self.took[ends], extra)
                wanted = self.control.periods[self.stage[ends]].moves
                if wanted and self.moves[ends] == wanted:
                    self.stage[ends] += 1
                    self.left[ends] += self.control.periods[self.stage[ends]].time
                    self.moves[ends] = 0
            self.delay[ends] = 0
        self.mover, self.took[begins], self.delay[begins] = begins, 0, 0
        if not self.down[begins]:
            if mode == "fischer":
                self.left[begins] += extra
            if mode == "us-delay":
                self.delay[begins] = extra
