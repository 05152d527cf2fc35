"""Acts about rounds, in the order in which a round goes through them: paired, changed, published, started, ended."""

from __future__ import annotations

from dataclasses import replace

from referee.errors import Malformed
from referee.tournament.acts.base import Act, RoundAct, TableAct, act, with_round
from referee.tournament.bracket import ready
from referee.tournament.event import MINUTE, Event, Pairing, Round, Seats, Stage, not_now
from referee.tournament.results import SMALLEST_POD
from referee.tournament.words import IS, named_tables


@act("round paired")
class RoundPaired(Act):
    """A draft of the next round, by `draw_round` with this seed, or on paper. A new draft takes an older one's place.

    The pairings stand in the act, so the record needs no program that draws the same again; everybody who plays is in
    them, once. The round before may still be played: what has no result yet counts as nothing.
    """

    pairings: tuple[Seats, ...]
    seed: int = 0

    def _on(self, event: Event) -> Event:
        stage, rounds = event.stage, event.rounds
        if rounds and rounds[-1].state == "published":
            raise not_now(f"round {len(rounds)} is published; start it, or take it back")
        if rounds and rounds[-1].state == "draft":
            rounds = rounds[:-1]
        before = replace(event, rounds=rounds)
        if stage.rounds and len(before.rounds_of(stage, begun=False)) >= stage.rounds:
            raise not_now(f"the stage has {stage.rounds} rounds, and they are paired")
        draft = Round(len(rounds) + 1, stage.number, self.seed, _pairings(self.pairings))
        check_pairings(before, stage, draft.pairings)
        _check_whole(before, stage, draft)
        return replace(before, rounds=(*rounds, draft))


@act("pairing changed", needs_why=True)
class PairingChanged(RoundAct):
    """Some tables of a round are paired by hand. ``pairings``: in place of all in which one of their players was.

    An extension follows its players, of two the longer. Refused once there is a result at one of the tables.
    """

    pairings: tuple[Seats, ...]

    def _on(self, event: Event) -> Event:
        old = event.round(self.round)
        if old.state == "ended":
            raise not_now(f"round {old.number} has ended")
        moved = {player for seats in self.pairings for player in seats.players}
        touched = [pairing for pairing in old.pairings if moved & set(pairing.players)]
        if any(pairing.result for pairing in touched):
            raise not_now("a table with a result keeps its players; take the result back first")
        left = {player for pairing in touched for player in pairing.players} - moved
        for player in sorted(left & set(event.playing(event.stage))):
            raise Malformed(f"pairings: expected player {player} too, whose table is changed")
        stay = [pairing for pairing in old.pairings if pairing not in touched]
        time = {player: each.extension for each in touched if each.table for player in each.players}
        fresh = [
            replace(
                each, extension=max([time[player] for player in each.players if player in time] or [old.extension])
            )
            for each in _pairings(self.pairings)
        ]
        changed = replace(old, pairings=_sorted([*stay, *fresh]))
        check_pairings(replace(event, rounds=event.rounds[: old.number - 1]), event.stage, changed.pairings, moved)
        return with_round(event, changed)


@act("round published")
class RoundPublished(RoundAct):
    """The players may see the pairings. Refused if the round before goes on, or somebody has come or left since."""

    def _on(self, event: Event) -> Event:
        draft = _in_state(event, self.round, "draft")
        if draft.number > 1 and event.rounds[draft.number - 2].state != "ended":
            raise not_now(f"end round {draft.number - 1} first")
        check_pairings(replace(event, rounds=event.rounds[:-1]), event.stage, draft.pairings)
        _check_whole(event, event.stage, draft)
        return with_round(event, replace(draft, state="published"))


@act("round unpublished", needs_why=True)
class RoundUnpublished(RoundAct):
    """The pairings were wrong: the round is a draft again, without bids for sides, as long as there is no result.

    So is one that has ended, once its results were taken back: a bracket goes back to the round before.
    """

    def _on(self, event: Event) -> Event:
        wrong = event.round(self.round)
        if wrong.state == "draft":
            raise not_now(f"only a published round is taken back; round {wrong.number} is a draft")
        if wrong.number < len(event.rounds):
            raise not_now(f"discard the draft of round {wrong.number + 1} first")
        if any(pairing.result for pairing in wrong.pairings):
            raise not_now(f"round {wrong.number} has results; change single pairings instead")
        pairings = tuple(replace(each, bids=()) for each in wrong.pairings)
        return with_round(event, replace(wrong, state="draft", started=0, paused=0, pairings=pairings))


@act("draft discarded")
class DraftDiscarded(RoundAct):
    """The draft is not wanted: there is no further round, or not yet."""

    def _on(self, event: Event) -> Event:
        _in_state(event, self.round, "draft")
        return replace(event, rounds=event.rounds[:-1])


@act("round started")
class RoundStarted(RoundAct):
    """The clock of the round runs from now."""

    def _on(self, event: Event) -> Event:
        return with_round(event, replace(_in_state(event, self.round, "published"), state="started", started=self.at))


@act("round paused")
class RoundPaused(RoundAct):
    """The clock of the round stands still, for all tables."""

    def _on(self, event: Event) -> Event:
        running = _in_state(event, self.round, "started")
        if running.paused:
            raise not_now(f"the clock does not run: round {self.round} is paused")
        return with_round(event, replace(running, paused=self.at))


@act("round resumed")
class RoundResumed(RoundAct):
    """The clock of the round goes on; every table has as much time left as before."""

    def _on(self, event: Event) -> Event:
        paused = _in_state(event, self.round, "started")
        if not paused.paused:
            raise not_now(f"the clock of round {self.round} runs already")
        return with_round(event, replace(paused, started=paused.started + max(0, self.at - paused.paused), paused=0))


@act("extension")
class ExtensionGiven(TableAct):
    """A table gets time, or loses what was given by mistake. ``table`` 0: all tables; ``ms``: milliseconds."""

    ms: int

    def _on(self, event: Event) -> Event:
        running = _in_state(event, self.round, "started")
        if self.table:
            running.at(self.table)
            if not self.why.strip():
                raise Malformed("why: give the reason of an extension")
        pairings = tuple(
            replace(each, extension=each.extension + self.ms) if self.table in (0, each.table) else each
            for each in running.pairings
        )
        if min(each.extension for each in pairings) < 0:
            raise Malformed("minutes: no more can be taken back than was given")
        for_all = 0 if self.table else self.ms
        return with_round(event, replace(running, pairings=pairings, extension=running.extension + for_all))

    def _sentence(self, event: Event) -> str:
        where, time = f"table {self.table}, " if self.table else "", f"{self.ms / MINUTE:g} min"
        return f"round {self.round}, {where}{time}{'' if self.table else ', every table'}"


@act("round ended")
class RoundEnded(RoundAct):
    """The round is over. A result that is missing may come later, if there is a reason to go on without it."""

    def _on(self, event: Event) -> Event:
        over = _in_state(event, self.round, "started")
        missing = [pairing.table for pairing in over.pairings if pairing.open]
        if missing and not self.why.strip():
            raise not_now(f"enter the results of {named_tables(missing)}, or give a reason to go on without")
        return with_round(event, replace(over, state="ended"))


def check_pairings(
    event: Event, stage: Stage, pairings: tuple[Pairing, ...], changed: set[int] | None = None
) -> None:
    """Raise Malformed or NotNow if somebody is paired twice or out of place. ``changed``: only these must be here."""
    players = [player for pairing in pairings for player in pairing.players]
    for player in players:
        if players.count(player) > 1:
            raise Malformed(f"pairings: each player plays once; player {player} is in two")
        if (changed is None or player in changed) and player not in event.playing(stage):
            raise not_now(f"player {player} is not here, or not in the stage; pair again")
    tables = [pairing.table for pairing in pairings if not pairing.bye]
    if len(set(tables)) != len(tables) or min(tables, default=1) < 1 or any(p.bye and p.table for p in pairings):
        raise Malformed("table: each table needs a number of its own, 1 or more; a bye has 0")
    if any(len(p.players) > 2 for p in pairings) and stage.format != "pods":
        raise Malformed("players: two play at a table, or one has a bye")
    if any(1 < len(p.players) < SMALLEST_POD for p in pairings) and stage.format == "pods":
        raise Malformed("players: three or more play at a table, or one has a bye")
    if "elimination" in stage.format:
        expected = {frozenset(pair) for pair in ready(event, stage)}
        if {frozenset(pairing.players) for pairing in pairings} != expected:
            raise Malformed(f"pairings: the bracket has others: {sorted(map(sorted, expected))}")


def _check_whole(event: Event, stage: Stage, round_: Round) -> None:
    """Raise NotNow if somebody who plays is not paired. In an elimination the bracket says who plays."""
    if "elimination" in stage.format:
        return
    for player in event.playing(stage):
        if not round_.of(player):
            raise not_now(f"player {player} is not paired; pair again, or give them a bye")


def _in_state(event: Event, number: int, state: str) -> Round:
    named = event.round(number)
    if named.state != state:
        raise not_now(f"this needs a round that {IS[state]}; round {number} {IS[named.state]}")
    return named


def _pairings(seats: tuple[Seats, ...]) -> tuple[Pairing, ...]:
    if not seats or not all(each.players for each in seats):
        raise Malformed("pairings: expected tables, each with its players")
    return _sorted([Pairing(each.table, each.players) for each in seats])


def _sorted(pairings: list[Pairing]) -> tuple[Pairing, ...]:
    return tuple(sorted(pairings, key=lambda pairing: (pairing.bye, pairing.table, pairing.players)))
