"""Creates the parts of a station in order, and closes them in reverse order in any case."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.box import Box
from hardware.errors import HardwareError
from referee import config as configuration
from referee.config import Config
from referee.console.drawing.screens import fitting_size
from referee.console.shelf import BoxDice
from referee.errors import ConfigError, RefereeError, StationError
from referee.files.players import beside as names_beside
from referee.journal import lock
from referee.station import notify
from referee.station.loop import Inbox, Loop
from referee.station.panel import Publisher, Reports, StationHub
from referee.station.picture import SlowDisk
from referee.station.screen import Screen
from referee.station.shelf import throw
from referee.station.start import Start, report_card, report_left_out
from referee.station.starts import StartAgain
from referee.station.visitors import Door

if TYPE_CHECKING:
    from referee.console.console import Console
    from referee.console.drawing.raster import Raster
    from referee.station.dice import StationDice
    from referee.station.hall.link import Link
    from referee.station.readers import Source
    from referee.station.voice import Voice
    from referee.web.passes import Passes
    from referee.web.server import WebServer

_logger = logging.getLogger(__name__)

SWITCH = 0.0003
"""Seconds a thread may keep the interpreter: a browser's message must not delay a press or a drawing."""


def run_station(
    parts: ExitStack,
    box: Box,
    config: Config,
    journal: Path,
    ready: Callable[[str | None], None] | None,
    *,
    fault: Exception | None = None,
    glass: Callable[[], Raster] | None = None,
    problems: Path | None = None,
) -> None:
    """Create the parts of a station, each with what it needs, and run it. Raises RefereeError.

    ``ready``: called once the station listens, with the panel's address or None; ``fault``: what ended the run
    before this one, which is in its safe mode then; ``glass``: of a simulated box, what it shows; ``problems``: the
    file that says what is wrong with the text file of a card.
    """
    from referee.web.passes import beside

    simulated = glass is not None
    inbox = Inbox()
    screen = Screen(box.display)
    slow = SlowDisk(screen, fitting_size(box.display.size))
    start = parts.enter_context(Start(journal, terminal=simulated, fault=fault, waiting=slow.waiting))
    visitors = beside(journal, watch_only=bool(config.hall.address)) if config.panel.serve else None
    hall = _hall(config, start, inbox)
    door = Door(visitors) if visitors else None
    case = _case(config, journal, lambda take: inbox.put(partial(loop.learn, take)))
    dice = BoxDice(config.table.dice, throw, case)
    console = start.open_console(dice, door, config)
    notifier = parts.enter_context(contextlib.closing(notify.from_environment()))
    loop = Loop(
        box,
        console,
        config,
        inbox=inbox,
        screen=screen,
        slow=slow,
        notifier=notifier,
        voice=_voice(parts, config, console, inbox),
    )
    hub = StationHub(loop, Reports(journal), names_beside(journal.resolve()), door.invited if door else str)
    if visitors:
        Publisher(hub, loop, simulated=simulated, glass=glass)
    parts.callback(screen.stop)
    if problems is not None:
        report_card(console, problems, time.monotonic())
    try:
        loop.open()
    except HardwareError as error:  # whatever has a pin of the inputs, this station is not at fault
        raise StationError(f"{error}. `referee doctor` says what uses the pins") from error
    parts.callback(box.inputs.close)
    report_left_out(console, time.monotonic())
    plug_in(parts, loop, config, journal, case, terminal=simulated)
    if hall is not None:
        hall.start(loop)
        parts.callback(hall.stop)
    tune(parts)
    with _signals(lambda: inbox.put(loop.stop)):
        if visitors is not None and door is not None:
            told = partial(_told, journal, ready)
            panel = Panel(hub, config.panel, visitors, door, loop, told, needed=simulated)
            parts.callback(panel.stop)
        elif ready is not None:
            ready(None)
        try:
            loop.run()
        finally:
            if not isinstance(sys.exception(), StartAgain):  # then the service goes on
                notifier.send("STOPPING=1")


def _voice(parts: ExitStack, config: Config, console: Console, inbox: Inbox) -> Voice | None:
    """Return what reads the glass aloud, None where nobody wants that."""
    if not config.voice.speak:
        return None
    from referee.station.voice import Speaker, Voice, command

    speaker = parts.enter_context(contextlib.closing(Speaker(command(config.voice))))
    return Voice(console, speaker.say, inbox.put)


def _hall(config: Config, start: Start, inbox: Inbox) -> Link | None:
    """Return what talks with the hall of an event, None where this box belongs to none or has nothing to say."""
    hall = config.hall
    if not hall.address or start.journal is None or start.safe_mode is not None:
        return None
    from referee.station.hall.link import Link

    return Link(hall.address, hall.certificate, hall.token, start.journal, inbox.put)


def _case(config: Config, journal: Path, learn: Callable[[Callable[[], None]], None]) -> StationDice | None:
    """Return the dice by Bluetooth as the menu looks after them, None where the box is not to use any.

    ``learn`` has what their reader answers taken on the loop's thread.
    """
    if not config.bluetooth_dice.use:
        return None
    from referee.station.dice import StationDice, beside

    return StationDice(beside(journal), learn)


def plug_in(
    parts: ExitStack,
    loop: Loop,
    config: Config,
    journal: Path,
    case: StationDice | None = None,
    *,
    terminal: bool,
) -> None:
    """Open the configured peripherals. Raises ConfigError at a terminal; at a box the glass shows the error.

    ``case``: the dice by Bluetooth.
    """
    for attach in (_attach_board, _attach_readers):
        try:
            attach(parts, loop, config, journal, case)
        except (HardwareError, RefereeError) as error:
            if terminal:
                raise error if isinstance(error, ConfigError) else ConfigError(str(error)) from error
            loop.console.stage.fault("Not connected", str(error), time.monotonic())


def _attach_board(parts: ExitStack, loop: Loop, config: Config, *_: object) -> None:
    """Open the input board, if there is one. Raises ConfigError for an invalid port."""
    board = config.input_board
    if not board.port:
        return
    from hardware.line.input_board import InputBoard

    make = partial(InputBoard, board.port)
    try:
        parts.callback(loop.attach("Input board", make).close)
    except HardwareError as error:
        raise ConfigError(f"the configured port cannot be used: {error}") from error


def _attach_readers(parts: ExitStack, loop: Loop, config: Config, journal: Path, case: StationDice | None) -> None:
    """Start the readers of dice. Raises ConfigError, or StationError where the known dice cannot be read."""
    if not (config.reader.command or config.tray.camera or config.bluetooth_dice.use):
        return
    from hardware.dice.reader import Reader
    from referee.station.readers import RADIO, configured

    for source in configured(config, journal):
        radio = case if source.source == RADIO else None
        talk: dict[str, Any] = {} if radio is None else {"greeting": radio.greeting, "answer": radio.heard}
        make = partial(Reader, source.command, clock=loop.clock, **talk)

        def attach(source: Source = source, make: Callable[..., Reader] = make) -> Reader:
            device = loop.attach(source.name, make, source=source.source)
            assert isinstance(device, Reader)
            parts.callback(device.close)
            return device

        if radio is None:
            attach()
        else:
            radio.open(attach)


def tune(parts: ExitStack) -> None:
    """Exempt long-lived objects from garbage collection, and shorten the interpreter's switch interval."""
    parts.callback(sys.setswitchinterval, sys.getswitchinterval())
    sys.setswitchinterval(SWITCH)
    gc.freeze()
    parts.callback(gc.unfreeze)


class Panel:
    """The panel's server, imported and started on a separate thread, because that takes most of the start's time."""

    def __init__(
        self,
        hub: StationHub,
        config: configuration.PanelSettings,
        passes: Passes,
        door: Door,
        loop: Loop,
        ready: Callable[[str | None], None],
        *,
        needed: bool,
    ) -> None:
        """``needed``: nobody could play without the panel, so the station ends if it cannot be served."""
        self._hub = hub
        self._config = config
        self._passes = passes
        self._door = door
        self._loop = loop
        self._ready = ready
        self._needed = needed
        self._server: WebServer | None = None
        self._thread = threading.Thread(target=self._serve, name="web-start")
        self._thread.start()

    def stop(self) -> None:
        """Stop it, once it has started."""
        self._thread.join()
        if self._server is not None:
            self._server.stop()

    def _serve(self) -> None:
        from referee.files import qr
        from referee.web.server import WebServer

        config = self._config
        server = WebServer(self._hub, config.host, config.port, names=config.names, passes=self._passes)
        try:
            address = server.start()
        except (OSError, RuntimeError) as error:
            short, what = _obstacle(error, config)
            text = f"the panel cannot be served: {error}. {what}"
            if self._needed:
                self._post(self._loop.fail, StationError(text))
                return
            print(f"referee: {text}", file=sys.stderr)  # noqa: T201
            self._post(self._loop.fault, "No panel", f"{short} The box plays on without it.")
            url = None
        else:
            self._server, url = server, address.url
            if server.join_address():
                qr.rows("0")  # what draws the way in takes long to load, and the loop must not wait for it
            self._post(self._door.reached_at, server.join_address)
        self._ready(url)
        if url is not None and config.open_browser:
            open_browser(url)

    def _post(self, do: Callable[..., object], *about: object) -> None:
        self._loop.inbox.put(partial(do, *about))


def _told(journal: Path, ready: Callable[[str | None], None] | None, address: str | None) -> None:
    if address is not None:
        lock.reached_at(journal, address)
    if ready is not None:
        ready(address)


def _obstacle(error: Exception, config: configuration.PanelSettings) -> tuple[str, str]:
    """Return why the panel cannot be served, on the glass's few lines, and what to do."""
    number = getattr(error, "errno", 0)
    if isinstance(error, socket.gaierror) or number == errno.EADDRNOTAVAIL:
        what = f"[panel] host is {config.host}: expected an address of this computer, or 0.0.0.0 for all it has"
        return f"{config.host} is not this box.", what
    taken = f"Another program uses port {config.port}. Choose another" if number == errno.EADDRINUSE else ""
    other = taken or f"Choose another port than {config.port}"
    return f"Port {config.port} cannot be opened.", f"{other} with --port; 0 takes any free one"


def open_browser(url: str) -> bool:
    """Open the panel if there is a desktop and a browser; return whether it was tried."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin"):
        return False
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        return webbrowser.open(url)
    return False


@contextlib.contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGTERM and SIGINT end the loop, so that everything is closed and the glass is left clean."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
