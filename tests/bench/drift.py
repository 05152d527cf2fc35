"""The clock of a round on boxes whose crystals are off: ``python -m tests.bench.drift``, on virtual time.

Real cores on both sides (`HallSide`, `BoxSide`, `RoundClock`); no message is delayed. Each pair of crystals runs four
hours with the hall, then an hour without. It prints by how many ms the box was off at most, and after how many s an
extension was on the box, as JSON; it fails where a box whose hall is right was off by more than `ON_LINE` or, after
the hour, `ALONE`, or where an extension took longer than `EXTENDED`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.clock.round import RoundClock
from referee.hall.uplink.messages import Clock
from referee.session import ms
from referee.station.uplink import round_news_of
from tests.bench.spread import limit, missed
from tests.components import MEMORY
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, Hall, box, go_on, talk

ON_LINE: Final = 100.0
ALONE: Final = 400.0
"""Ms."""
EXTENDED: Final = 1.0
"""S."""
STEP: Final = 0.25
"""How often the hall's side looks at its clock, s, as its server has it look."""
CRYSTALS: Final = (-100, 0, 100)
"""Parts per million."""
HOUR: Final = 3600.0
ROUND: Final = 6 * HOUR
MORE: Final = 600.0


@dataclass
class Table:
    """A hall and a box, each with a crystal of its own. ``true``: s that have passed."""

    hall: Hall
    hall_ppm: int
    box_ppm: int
    true: float = 0.0
    ends: float = ROUND
    number: int = 1

    def __post_init__(self) -> None:
        self.clock = RoundClock()
        self.side = box(MemoryJournal(KEY), KEY)
        self.hall.intake.admit(KEY.public)
        self.hall.make(
            self.hall.news.append, None, lambda _: Clock(self.number, 1, ms(self.left), runs=True, then="")
        )
        talk(self.hall, 1, self.side)

    @property
    def left(self) -> float:
        """What is left of the round by the hall's clock, s."""
        return self.ends - self.true * (1 + self.hall_ppm / 1e6)

    @property
    def off(self) -> float:
        """By how many ms the box differs from the hall."""
        self.clock.see(ms(self.true * (1 + self.box_ppm / 1e6)))
        return abs(self.clock.left - self.left * 1000)

    def step(self) -> None:
        """Let a moment pass, on line."""
        self.true += STEP
        self.hall.now = self.true * (1 + self.hall_ppm / 1e6)
        self.hall.side.tick(self.hall.now)
        go_on(self.hall, 1, self.side)
        clock = self.side.take_news().clock
        if clock is not None:
            self.clock.hear(round_news_of(clock[0], self.true * (1 + self.box_ppm / 1e6)))

    def extend(self) -> float:
        """Give the table time; return after how many s the box has it."""
        self.ends, self.number, began = self.ends + MORE, self.number + 1, self.true
        self.hall.side.seat({})
        while self.off > MORE * 500:
            self.step()
        return self.true - began


def measure(folder: Path, hall_ppm: int, box_ppm: int, hours: float) -> dict[str, Any]:
    """Return the figures of one pair of crystals; the limit of an hour alone is for a hall that is right."""
    table = Table(Hall(folder / f"{hall_ppm} {box_ppm}.db"), hall_ppm, box_ppm)
    table.step()
    on_line = 0.0
    while table.true < hours * HOUR:
        table.step()
        on_line = max(on_line, table.off)
    extended = table.extend()
    table.true += HOUR
    table.hall.intake.close()
    return {
        "on_line_ms": limit(on_line, most=ON_LINE),
        "alone_for_an_hour_ms": limit(table.off, most=ALONE if hall_ppm == 0 else 2 * ALONE),
        "extension_s": limit(extended, most=EXTENDED),
    }


def main() -> int:
    """Measure and print; 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=4.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        report = {
            f"hall {hall_ppm:+} ppm, box {box_ppm:+} ppm": measure(Path(folder), hall_ppm, box_ppm, options.hours)
            for hall_ppm in CRYSTALS
            for box_ppm in CRYSTALS
        }
    print(json.dumps(report, indent=1))
    return int(bool(missed(report)))


if __name__ == "__main__":
    sys.exit(main())
