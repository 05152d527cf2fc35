"""The panel's messages, from the handshake to a whole station, in process and on virtual time."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from pathlib import Path
from typing import Any

from referee.web.hub import (
    HELD_KEYS,
    KEYS,
    Gesture,
    PanelClick,
    PanelHold,
    PanelRelease,
    PanelTap,
    PanelTurn,
    PanelVoice,
)
from tests.fuzz.house import BOX, OUTSIDE, Headers, House
from tests.fuzz.seam import FOLDER, Tally, expect
from tests.fuzz.shapes import fuzzed

ROLES = ("judge", "judge", "seat-1", "watch", "")
ORDER = sorted(KEYS)
LINE = 700
"""Messages on one line at most."""
VALID, DIGEST = 0.06, 64
LONGEST = 4096


class Line:
    """One browser that says anything; what must follow from each message is worked out beside the production code."""

    def __init__(self, house: House, role: str, count: int, tally: Tally) -> None:
        self.house = house
        self.tally = tally
        self.role = role
        self.left = count
        self.sent = 0
        self.codes: list[int] = []
        self._down = ""
        self._input: Any = None
        self._wanted: list[Gesture] = []
        self._refused = False
        self._errors = 0
        self._digest = ""
        self._connected = False

    async def run(self) -> None:
        """Come, talk, and go."""
        house = self.house
        host = BOX if self.role == "judge" else OUTSIDE
        headers: Headers = [(b"origin", b"http://" + host.encode())]
        if self.role not in ("judge", ""):
            token = house.passes.issue(self.role, "192.168.1.20")
            headers.append((b"cookie", b"referee=" + token.encode()))
        self._digest = house.digest()
        await house.app(house.scope("/ws", host, headers), self._receive, self._send)
        releases: list[Gesture] = [PanelRelease(self._down)] if self._down else []
        if self._input is not None:
            releases = [*self._wanted, *releases]
        expect(house.hub.acts == releases, f"left with {house.hub.acts}, not {releases}", self._input)
        house.hub.acts.clear()
        if self._input is not None:  # the message with which the line ended
            self._count()
        self._compare()
        house.bench.wait(1)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self.codes.append(message.get("code", 1000))
        elif message["type"] == "websocket.send":
            self._errors += sum(each["type"] == "error" for each in json.loads(message["text"]))

    async def _receive(self) -> dict[str, Any]:
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        if self._input is not None:
            for _ in range(3):  # the line's writer has its turn
                await asyncio.sleep(0)
            self._judge()
        if not self.left or self.codes:
            self._input = None
            return {"type": "websocket.disconnect", "code": 1001}
        self.left -= 1
        self.sent += 1
        self.tally.inputs += 1
        self.house.clock.now += 0.02  # no faster than it may
        return self._next()

    def _next(self) -> dict[str, Any]:
        chance = self.house.chance
        if chance.random() < 0.01:
            self._input = chance.randbytes(chance.randrange(30))
            self._expect(None)
            return {"type": "websocket.receive", "bytes": self._input}
        data = json.dumps(self._valid()).encode() if chance.random() < VALID else fuzzed(chance, self._valid)
        if chance.random() < 0.002:
            data = b'{"type":"ping","pad":"' + b"x" * chance.randrange(LONGEST - 60, LONGEST + 60) + b'"}'
        self._input = data.decode("utf-8", "replace")
        self._expect(meaning(self._input))
        return {"type": "websocket.receive", "text": self._input}

    def _valid(self) -> dict[str, Any]:
        chance = self.house.chance
        roll = chance.random()
        if self._down and roll < 0.4:
            return {"type": "release", "key": self._down}
        if roll < 0.1:
            return {"type": "hold", "key": chance.choice(HELD_KEYS)}
        if roll < 0.3:
            return self._tap()
        if roll < 0.8:
            return {"type": "click", "key": chance.choice(ORDER), "ms": chance.randrange(300)}
        if roll < 0.92:
            return {"type": "turn", "steps": chance.choice((-3, -1, 1, 2))}
        return {"type": "voice", "speaks": chance.random() < 0.5} if roll < 0.96 else {"type": "ping"}

    def _tap(self) -> dict[str, Any]:
        chance, console = self.house.chance, self.house.bench.console
        button = chance.choice([(each.id, each.held) for each in console.stage.top.buttons] or [("select", False)])
        name, held = button if chance.random() < 0.8 else (chance.choice(("99", "box-rolls", "x")), not button[1])
        return {
            "type": "tap",
            "screen": console.stage.screen - chance.choice((0, 0, 0, 1)),
            "button": name,
            "held": held,
        }

    def _expect(self, meant: Gesture | PanelVoice | str | None) -> None:
        """Work out what must reach the box, and whether the browser must be told off."""
        self._wanted, self._refused = [], meant is None
        if isinstance(meant, PanelRelease):
            if meant.key == self._down:
                self._down = ""
                self._wanted = [meant]
        elif isinstance(meant, PanelHold):
            self._refused = self.role != "judge" or bool(self._down)
            if not self._refused:
                self._down = meant.key
                self._wanted = [meant]
        elif isinstance(meant, PanelTap):
            self._refused = not self._may("") or (meant.held and self.role != "judge")
            self._wanted = [] if self._refused else [meant]
        elif isinstance(meant, (PanelClick, PanelTurn)):
            self._refused = not self._may(meant.key if isinstance(meant, PanelClick) else "")
            self._wanted = [] if self._refused else [meant]

    def _may(self, key: str) -> bool:
        if self.role == "judge":
            return True
        if self.role == "watch" or (key.startswith("seat-") and key != self.role):
            return False
        lamps = self.house.hub.lamps()
        lamp = lamps.states.get(self.role, "off")
        return not lamps.judges and lamp in (("blink",) if key == self.role else ("on", "blink"))

    def _judge(self) -> None:
        house, message = self.house, self._input
        expect(house.hub.acts == self._wanted, f"{self.role}: the box was told {house.hub.acts}", message)
        expect(bool(self._errors) == self._refused, f"{self.role}: refused {self._refused}, {self._errors}", message)
        self._errors = 0
        self._count()
        if house.hub.acts:
            house.hub.acts.clear()
            house.bench.wait(0.05)
            self._digest = house.digest()
        elif self.sent % DIGEST == 0:
            self._compare()
        self._wanted = []

    def _count(self) -> None:
        if self._refused:
            self.tally.refused += 1
        else:
            self.tally.accepted += 1

    def _compare(self) -> None:
        self.tally.compared += 1
        same = self.house.digest() == self._digest
        expect(same, "messages that were refused changed the state", self._input)


def meaning(text: str) -> Gesture | PanelVoice | str | None:
    """Return what a message means by the description of the protocol; None: nothing."""
    if len(text.encode()) > LONGEST:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == "ping":
        return "ping"
    key = value.get("key") if isinstance(value, dict) else None
    if kind == "click" and isinstance(key, str) and key in KEYS:
        ms = value.get("ms")
        return PanelClick(key, ms) if type(ms) is int and 0 <= ms < 300 else None
    if kind == "tap":
        screen, button, held = (value.get(name) for name in ("screen", "button", "held"))
        named = isinstance(button, str) and 1 <= len(button) <= 16
        fits = type(screen) is int and 0 <= screen < 2**53 and named and isinstance(held, bool)
        return PanelTap(screen, button, held) if fits else None
    if kind == "voice":
        speaks = value.get("speaks")
        return PanelVoice(speaks) if isinstance(speaks, bool) else None
    if kind in ("hold", "release") and isinstance(key, str) and key in HELD_KEYS:
        return PanelHold(key) if kind == "hold" else PanelRelease(key)
    steps = value.get("steps") if kind == "turn" else None
    return PanelTurn(steps) if type(steps) is int and 0 < abs(steps) <= 32 else None


def part(chance: random.Random, count: int, tally: Tally) -> None:
    """Let one browser after another talk; then a judge's press must still be an answer."""
    done = 0
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, House(Path(folder), chance) as house:

        async def talk() -> None:
            nonlocal done
            while done < count:
                line = Line(house, chance.choice(ROLES), min(LINE, count - done), tally)
                await line.run()
                expect(line.role or line.codes == [4401], f"a stranger's line ended with {line.codes}", b"")
                if not line.sent:  # a stranger's whole line is one input
                    tally.inputs += 1
                    tally.refused += 1
                done += max(line.sent, 1)
            house.begin()
            before, n = house.entries(), house.bench.console.table.current.n
            await Press(house, tally).run()
            expect(
                house.entries() == before + 1 and house.bench.console.table.current.n == n + 1,
                "no answer is taken",
                b"",
            )

        asyncio.run(talk())


class Press(Line):
    """A judge who presses one key."""

    def __init__(self, house: House, tally: Tally) -> None:
        super().__init__(house, "judge", 1, tally)

    def _next(self) -> dict[str, Any]:
        self.house.bench.wait(0.5)
        self._input = json.dumps({"type": "click", "key": "die-1", "ms": 0})
        self._expect(meaning(self._input))
        return {"type": "websocket.receive", "text": self._input}
