"""What tables tell the desk through the journals of their boxes: calls, slips, challenges.

Each is a note beside a game, sealed by the box. It may come again, after a restart of the hall for instance: an act
has the hash of its note, and what could not be done is an incident that has it too. What the disk did not take is
tried again until it does, and the organiser is told meanwhile. A slip that comes before its round has started, or
before its box stands at its table, waits until it fits or a later round is published: the desk may be late, and a
rebuilt hall may lack its last acts. So does one on a branch in whose place a judge chose another. A result that both
seats have confirmed is countersigned in the same breath.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from referee.errors import JournalError, Malformed, Refused
from referee.hall.branches import Branches
from referee.hall.countersignature import signed
from referee.hall.not_taken import NotTaken, check_players, not_taken
from referee.hall.orders import Known
from referee.hall.record import Record
from referee.hall.seatings import published
from referee.hall.uplink.intake import Arrival
from referee.numbers import WHOLE
from referee.tournament import Event, Pairing, Result, Round
from referee.tournament.acts import (
    Act,
    BranchChosen,
    CallOpened,
    Countersigned,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
)
from referee.tournament.plain import from_json, to_json
from referee.tournament.results import Countersignature, check_result
from referee.tournament.words import in_words

KINDS: Final = ("call", "slip", "challenge")
"""Members of a note that say something to the desk."""
SHOWN_HASH: Final = 16
"""Digits of a note's hash that name it among the incidents."""
RETRY: Final = 5.0
"""Seconds between two attempts to write what the disk did not take."""
MOST_EARLY: Final = 8
"""Slips and challenges of one box that wait; what would be one more is refused."""

_logger = logging.getLogger(__name__)


class Early(Refused):
    """The desk has not come to what a slip or a challenge is about; it may count once it has."""


class Acting(Protocol):
    """Where acts are done: `referee.hall.desk.Desk`."""

    @property
    def event(self) -> Event:
        """The event as it is after them."""

    @property
    def acts(self) -> Sequence[Act]:
        """All of them, in their order."""

    @property
    def record(self) -> Record:
        """What signs for the hall."""

    @property
    def now(self) -> Callable[[], int]:
        """Return the time of day, ms since 1970 UTC."""

    def perform(self, *acts: Act) -> Event:
        """Do acts, all or none. Raises Refused, JournalError."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A slip or a challenge that came early. ``why``: what it waits for."""

    arrival: Arrival
    kind: str
    why: str


class Floor:
    """See the module.

    ``ordered``  the orders that the journal of each box has, by its key
    ``turned``   the last slip and the last challenge of each box that were not taken, by its key and the kind
    ``heard``    counts what changes either
    ``trouble``  why calls, slips or challenges are not written yet, "" if all are
    ``early``    slips and challenges that wait, by the hash of their note, in the order in which they came
    """

    def __init__(self, desk: Acting, branches: Branches) -> None:
        self.ordered: dict[str, set[Known]] = {}
        self.turned: dict[tuple[str, str], NotTaken] = {}
        self.heard = 0
        self.trouble = ""
        self.early: dict[str, Waiting] = {}
        self._unwritten: list[Arrival] = []
        self._retried_at = 0.0
        self._tried_with = desk.event
        self._desk = desk
        self._branches = branches
        self._intake = intake = branches.intake
        self._done = {note for act in desk.acts if (note := getattr(act, "note", ""))}
        told = (text.partition(": ") for _, kind, text in intake.incidents() if kind in KINDS)
        self._refused = {mark: why for mark, _, why in told}

    def take(self, arrival: Arrival) -> None:
        """Take a note. What cannot be done is noted, and people are told."""
        extra = arrival.record.get("extra", {})
        order = extra.get("order")
        if isinstance(order, dict) and type(order.get("number")) is int:
            known = (order["number"], str(order.get("what")), str(order.get("text")))
            self.ordered.setdefault(arrival.key, set()).add(known)
            self.heard += 1
        if any(kind in extra for kind in KINDS):
            self._unwritten.append(arrival)
            self._write()

    def retry(self, now: float) -> bool:
        """Try again what the disk did not take, every `RETRY` s of ``now``, and after each act what came early.

        Returns whether anything was tried.
        """
        acted = bool(self.early) and self._desk.event is not self._tried_with
        if not acted and (not self._unwritten or now < self._retried_at + RETRY):
            return False
        if acted:
            self._unwritten[:0] = [each.arrival for each in self.early.values()]
            self.early.clear()
        self._retried_at = now
        self._write()
        self._tried_with = self._desk.event
        return True

    def choose(self, notes: Iterable[Arrival]) -> None:
        """Do again what the slips of a box say that count now, where a choice of a branch left no result."""
        for arrival in notes:
            if "slip" in arrival.record["extra"] and self._left_open(arrival):
                self._done.discard(arrival.hash)
                self._refused.pop(arrival.hash[:SHOWN_HASH], None)
                self._unwritten.append(arrival)
                self._retried_at = 0.0

    def _left_open(self, arrival: Arrival) -> bool:
        """Whether the match of a slip has no result, and had none since a branch of its box was chosen last."""
        table = next((table for table, box in self._desk.event.boxes.items() if box == arrival.key), 0)
        slip = arrival.record["extra"]["slip"]
        try:
            round_, pairing = self._meant(slip if isinstance(slip, dict) else {}, table)
        except Refused:
            return False
        if pairing.result is not None or not self._branches.counts(arrival.key, arrival.hash):
            return False
        acts = self._desk.acts
        chosen = max(at for at, act in enumerate(acts) if isinstance(act, BranchChosen) and act.box == arrival.key)
        match = (round_.number, pairing.table)
        before = [act for act in acts[:chosen] if isinstance(act, (ResultEntered, ResultTakenBack))]
        last = next((act for act in reversed(before) if (act.round, act.table) == match), None)
        return not isinstance(last, ResultTakenBack)

    def _write(self) -> None:
        """Do what tables have said, in the order in which it came, as far as the disk takes it."""
        while self._unwritten:
            try:
                self._do(self._unwritten[0])
            except JournalError as fault:
                if not self.trouble:
                    _logger.error("what a table said is not written yet: %s", fault)
                self.trouble = str(fault)
                return
            del self._unwritten[0]
        self.trouble = ""

    def _do(self, arrival: Arrival) -> None:
        extra = arrival.record["extra"]
        kind = next(kind for kind in KINDS if kind in extra)
        mark = arrival.hash[:SHOWN_HASH]
        if arrival.hash in self._done:
            return
        if mark in self._refused:
            self._turn(arrival, kind, self._refused[mark])
            return
        try:
            self._desk.perform(*self._acts(kind, extra[kind], arrival))
        except Early as fault:
            self._wait(Waiting(arrival, kind, fault.text), mark)
        except Refused as fault:
            self._refuse(arrival, kind, mark, fault.text)
        else:
            self._done.add(arrival.hash)

    def _wait(self, waiting: Waiting, mark: str) -> None:
        arrival = waiting.arrival
        if sum(each.arrival.key == arrival.key for each in self.early.values()) < MOST_EARLY:
            self.early[arrival.hash] = waiting
        else:
            self._refuse(arrival, waiting.kind, mark, waiting.why)

    def _refuse(self, arrival: Arrival, kind: str, mark: str, why: str) -> None:
        self._refused[mark] = why
        self._turn(arrival, kind, why)
        try:
            self._intake.tell(arrival.key, kind, f"{mark}: {why}")
            self._intake.commit()
        except JournalError as fault:  # as above
            _logger.error("a %s of a box is not noted: %s", kind, fault)

    def _turn(self, arrival: Arrival, kind: str, why: str) -> None:
        turned = not_taken(arrival.key, kind, arrival.record["extra"][kind], why)
        if turned is not None:
            self.turned[arrival.key, kind] = turned
            self.heard += 1

    def _acts(self, kind: str, value: Any, arrival: Arrival) -> tuple[Act, ...]:
        event = self._desk.event
        table = next((table for table, box in event.boxes.items() if box == arrival.key), 0)
        mark: dict[str, Any] = {"who": f"table {table}", "at": self._desk.now(), "note": arrival.hash, "table": table}
        if kind == "call":
            if not table:
                raise Malformed("expected a box that stands at a table, for a call")
            return (CallOpened(**mark),)
        if not isinstance(value, dict):
            raise Malformed(f"{kind}: expected an object")
        if not self._branches.counts(arrival.key, arrival.hash):
            raise Early("early", "does not count: a judge chose another branch of this box's journal")
        round_, pairing = self._meant(value, table)
        mark["round"] = round_.number
        if kind == "challenge":
            return (ResultChallenged(**mark, why="challenged at the table"),)
        result = from_json(Result, value.get("result"), "result")
        if pairing.result is None:
            entered = ResultEntered(**mark, result=result, by="seats")
            return entered, self._countersigned(arrival, round_, pairing, result)
        if pairing.result == result:
            return (self._countersigned(arrival, round_, pairing, result),)
        check_result(result, pairing.players, event.stages[round_.stage - 1].match, event.settings)
        words = in_words(result, pairing, lambda player: f"player {player}")
        return (ResultChallenged(**mark, why=f"the slip of the table says: {words}"),)

    def _countersigned(self, slip: Arrival, round_: Round, pairing: Pairing, result: Result) -> Countersigned:
        """Return the act by which the hall signs what a slip says, and of which game its box says so."""
        of = slip.record["extra"].get("of")
        head = of.get("hash") if isinstance(of, dict) else None
        last = self._intake.find(slip.key, head) if isinstance(head, str) else None
        if last is None:
            raise Malformed("of: expected an entry of a game that this box has sent")
        record = self._desk.record
        members = {
            "event": record.event,
            "round": round_.number,
            "table": pairing.table,
            "players": pairing.players,
            "game": last.first,
            "head": last.hash,
            "result": to_json(result),
        }
        countersignature = from_json(Countersignature, signed(record.signer, members))
        return Countersigned(who="hall", at=self._desk.now(), countersignature=countersignature, note=slip.hash)

    def _meant(self, value: Mapping[str, Any], table: int) -> tuple[Round, Pairing]:
        """Return round and pairing that a slip is about: those of its table, with its players.

        Raises Malformed if it can never be, Early if it may be later.
        """
        event, number = self._desk.event, value.get("round")
        round_ = published(event)
        last = 0 if round_ is None else round_.number
        if type(number) is not int or not 0 < number < WHOLE:
            raise Malformed("round: expected the one that is published, or a later one")
        if number < last:
            raise Malformed(_late(event, value, last))
        if round_ is None or number > last:
            raise Early("early", f"waits until round {number} is published")
        if not table:
            raise Early("early", "waits until its box is placed at a table")
        if round_.state == "published":
            raise Early("early", f"waits until round {number} is started")
        check_players(value, round_)
        pairing = next((each for each in round_.pairings if each.table == table), None)
        if pairing is None or value.get("players") != list(pairing.players):
            raise Early(
                "early", f"waits: others sit at table {table}. Place its box where they play, or change the pairing"
            )
        return round_, pairing


def _late(event: Event, slip: Mapping[str, Any], last: int) -> str:
    """Return what is said of a slip whose round is over: the organiser, who may key it in, must know what it says."""
    round_ = event.round(slip["round"])
    came = f"came after round {last} was published"
    where = f"Rounds, {round_.number}"
    pairing = next((each for each in round_.pairings if slip.get("players") == list(each.players)), None)
    if pairing is None or "result" not in slip:
        return f"{came}. If it counts, enter it on {where}"
    result = from_json(Result, slip["result"], "result")
    check_result(result, pairing.players, event.stages[round_.stage - 1].match, event.settings)
    if pairing.result == result:
        return f"{came}; it says what the desk has"
    where += f", table {pairing.table}"
    slips = in_words(result, pairing, lambda player: f"player {player}")
    if pairing.result is None:
        return f"{came}. If it counts, enter it on {where}: {slips}"
    desks = in_words(pairing.result, pairing, lambda player: f"player {player}")
    return (
        f"{came}. The desk has on {where}: {desks}. If the slip counts, use Correct there first, then enter: {slips}"
    )
