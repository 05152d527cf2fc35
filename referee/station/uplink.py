"""The thread that sends the journal to the hall. It reads the journal's file; the loop never waits for it.

What people must see goes through the inbox: digits to compare, and that the hall is not reached or refuses the box.
"""

from __future__ import annotations

import logging
import math
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from referee.clock.round import RoundNews
from referee.clock.settings import Settings as Clock
from referee.errors import JournalError
from referee.hall.uplink import copies, messages, pinned
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.client import POLL, TIMEOUT, Hall, converse
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.pairing import BoxPairing
from referee.hall.uplink.term import Term
from referee.hall.uplink.times import USUAL, Times
from referee.journal import Journal, seal
from referee.session import ms
from referee.station.inbox import Compare, FromHall, Ordered, Seated, TakeOver, Timed, Trouble
from referee.station.table_memory import TableMemory
from referee.station.takeover import adopt
from referee.wish import Order, Player, Seating

UNREACHED: Final = 5.0
"""How long the hall is not reached before people are told, s: with one attempt that hangs, 10 s at most."""
ASK: Final = 3.0
"""Longest pause before a box that is not paired asks again, s."""
_STRANGERS: Final = ("certificate", "event", "unknown")
"""Why a hall does not know a box, or a box a hall: then it asks to be paired."""

_logger = logging.getLogger(__name__)


class StationUplink:
    """See the module."""

    def __init__(
        self,
        address: str,
        journal: Journal,
        report: Callable[[FromHall], None],
        *,
        times: Times = USUAL,
        unreached: float = UNREACHED,
    ) -> None:
        """``report`` is called from the thread with what people must see; it returns at once.

        ``journal``: of the loop's thread; the uplink's own opens the file once more, to read.
        """
        self._address = address
        self._journal = journal
        self._report = report
        self._times = times
        self._unreached = unreached
        self._start = os.urandom(32).hex()
        self._reached = time.monotonic()
        self._heard = -math.inf
        self._trouble = ""
        self._seating: messages.Seating | None = None
        self._memory: TableMemory | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="uplink", daemon=True)

    def catch_up(self) -> None:
        """Take back what the journal lost, before anybody plays; returns after 5 s whatever the hall does."""
        try:
            hall = pinned.read(self._folder, self._address)
            if hall.term is not None:
                with self._side(hall, hall.term, self._journal, time.monotonic()) as side:
                    self._refill(hall, side)
        except JournalError as fault:
            _logger.error("nothing is taken back from the hall: %s", fault)

    def clock_of_event(self) -> Clock | None:
        """Return how the hall said, before the station was switched off, that the seats keep time; None: it did not.

        A game that goes on needs it at once, before the thread says it.
        """
        try:
            event = pinned.read(self._folder, self._address).event
        except JournalError:  # the thread says so
            return None
        seating = TableMemory(self._folder, event).recall().seating
        return seating.clock if seating is not None and seating.table else None

    def start(self, *_hear: object) -> None:
        """Begin to send."""
        self._thread.start()

    def reached(self) -> bool:
        """Whether the hall is heard; from any thread."""
        return time.monotonic() - self._heard <= self._unreached

    def stop(self) -> None:
        """End it, without waiting for a hall that does not answer."""
        self._stop.set()
        self._thread.join(POLL * 10)

    @property
    def _folder(self) -> Path:
        return self._journal.path.parent

    @contextmanager
    def _side(self, hall: Hall, term: Term, journal: Journal, started: float) -> Iterator[BoxSide]:
        def keep(later: Term) -> None:
            pinned.write(self._folder, replace(hall, term=later))

        key = seal.signer(self._folder)
        with copies.on_disk(self._folder, hall.event) as record:
            yield BoxSide(
                JournalOutbox(journal), key, hall.event, record, term, keep, self._start, started, self._times
            )

    def _refill(self, hall: Hall, side: BoxSide) -> None:
        while not side.may_play(time.monotonic()):
            left = side.started + side.times.grace - time.monotonic()
            converse(hall, side, lambda: side.may_play(time.monotonic()), min(TIMEOUT, max(0.1, left)))
            if side.refused is not None:
                return
            self._stop.wait(min(0.2, max(0.0, left)))

    # -- the thread ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                hall = pinned.read(self._folder, self._address)
                if (hall.term is None or self._send(hall, hall.term) in _STRANGERS) and not self._pair():
                    self._stop.wait(ASK * random.uniform(0.5, 1))  # noqa: S311 - it spreads load
        except JournalError as fault:
            _logger.error("nothing is sent to the hall: %s", fault)
            self._report(Trouble("Hall", f"Nothing is sent: {fault}"))
        except Exception:  # a fault of our own; nobody may go on thinking that the hall hears this table
            _logger.exception("nothing is sent to the hall any more")
            self._report(Trouble("Hall", "Nothing is sent: a fault of this box. Restart it; it keeps all."))

    def _send(self, hall: Hall, term: Term) -> str:
        """Send the journal until the station stops, or one of both does not know the other; return that code."""
        self._recall(hall.event)
        with (
            Journal(self._journal.path, write=False) as journal,
            self._side(hall, term, journal, -math.inf) as side,
        ):
            while not self._stop.is_set():
                converse(hall, side, lambda: self._look(side))
                if side.refused is not None and side.refused.code in _STRANGERS:
                    return side.refused.code
                self._look(side)
                self._stop.wait(side.pause(random.random()))  # noqa: S311
        return ""

    def _recall(self, event: str) -> None:
        """Let the table go on with what the hall of its event said before the station was switched off."""
        if self._memory is not None and self._memory.event == event:
            return
        self._memory = TableMemory(self._folder, event)
        self._seating, clock = self._memory.recall()
        if self._seating is not None:
            self._report(Seated(seating_of(self._seating)))
        if clock is not None:
            self._report(Timed(clock))

    def _look(self, side: BoxSide) -> bool:
        """Tell people, once each time, where they sit and that the hall is not reached or refuses the box.

        Return whether to stop.
        """
        assert self._memory is not None
        if side.state == "on":
            self._reached = self._heard = side.heard
        if side.seating is not None and side.seating != self._seating:
            self._seating = side.seating
            self._report(Seated(seating_of(side.seating)))
            self._memory.hear_seating(side.seating)
        news = side.take_news()
        if news.clock is not None:
            self._report(Timed(round_news_of(*news.clock)))
            self._memory.hear_clock(*news.clock)
        self._memory.look()
        for order in news.orders:
            self._report(Ordered(order_of(order)))
        if news.taken is not None:
            self._report(TakeOver(partial(adopt, self._journal, news.taken)))
        if news.replaced:
            self._report(Trouble("Replaced", f"A spare box took table {news.replaced} over. Play on there."))
        now = time.monotonic()
        trouble = side.refused.expected if side.refused is not None else ""
        if not trouble and now - self._reached > self._unreached:
            trouble = "No answer. Play on: this box sends it all later."
        elif not trouble and side.state == "on":
            self._trouble = ""
        if trouble and trouble != self._trouble:
            self._trouble = trouble
            _logger.warning("the hall: %s", trouble)
            self._report(Trouble("Hall", trouble))
        return self._stop.is_set()

    def _pair(self) -> bool:
        """Ask the hall to be paired; people compare digits while it waits. Return whether it was."""
        asking = BoxPairing(seal.signer(self._folder))
        shown = ""

        def show() -> bool:
            nonlocal shown
            if asking.digits != shown:
                shown = asking.digits
                self._report(Compare(shown, asking.confirm))
            return self._stop.is_set()

        converse(Hall(self._address), asking, show)
        show()
        if asking.paired:
            pinned.write(self._folder, Hall(self._address, asking.event, asking.term))
            self._reached = time.monotonic()  # the hall was there all the time that people compared digits
        return asking.paired


def seating_of(message: messages.Seating) -> Seating:
    """Return what the hall said, as the console has it."""
    values = {name: getattr(message, name) for name in Seating._fields}
    return Seating(**values | {"players": tuple(Player(*each) for each in message.players)})


def round_news_of(message: messages.Clock, at: float) -> RoundNews:
    """Return what the hall said of the round's clock, as the console has it. ``at``: when it came, monotonic, s."""
    return RoundNews(message.number, message.round, message.left, message.runs, message.then, ms(at))


def order_of(message: messages.Order) -> Order:
    """Return what was decided at the desk, as the console has it."""
    return Order(**{name: getattr(message, name) for name in Order._fields})
