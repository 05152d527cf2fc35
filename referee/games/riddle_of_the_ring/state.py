"""The state of a game: everything that is counted, remembered or corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from referee.games.riddle_of_the_ring.tables import ATTACKER, CEILING, CHARACTER, KIND, NAME
from referee.rulebook import Game, OneOf, Over, Pool, Range, Short, phrase
from referee.rulebook.game import Limits

POWER_PLAYS = 2
"""Power Plays in one turn (RR-2)."""

HAND = 30
"""The largest hand that can be declared."""

MOST = CEILING + 2
"""The most points a side can stand at, where a card says otherwise than RR-63."""

FREED = 4
"""The turn in the Halls at whose start a player leaves (A-RR14)."""

MANY = 99
"""Where counters without a limit of their own stop counting."""


@dataclass
class Input:
    """What has been entered of the action under way; empty while the menu is pending.

    ``hands``  how many hands a Clairvoyance has still to see; ``seen``: whose it has seen, or who is near at a stop
    ``cards``  cards in the riddled hand; ``won``: those guessed
    ``drawn``  what Shelob drew, by player: an id of `taking.DRAWN`
    """

    card: str = ""
    mode: str = ""
    target: str = ""
    hands: int = 1
    seen: list[str] = field(default_factory=list)
    cards: int = 0
    won: int = 0
    drawn: dict[str, str] = field(default_factory=dict)


@dataclass
class Force:
    """One force on the table. ``city``: by which letter the table calls it, "" for a card."""

    owner: str
    name: str
    kind: str
    points: int
    retain: bool = False
    city: str = ""


@dataclass
class Battle:
    """The battle under way; ``attacker`` is "" while there is none.

    ``laid``, ``city``, ``points``: the force being laid, the letter of its city and its points, until it lies.
    ``result``: none, tie or win once it is over.
    """

    attacker: str = ""
    defender: str = ""
    attacker_kind: str = ""
    defender_kind: str = ""
    att_total: int = 0
    def_total: int = 0
    mover: str = ATTACKER
    forces: list[Force] = field(default_factory=list)
    laid: str = ""
    city: str = ""
    points: int = 0
    result: str = ""
    taken: bool = False


def _flags() -> dict[str, bool]:
    return dict.fromkeys(CHARACTER, False)


def _numbers() -> dict[str, int]:
    return dict.fromkeys(CHARACTER, 0)


def _unset() -> dict[str, str]:
    return dict.fromkeys(CHARACTER, "unset")


@dataclass
class RiddleGame(Game):
    """Riddle of the Ring as far as the referee knows it.

    ``players``       in seating order
    ``pp_used``       Power Plays of this turn (RR-2); ``power_plays``: their kinds
    ``stops``         of this turn
    ``near``, ``fe``  at this stop, by character: who is on or beside the mover, and the Friendly Exchange with each
    ``battled``       whom the player whose turn it is has attacked in it
    ``halls_turns``   turns begun in the Halls of Mandos (A-RR14)
    ``held``          cards in hands as riddled in this turn, 0 where nothing is known of them
    ``busy``          the Power Play under way, "none" if none is
    ``single``        a single ruling, in which nothing is counted
    """

    overshoot: bool = False
    return_first: bool = False
    single: bool = False
    started: bool = False
    players: tuple[str, ...] = ()
    round: int = 1
    pp_used: int = 0
    power_plays: list[str] = field(default_factory=list)
    moving: bool = False
    stops: int = 0
    near: dict[str, bool] = field(default_factory=_flags)
    fe: dict[str, str] = field(default_factory=_unset)
    battled: dict[str, bool] = field(default_factory=_flags)
    in_halls: dict[str, bool] = field(default_factory=_flags)
    halls_turns: dict[str, int] = field(default_factory=_numbers)
    held: dict[str, int] = field(default_factory=_numbers)
    busy: str = "none"
    entry: Input = field(default_factory=Input)
    battle: Battle = field(default_factory=Battle)

    correctable: ClassVar[Mapping[str, Limits]] = {
        "pp_used": Range(0, MANY, Short("PP used", "Power Plays used")),
        "stops": Range(0, MANY, "Stops"),
        "round": Range(1, 999, "Round"),
        **{
            f"in_halls.{c}": OneOf((False, True), phrase(Short("{} in Halls", "{} is in the Halls"), NAME[c]))
            for c in CHARACTER
        },
        **{
            f"halls_turns.{c}": Range(0, MANY, phrase(Short("{} turns", "{}: turns in the Halls"), NAME[c]))
            for c in CHARACTER
        },
        **{f"near.{c}": OneOf((False, True), phrase(Short("{} near", "{} is near"), NAME[c])) for c in CHARACTER},
        **{
            f"fe.{c}": OneOf(("unset", "done", "no-cards"), phrase(Short("{} FE", "{}: Friendly Exchange"), NAME[c]))
            for c in CHARACTER
        },
        **{
            f"battled.{c}": OneOf((False, True), phrase(Short("{} fought", "{} has fought"), NAME[c]))
            for c in CHARACTER
        },
        "battle.att_total": Range(0, MOST, "Attacker"),
        "battle.def_total": Range(0, MOST, "Defender"),
        "entry.cards": Range(0, HAND, "Hand"),
    }

    def place(self) -> tuple[str, ...]:
        """Return round, player and step of the turn."""
        if not self.started:
            return ("Ruling",) if self.single else ("Setup",)
        step = "After moving" if self.stops else "Before moving"
        if self.moving:
            step = "Moving"
        elif self.in_halls.get(self.seat):
            step = "In the Halls"
        return (f"Round {self.round}", NAME.get(self.seat, ""), step)

    def seats(self) -> Mapping[str, str]:
        """Return the players in seating order."""
        return {player: NAME[player] for player in self.players}

    def pools(self) -> tuple[Pool, ...]:
        """Return the Power Plays left this turn; in a battle also the points of both sides."""
        battle = self.battle
        left = (Pool("power-plays", "Power Plays left", self.seat, self.left, POWER_PLAYS),) if self.started else ()
        if not battle.attacker:
            return left
        return (
            *left,
            self._points("attacker", "{} attacks", battle.attacker, battle.att_total),
            self._points("defender", "{} defends", battle.defender, battle.def_total),
        )

    def _points(self, side: str, text: str, who: str, points: int) -> Pool:
        return Pool(side, phrase(text, self.name(who)), who, points, max(CEILING, points))

    def status(self) -> str:
        """Return the Power Plays left ("2 PP left")."""
        return (
            Short(f"{self.left} PP left", f"{self.left} Power {'Play' if self.left == 1 else 'Plays'} left")
            if self.started
            else ""
        )

    @property
    def left(self) -> int:
        """Power Plays left this turn."""
        return max(0, POWER_PLAYS - self.pp_used)

    @property
    def score(self) -> str:
        """The points of attacker and defender, "2-1"."""
        return f"{self.battle.att_total}-{self.battle.def_total}"

    def name(self, who: str) -> str:
        """Return what people call a player, or a side of a single battle: its kind, or its role if both are alike."""
        battle = self.battle
        if who in NAME:
            return NAME[who]
        if battle.attacker_kind == battle.defender_kind:
            return who.capitalize()
        return (battle.attacker_kind if who == ATTACKER else battle.defender_kind).capitalize()

    def in_play(self, who: str) -> bool:
        """Whether somebody plays that character, and has not given up."""
        return who in self.players and who not in self.conceded

    def others(self) -> tuple[str, ...]:
        """Return the other players still in play, in the order round the table."""
        here = self.players.index(self.seat) + 1 if self.seat in self.players else 0
        return tuple(
            p for p in self.players[here:] + self.players[:here] if p != self.seat and p not in self.conceded
        )

    def spend(self, kind: str) -> None:
        """Count one Power Play (RR-2); from here on only undo takes it back."""
        if not self.single:
            self.pp_used = min(MANY, self.pp_used + 1)
            self.power_plays.append(kind)
        self.counted()

    def begin_turn(self, seat: str) -> None:
        """Begin a turn: its counters start anew, and a turn in the Halls is counted (A-RR14)."""
        self.seat = seat
        self.pp_used = 0
        self.power_plays = []
        self.stops = 0
        self.new_stop()
        self.battled = _flags()
        self.held = _numbers()
        self.clear_action()
        if self.in_halls[seat]:
            self.halls_turns[seat] = min(MANY, self.halls_turns[seat] + 1)
            if self.halls_turns[seat] == FREED:
                self.remind("A-RR14", phrase("{} begins the 4th turn in the Halls and leaves them now", NAME[seat]))

    def new_stop(self) -> None:
        """Forget whom the mover was beside, and the Friendly Exchanges there (RR-48)."""
        self.near = _flags()
        self.fe = _unset()

    def clear_action(self) -> None:
        """Forget all that was entered of the action under way."""
        self.moving = False
        self.busy = "none"
        self.entry = Input()
        self.battle = Battle()

    def next_turn(self) -> None:
        """Give the turn to the next player in seating order who is still in play."""
        here = self.players.index(self.seat)
        for step in range(1, len(self.players) + 1):
            at = (here + step) % len(self.players)
            if self.in_play(self.players[at]):
                if at <= here:
                    self.round = min(999, self.round + 1)
                self.begin_turn(self.players[at])
                return

    def open_battle(self, attacker: str, defender: str, kinds: tuple[str, str] | None = None) -> None:
        """Begin a battle between two players, or between two kinds where no players are known."""
        attacker_kind, defender_kind = kinds or (KIND[attacker], KIND[defender])
        self.battle = Battle(attacker, defender, attacker_kind, defender_kind)

    def send_to_halls(self, who: str) -> None:
        """The loser of a battle goes to the Halls of Mandos (RR-68)."""
        if who in self.in_halls:
            self.in_halls[who] = True
            self.halls_turns[who] = 0

    def concede(self, seat: str) -> None:
        """Take note that a player gave up; the last one left wins."""
        self.conceded.append(seat)
        remain = [p for p in self.players if p not in self.conceded]
        if self.started and len(remain) == 1:
            self.over = Over("concession", phrase("{} is the last one left", NAME[remain[0]]), (remain[0],))
