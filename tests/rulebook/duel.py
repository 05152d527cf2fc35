"""A duel over three counters with everything the kit knows: turns, menus, ways back, dice, ends, a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.rulebook import (
    MILESTONE,
    Attempt,
    Bar,
    Book,
    Bundle,
    Choose,
    Conceded,
    Count,
    Game,
    Odds,
    OneOf,
    Options,
    Over,
    Pick,
    Pool,
    Procedure,
    Range,
    Roll,
    Ruling,
    Switch,
    section,
    throw_odds,
)

SEATS = {"east": "East", "west": "West"}
OTHER = {"east": "west", "west": "east"}
MENU = Options([("shoot", "Shoot"), ("heal", "Heal"), ("stall", "Stall"), ("break", "Break"), ("pass", "Pass")])
WOUNDS = Options([("arm", "Arm"), ("leg", "Leg"), ("ear", "Ear")])
TWICE = Bundle("near", "Shoot from near", ("shoot", 1))


@dataclass
class Arms:
    """What a seat has; a dataclass inside the state."""

    powder: int = 2
    names: list[str] = field(default_factory=lambda: ["Old Betsy"])


@dataclass
class Duel(Game):
    """Hits taken, powder left, and the weather the judge may change."""

    seat: str = "east"
    turn: int = 1
    hits: dict[str, int] = field(default_factory=lambda: {"east": 0, "west": 0})
    arms: Arms = field(default_factory=Arms)
    tracks: list[int] = field(default_factory=lambda: [0, 5])
    weather: str = "dry"
    seen: frozenset[str] = frozenset({"b", "a"})
    plays_on: bool = False
    correctable: ClassVar[Mapping[str, Range | OneOf]] = {
        "hits.east": Range(0, 2),
        "hits.west": Range(0, 2, "West's hits"),
        "arms.powder": Range(0, 9),
        "tracks.1": Range(0, 5),
        "weather": OneOf(("dry", "wet")),
        "plays_on": OneOf((False, True)),
    }

    def place(self) -> tuple[str, ...]:
        return (f"Turn {self.turn}", SEATS[self.seat])

    def seats(self) -> Mapping[str, str]:
        return SEATS

    def pools(self) -> tuple[Pool, ...]:
        return (Pool("powder", "Powder", "", self.arms.powder, 9),)

    def concede(self, seat: str) -> None:
        super().concede(seat)
        if not self.plays_on:
            self.over = Over("conceded", f"{SEATS[seat]} gave up", (OTHER[seat],))

    def menu_bar(self, option: str) -> Bar | None:
        if option == "shoot" and not self.arms.powder:
            return Bar("DU-X1", "No powder is left")
        if option == "heal" and not self.hits[self.seat]:
            return Bar("DU-X2", "Nobody is hurt", firm=True)
        return None

    @property
    def need(self) -> int:
        return 8 if self.weather == "dry" else 11


def result(game: Duel, total: int) -> str:
    return "hit" if total >= game.need else "miss"


@section("DU-2", title="Shot")
def shot(game: Duel) -> Procedure[None]:
    """Two dice; the distance spends powder."""
    steps = yield Count("shot.steps", "Steps", 1, 3, lambda n: Bar("DU-X3", "Too far") if n > 2 else None)
    faces = yield lambda: Roll(
        "shot.dice",
        "Roll two dice",
        2,
        total=True,
        code="DU-X4",
        need=f"{game.need}+",
        need_note="hits",
        foot=(game.weather, ""),
        odds=lambda: throw_odds(2, lambda f: result(game, sum(f)), {"hit": "Hit", "miss": "Miss"}),
    )
    game.counted()
    game.arms.powder = max(0, game.arms.powder - steps)
    what = result(game, sum(faces))
    if what == "hit":
        game.hits[OTHER[game.seat]] += 1
    game.rule(Ruling(what, what.title(), ("DU-2",), lambda data: (f"made {data['total']}",), {"total": sum(faces)}))


@section("DU-3")
def heal_wounds(game: Duel) -> Procedure[None]:
    """Names wounds until enough are named."""
    which = yield Pick("heal.which", "Which wounds?", WOUNDS, low=1, high=2)
    game.counted()
    game.hits[game.seat] = max(0, game.hits[game.seat] - len(which))
    game.remind("DU-4", "Sit down for a while")


@section("DU-1", title="Duel")
def play(game: Duel) -> Procedure[None]:
    """Turn by turn until one seat has three hits."""
    while max(game.hits.values()) < 3:
        yield MILESTONE
        try:
            spent = yield from turn(game)
        except Conceded:
            spent = True
        if spent:
            game.turn += 1
            game.seat = OTHER[game.seat]
    loser = max(game.hits, key=lambda seat: game.hits[seat])
    game.over = Over("beaten", f"{SEATS[loser]} is beaten", (OTHER[loser],))


def turn(game: Duel) -> Procedure[bool]:
    """Return whether something was done."""
    choice = yield Choose("turn.menu", "What now?", MENU, game.menu_bar, passing="pass", bundles=(TWICE,))
    if choice == "break":
        game.hits["east"] += 1
        raise KeyError("a fault in the rulebook")
    if choice == "stall":
        yield "no question"
    with Attempt(game):
        if choice == "shoot":
            yield from shot(game)
        elif choice == "heal":
            yield from heal_wounds(game)
        return True
    return False


def outlook(game: Duel) -> Odds | None:
    return throw_odds(1, lambda f: "east" if f[0] > 2 else "west", SEATS) if game.turn > 1 else None


def start(settings: Mapping[str, Any]) -> Duel:
    return Duel(weather="wet" if settings["rain"] else "dry")


BOOK = Book(
    id="duel",
    title="Duel",
    edition="1",
    start=start,
    play=play,
    rulings={"shot": shot},
    switches=(Switch("rain", "Does it rain?", (False, True), also=("wet",)), Switch("pace", "Pace", (1, 2, "all"))),
    foreign="DU-X8",
    closed="DU-X9",
    rules={"DU-1": "Duel", "DU-2": "Shot", "DU-3": "Wounds", "DU-4": "Rest"},
    outlook=outlook,
)
