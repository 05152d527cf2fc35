"""The state of a game: everything that is counted, remembered or corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.games.battle_of_the_ring.pieces import FORCE_NAMES, FORCES, NAME, PIECES, RING, SHORT, SHORT_FORCES, own
from referee.rulebook import Game, OneOf, Option, Over, Pool, Range, Ruling, Short, written
from referee.rulebook.game import Limits

PHASE_NAMES = {
    "building": "Building",
    "first-movement": "1st Movement",
    "attack": "Attack",
    "second-movement": "2nd Movement",
}
PHASES = tuple(PHASE_NAMES)
ELVEN = ("1", "2", "3", "4", "5", "6")
RING_HEXES = ("ordinary", *(f"elven-{k}" for k in ELVEN), "fangorn", "isengard", "barad-dur", "mount-doom")
MAIN_ARMY = {"sauron": "orc", "evil": "orc", "saruman": "man-orc", "alliance": "gondor"}


@dataclass
class Input:
    """What has been entered of the action under way; empty while a menu is pending.

    ``hexes``    how far the piece moves, None while that has not been entered
    ``answers``  to the questions at the end of a phase, by their keys
    """

    piece: str = ""
    target: str = ""
    helped: str = ""
    position: str = ""
    place: str = ""
    hexes: int | None = None
    answers: dict[str, Any] = field(default_factory=dict)


def _none() -> dict[str, int]:
    return dict.fromkeys(PIECES, 0)


@dataclass
class RingGame(Game):
    """Battle of the Ring as far as the referee knows it.

    ``placed``        players who have confirmed the setup checklist, 0 to 3
    ``built``, ``built_on``  builds of this phase by allowance and by place; ``builds``, ``built_before``: pairs
                      (nation, place) of this round and of the round before
    ``attack_limit``  pieces of a type when the Attack Phase began, ``movers``: when the Movement Phase began
    ``moved``         hexes entered in this phase for a type, or for the Ring Bearer
    ``ring_began``    class of hex in which the Ring Bearer began this phase; ``ring_moved``: it has made its escape
    ``shire_third``   a piece of Sauron's is on hex R; ``third_took_ring``: it may have been, for it took the Ring
    ``last``          the last attack, for the same again
    """

    players: int = 3
    evil_pact: bool = False
    crowns: dict[str, int] = field(default_factory=lambda: {"harad": 1, "iron-mountains": 1})
    phase: str = "setup"
    placed: int = 0
    round: int = 1
    on_board: dict[str, int] = field(default_factory=lambda: {p.id: p.start for p in PIECES.values()})
    built: dict[str, int] = field(default_factory=dict)
    built_on: dict[str, int] = field(default_factory=dict)
    builds: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    built_before: list[tuple[str, str]] = field(default_factory=list)
    attacks: dict[str, int] = field(default_factory=_none)
    attack_limit: dict[str, int] = field(default_factory=_none)
    ring_owner: str = "alliance"
    ring_hex: str = "ordinary"
    ring_began: str = "ordinary"
    ring_moved: bool = False
    moved: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*PIECES, RING), 0))
    movers: dict[str, int] = field(default_factory=_none)
    elven_stay: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ELVEN, 0))
    elven_closed: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(ELVEN, False))
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
    entry: Input = field(default_factory=Input)
    last: Input = field(default_factory=Input)

    correctable: ClassVar[Mapping[str, Limits]] = {
        **{f"on_board.{p.id}": Range(0, p.cap, Short(p.short, p.name)) for p in PIECES.values()},
        **{
            f"attacks.{p.id}": Range(0, 99, Short(f"{p.short} att.", f"{p.name}: attacks of this phase"))
            for p in PIECES.values()
        },
        "round": Range(1, 99, "Round"),
        "ring_owner": OneOf(("alliance", "sauron", "saruman"), Short("Ring of", "The Ring belongs to")),
        "ring_hex": OneOf(RING_HEXES, Short("Ring hex", "Hex of the Ring")),
        "ring_moved": OneOf((False, True), Short("Escaped", "The Ring Bearer has escaped")),
        **{f"moved.{p}": Range(0, 99, Short(f"{SHORT[p]} move", f"{NAME[p]}: hexes moved")) for p in (*PIECES, RING)},
        **{f"elven_stay.{k}": Range(0, 3, Short(f"Elven {k} stay", f"Elven hex {k}: turns stayed")) for k in ELVEN},
        **{
            f"elven_closed.{k}": OneOf((False, True), Short(f"Elven {k} left", f"Elven hex {k} was left"))
            for k in ELVEN
        },
        "shire_owner": OneOf(("hobbits", "saruman"), Short("Shire of", "The Shire belongs to")),
        "shire_third": OneOf((False, True), Short("Shire 3rd", "A piece of Sauron is on hex R")),
        "fangorn": OneOf(("dormant", "active", "dead"), Short("Ent army", "Fangorn army")),
        "fangorn_hex": OneOf(("open", "closed"), "Fangorn hex"),
        "isengard": OneOf(("special", "ordinary"), "Isengard"),
        "paths": OneOf(("dormant", "aragorn-inside", "closed"), Short("Paths", "Paths of the Dead")),
        "gandalf_in": OneOf(("none", "moria", "fangorn"), Short("Gandalf in", "Gandalf is in")),
        "moria_used": OneOf((False, True), Short("Moria used", "Moria was used")),
    }

    def place(self) -> tuple[str, ...]:
        """Return round, player and phase."""
        if self.phase == "setup":
            return ("Setup",)
        return (f"Round {self.round}", FORCE_NAMES.get(self.seat, ""), PHASE_NAMES[self.phase])

    def seats(self) -> Mapping[str, str]:
        """Return the players in the order of their turns (BR-2)."""
        return {force: FORCE_NAMES[force] for force in FORCES[self.players]}

    def short_names(self) -> Mapping[str, str]:
        """Return names that leave room for two pieces beside them."""
        return {force: SHORT_FORCES[force] for force in FORCES[self.players] if force in SHORT_FORCES}

    def pools(self) -> tuple[Pool, ...]:
        """Return how many of each piece are on the board."""
        return tuple(Pool(p.id, p.name, self.force_of(p.id), self.on_board[p.id], p.cap) for p in PIECES.values())

    def status(self) -> str:
        """Return the commonest army of the player whose turn it is ("Orc 25")."""
        piece = MAIN_ARMY.get(self.seat)
        return f"{SHORT[piece]} {self.on_board[piece]}" if piece else ""

    def force_of(self, piece: str) -> str:
        """Return the seat that plays a piece; the Ring Bearer belongs to whoever has the Ring (BR-71)."""
        side = self.ring_owner if piece == RING else PIECES[piece].side
        return side if self.players != 2 else self.force_of_side(side)

    def force_of_side(self, side: str) -> str:
        """Return the seat that plays a side (BR-1)."""
        return "evil" if self.players == 2 and side != "alliance" else side

    @property
    def elves_alive(self) -> bool:
        """Whether Elven hexes are still the Elves' own (BR-14)."""
        return self.on_board["elf"] > 0

    @property
    def round_one(self) -> bool:
        """Whether nobody may build yet (BR-20)."""
        return self.round == 1

    def cannot_fight(self, piece: str) -> bool:
        """Whether a piece is dormant, or in a hex in which there are no attacks (BR-42, BR-53)."""
        if piece == "gandalf":
            return self.gandalf_in != "none"
        if piece == "aragorn":
            return self.paths == "aragorn-inside"
        if piece == "army-of-the-dead":
            return self.paths != "closed"
        return self.dormant(piece)

    def dormant(self, piece: str) -> bool:
        """Whether a piece has not been activated and stays where it is: Fangorn and the Dead (BR-11)."""
        if piece == "army-of-the-dead":
            return self.paths == "dormant"
        return piece == "fangorn-army" and self.fangorn == "dormant"

    @property
    def moria_held(self) -> bool:
        """Whether a living Gandalf is in Moria (BR-50)."""
        return self.gandalf_in == "moria" and self.on_board["gandalf"] > 0

    def may_attack(self, piece: str) -> int:
        """Return how many attacks a type has in this phase: one a piece it began with, or was corrected to."""
        return max(self.attack_limit[piece], self.on_board[piece])

    def correct(self, path: str, value: object) -> None:
        """Set a field as the judge says; a Ring that has not moved in this phase began it where it is set now."""
        super().correct(path, value)
        if path == "ring_hex" and not self.moved[RING] and not self.ring_moved:
            self.ring_began = self.ring_hex

    def corrected(self) -> None:
        """End the game where the judge has put the Ring where it wins."""
        self.check_victory()

    def lose(self, piece: str) -> None:
        """Take one piece off the board; the last of its type may end what depends on it (BR-14, BR-50)."""
        left = max(0, self.on_board[piece] - 1)
        self.on_board[piece] = left
        if left:
            return
        if piece == "gandalf":
            self.move_gandalf("none")
        elif piece == "fangorn-army":
            self.fangorn = "dead"
        elif piece == "elf":
            self.remind("BR-14", "The last Elf is gone: Elven hexes are ordinary hexes now")

    def move_gandalf(self, to: str) -> None:
        """Put Gandalf into Moria or Fangorn, or out of them; behind him Fangorn may close."""
        self._close_fangorn(self.gandalf_in, to)
        self.gandalf_in = to

    def move_ring(self, to: str) -> None:
        """Note the class of hex the Ring Bearer is in, of `RING_HEXES`; behind it Fangorn may close."""
        self._close_fangorn(self.ring_hex, to)
        self.ring_hex = to

    def _close_fangorn(self, left: str, to: str) -> None:
        """Close Fangorn behind whoever leaves it once its army is activated (BR-57)."""
        if left == "fangorn" != to and self.fangorn != "dormant":
            self.fangorn_hex = "closed"

    def victory(self, owner: str, where: str) -> tuple[str, str, str, str] | None:
        """Return what `win` is told where the Ring of that side is in that class of hex; None: nobody wins."""
        if where == "mount-doom":
            return "alliance", "ring-destroyed", "the Ring is destroyed in Mount Doom", "BR-7"
        if where == "barad-dur" and self.players == 2 and owner != "alliance":
            return "evil", "ring-in-barad-dur", "the Ring is in Barad-dûr", "BR-8"
        if where == "barad-dur" and owner == "sauron":
            return "sauron", "ring-in-barad-dur", "the Ring is in Barad-dûr", "BR-5"
        if where == "isengard" and owner == "saruman" and self.players == 3:
            return "saruman", "ring-in-isengard", "the Ring is in Isengard", "BR-6"
        return None

    def check_victory(self) -> None:
        """End the game if the Ring is where its owner wants it, or in the fire (BR-5 to BR-8)."""
        if won := self.victory(self.ring_owner, self.ring_hex):
            self.win(*won)

    def ends(self, option: Option, owner: str, where: str) -> Option:
        """Return an option that puts the Ring of that side there; if that ends the game, it says who wins."""
        won = self.victory(owner, where)
        if won is None:
            return option
        return Option(option.id, f"{option.text}: {FORCE_NAMES[won[0]]} wins", option.short or option.text)

    def win(self, force: str, reason: str, text: str, *rules: str) -> None:
        """Announce the winner and end the game."""
        name = FORCE_NAMES[force]
        why = tuple((rule, Short(text, written(text).removesuffix("."))) for rule in rules)
        self.rule(Ruling("victory", f"{name} wins", rules, why, {"winner": force, "reason": reason}))
        self.over = Over(reason, f"{name} wins: {text}", (force,))

    def begin_phase(self) -> None:
        """Set what starts anew with each phase; the phase itself can then be resumed at any point of it."""
        self.entry = Input()
        if self.phase == "building":
            self.built_before = self.builds.get(self.seat, [])
            self.builds[self.seat] = []
            self.built = {}
            self.built_on = {}
        elif self.phase == "attack":
            for piece in own(self.seat):
                self.attacks[piece] = 0
                self.attack_limit[piece] = self.on_board[piece]
        else:
            self.ring_began = self.ring_hex
            self.ring_moved = self.third_took_ring = False
            self.moved = dict.fromkeys((*PIECES, RING), 0)
            self.movers = self.on_board | {RING: 1}
            self.moria_used = False
            self.paths_entered = False

    def next_phase(self) -> None:
        """Go on to the next phase, or to the first of the next player who is still in the game."""
        step = PHASES.index(self.phase) + 1
        if step < len(PHASES) and self.seat not in self.conceded:
            self.phase = PHASES[step]
            self.begin_phase()
        else:
            self.next_turn()

    def next_turn(self) -> None:
        """Go on to the next player's Building Phase; after the last player the next round begins (BR-2, BR-3)."""
        order = FORCES[self.players]
        at = order.index(self.seat)
        for _ in order:
            at += 1
            if at == len(order):
                at = 0
                self.round += 1
            if order[at] not in self.conceded:
                break
        self.seat = order[at]
        self.phase = PHASES[0]
        self.begin_phase()

    def concede(self, seat: str) -> None:
        """A player gives up; the others play on until one force is left."""
        super().concede(seat)
        left = [force for force in FORCES[self.players] if force not in self.conceded]
        if len(left) == 1:
            name = FORCE_NAMES[left[0]]
            self.over = Over("concession", f"{name} wins: nobody else is left", (left[0],))
