"""Reports of the games of matches that are over: each made once, by the process that judges, and kept as a file.

What is kept names nobody: a player stands there as his number between two signs, and is named when it is read. So
there is nothing to erase at the end of the event, and from then on a report says numbers.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from referee.errors import JournalError
from referee.files import durable
from referee.hall.branches import Branches
from referee.hall.desk import Desk
from referee.hall.judging.judge import MOST_ENTRIES, Lost, Worker
from referee.hall.matches import Match, Matches, OfMatch
from referee.hall.seatings import sides_of
from referee.hall.uplink.intake import Node
from referee.journal.chain import canonical
from referee.tournament import Event, Pairing, Round
from referee.tournament.acts import BoxPlaced
from referee.tournament.words import in_words

FOLDER: Final = "reports"
"""In the folder of the event."""
SECONDS: Final = 60.0
"""How long making one may take."""
MOST_WAITING: Final = 64
"""Reports that phones may have made one after the other; who asks for another one is told to come later."""
_NUMBER: Final = "\ue000{}\ue001"
_NUMBERS: Final = re.compile("\ue000([0-9]{1,9})\ue001")

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Report:
    """The report of one game of a match. ``game``: from 1 on; ``why``: why there is none, "" as far as is known."""

    round: int
    table: int
    game: int
    of: OfMatch
    why: str = ""

    @property
    def path(self) -> str:
        """Where it can be read."""
        return f"/report?round={self.round}&table={self.table}&game={self.game}"

    @property
    def file(self) -> str:
        """What it is called among those of the whole event."""
        return f"round-{self.round}-table-{self.table}-game-{self.game}.html"


@dataclass(frozen=True, slots=True)
class Made:
    """What became of a report: its ``page``; else ``why`` there is none; else it is being made, if not ``busy``."""

    page: str = ""
    why: str = ""
    busy: bool = False


@dataclass(frozen=True, slots=True)
class _Job:
    """``last``: the entry with which its game ends; ``wanted``: as `referee.hall.judging.docket.report_of` has it."""

    last: Node
    wanted: Mapping[str, Any]
    path: Path


def stands(pairing: Pairing) -> bool:
    """Whether the result of a match stands, so that its games may be shown whole."""
    return pairing.result is not None and not pairing.challenged and not pairing.bye


class Reports:
    """See the module. It belongs to the thread of the event loop."""

    def __init__(self, desk: Desk, branches: Branches, matches: Matches, worker: Worker) -> None:
        """``worker``: makes them."""
        self._desk = desk
        self._branches = branches
        self._intake = branches.intake
        self._matches = matches
        self._worker = worker
        self._why: dict[OfMatch, str] = {}
        self._waiting: dict[OfMatch, _Job] = {}
        self._some = asyncio.Event()

    def of(self, round_: Round, pairing: Pairing) -> list[Report]:
        """Return the reports of a match, as far as they can be made; none as long as its result does not stand."""
        if not stands(pairing):
            return []
        boxes = self._desk.once("boxes of tables", lambda: _boxes_of(self._desk)).get(pairing.table, set())
        games = [
            each
            for each in self._matches.games(Match(round_.number, frozenset(pairing.players)))
            if each.box in boxes
        ]
        return [
            Report(round_.number, pairing.table, number, each, self._why.get(each, ""))
            for number, each in enumerate(games, 1)
        ]

    def every(self) -> list[Report]:
        """Return the reports of the whole event."""
        rounds = self._desk.event.rounds
        return [report for each in rounds for pairing in each.pairings for report in self.of(each, pairing)]

    def find(self, round_: int, table: int, game: int) -> Report | None:
        """Return a report by the numbers of its round, its table and its game; None if there is no such match."""
        rounds = [each for each in self._desk.event.rounds if each.number == round_]
        pairings = [(each, pairing) for each in rounds for pairing in each.pairings if pairing.table == table != 0]
        reports = [report for pairing in pairings for report in self.of(*pairing)]
        return next((each for each in reports if each.game == game), None)

    def read(self, report: Report, most: int = MOST_WAITING) -> Made:
        """Return what became of a report; it is made if it is not there. Raises JournalError."""
        if report.why:
            return Made(why=report.why)
        if report.of in self._waiting:
            return Made()
        job = self._job(report)
        if job is None:
            return Made(why="Its entries are not here any more")
        try:
            return Made(page=self._named(job.path.read_text(encoding="utf-8")))
        except (OSError, ValueError):  # it is not there, or not whole: made again
            pass
        if len(self._waiting) >= most:
            return Made(busy=True)
        self._waiting[report.of] = job
        self._some.set()
        return Made()

    async def run(self) -> None:
        """Make what is wanted, one after the other, until it is cancelled."""
        try:
            while True:
                await self._some.wait()
                while self._waiting:
                    game, job = next(iter(self._waiting.items()))
                    await self._make(game, job)
                    del self._waiting[game]
                self._some.clear()
                await self._worker.end()  # it has nothing to remember
        finally:
            await self._worker.end()

    async def _make(self, game: OfMatch, job: _Job) -> None:
        try:
            reply = await self._reply(job)
            if "page" in reply:
                await asyncio.to_thread(_keep, job.path, str(reply["page"]))
            else:
                self._why[game] = str(reply.get("fault", "No reply"))
        except Lost:
            self._why[game] = "Making it takes more time or memory than any game needs"
        except ValueError as fault:
            self._why[game] = str(fault)
            await self._worker.end()
        except (JournalError, OSError) as fault:  # of the hall, not of the game: tried again when it is asked for
            _logger.error("a report cannot be made: %s", fault)

    async def _reply(self, job: _Job) -> dict[str, Any]:
        if job.last.seq >= MOST_ENTRIES:
            return {"fault": f"It has more than {MOST_ENTRIES} entries"}
        if job.last.seq == 0:
            return {"fault": "Nothing was played in it"}
        return await self._worker.ask({"records": self._intake.records(job.last), "report": job.wanted})

    def _job(self, report: Report) -> _Job | None:
        game, event = report.of, self._desk.event
        last = self._last(game)
        if last is None:
            return None
        round_ = event.round(report.round)
        pairing = round_.at(report.table)
        count = len(self.of(round_, pairing))
        players = _players(event, round_, pairing, report.game, count)
        seal = self._intake.seal(game.box, last)
        signed = None if seal is None else [last.game, seal.seq, seal.key, seal.signature]
        wanted = {"match": _told_of(report, pairing), "players": players, "seal": signed}
        digest = hashlib.sha256(canonical({"head": last.hash, **wanted}).encode()).hexdigest()
        return _Job(last, wanted, self._desk.folder / FOLDER / f"{digest}.html")

    def _last(self, game: OfMatch) -> Node | None:
        """Return the entry with which a game ends: the one that its slip names, else its last."""
        if game.head:
            return self._intake.find(game.box, game.head)
        start = self._intake.find(game.box, game.first)
        ends = self._intake.ends(game.box) if start is not None else []
        counted = [end for end in ends if self._branches.counts(game.box, end.hash)]
        tails = [self._intake.tail(end, start.game) for end in counted] if start is not None else []
        return next((tail for tail in tails if tail is not None and tail.first == game.first), None)

    def _named(self, page: str) -> str:
        """Return a page with names, as far as there are any, each set apart from the letters beside it."""
        names = self._desk.names
        return _NUMBERS.sub(lambda found: f"\u2068{escape(names.player(int(found[1])))}\u2069", page)


def _keep(path: Path, page: str) -> None:
    path.parent.mkdir(exist_ok=True)
    durable.replace(path, page)


def _boxes_of(desk: Desk) -> dict[int, set[str]]:
    """Return which boxes have ever stood at each table."""
    boxes: dict[int, set[str]] = {}
    for act in desk.acts:
        if isinstance(act, BoxPlaced):
            boxes.setdefault(act.table, set()).add(act.box)
    return boxes


def _told_of(report: Report, pairing: Pairing) -> str:
    """Return what the desk says of a match, with numbers for names."""
    words = in_words(pairing.result, pairing, _NUMBER.format) if pairing.result is not None else ""
    return f"Round {report.round}, table {report.table}: {' – '.join(map(_NUMBER.format, pairing.players))}. {words}"


def _players(event: Event, round_: Round, pairing: Pairing, game: int, count: int) -> dict[str, str]:
    """Return who plays, by side, where that is certain: not where more games were begun than the match had.

    ``game``: its number in the match, from 1; ``count``: how many games the match has here
    """
    stage = event.stages[round_.stage - 1]
    sides = sides_of(event, pairing, assigned=stage.sides == "assigned")
    if stage.match != "one game":
        played = pairing.result.games if pairing.result is not None else ()
        if count != len(played) or game > 2:
            return {}
        sides = dict(zip(sides, [*sides.values()][::-1], strict=True)) if game == 2 else sides
    return {side: _NUMBER.format(player) for player, side in sides.items()}
