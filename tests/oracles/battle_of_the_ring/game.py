"""A game of Battle of the Ring as the printed rules have it, or the desk for single attacks.

What happens is written as generators that yield one `Question` after another; what is open is worked out whenever
somebody looks, as a correction may have changed the state meanwhile. Each room has what belongs together: `building`,
`movement` with `places`, `hexes`, `arrival` and `ring`, `phase_end` with `armies` and `shire`, and `attacks`; the
state is in `board`. A room calls another by its name, so that `sharpness` can break its functions where they live.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.oracles.battle_of_the_ring import attacks, building, movement, rules
from tests.oracles.battle_of_the_ring.board import (
    BACK,
    TABLE,
    Asking,
    Board,
    Conceded,
    Dropped,
    Event,
    Finished,
    Question,
)
from tests.oracles.battle_of_the_ring.rules import RING


class Game(Board):
    """One game, or one desk, from its first question to its end."""

    def __init__(
        self, players: int = 3, *, pact: bool = False, crowns: dict[str, int] | None = None, desk: bool = False
    ) -> None:
        super().__init__(players, pact=pact, crowns=crowns, desk=desk)
        self.question: Question | None = None
        self.asking = attacks.desk(self) if desk else self.play()
        self._advance(lambda: next(self.asking))

    def play(self) -> Asking:
        for seat in rules.seats(3):
            yield from self.ask(f"setup.{seat}", lambda: {"placed": ""}, seat=TABLE, back=False)
            self.state.placed += 1
        self.remind("BR-20")
        while True:
            for seat in rules.seats(self.players):
                if seat not in self.state.conceded:
                    with suppress(Conceded):
                        yield from self.turn(seat)
            self.state.round = min(self.state.round + 1, 99)

    def turn(self, seat: str) -> Asking:
        self.state.seat = seat
        yield from building.phase(self)
        yield from movement.phase(self, "first-movement")
        yield from attacks.phase(self)
        yield from movement.phase(self, "second-movement")

    # -- what players and judge do --------------------------------------------------------------------------------

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer that is taken, and return what is announced."""
        self.events = []
        if value == BACK:
            self._advance(lambda: self.asking.throw(Dropped()))
        else:
            self._advance(lambda: self.asking.send(value))
        return self.events

    def correct(self, path: str, value: Any) -> list[Event]:
        """Set a field of the state; a Ring that has not moved in this phase began it on the hex it is set on."""
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

    def _advance(self, step: Callable[[], Question]) -> None:
        try:
            self.question = step()
        except Finished:
            self.question = None
