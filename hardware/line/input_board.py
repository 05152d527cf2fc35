"""The input board at the daemon's end: edges of its keys, lamps, and whether it is there at all."""

from __future__ import annotations

import logging
import math
import secrets
import threading
import time
from collections.abc import Callable

from hardware.errors import BadPattern, DeviceClosed, UnknownLine
from hardware.events import KEYS, SEAT_KEYS, Edge
from hardware.keys.debounce import NEITHER
from hardware.line import wire
from hardware.line.port_names import finder
from hardware.line.presence import CABLE, Connected, Disconnected, Gap, Presence
from hardware.line.serial_port import SerialPort, guarded
from hardware.ports import LAMP_STATES, LampState, Sink

VERSION = "daemon"

_WHY = {wire.SILENT: "it stopped answering", wire.RESTARTED: "it restarted", wire.ASTRAY: "the line is out of step"}

_logger = logging.getLogger(__name__)


def _milliseconds(now: float) -> int:
    return int(now * 1000 + 0.001)


class BoardTalk:
    """The daemon's end of the line of docs/drive.md: edges and reports out, lamps in; pure but for its lock."""

    def __init__(self, me: int, sink: Sink, report: Callable[[Presence], None], now: float) -> None:
        """`me` names this run of the daemon on the line, 1 to 0xffffff."""
        self.down: dict[str, float] = {}
        self._sink = sink
        self._report = report
        self._link = wire.Link(me, VERSION, _milliseconds(now))
        self._met = False
        # From when on an absence is reported; a board that was there, or is known to be gone, changes it.
        self._report_at = now + wire.GONE / 1000
        self._changed_at: dict[str, float] = {}
        self._lamps: dict[str, LampState] = dict.fromkeys(SEAT_KEYS, "off")
        self._dark: set[str] = set()
        self._lock = threading.Lock()

    def lamp(self, name: str, state: LampState) -> None:
        """Have a lamp switched; from any thread."""
        with self._lock:
            if self._lamps[name] != state:
                self._lamps[name] = state
                self._dark.add(name)

    def opened(self, now: float) -> None:
        """Begin to greet."""
        self._link.reopen(_milliseconds(now))

    def received(self, data: bytes, now: float) -> None:
        """Process bytes from the board."""
        self._take(self._link.receive(data, _milliseconds(now)), now)

    def due(self, now: float) -> None:
        """Detect silence, and send the lamps."""
        self._take(self._link.due(_milliseconds(now)), now)
        if not self._link.up:
            if now >= self._report_at:
                self._disconnected("the port is open, but no input board answers", now)
            return
        with self._lock:
            for name in sorted(self._dark):
                if self._link.send(f"{name} {self._lamps[name]}", _milliseconds(now)):
                    self._dark.discard(name)

    def deadline(self) -> float | None:
        """When silence or a heartbeat is due."""
        at = self._link.deadline()
        return None if at is None else at / 1000

    def outgoing(self) -> list[bytes]:
        """Return the frames to write."""
        return self._link.outgoing()

    def lost(self, why: str, now: float, advice: str = CABLE) -> None:
        """The port failed: the board is lost at once if it was connected, else two heartbeats after the start."""
        self._link.cut()
        if now >= self._report_at:
            self._disconnected(why, now, advice)

    def _take(self, events: list[wire.Event], now: float) -> None:
        for event in events:
            if event.kind == wire.DATA:
                # The board sends the age of the edge; its time is computed on this clock.
                self._edge(event.text, now - (_milliseconds(now) - event.at) / 1000)
            elif event.kind == wire.GAP:
                self._gap(event.count, now)
            elif event.kind in (wire.UP, wire.AGAIN):
                self._up(event, now)
            elif event.kind == wire.FOREIGN:
                self._disconnected(
                    f"its firmware {event.text} speaks protocol {event.count}, not {wire.PROTOCOL}: "
                    "`make deploy-input-board` installs the matching one",
                    now,
                    "Update its firmware.",
                )
            elif event.text in _WHY:
                self._disconnected(_WHY[event.text], now)

    def _up(self, event: wire.Event, now: float) -> None:
        with self._lock:
            # A board puts its lamps out when it loses the line.
            self._dark.update(SEAT_KEYS)
        if event.kind == wire.UP:
            self._met = True
            self._report_at = now
            self._report(Connected(event.text, now))

    def _disconnected(self, why: str, now: float, advice: str = CABLE) -> None:
        self._let_go(now)
        self._report_at = math.inf
        self._report(Disconnected(why, now, advice))

    def _gap(self, count: int | None, now: float) -> None:
        self._let_go(now)
        # Edges before the first connection of this run do not count as missed.
        if self._met:
            self._report(Gap(count, now))

    def _let_go(self, now: float) -> None:
        """Release the keys that were down, as neither a click nor a hold, because their state is unknown."""
        for line, pressed_at in list(self.down.items()):
            self._change(line, level=False, at=max(now, pressed_at + NEITHER))

    def _edge(self, payload: str, at: float) -> None:
        line, _, level = payload.partition(" ")
        if line not in KEYS or level not in ("0", "1"):
            _logger.warning("the input board sent %r: expected a key and 0 or 1", payload)
        elif (level == "1") != (line in self.down):
            self._change(line, level=level == "1", at=at)

    def _change(self, line: str, *, level: bool, at: float) -> None:
        at = self._changed_at[line] = max(at, self._changed_at.get(line, at))
        if level:
            self.down[line] = at
        else:
            self.down.pop(line, None)
        self._sink(Edge(line, level, at))


class InputBoard:
    """Inputs and lamps on the serial line, as `hardware.ports` has them; it may be absent and come later.

    `port` is "auto" or a device path; `report` is called on the port's thread, as is the sink, with every
    Connected, Disconnected and Gap, in order with the edges. Raises BadPort.
    """

    def __init__(
        self,
        port: str,
        report: Callable[[Presence], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        line: Callable[..., SerialPort] = SerialPort,
        find: Callable[[], str] | None = None,
    ) -> None:
        """`clock`, `line` and `find` are the production ones except on a bench that runs faster than time."""
        self._find = find or finder(port)
        self._report = report
        self._clock = clock
        self._line = line
        self._talk: BoardTalk | None = None
        self._port: SerialPort | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The lamps a board can have; it ignores those it has not."""
        return SEAT_KEYS

    def open(self, sink: Sink) -> None:
        """Look for the board and begin to report. A key that is down already counts from its next press."""
        if self._port is not None:
            raise DeviceClosed("the input board is open already: close it first")
        me = 1 + secrets.randbelow(0xFFFFFF)
        self._talk = BoardTalk(me, guarded(sink), guarded(self._report), self._clock())
        self._port = self._line(self._find, self._talk, name="input board", clock=self._clock)
        self._port.start()

    def level(self, line: str) -> bool:
        """Whether the contact of `line` is closed, as last reported (False: disconnected). Raises UnknownLine."""
        if line not in KEYS:
            raise UnknownLine(f'there is no input line "{line}"')
        return self._talk is not None and line in self._talk.down

    def set(self, name: str, state: LampState) -> None:
        """Switch a lamp, at once or when the board connects. Raises UnknownLine, BadPattern or DeviceClosed."""
        if name not in SEAT_KEYS:
            raise UnknownLine(f'there is no lamp "{name}": expected one of {", ".join(SEAT_KEYS)}')
        if state not in LAMP_STATES:
            raise BadPattern(f"expected a lamp to be {', '.join(LAMP_STATES)}, not {state!r}")
        if self._port is None:
            raise DeviceClosed("the input board is not open")
        assert self._talk is not None  # they come together
        self._talk.lamp(name, state)
        self._port.wake()

    def close(self) -> None:
        """Stop; the board puts its lamps out within two heartbeats. May be called twice."""
        if self._port is not None:
            self._port.close()
            self._port = None
