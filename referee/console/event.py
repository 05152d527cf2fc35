"""The table's part in an event: where it stands, what it tells the desk, and what the desk has decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from referee.clock.round import RoundNews
from referee.console.stage import Card
from referee.console.table import Table
from referee.console.texts import Text
from referee.errors import NotNow, RefereeError
from referee.session import Session
from referee.session.wish import Order, Seating, Wish

TITLES: Final = {
    "extension": "More time",
    "coming": "Judge",
    "ruling": "Ruling",
    "penalty": "Penalty",
    "result": "Result",
    "challenge": "Challenge",
}
"""What stands over an order, by its kind."""

AT_TIME: Final = {
    "finish the action": "Finish the action, then enter the result",
    "finish the turn": "Finish the turn, then enter the result",
    "stop": "Stop now, and enter the result",
    "a judge decides": "Stop now. A judge decides the result",
}
"""What a table does when time is called."""


class TableAtEvent:
    """One table among others. Without a seating it does nothing.

    ``seating``  where this box stands, None where no hall has said so
    ``reaches``  says whether the hall is reached now; of a box alone, False
    """

    def __init__(self, table: Table) -> None:
        self.seating: Seating | None = None
        self.reaches: Callable[[], bool] = lambda: False
        self._table = table
        self._stage = table.stage
        self._seated: Card | None = None
        self._of_round: Card | None = None
        self._to_show = False
        self._begun: dict[Card, str] = {}
        self._round: RoundNews | None = None
        self._held: Session | None = None
        self._names: dict[int, str] = {}
        self._slips: set[Seating] = set()
        self._ordered: set[Order] = set()
        self._noted: set[Order] = set()
        self._session: Session | None = None
        self._untied = False
        self._match_of: Mapping[str, Any] | None = None
        self._match_known = True
        self._wish: Wish | None = None

    @property
    def slip_due(self) -> bool:
        """Whether the table has a match whose slip was not keyed in here."""
        seating = self.seating
        return seating is not None and bool(seating.players) and seating.match not in self._slips

    @property
    def match(self) -> Mapping[str, Any] | None:
        """Which match the game in progress is of, None: of none, or nobody has said."""
        if self._session is not None and not self._match_known:
            self._match_of, self._match_known = self._table.noted("match"), True
        return self._match_of

    def hear(self, wish: Wish, time: RoundNews, *, known: bool) -> None:
        """Take all that the hall wishes of this table; what is news is shown.

        ``time``: how the clock of the round stands; ``known``: it is what the table heard before it was switched off
        """
        if self._wish is None or wish.seating != self._wish.seating:
            self.seat(wish.seating)
        if known:
            self._ordered |= set(wish.orders)
            self._noted |= set(wish.orders)
        if time.round or (self._round is not None and self._round.round):
            self.time(time)
        for order in wish.orders:
            if order not in self._ordered or order not in self._noted:
                self.order(order)
        if wish.replaced and (self._wish is None or not self._wish.replaced):
            self._stage.explain("Replaced", f"A spare box took over table {wish.replaced}. Continue there")
        self._wish = wish

    def seat(self, seating: Seating) -> None:
        """The hall says where this box stands; it is shown as soon as there is no game on the glass.

        What was begun for another match goes from the glass: its players confirmed it, if anybody did.
        """
        if self._seated is not None:
            self._stage.remove(self._seated)
        before = self.seating
        self._names |= {each.number: each.name for each in seating.players}
        self.seating, self._to_show = seating if seating.table else None, bool(seating.table)
        ended = self._end() if before is not None and before.match != seating.match else []
        self.follow()
        if before is not None and ended:
            again = ": enter the result again" if seating.players and "result" in ended else ""
            self._stage.explain("Not sent", f"The pairing has changed{again}")

    def seats(self, seating: Seating) -> Card:
        """Return who plays whom; Select or Back leads on."""
        lines = [f"{each.side}: {each.name}" if each.side else each.name for each in seating.players]
        round_ = f", round {seating.round}" if seating.round else ""
        return Text(
            self._stage,
            f"Table {seating.table}{round_}",
            tuple(lines) or ("No match here yet", "or bid for sides first"),
        )

    def named(self, text: str) -> str:
        """Return a text of the desk with names in the place of numbers, where they have stood here."""
        return re.sub(
            r"\bplayer (\d{1,9})\b", lambda it: self._names.get(int(it[1]), it[0]), text, flags=re.IGNORECASE
        )

    def ask(self, card: Card, sends: str = "") -> None:
        """Lay a card that holds for the match that is here now, and goes with it. ``sends``: what it leads to."""
        self._begun = {each: what for each, what in self._begun.items() if each in self._stage}
        self._begun[card] = sends
        self._stage.push(card)

    def _end(self) -> list[str]:
        """Take everything away that was begun for a match; return what somebody was about to send."""
        sent = [sends for card, sends in self._begun.items() if sends and card in self._stage]
        for card in self._begun:
            self._stage.remove(card)
        self._begun.clear()
        return sent

    def follow(self) -> None:
        """Follow what the table plays: say of a new game which match it is of, and show a seating between games.

        Of what was begun before the hall had said who sits here, nobody can say that; of what a spare takes over, one
        can as soon as it has.
        """
        session, seating = self._table.session, self.seating
        here = seating is not None and bool(seating.players)
        if session is not self._session:
            self._session = session
            begins = session is not None and session.n == 1 and here
            self._match_of, self._match_known = None, begins or session is None
            spare = session is not None and "takeover" in session.entries[0].extra
            self._untied = begins or (spare and self.match is None)
        if self._untied and here and seating is not None:
            self._untied = False
            with suppress(RefereeError):  # the game goes on; it is only not shown as that of a match
                self._table.note({"match": self._match(seating)})
                self._match_of = self._match(seating)
        if self._to_show and self.seating is not None and self._table.session is None:
            self._to_show = False
            self._seated = self.seats(self.seating)
            self._stage.push(self._seated)
            self._stage.sound("seat")

    def order(self, order: Order) -> None:
        """Show what was decided at the desk, once, and write it beside the game.

        What is not in the journal the hall says again, and then it is tried again.
        """
        if order not in self._noted:
            with suppress(RefereeError):
                self._table.note({"order": order._asdict()}, of_game=False)
                self._noted.add(order)
        if order in self._ordered:
            return
        self._ordered.add(order)
        self._stage.sound("seat")
        time = f"{order.ms / 60_000:+g} min" if order.ms else ""
        less = order.what == "extension" and order.ms < 0
        lines = (" ".join(filter(None, (time, self.named(order.text)))), order.by)
        self._stage.push(Text(self._stage, "Less time" if less else TITLES.get(order.what, "Desk"), lines))

    def time(self, news: RoundNews) -> None:
        """Take how the clock of the round stands; a pause for all stops the clocks of this table, too."""
        clock = self._table.clocks.round
        before, self._round = self._round, news
        clock.hear(news)
        if before is None or not news.round or (before.round, before.runs) == (news.round, news.runs):
            return
        if not news.runs:
            self._pause()
        self._stage.sound("seat")
        new = before.round != news.round
        title = "Round paused" if not news.runs else "Round started" if new else "Round resumed"
        does = "is paused" if not news.runs else "has started" if new else "has resumed"
        self._tell(title, f"Round {news.round} {does}")

    @property
    def held(self) -> str:
        """Why no game may go on after a pause, "" if it may: a pause for all holds while the hall is reached."""
        paused = self._round is not None and self._round.round and not self._round.runs
        return "The desk has paused the round. Please wait" if paused and self.reaches() else ""

    def hold(self, now: float) -> None:
        """Pause a game that goes on while the round is paused: one that was begun, or went on without the hall."""
        table = self._table
        if not self.held:
            self._held = None
        elif table.session is not self._held and table.prompt:
            self._held = table.session  # once: what the disk does not take is told, and not tried all the time
            table.acting(table.source, now)
            self._pause()

    def call_time(self) -> None:
        """The round's time is over: show what is to be done, and write it beside the game."""
        news, seating = self._table.clocks.round.news, self.seating
        assert news is not None
        if news.about:
            self._tell("Time may be over", "This box was off. Ask the desk", f"Round {news.round}")
            return
        note = {"time": {"round": news.round, "table": seating.table if seating else 0}}

        def write() -> None:
            with suppress(NotNow):  # without a game there is nothing beside which it could stand
                self._table.note(note)

        self._stage.attempt(write)
        self._tell("Time called", AT_TIME.get(news.then, news.then), f"Round {news.round}")

    def _tell(self, title: str, *lines: str) -> None:
        """Show what the whole round does, in the place of what it did before."""
        if self._of_round is not None:
            self._stage.remove(self._of_round)
        self._of_round = Text(self._stage, title, tuple(filter(None, lines)))
        self._stage.push(self._of_round)

    def call_judge(self) -> None:
        """Call for a judge, through the journal; the clocks stop if the event says so."""
        if self.seating is not None:
            self._write(self.seating, "call", "Judge", "A judge was called. If nobody comes, raise your hand")

    def send_slip(self, seating: Seating, result: Mapping[str, Any]) -> None:
        """Write the slip that every seat has confirmed. ``seating``: under which they did."""
        self._stage.clear()
        text = "It will be sent once the hall can be reached"
        self._write(seating, "slip", "Result", text, {"result": dict(result)})

    def challenge(self, seating: Seating) -> None:
        """Write that the result at the desk is wrong. ``seating``: of the match that is meant."""
        self._stage.clear()
        self._write(seating, "challenge", "Challenge", "The desk knows. A judge will decide")

    def _write(
        self, seating: Seating, what: str, title: str, text: str, members: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Write what the hall is to hear of the match of a seating, and say so. Raises JournalError or NotNow."""
        self._table.note({what: {**self._match(seating), **members}}, of_game=what != "call")
        if what == "slip":
            self._slips.add(seating.match)
        elif what == "call" and seating.stops:
            self._pause()
        self._stage.explain(title, text)

    def _pause(self) -> None:
        if self._table.prompt and not self._table.current.paused:
            self._stage.attempt(self._table.pause)

    @staticmethod
    def _match(seating: Seating) -> dict[str, Any]:
        """Return which match is played here, without names."""
        players = [player.number for player in seating.players]
        return {"round": seating.round, "table": seating.table, "players": players}
