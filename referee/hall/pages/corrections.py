"""Which act of the record corrects or takes back which earlier one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Final

from referee.tournament.acts import Act
from referee.tournament.acts.floor import PenaltyGiven, PenaltyLifted
from referee.tournament.acts.matches import (
    ChallengeRejected,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    SidesBid,
)
from referee.tournament.acts.people import (
    CheckedIn,
    CheckInTakenBack,
    PlayerAdded,
    PlayerChanged,
    PlayerDropped,
    PlayerReturned,
)
from referee.tournament.acts.rounds import DraftDiscarded, RoundPaired, RoundPublished, RoundUnpublished
from referee.tournament.acts.stages import StageOpened, StageTakenBack

_SAME: Final[Mapping[type[Act], tuple[type[Act], tuple[str, ...]]]] = {
    ChallengeRejected: (ResultChallenged, ("round", "table")),
    CheckInTakenBack: (CheckedIn, ("player",)),
    DraftDiscarded: (RoundPaired, ()),
    PlayerChanged: (PlayerAdded, ("player",)),
    PlayerReturned: (PlayerDropped, ("player",)),
    ResultEntered: (ResultTakenBack, ("round", "table")),
    ResultTakenBack: (ResultEntered, ("round", "table")),
    RoundUnpublished: (RoundPublished, ("round",)),
    SidesBid: (SidesBid, ("round", "table", "game")),
    StageTakenBack: (StageOpened, ()),
}
"""What an act corrects: the last act of that kind with which it shares these members."""


def corrections(acts: Iterable[Act]) -> dict[int, int]:
    """Return the number of the act that each act corrects or takes back, by its own number; both from 1 on.

    A result that is entered in the place of one that was taken back corrects the one that was entered first.
    """
    found: dict[int, int] = {}
    done: dict[Hashable, list[int]] = {}
    penalties: list[int] = []
    for number, act in enumerate(acts, 1):
        if isinstance(act, PenaltyGiven):
            penalties.append(number)
        elif isinstance(act, PenaltyLifted):
            found[number] = penalties.pop(act.penalty - 1)
        kind, members = _SAME.get(type(act), (type(act), ()))
        earlier = done.get((kind, *(getattr(act, name) for name in members)))
        if type(act) in _SAME and earlier:
            wrong = earlier.pop()
            found[number] = found.get(wrong, wrong) if isinstance(act, ResultEntered) else wrong
        for _, shared in (each for each in _SAME.values() if each[0] is type(act)):
            done.setdefault((type(act), *(getattr(act, name) for name in shared)), []).append(number)
    return found
