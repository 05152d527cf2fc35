"""An organiser's desk for tests: every act goes through JSON before it is done, as it does in a record."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from referee.errors import Refused
from referee.tournament.acts import KINDS, read_act
from referee.tournament.event import Event, Round, Seats
from referee.tournament.results import Game, Result
from referee.tournament.settings import Settings


class Desk:
    """An event in progress, with the record of its acts; each act is one second after the one before."""

    def __init__(self, settings: Settings | None = None, players: int = 0, **stage: Any) -> None:
        """Begin an event with settings, some players who are here, and, if anything is said of it, a stage."""
        self.event = Event()
        self.record: list[str] = []
        if settings is not None:
            self.do("settings", settings=settings)
        self.enter(range(1, players + 1))
        if stage:
            self.do("stage opened", **{"format": "swiss", "players": self.event.here(), **stage})

    def do(self, kind: str, **members: Any) -> Event:
        """Do something, as a record would have it done; return the event after it."""
        act = KINDS[kind](**{"who": "organiser", "at": 1000 * (len(self.record) + 1), **members})
        line = json.dumps(act.as_json())
        read = read_act(json.loads(line))
        assert read == act
        self.event = read.on(self.event)
        self.record.append(line)
        return self.event

    def refused(self, kind: str, text: str, **members: Any) -> None:
        """Try something, and see it refused with these words, the event as it was."""
        before = self.event
        with pytest.raises(Refused) as error:
            self.do(kind, **members)
        assert text in error.value.text, error.value.text
        assert self.event == before

    @property
    def last(self) -> Round:
        """The last round."""
        return self.event.rounds[-1]

    def balances(self) -> dict[int, int]:
        """Return how often each player sat first less how often second, counted in the pairings."""
        balance: Counter[int] = Counter()
        for each in self.event.rounds:
            for pairing in each.pairings:
                if not pairing.bye:
                    balance.update({pairing.players[0]: 1, pairing.players[1]: -1})
        return balance

    def enter(self, players: Iterable[int]) -> None:
        """Let players enter and check in."""
        for player in players:
            self.do("player added", player=player)
            self.do("checked in", player=player)

    def pair(self, *tables: tuple[int, ...], start: bool = True) -> int:
        """Pair a round by hand, tables from 1 on; a player alone has a bye. Return the round's number."""
        seats, table = [], 0
        for players in tables:
            table += len(players) > 1
            seats.append(Seats(table if len(players) > 1 else 0, players))
        self.do("round paired", pairings=tuple(seats))
        if start:
            self.start()
        return self.last.number

    def start(self) -> None:
        """Publish the draft and start it."""
        self.do("round published", round=self.last.number)
        self.do("round started", round=self.last.number)

    def wins(self, *winners: int, end: bool = True) -> None:
        """Enter results of one game each, table by table: who won, 0 for a draw; and end the round."""
        for table, winner in enumerate(winners, 1):
            self.result(table, Result(games=(Game(winner),)))
        if end:
            self.do("round ended", round=self.last.number)

    def result(self, table: int, result: Result, by: str = "judge") -> None:
        """Enter a result of the last round."""
        self.do("result entered", round=self.last.number, table=table, result=result, by=by)
