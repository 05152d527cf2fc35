"""What the oracle keeps of a game, and how it asks. Fields that are compared have the names of the drive protocol."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeVar

from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.rules import UNTAPPED

BACK = "back"
TABLE, ATTACKER, DEFENDER, OWNER = "table", "attacker", "defender", "owner"
"""Who is asked: anybody, or a role, which `Game.seat` gives to a player; in a single ruling the owner is anybody."""


class Bar(NamedTuple):
    """Why an option is not open; ``firm`` where not even a card can say otherwise."""

    code: str
    firm: bool = False


class Dropped(Exception):
    """Thrown into a procedure when the players take back an action that is not counted yet."""


class Lost(Exception):
    """A player has lost: what is under way is dropped, and the next turn begins."""


class Finished(Exception):
    """The game ends, whatever is under way. ``args``: the reason, then the winners."""


@dataclass(frozen=True)
class Question:
    """What must be asked now.

    ``bars``: None for what is open; ``odds``, ``need``: of a throw; ``default``: the number that is proposed.
    """

    key: str
    seat: str
    kind: Literal["choose", "count", "roll"]
    bars: Mapping[str, Bar | None] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    odds: Mapping[str, Fraction] = field(default_factory=dict)
    need: str = ""
    default: int | None = None

    @property
    def open(self) -> list[str]:
        return [id_ for id_, bar in self.bars.items() if bar is None]

    @property
    def numbers(self) -> list[int]:
        return [n for n in range(self.low, self.high + 1) if str(n) not in self.barred]

    @property
    def stuck(self) -> bool:
        """Whether only a card, or the way back, leads on."""
        return not (self.numbers if self.kind == "count" else self.kind == "roll" or self.open)

    @property
    def barred(self) -> dict[str, Bar]:
        return {id_: bar for id_, bar in self.bars.items() if bar is not None}


@dataclass(frozen=True)
class Event:
    """A ruling: its result, the numbers behind it, whether it changes anything, and the rules it rests on."""

    what: str
    numbers: Mapping[str, Any]
    changed: bool
    rules: tuple[str, ...]


Ask = Question | Callable[[], Question]
"""A question, or what makes it again after the judge has set a counter."""
T = TypeVar("T")
Steps = Generator[Ask, Any, T]


@dataclass
class Character:
    """One character. ``wizard`` is None where nobody has said whether it is one."""

    id: str
    prowess: int
    body: int
    hobbit: bool = False
    wizard: bool | None = None
    status: str = UNTAPPED
    cp: int = 0
    corruption_card: bool = False
    cards: list[int] = field(default_factory=list)
    modifier: int = 0
    follows: str = ""


@dataclass
class Company:
    """One company, with the hazards played on it in this turn and the kinds of attacks it has faced."""

    owner: str = "player-1"
    members: list[Character] = field(default_factory=list)
    limit: int = 0
    hazards: int = 0
    faced: list[str] = field(default_factory=list)

    def play(self, hazards: int = 1) -> None:
        """ME-51: a hazard card counts; thirty are counted at most."""
        self.hazards = min(30, self.hazards + hazards)

    def size_limit(self) -> int:
        hobbits = sum(each.hobbit for each in self.members)
        return rules.hazard_limit(len(self.members) - hobbits, hobbits)


@dataclass
class Attack:
    """One attack of a card. ``results``: by target, empty until the strike is resolved."""

    source: str
    strikes: int
    prowess: int
    body: int
    of: int = 1
    number: int = 1
    kind: str = ""
    by_attacker: bool = False
    rest_left: bool = False
    locked: bool = False
    excess: int = 0
    had_excess: bool = False
    waived: bool = False
    results: dict[str, str] = field(default_factory=dict)
    beaten: bool = True

    def begin(self) -> None:
        """Forget the strikes of the attack before on the same card."""
        self.rest_left = self.locked = self.had_excess = self.waived = False
        self.excess = 0
        self.results = {}

    @property
    def unresolved(self) -> list[str]:
        return [target for target, result in self.results.items() if not result]


@dataclass
class Strike:
    """One strike.

    ``stage``: the step that was reached; ``taken``: what it cost of the spare strikes.
    """

    target: str
    prowess: int
    body: int
    target_body: int = 0
    stage: int = rules.HAZARDS
    passed: bool = False
    hazards: int = 0
    excess: int = 0
    taken: int = 0
    stance: str = ""
    supporters: int = 0
    resources: int = 0
    skills: int = 0


@dataclass
class Game:
    """Everything there is. ``alone``: a single ruling, where nobody has a company."""

    force_excess: bool = False
    alone: bool = False
    players: int = 2
    player: str = "player-1"
    attacking: str = "player-2"
    lost: list[str] = field(default_factory=list)
    conceded: list[str] = field(default_factory=list)
    marshalling: dict[str, int] = field(default_factory=dict)
    turn: int = 1
    at: int = 0
    numbered: int = 0
    companies: list[Company] = field(default_factory=lambda: [Company()])
    attack: Attack | None = None
    strike: Strike | None = None
    last: tuple[int, int, int, int] = (0, 0, 0, 1)
    modifier: int = 0
    by_hazards: int = 0
    over: tuple[str, tuple[str, ...]] | None = None
    events: list[Event] = field(default_factory=list)
    attempts: list[bool] = field(default_factory=list)

    @property
    def company(self) -> Company:
        return self.companies[self.at]

    @property
    def members(self) -> list[Character]:
        return self.company.members

    def member(self, id_: str) -> Character:
        return next(each for each in self.members if each.id == id_)

    def seat(self, role: str) -> str:
        """Return who is asked in this role."""
        if self.alone:
            return TABLE if role == OWNER else role
        return {ATTACKER: self.attacking, DEFENDER: self.player, OWNER: self.player}.get(role, role)

    @property
    def out(self) -> list[str]:
        return self.conceded + self.lost

    def goes(self, reason: str) -> None:
        """End the game if one player is left; else another one attacks where the attacker is out."""
        players = (ATTACKER, DEFENDER) if self.alone else self.marshalling
        left = [player for player in players if player not in self.out]
        if len(left) == 1:
            self.over = (reason, (left[0],))
        elif self.attacking in self.out:
            self.attacking = rules.attacks(self.players, self.out, self.player)

    def go_on(self) -> None:
        """Whoever has given up is attacked no more."""
        if self.player in self.conceded:
            raise Lost

    def own(self) -> list[int]:
        return [i for i, company in enumerate(self.companies) if company.owner == self.player]

    def target(self) -> Character:
        assert self.strike is not None
        return self.member(self.strike.target)

    def announce(self, result: str, numbers: Mapping[str, Any], changed: bool, *by: str) -> None:
        self.events.append(Event(result, numbers, changed, by))

    def correct(self, path: str, value: Any) -> None:
        """Set a field as the judge says, by its path in the drive protocol."""
        head, _, last = path.partition(".")
        if head == "marshalling":
            self.marshalling[last] = value
        elif head == "company":
            setattr(self.company, last, value)
        else:
            setattr(self, head, value)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Let what happens inside be taken back until it is counted."""
        self.attempts.append(True)
        try:
            yield
        except Dropped:
            pass
        finally:
            self.attempts.pop()

    def counted(self) -> None:
        """Something was thrown, played or tapped: what is under way cannot be dropped any more."""
        self.attempts = [False] * len(self.attempts)


# -- how things are asked -----------------------------------------------------------------------------------------


def choose(key: str, seat: str, bars: Mapping[str, Bar | None]) -> Question:
    return Question(key, seat, "choose", bars)


def offer(*ids: str) -> dict[str, Bar | None]:
    """Return options that are all open."""
    return dict.fromkeys(ids)


def bar(code: str | None, *, firm: bool = False) -> Bar | None:
    return Bar(code, firm) if code else None


def number(key: str, low: int, high: int, seat: str = TABLE) -> Steps[int]:
    """Ask for a number that is chosen like an option."""
    answer = yield lambda: choose(key, seat, offer(*map(str, range(low, high + 1))))
    return int(answer)


def read(ask: Ask) -> Question:
    return ask if isinstance(ask, Question) else ask()


def decide(ask: Ask) -> Steps[str]:
    """Ask only where more than one option is open."""
    now = read(ask).open
    if len(now) == 1:
        return now[0]
    return str((yield ask))


def decide_number(ask: Ask) -> Steps[int]:
    """Ask only where more than one number is open."""
    now = read(ask).numbers
    if len(now) == 1:
        return now[0]
    return int((yield ask))


def needed(wins: Callable[[int], bool]) -> str:
    """Return the least throw of two dice that does it, as it is shown."""
    enough = [throw for throw in range(2, 13) if wins(throw)]
    return "never" if not enough else "any" if enough[0] == 2 else f"{enough[0]}+"


def roll(
    key: str, seat: str, odds: Mapping[str, int] | Mapping[str, Fraction], wins: Callable[[int], bool]
) -> Steps[tuple[int, ...]]:
    """Ask for two dice, or for their sum as the only one. Weights of ``odds`` are ways out of 36."""
    shares = {result: Fraction(weight) / 36 for result, weight in odds.items() if weight}
    faces: tuple[int, ...] = yield Question(key, seat, "roll", low=2, high=2, odds=shares, need=needed(wins))
    return faces
