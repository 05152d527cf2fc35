"""The entry points of the commands; draws a greeting before the rest of the station is imported."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from hardware.box import Box, leave_picture, open_real
from hardware.errors import HardwareError
from hardware.pins import Pins
from hardware.pins import load as load_pins
from referee import config as configuration
from referee.config import Config
from referee.errors import ConfigError, RefereeError, StationError
from referee.files import outside

if TYPE_CHECKING:
    from hardware.simulated.box import SimulatedBox
    from referee.station.obstacle import Leave

PICTURE: Final = Path(__file__).with_name("greeting.pbm")
"""Made by ``python -m tests.station.glass.greeting``."""

SIZE: Final = (128, 64)


@dataclass(frozen=True)
class Options:
    """What the command line says.

    ``config``   path of the configuration file, None: the defaults
    ``journal``  path of the journal where the command line or the environment names one
    ``fallback`` path of the journal where the file names none either
    ``port``, ``browser``, ``panel``  override the file where they are not None
    ``problems`` the file that says what is wrong with the text file of a card
    ``ready``    called once the station listens, with the panel's address or None
    """

    fallback: Path
    journal: Path | None = None
    config: Path | None = None
    port: int | None = None
    browser: bool | None = None
    panel: bool | None = None
    problems: Path | None = None
    ready: Callable[[str | None], None] | None = None


def greeting(size: tuple[int, int]) -> Image.Image:
    """Return what is on a glass of that size from the first moment of a start on, in its middle.

    It was drawn beforehand, for the type is not read in yet.
    """
    _, _, rows = PICTURE.read_bytes().split(b"\n", 2)
    image = Image.new("1", size)
    image.paste(Image.frombytes("1", SIZE, rows, "raw", "1;I"), ((size[0] - SIZE[0]) // 2, 0))
    return image


def play(options: Options, box: SimulatedBox | None = None) -> None:
    """Run a simulated box, that one or one of its own, until SIGTERM or SIGINT. Raises RefereeError."""
    from hardware.simulated.box import SimulatedBox

    config = _config(options)
    with ExitStack() as whole:
        simulated = box or SimulatedBox(pins=_pins(config))
        whole.callback(simulated.close)
        display = simulated.box.display
        display.show(greeting(display.size))
        from referee.console.drawing.raster import Raster
        from referee.station.starts import until_over
        from referee.station.wiring import run_station

        journal = _journal_path(config, options)
        glass = lambda: Raster.of(simulated.glass())  # noqa: E731
        until_over(
            lambda parts, fault: run_station(
                parts, simulated.box, config, journal, options.ready, fault=fault, glass=glass
            )
        )


def run(options: Options, *, opened: Callable[..., Box] = open_real, left: Leave = leave_picture) -> None:
    """Run the real box until SIGTERM or SIGINT. Raises StationError where there is none, RefereeError.

    Whatever ends it before that is left on the glass, and told to the service manager. ``opened`` opens the box,
    ``left`` leaves a picture on its glass.
    """
    try:
        _run(options, opened)
    except Exception as error:
        from referee.station.obstacle import leave_word

        leave_word(error, _any_pins(options), left)
        raise


def _run(options: Options, opened: Callable[..., Box]) -> None:
    config = _config(options)
    with ExitStack() as whole:
        try:
            box = opened(_pins(config), greeting=greeting)
        except HardwareError as error:
            raise StationError(f"{error}. `referee play` runs a simulated box") from error
        whole.callback(box.close)
        from referee.station.starts import until_over
        from referee.station.wiring import run_station

        journal, ready, problems = _journal_path(config, options), options.ready, options.problems
        until_over(
            lambda parts, fault: run_station(parts, box, config, journal, ready, fault=fault, problems=problems)
        )


def _any_pins(options: Options) -> Pins:
    """Return the pin map, that of the reference build where the configured one cannot be read."""
    try:
        return _pins(_config(options))
    except RefereeError:
        return load_pins()


def places(options: Options) -> tuple[Pins, Path, Config]:
    """Return the pin map, the path of the journal and the configuration that `run` would use. Raises RefereeError."""
    config = _config(options)
    return _pins(config), _journal_path(config, options), config


def _config(options: Options) -> Config:
    config = Config() if options.config is None else configuration.load(options.config)
    panel = config.panel
    if options.port is not None:
        panel = replace(panel, port=options.port)
    if options.browser is not None:
        panel = replace(panel, open_browser=options.browser)
    if options.panel is not None:
        panel = replace(panel, serve=options.panel)
    return replace(config, panel=panel)


def _journal_path(config: Config, options: Options) -> Path:
    named = Path(config.journal.path).expanduser() if config.journal.path else options.fallback
    return options.journal or named


def _pins(config: Config) -> Pins:
    try:
        return load_pins(Path(config.pins.path).expanduser(), outside.read) if config.pins.path else load_pins()
    except HardwareError as error:
        raise ConfigError(str(error)) from error
