"""Test each die for fairness; the error rate holds however often somebody looks.

The evidence is an e-value: how many times better a die with unknown chances (a symmetric Dirichlet prior) explains
the faces than a fair one. At most one fair die in E ever reaches E (Ville's inequality; Ramdas, Grünwald, Vovk and
Shafer, arXiv 2210.01948). Dice are never pooled: two biased ones may look fair together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from referee.files.plain import counted
from referee.session import Origin, Rolled

PRIOR: Final = 20
"""Weight of each face before the first throw: how near to fair an unfair die is thought to be."""

ERROR: Final = 20
"""One in so many evenings with fair dice, at most, ends with an accusation, whatever the number of dice."""


class Evidence:
    """The e-value of one die, face by face."""

    def __init__(self) -> None:
        self.counts = [0] * 6
        self.value = 1.0
        self.highest = 1.0

    def add(self, face: int) -> None:
        """One more throw."""
        n = sum(self.counts)
        self.value *= 6 * (PRIOR + self.counts[face - 1]) / (6 * PRIOR + n)
        self.counts[face - 1] += 1
        self.highest = max(self.highest, self.value)


@dataclass
class TestedDie:
    """What one die showed.

    ``together``  whether it is all dice of one source, because nobody knows which of them showed a face
    ``unused``    what it told that did not count, by reason
    """

    name: str
    together: bool = False
    faces: list[int] = field(default_factory=list)
    evidence: Evidence = field(default_factory=Evidence)
    unused: Counter[str] = field(default_factory=Counter)

    @property
    def shown(self) -> str:
        """How much of it counts, in words: throws of one die, or faces of dice that nobody can tell apart."""
        return counted(len(self.faces), "face" if self.together else "throw")


def dice_of(throws: Iterable[Rolled]) -> list[TestedDie]:
    """Return each die by name; those without one by their source, and all that were keyed in together.

    Throws that were taken back do not count.
    """
    dice: dict[str, TestedDie] = {}

    def die(origin: Origin) -> TestedDie:
        name = "keyed dice" if origin.by_hand else str(Origin(origin.source, origin.die))
        return dice.setdefault(name, TestedDie(name, origin.by_hand or not origin.die))

    for thrown in throws:
        for face, origin in zip(thrown.faces, thrown.origins, strict=True):
            if not thrown.undone:
                die(origin).faces.append(face)
                die(origin).evidence.add(face)
        for unused in thrown.unused:
            die(unused.origin).unused[unused.why] += 1
    return sorted(dice.values(), key=lambda each: (-len(each.faces), each.name))


def sentences(throws: Iterable[Rolled]) -> list[str]:
    """Return what can be said of the dice, in plain sentences: a head, then of each die what was seen."""
    dice = dice_of(throws)
    if not dice:
        return ["No throws with known faces."]
    accused = [die for die in dice if die.evidence.highest >= ERROR * len(dice)]
    head = f"Not fair: {', '.join(die.name for die in accused)}" if accused else "No die is suspicious"
    single = len([die for die in dice if not die.together])
    judged = [f"{single} {'die was' if single == 1 else 'dice were'} judged."] if single else []
    together = ", ".join(die.name for die in dice if die.together)
    judged += [f"Dice that nobody can tell apart were judged together: {together}."] if together else []
    rate = f"Fair dice are called unfair on at most 1 evening in {ERROR}, however often somebody looks."
    return [" ".join((f"{head}.", *judged, rate)), *(line for die in dice for line in _of_die(die, len(dice)))]


def _of_die(die: TestedDie, dice: int) -> Iterator[str]:
    n, counts = len(die.faces), die.evidence.counts
    yield f"{die.name}: {die.shown}; faces 1 to 6 fell {', '.join(map(str, counts))} times."
    threshold = ERROR * dice
    if die.evidence.highest >= threshold:
        face = max(range(6), key=lambda at: abs(counts[at] - n / 6))
        often = "often" if counts[face] > n / 6 else "seldom"
        yield f"  Not fair: face {face + 1} falls too {often}, {counts[face]} times where {n / 6:.0f} are expected."
        yield f"  At most one fair die in {min(die.evidence.highest, 1e6):,.0f} ever looks like that."
    else:
        highest = f"{die.evidence.highest:.1f}"
        yield f"  Nothing speaks against it: its evidence was {highest} at most, and {threshold} calls a die unfair."
    if die.unused:
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(die.unused.items()))
        yield f"  Did not count: {reasons}. Readings that are lost more often for one face can fake a bias."
