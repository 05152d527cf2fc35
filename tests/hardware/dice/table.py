"""A simulated box whose dice tell themselves, and what their throws are to leave in the journal."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable
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


class Table:
    """A box with dice that tell themselves, and what fell there.

    ``counts`` counts throws, mishaps and faults; ``keyed``: how many faces were keyed in.
    """

    def __init__(self, bench: Bench, source: str, seed: int) -> None:
        """``source``: what the journal calls the dice."""
        self.bench = bench
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter(dict.fromkeys(("games", "questions", "rolls", "throws", *FAULTS), 0))
        self.keyed = 0
        self._source = source
        self._n = 0
        self._fell: dict[int, list[tuple[str, Fell]]] = {}
        self._reports: deque[PeripheralReport] = deque()

    def ask(self) -> None:
        """A roll is asked for: what falls from now on belongs to its answer."""
        self._n = self.bench.console.table.current.n

    def note(self, die: str, fell: Fell) -> None:
        """Remember what is to stand in the journal of a die, with the answer to the latest roll."""
        self._fell.setdefault(self._n, []).append((die, fell))

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

    def hear(self, devices: Container[str], *kinds: type) -> PeripheralReport:
        """Let the station take what comes until one of these devices reports one of these kinds; return that."""
        while True:
            while self._reports:
                report = self._reports.popleft()
                if isinstance(report.event, kinds) and report.peripheral.name in devices:
                    return report
            item = self.bench.inbox.get(30)
            assert item is not None, f"{devices}: no {kinds} was heard"
            self.bench.loop.step(item, self.bench.clock.now)
            if isinstance(item, PeripheralReport):
                self._reports.append(item)

    # -- the journal

    def begin(self) -> int:
        """Nothing has fallen in the game that has begun; return its number."""
        self._fell.clear()
        self.keyed = 0
        number = self.bench.console.table.current.game_id
        assert number is not None
        return number

    def judge(self, game: int) -> None:
        """Compare the journal of a game, answer by answer and die by die, with what fell in it."""
        keyed = 0
        for entry in self.bench.journal.entries(game):
            if entry.kind != "answer":
                continue
            recorded: Counter[tuple[str, Fell]] = Counter()
            extra = entry.extra or {}
            for unused in unused_of(extra):
                recorded[unused.origin.die, Fell(unused.face, unused.origin.certainty, unused.why, False)] += 1
            faces = entry.answer if extra else ()
            for face, origin in zip(faces, origins_of(entry.source, len(faces), extra), strict=True):
                keyed += origin.by_hand
                if not origin.by_hand:
                    assert origin.source == self._source
                    recorded[origin.die, Fell(face, origin.certainty, origin.doubt)] += 1
            self._compare(Counter(self._fell.pop(entry.seq, ())), recorded)
        self._compare(Counter(fell for each in self._fell.values() for fell in each), Counter())
        self.counts["wrong"] += abs(keyed - self.keyed)

    def _compare(self, fell: Counter[tuple[str, Fell]], recorded: Counter[tuple[str, Fell]]) -> None:
        lacking, more = (fell - recorded).total(), (recorded - fell).total()
        self.counts["wrong"] += min(lacking, more)
        self.counts["lost"] += max(0, lacking - more)
        self.counts["doubled"] += max(0, more - lacking)


class DiceTable(Table):
    """A table with twelve Bluetooth dice; ``early`` is the die that fell last where nobody asked for it."""

    def __init__(self, bench: Bench, air: Air, attach: Attach, seed: int) -> None:
        super().__init__(bench, "bluetooth-dice", seed)
        self.air = air
        self.early: tuple[str, Fell] | None = None
        self._before: list[tuple[str, Fell]] = []
        self.dice = {
            name: air.put(FakeDie(f"C3:5A:11:20:7E:{n:02X}", "godice" if n % 3 == 2 else "pixels"))
            for n, name in enumerate(NAMES)
        }
        known = [KnownDie(name, die.kind, die.address) for name, die in self.dice.items()]
        self._radio = attach(bench.loop, known, bench.clock)
        absent = set(NAMES)
        while absent:
            absent.remove(self.listen(absent, Connected))

    def close(self) -> None:
        """End what runs for the dice."""
        self._radio.stop()

    def cast(self, die: str) -> Fell:
        """Throw a die and hear of it; return what it shows."""
        fake, face = self.dice[die], self.chance.randint(1, 6)
        sounds = len(self.bench.sounds)
        self.air.tell(fake.roll)
        self.air.tell(lambda: fake.land(face))
        self.listen((die,), Thrown, Doubt)
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
        super().ask()
        for die, fell in self._before:
            self.note(die, fell)
        self._before.clear()

    def listen(self, dice: Iterable[str], *kinds: type) -> str:
        """As `hear`, of dice by their names; return which one it was."""
        return self.hear({f"Die {name}" for name in dice}, *kinds).peripheral.name.removeprefix("Die ")

    def begin(self) -> int:
        """Nothing has fallen in the game that has begun; return its number."""
        self.early = None
        self._before.clear()
        return super().begin()
