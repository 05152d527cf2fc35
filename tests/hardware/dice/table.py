"""A simulated box with twelve simulated Bluetooth dice, and what their throws are to leave in the journal."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from hardware.events import Doubt, Thrown
from hardware.line.presence import Connected
from referee.console.console import Console
from referee.console.shelf import BoxDice, Visitors
from referee.session.extra import origins_of, unused_of
from referee.station.dice.known import KnownDie
from referee.station.loop import Loop
from referee.station.peripherals import PeripheralReport
from referee.testing.station import Bench, Clock
from tests.hardware.dice.fake_die import FakeDie

SEATS: Final = {"W": "seat-1", "B": "seat-2"}
SPARE: Final = ("X1", "X2")
NAMES: Final = (*(f"{seat}{n}" for seat in SEATS for n in range(1, 6)), *SPARE)
"""Five dice of each of two seats, and two of nobody's. Every third one is a GoDice."""

FAULTS: Final = ("wrong", "doubled", "lost", "silent", "answered")
"""What must not be: a face, certainty or mark that stands otherwise in the journal; a throw that stands there twice,
or not at all; one of which nothing was heard; a question other than a roll that dice answered.
"""


class Fell(NamedTuple):
    """What a die showed once. ``mark``: why it was in doubt or is unused; ``counts``: whether it is in the answer."""

    face: int | None
    certainty: int | None
    mark: str = ""
    counts: bool = True


class Air(Protocol):
    """What is between dice and station, and where dice are done things to: `BlueZ` with a radio, or `Bare`."""

    def put(self, die: FakeDie) -> FakeDie:
        """Put a die on the table."""

    def tell(self, deed: Callable[[], None]) -> None:
        """Do something to a die."""

    def pull(self, die: FakeDie) -> None:
        """Lose a connection; it is made again where the die can be reached."""

    def wake(self, die: FakeDie) -> None:
        """Let a die be reached again."""


class Stoppable(Protocol):
    """What runs for the dice."""

    def stop(self) -> None:
        """End it."""


Attach = Callable[[Loop, Iterable[KnownDie], Clock], Stoppable]


class Box(Bench):
    """A box whose dice belong to seats."""

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        """Open the journal and return the console."""
        return super().begin(journal, dice._replace(owner=lambda source, die: SEATS.get(die[0], "")), visitors)


class DiceTable:
    """``counts`` counts throws, mishaps and faults; ``early`` is the die that fell last where nobody asked for it."""

    def __init__(self, bench: Bench, air: Air, attach: Attach, seed: int) -> None:
        self.bench = bench
        self.air = air
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter(dict.fromkeys(("games", "questions", "rolls", "throws", *FAULTS), 0))
        self.early: tuple[str, Fell] | None = None
        self._before: list[tuple[str, Fell]] = []
        self.keyed = 0
        self.dice = {
            name: air.put(FakeDie(f"C3:5A:11:20:7E:{n:02X}", "godice" if n % 3 == 2 else "pixels"))
            for n, name in enumerate(NAMES)
        }
        self._fell: dict[str, list[Fell]] = {}
        self._reports: deque[PeripheralReport] = deque()
        known = [KnownDie(name, die.kind, die.address) for name, die in self.dice.items()]
        self._radio = attach(bench.loop, known, bench.clock)
        absent = set(NAMES)
        while absent:
            absent.remove(self.hear(absent, Connected))

    def close(self) -> None:
        """End what runs for the dice."""
        self._radio.stop()

    # -- throws

    def cast(self, die: str) -> Fell:
        """Throw a die and hear of it; return what it shows."""
        fake, face = self.dice[die], self.chance.randint(1, 6)
        sounds = len(self.bench.sounds)
        self.air.tell(fake.roll)
        self.air.tell(lambda: fake.land(face))
        self.hear((die,), Thrown, Doubt)
        self.counts["throws"] += 1
        self.counts["silent"] += len(self.bench.sounds) == sounds
        return Fell(face, fake.certainty if fake.kind == "pixels" else 1000)

    def throw(self, die: str, mark: str = "", *, counts: bool = True) -> None:
        """Throw a die for a roll; it is to stand in the journal with that mark."""
        self.note(die, self.cast(die)._replace(mark=mark, counts=counts))

    def throw_early(self) -> None:
        """Throw a die that nobody has asked for: it answers nothing, and is shown at the next roll.

        What it showed before, when nobody had asked for that either, is recorded there, too.
        """
        if self.early is not None:
            self._before.append((self.early[0], self.early[1]._replace(mark="again", counts=False)))
        n = self.bench.console.table.current.n
        self.early = SPARE[0], self.cast(SPARE[0])
        self.counts["thrown early"] += 1
        self.counts["answered"] += self.bench.console.table.current.n != n

    def ask(self) -> None:
        """A roll is asked for, with whose answer it is recorded what fell again before it."""
        for die, fell in self._before:
            self.note(die, fell)
        self._before.clear()

    def note(self, die: str, fell: Fell) -> None:
        """Remember what is to stand in the journal of a die."""
        self._fell[die].append(fell)

    def key(self, face: int) -> None:
        """Key in a face."""
        self.bench.key(str(face))
        self.keyed += 1

    # -- what is heard and seen

    def dismiss(self) -> None:
        """Press away what lies on the glass, and let what is below be seen."""
        while self.bench.console.pile:
            self.bench.key("1")
        self.bench.wait(1)

    def hear(self, dice: Iterable[str], *kinds: type) -> str:
        """Let the station take what comes until one of these dice reports one of these kinds; return which one."""
        while True:
            while self._reports:
                report = self._reports.popleft()
                name = report.peripheral.name.removeprefix("Die ")
                if isinstance(report.event, kinds) and name in dice:
                    return name
            item = self.bench.inbox.get(30)
            assert item is not None, f"{sorted(dice)}: no {kinds} was heard"
            self.bench.loop.step(item, self.bench.clock.now)
            if isinstance(item, PeripheralReport):
                self._reports.append(item)

    # -- the journal

    def begin(self) -> int:
        """Nothing has fallen in the game that has begun; return its number."""
        self._fell = {name: [] for name in NAMES}
        self.early, self.keyed = None, 0
        self._before.clear()
        number = self.bench.console.table.current.game_id
        assert number is not None
        return number

    def judge(self, game: int) -> None:
        """Compare the journal of a game, die by die, with what fell in it."""
        recorded: dict[str, list[Fell]] = {name: [] for name in NAMES}
        keyed = 0
        for entry in self.bench.journal.entries(game):
            if entry.kind != "answer" or not entry.extra:
                continue
            for unused in unused_of(entry.extra):
                recorded[unused.origin.die].append(Fell(unused.face, unused.origin.certainty, unused.why, False))
            for face, origin in zip(
                entry.answer, origins_of(entry.source, len(entry.answer), entry.extra), strict=True
            ):
                keyed += origin.by_hand
                if not origin.by_hand:
                    assert origin.source == "bluetooth-dice"
                    recorded[origin.die].append(Fell(face, origin.certainty, origin.doubt))
        self.counts["wrong"] += abs(keyed - self.keyed)
        for name, fell in self._fell.items():
            there = recorded[name]
            self.counts["lost"] += max(0, len(fell) - len(there))
            self.counts["doubled"] += max(0, len(there) - len(fell))
            self.counts["wrong"] += sum(wanted != told for wanted, told in zip(fell, there, strict=False))
