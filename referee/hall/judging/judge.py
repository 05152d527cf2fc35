"""Whoever has games judged: one request at a time, each within its time, in a process that may be lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from referee.errors import RefereeError

MOST_ENTRIES: Final = 20_000
"""Of a game that is judged; a longer one is not."""
MOST_FAULTS: Final = 3
"""Times a game may come out otherwise than it says; then it is tried again only once it is twice as long.

It is tried again at all because a stroke may arrive in two parts.
"""
MOST_LOST: Final = 3
"""Processes that the games of one box may cost before none of them is judged any more."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a game. ``state``: how it stands, {} where it was not judged; ``why``: why it was not."""

    entries: int = 0
    hash: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    log: tuple[dict[str, Any], ...] = ()
    why: str = ""


class Game(Protocol):
    """A game that is to be judged."""

    @property
    def name(self) -> str:
        """What tells it from every other game."""

    @property
    def box(self) -> str:
        """The key of the box that sent it."""

    @property
    def entries(self) -> int:
        """How many entries it has by now."""

    def records(self, since: int) -> Sequence[dict[str, Any]]:
        """Return its entries from that number on, as they are by now."""


class Lost(Exception):
    """Whoever judged is gone, or did not answer in time."""


class Worker(Protocol):
    """Whoever judges: `referee.hall.judging.process.Process`."""

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply of `referee.hall.judging.docket.Docket`. Raises Lost, or ValueError for no reply."""

    async def end(self) -> None:
        """End it; the next request begins another."""


class Judge:
    """See the module. It belongs to the thread of the event loop."""

    def __init__(self, told: Callable[[], None], worker: Worker) -> None:
        """``told``: called whenever a game was judged; ``worker``: judges."""
        self.judged: dict[str, Judged] = {}
        self._told = told
        self._worker = worker
        self._waiting: dict[str, Game] = {}
        self._some = asyncio.Event()
        self._turn = asyncio.Lock()
        self._lost: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()

    def want(self, game: Game) -> None:
        """Have a game judged as it stands when it is its turn."""
        self._waiting[game.name] = game
        self._some.set()

    async def run(self) -> None:
        """Judge what is wanted until it is cancelled."""
        try:
            while True:
                await self._some.wait()
                while self._waiting:
                    game = self._waiting.pop(next(iter(self._waiting)))
                    await self.judge(game)
                    self._told()
                self._some.clear()
        finally:
            await self._worker.end()

    async def judge(self, game: Game, *, log: bool = False) -> Judged:
        """Judge a game now, and return what became of it."""
        async with self._turn:
            before = self.judged.get(game.name, Judged())
            try:
                after = await self._judge(game, before, log=log)
            # No reply, no process to ask, or an intake that cannot be read: other games are judged all the same.
            except (ValueError, TypeError, LookupError, OSError, RefereeError) as fault:
                await self._worker.end()
                after = Judged(why=str(fault))
            self.judged[game.name] = after
            return after

    async def _judge(self, game: Game, before: Judged, *, log: bool) -> Judged:
        if self._lost[game.box] >= MOST_LOST:
            return Judged(why=f"{MOST_LOST} games of this box took more time or memory than any game needs")
        if game.entries > MOST_ENTRIES:
            return Judged(why=f"it has more than {MOST_ENTRIES} entries")
        if self._faults[game.name] >= MOST_FAULTS and game.entries < 2 * before.entries:
            return before
        records = game.records(before.entries - 1) if before.state else ()
        known = bool(records) and records[0]["hash"] == before.hash
        if known:
            reply = await self._ask(game, before.entries, records[1:], log=log)
        if not known or "again" in reply:
            records = game.records(0)
            if not records:
                raise ValueError("none of its entries are here")
            reply = await self._ask(game, 0, records, log=log)
        if "fault" in reply:
            self._faults[game.name] += 1
            return Judged(game.entries, why=str(reply["fault"]))
        lines = tuple(reply.get("log", ()))
        return Judged(int(reply["entries"]), records[-1]["hash"], dict(reply["state"]), lines)

    async def _ask(self, game: Game, have: int, records: Sequence[dict[str, Any]], *, log: bool) -> dict[str, Any]:
        try:
            return await self._worker.ask({"game": game.name, "have": have, "records": [*records], "log": log})
        except Lost:
            self._lost[game.box] += 1
            return {"fault": "judging it takes more time or memory than any game needs"}
