"""A small game that uses everything a rulebook can: two seats, all four questions, bars, bundles, a way back."""

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
    Cell,
    Choose,
    Count,
    Game,
    Options,
    Over,
    Pick,
    Procedure,
    Range,
    Roll,
    Ruling,
    Switch,
    section,
    throw_odds,
)

SEATS = {"north": "North", "south": "South"}
OTHER = {"north": "south", "south": "north"}
MENU = Options([("shoot", "Shoot"), ("rest", "Rest"), ("fly", "Fly"), ("pass", "Pass")])
RANGE = Options([("near", "Near"), ("far", "Far")])
WOUNDS = Options([("arm", "Arm"), ("leg", "Leg"), ("ear", "Ear")])
NEED = {"near": 7, "far": 10}
CHEER = (
    Bundle("both-near", "Shoot near, no bonus", ("shoot", "near", 0)),
    Bundle("bad", "Bad", ("shoot", "near", 3)),
)


@dataclass
class Skirmish(Game):
    """Hits taken by each seat; who reaches the limit has lost."""

    seat: str = "north"
    limit: int = 3
    turn: int = 1
    hits: dict[str, int] = field(default_factory=lambda: {"north": 0, "south": 0})
    correctable: ClassVar[Mapping[str, Range]] = {
        "hits.north": Range(0, 2),
        "hits.south": Range(0, 2, "Southern hits"),
    }

    def place(self) -> tuple[str, ...]:
        return (f"Turn {self.turn}", SEATS.get(self.seat, ""))

    def seats(self) -> Mapping[str, str]:
        return SEATS

    def concede(self, seat: str) -> None:
        super().concede(seat)
        self.over = Over("conceded", f"{SEATS[seat]} gave up", (OTHER[seat],))

    def bar(self, option: str) -> Bar | None:
        if option == "rest" and not self.hits[self.seat]:
            return Bar("SK-X1", "Nobody is hurt")
        if option == "fly":
            return Bar("SK-X2", "Nobody can fly", firm=True, aside=True)
        return None


def outcome(faces: tuple[int, ...], need: int) -> str:
    return "hit" if sum(faces) >= need else "miss"


@section("SK-2", title="Shot")
def shot(game: Skirmish) -> Procedure[None]:
    """Two dice against the range; the sum may be entered."""
    where = yield Choose("shot.range", "How far?", RANGE, rule="SK-2")
    bonus = yield Count(
        "shot.bonus", "Bonus", 0, 3, lambda n: Bar("SK-X3", "At most 2") if n > 2 else None, unit="points"
    )
    need = NEED[where] - bonus
    faces = yield Roll(
        "shot.dice",
        "Roll",
        2,
        total=True,
        code="SK-X4",
        need=f"{need}+",
        odds=lambda: throw_odds(2, lambda f: outcome(f, need), {"hit": "Hit", "miss": "Miss"}),
    )
    game.counted()
    result = outcome(faces, need)
    before = game.hits[OTHER[game.seat]]
    if result == "hit":
        game.hits[OTHER[game.seat]] += 1
    data = {"total": sum(faces), "need": need, "before": before, "after": game.hits[OTHER[game.seat]]}
    game.rule(
        Ruling(result, result.title(), ("SK-2", "SK-3"), lambda d: (f"{d['total']} against {d['need']}",), data)
    )


@section("SK-4", title="Rest")
def rest(game: Skirmish) -> Procedure[None]:
    """One die; up to two wounds are named."""
    (face,) = yield Roll("rest.die", "One die", 1)
    which = yield Pick("rest.which", "Which wounds?", WOUNDS, low=1, high=2)
    game.counted()
    game.hits[game.seat] = max(0, game.hits[game.seat] - len(which))
    game.remind("SK-5", f"Rest {face} minutes")


@section("SK-1", title="Skirmish")
def play(game: Skirmish) -> Procedure[None]:
    """Turn by turn."""
    while max(game.hits.values()) < game.limit:
        yield MILESTONE
        choice = yield Choose("turn.menu", "What now?", MENU, game.bar, passing="pass", rule="SK-1", bundles=CHEER)
        if choice != "pass":
            before = game.hits.copy()
            with Attempt(game):
                yield from (shot(game) if choice == "shoot" else rest(game))
                before = {}
            if before:
                continue
        game.turn += 1
        game.seat = OTHER[game.seat]
    loser = max(game.hits, key=lambda seat: game.hits[seat])
    game.over = Over("beaten", f"{SEATS[loser]} is beaten", (OTHER[loser],))


def start(settings: Mapping[str, Any]) -> Skirmish:
    return Skirmish(limit=settings["limit"])


def cells() -> tuple[Cell, ...]:
    names = {"hit": "Hit", "miss": "Miss"}
    odds = {where: throw_odds(2, lambda f, n=need: outcome(f, n), names) for where, need in NEED.items()}  # type: ignore[misc]
    return tuple(Cell(where, "unaided", chances) for where, chances in odds.items())


BOOK = Book(
    id="skirmish",
    title="Skirmish",
    edition="1",
    start=start,
    play=play,
    rulings={"shot": shot},
    switches=(Switch("limit", "Hits that beat a side", (3, 2), "SK-1"), Switch("fog", "Fog", (False, True))),
    foreign="SK-X8",
    closed="SK-X9",
    tables={"shots": cells},
)
