"""``python -m hardware.watch script.py``: run a script for gpiozero and luma without pins, and watch it.

The script is not changed and time is real. A page on the loopback shows the devices on their pins and what displays
show; buttons, sensors and sliders can be moved there. When the script ends, a timeline of its pins is printed.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import runpy
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from gpiozero import AnalogInputDevice, Device, DistanceSensor, RotaryEncoder
from PIL import Image

from hardware.simulated.buses import Buses
from hardware.simulated.mock_pins import Echo, timeline
from hardware.simulated.pins import Contact, Encoder, SimulatedPins

PORT: Final = 8091
MOST: Final = 1000
"""Bytes of a message from the page."""
POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:"
)


class _RealTime:
    """What simulated pins ask of a time: the time, s, and to have something done later."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._due = threading.local()

    @property
    def now(self) -> float:
        """What is done later is done when it was due, however late its thread comes: an echo is measured by it."""
        due: float | None = getattr(self._due, "at", None)
        return time.monotonic() - self._began if due is None else due

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        due = self.now + seconds

        def late() -> None:
            self._due.at = due
            act()

        timer = threading.Timer(due + self._began - time.monotonic(), late)
        timer.daemon = True
        timer.start()


class Slider(NamedTuple):
    """A value that a device measures, from 0 to ``most``, set on the page; ``pins``: they serve it alone."""

    device: Device
    pins: tuple[Any, ...]
    name: str
    unit: str
    most: float
    value: Callable[[], float]
    move: Callable[[float], None]


class Watched:
    """The pins and displays of the script that runs in this process."""

    def __init__(self) -> None:
        self.time = _RealTime()
        self.pins = SimulatedPins(kept_states=None, time=self.time)  # type: ignore[arg-type]
        self.buses = Buses(kept=0)
        self.ended = ""
        self.stopped: KeyboardInterrupt | None = None
        self._knobs: list[tuple[RotaryEncoder, Encoder]] = []
        self._sliders: list[Slider] = []

    def install(self) -> None:
        """Be gpiozero's pins, and the buses and displays of luma, from now on in this process."""
        Device.pin_factory = self.pins
        self.buses.install(lambda number, level: self.pins.output(number, level=level))
        for kind, connect in (
            (RotaryEncoder, self._turnable),
            (DistanceSensor, self._measuring),
            (AnalogInputDevice, self._analogue),
        ):
            kind.__init__ = self._opening(kind.__init__, connect)

    @staticmethod
    def _opening(opened: Callable[..., None], connect: Callable[[Any], None]) -> Callable[..., None]:
        def begin(each: Any, *given: Any, **named: Any) -> None:
            opened(each, *given, **named)
            connect(each)

        return begin

    def _turnable(self, each: Any) -> None:
        self._knobs.append((each, Encoder(Contact(each.a.pin), Contact(each.b.pin))))

    def _measuring(self, each: Any) -> None:
        echo = Echo(self.time.after, each.trigger, each.echo, each.max_distance / 2)
        name, pins = f"DistanceSensor on {each.echo}, {each.trigger}", (each.echo, each.trigger)
        move = partial(setattr, echo, "metres")
        self._sliders.append(Slider(each, pins, name, "m", each.max_distance, lambda: echo.metres or 0.0, move))

    def _analogue(self, each: Any) -> None:
        """Answer in place of the chip: the bits on the bus differ from one to the other."""
        values = [0.0]
        each._read = lambda: round(values[0] * (2**each.bits - 1))  # noqa: SLF001 - every chip of gpiozero overrides it
        name, spi = f"{type(each).__name__}, channel {getattr(each, 'channel', 0)}", each._spi  # noqa: SLF001
        lines = (spi._bus.clock, spi._bus.mosi, spi._bus.miso, spi._select)  # noqa: SLF001
        pins = tuple(line.pin for line in lines if line is not None)
        self._sliders.append(Slider(each, pins, name, "", 1.0, lambda: values[0], partial(values.__setitem__, 0)))

    def state(self) -> dict[str, Any]:
        """Return what the page shows: devices with their pins, displays as PNG, and why the script has ended."""
        return {
            "devices": [self._device(number, *each) for number, each in enumerate(self._devices())],
            "displays": [{"name": each.name, "png": _png(each.image)} for each in self.buses.screens],
            "sliders": [
                {"number": number, "name": each.name, "unit": each.unit, "most": each.most, "value": each.value()}
                for number, each in enumerate(self._sliders)
                if not each.device.closed
            ],
            "now": round(self.time.now, 1),
            "ended": self.ended,
        }

    def _devices(self) -> list[tuple[Device, list[Any]]]:
        """Return the open devices, each with its pins, in the order in which they were opened."""
        found: dict[int, tuple[Device, list[Any]]] = {}
        parts = {pin: each for each, _ in self._knobs if not each.closed for pin in (each.a.pin, each.b.pin)}
        served = {pin for each in self._sliders if not each.device.closed for pin in each.pins}
        for info, pin in [*self.pins.pins.items()]:
            if pin in served:
                continue
            for reference in self.pins._reservations.get(info, ()):  # noqa: SLF001 - gpiozero tells it in no other way
                device = parts.get(pin, reference())
                if device is not None and not device.closed:
                    found.setdefault(id(device), (device, []))[1].append(pin)
        return [*found.values()]

    def _device(self, number: int, device: Device, pins: list[Any]) -> dict[str, Any]:
        return {
            "number": number,
            "name": type(device).__name__,
            "turns": isinstance(device, RotaryEncoder),
            "pins": [
                {"name": str(pin), "input": pin.function == "input", "duty": round(float(pin.state), 3)}
                for pin in pins
            ],
        }

    def act(self, message: dict[str, Any]) -> None:
        """Do what a hand does on the page. Raises KeyError, IndexError, TypeError or ValueError otherwise."""
        if "slider" in message:
            slider = self._sliders[int(message["slider"])]
            slider.move(min(max(float(message["value"]), 0.0), slider.most))
            return
        device, pins = self._devices()[int(message["device"])]
        for knob, encoder in self._knobs:
            if knob is device:
                encoder.turn(1 if message["turn"] > 0 else -1)
                return
        pin = pins[int(message.get("pin", 0))]
        if pin.function != "input":
            raise ValueError(f"{pin} is no input")
        down = bool(message["down"])
        resting = pin.resting
        pin.connect(down if resting is None else (not resting if down else None))


def _png(image: Image.Image | None) -> str:
    packed = BytesIO()
    if image is not None:
        image.save(packed, "PNG")
    return base64.b64encode(packed.getvalue()).decode()


class _Handler(BaseHTTPRequestHandler):
    """The page, what it shows, and what it does."""

    watched: Watched

    def do_GET(self) -> None:
        """Send the page, or the state."""
        if not self._known():
            return
        if self.path == "/state":
            self._answer(200, json.dumps(self.watched.state()), "application/json")
        else:
            self._answer(200, (files("hardware") / "watch.html").read_text("utf-8"), "text/html")

    def do_POST(self) -> None:
        """Move what the page says."""
        if not self._known():
            return
        try:
            size = int(self.headers["Content-Length"])
            if self.headers["Content-Type"] != "application/json" or not 0 < size <= MOST:
                raise ValueError("expected a short message of JSON")
            self.watched.act(json.loads(self.rfile.read(size)))
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            self._answer(400, str(fault), "text/plain")
        else:
            self._answer(200, "{}", "application/json")

    def _known(self) -> bool:
        """Whether it is this page that asks: another site in the browser has another host, or another origin."""
        own = f"127.0.0.1:{cast('ThreadingHTTPServer', self.server).server_port}"
        known = self.headers["Host"] == own and self.headers.get("Origin", f"http://{own}") == f"http://{own}"
        if not known:
            self._answer(403, f"expected http://{own}/", "text/plain")
        return known

    def _answer(self, status: int, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing of requests: the script may print."""


def server(watched: Watched, port: int = 0) -> ThreadingHTTPServer:
    """Return the server of the page, on the loopback alone."""
    return ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"watched": watched}))


def _stoppable() -> None:
    """Have Ctrl-C and SIGTERM end the script, also where whoever started this ignores them.

    The kernel may hand a signal to any thread, and Python's handler then waits for a script that pauses.
    """
    read, write = os.pipe()
    os.set_blocking(write, False)
    stopped = threading.Event()

    def stop(*_: object) -> None:
        if not stopped.is_set():
            stopped.set()
            raise KeyboardInterrupt

    def relay() -> None:
        os.read(read, 1)
        signal.pthread_kill(cast("int", threading.main_thread().ident), signal.SIGTERM)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, stop)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    threading.Thread(target=relay, daemon=True).start()


def main(argv: list[str] | None = None) -> int:
    """Run a script and show its pins; 1 if it fails."""
    options = argparse.ArgumentParser(prog="python -m hardware.watch", description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--port", type=int, default=PORT, help="of the page on 127.0.0.1; 0: any that is free")
    options.add_argument("--no-browser", action="store_true", help="do not open the page")
    options.add_argument("script", type=Path)
    options.add_argument("args", nargs=argparse.REMAINDER)
    given = options.parse_args(argv)
    watched = Watched()
    watched.install()
    serving = server(watched, given.port)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    page = f"http://127.0.0.1:{serving.server_port}/"
    print(f"{given.script} at {page}", file=sys.stderr, flush=True)  # noqa: T201
    if not given.no_browser:
        webbrowser.open(page)
    _stoppable()
    sys.argv = [str(given.script), *given.args]
    sys.path.insert(0, str(given.script.resolve().parent))
    try:
        runpy.run_path(str(given.script), run_name="__main__")
        watched.ended = "The script has ended."
    except KeyboardInterrupt as stopped:
        watched.stopped = stopped  # its devices live until Python ends, and gpiozero closes them
        watched.ended = "The script was stopped."
    finally:
        watched.ended = watched.ended or "The script has failed."
        print(timeline(watched.pins.history or (), watched.time.now, 60), file=sys.stderr)  # noqa: T201
        serving.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
