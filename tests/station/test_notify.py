"""The service manager at the other end of a real socket: what it hears, in which order, and what it never hears."""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from hardware.ports import Area
from hardware.simulated.box import SimulatedBox
from referee.config import Config, Glass
from referee.console.drawing.raster import Raster
from referee.journal import Journal
from referee.station.loop import Loop
from referee.station.main import Options, play
from referee.station.notify import Notifier, from_environment
from referee.station.screen import Frame
from referee.web.hub import PanelClick
from tests.bench.wired import console_on, wired

PATIENCE = 10
WATCHDOG = 0.4

one_reader = threading.Lock()


@pytest.fixture
def address() -> str:
    return f"@referee-test-{os.getpid()}"


@pytest.fixture
def manager(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
        bound.bind(f"\0{address[1:]}")
        bound.settimeout(PATIENCE)
        yield bound


class HangingDisplay:
    """The simulated glass on a bus that can hang in the middle of a picture, as a clock-stretching slave makes it."""

    def __init__(self, box: SimulatedBox) -> None:
        self._display = box.box.display
        self.size = self._display.size
        self.free = threading.Event()
        self.free.set()
        self.hangs = threading.Event()

    def show(self, image: Image.Image, first: Sequence[Area] = ()) -> None:
        if not self.free.is_set():
            self.hangs.set()
        assert self.free.wait(PATIENCE)
        self._display.show(image, first)

    def renew(self) -> None:
        self._display.renew()

    def contrast(self, level: int) -> None:
        self._display.contrast(level)

    def close(self) -> None:
        self._display.close()


def heard(manager: socket.socket) -> list[str]:
    """Everything that is in the manager's socket by now."""
    messages = []
    with one_reader:
        while select.select([manager], [], [], 0)[0]:
            messages.append(manager.recv(4096).decode())
    return messages


def test_ready_comes_after_a_picture_and_stopping_before_dark(
    manager: socket.socket, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    moments: list[tuple[int, list[str]]] = []  # transfers to the display so far, messages

    def on_glass() -> None:
        moments.append((len(moments), heard(manager)))

    def ready(panel: str | None) -> None:
        moments.append((len(moments), heard(manager)))
        os.kill(os.getpid(), signal.SIGTERM)

    box = SimulatedBox(on_glass=on_glass)
    play(Options(fallback=tmp_path / "j.db", panel=False, ready=ready), box)
    spoken = [(transfers, message) for transfers, messages in moments for message in messages]
    assert [message for _, message in spoken] == ["READY=1", "STOPPING=1"]
    first, last = (transfers for transfers, _ in spoken)
    assert first >= 2, "the panel was initialised and sent a picture before READY"
    assert last < len(moments), "the display was switched off after STOPPING"
    assert box.glass().getbbox() is None


def test_a_station_that_starts_again_does_not_tell_that_it_stops(
    manager: socket.socket, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the safe mode, by a key; or systemd would give it ten seconds to end."""
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    (tmp_path / "j.db.lock").write_bytes(b"begun\n")
    box = SimulatedBox()
    starts: list[str | None] = []

    def press() -> None:
        for key in ("select", "die-2"):
            time.sleep(1.0)
            box.press(key)
            box.release(key)

    def ready(panel: str | None) -> None:
        starts.append(panel)
        if len(starts) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            threading.Thread(target=press, daemon=True).start()

    play(Options(fallback=tmp_path / "j.db", panel=False, ready=ready), box)
    assert heard(manager) == ["READY=1", "READY=1", "STOPPING=1"]


def begun(manager: socket.socket) -> None:
    """What a station says until it is ready."""
    assert manager.recv(64) == b"READY=1"


@contextmanager
def running(box: SimulatedBox, address: str, folder: Path) -> Iterator[Loop]:
    """A station's loop with a watchdog, on a real thread."""
    notifier = Notifier(address, WATCHDOG)
    with Journal(folder / "j.db") as journal:
        loop, inbox = wired(box.box, console_on(journal), notifier=notifier)
        loop.open()
        runner = threading.Thread(target=loop.run)
        runner.start()
        try:
            yield loop
        finally:
            inbox.put(loop.stop)
            runner.join(PATIENCE)
            loop.screen.stop()
    notifier.close()
    box.close()


@pytest.fixture
def rig(manager: socket.socket, address: str, tmp_path: Path) -> Iterator[tuple[Loop, HangingDisplay]]:
    """A loop, and a display that can be made to hang."""
    box = SimulatedBox()
    display = HangingDisplay(box)
    box.box.display = display
    with running(box, address, tmp_path) as loop:
        yield loop, display
        display.free.set()


def test_the_watchdog_is_fed_while_loop_and_display_answer(
    rig: tuple[Loop, HangingDisplay], manager: socket.socket
) -> None:
    begun(manager)
    assert [manager.recv(64) for _ in range(3)] == [b"WATCHDOG=1"] * 3


def test_a_display_that_hangs_starves_the_watchdog(rig: tuple[Loop, HangingDisplay], manager: socket.socket) -> None:
    loop, display = rig
    begun(manager)
    display.free.clear()
    loop.screen.put(Frame(99, Raster(128, 64, 1), ()))
    assert display.hangs.wait(PATIENCE)
    heard(manager)
    manager.settimeout(3 * WATCHDOG)
    with pytest.raises(TimeoutError):
        manager.recv(64)
    manager.settimeout(PATIENCE)
    display.free.set()
    assert manager.recv(64) == b"WATCHDOG=1"


def test_a_loop_that_hangs_starves_the_watchdog(
    rig: tuple[Loop, HangingDisplay], manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, _ = rig
    begun(manager)
    stuck, free = threading.Event(), threading.Event()

    def play(pattern: Sequence[int]) -> None:
        stuck.set()
        assert free.wait(PATIENCE)

    monkeypatch.setattr(loop.box.buzzer, "play", play)
    loop.inbox.put(partial(loop.touch, PanelClick("select", 50), "panel", loop.clock()))
    assert stuck.wait(PATIENCE)
    heard(manager)
    manager.settimeout(3 * WATCHDOG)
    with pytest.raises(TimeoutError):
        manager.recv(64)
    free.set()


def test_a_lost_display_is_no_reason_for_a_restart(
    manager: socket.socket, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An unplugged glass is shown, sounded and healed by the station itself; its thread still answers."""
    box = SimulatedBox()
    with running(box, address, tmp_path) as loop:
        begun(manager)
        box.controller.absent = True
        loop.screen.put(Frame(99, Raster(128, 64, 1), ()))
        assert [manager.recv(64) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        assert "display lost" in caplog.text


@pytest.mark.parametrize("watchdog", [None, 30.0])
def test_nothing_wakes_an_idle_station_but_a_watchdog(tmp_path: Path, watchdog: float | None) -> None:
    box = SimulatedBox()
    with Journal(tmp_path / "j.db") as journal:
        now = [100.0]
        config = Config(glass=Glass(dim_minutes=0, drift_minutes=0))
        notifier = Notifier("", watchdog)
        loop, inbox = wired(box.box, console_on(journal), config, notifier=notifier, clock=lambda: now[0])
        loop.open()
        while (item := inbox.get(0)) is not None:
            loop.step(item, now[0])
        loop.step(None, now[0])
        assert loop.deadline(now[0]) == (None if watchdog is None else 115.0)
        loop.screen.stop()
    box.close()


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({}, None),
    ],
)
def test_a_watchdog_is_ours_only_if_it_names_this_process(environment: dict[str, str], seconds: float | None) -> None:
    notifier = from_environment({"NOTIFY_SOCKET": "/x", **environment})
    notifier.close()
    assert notifier.watchdog == seconds
