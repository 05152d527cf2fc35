"""The state: players, their companies, the attack being resolved, its current strike, and what was counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from referee.games.the_wizards.tables import (
    NO_BODY,
    STATUS_PROWESS,
    STAYS_PROWESS,
    TAPPED,
    UNTAPPED,
    hazard_limit,
    outcome,
)
from referee.rulebook import Bar, Conceded, Game, Option, Options, Over, Pool, Range, Short, joined, phrase
from referee.rulebook.game import Limits

ATTACKER, DEFENDER = "attacker", "defender"
SEATS = {ATTACKER: "Attacker", DEFENDER: "Defender"}
"""The roles, which are the seats of a single ruling."""
PLAYERS = tuple(f"player-{n}" for n in range(1, 6))
NAMES = SEATS | {player: f"Player {n}" for n, player in enumerate(PLAYERS, 1)}
SHORT_NAMES = {seat: Short(f"P{seat[-1]}" if seat in PLAYERS else name[:3], name) for seat, name in NAMES.items()}
CP = Short("{} CP", "{}: corruption points")
HAZARD_LIMIT = Range(1, 20, "Hazard limit")
HAZARDS = Range(0, 30, "Hazards")
LIMIT = Bar("ME-X01", "The hazard limit is reached")
POINTS = Range(0, 30)
"""Corruption points of a character."""
LASTING = Range(-5, 10)
"""The lasting modifier of a character's corruption checks."""
TURN = Range(1, 99, "Turn")
MARSHALLING = Range(0, 99)
"""Marshalling points of a player from creatures."""
MP = Short("{} MPs", "{}: marshalling points")
CHARACTER = {"prowess": Range(0, 20), "body": Range(1, 15)}
VALUES = {"prowess": Range(0, 30), "body": Range(NO_BODY, 15)}
"""Prowess and body of an attack and of one strike."""
STRIKES = Range(0, 20)
"""What the players can set, each with its limits."""


@dataclass
class Character:
    """One character.

    ``prowess``, ``body``  as printed
    ``wizard``             None while nobody has said whether it is one
    ``cp``                 corruption points (ME-60); ``corruption_card``: got a card this turn (ME-61)
    ``cards``              the points of each corruption card under it
    ``modifier``           its lasting modifier of a corruption check (ME-67)
    ``follows``            id of who controls it as a follower, "" for none
    """

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
    cards: tuple[int, ...] = ()
    modifier: int = 0
    follows: str = ""


@dataclass
class Company:
    """One company of a player with what was played on it this turn; ``limit`` is 0 until it is complete.

    ``faced`` names the kinds of the attacks it has faced, where a kind was entered.
    """

    owner: str = PLAYERS[0]
    members: list[Character] = field(default_factory=list)
    limit: int = 0
    hazards: int = 0
    faced: list[str] = field(default_factory=list)


@dataclass
class Attack:
    """One attack of a card.

    ``body`` 0 is the card's "-". ``number`` counts the attacks of the card, ``of`` says how many it has.
    ``rest_left``: the defender has left the remaining strikes to the attacker. ``tapping``: the defender changed a
    status before naming a target. ``excess`` counts the spare strikes not used yet. ``waived``: the attacker plays
    nothing more on its strikes. ``results`` maps target -> result of the strike, "" while it is open. ``beaten``:
    whether all attacks so far were.
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
    excess: int = 0
    had_excess: bool = False
    waived: bool = False
    results: dict[str, str] = field(default_factory=dict)
    beaten: bool = True


@dataclass
class Strike:
    """The strike being resolved.

    ``stage``        the step of ME-21 reached, 1 to 4, or 0 before the first
    ``passed``       the attacker plays nothing more on it
    ``stance``       "tap" or "stay", "" until the defender has chosen
    ``taken``        how much of ``excess`` came out of the attack's spare strikes; a card may allow more
    ``target_body``  the target's body for this strike only, 0 for the usual one
    ``faces``        of the throw; the status of the target changes once the strike is ruled on, after a body check
    """

    target: str
    prowess: int
    body: int
    target_body: int = 0
    stage: int = 0
    passed: bool = False
    hazards: int = 0
    excess: int = 0
    taken: int = 0
    stance: str = ""
    supporters: int = 0
    resources: int = 0
    skills: int = 0
    faces: tuple[int, ...] = ()


@dataclass
class Input:
    """What has been entered of a corruption check; ``hazards`` of ``modifier`` came of hazards."""

    who: str = ""
    modifier: int = 0
    hazards: int = 0


@dataclass
class Card:
    """What the last card of an attack said, which is offered again. ``body`` 0: "-".

    ``points``: the marshalling points that such a card gave last
    """

    source: str = ""
    kind: str = ""
    strikes: int = 0
    prowess: int = 0
    body: int = 0
    points: int = 1


def within(limits: Range, value: int) -> int:
    """Return the value, or the nearest one within the limits."""
    return max(limits.low, min(limits.high, value))


@lru_cache(maxsize=256)
def _people(who: tuple[tuple[str, str, str], ...], also: tuple[Option, ...]) -> Options:
    return Options((*(Option(*each) for each in who), *also))


@dataclass
class WizardsGame(Game):
    """The Wizards as far as the referee knows it.

    ``alone``        a single ruling, without a company or counters
    ``marshalling``  the players, with the marshalling points of each from creatures (ME-31)
    ``player``       whose turn it is; ``attacking``: who plays the hazards; ``lost``: whose Wizard was corrupted
    ``at``           index of the company that is moving
    ``numbered``     characters without a name so far
    """

    force_excess: bool = False
    alone: bool = False
    marshalling: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS[:2], 0))
    player: str = PLAYERS[0]
    attacking: str = PLAYERS[1]
    lost: list[str] = field(default_factory=list)
    turn: int = 1
    companies: list[Company] = field(default_factory=lambda: [Company()])
    at: int = 0
    numbered: int = 0
    attack: Attack | None = None
    strike: Strike | None = None
    entry: Input = field(default_factory=Input)
    last: Card = field(default_factory=Card)

    # -- for the kit

    def place(self) -> tuple[str, ...]:
        """Return the turn and whose it is, the company, and whether it is being attacked."""
        here = (f"Turn {self.turn}", NAMES[self.player], f"Company {self.number(self.at)}")
        return ("Ruling",) if self.alone else (*here, "Attack") if self.attack else here

    def seats(self) -> Mapping[str, str]:
        """Return the players; of a single ruling the two roles."""
        return {seat: NAMES[seat] for seat in (SEATS if self.alone else self.marshalling)}

    def short_names(self) -> Mapping[str, str]:
        """Return the seats in a few letters."""
        return SHORT_NAMES

    def pools(self) -> tuple[Pool, ...]:
        """Return hazards played, spare strikes, each player's marshalling, each character's corruption points."""
        if self.alone:
            return ()
        company, owner = self.company, self.player
        pools = [Pool("hazards", "Hazards", self.attacker, self.hazards, max(company.limit, self.hazards))]
        if self.attack and self.attack.had_excess:
            spare, most = self.attack.excess, max(self.attack.strikes, self.attack.excess)
            pools.append(Pool("excess", "Spare strikes", self.attacker, spare, most))
        pools += [
            Pool(f"mp-{p}", phrase(MP, SHORT_NAMES[p]), "Creatures", points, MARSHALLING.high)
            for p, points in self.marshalling.items()
        ]
        pools += [Pool(f"cp-{c.id}", phrase(CP, c.name), owner, c.cp, POINTS.high) for c in company.members]
        return tuple(pools)

    def status(self) -> str:
        """Return hazards played and the hazard limit."""
        return (
            "" if self.alone else phrase(Short("Hazards {}/{}", "Hazards {} of {}"), self.hazards, self.company.limit)
        )

    def counted(self) -> None:
        """Mark the current action as spent, and every action it is part of."""
        self.attempts = [False] * len(self.attempts)

    def concede(self, seat: str) -> None:
        """Take note that a player gave up; the last one left wins."""
        super().concede(seat)
        self.leave_game("concession", f"{NAMES[seat]} gave up")

    def leave_game(self, reason: str, text: str) -> None:
        """End the game if one player is left; else another one attacks where the attacker is gone."""
        left = [seat for seat in self.seats() if seat not in self.gone]
        if len(left) == 1:
            self.over = Over(reason, text, (left[0],))
        elif self.attacking in self.gone:
            self.attacking = self.next_to(self.player)

    # -- players

    @property
    def gone(self) -> list[str]:
        """Who has given up or lost."""
        return self.conceded + self.lost

    @property
    def mover(self) -> str | None:
        """Whose turn it is; nobody's in a single ruling."""
        return None if self.alone else self.player

    @property
    def attacker(self) -> str:
        """The seat of who plays the hazards."""
        return ATTACKER if self.alone else self.attacking

    @property
    def defender(self) -> str:
        """The seat of whose company it is."""
        return DEFENDER if self.alone else self.player

    def go_on(self) -> None:
        """Raise Conceded where the player whose company is attacked has given up while somebody else was asked."""
        if self.player in self.gone:
            raise Conceded

    def next_to(self, player: str) -> str:
        """Return the next player in the order of turns who is still in the game."""
        order = list(self.marshalling)
        here = order.index(player) + 1
        return next((each for each in order[here:] + order[:here] if each not in self.gone), player)

    def next_turn(self) -> None:
        """Begin the turn of the next player: what was played and faced is cleared (ME-61)."""
        self.turn = within(TURN, self.turn + 1)
        for company in self.companies:
            company.hazards, company.faced = 0, []
            for member in company.members:
                member.corruption_card = False
        self.player = self.next_to(self.player)
        self.attacking = self.next_to(self.player)
        if not self.own(self.player):
            self.companies.append(Company(self.player))
        own = self.own(self.player)
        self.at = next((i for i in own if self.companies[i].members), own[0])

    def own(self, player: str) -> list[int]:
        """Return the indices of the companies of a player."""
        return [i for i, company in enumerate(self.companies) if company.owner == player]

    def number(self, at: int) -> int:
        """Return the number of a company among those of its player."""
        return self.own(self.companies[at].owner).index(at) + 1

    @property
    def correctable(self) -> Mapping[str, Limits]:  # type: ignore[override]
        """Return what the judge may set: the counters. Characters change by *Status*, a strike by undo."""
        if self.alone:
            return {}
        limits = {"company.hazards": HAZARDS, "company.limit": HAZARD_LIMIT, "turn": TURN}
        if not self.company.limit:
            del limits["company.limit"]
        points = {f"marshalling.{p}": MARSHALLING._replace(name=phrase(MP, SHORT_NAMES[p])) for p in self.marshalling}
        return limits | points

    # -- people

    @property
    def company(self) -> Company:
        """The company that is moving."""
        return self.companies[self.at]

    @property
    def members(self) -> list[Character]:
        """The characters of that company."""
        return self.company.members

    def find(self, who: str) -> Character:
        """Return a character of the company by id. Raises KeyError."""
        for member in self.members:
            if member.id == who:
                return member
        raise KeyError(who)

    def people(self, *also: Option) -> Options:
        """Return the characters of the company as options, then what else can be answered."""
        return _people(tuple((c.id, c.name, c.short) for c in self.members), also)

    def followers(self, who: str) -> list[Character]:
        """Return the followers of a character."""
        return [c for c in self.members if c.follows == who]

    def freed(self, who: str) -> tuple[str, ...]:
        """Return a line on what becomes of the followers of a character who goes; none where there are none."""
        names = joined(" and ", (c.name for c in self.followers(who)))
        many = "are" if len(self.followers(who)) > 1 else "is"
        return (phrase(Short("{} stays", f"{{}} {many} nobody's follower now"), names),) if names else ()

    def remove(self, who: str) -> None:
        """Take a character out of the company; an open strike loses its target with him and is not defeated."""
        for follower in self.followers(who):
            follower.follows = ""
        self.company.members = [c for c in self.members if c.id != who]
        if self.attack is not None and self.attack.results.get(who) == "":
            self.attack.results[who] = "no-target"
        if self.strike is not None and self.strike.target == who:
            self.strike = None

    def tap(self, who: str) -> None:
        """Tap a character who is untapped."""
        member = self.find(who)
        if member.status == UNTAPPED:
            member.status = TAPPED

    # -- hazards

    @property
    def hazards(self) -> int:
        """Hazards played on the company this turn."""
        return self.company.hazards

    @property
    def hazards_left(self) -> int:
        """How many hazards the limit still allows."""
        return max(0, self.company.limit - self.company.hazards)

    @property
    def proposed_limit(self) -> int:
        """The hazard limit by the size of the company (ME-50)."""
        return hazard_limit(sum(1 if c.hobbit else 2 for c in self.members))

    def play_hazard(self) -> None:
        """Count a hazard card against the limit (ME-51)."""
        self.company.hazards = within(HAZARDS, self.company.hazards + 1)

    def bar_anytime(self, entry: str) -> Bar | None:
        """Return ME-X01 for a hazard beyond the limit, ME-X11 if everybody had a corruption card this turn."""
        if entry == "hazard" and not self.hazards_left:
            return LIMIT
        had_one = entry == "card" and all(c.corruption_card for c in self.members)
        return Bar("ME-X11", "Everybody had a corruption card this turn") if had_one else None

    # -- the attack and its strikes

    @property
    def current_attack(self) -> Attack:
        """The attack being resolved; only asked for while there is one."""
        assert self.attack is not None
        return self.attack

    @property
    def current_strike(self) -> Strike:
        """The strike being resolved; only asked for while there is one."""
        assert self.strike is not None
        return self.strike

    @property
    def unassigned(self) -> int:
        """Strikes without a target."""
        return max(0, self.current_attack.strikes - len(self.current_attack.results))

    @property
    def free(self) -> list[str]:
        """Ids of the characters without a strike of the attack."""
        return [c.id for c in self.members if c.id not in self.current_attack.results]

    @property
    def target(self) -> Character:
        """The target of the strike."""
        return self.find(self.current_strike.target)

    def stays(self) -> bool:
        """Whether the target takes -3 and stays untapped; only an untapped one can (ME-12)."""
        return self.current_strike.stance == "stay" and self.target.status == UNTAPPED

    def parts(self) -> dict[str, int]:
        """Return what the prowess of the target is made of as things are now, and its sum as ``modified``."""
        strike, target = self.current_strike, self.target
        parts = {
            "printed": target.prowess,
            "status": STATUS_PROWESS[target.status],
            "stays": STAYS_PROWESS if self.stays() else 0,
            "hazards": strike.hazards,
            "excess": -strike.excess,
            "supporters": strike.supporters,
            "resources": strike.resources,
        }
        return parts | {"modified": sum(parts.values())}

    def modified(self) -> int:
        """Return the target's prowess with status, stance, cards and support as they are now (ME-10 to ME-14)."""
        return self.parts()["modified"]

    def outcome(self) -> str:
        """Return what the throw for the strike came to: fails, ineffectual or successful (ME-23)."""
        return outcome(sum(self.current_strike.faces) + self.modified(), self.current_strike.prowess)

    def target_body(self) -> int:
        """Return the body of the target for this strike."""
        return self.current_strike.target_body or self.target.body
