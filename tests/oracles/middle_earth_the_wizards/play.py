"""The course of a game and of the single rulings, and one run of them that can be taken back."""

from __future__ import annotations

from dataclasses import replace
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
    count,
    number,
    offer,
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
        count(game.company, "hazards", game.company.hazards + 1)
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
    kind = yield lambda: choose("strike.who", TABLE, kinds(game, wizards=False))
    yield from enter(game, kind)
    against = yield from number("strike.prowess", 1, 30)
    now = game.strike = Strike(game.members[0].id, against, 0)
    yield from resolve(game, now)
    game.strike = None


def single_body_check(game: Game) -> Steps[None]:
    """ME-24, ME-25: a body check alone."""
    game.alone = True
    of = yield lambda: choose("body.of", TABLE, offer("character", "wounded", "strike"))
    none = {"none": Bar("ME-X14", firm=True)}
    value = yield lambda: choose("body.value", TABLE, {**offer(*map(str, range(1, 16))), **none})
    body = int(value)

    def end(total: int) -> str:
        if of == "strike":
            return "defeated" if rules.beats_strike(total, body) else "survives"
        return "eliminated" if rules.beats_character(total, body, of == "wounded") else "survives"

    ways = rules.distribution([(end(throw), 1) for throw in rules.THROWS])
    seat = rules.checks(of == "strike")
    faces = yield from roll("body.dice", seat, lambda: dict(ways), lambda throw: end(throw) != "survives")
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
        answer = yield lambda options=options: choose("check.points", TABLE, options)  # type: ignore[misc]
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


class Correction(tuple[str, Any]):
    """What the judge set: a field, and to what."""

    __slots__ = ()


class Concession(str):
    """A seat that gave up."""

    __slots__ = ()


class Bundled(tuple[Any, ...]):
    """Answers that were sent as one."""

    __slots__ = ()


class Run:
    """A game or a ruling from its first question on. ``moves``: answers and corrections so far."""

    def __init__(self, ruling: str | None, *, force_excess: bool, players: int = 2) -> None:
        self.ruling = ruling
        self.force_excess = force_excess
        self.players = players
        self.moves: list[Any] = []
        self._start()

    def _start(self) -> None:
        points = {f"player-{number}": 0 for number in range(1, self.players + 1)}
        self.game = Game(force_excess=self.force_excess, players=self.players, marshalling=points)
        self._steps = PROCEDURES[self.ruling](self.game)
        self._ask: Ask | None = next(self._steps)

    @property
    def question(self) -> Question | None:
        """What is asked now; a correction may have changed it."""
        asked = self._ask() if self._ask else None
        return asked and replace(asked, seat=self.game.seat(asked.seat))

    @property
    def back(self) -> bool:
        """Whether the action under way can be dropped."""
        return bool(self.game.attempts) and self.game.attempts[-1]

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer, and return what is announced."""
        self.moves.append(value)
        return self._apply(value)

    def correct(self, path: str, value: Any) -> None:
        """Set a field as the judge says."""
        self.moves.append(Correction((path, value)))
        self._apply(self.moves[-1])

    def concede(self, seat: str) -> None:
        """Let a seat give up."""
        self.moves.append(Concession(seat))
        self._apply(self.moves[-1])

    def in_one_stroke(self, first: int) -> None:
        """Let the moves from ``first`` on be taken back together."""
        self.moves[first:] = [Bundled(self.moves[first:])]

    def undo(self) -> None:
        """Take the last move back."""
        self.moves.pop()
        self._start()
        for stroke in self.moves:
            for move in stroke if isinstance(stroke, Bundled) else (stroke,):
                self._apply(move)

    def _apply(self, move: Any) -> list[Event]:
        self.game.events = []
        if isinstance(move, Correction):
            path, value = move
            self.game.correct(path, value)
            return []
        asked = self.question
        try:
            if isinstance(move, Concession):
                self.game.conceded.append(str(move))
                self.game.goes("concession")
                if not self.game.over and asked and asked.seat == move:
                    self._ask = self._steps.throw(Lost())
                self._ask = None if self.game.over else self._ask
                return []
            self._ask = self._steps.throw(Dropped()) if move == BACK and self.back else self._steps.send(move)
        except StopIteration:
            self._ask = None
        except Finished as end:
            self.game.over, self._ask = (end.args[0], end.args[1:]), None
        if self.game.over:
            self._ask = None
        return self.game.events
