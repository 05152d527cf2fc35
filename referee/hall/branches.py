"""In which branches the journal of a box went on, and which of them counts.

Where a box was set back to an older copy of its journal and played on otherwise, two entries follow one: a fork. Both
branches are kept. The one that was begun last counts, until a judge chooses one (`BranchChosen`): then the others do
not, nor what follows from them. Everything here follows from the acts and from what has arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from referee.hall.uplink.intake import Intake, Node

Chosen: TypeAlias = Mapping[tuple[str, str], str]
"""As `Event.branches` has it: the hash of a branch's first entry, by box and the hash of the entry before it."""


@dataclass(frozen=True, slots=True)
class Branch:
    """``first``: the entry it begins with; ``end``: its last one; ``counts``: whether what it says counts."""

    first: Node
    end: Node
    counts: bool


@dataclass(frozen=True, slots=True)
class Fork:
    """``after``: the last entry that the branches share; ``chosen``: whether a judge has chosen one of them."""

    box: str
    after: Node
    branches: tuple[Branch, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Branches:
    """See the module. ``chosen``: returns what judges have chosen. Its methods raise JournalError."""

    intake: Intake
    chosen: Callable[[], Chosen] = dict

    def forks(self, box: str) -> list[Fork]:
        """Return every fork in the journal of a box, the newest first."""
        ends, chosen = self.intake.ends(box), self.chosen()
        forks = []
        for after in self.intake.forks(box):
            branches = []
            for first in self.intake.following(box, after):
                end = next(each for each in ends if self.intake.leads_to(first, each))
                branches.append(Branch(first, end, self.counts(box, end.hash)))
            forks.append(Fork(box, after, tuple(branches), (box, after.hash) in chosen))
        return forks

    def open(self) -> list[str]:
        """Return the keys of boxes with a fork of which nobody has chosen a branch."""
        chosen = self.chosen()
        return list(dict.fromkeys(box for box, after in self.intake.forked() if (box, after) not in chosen))

    def end(self, box: str) -> Node | None:
        """Return the last entry of the newest branch that counts, None where none does."""
        return next((end for end in self.intake.ends(box) if self.counts(box, end.hash)), None)

    def counts(self, box: str, digest: str) -> bool:
        """Whether the entry of a box with that hash stands on no branch in whose place a judge chose another."""
        chosen = [(after, first) for (key, after), first in self.chosen().items() if key == box]
        node = self.intake.find(box, digest) if chosen else None
        return node is None or not any(self._rejects(box, after, first, node) for after, first in chosen)

    def _rejects(self, box: str, after: str, chosen: str, node: Node) -> bool:
        fork = self.intake.find(box, after)
        others = self.intake.following(box, fork) if fork is not None else []
        return any(other.hash != chosen and self.intake.leads_to(other, node) for other in others)


@dataclass(frozen=True, slots=True)
class GameOnBranch:
    """A game as one branch has it. It is a `referee.hall.judging.judge.Game`.

    ``tail``: its last entry there; ``since``: number of its first one after the fork; ``of``: hash of the branch
    """

    intake: Intake
    box: str
    tail: Node
    since: int
    of: str

    @property
    def name(self) -> str:
        """What tells it from every other game, and from itself on other branches."""
        return f"{self.box} {self.tail.first} {self.of}"

    @property
    def entries(self) -> int:
        """How many entries it has."""
        return self.tail.seq + 1

    def records(self, since: int) -> list[dict[str, Any]]:
        """Return its entries from that number on."""
        return self.intake.records(self.tail, since)


def games_on(intake: Intake, fork: Fork, branch: Branch) -> list[GameOnBranch]:
    """Return every game, and all notes, that have entries on a branch after a fork; the newest first."""
    games = []
    for tail in intake.games(branch.end):
        if intake.leads_to(branch.first, tail):
            before = intake.tail(fork.after, tail.game)
            since = before.seq + 1 if before is not None and before.first == tail.first else 0
            games.append(GameOnBranch(intake, fork.box, tail, since, branch.first.hash))
    return sorted(games, key=lambda each: -each.tail.at)
