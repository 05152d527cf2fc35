"""A game of Battle of the Ring as the printed rules have it, and the desk for single attacks.

`Game.play` and `Game.desk` are generators that yield one `Question` after another; what is open is worked out
whenever somebody looks, as a correction may have changed the state meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, DEAD, ENTS, PIECES, RING, SARUMAN, SAURON

BACK = "back"
TABLE = "table"
OWNERS = ("hobbits", "saruman", "eliminated", "moves")
Codes = dict[Any, str]
"""What can be answered, each with its refusal code, '' if it is open."""

Asking = Generator["Question", Any, Any]


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
    activator: str = "none"
    isengard: str = "special"
    paths: str = "dormant"
    paths_entered: bool = False
    gandalf_in: str = "none"
    moria_used: bool = False
    conceded: list[str] = field(default_factory=list)


class Game:
    """One game, or one desk, from its first question to its end."""

    def __init__(
        self, players: int = 3, *, pact: bool = False, crowns: dict[str, int] | None = None, desk: bool = False
    ) -> None:
        self.players, self.pact, self.crowns, self.is_desk = players, pact, crowns or {}, desk
        self.state = State()
        self.events: list[Event] = []
        self.over: tuple[str, tuple[str, ...]] | None = None
        self.counted = False
        self.question: Question | None = None
        self.asking = self.desk() if desk else self.play()
        self._advance(lambda: next(self.asking))

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer that is taken, and return what is announced."""
        self.events = []
        if value == BACK:
            self._advance(lambda: self.asking.throw(Dropped()))
        else:
            self._advance(lambda: self.asking.send(value))
        return self.events

    def _advance(self, step: Callable[[], Question]) -> None:
        try:
            self.question = step()
        except Finished:
            self.question = None

    # -- who is who -----------------------------------------------------------------------------------------------

    @property
    def seat(self) -> str:
        return self.state.seat

    def force(self, piece: str) -> str:
        nation = self.state.ring_owner if piece == RING else rules.NATIONS[piece]
        return rules.force(nation, self.players)

    def own(self, piece: str) -> bool:
        return self.is_desk or self.force(piece) == self.seat

    def alive(self, piece: str) -> bool:
        return piece == RING or self.state.on_board[piece] > 0

    def elves(self) -> bool:
        return self.state.on_board["elf"] > 0

    def announce(self, what: str, *rule: str, changed: bool = True, **data: Any) -> None:
        self.events.append(Event(what, rule, data, changed))

    def remind(self, rule: str) -> None:
        self.events.append(Event(rule))

    def ask(
        self, key: str, codes: Callable[[], Codes], *, seat: str = "", back: bool = True, count: bool = False
    ) -> Asking:
        seat = seat or (TABLE if self.is_desk else self.seat)
        back = back and not self.is_desk
        return (yield Question(key, seat, "count" if count else "choose", codes, back))

    def decide(self, key: str, codes: Callable[[], Codes], *, back: bool = True) -> Asking:
        """Ask unless there is one answer."""
        open_ = [answer for answer, code in codes().items() if not code]
        return open_[0] if len(open_) == 1 else (yield from self.ask(key, codes, back=back))

    def pools(self) -> list[tuple[str, str, int, int]]:
        """Return the counters beside the glass: piece, side, number, cap."""
        return [
            (piece, self.force(piece), number, rules.CAPS[piece]) for piece, number in self.state.on_board.items()
        ]

    # -- the game -------------------------------------------------------------------------------------------------

    def play(self) -> Asking:
        for seat in rules.seats(3):
            yield from self.ask(f"setup.{seat}", lambda: {"placed": ""}, seat=TABLE, back=False)
            self.state.placed += 1
        while True:
            for seat in rules.seats(self.players):
                if seat not in self.state.conceded:
                    with suppress(Conceded):
                        yield from self.turn(seat)
            self.state.round = min(self.state.round + 1, 99)

    def turn(self, seat: str) -> Asking:
        state = self.state
        state.seat = seat
        yield from self.building()
        yield from self.movement("first-movement")
        yield from self.attacking()
        yield from self.movement("second-movement")

    # -- building -------------------------------------------------------------------------------------------------

    def left(self, nation: str) -> int:
        return rules.allowance(nation, self.state.round) - self.state.built.get(rules.shared(nation), 0)

    def nation_code(self, piece: str) -> str:
        if not self.own(piece):
            return "BR-X01!"
        if not rules.rebuilt(piece):
            return "BR-X07!"
        if self.left(piece) < 1:
            return "BR-X03"
        if self.state.on_board[piece] >= rules.CAPS[piece]:
            return "BR-X06!"
        codes = {self.place_code(piece, place) for place in rules.CROWNS[piece]}
        return next((code for code in ("", "BR-X05") if code in codes), "BR-X08")

    def place_code(self, nation: str, place: str) -> str:
        code = rules.crown_code(nation, place, self.state.shire_owner)
        if code:
            return code
        full = self.state.built_on.get(place, 0) >= self.crowns.get(place, 1)
        taken = self.state.shire_third if place == "shire" else self.state.ring_hex == place
        return "BR-X05" if full or taken else ""

    def building(self) -> Asking:
        state = self.state
        state.phase = "building"
        state.built, state.built_on = {}, {}
        if not any(rules.allowance(nation, state.round) for nation in rules.CROWNS):
            self.remind("BR-20")
            return
        places = tuple(dict.fromkeys(place for crowns in rules.CROWNS.values() for place in crowns))

        def nations() -> Codes:
            codes = {piece: self.nation_code(piece) for piece in PIECES} | {RING: self.nation_code_of_ring()}
            return codes | {"done": "", "attack": "BR-X01!", "move": "BR-X01!"}

        while any(not self.nation_code(nation) for nation in rules.CROWNS):
            nation = yield from self.ask("build.nation", nations, back=False)
            if nation == "done":
                return
            codes = lambda: {place: self.place_code(nation, place) for place in places}  # noqa: B023, E731
            empty = "elsewhere"
            try:
                while empty == "elsewhere":
                    place = yield from self.ask("build.place", codes)
                    empty = yield from self.ask("build.empty", lambda: {"yes": "", "elsewhere": "", "no": "BR-X05"})
            except Dropped:
                continue
            self.build(nation, place)

    def nation_code_of_ring(self) -> str:
        return "BR-X07!" if self.own(RING) else "BR-X01!"

    def build(self, nation: str, place: str) -> None:
        state = self.state
        before = state.on_board[nation]
        state.on_board[nation] = min(before + 1, rules.CAPS[nation])
        share = rules.shared(nation)
        state.built[share] = state.built.get(share, 0) + 1
        state.built_on[place] = state.built_on.get(place, 0) + 1
        pools = {"before": {nation: before}, "after": {nation: state.on_board[nation]}}
        self.announce("built", "BR-24", "BR-25", nation=nation, place=place, pools=pools)

    # -- movement -------------------------------------------------------------------------------------------------

    def other_phases(self, *names: str) -> Codes:
        codes = {"build": "BR-X02!" if self.state.round == 1 else "BR-X01!", "attack": "BR-X01!", "move": "BR-X01!"}
        return {name: codes[name] for name in names}

    def own_list(self) -> list[str]:
        return [piece for piece in (*PIECES, RING) if self.own(piece)]

    def movement(self, phase: str) -> Asking:
        state = self.state
        state.phase = phase
        state.moved, state.movers = dict.fromkeys(state.moved, 0), dict(state.on_board)
        state.ring_moved = state.moria_used = state.paths_entered = state.third_took_ring = False
        state.ring_began = state.ring_hex

        def menu() -> Codes:
            third = self.seat == rules.force(SAURON, self.players) and (state.shire_third or state.third_took_ring)
            codes = {
                "check": "",
                "ring-captured": self.capture_code(),
                "special-hex": "",
                "elven-hex": "",
                "removed": "",
            }
            codes |= {"third-leaves": "" if third else "BR-X09", "done": ""}
            return codes | self.other_phases("attack", "build")

        while True:
            choice = yield from self.ask("move.menu", menu, back=False)
            try:
                if choice == "done":
                    if (yield from self.end_of_phase()):
                        return
                else:
                    yield from getattr(self, choice.replace("-", "_"))()
            except Dropped:
                pass

    def piece_code(self, piece: str) -> str:
        """Return why a piece may not move at all."""
        if not self.own(piece):
            return "BR-X01!"
        if not self.alive(piece):
            return "BR-X09!"
        return "BR-X14" if self.asleep(piece) else ""

    def asleep(self, piece: str) -> bool:
        dead = piece == DEAD and self.state.paths == "dormant"
        return dead or (piece == ENTS and self.state.fangorn == "dormant")

    def hexes_left(self, piece: str) -> int:
        state = self.state
        if piece == RING:
            return 0 if state.ring_moved else max(0, rules.MOVES[RING] - state.moved[RING])
        allowance = rules.MOVES[piece]
        return max(
            0, min(allowance, allowance * max(state.movers[piece], state.on_board[piece]) - state.moved[piece])
        )

    def where(self, piece: str) -> tuple[str, ...]:
        """Return where a piece can be said to go."""
        places = ("ordinary", "elven-hex", "through-moria", *rules.SPECIAL)
        more = ("barad-dur",) if piece == RING else ()
        nation = self.state.ring_owner if piece == RING else rules.NATIONS[piece]
        return (*places, *more, *(("shire",) if nation == SAURON else ()))

    def entry_code(self, piece: str, place: str) -> str:
        """Return why a piece may not go there, whatever the hexes."""
        state = self.state
        if place == "moria":
            return "" if piece == "gandalf" else "BR-X16"
        if place == "fangorn":
            return self.fangorn_code(piece)
        if place == "paths-of-the-dead":
            return "" if piece == "aragorn" and state.paths == "dormant" else "BR-X16"
        if place == "isengard":
            return "" if self.may_enter_isengard(piece) else "BR-X16"
        if place == "mount-doom":
            return "" if piece == RING else "BR-X16"
        if place == "elven-hex" and piece == RING:
            return "BR-X17" if all(self.closed(hex_) for hex_ in rules.ELVEN_HEXES) else ""
        if place == "through-moria" and self.force(piece) == ALLIANCE:
            return "" if self.gandalf_in_moria() and piece != "gandalf" else "BR-X15"
        return ""

    def needed_in_moria(self, piece: str) -> bool:
        """Tell whether a piece is Gandalf, who must stay in Moria because others passed it (BR-52)."""
        return piece == "gandalf" and self.state.gandalf_in == "moria" and self.state.moria_used

    def gandalf_in_moria(self) -> bool:
        return self.state.gandalf_in == "moria" and self.alive("gandalf")

    def fangorn_code(self, piece: str) -> str:
        """Gandalf or the Alliance's Ring Bearer wakes the army, never both."""
        state = self.state
        if piece == "gandalf":
            taken = state.ring_hex == "fangorn" and state.ring_owner == ALLIANCE
        elif piece == RING and state.ring_owner == ALLIANCE:
            taken = state.gandalf_in == "fangorn" and self.alive("gandalf")
        else:
            return "BR-X16"
        if state.fangorn_hex == "closed" or state.fangorn != "dormant":
            return "BR-X16"
        return "BR-X16!" if taken else ""

    def may_enter_isengard(self, piece: str) -> bool:
        if self.state.isengard == "ordinary":
            return True
        nation = self.state.ring_owner if piece == RING else rules.NATIONS[piece]
        return nation == SARUMAN

    def stays(self, piece: str, place: str) -> bool:
        """Tell whether a piece is known to stand there already."""
        if piece == RING:
            return self.ring_place() == ("ordinary" if place == "shire" or self.plain(place) else place)
        if piece == "aragorn" and place == "paths-of-the-dead":
            return self.in_paths()
        return piece == "gandalf" and self.state.gandalf_in == place

    def plain(self, place: str) -> bool:
        """Tell whether it is an Elven hex after the last Elf is gone (BR-14)."""
        return place.startswith("elven") and not self.elves()

    def ring_place(self) -> str:
        return "ordinary" if self.plain(self.state.ring_hex) else self.state.ring_hex

    def least(self, piece: str, place: str) -> int:
        """Return the fewest hexes it takes to get there."""
        if place == "through-moria":
            return 2
        if place == "elven-hex" and piece == RING and self.ring_place() in rules.ELVEN_HEXES:
            return 0
        known = piece == RING or (
            piece == "gandalf" and (place in {"moria", "fangorn"} or self.state.gandalf_in != "none")
        )
        known = known or (piece == "aragorn" and (place == "paths-of-the-dead" or self.in_paths()))
        return 1 if known and not self.stays(piece, place) else 0

    def in_paths(self) -> bool:
        return self.state.paths_entered or self.state.paths == "aragorn-inside"

    def where_code(self, piece: str, place: str) -> str:
        code = self.entry_code(piece, place) or self.permission_code(piece, place)
        if code:
            return code
        if place != "moria" and self.needed_in_moria(piece):
            return "BR-X15"
        return "BR-X18" if self.least(piece, place) > self.hexes_left(piece) else ""

    def pieces(self, code: Callable[[str], str], place: str = "ordinary") -> Codes:
        listed = [piece for piece in (*PIECES, RING) if place in self.where(piece)]
        return {piece: self.piece_code(piece) or code(piece) for piece in listed}

    def check(self) -> Asking:
        piece = yield from self.ask("move.piece", lambda: self.pieces(lambda piece: ""))
        place = yield from self.ask("move.where", lambda: {p: self.where_code(piece, p) for p in self.where(piece)})
        yield from self.go(piece, place)

    def elven_hex(self) -> Asking:
        yield from self.to("elven-hex")

    def special_hex(self) -> Asking:
        place = yield from self.ask("special.hex", self.special_codes)
        yield from self.to(place)

    def special_codes(self) -> Codes:
        places = dict.fromkeys(place for piece in self.own_list() for place in self.where(piece))
        return {place: self.best_code(place) for place in places if place != "elven-hex"}

    def best_code(self, place: str) -> str:
        codes = {piece: self.piece_code(piece) for piece in self.own_list() if place in self.where(piece)}
        able = [piece for piece, code in codes.items() if not code]
        if not able:
            return "BR-X14" if "BR-X14" in codes.values() else "BR-X09!"
        return first_code(self.where_code(piece, place) for piece in able)

    def to(self, place: str) -> Asking:
        codes = lambda: self.pieces(lambda piece: self.where_code(piece, place), place)  # noqa: E731
        piece = yield from self.decide("special.piece", codes)
        yield from self.go(piece, place)

    def go(self, piece: str, place: str) -> Asking:
        """A piece is said to go somewhere: who must permit it, how many hexes it takes, what follows."""
        if piece == RING and place == "elven-hex" and self.elves():
            place = yield from self.ask("elven.which", self.elven_codes)
        if not (yield from self.permitted(piece, place)):
            return
        if piece == RING and place == "mount-doom" and not (yield from self.sure()):
            return
        hexes = yield from self.ask("move.hexes", lambda: self.hexes_codes(piece, place), count=True)
        self.arrive(piece, place, hexes)
        if piece == RING and place == "through-moria":
            yield from self.fly(hexes)

    def sure(self, *, back: bool = True) -> Asking:
        """Who brings an enemy's Ring to Mount Doom is asked whether he means it."""
        if self.state.ring_owner == ALLIANCE:
            return True
        return (yield from self.ask("mount-doom.confirm", lambda: {"yes": "", "no": ""}, back=back)) == "yes"

    def elven_codes(self) -> Codes:
        return {place: self.elven_code(place) for place in rules.ELVEN_HEXES}

    def elven_code(self, place: str) -> str:
        state = self.state
        stays = place == state.ring_hex
        if self.closed(place):
            return "BR-X17"
        return "BR-X18" if not stays and self.hexes_left(RING) < 1 else ""

    def permission_code(self, piece: str, place: str) -> str:
        """Return the code where a permission is needed that nobody can give: the Alliance has given up."""
        if ALLIANCE not in self.state.conceded:
            return ""
        return {"": "", "BR-14": "BR-X17", "BR-51": "BR-X16"}[self.permission(piece, place)]

    def permission(self, piece: str, place: str) -> str:
        """Return the rule by which the Alliance's permission is needed, '' if it is not."""
        if self.force(piece) == ALLIANCE:
            return ""
        if place.startswith("elven") and self.elves():
            return "BR-14"
        return "BR-51" if place == "through-moria" and self.gandalf_in_moria() else ""

    def permitted(self, piece: str, place: str, *, back: bool = True) -> Asking:
        """Ask the Alliance where its permission is needed, and announce that it does not give it."""
        rule = self.permission(piece, place)
        if not rule or ALLIANCE in self.state.conceded:
            return True
        answer = yield from self.ask("permission", lambda: {"yes": "", "no": ""}, seat=ALLIANCE, back=back)
        if answer == "no":
            code = "BR-X17" if rule == "BR-14" else "BR-X16"
            self.announce("refused", rule, changed=False, code=code, piece=piece)
        return answer == "yes"

    def hexes_codes(self, piece: str, place: str) -> Codes:
        least, most = self.least(piece, place), self.hexes_left(piece)
        return {hexes: "" if least <= hexes <= most else "BR-X18" for hexes in range(7)}

    def arrive(self, piece: str, place: str, hexes: int) -> None:
        state = self.state
        state.moved[piece] += hexes
        if place == "through-moria" and self.force(piece) == ALLIANCE:
            state.moria_used = True
            self.remind("BR-52")
        if piece == state.activator and self.stays(piece, "fangorn") and place != "fangorn":
            state.fangorn_hex = "closed"
        if piece == "gandalf":
            state.gandalf_in = place if place in {"moria", "fangorn"} else "none"
        if piece == "aragorn" and (hexes or place == "paths-of-the-dead"):
            state.paths_entered = place == "paths-of-the-dead"
        if place == "shire":
            state.shire_third = True
        if piece == RING:
            self.ring_to(place)
        self.announce("allowed", "BR-11", "BR-17", changed=False, piece=piece, where=place)

    def ring_to(self, place: str) -> None:
        self.state.ring_hex = place if place in (*rules.ELVEN_HEXES, *rules.RING_HEXES) else "ordinary"
        self.check_victory()

    def check_victory(self) -> None:
        winner, reason = rules.winner(self.state.ring_owner, self.state.ring_hex, self.players)
        if winner:
            self.win(winner, reason)

    def win(self, winner: str, reason: str) -> None:
        rule = "BR-8" if self.players == 2 and winner != ALLIANCE else rules.VICTORY_RULE[reason]
        self.announce("victory", rule, winner=winner, reason=reason)
        self.over = (reason, (winner,))
        raise Finished

    def removed(self) -> Asking:
        codes = lambda: {piece: "" if self.alive(piece) else "BR-X09!" for piece in PIECES}  # noqa: E731
        piece = yield from self.ask("removed.piece", codes)
        self.eliminate(piece)
        self.announce("removed", piece=piece)

    def eliminate(self, piece: str) -> None:
        state = self.state
        state.on_board[piece] = max(0, state.on_board[piece] - 1)
        if piece == "elf" and not self.elves():
            self.remind("BR-14")
        if piece == ENTS:
            state.fangorn = "dead"
        if piece == state.activator:
            state.fangorn_hex = "closed"
        if piece == "gandalf":
            state.gandalf_in = "none"

    def third_leaves(self) -> Asking:
        owner = yield from self.ask("shire.owner", lambda: {"hobbits": "", "saruman": ""})
        self.give_shire(owner)

    def give_shire(self, owner: str) -> None:
        changed = self.state.shire_owner != owner
        self.state.shire_owner = owner
        self.state.shire_third = self.state.third_took_ring = False
        self.announce_shire(changed=changed)

    def announce_shire(self, *, changed: bool) -> None:
        self.announce("shire", "BR-31", "BR-32", changed=changed, owner=self.state.shire_owner)

    # -- the Ring -------------------------------------------------------------------------------------------------

    def captor_code(self, piece: str) -> str:
        if not self.own(piece):
            return "BR-X01!"
        if not self.alive(piece):
            return "BR-X09!"
        if piece == RING:
            return "BR-X21!"
        if self.asleep(piece) or (self.own(RING) and not self.saruman_meets(piece)):
            return "BR-X21"
        hex_ = self.state.ring_hex
        if hex_ == "fangorn" or (hex_ in rules.SPECIAL and self.entry_code(piece, hex_)):
            return "BR-X16"
        if self.needed_in_moria(piece):
            return "BR-X15"
        return self.permission_code(piece, hex_) or ("" if self.hexes_left(piece) else "BR-X18")

    def saruman_meets(self, piece: str) -> bool:
        return piece == "saruman" and self.players == 3

    def capture_code(self) -> str:
        there = [piece for piece in self.own_list() if self.alive(piece) and piece != RING]
        if all(map(self.asleep, there)):
            return "BR-X21" if there else "BR-X09!"
        return first_code(self.captor_code(piece) for piece in there if not self.asleep(piece))

    def ring_captured(self) -> Asking:
        codes = lambda: {piece: self.captor_code(piece) for piece in (*PIECES, RING)} | {"nobody": ""}  # noqa: E731
        piece = yield from self.ask("ring.captor", codes)
        if piece == "nobody" or not (yield from self.permitted(piece, self.state.ring_hex)):
            return
        if self.saruman_meets(piece):
            self.win(SARUMAN, "saruman-meets-ring")
        yield from self.capture(piece)

    def capture(self, piece: str) -> Asking:
        state = self.state
        self.eliminate(piece)
        state.ring_owner = rules.NATIONS[piece]
        self.announce("ring-captured", "BR-71", piece=piece, owner=state.ring_owner)
        if state.ring_owner == SAURON and state.ring_hex == "ordinary":
            state.third_took_ring = True
            self.remind("BR-32")
        self.check_victory()
        yield from self.escape()

    def escape(self) -> Asking:
        codes = lambda: {hexes: "" if hexes <= rules.MOVES[RING] else "BR-X18" for hexes in range(7)}  # noqa: E731
        hexes = yield from self.ask("ring.escape", codes, back=False, count=True)
        self.state.ring_moved = True
        if not hexes:
            return
        yield from self.fly(hexes)

    def fly(self, hexes: int) -> Asking:
        """Ask where the Ring Bearer ends; its hexes are counted already."""

        def codes() -> Codes:
            far = ("elven-hex", "isengard", "barad-dur", "mount-doom") if hexes < 1 else ()
            short = dict.fromkeys(("through-moria", *far), "BR-X18") if hexes < 2 else {}
            return {place: self.landing_code(place) or short.get(place, "") for place in self.where(RING)}

        place = "through-moria"
        while place == "through-moria":
            place = yield from self.ask("ring.destination", codes, back=False)
            if place == "elven-hex" and self.elves():
                place = yield from self.ask("elven.which", self.elven_closed_codes, back=False)
            allowed = yield from self.permitted(RING, place, back=False)
            if not allowed or (place == "mount-doom" and not (yield from self.sure(back=False))):
                place = "through-moria"
            else:
                self.arrive(RING, place, 0)

    def landing_code(self, place: str) -> str:
        return self.entry_code(RING, place) or self.permission_code(RING, place)

    def elven_closed_codes(self) -> Codes:
        return {place: "BR-X17" if self.closed(place) else "" for place in rules.ELVEN_HEXES}

    def closed(self, place: str) -> bool:
        """Tell whether the Ring has been in an Elven hex and left it."""
        state = self.state
        left = state.elven_closed[place[-1]] or state.ring_began == place
        return self.elves() and left and state.ring_hex != place

    # -- the end of a Movement Phase ------------------------------------------------------------------------------

    def end_of_phase(self) -> Asking:
        """Ask what the referee cannot see; return whether the phase is over."""
        answers: dict[str, str] = {}
        for key, matters, codes in self.end_questions():
            if not matters():
                continue
            answer = yield from self.ask(key, lambda: codes() | {"moves": ""})  # noqa: B023
            if answer == "moves":
                return False
            answers[key] = answer
            if key == "end.shire" and answer == "nobody" and self.third_withdrew():
                answer = yield from self.ask("end.shire-owner", lambda: dict.fromkeys(OWNERS, ""))
                if answer == "moves":
                    return False
                answers["end.shire-owner"] = answer
        yield from self.apply_end(answers)
        return True

    def may_have_entered(self) -> bool:
        """Tell whether Aragorn was said to be in the Paths in this phase and is still there to be asked about."""
        entered = self.state.paths_entered and self.state.paths == "dormant"
        return self.alliance() and self.alive("aragorn") and entered

    def end_questions(self) -> list[tuple[str, Callable[[], bool], Callable[[], Codes]]]:
        """Return what may matter at the end of a phase, in order: the key, whether it does, the codes."""
        state = self.state
        yes_no: Callable[[], Codes] = lambda: {"yes": "", "no": ""}  # noqa: E731
        return [
            ("end.paths", self.paths_matter, self.companies),
            ("end.entered", self.may_have_entered, yes_no),
            (
                "end.moria",
                lambda: (
                    self.alliance() and self.alive("gandalf") and (state.gandalf_in == "moria" or state.moria_used)
                ),
                lambda: {"yes": "", "no": "BR-X15" if state.moria_used else ""},
            ),
            (
                "end.isengard",
                lambda: self.in_fangorn() and state.fangorn == "dormant" and self.alive(ENTS),
                self.isengard_codes,
            ),
            ("end.fangorn", lambda: self.in_fangorn() and state.fangorn != "dormant", yes_no),
            ("end.shire", self.shire_matters, lambda: dict.fromkeys(("nobody", "saruman", "alliance", "third"), "")),
            (
                "end.elven",
                lambda: self.own(RING) and state.ring_hex in rules.ELVEN_HEXES and self.elves(),
                lambda: {"yes": self.stay_code(), "no": ""},
            ),
            ("end.ring", lambda: self.own(RING) and state.ring_hex in {"isengard", "barad-dur"}, yes_no),
        ]

    def alliance(self) -> bool:
        return self.seat == ALLIANCE

    def paths_matter(self) -> bool:
        """Tell whether somebody must leave the Paths in this phase."""
        anybody = self.alive("aragorn") or self.alive(DEAD)
        return self.alliance() and self.state.paths == "aragorn-inside" and anybody

    def passed(self) -> str:
        return "moria" if self.state.moria_used else ""

    def in_fangorn(self) -> bool:
        """Tell whether somebody who wakes the Fangorn army is in Fangorn."""
        state = self.state
        bearer = state.ring_hex == "fangorn" and state.ring_owner == ALLIANCE
        inside = bearer or (state.gandalf_in == "fangorn" and self.alive("gandalf"))
        return self.alliance() and inside and state.fangorn_hex == "open"

    def companies(self) -> Codes:
        aragorn, dead = self.state.on_board["aragorn"], self.state.on_board[DEAD]
        codes = {"nobody": "", "aragorn": "" if aragorn else "BR-X09!"}
        for number in (1, 2):
            codes[f"{number}-dead"] = "" if number <= dead else "BR-X09!"
            codes[f"aragorn-and-{number}-dead"] = codes[f"{number}-dead"] or codes["aragorn"]
        return codes

    def isengard_codes(self) -> Codes:
        codes = {piece: self.isengard_code(piece) for piece in PIECES}
        held = self.state.ring_hex == "isengard"
        return codes | {RING: "" if held else "BR-X09", "nobody": "", "left": ""}

    def isengard_code(self, piece: str) -> str:
        if not self.alive(piece):
            return "BR-X09!"
        return "" if self.may_enter_isengard(piece) else "BR-X16"

    def shire_matters(self) -> bool:
        state = self.state
        if state.shire_third or state.third_took_ring:
            return True
        if self.seat == rules.force(SARUMAN, self.players):
            return state.shire_owner == "hobbits"
        return self.seat == ALLIANCE and state.shire_owner == "saruman"

    def third_withdrew(self) -> bool:
        return self.state.shire_third and self.seat == rules.force(SAURON, self.players)

    def stay_code(self) -> str:
        state = self.state
        last = state.phase == "second-movement" and self.elves()
        return "" if not last or rules.may_stay_in_elven_hex(state.elven_stay[state.ring_hex[-1]]) else "BR-X17"

    def apply_end(self, answers: dict[str, str]) -> Asking:
        state = self.state
        if self.alliance() and state.paths == "aragorn-inside":
            self.leave_paths(answers.get("end.paths", ""))  # not asked: nobody is left who could be inside
        if answers.get("end.entered") == "yes" and self.alive("aragorn"):
            state.paths = "aragorn-inside"
            self.remind("BR-58")
        if "end.moria" in answers:
            state.gandalf_in = "moria" if answers["end.moria"] == "yes" else "none"
        if answers.get("end.fangorn") == "yes":
            if state.activator != "none":
                state.fangorn_hex = "closed"
            self.leave_fangorn()
        elif "end.fangorn" in answers:
            self.remind("BR-57")
        if "end.shire" in answers:
            owner = answers.get("end.shire-owner", "")
            self.shire({"hobbits": "alliance"}.get(owner, owner) or answers["end.shire"])
        if "no" in {answers.get("end.elven"), answers.get("end.ring")}:
            state.ring_hex = "ordinary"
        if self.elves() and state.ring_began in rules.ELVEN_HEXES and state.ring_began != state.ring_hex:
            state.elven_closed[state.ring_began[-1]] = True
        if answers.get("end.isengard", "left") != "left":
            yield from self.awake(answers["end.isengard"])
        elif "end.isengard" in answers:
            self.leave_fangorn()
        self.count_turn()

    def leave_fangorn(self) -> None:
        if self.state.gandalf_in == "fangorn":
            self.state.gandalf_in = "none"
        if self.state.ring_hex == "fangorn":
            self.state.ring_hex = "ordinary"

    def leave_paths(self, company: str) -> None:
        state = self.state
        if not company.startswith("aragorn"):
            state.on_board["aragorn"] = 0
        state.on_board[DEAD] = next((n for n in (1, 2) if f"{n}-dead" in company), 0)
        state.paths = "closed"
        self.announce("paths-closed", "BR-58", "BR-59")

    def awake(self, stood: str) -> Asking:
        state = self.state
        state.fangorn, state.isengard = "active", "ordinary"
        state.activator = "gandalf" if state.gandalf_in == "fangorn" else RING
        if stood in PIECES:
            self.eliminate(stood)
        self.announce("fangorn-awake", "BR-55", "BR-56", isengard=stood)
        if stood == RING:
            yield from self.capture(ENTS)

    def shire(self, whose: str) -> None:
        state = self.state
        before = state.shire_owner
        state.shire_owner = {"saruman": "saruman", "alliance": "hobbits"}.get(whose, before)
        state.shire_third = whose == "third"
        if state.shire_owner != before:
            self.announce_shire(changed=True)

    def count_turn(self) -> None:
        """A turn of the Ring's owner ends with the Ring Bearer in an Elven hex (BR-15)."""
        state = self.state
        if (
            state.phase == "second-movement"
            and self.own(RING)
            and self.elves()
            and state.ring_hex in rules.ELVEN_HEXES
        ):
            number = state.ring_hex[-1]
            state.elven_stay[number] = min(3, state.elven_stay[number] + 1)

    # -- attacks --------------------------------------------------------------------------------------------------

    def shut_off(self, piece: str) -> bool:
        """Tell whether a piece is where it cannot fight (BR-42)."""
        state = self.state
        if self.asleep(piece):
            return True
        if piece == "gandalf":
            return state.gandalf_in != "none"
        return piece in {"aragorn", DEAD} and state.paths == "aragorn-inside"

    def attacker_code(self, piece: str) -> str:
        if not self.own(piece):
            return "BR-X01!"
        if piece == RING:
            return "BR-X12!"
        if not self.alive(piece):
            return "BR-X09!"
        if self.is_desk:
            return ""
        if self.shut_off(piece):
            return "BR-X14"
        return "BR-X10" if self.state.attacks[piece] >= self.attack_limit(piece) else ""

    def attack_limit(self, piece: str) -> int:
        """Return how often a type may attack: the pieces at the start of the phase, or more by the judge's count."""
        return max(self.state.attack_limit[piece], self.state.on_board[piece])

    def target_code(self, attacker: str, piece: str) -> str:
        if piece == RING:
            return "BR-X12!"
        if self.force(piece) == self.force(attacker):
            return "BR-X11"
        if not self.alive(piece):
            return "BR-X09!"
        return "BR-X14" if not self.is_desk and self.shut_off(piece) else ""

    def help_code(self, piece: str) -> str:
        """Return '' if somebody may give a piece Elven strength."""
        givers = [giver for giver in rules.givers(piece, self.players, pact=self.pact) if self.alive(giver)]
        if not givers:
            return "BR-X09!"
        return "BR-X14" if not self.is_desk and all(map(self.shut_off, givers)) else ""

    def attacking(self) -> Asking:
        state = self.state
        state.phase = "attack"
        for piece in filter(self.own, PIECES):
            state.attacks[piece], state.attack_limit[piece] = 0, state.on_board[piece]

        def attackers() -> Codes:
            codes = {piece: self.attacker_code(piece) for piece in (*PIECES, RING)}
            return codes | {"done": ""} | self.other_phases("build", "move")

        while any(not self.attacker_code(piece) for piece in PIECES):
            attacker = yield from self.ask("attack.attacker", attackers, back=False)
            if attacker == "done":
                return
            with suppress(Dropped):
                yield from self.attack(attacker)

    def attack(self, attacker: str) -> Asking:
        codes = lambda: {piece: self.target_code(attacker, piece) for piece in (*PIECES, RING)}  # noqa: E731
        target = yield from self.ask("attack.target", codes)
        helped = yield from self.decide("attack.column", lambda: self.help_codes(attacker, target))
        strong = rules.always_elven(attacker) or helped in {"attacker", "both"}
        tough = rules.always_elven(target) or helped in {"defender", "both"}
        yield from self.throw(attacker, target, helped, rules.column(strong, tough))

    def help_codes(self, attacker: str, target: str) -> Codes:
        one, other = self.help_code(attacker), self.help_code(target)
        return {"none": "", "attacker": one, "defender": other, "both": one or other}

    def throw(self, attacker: str, target: str, helped: str, column: str) -> Asking:
        codes = lambda: dict.fromkeys(rules.POSITIONS, "") | {"not-adjacent": "BR-X13!"}  # noqa: E731
        position = yield from self.ask("attack.position", codes)
        row = rules.row(position)
        seat = TABLE if self.is_desk else self.seat
        faces = yield Question("attack.dice", seat, "roll", back=not self.is_desk, column=column, row=row)
        total = sum(faces)
        result = rules.result(total, column, row)
        ones, others = rules.sets(column, row)
        data = {"attacker": attacker, "target": target, "helped": helped, "position": position, "column": column}
        data |= {"row": row, "faces": faces, "total": total, "sets": {"attacker": ones, "defender": others}}
        data["odds"] = {name: f"{ways}/36" for name, ways in rules.ways(column, row).items()}
        if not self.is_desk:
            data |= self.settle(attacker, target, result)
        self.announce(result, "BR-45", "BR-49", changed=result != "no-result", **data)

    def settle(self, attacker: str, target: str, result: str) -> dict[str, Any]:
        state = self.state
        before = {piece: state.on_board[piece] for piece in (attacker, target)}
        state.attacks[attacker] += 1
        limit = self.attack_limit(attacker)
        if result != "no-result":
            self.eliminate(target if result == "defender-eliminated" else attacker)
        after = {piece: state.on_board[piece] for piece in (attacker, target)}
        pools = {"before": before, "after": after}
        return {"pools": pools, "attack": state.attacks[attacker], "of": limit}

    def desk(self) -> Asking:
        """One attack after another on its own, by the column or by the pieces."""
        while True:
            columns = dict.fromkeys((*rules.RESULTS, "by-pieces"), "")
            column = yield from self.ask("attack.kind", lambda: columns)  # noqa: B023
            if column != "by-pieces":
                yield from self.throw("", "", "", column)
                continue
            codes = lambda: {piece: self.attacker_code(piece) for piece in (*PIECES, RING)}  # noqa: E731
            attacker = yield from self.ask("attack.attacker", codes)
            yield from self.attack(attacker)

    # -- judge and seats ------------------------------------------------------------------------------------------

    def correct(self, path: str, value: Any) -> list[Event]:
        """Set a field of the state."""
        self.events = []
        name, _, key = path.partition(".")
        if key:
            getattr(self.state, name)[key] = value
        else:
            setattr(self.state, name, value)
        if path == "ring_hex" and not (self.state.moved[RING] or self.state.ring_moved):
            self.state.ring_began = value
        try:
            self.check_victory()
        except Finished:
            self.question = None
        return self.events

    def concede(self, seat: str) -> list[Event]:
        """A seat gives up; who is left alone has won."""
        self.events = []
        self.state.conceded.append(seat)
        left = [each for each in rules.seats(self.players) if each not in self.state.conceded]
        if len(left) == 1:
            self.over, self.question = ("concession", (left[0],)), None
        elif seat == self.seat:
            self._advance(lambda: self.asking.throw(Conceded()))
        return self.events
