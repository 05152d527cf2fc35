"""What the browsers see of the station: a snapshot, and every change as it happens."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import referee
from referee.console.drawing.raster import Raster
from referee.console.table import Table
from referee.console.views import View
from referee.errors import StationError
from referee.files.players import PlayerNames, beside
from referee.rulebook import whole
from referee.session import Session, ms
from referee.session.board import labelled
from referee.station.evenings import Evening, Player
from referee.station.loop import Loop
from referee.station.news import (
    card_news,
    clock_message,
    counted_on,
    glass_message,
    lamps_message,
    log_message,
    over_news,
    place,
    round_message,
    ruling_news,
    sound_message,
    table_message,
)
from referee.station.shelf import evening_row, last_of, rule_rows
from referee.web.hub import Gesture, Lamps, Listener, Message, Row, Visit
from referee.web.outbox import together


class News(NamedTuple):
    """A message as judges see it, and as all others do."""

    judges: Message
    others: Message

    @classmethod
    def to_all(cls, message: Message) -> News:
        """Return a message that all see alike."""
        return cls(message, message)


class StationHub:
    """Implements `referee.web.hub.Hub`.

    The loop publishes; browsers' threads ask for snapshots and put what is done in them into the loop's inbox.

    ``announce``  publishes everything once, on the loop's thread
    ``lamps``     who may press, as of the last picture; ``finished``: the game on the table that is over, and the
                  number of its last entry, None: there is none. Both are replaced as a whole.
    """

    def __init__(
        self,
        loop: Loop,
        reports: Reports | None = None,
        players: PlayerNames | None = None,
        invitation: Callable[[], str] = str,
    ) -> None:
        """``reports``: writes the reports of finished games, None: there are none; ``players``: their names.

        ``invitation``: see `referee.web.hub.Hub.invitation`.
        """
        self.announce: Callable[[], None] = lambda: None
        self.invitation = invitation
        self.pressing = Lamps({}, judges=False)
        self.finished: tuple[int, int] | None = None
        self._loop = loop
        self._post = loop.inbox.put
        self._reports = reports
        self._players = players
        self._stamp = players.stamp() if players is not None else None
        self._lock = threading.Lock()
        self._latest: dict[str, News] = {}
        self._listeners: list[tuple[Listener, bool]] = []

    def snapshot(self, *, judge: bool = True) -> list[Message]:
        """Return the newest message of every kind except sounds, as judges or as all others see it."""
        with self._lock:
            return self._told(self._latest.values(), judge=judge)

    def subscribe(self, listener: Listener, *, judge: bool = True) -> Callable[[], None]:
        """Pass all messages on to a listener until the function returned is called."""
        entry = (listener, judge)
        with self._lock:
            self._listeners.append(entry)
        self._post(self.announce)

        def leave() -> None:
            with self._lock:
                if entry in self._listeners:
                    self._listeners.remove(entry)
                if not self._listeners:
                    self._latest.clear()  # it is not kept up to date while nobody looks

        return leave

    def lamps(self) -> Lamps:
        """Return who may press, as of the last picture."""
        return self.pressing

    def act(self, gesture: Gesture, source: str) -> None:
        """Put a gesture of a browser into the inbox."""
        self._post(partial(self._loop.touch, gesture, source, self._loop.clock()))

    def voice(self, source: str, *, speaks: bool) -> None:
        """Put into the inbox that a browser has begun to read the glass aloud, or is silent again."""
        self._post(partial(self._loop.console.voice, source, self._loop.clock(), speaks=speaks))

    def name(self, key: str, name: str) -> None:
        """Put into the inbox who plays the seat with this button."""
        self._post(partial(self._loop.console.name_player, key, name, self._loop.clock()))
        self._post(self.announce)

    def refresh(self) -> None:
        """Have everything published again if the names of players were changed."""
        stamp = self._players.stamp() if self._players is not None else None
        if stamp != self._stamp:
            self._stamp = stamp
            self._post(self.announce)

    def visit(self, visit: Visit | None) -> None:
        """Show a visitor's request on the glass; None: remove it."""
        self._post(partial(self._loop.visit, visit))

    def listing(self, name: str) -> Sequence[Row]:
        """Return the rows of a page; see `referee.web.hub.Hub`."""
        if name == "rules":
            return rule_rows()
        return [] if self._reports is None else self._reports.evenings()

    def report(self, game: int = 0, *, anonymous: bool = False) -> bytes | None:
        """Return the report of a game that is over; see `referee.web.hub.Hub`."""
        if self._reports is None:
            return None
        ended = last_of(self._reports.journal, game) if game else self.finished
        return None if ended is None else self._reports.report(*ended, anonymous=anonymous)

    @property
    def watched(self) -> bool:
        """Whether a browser is connected; otherwise nothing needs to be computed."""
        return bool(self._listeners)

    def publish(self, *news: News) -> None:
        """Publish at once those messages that are not the newest of their kind already.

        Only the newest message of a kind is kept, of a log with its earlier lines, and a sound not at all.
        """
        with self._lock:
            fresh = [each for each in news if self._keep(each)]
            listeners = tuple(self._listeners) if fresh else ()
        for listener, judge in listeners:
            listener(self._told(fresh, judge=judge))

    def _told(self, news: Iterable[News], *, judge: bool) -> list[Message]:
        now = ms(self._loop.clock())
        return [counted_on(each.judges if judge else each.others, now) for each in news]

    def _keep(self, news: News) -> bool:
        """Return whether it is new."""
        kind = str(news.judges["type"])
        before = self._latest.get(kind)
        if kind != "sound" and before != news:
            self._latest[kind] = news if before is None else News(*map(together, before, news))
        return kind == "sound" or before != news


class Publisher:
    """Publishes news of the loop while browsers are connected."""

    def __init__(
        self, hub: StationHub, loop: Loop, *, simulated: bool, glass: Callable[[], Raster] | None = None
    ) -> None:
        """``glass``: returns what the display of a simulated box shows, to be used instead of the drawing."""
        self._hub = hub
        self._console = loop.console
        self._picture = loop.picture
        self._simulated = simulated
        self._glass = glass
        self._told: dict[str, object] = {}
        self._log: tuple[object, int] = (None, 0)
        self._where: tuple[object, list[str]] = (None, [])
        hub.announce = self.announce
        loop.on_shown.append(self.publish)
        loop.on_sound.append(self.sound)

    def announce(self) -> None:
        """Publish everything."""
        self._told.clear()
        self._log = (None, 0)
        self.publish()

    def sound(self, name: str) -> None:
        """Publish a sound."""
        self._hub.publish(News.to_all(sound_message(name)))

    def publish(self) -> None:
        """Publish what is on the glass, and what changed at the table.

        All of it is computed first: what is published wakes the server's thread, and the two would only wait for
        each other.
        """
        picture = self._picture
        if not self._hub.watched or picture.raster is None or picture.public is None or picture.drawn is None:
            return
        table = self._console.table
        # What a simulated glass shows may still be the picture before: only judges look at that.
        shown = picture.raster if self._glass is None else self._glass()
        glass = News(glass_message(shown), glass_message(picture.public))
        if self._hides:
            glass = News.to_all(glass.others)
        names = {key: whole(table.seat_name(seat)) for seat, key in table.seat_keys.items()}
        sitting = {key: table.players.get(seat, "") for seat, key in table.seat_keys.items()}
        lamps = Lamps(self._console.lamps(), self._console.for_judges)
        common = [lamps_message(lamps.states, names, sitting, judges=lamps.judges), *self._clocks(table)]
        news = self._news(picture.drawn[0], picture.drawn[1], picture.cover)
        self._hub.pressing = lamps
        self._hub.publish(glass, *map(News.to_all, common), *news)

    def _clocks(self, table: Table) -> Iterable[Message]:
        """Yield how the clocks stand where anything but the time is new: a browser counts by itself."""
        keeper = table.clocks.keeper
        clocks, round_ = keeper.clocks, table.clocks.round
        state = clocks and (id(keeper), keeper.number, keeper.waiting, clocks.runs, clocks.paused, len(clocks.falls))
        if self._new("clock", state):
            yield clock_message(table)
        if self._new("round", round_.news):
            yield round_message(round_)

    def _new(self, kind: str, state: object) -> bool:
        """Return whether this state has not been told; what was never there (None) need not be."""
        if self._told.get(kind) == state:
            return False
        self._told[kind] = state
        return True

    def _news(self, screen: int, view: View, cover: View | None) -> list[News]:
        """Return table and log, if anything of them may be new; ``cover``: what all but judges see of the glass."""
        table = self._console.table
        session, players = table.session, table.players
        if not self._new(
            "table", (session, session.n if session else 0, tuple(players.items()), screen, view.timeless())
        ):
            return []
        over = self._hub.finished = finished(session)
        called = labelled({seat: whole(table.seat_name(seat)) for seat in table.seat_keys}, players)
        turn = table.begun if table.pending else table.turn
        message = {
            **table_message(session, simulated=self._simulated, asked=table.asking, where=self._place(session)),
            "turn": called.get(turn, "") if session is not None and not session.over else "",
            "screen": screen,
            "ways": [{"id": way.id, "held": way.held} for way in self._console.ways],
            "ruling": ruling_news(table),
            "over": over_news(table),
            "report": over is not None,
            "aloud": (cover or view).speech().aloud,  # a room hears what a judge's browser reads aloud
        }
        top = self._console.stage.top
        seats = called.get(top.asks, ""), called.get(top.wakes, "")
        mine = {**message, "spoken": view.speech().spoken, "card": card_news(view, top.buttons, *seats)}
        public = {**message, "spoken": cover.speech().spoken, "card": card_news(cover, ())} if cover else mine
        return [News(public if self._hides else mine, public), *self._lines(table)]

    def _lines(self, table: Table) -> Iterable[News]:
        """Yield what is new in the log, or was taken back since it was told last."""
        session, players = table.session, table.players
        of, entries = (session, tuple(players.items())), session.n if session else 0
        since = session.unchanged(self._log[1]) if session and of == self._log[0] else 0
        if of != self._log[0] or since != entries:
            self._log = of, entries
            yield News.to_all(log_message(session, players, since))

    @property
    def _hides(self) -> bool:
        """Whether a seat answers in secret at a box whose keys are not in a browser: then judges see it neither."""
        return bool(self._console.secret) and not self._simulated

    def _place(self, session: Session | None) -> list[str]:
        """Return the place to show: for a ruling, the one at which it was given."""
        if session is None:
            return []
        if self._where[0] is not session or not self._console.table.pending:
            self._where = session, place(session)
        return self._where[1]


def finished(session: Session | None) -> tuple[int, int] | None:
    """Return the number of a recorded game that is over, and that of its last entry; None if it is not."""
    if session is None or session.over is None or session.game_id is None:
        return None
    return session.game_id, session.last.seq


PATIENCE: Final = 300.0
"""Seconds a report may take; on a Raspberry Pi a long game takes half a minute."""
KEPT: Final = 2
"""Reports kept: with names of players, and without."""
FRESH: Final = 10.0
"""Seconds for which the list of games is not worked out anew."""

Wanted: TypeAlias = tuple[int, int, tuple[tuple[str, str], ...]]
"""Which report: the game, its last entry, and who plays, by seat."""

_logger = logging.getLogger(__name__)


class Reports:
    """Has one report written at a time and keeps the latest; to be called from any thread."""

    def __init__(self, journal: Path) -> None:
        """``journal``: path of the journal the games are in."""
        self.journal = journal
        self._players = beside(journal.resolve())
        self._lock = threading.Lock()
        self._reports: dict[Wanted, bytes] = {}
        self._writer: threading.Thread | None = None
        self._listing = threading.Lock()
        self._listed: tuple[float, object, list[Row]] = -FRESH, None, []

    def report(self, game: int, last: int, *, anonymous: bool = False) -> bytes:
        """Return the report of a game up to entry ``last``, empty while it is being written; returns at once.

        ``anonymous``: without the names of players; with them, it is written anew when one is changed or erased.
        Raises StationError if it could not be written; asking again begins again.
        """
        with self._lock:
            wanted = game, last, () if anonymous else tuple(self._players.names(game).items())
            written = self._reports.get(wanted)
            if written or (self._writer is not None and self._writer.is_alive()):
                return written or b""
            if written is not None:
                del self._reports[wanted]
                raise StationError("the report could not be written; the station's log says why")
            self._reports = dict([*self._reports.items()][1 - KEPT :]) | {wanted: b""}
            self._writer = threading.Thread(target=self._write, args=(wanted,), name="report", daemon=True)
            self._writer.start()
            return b""

    def evenings(self) -> list[Row]:
        """Return the games of this box and its players. Raises StationError; waits until they are worked out.

        One process at a time works, for all who ask within some seconds, unless a name is changed or erased.
        """
        with self._listing:
            at, names, rows = self._listed
            if time.monotonic() < at + FRESH and names == self._players.stamp():
                return rows
            names = self._players.stamp()
            told = json.loads(self._run("evenings", "--json"))
            players = [Player(**each) for each in told["players"]]
            rows = [
                *(evening_row(Evening(**each)) for each in told["games"]),
                *(Row("Players", (each.name, each.wins, each.luck)) for each in players),
            ]
            self._listed = time.monotonic(), names, rows
            return rows

    def _write(self, wanted: Wanted) -> None:
        game, _, players = wanted
        with contextlib.suppress(StationError):
            page = self._run("report", str(game), *([] if players else ["--anonymous"]))
            with self._lock:
                self._reports[wanted] = page

    def _run(self, *command: str) -> bytes:
        """Return what a command says of the journal; the station goes first. Raises StationError, and logs why."""
        paths = (str(Path(referee.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
        try:
            ours = ["nice", "-n", "15", sys.executable, "-P", "-m", "referee"]
            return subprocess.run(  # noqa: S603 - our own command
                [*ours, *command, "--journal", self.journal],
                capture_output=True,
                timeout=PATIENCE,
                check=True,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            ).stdout
        except (OSError, subprocess.SubprocessError) as error:
            because = (
                error.stderr.decode(errors="replace") if isinstance(error, subprocess.CalledProcessError) else ""
            )
            _logger.error("%s: %s %s", " ".join(command), error, because)
            raise StationError(f"{command[0]} failed; the station's log says why") from error
