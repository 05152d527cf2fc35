"""A box at the seam the panel knows it by, for tests: it keeps what was done and says what it is told to say."""

from __future__ import annotations

import base64
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from referee.web.hub import Gesture, Lamps, Listener, Message, PanelClick, PanelHold, PanelRelease, Row, Visit
from referee.web.passes import Passes
from referee.web.server import Address, WebServer
from tests.browsing import page_of_browser  # noqa: F401 - a fixture
from tests.web.page import PATIENCE, Page
from tests.web.playback import Playback

NAME = "referee.localhost"
"""Chromium takes it to the loopback, but it is none of the loopback's own names."""


def glass_of(*lit: tuple[int, int], width: int = 128, height: int = 64, on: bool = True) -> dict[str, Any]:
    """A glass with the given (x, y) lit."""
    stride = (width + 7) // 8
    rows = bytearray(stride * height)
    for x, y in lit:
        rows[y * stride + x // 8] |= 0x80 >> (x % 8)
    bits = base64.b64encode(bytes(rows)).decode()
    return {"type": "glass", "width": width, "height": height, "bits": bits, "on": on}


def lamps_of(**states: str) -> dict[str, Any]:
    seats = [
        {"key": f"seat-{n}", "name": name, "player": "", "state": state}
        for n, (name, state) in enumerate(states.items(), 1)
    ]
    return {"type": "lamps", "seats": seats, "judges": False}


def card_of(
    *buttons: dict[str, Any], kind: str = "dice", title: str = "Sauron", text: str = "Roll two dice", lit: str = ""
) -> dict[str, Any]:
    said = {"kind": kind, "title": title, "text": text, "seat": "", "whose": "", "dice": [], "sides": 6}
    return {**said, "buttons": list(buttons), "lit": lit}


def button_of(name: str, text: str, **changes: Any) -> dict[str, Any]:
    return {"id": name, "text": text, "key": "", "why_not": "", "chosen": False, "held": False, "note": ""} | changes


def table_of(**changes: Any) -> dict[str, Any]:
    table: dict[str, Any] = {
        "type": "table",
        "title": "Battle of the Ring",
        "where": ["Round 2", "Sauron", "Attack"],
        "turn": "Sauron (Anna)",
        "n": 7,
        "prompt": {
            "n": 7,
            "kind": "roll",
            "seat": "Sauron",
            "text": "Roll two dice for the attack",
            "options": [],
            "barred": [],
        },
        "screen": 1,
        "ways": [{"id": "undo", "held": False}, {"id": "menu", "held": True}, {"id": "shelf", "held": True}],
        "card": card_of(),
        "ruling": None,
        "over": "",
        "report": False,
        "spoken": "Man-Orc attacks Gondor. Roll two dice.",
        "aloud": "Man-Orc attacks Gondor. Roll 2 dice.",
        "pools": [
            {"id": "orc", "name": "Orc", "side": "Sauron", "value": 25, "cap": 30},
            {"id": "elf", "name": "Elf", "side": "Alliance", "value": 0, "cap": 8},
        ],
        "odds": [
            {"id": "kill", "text": "Gondor out", "chance": "10/36", "share": 10 / 36},
            {"id": "none", "text": "No effect", "chance": "23/36", "share": 23 / 36},
            {"id": "loss", "text": "Man-Orc out", "chance": "3/36", "share": 3 / 36},
        ],
        "odds_of": "roll",
        "assumes": "",
        "dice": {"faces": [3, 1, 0, 2, 5, 4]},
        "sim": True,
    }
    return table | changes


def clock_of(*seats: tuple[str, int, str], **changes: Any) -> dict[str, Any]:
    """Clocks of seats: name, ms, and "runs" or "down"."""
    clocks: dict[str, Any] = {
        "type": "clock",
        "control": "1 h",
        "shared": 1,
        "paused": False,
        "first": "",
        "seats": [
            {"key": f"seat-{n}", "name": name, "ms": ms, "free": 0, "runs": what == "runs", "down": what == "down"}
            for n, (name, ms, what) in enumerate(seats, 1)
        ],
    }
    return clocks | changes


def entry_of(seq: int, **changes: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "seq": seq,
        "seat": "Sauron",
        "text": f"Entry {seq}",
        "why": [],
        "rules": [],
        "kind": "answer",
        "undone": False,
        "place": [],
    }
    return entry | changes


class FakeHub:
    """Keeps the newest message of each kind, as a box would, and every gesture in order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: dict[str, tuple[Message, Message]] = {}
        self._listeners: list[tuple[Listener, bool]] = []
        self._acts: queue.Queue[Gesture] = queue.Queue()
        self.sources: list[str] = []
        self.named: list[tuple[str, str]] = []
        self.refreshed = 0
        self.asked = 0
        self.reported: bytes | None = None
        self.anonymous: bytes | None = None
        self.visits: list[Visit | None] = []
        self.code = "482913"
        self.voices: queue.Queue[tuple[str, bool]] = queue.Queue()
        self.publish(glass_of((0, 0), (127, 63)))
        self.publish(lamps_of(Sauron="blink", Saruman="off", Gondor="on", Rohan="off"))
        self.publish(table_of())
        self.publish({"type": "log", "entries": []})

    def snapshot(self, *, judge: bool = True) -> list[Message]:
        with self._lock:
            return [judges if judge else others for judges, others in self._state.values()]

    def subscribe(self, listener: Listener, *, judge: bool = True) -> Callable[[], None]:
        with self._lock:
            self._listeners.append((listener, judge))
        return lambda: self._listeners.remove((listener, judge))

    def lamps(self) -> Lamps:
        message, _ = self._state["lamps"]
        states = {seat["key"]: seat["state"] for seat in message["seats"]}
        return Lamps(states, bool(message.get("judges")))

    def act(self, gesture: Gesture, source: str) -> None:
        self.sources.append(source)
        self._acts.put(gesture)

    def voice(self, source: str, *, speaks: bool) -> None:
        self.voices.put((source, speaks))

    def visit(self, visit: Visit | None) -> None:
        self.visits.append(visit)

    def invitation(self) -> str:
        return self.code

    def refresh(self) -> None:
        self.refreshed += 1

    def name(self, key: str, name: str) -> None:
        self.named.append((key, name))

    def listing(self, name: str) -> list[Row]:
        return [Row("Riddle & ring", ("RR-1", f"<b>{name}</b>")), Row("Games", ("Anna won",), 7)]

    def report(self, game: int = 0, *, anonymous: bool = False) -> bytes | None:
        self.asked = game
        return self.anonymous if anonymous else self.reported

    def visitor(self) -> Visit:
        """Who stands on the glass."""
        assert self.visits
        assert self.visits[-1] is not None
        return self.visits[-1]

    def publish(self, message: Mapping[str, Any], others: Mapping[str, Any] | None = None) -> None:
        """Change the box, then tell everybody; from whatever thread the test runs in."""
        others = message if others is None else others
        with self._lock:
            if message["type"] != "sound":
                self._state[str(message["type"])] = message, others
            listeners = tuple(self._listeners)
        for listener, judge in listeners:
            listener([message if judge else others])

    def watched(self) -> bool:
        return bool(self._listeners)

    def next_act(self) -> Gesture:
        """What was done next; waits for it, raises `queue.Empty` if nothing comes."""
        return self._acts.get(timeout=PATIENCE)

    def clicked(self) -> str:
        """Return the key of the next gesture, which must be a click."""
        act = self.next_act()
        assert isinstance(act, PanelClick)
        return act.key

    def pressed(self) -> str:
        """Return the key of the next gesture: a click, or on a slow machine a hold and its release."""
        act = self.next_act()
        if isinstance(act, PanelHold):
            assert self.next_act() == PanelRelease(act.key)
            return act.key
        assert isinstance(act, PanelClick)
        return act.key

    def no_more_acts(self) -> bool:
        return self._acts.empty()


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub()


@pytest.fixture
def server(hub: FakeHub) -> Iterator[WebServer]:
    server = WebServer(hub, port=0)
    yield server
    server.stop()


@pytest.fixture
def address(server: WebServer) -> Address:
    return server.start()


@pytest.fixture
def passes(tmp_path: Path) -> Passes:
    return Passes(tmp_path / "panel.json")


@pytest.fixture
def network(hub: FakeHub, passes: Passes) -> Iterator[Address]:
    """A panel that browsers of the network reach under `NAME`."""
    server = WebServer(hub, port=0, names=[NAME], passes=passes)
    yield server.start()
    server.stop()


@pytest.fixture
def page(browser: Chrome, address: Address, hub: FakeHub) -> Iterator[Page]:
    page = Page(browser, address)
    yield page
    for name, nothing in (
        ("Emulation.clearDeviceMetricsOverride", {}),
        ("Emulation.setTouchEmulationEnabled", {"enabled": False}),
        ("Emulation.setEmulatedMedia", {"features": []}),
    ):
        page.command(name, **nothing)


@pytest.fixture
def playback(browser: Chrome, address: Address) -> Iterator[Playback]:
    page = Playback(browser, address)
    yield page
    page.command("Emulation.clearDeviceMetricsOverride")
