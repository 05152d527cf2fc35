"""What follows from a judge's choice of a branch: results taken back, challenges rejected, slips done again.

It is tried on a desk that writes nothing, so that a judge sees it before choosing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.errors import Malformed, NotNow
from referee.hall.branches import Branches
from referee.hall.floor import RETRY, Acting, Floor
from referee.hall.record import Record
from referee.hall.seatings import published
from referee.hall.uplink.intake import Arrival, Intake
from referee.tournament import Event, Pairing, Result
from referee.tournament.acts import (
    Act,
    BranchChosen,
    ChallengeRejected,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    perform,
)
from referee.tournament.plain import from_json
from referee.tournament.words import named_tables

SAID: Final = frozenset({"slip", "challenge"})
"""Members of a note from which a result, or what is said of one, has come to the desk."""


@dataclass(frozen=True, slots=True)
class Change:
    """A match that the choice changes.

    ``slip``   what the branch says of it where it is not entered by itself, because its round is over
    ``later``  number of the last round that was published with the old result, 0 if there is none
    """

    round: int
    before: Pairing
    after: Pairing
    slip: Result | None
    later: int


@dataclass(frozen=True, slots=True)
class Held:
    """A result that cannot be taken back before something else is. ``first``: what, in its order."""

    round: int
    pairing: Pairing
    first: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a choice comes to. ``acts``: what it does at once; ``held``: what it would undo and cannot."""

    acts: tuple[Act, ...]
    held: tuple[Held, ...]
    changes: tuple[Change, ...]


def said_of(intake: Intake, box: str) -> list[Arrival]:
    """Return the notes of a box that say something of a result. Raises JournalError."""
    return [each for each in intake.notes(box) if not SAID.isdisjoint(each.record["extra"])]


def weigh(desk: Acting, floor: Floor, choice: BranchChosen, intake: Intake, notes: Sequence[Arrival]) -> Weighed:
    """Return what a choice would come to. ``floor``: has the slips that wait; ``notes``: `said_of` its box.

    Raises Refused where there is nothing to choose, JournalError if the intake cannot be read.
    """
    trial = _Trial(perform(desk.event, choice), [*desk.acts, choice], desk.record, desk.now)
    branches = Branches(intake, lambda: trial.event.branches)
    void = {each.hash for each in notes if not branches.counts(each.key, each.hash)}
    acts: list[Act] = [choice]
    held = []
    for act in _undone(trial, choice, void):
        try:
            trial.perform(act)
            acts.append(act)
        except NotNow:
            pairing = trial.event.round(act.round).at(act.table)
            held.append(Held(act.round, pairing, way_out(trial.event, act.round)))
    again = _Again(trial, branches)
    again.early = {note: each for note, each in floor.early.copy().items() if each.arrival.key == choice.box}
    again.choose(notes)
    again.retry(RETRY)
    said = _slips(each for each in notes if each.hash not in void)
    return Weighed(tuple(acts), tuple(held), tuple(_changes(desk.event, trial.event, said)))


def way_out(event: Event, number: int) -> tuple[str, ...]:
    """Return what has to be done, in its order, before the bracket has not gone on from a round any more."""
    steps = []
    for later in reversed(event.rounds[number:]):
        page = f"Rounds, {later.number}: "
        tables = [each.table for each in later.pairings if each.result]
        if tables:
            results = "results" if len(tables) > 1 else "result"
            steps.append(f"{page}take back the {results} of {named_tables(tables)}, under Correct")
        if later.state != "draft":
            steps.append(f"{page}take the round back (an organiser)")
        steps.append(f"{page}discard the draft (an organiser)")
    return tuple(steps)


@dataclass(slots=True)
class _Trial:
    """A desk on which acts are tried; what is signed for it is never seen."""

    event: Event
    acts: list[Act]
    record: Record
    now: Callable[[], int]

    def perform(self, *acts: Act) -> Event:
        event = self.event
        for act in acts:
            event = perform(event, act)
        self.event = event
        self.acts += acts
        return event


class _Again(Floor):
    """What slips say, done again on such a desk: nobody is told what cannot be done."""

    def _refuse(self, arrival: Arrival, kind: str, mark: str, why: str) -> None:
        del arrival, kind
        self._refused[mark] = why


def _undone(
    desk: Acting, choice: BranchChosen, void: Collection[str]
) -> Iterator[ResultTakenBack | ChallengeRejected]:
    """Yield the acts that undo what the desk took from a box. ``void``: hashes of its notes that count no more."""
    entered: dict[tuple[int, int], ResultEntered] = {}
    challenged: dict[tuple[int, int], ResultChallenged] = {}
    for act in desk.acts:
        if isinstance(act, ResultEntered):
            entered[act.round, act.table] = act
        if isinstance(act, ResultChallenged):
            challenged[act.round, act.table] = act
    for round_ in desk.event.rounds:
        for pairing in round_.pairings:
            place = (round_.number, pairing.table)
            result, challenge = entered.get(place), challenged.get(place)
            meant: dict[str, Any] = {"round": round_.number, "table": pairing.table}
            meant |= {"who": choice.who, "at": choice.at, "why": choice.why}
            if pairing.result is None:
                continue
            if result is not None and result.note in void:
                yield ResultTakenBack(**meant)
            elif pairing.challenged and challenge is not None and challenge.note in void:
                yield ChallengeRejected(**meant)


def _slips(notes: Iterable[Arrival]) -> dict[tuple[int, tuple[int, ...]], Result]:
    """Return what the slips among notes say, by the number of the round and its players."""
    said = {}
    for each in notes:
        slip = each.record["extra"].get("slip")
        try:
            if isinstance(slip, dict):
                players = tuple(int(player) for player in slip["players"])
                said[int(slip["round"]), players] = from_json(Result, slip.get("result"), "result")
        except (Malformed, ValueError, TypeError, LookupError):  # a slip that nobody can read says nothing
            continue
    return said


def _changes(before: Event, after: Event, said: dict[tuple[int, tuple[int, ...]], Result]) -> Iterator[Change]:
    last = published(before)
    for old, new in zip(before.rounds, after.rounds, strict=True):
        later = last.number if last is not None and last.number > old.number else 0
        for one, other in zip(old.pairings, new.pairings, strict=True):
            if (one.result, one.challenged) != (other.result, other.challenged):
                slip = said.get((old.number, one.players)) if other.result is None else None
                yield Change(old.number, one, other, slip, later)
