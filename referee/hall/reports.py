"""Reports of the games of matches that are over: each made when somebody opens it, and kept for who asks next.

What is kept names nobody: a player stands there as his number between two signs, and is named when it is read. So
there is nothing to erase at the end of the event, and from then on a report says numbers.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from referee.errors import NotNow
from referee.hall.boxes import Boxes, Match
from referee.hall.desk import Desk
from referee.hall.games import Game
from referee.hall.wishes import sides_of
from referee.session.chain import canonical
from referee.tournament import Pairing, Round
from referee.tournament.acts.people import BoxPlaced
from referee.tournament.words import in_words

KEPT: Final = 256  # reports that are kept in memory; one more drops the oldest
KNOWN: Final = 1000  # time, ms, after which it is read anew what boxes have sent
MOST_ENTRIES: Final = 20_000  # of a game that is replayed; a longer one is not
SECONDS: Final = 60.0  # how long it may take
COMMAND: Final = (sys.executable, "-m", "referee.cli.replay")
_NUMBER: Final = "\ue000{}\ue001"
_NUMBERS: Final = re.compile("\ue000([0-9]{1,9})\ue001")


class Replays:
    """Replays one game after the other. It belongs to the event loop's thread."""

    def __init__(self, command: Sequence[str] = COMMAND, seconds: float = SECONDS) -> None:
        self._command, self._seconds = command, seconds
        self._turn = asyncio.Lock()

    async def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return what `referee.cli.replay` says; ``fault`` where it took more time or memory than any game needs."""
        if len(request["records"]) > MOST_ENTRIES:
            return {"fault": f"It has more than {MOST_ENTRIES} entries"}
        async with self._turn:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
            )
            try:
                async with asyncio.timeout(self._seconds):
                    said, _ = await process.communicate(json.dumps(request).encode())
                return dict(json.loads(said))
            except (TimeoutError, OSError, ValueError):
                return {"fault": "Replaying it takes more time or memory than any game needs"}
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


@dataclass(frozen=True, slots=True)
class Report:
    """The report of one game of a match. ``game``: from 1 on."""

    round: int
    table: int
    game: int
    of: Game

    @property
    def path(self) -> str:
        """Where it can be read."""
        return f"/report?round={self.round}&table={self.table}&game={self.game}"


def stands(pairing: Pairing) -> bool:
    """Whether the result of a match stands, so that its games may be shown whole."""
    return pairing.result is not None and not pairing.challenged and not pairing.bye


class Reports:
    """See the module. It belongs to the thread of the event loop."""

    def __init__(self, desk: Desk, boxes: Boxes, replays: Replays) -> None:
        self._desk, self._boxes, self._replays = desk, boxes, replays
        self._known: tuple[object, list[Game]] = (None, [])
        self._made: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def log(self, box: str, game: str) -> Mapping[str, Any]:
        """Return the log of a game as it stands, or why there is none: `referee.cli.replay.reply`."""
        records = await asyncio.to_thread(self._records, box, game)
        return await self._replays.ask({"records": records, "report": None}) if records else {"log": []}

    def _records(self, box: str, game: str) -> list[dict[str, Any]]:
        return list(self._desk.store.read(lambda db: self._boxes.games.page(db, box, game, -1, None)))

    def of(self, round_: Round, pairing: Pairing) -> list[Report]:
        """Return the reports of a match; none as long as its result does not stand. Raises StoreAway.

        A game that a spare took over is the spare's, unless its own slip says what it came to.
        """
        if not stands(pairing):
            return []
        stood = self._desk.once("boxes of tables", lambda: _boxes_of(self._desk)).get(pairing.table, [])
        match = Match(round_.number, tuple(sorted(pairing.players)))
        games = [each for each in self._played() if (each.round, each.players) == match and each.box in stood]
        last = max((stood.index(each.box) for each in games), default=0)
        games = [each for each in games if each.head or stood.index(each.box) == last]
        games.sort(key=lambda each: stood.index(each.box))
        return [Report(round_.number, pairing.table, number, each) for number, each in enumerate(games, 1)]

    def _played(self) -> list[Game]:
        """Return the games of matches; read once in a while, since many phones ask."""
        now = self._desk.ledger.state.revision, self._desk.now() // KNOWN
        if self._known[0] != now:
            self._known = (now, self._desk.store.read(self._boxes.games.played))
        return self._known[1]

    def every(self) -> list[Report]:
        """Return the reports of the whole event. Raises StoreAway."""
        rounds = self._desk.event.rounds
        return [report for each in rounds for pairing in each.pairings for report in self.of(each, pairing)]

    def find(self, round_: int, table: int, game: int) -> Report | None:
        """Return a report by the numbers of its round, its table and its game; None if there is no such match."""
        rounds = [each for each in self._desk.event.rounds if each.number == round_]
        pairings = [(each, pairing) for each in rounds for pairing in each.pairings if pairing.table == table != 0]
        return next((each for pairing in pairings for each in self.of(*pairing) if each.game == game), None)

    async def read(self, report: Report) -> str:
        """Return the page of a report; it is made if it is not there. Raises NotNow without one, StoreAway."""
        records = await asyncio.to_thread(self._records, report.of.box, report.of.game)
        at = next((at for at, each in enumerate(records) if each["hash"] == report.of.head), len(records) - 1)
        records = records[: at + 1]
        if len(records) < 2:
            raise NotNow("no-report", "Nothing was played in it")
        wanted = self._wanted(report)
        key = canonical({"head": records[-1]["hash"], **wanted})
        if key not in self._made:
            asked = self._replays.ask({"records": records, "report": wanted})
            self._made[key] = asyncio.get_running_loop().create_task(asked)
        reply = await asyncio.shield(self._made[key])
        if len(self._made) > KEPT:
            del self._made[next(iter(self._made))]
        if "page" not in reply:
            raise NotNow("no-report", str(reply.get("fault", "")))
        return self._named(str(reply["page"]))

    def _wanted(self, report: Report) -> Mapping[str, Any]:
        """Return what stands at the head of a report: the match, and who plays, by side, where that is certain.

        It is not where more games were begun than the match had, nor in a tie-break game.
        """
        event = self._desk.event
        round_ = event.round(report.round)
        pairing, stage = round_.at(report.table), event.stages[round_.stage - 1]
        players, sides = pairing.players, sides_of(event, pairing, assigned=stage.sides == "assigned")
        words, games = "", 0
        if pairing.result is not None:
            words, games = in_words(pairing.result, pairing, _NUMBER.format), len(pairing.result.games)
        if stage.match != "one game" and (len(self.of(round_, pairing)) != games or report.game > 2):
            sides = {}
        elif report.game == 2:
            sides = dict(zip(sides, [*sides.values()][::-1], strict=True))
        match = f"Round {report.round}, table {report.table}: {' – '.join(map(_NUMBER.format, players))}. {words}"
        return {"match": match, "players": {side: _NUMBER.format(player) for player, side in sides.items()}}

    def _named(self, page: str) -> str:
        """Return a page with names, as far as there are any, each set apart from the letters beside it."""
        names = self._desk.names
        page = page.encode(errors="replace").decode()
        return _NUMBERS.sub(lambda found: f"\u2068{escape(names.player(int(found[1])))}\u2069", page)


def _boxes_of(desk: Desk) -> dict[int, list[str]]:
    """Return which boxes have ever stood at each table, in that order."""
    boxes: dict[int, list[str]] = {}
    for act in desk.acts:
        if isinstance(act, BoxPlaced):
            there = boxes.setdefault(act.table, [])
            boxes[act.table] = [*(each for each in there if each != act.box), act.box]
    return boxes
