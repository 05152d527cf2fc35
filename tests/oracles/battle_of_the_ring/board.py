"""What the oracle says, and what it keeps of the board: who plays which piece, who is left, who has won."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, DEAD, ENTS, PIECES, RING
from tests.oracles.side_by_side import FIRM

BACK = "back"
TABLE = "table"
Codes = dict[Any, str]
"""What can be answered, each with its refusal code, '' if it is open."""

Asking = Generator["Question", Any, Any]
"""What asks, and returns what came of it."""


class Dropped(Exception):
    """The action under way is dropped."""


class Conceded(Exception):
    """Whose turn it is has given up."""


class Finished(Exception):
    """Somebody has won."""


@dataclass(frozen=True)
class Question:
    """What must be asked now. ``column`` and ``row`` of a throw: where the table is read."""

    key: str
    seat: str
    kind: Literal["choose", "count", "roll"]
    codes: Callable[[], Codes] = dict
    back: bool = False
    column: str = ""
    row: str = ""

    def open(self) -> list[Any]:
        return [answer for answer, code in self.codes().items() if not code]


@dataclass(frozen=True)
class Event:
    """A ruling (its result and its data) or a reminder (the rule it recalls)."""

    what: str
    rules: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    changed: bool = True


def first_code(codes: Iterable[str]) -> str:
    """Return '' if one of them is open, else the code that is shown first."""
    codes = list(codes)
    return "" if "" in codes else min(codes, key=lambda code: rules.PRECEDENCE.index(code.rstrip("!")))


@dataclass
class State:
    """What the referee keeps; the names are those of the drive protocol's ``state``."""

    seat: str = TABLE
    phase: str = "setup"
    placed: int = 0
    round: int = 1
    on_board: dict[str, int] = field(default_factory=lambda: dict(rules.START))
    built: dict[str, int] = field(default_factory=dict)
    built_on: dict[str, int] = field(default_factory=dict)
    attacks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PIECES, 0))
    attack_limit: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PIECES, 0))
    moved: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*PIECES, RING), 0))
    movers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PIECES, 0))
    ring_owner: str = ALLIANCE
    ring_hex: str = "ordinary"
    ring_began: str = "ordinary"
    ring_moved: bool = False
    elven_stay: dict[str, int] = field(default_factory=lambda: dict.fromkeys("123456", 0))
    elven_closed: dict[str, bool] = field(default_factory=lambda: dict.fromkeys("123456", False))
    shire_owner: str = "hobbits"
    shire_third: bool = False
    third_took_ring: bool = False
    fangorn: str = "dormant"
    fangorn_hex: str = "open"
    isengard: str = "special"
    paths: str = "dormant"
    paths_entered: bool = False
    gandalf_in: str = "none"
    moria_used: bool = False
    conceded: list[str] = field(default_factory=list)


class Board:
    """The state, and what follows from it. ``is_desk``: single attacks are ruled, with anybody's pieces."""

    def __init__(
        self, players: int = 3, *, pact: bool = False, crowns: dict[str, int] | None = None, desk: bool = False
    ) -> None:
        self.players, self.pact, self.crowns, self.is_desk = players, pact, crowns or {}, desk
        self.state = State()
        self.events: list[Event] = []
        self.over: tuple[str, tuple[str, ...]] | None = None

    # -- who is who -----------------------------------------------------------------------------------------------

    @property
    def seat(self) -> str:
        return self.state.seat

    def turn_of(self, nation: str) -> bool:
        return self.seat == rules.force(nation, self.players)

    def force(self, piece: str) -> str:
        return rules.force(self.nation(piece), self.players)

    def nation(self, piece: str) -> str:
        return self.state.ring_owner if piece == RING else rules.NATIONS[piece]

    def own(self, piece: str) -> bool:
        return self.is_desk or self.force(piece) == self.seat

    def own_pieces(self) -> list[str]:
        return [piece for piece in (*PIECES, RING) if self.own(piece)]

    def alive(self, piece: str) -> bool:
        return piece == RING or self.state.on_board[piece] > 0

    def elves(self) -> bool:
        return self.state.on_board["elf"] > 0

    def asleep(self, piece: str) -> bool:
        dead = piece == DEAD and self.state.paths == "dormant"
        return dead or (piece == ENTS and self.state.fangorn == "dormant")

    def pools(self) -> list[tuple[str, str, int, int]]:
        """Return the counters beside the glass: piece, side, number, cap."""
        return [
            (piece, self.force(piece), number, rules.CAPS[piece]) for piece, number in self.state.on_board.items()
        ]

    # -- asking and announcing ------------------------------------------------------------------------------------

    def ask(
        self, key: str, codes: Callable[[], Codes], *, seat: str = "", back: bool = True, count: bool = False
    ) -> Asking:
        seat = seat or (TABLE if self.is_desk else self.seat)
        back = back and not self.is_desk
        return (yield Question(key, seat, "count" if count else "choose", codes, back))

    def decide(self, key: str, codes: Callable[[], Codes], *, cards: bool = False) -> Asking:
        """Ask unless there is one answer; ``cards``: and unless a card may open another."""
        open_ = [answer for answer, code in codes().items() if not code]
        soft = cards and any(code and not code.endswith(FIRM) for code in codes().values())
        return open_[0] if len(open_) == 1 and not soft else (yield from self.ask(key, codes))

    def announce(self, what: str, *rule: str, changed: bool = True, **data: Any) -> None:
        self.events.append(Event(what, rule, data, changed))

    def remind(self, rule: str) -> None:
        self.events.append(Event(rule))

    # -- losses and victory ---------------------------------------------------------------------------------------

    def eliminate(self, piece: str) -> None:
        state = self.state
        state.on_board[piece] = max(0, state.on_board[piece] - 1)
        if piece == "elf" and not self.elves():
            self.remind("BR-14")
        if piece == ENTS:
            state.fangorn = "dead"
        if piece == "gandalf":
            self.put_gandalf("none")

    def put_gandalf(self, place: str) -> None:
        """Gandalf is in Moria, in Fangorn, or in none of them."""
        self._leave_fangorn(self.state.gandalf_in, place)
        self.state.gandalf_in = place

    def put_ring(self, place: str) -> None:
        """The Ring Bearer is on that class of hex."""
        self._leave_fangorn(self.state.ring_hex, place)
        self.state.ring_hex = place

    def _leave_fangorn(self, place: str, to: str) -> None:
        """Once its army is awake, the hex is closed behind who leaves it (BR-57)."""
        if place == "fangorn" != to and self.state.fangorn != "dormant":
            self.state.fangorn_hex = "closed"

    def check_victory(self) -> None:
        winner, reason = rules.winner(self.state.ring_owner, self.state.ring_hex, self.players)
        if winner:
            self.win(winner, reason)

    def win(self, winner: str, reason: str) -> None:
        """Announce who has won, and raise Finished."""
        rule = "BR-8" if self.players == 2 and winner != ALLIANCE else rules.VICTORY_RULE[reason]
        self.announce("victory", rule, winner=winner, reason=reason)
        self.over = (reason, (winner,))
        raise Finished
