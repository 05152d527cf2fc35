"""Acts about matches: bids for sides, results, and results taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from referee.errors import Malformed, NotNow
from referee.tournament.acts.base import TableAct, act, with_pairing, with_round
from referee.tournament.event import MINUTE, Bid, Event, not_now
from referee.tournament.results import Result, check_result
from referee.tournament.settings import GAMES
from referee.tournament.words import in_words

BID_FOR: Final = (1, 3)  # games whose sides are bid for, where a stage does so: the first, and a tie-break game


@act("sides bid")
class SidesBid(TableAct):
    """The sides of a game are sold for action tokens (War of the Ring at the World Series of Board Gaming).

    The first seat bids first, 0 or more; each bid is higher than the one before. ``player`` bid last and plays
    ``side``, and the opponent gets the ``tokens``. What is sold again was entered wrong.
    """

    game: int
    player: int
    side: str
    tokens: int

    def _on(self, event: Event) -> Event:
        pairing = event.round(self.round).at(self.table)
        if event.stage.sides != "bid" or event.round(self.round).stage != event.stage.number:
            raise not_now("sides are not bid for in this stage")
        if self.game not in BID_FOR or self.game > GAMES[event.stage.match]:
            raise Malformed("game: expected 1, or 3 for a tie-break game")
        if self.side not in event.settings.sides:
            raise Malformed(f"side: expected {' or '.join(event.settings.sides)}")
        if self.player not in pairing.players:
            raise Malformed("player: choose a player of this table")
        least = pairing.players.index(self.player)
        if self.tokens < least:
            first = f"; player {pairing.players[0]} begins with 0 at least" if least else ""
            raise Malformed(f"tokens: type {least} or more{first}")
        if pairing.result:
            raise not_now(f"table {self.table} has a result; take it back first, then enter its bids")
        bid = Bid(self.game, self.player, self.side, self.tokens)
        others = tuple(each for each in pairing.bids if each.game != self.game)
        return with_pairing(event, self.round, replace(pairing, bids=(*others, bid)))


@act("result entered")
class ResultEntered(TableAct):
    """A match has its result. ``by``: both seats confirmed it on their box, a judge decided, or a slip was keyed in.

    A round that was ended without it still takes it; where no clock runs, the first result begins the round.
    ``note``: hash of the slip in the journal of the box, "" for one on paper.
    """

    result: Result
    by: Literal["seats", "judge", "scorekeeper"]
    note: str = ""

    def _on(self, event: Event) -> Event:
        round_ = event.round(self.round)
        if round_.state == "published" and not event.settings.minutes:
            round_ = replace(round_, state="started", started=self.at)
            event = with_round(event, round_)
        if round_.state not in ("started", "ended"):
            raise not_now(f"round {round_.number} has not started")
        pairing = round_.at(self.table)
        if pairing.result:
            raise not_now(f"table {self.table} has a result; take it back first")
        stage = event.stages[round_.stage - 1]
        check_result(self.result, pairing.players, stage.match, event.settings)
        if self.by == "seats" and self.result.outcome in ("double loss", "no-show", "disqualified"):
            raise Malformed(f"by: expected judge or scorekeeper for {self.result.outcome}")
        drawn = self.result.outcome == "played" and not self.result.winner(pairing.players)
        if "elimination" in stage.format and drawn:
            raise Malformed("result: say who won; a match of an elimination needs a winner")
        return with_pairing(event, self.round, replace(pairing, result=self.result, entered=self.at))

    def _sentence(self, event: Event) -> str:
        try:
            pairing = event.round(self.round).at(self.table)
            result = in_words(self.result, pairing, lambda player: f"player {player}")
        except NotNow:  # the round was taken back since
            result = self.result.outcome
        both = ", confirmed by both seats" if self.by == "seats" else ""
        return f"round {self.round}, table {self.table}, {result}{both}"


@act("result taken back", needs_why=True)
class ResultTakenBack(TableAct):
    """A result was wrong; it stays in the record. Refused in a bracket that has gone on from it.

    Pairings that were published with it stay (FIDE C.04.2: only pairings yet to be made are affected).
    """

    def _on(self, event: Event) -> Event:
        round_ = event.round(self.round)
        pairing = round_.at(self.table)
        if pairing.result is None:
            raise not_now(f"table {self.table} of round {self.round} has no result")
        if "elimination" in event.stages[round_.stage - 1].format and len(event.rounds) > round_.number:
            raise not_now(f"the bracket has gone on; take back round {round_.number + 1} first")
        former = (*pairing.former, pairing.result)
        changed = replace(pairing, result=None, former=former, entered=0, challenged="")
        return with_pairing(event, self.round, changed)


@act("result challenged", needs_why=True)
class ResultChallenged(TableAct):
    """Somebody says that a result is wrong, within the time that the settings give. It stands until a judge rules.

    ``note``: hash of what the table's box has in its journal of it, "" where it came to the desk.
    """

    note: str = ""

    def _on(self, event: Event) -> Event:
        pairing = event.round(self.round).at(self.table)
        if pairing.result is None or pairing.challenged:
            raise not_now(f"table {self.table} has no result, or it is disputed already")
        if self.at - pairing.entered > event.settings.challenge * MINUTE:
            raise not_now(f"a result can be disputed for {event.settings.challenge} minutes only")
        return with_pairing(event, self.round, replace(pairing, challenged=self.why))


@act("challenge rejected", needs_why=True)
class ChallengeRejected(TableAct):
    """A judge lets a challenged result stand."""

    def _on(self, event: Event) -> Event:
        pairing = event.round(self.round).at(self.table)
        if not pairing.challenged:
            raise not_now(f"the result of table {self.table} is not disputed")
        return with_pairing(event, self.round, replace(pairing, challenged=""))
