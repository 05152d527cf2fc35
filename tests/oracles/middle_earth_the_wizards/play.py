"""The course of a game and of the single rulings, and one run of them that can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.attack import SIDE, declare
from tests.oracles.middle_earth_the_wizards.company import (
    MOST,
    NO_CHECK,
    OUT_OF_STEP,
    another,
    begin_company,
    checked,
    enter,
    everybody_had_card,
    hazard_bar,
    join,
    kinds,
    limit,
    modifier,
    new_turn,
    set_up,
)
from tests.oracles.middle_earth_the_wizards.state import (
    BACK,
    TABLE,
    Ask,
    Bar,
    Dropped,
    Event,
    Finished,
    Game,
    Lost,
    Question,
    Steps,
    Strike,
    choose,
    number,
    offer,
    read,
    roll,
)
from tests.oracles.middle_earth_the_wizards.strike import resolve

# -- the whole game -----------------------------------------------------------------------------------------------


def whole_game(game: Game) -> Steps[None]:
    """Set up a company whenever there is none, and do what the players say."""
    while game.over is None:
        try:
            yield from next_thing(game)
        except Lost:
            game.attack = game.strike = None
            game.modifier = 0


def next_thing(game: Game) -> Steps[None]:
    if game.player in game.out:
        yield from new_turn(game)
    elif game.members:
        yield from whatever_happens(game)
    elif any(game.companies[at].members for at in game.own()):
        yield from another(game)
    else:
        begin_company(game)
        yield from set_up(game)


def whatever_happens(game: Game) -> Steps[None]:
    answer = yield lambda: menu(game)
    if answer == "attack":
        yield from declare(game)
    elif answer in SIDE:
        yield from SIDE[answer](game)
    elif answer == "hazard":
        game.company.play()
    elif answer == "join":
        yield from join(game)
    elif answer == "limit":
        with game.attempt():
            yield from limit(game)
    elif answer == "company":
        yield from another(game)
    elif answer == "new-turn":
        yield from new_turn(game)
    else:
        game.over = ("declared", ())


def menu(game: Game) -> Question:
    full = Bar(OUT_OF_STEP, firm=True) if len(game.members) >= MOST else None
    bars = {"hazard": hazard_bar(game), "card": everybody_had_card(game), "join": full, **NO_CHECK}
    free = offer("attack", "check", "status", "new-turn", "limit", "company", "over")
    return choose("menu", TABLE, {**bars, **free})


# -- single rulings -----------------------------------------------------------------------------------------------


def single_strike(game: Game) -> Steps[None]:
    game.alone = True
    kind = yield choose("strike.who", TABLE, kinds(game, wizards=False))
    yield from enter(game, kind)
    against = yield from number("strike.prowess", 1, 30)
    now = game.strike = Strike(game.members[0].id, against, 0)
    yield from resolve(game, now)
    game.strike = None


def single_body_check(game: Game) -> Steps[None]:
    """ME-24, ME-25: a body check alone."""
    game.alone = True
    of = yield choose("body.of", TABLE, offer("character", "wounded", "strike"))
    none = {"none": Bar("ME-X14", firm=True)}
    value = yield choose("body.value", TABLE, {**offer(*map(str, range(1, 13))), **none})
    body = int(value)

    def end(total: int) -> str:
        if of == "strike":
            return "defeated" if rules.beats_strike(total, body) else "survives"
        return "eliminated" if rules.beats_character(total, body, of == "wounded") else "survives"

    ways = rules.distribution([(end(throw), 1) for throw in rules.THROWS])
    seat = rules.checks(of == "strike")
    faces = yield from roll("body.dice", seat, ways, lambda throw: end(throw) != "survives")
    total = sum(faces)
    whose = "strike" if of == "strike" else "character"
    numbers = {
        "of": whose,
        "wounded": of == "wounded",
        "body": body,
        "faces": list(faces),
        "total": total,
        "result": end(total),
    }
    game.announce(end(total), numbers, end(total) != "survives", "ME-24" if of == "strike" else "ME-25")


def single_corruption_check(game: Game) -> Steps[None]:
    game.alone = True
    answer = "modifier"
    while answer == "modifier":
        points = [str(cp) for cp in range(21)]
        options = offer("modifier", *points)
        answer = yield choose("check.points", TABLE, options)
        if answer == "modifier":
            yield from modifier(game)
    yield from checked(game, None, int(answer))


PROCEDURES = {
    None: whole_game,
    "strike": single_strike,
    "body-check": single_body_check,
    "corruption-check": single_corruption_check,
}


# -- a run --------------------------------------------------------------------------------------------------------


class Run:
    """A game or a ruling from its first question on. ``moves``: what was done so far, stroke by stroke."""

    def __init__(self, ruling: str | None, *, force_excess: bool, players: int = 2) -> None:
        self._rules = (ruling, force_excess, players)
        self.moves: list[list[Callable[[], Any]]] = []
        self._start()

    def _start(self) -> None:
        ruling, force_excess, players = self._rules
        points = {f"player-{number}": 0 for number in range(1, players + 1)}
        self.game = Game(force_excess=force_excess, players=players, marshalling=points)
        self._steps = PROCEDURES[ruling](self.game)
        self._ask: Ask | None = next(self._steps)

    @property
    def question(self) -> Question | None:
        """What is asked now; a correction may have changed it."""
        asked = read(self._ask) if self._ask else None
        return asked and replace(asked, seat=self.game.seat(asked.seat))

    @property
    def back(self) -> bool:
        """Whether the action under way can be dropped."""
        return bool(self.game.attempts) and self.game.attempts[-1]

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer, and return what is announced."""
        self._do(partial(self._answer, value))
        return self.game.events

    def correct(self, path: str, value: Any) -> None:
        """Set a field as the judge says."""
        self._do(lambda: self.game.correct(path, value))

    def concede(self, seat: str) -> None:
        """Let a seat give up."""
        self._do(partial(self._concede, seat))

    def in_one_stroke(self, first: int) -> None:
        """Let the moves from ``first`` on be taken back together."""
        self.moves[first:] = [[*chain.from_iterable(self.moves[first:])]]

    def undo(self) -> None:
        """Take the last stroke back."""
        self.moves.pop()
        self._start()
        for move in chain.from_iterable(self.moves):
            move()

    def _do(self, move: Callable[[], Any]) -> None:
        self.moves.append([move])
        move()

    def _answer(self, value: Any) -> None:
        self.game.events = []
        try:
            self._ask = self._steps.throw(Dropped()) if value == BACK and self.back else self._steps.send(value)
        except StopIteration:
            self._ask = None
        except Finished as end:
            self.game.over = (end.args[0], end.args[1:])
        self._ask = None if self.game.over else self._ask

    def _concede(self, seat: str) -> None:
        asked = self.question
        self.game.conceded.append(seat)
        self.game.goes("concession")
        if not self.game.over and asked and asked.seat == seat:
            self._ask = self._steps.throw(Lost())
        self._ask = None if self.game.over else self._ask
