"""A whole station on virtual time with its panel as an ASGI application."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Self

from starlette.applications import Starlette

from referee import games
from referee.station.panel import StationHub
from referee.station.virtual.bench import Bench
from referee.web.app import create_app
from referee.web.hub import Gesture
from referee.web.passes import Passes

BOX, OUTSIDE = "127.0.0.1:8080", "referee.local:8080"
Headers = list[tuple[bytes, bytes]]


class Station(Bench):
    """A bench that keeps no notes."""

    def _look(self) -> None:
        """Keep nothing."""


class NotedHub(StationHub):
    """The station's hub; what came through it is noted down."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench.loop)
        self.acts: list[Gesture] = []

    def act(self, gesture: Gesture, source: str) -> None:
        super().act(gesture, source)
        self.acts.append(gesture)


class House:
    """See the module. ``hub`` notes what reached the box."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.chance = chance
        self.bench = Station(folder / "journal.db")
        self.clock = self.bench.clock
        self.hub = NotedHub(self.bench)
        self.bench.hub = self.hub
        self.passes = Passes(folder / "panel.json")
        self.app: Starlette = create_app(self.hub, allowed_hosts=(BOX, OUTSIDE), passes=self.passes, clock=self.clock)
        self.begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.bench.close()

    def begin(self) -> None:
        """Begin a game, up to a question that a die key answers."""
        console = self.bench.console
        if console.table.session is not None:
            console.table.leave()
        console.table.begin(games.load("battle-of-the-ring"), {}, "attack")
        self.bench.inbox.put(self.bench.hub.announce)
        self.bench.wait(1)

    def digest(self) -> str:
        """Return the whole state of the station that a browser could have changed."""
        session = self.bench.console.table.session
        state = None if session is None else [session.n, session.state()]
        return json.dumps(
            [state, self.bench.console.stage.screen, self.bench.journal.latest(only_open=True) is None], default=str
        )

    def entries(self) -> int:
        """Return how many entries the journal holds."""
        return int(self.bench.journal._db.execute("SELECT count(*) FROM entries").fetchone()[0])

    def scope(self, path: str, host: str, more: Headers) -> dict[str, Any]:
        """Return a connection as the server would hand it on; who asks for the loopback's name comes from there."""
        client = ("127.0.0.1", 50000) if host == BOX else ("192.168.1.20", 50000)
        headers: Headers = [(b"host", host.encode("latin-1", "replace")), *more]
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "server": ("192.168.1.5", 8080),
            "client": client,
            "root_path": "",
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": b"",
            "headers": headers,
            "state": {},
            "subprotocols": [],
            "extensions": {},
        }
