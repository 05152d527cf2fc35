"""A game of sealed bids: three seats bid for prizes, and the judge may set what they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from referee.rulebook import (
    ANYBODY,
    MILESTONE,
    Bar,
    Book,
    Choose,
    Count,
    Game,
    Onward,
    Options,
    Over,
    Pool,
    Procedure,
    Range,
    Ruling,
    Sealed,
    section,
)

SEATS = {"north": "North", "south": "South", "west": "West"}
GO_ON = Options([("bid", "Bid"), ("skip", "Skip it")])
LUCKY = 4


@dataclass
class Bidding(Game):
    """Coins left, and prizes won."""

    seat: str = ANYBODY
    prize: int = 1
    coins: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 5))
    won: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    correctable: ClassVar[Mapping[str, Range]] = {f"coins.{seat}": Range(0, 9) for seat in SEATS}

    def seats(self) -> Mapping[str, str]:
        return {seat: name for seat, name in SEATS.items() if seat not in self.conceded}

    def place(self) -> tuple[str, ...]:
        return (f"Prize {self.prize}",)

    def pools(self) -> tuple[Pool, ...]:
        return tuple(Pool(seat, f"{SEATS[seat]} coins", seat, coins, 9) for seat, coins in self.coins.items())

    def concede(self, seat: str) -> None:
        super().concede(seat)
        if len(self.seats()) < 2:
            self.over = Over("alone", f"{' '.join(self.seats().values())} is alone", tuple(self.seats()))


def question(game: Bidding, seat: str) -> Count:
    unlucky = Bar("B-X1", "Nobody bids 4")
    bar = lambda coins: unlucky if coins == LUCKY else None  # noqa: E731
    return Count(f"bid.{seat}", "How many coins?", 0, game.coins[seat], bar, seat=seat, rule="B-1", head="Bid")


@section("B-1", title="A prize")
def prize(game: Bidding) -> Procedure[None]:
    bids = yield lambda: Sealed(*(question(game, seat) for seat in game.seats()))
    best = max(bids.values())
    winners = [seat for seat, bid in bids.items() if bid == best]
    for seat, bid in bids.items():
        game.coins[seat] = max(0, game.coins[seat] - bid)
    if len(winners) == 1:
        game.won[winners[0]] += 1
    headline = f"{SEATS[winners[0]]} has it" if len(winners) == 1 else "Nobody has it"
    told = tuple(f"{SEATS[seat]} bids {bid}" for seat, bid in bids.items())
    game.rule(Ruling("sold" if len(winners) == 1 else "tie", headline, ("B-1",), told, {"bids": dict(bids)}))


def play(game: Bidding) -> Procedure[None]:
    while True:
        yield MILESTONE
        if (yield Choose("prize.go", "Bid for it?", GO_ON, default="bid", passing="skip")) == "bid":
            yield from prize(game)
        game.prize += 1


BOOK = Book(
    "bidding",
    "Bidding",
    "1",
    lambda settings: Bidding(),
    play,
    rulings={"bid": prize},
    foreign="B-X2",
    onward={f"bid.{seat}": Onward("Whoever bids nothing pays nothing") for seat in SEATS},
    rules={"B-1": "The highest bid has it, all pay"},
)
