"""The threads that talk with the hall: one says what there is, one waits for what the hall wishes of this table.

The loop never waits for them, nor they for it: the journal's file is read over a connection of their own, how the
board stands is left here by the loop, and what people are to know goes through its inbox.
"""

from __future__ import annotations

import json
import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from referee.console.cards.people import ComparePage
from referee.console.console import Console
from referee.errors import JournalError, Malformed, NoAnswer, WrongCertificate
from referee.journal import Journal
from referee.session import Session
from referee.session.board import state_of
from referee.session.wish import short
from referee.station.hall.kept import Membership, TableMemory, read_membership, round_news, write_membership
from referee.station.hall.line import Answer, Line, Names, secure, shown
from referee.station.hall.outbox import Outbox
from referee.station.hall.spare import adopt
from referee.station.hall.talk import LIMIT, WAIT, Talk
from referee.station.news import clock_message

if TYPE_CHECKING:
    from referee.clock.round import RoundNews
    from referee.session.wish import Wish
    from referee.station.loop import Loop

UNREACHED: Final = 8.0
"""How long nothing is heard of the hall before people are told, s: a dead line is found after 7 s."""
NOTED: Final = 10.0
"""How often the newest record that a hall has shown goes onto the card, s. It is sent along at once."""
_TITLES: Final = {"call": "Judge not called", "slip": "Result not taken", "challenge": "Not disputed"}

_logger = logging.getLogger(__name__)


class Board:
    """Tells how the board of this table stands, once it is on the glass. It belongs to the loop's thread."""

    def __init__(self, console: Console, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self._console = console
        self._tell = tell
        self._told: object = None
        self._state: tuple[object, Mapping[str, Any]] = (None, {})

    def publish(self) -> None:
        """Tell how the board stands, if anything of it is new."""
        table = self._console.table
        session, keeper = table.session, table.clocks.keeper
        clocks = keeper.clocks
        runs = None if clocks is None else (keeper.number, clocks.runs, clocks.paused, len(clocks.falls))
        match = self._console.event.match
        now = (
            match,
            session,
            session.n if session else 0,
            session is not None and session.paused,
            self._console.stage.screen,
            runs,
        )
        if now == self._told:
            return
        self._told = now
        board = {"number": session.game_id if session is not None else None, "match": match, **self._game(session)}
        self._tell(board if clocks is None else {**board, **clock_message(table)})

    def _game(self, session: Session | None) -> Mapping[str, Any]:
        if session is None:
            return {}
        of = session, session.n, session.paused
        if self._state[0] != of:
            self._state = of, state_of(session)
        return {"board": self._state[1]}


class _Polled(NamedTuple):
    """An answer to the long poll, and when it was asked for, s."""

    answer: Answer
    asked: float
    came: float


class Link:
    """See the module. It begins with `start`."""

    def __init__(
        self,
        address: str,
        certificate: str,
        token: str,
        journal: Journal,
        post: Callable[[Callable[[], object]], None],
        *,
        unreached: float = UNREACHED,
    ) -> None:
        """``certificate``: SHA-256 of the hall's, in hex; ``token``: of this box; "" where it was added at the glass.

        ``journal``: the loop's; ``post`` has something done on the loop's thread, and returns at once.
        """
        host, _, port = address.rpartition(":")
        self._names = Names(host, int(port))
        self._member = certificate, token
        self._journal = journal
        self._post = post
        self._unreached = unreached
        self._heard = time.monotonic()
        self._trouble = ""
        self._waits = ""
        self._loop: Loop
        self._talk: Talk | None = None
        self._board: Mapping[str, Any] = {}
        self._noted = 0.0
        self._unkept = False
        self._written = Membership(certificate, token, 1)
        self._memory: TableMemory | None = None
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._up = threading.Event()
        self._polled: queue.SimpleQueue[_Polled] = queue.SimpleQueue()
        self._poll: Line | None = None
        self._etag = ""
        self._thread = threading.Thread(target=self._guarded, args=(self._run,), name="hall", daemon=True)
        self._waiter = threading.Thread(target=self._guarded, args=(self._wait,), name="wishes", daemon=True)

    # -- the loop's thread ---------------------------------------------------------------------------------------

    def start(self, loop: Loop) -> None:
        """Begin; ``loop``: of this table, whose board is told whenever the glass changes."""
        self._loop = loop
        loop.console.event.reaches = self.reached
        loop.on_shown.append(Board(loop.console, self.tell).publish)
        self._thread.start()

    def tell(self, board: Mapping[str, Any]) -> None:
        """Take how the board stands now; the journal may have gone on, too."""
        self._board = board
        self._wake.set()

    def reached(self) -> bool:
        """Whether the hall is heard; from any thread."""
        return self._up.is_set() and time.monotonic() - self._heard <= self._unreached

    def stop(self) -> None:
        """End, without waiting for a hall that does not answer."""
        self._stop.set()
        self._wake.set()
        self._up.set()
        for thread in (self._thread, self._waiter):
            if thread.ident is not None:
                thread.join(1.0)
        if self._poll is not None and not self._waiter.is_alive():
            self._poll.close()  # cut between two calls, nobody has closed it

    @property
    def _folder(self) -> Path:
        return self._journal.path.parent

    # -- the thread that says what there is ----------------------------------------------------------------------

    def _guarded(self, run: Callable[[], None]) -> None:
        try:
            run()
        except JournalError as fault:
            _logger.error("nothing is sent to the hall: %s", fault)
            self._warn("Hall", f"Nothing is sent: {fault}")
        except Exception:  # a fault of our own; nobody may go on thinking that the hall hears this table
            _logger.exception("nothing is sent to the hall any more")
            self._warn("Hall", "This box stopped sending. Restart it; nothing is lost.")

    def _warn(self, title: str, text: str) -> None:
        self._post(partial(self._loop.fault, title, text))

    def _hear(self, wish: Wish, time_: RoundNews, *, known: bool) -> None:
        self._post(partial(self._loop.learn, partial(self._loop.console.hear, wish, time_, known)))

    def _run(self) -> None:
        kept = self._kept()
        while not self._stop.is_set():
            kept = kept or self._join()
            if kept is None:
                return
            self._converse(kept)
            kept = None  # its token does not hold

    def _converse(self, kept: Membership) -> None:
        """Talk until the station stops, or a hall does not know this box from the start."""
        self._written = kept
        self._memory = TableMemory(self._folder, kept.certificate)
        recalled = self._memory.recall()
        if recalled is not None:
            self._hear(*recalled, known=True)
        self._heard = time.monotonic()
        with Journal(self._journal.path, write=False) as journal:
            talk = self._talk = Talk(Outbox(journal, kept.since), kept, self._keep, random.random)
            self._poll = Line(self._names, kept.certificate, talk.headers)
            with closing(Line(self._names, kept.certificate, talk.headers)) as line:
                while not self._stop.is_set() and (talk.known or talk.heard > 0):
                    self._say(talk, line)
            self._write(talk.kept)
            self._poll.cut()

    def _kept(self) -> Membership | None:
        """Return the membership: the configuration's, where it says another than the file; None: there is none."""
        kept, (certificate, token) = read_membership(self._folder), self._member
        if kept is not None and certificate in ("", kept.certificate) and token in ("", kept.token):
            return kept
        return self._new(certificate, token) if token else None

    def _new(self, certificate: str, token: str) -> Membership:
        latest = self._journal.latest()
        kept = Membership(certificate, token, latest.game if latest is not None else 1)
        write_membership(self._folder, kept)
        return kept

    def _join(self) -> Membership | None:
        """Have people add this box to the hall at the address; None: nobody wants to, or the station stops."""
        while not self._stop.is_set():
            until = time.monotonic() + LIMIT
            try:
                with secure(self._names, until) as secured:
                    certificate = shown(secured)
            except OSError:
                self._tell_trouble("No answer. This box will be added once the hall answers.")
                self._stop.wait(random.uniform(1.0, 3.0))  # noqa: S311 - it spreads load
                continue
            self._trouble = ""
            code = self._code(certificate)
            if not code:
                return None
            token, why = self._token(certificate, code)
            if token:
                return self._new(certificate, token)
            self._warn("Not added", why)
        return None

    def _code(self, certificate: str) -> str:
        """Return what people typed, "": nothing."""
        typed: queue.SimpleQueue[str] = queue.SimpleQueue()
        console = self._loop.console
        self._post(
            partial(
                self._loop.learn,
                lambda: console.stage.push(ComparePage(console.context, short(certificate), typed.put)),
            )
        )
        while not self._stop.is_set():
            with suppress(queue.Empty):
                return typed.get(timeout=0.5)
        return ""

    def _token(self, certificate: str, code: str) -> tuple[str, str]:
        """Return the token for a code, or "" and why there is none."""
        body = json.dumps({"code": code}).encode()
        try:
            with closing(Line(self._names, certificate, dict)) as line:
                answer = line.call("POST", "/api/boxes", body, limit=LIMIT)
        except NoAnswer:
            return "", "No answer. Enter the code again."
        token, why = answer.body.get("token"), answer.body.get("why")
        if answer.status == 200 and isinstance(token, str) and token.isascii() and 20 <= len(token) <= 100:
            return token, ""
        return "", str(why or "The code was refused. Ask the desk for another.")[:200]

    def _keep(self, kept: Membership) -> None:
        """Make durable what must be at once: an answer; the newest record now and then."""
        if kept.answered != self._written.answered or time.monotonic() - self._noted > NOTED:
            self._write(kept)

    def _write(self, kept: Membership) -> None:
        """Keep it on the card. Where that is full, what was answered may be said again later: it is done once."""
        self._noted = time.monotonic()
        try:
            write_membership(self._folder, kept)
            self._written, self._unkept = kept, False
        except JournalError as fault:
            if not self._unkept:
                self._warn("Hall", f"{fault}. Free space on the card; nothing is lost yet.")
            self._unkept = True

    def _say(self, talk: Talk, line: Line) -> None:
        """Say the next thing, or wait until there is one."""
        now = time.monotonic()
        talk.board = self._board
        call = talk.next(now)
        if call is None:
            self._wake.wait(max(0.0, min(talk.due() - now, 1.0)))
            if self._wake.is_set():
                self._wake.clear()
                talk.wrote()
        else:
            try:
                answer = line.call(call.method, call.path, call.body, limit=LIMIT)
            except WrongCertificate as fault:
                self._tell_trouble(str(fault))
                answer = None
            except NoAnswer as fault:
                _logger.debug("the hall does not answer: %s", fault)
                answer = None
            talk.take(call, answer, time.monotonic())
        self._look(talk)
        if talk.up:
            self._up.set()
            if self._waiter.ident is None:
                self._waiter.start()
        elif self._up.is_set():
            self._up.clear()
            if self._poll is not None:
                self._poll.cut()

    def _look(self, talk: Talk) -> None:
        """Take what came of the long poll, and tell people what they are to know."""
        with suppress(queue.Empty):
            while True:
                self._take(talk, self._polled.get_nowait())
        news = talk.take_news()
        for kind, why in news.refused:
            self._warn(_TITLES[kind], why)
        for why in news.waits:
            if why != self._waits:
                self._waits = why
                self._warn("At the desk", why)
        if news.other:
            self._warn("Hall", "The hall's copy of this game differs. Call a judge: they enter the result")
        if news.taken is not None:
            self._post(partial(self._loop.take_over, partial(adopt, self._journal, news.taken)))
        self._heard = max(self._heard, talk.heard)
        if not talk.known:
            self._tell_trouble("It no longer knows this box. Restart it to add it again.")
        elif time.monotonic() - self._heard > self._unreached:
            self._tell_trouble("No answer. Play on: this box sends it all later.")
        elif talk.up and talk.copied:
            self._tell_trouble("A second box uses a copy of this card. Tell the desk.")
        elif talk.up and talk.doubt:
            self._tell_trouble("It may run on an old copy. Play on: results wait for the organiser.")
        elif talk.up:
            self._trouble = ""

    def _take(self, talk: Talk, polled: _Polled) -> None:
        try:
            wish = talk.wish(polled.answer, polled.asked, polled.came)
        except Malformed as fault:
            _logger.warning("the hall says what this box does not understand: %s", fault)
            talk.down(time.monotonic())
            return
        if wish is None:
            return
        self._hear(wish, round_news(wish, polled.came), known=False)
        assert self._memory is not None
        self._memory.hear(wish, polled.came)

    def _tell_trouble(self, text: str) -> None:
        """Tell people once each time."""
        if text != self._trouble:
            self._trouble = text
            _logger.warning("the hall: %s", text)
            self._warn("Hall", text)

    # -- the thread that waits -----------------------------------------------------------------------------------

    def _wait(self) -> None:
        assert self._poll is not None
        with closing(self._poll) as line:
            while True:
                self._up.wait()
                if self._stop.is_set():
                    return
                self._ask(line)

    def _ask(self, line: Line) -> None:
        asked = time.monotonic()
        headers = {"If-None-Match": self._etag} if self._etag else {}
        try:
            answer = line.call("GET", f"/api/table?wait={WAIT}", limit=WAIT + LIMIT, headers=headers)
        except NoAnswer as fault:
            _logger.debug("no wish of the hall: %s", fault)
            self._stop.wait(random.uniform(0.1, 0.4))  # noqa: S311 - it spreads load
            return
        if answer.status == 200:
            self._etag = answer.headers.get("etag", "")
        elif answer.status != 304:
            self._stop.wait(random.uniform(0.5, 1.0))  # noqa: S311
        self._polled.put(_Polled(answer, asked, time.monotonic()))
        self._wake.set()
