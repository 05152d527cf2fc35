"""The state: companies, the attack under way, the strike being settled, and what was counted this turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from referee.games.the_wizards.strikes import STATUSES, TAPPED, UNTAPPED, hazard_limit, prowess
from referee.rulebook import Game, OneOf, Over, Pool, Range
from referee.rulebook.game import Limits

ATTACKER, DEFENDER = "attacker", "defender"
SEATS = {ATTACKER: "Attacker", DEFENDER: "Defender"}
ATTACK_LIMITS = {"prowess": Range(0, 30), "body": Range(0, 15), "excess": Range(0, 20)}
STRIKE_LIMITS = {
    "prowess": Range(0, 30),
    "body": Range(0, 15),
    "skills": Range(0, 9),
    "excess": Range(0, 20),
    "supporters": Range(0, 12),
    "hazards": Range(-20, 20),
    "resources": Range(-20, 20),
}
HAZARD_LIMIT = Range(1, 20)
MOST_HAZARDS, MOST_POINTS, MOST_MODIFIER, MOST_TOLD = 30, 30, 20, 99
"""Hazards on a company, a character's corruption points, the modifier of his check, turns and creatures: the most."""


@dataclass
class Character:
    """One character. ``wizard`` and ``hobbit`` as declared; a wizard None means nobody has said."""

    id: str
    name: str
    short: str
    prowess: int
    body: int
    status: str = UNTAPPED
    hobbit: bool = False
    wizard: bool | None = None
    cp: int = 0
    corruption_card: bool = False


@dataclass
class Company:
    """One company and its hazard limit; ``limit`` 0 until it is complete."""

    members: list[Character] = field(default_factory=list)
    limit: int = 0


@dataclass
class Attack:
    """One attack: what its card says, who has a strike, and how the strikes ended.

    ``body`` 0 is the card's "-". ``number`` counts the attacks of the card, ``of`` says how many it has.
    ``rest_left``: the defender has left the other strikes to the attacker; ``tapping``: he is tapping people for
    their cards before he says who takes one. ``results`` maps target -> result of his strike, "" while it is open.
    ``beaten``: every attack so far was.
    """

    source: str
    kind: str = ""
    strikes: int = 1
    prowess: int = 7
    body: int = 0
    number: int = 1
    of: int = 1
    by_attacker: bool = False
    rest_left: bool = False
    tapping: bool = False
    locked: bool = False
    excess: int = 0
    had_excess: bool = False
    results: dict[str, str] = field(default_factory=dict)
    beaten: bool = True


@dataclass
class Strike:
    """One strike while it is settled. ``stage`` is the step of ME-21 reached, 1 to 4; ``stance`` tap or stay.

    ``taken`` of the spare strikes in ``excess`` came out of the attack's; a card may add more.
    ``leaning`` is a stance said on the way to a card of step 4; it is settled when that card is played.
    From the throw on, ``faces``, ``modified`` (the prowess used), ``before`` (status) and ``kind`` (outcome) stand.
    """

    target: str
    prowess: int
    body: int
    stage: int = 1
    hazards: int = 0
    excess: int = 0
    taken: int = 0
    stance: str = ""
    leaning: str = ""
    supporters: int = 0
    resources: int = 0
    skills: int = 0
    faces: tuple[int, ...] = ()
    modified: int = 0
    before: str = ""
    kind: str = ""

    def add(self, what: str, by: int) -> None:
        """Change a counter, never beyond what the judge could set."""
        low, high, _ = STRIKE_LIMITS[what]
        setattr(self, what, max(low, min(high, getattr(self, what) + by)))


@dataclass
class Entry:
    """What has been entered of a check, a card or an attack; empty while a menu stands."""

    who: str = ""
    points: int = 0
    modifier: int = 0
    faces: tuple[int, ...] = ()

    def add(self, modifier: int) -> None:
        """Add one modifier to those entered before."""
        self.modifier = max(-MOST_MODIFIER, min(MOST_MODIFIER, self.modifier + modifier))


@dataclass
class Card:
    """What the card of an attack says; kept of the last one for entering the next, and the same again."""

    source: str = ""
    kind: str = ""
    strikes: int = 0
    prowess: int = 0
    body: int = 0


@lru_cache(maxsize=256)
def _place(turn: int, company: int, what: str) -> tuple[str, ...]:
    return (f"Turn {turn}", f"Company {company + 1}", what)


@dataclass
class WizardsGame(Game):
    """The Wizards as far as the referee knows it. ``alone``: a single ruling, without a company or counters."""

    force_excess: bool = False
    alone: bool = False
    turn: int = 1
    companies: list[Company] = field(default_factory=lambda: [Company()])
    at: int = 0
    named: int = 0
    hazards: int = 0
    faced: list[str] = field(default_factory=list)
    pile: int = 0
    attack: Attack | None = None
    strike: Strike | None = None
    entry: Entry = field(default_factory=Entry)
    card: Card = field(default_factory=Card)
    last: Card = field(default_factory=Card)

    # -- for the kit

    def place(self) -> tuple[str, ...]:
        """Return turn, company and whether an attack is under way."""
        return _place(self.turn, self.at, "Attack" if self.attack else "Company")

    def seats(self) -> Mapping[str, str]:
        """Return the two roles: who plays the hazards, and whose company it is."""
        return SEATS

    def pools(self) -> tuple[Pool, ...]:
        """Return hazards played, spare strikes, creatures in the pile, and each character's corruption points."""
        company = self.company
        found = [Pool("hazards", "Hazards", ATTACKER, self.hazards, max(company.limit, self.hazards))]
        if self.attack and self.attack.had_excess:
            spare, most = self.attack.excess, max(self.attack.strikes, self.attack.excess)
            found.append(Pool("excess", "Spare strikes", ATTACKER, spare, most))
        found.append(Pool("pile", "Creatures defeated", DEFENDER, self.pile, 99))
        found += [Pool(f"cp-{c.id}", f"{c.name} CP", DEFENDER, c.cp, 99) for c in company.members]
        return tuple(found)

    def status(self) -> str:
        """Return hazards played of the limit."""
        return f"Haz {self.hazards}/{self.company.limit}"

    def counted(self) -> None:
        """Say that the action under way is spent, and with it whatever it is part of."""
        self.attempts = [False] * len(self.attempts)

    def concede(self, seat: str) -> None:
        """Who gives up loses to the other role."""
        super().concede(seat)
        other = DEFENDER if seat == ATTACKER else ATTACKER
        self.over = Over("concession", f"{SEATS[seat]} gave up", (other,))

    @property
    def correctable(self) -> Mapping[str, Limits]:  # type: ignore[override]
        """Return what the judge may set: everybody's values and every counter."""
        found: dict[str, Limits] = {}
        for member in self.company.members:
            name = f"company.{member.id}"
            found |= {f"{name}-status": OneOf(STATUSES), f"{name}-cp": Range(0, MOST_POINTS)}
            found |= {f"{name}-corruption_card": OneOf((False, True), f"{member.short} card")}
            found |= {f"{name}-prowess": Range(0, 20), f"{name}-body": Range(1, 15)}
        if self.attack is not None:
            found |= {f"attack.{what}": each._replace(name=f"attack {what}") for what, each in ATTACK_LIMITS.items()}
            found |= {"attack.beaten": OneOf((False, True), "all beaten")}
            if not self.attack.locked:
                found |= {"attack.strikes": Range(0, 20, "attack strikes")}
        if self.strike is not None:
            found |= {f"strike.{what}": each._replace(name=f"strike {what}") for what, each in STRIKE_LIMITS.items()}
        if not self.alone:
            found |= {"hazards": Range(0, MOST_HAZARDS), "pile": Range(0, MOST_TOLD), "turn": Range(1, MOST_TOLD)}
            if self.company.limit:
                found |= {"company.limit": HAZARD_LIMIT}
        return found

    def _holder(self, path: str) -> tuple[Any, str]:
        head, _, last = path.partition(".")
        if head != "company":
            return super()._holder(path)
        who, _, what = last.rpartition("-")
        return (self.find(who), what) if who else (self.company, last)

    # -- people

    @property
    def company(self) -> Company:
        """The company that is moving."""
        return self.companies[self.at]

    @property
    def members(self) -> list[Character]:
        """The characters of that company."""
        return self.companies[self.at].members

    def find(self, who: str) -> Character:
        """Return a character of the company by id. Raises KeyError."""
        for member in self.companies[self.at].members:
            if member.id == who:
                return member
        raise KeyError(who)

    def remove(self, who: str) -> None:
        """Take a character out of the company."""
        self.company.members = [c for c in self.company.members if c.id != who]

    @property
    def fair_limit(self) -> int:
        """The hazard limit as the size of the company gives it (ME-50)."""
        return hazard_limit(sum(1 if c.hobbit else 2 for c in self.members))

    # -- the attack under way

    @property
    def foe(self) -> Attack:
        """The attack; only asked for while there is one."""
        assert self.attack is not None
        return self.attack

    @property
    def blow(self) -> Strike:
        """The strike; only asked for while there is one."""
        assert self.strike is not None
        return self.strike

    @property
    def unassigned(self) -> int:
        """Strikes without a target, spare ones not counted."""
        return max(0, self.foe.strikes - len(self.foe.results))

    def stays(self) -> bool:
        """Whether the target of the strike takes -3 and stays untapped; only an untapped one can (ME-12)."""
        return self.blow.stance == "stay" and self.find(self.blow.target).status == UNTAPPED

    def modified(self) -> int:
        """Return the prowess of the target of the strike as it stands now."""
        strike, target = self.blow, self.find(self.blow.target)
        changes = (strike.hazards, -strike.excess, strike.supporters, strike.resources)
        return prowess(target.prowess, target.status, stays=self.stays(), changes=changes)

    def play_hazard(self) -> None:
        """Count a hazard card against the limit (ME-51)."""
        self.hazards = min(MOST_HAZARDS, self.hazards + 1)

    def tap(self, who: str) -> None:
        """Tap a character who is untapped."""
        member = self.find(who)
        if member.status == UNTAPPED:
            member.status = TAPPED
