"""Slips and challenges that the desk did not take: what it says of them, and what their players are told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from referee.errors import Malformed
from referee.hall.seatings import published
from referee.tournament import Event, Pairing, Round
from referee.tournament.words import listed

CANNOT_BE: Final = "it cannot be of this match"
"""What people are told where a program only says which member was expected."""
_OF_A_MEMBER: Final = re.compile(r"\w[\w\[\].]*: ")


class NotTaken(NamedTuple):
    """``box``: its key; ``round``: which the note names; ``kind``: slip or challenge; ``why``: players by number."""

    box: str
    round: int
    kind: str
    why: str

    @property
    def words(self) -> str:
        """Why it was not taken, for people."""
        return CANNOT_BE if _OF_A_MEMBER.match(self.why) else self.why

    def pairing(self, event: Event) -> Pairing | None:
        """Return who plays at the table of its box, None in another round than its own."""
        round_ = published(event)
        table = next((table for table, box in event.boxes.items() if box == self.box), 0)
        if round_ is None or round_.number != self.round or not table:
            return None
        return next((each for each in round_.pairings if each.table == table), None)

    def at_desk(self, event: Event) -> str:
        """Return what the desk says as long as the match at the table is open, "" afterwards."""
        pairing = self.pairing(event)
        if pairing is None or pairing.result is not None:
            return ""
        return f"A {self.kind} of table {pairing.table} was not taken: {self.words}. See Boxes, What to look into."

    def at_box(self, event: Event) -> str:
        """Return what the players are told, "" where it does not matter any more."""
        pairing = self.pairing(event)
        if pairing is None or (self.kind == "slip" and pairing.countersigned is not None):
            return ""
        return f"Not taken: {self.words}"


def not_taken(box: str, kind: str, value: Any, why: str) -> NotTaken | None:
    """Return what was not taken of a note (its member ``value``); None for a call, or what names no round."""
    number = value.get("round") if isinstance(value, dict) else None
    return NotTaken(box, number, kind, why) if kind != "call" and type(number) is int else None


def check_players(slip: Mapping[str, Any], round_: Round) -> None:
    """Raise Malformed if a slip is of players who do not meet so in a round, wherever its box stands."""
    players = slip.get("players")
    if not isinstance(players, list) or not players or not all(type(each) is int for each in players):
        raise Malformed("players: expected their numbers, by seat")
    if any(players == list(each.players) for each in round_.pairings):
        return
    who = listed(f"player {each}" for each in players)
    if any(set(players) == set(each.players) for each in round_.pairings):
        raise Malformed(f"the sides of {who} were exchanged")
    raise Malformed(f"it is of {who}, who do not meet in round {round_.number}")
