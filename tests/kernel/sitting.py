"""A player at the box in the guest, with a twin of it at hand that says what must be on its glass.

The twin is the same station on simulated hardware and virtual time: it is given the same presses, and after each
the two glasses must be equal to the last pixel.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from hardware.pins import load
from referee.config import Config, TableSettings
from referee.console.views import Notice, Ruling
from referee.station.virtual.bench import Bench
from tests.kernel.disk import Disk
from tests.kernel.eye import Blind, Eye
from tests.kernel.machine import Guest, Machine
from tests.kernel.prepare import CACHE, initramfs, kernel, needs
from tests.kernel.world import project, world

LEAD = 350
"""Ms between a picture and the next press: more than the guards against late and doubled presses."""

HELD = 550
"""Ms for which a key is held where that means something else than a click."""

JOURNAL = "/mnt/journal.db"


def guest(folder: Path) -> Guest:
    """Return a guest that boots, of Debian's packages and of the project as it is. Raises Missing."""
    needs()
    CACHE.mkdir(parents=True, exist_ok=True)
    parts = kernel()
    return Guest(parts / "vmlinuz", initramfs(parts, folder), world(), project(folder))


def saved(cold: Guest, folder: Path) -> Guest:
    """Boot a guest once, let the referee wait in it, and save its state there. Raises MachineFault.

    Its journal's disk is blank and not mounted, so nothing of it can be in the state.
    """
    with Machine(cold, Disk(blank=True), folder / "saved.console", mount=False) as machine:
        machine.start("/srv/tests/kernel/guest/warm.py")
        machine.hear("(warm: waiting)")
        machine.save(folder / "saved.state")
    return cold._replace(saved=folder / "saved.state")


class Differs(Exception):
    """The guest did not do what its twin did."""


class Player:
    """Presses the keys of a machine and of its twin, and compares the two.

    ``took``     s from telling the hands to the picture
    """

    patience = 120.0
    """Seconds until a picture must be there."""
    bounces = 0
    """How often a contact lets go again, at most, before it rests."""

    def __init__(self, twin: Bench, machine: Machine) -> None:
        self.pins = load()
        self.took: list[float] = []
        self.presses = 0
        self.twin = twin
        self.machine = machine
        self.eye = Eye(machine.glass, self.pins)

    def look(self) -> float:
        """Wait until the guest's glass shows what the twin's does. Raises Differs, with both glasses beside it."""
        wanted = self.twin.glass
        try:
            return self.eye.wait(wanted, patience=self.patience)
        except Blind as blind:
            shown, expected = (
                self.machine.console.with_name("shown.png"),
                self.machine.console.with_name("wanted.png"),
            )
            blind.shown.save(shown)
            wanted.save(expected)
            raise Differs(f"{blind} after {self.presses} presses: see {shown} and {expected}") from blind

    def key(self, *names: str) -> None:
        """Press keys one after another, each once the picture before it is there. "1" is a die key."""
        for name in names:
            self._press(f"die-{name}" if name.isdigit() else name)

    def hold(self, name: str) -> None:
        """Hold a key down."""
        self._press(name, hold=True)

    def _press(self, key: str, *, hold: bool = False) -> None:
        self.eye.look_anew()
        if hold:
            self.twin.wait(0.4)
            self.twin.hold(key, HELD / 1000)
        else:
            self.twin.key(key.removeprefix("die-"))
        self.presses += 1
        ms = HELD if hold else 60
        began = time.monotonic()
        clean = self.machine.tap(self.pins.keys[key], lead=LEAD, ms=ms, bounces=self.bounces, seed=self.presses)
        if self.bounces and not clean:
            raise Differs(f"the hands were held up in the middle of press {self.presses}")
        self.look()
        self.took.append(time.monotonic() - began)

    def lamps(self) -> None:
        """Compare the lamps on the guest's pins with what the twin's console wants. Raises Differs."""
        wanted = {name: state for name, state in self.twin.console.lamps().items() if name in self.pins.lamps}
        end = time.monotonic() + 5
        while True:
            lit = {name: self.machine.value(self.pins.lamps[name]) for name in wanted}
            if all(state == "blink" or lit[name] == (state == "on") for name, state in wanted.items()):
                return
            if time.monotonic() > end:
                raise Differs(f"the lamps' pins are {lit}, but wanted are {wanted}")

    def begin(self) -> None:
        """Begin a game of the Battle of the Ring, everything placed, up to the first question of the first turn."""
        self.key("1", "1", "select")
        self.hold("select")
        self.on()
        self.key("5")  # end of phase, nothing special
        prompt = self.twin.console.table.prompt
        if prompt is None or prompt.ask != "attack.attacker":
            raise Differs(f"the twin asks {prompt and prompt.ask}, not who attacks")

    def on(self) -> None:
        """Go on until a question stands."""
        while isinstance(self.twin.view, (Notice, Ruling)) or self.twin.console.stage.top.wakes:
            self.key("select")

    def attack(self, first: str = "3", second: str = "3") -> Ruling:
        """Attack with the first piece that can, throw these faces; return the ruling that is on the glass."""
        if isinstance(self.twin.view, Ruling) or self.twin.console.stage.top.wakes:
            raise Differs(f"the twin shows {self.twin.text!r}, not the question who attacks")
        self.key("1", "1")
        while self.asked != "roll":
            self.key("1")
        return self.throw(first, second)

    def throw(self, first: str, second: str) -> Ruling:
        """Key in two dice; return the ruling that is on the glass."""
        before = self._entries()
        self.key(first, second)
        ruling = self.twin.view
        if not isinstance(ruling, Ruling) or self._entries() == before:
            raise Differs(f"the twin shows {ruling} where a new ruling was to be")
        return ruling

    def _entries(self) -> int:
        latest = self.twin.journal.latest()
        return latest.entries if latest else 0

    @property
    def asked(self) -> str:
        """Kind of the question that stands, "" if none does."""
        prompt = self.twin.console.table.session.prompt if self.twin.console.table.session else None
        return prompt.kind if prompt else ""


class Sitting(Player):
    """One power-on of the guest with the station running in it, taken up where the journal stands; a context."""

    bounces = 3

    def __init__(self, guest: Guest, disk: Disk, twin: Path) -> None:
        """`twin`: a copy of the journal on the disk, or where to begin one."""
        with contextlib.ExitStack() as undo:
            bench = undo.enter_context(Bench(twin, Config(table=TableSettings(ruling_seconds=0))))
            machine = undo.enter_context(Machine(guest, disk, twin.with_suffix(".console")))
            super().__init__(bench, machine)
            self.machine.referee("run", "--no-panel", "--config", "/tmp/referee.toml", "--journal", JOURNAL)
            self.look()
            self.machine.hear("(The box is running)")
            self._undo = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()
