"""The readers of dice that the configuration names, each a program of its own (docs/dice.md)."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any, Final, NamedTuple

import referee
from hardware.dice.reader import Reader
from hardware.events import DiceEvent
from hardware.line.presence import Disconnected, Presence, Unreadable
from referee.config import Config, Tray
from referee.errors import ConfigError, StationError
from referee.station.dice import beside

RADIO: Final = "bluetooth-dice"
"""As the journal names dice by Bluetooth."""


class Source(NamedTuple):
    """A reader. ``key``: for `referee reader`; ``name``: as the glass calls it; ``source``: as the journal does."""

    key: str
    name: str
    source: str
    command: tuple[str, ...]


def configured(config: Config, journal: Path) -> Iterator[Source]:
    """Yield the readers of a box. Raises ConfigError where what one needs is not installed."""
    if config.reader.command:
        yield Source("own", "Reader", "dice-reader", (*_guard(), *config.reader.command))
    if config.tray.camera:
        yield Source("tray", "Tray", "tray", (*_guard(), *_own("referee"), *_watch(config.tray, journal)))
    if config.bluetooth_dice.use:
        if find_spec("bleak") is None:
            raise ConfigError("dice by Bluetooth need the extra [dice]: bleak is not installed")
        yield Source("bluetooth", "Bluetooth", RADIO, _own("hardware.dice.bluetooth"))


def greeting(source: Source, journal: Path) -> Callable[[], list[Mapping[str, Any]]]:
    """Return what a reader is told whenever it starts: its dice, if it is the radio."""
    told: list[Mapping[str, Any]] = []
    if source.source == RADIO:
        told = [die.added() for die in beside(journal).listed()]
    return lambda: told


def listen(
    source: Source,
    greeting: Callable[[], Iterable[Mapping[str, Any]]],
    say: Callable[[str], None],
    odd: Callable[[str], None],
) -> None:
    """Run a reader alone until it ends, and say its lines. ``odd``: takes why one would not count.

    Raises StationError saying why it ended.
    """
    why: list[str] = []
    over = Event()

    def report(presence: Presence) -> None:
        if isinstance(presence, Unreadable):
            odd(presence.why)
        elif isinstance(presence, Disconnected) and not presence.die:
            why.append(presence.advice)
            over.set()

    def hear(_: DiceEvent) -> None:
        """It is in a line that was said."""

    reader = Reader(source.command, report, greeting=greeting, heard=lambda line: say(line.decode(errors="replace")))
    reader.open(hear)
    try:
        over.wait()
    finally:
        reader.close()
    raise StationError(f"{source.name}: {why[0]}")


def _guard() -> tuple[str, ...]:
    """Return what ends a program with the station, however that ends."""
    there = shutil.which("setpriv")
    return (there, "--pdeathsig", "KILL", "--") if there else ()


def _own(module: str) -> tuple[str, ...]:
    """Return what runs a module of this program."""
    paths = (str(Path(referee.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    return ("env", f"PYTHONPATH={os.pathsep.join(filter(None, paths))}", sys.executable, "-P", "-m", module)


def _watch(tray: Tray, journal: Path) -> list[str]:
    folder = journal.absolute().parent / "tray"
    calibration = Path(tray.calibration).expanduser() if tray.calibration else folder / "calibration.json"
    words = ["tray", "--watch", "--camera", tray.camera, "--calibration", str(calibration)]
    words += [f"--rpicam={each}" for each in tray.rpicam]
    words += [] if tray.confirm else ["--sure"]
    return [*words, "--keep", str(folder / "throws")] if tray.keep else words
