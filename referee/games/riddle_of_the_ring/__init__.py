"""Riddle of the Ring: two to eight players, Hobbits and Black Riders, two Power Plays a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.riddle_of_the_ring.battle import single_battle
from referee.games.riddle_of_the_ring.hands import single_riddle
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.tables import CHARACTER, LARGEST, LINE_UP, NAME, RULES, SMALLEST, USUAL
from referee.games.riddle_of_the_ring.turn import elsewhere, turn
from referee.rulebook import (
    ANYBODY,
    MILESTONE,
    Bar,
    Book,
    Bundle,
    Choose,
    Conceded,
    Count,
    Onward,
    Options,
    Procedure,
    Switch,
    decide,
    phrase,
    section,
)

__all__ = ["BOOK"]


@section("RR-1", "RR-49", title="Riddle of the Ring")
def play(game: RiddleGame) -> Procedure[None]:
    """Setup, then turn after turn, until the table says it is over."""
    while game.over is None:
        yield MILESTONE
        try:
            if not game.started:
                yield from setup(game)
                continue
            yield from turn(game)
        except Conceded:
            game.clear_action()
            if game.seat not in game.conceded:
                continue  # another player was asked: the turn goes on without what was under way
        if game.over is None:
            game.next_turn()


def start(settings: Mapping[str, Any]) -> RiddleGame:
    """Return the state before the first question."""
    return RiddleGame(overshoot=settings["overshoot"], return_first=settings["return_first"])


def out_of_sequence(game: RiddleGame, seat: str) -> str:
    """RR-X21 for the side of a battle whose force is not asked; a third player is out of turn."""
    return "RR-X21" if seat in {game.battle.attacker, game.battle.defender} else "RR-X01"


BOOK = Book(
    id="riddle-of-the-ring",
    title="Riddle of the Ring",
    edition="4",
    start=start,
    play=play,
    rulings={"battle": single_battle, "riddle": single_riddle},
    switches=(
        Switch("overshoot", "May a defender lay more points than the attacker has?", (False, True), "A-RR2", "Over"),
        Switch(
            "return_first", "Do retained cards go back before the winner picks?", (False, True), "A-RR7", "Back 1st"
        ),
    ),
    foreign="RR-X01",
    foreign_at=dict.fromkeys(("battle.attack", "battle.match", "battle.city", "battle.points"), out_of_sequence),
    elsewhere=elsewhere,
    closed="RR-X21",
    onward={
        "setup.player": Onward("The last player: all are seated, and nobody has a turn yet"),
        "turn.menu": Onward(
            "A move rules nothing out, and Back cancels it until the marker is placed; in the Halls only it is open",
            ("move", "left-halls"),
        ),
        "move.finished": Onward("Who is near is asked next, and can wait for the marker as well", ("finished",)),
        "riddle.guess": Onward("The last card of the hand: right or wrong, the Riddle is over"),
        "battle.attack": Onward("Five points to four: any card laid is a tie, and laying none gives up the attack"),
        "battle.match": Onward("Both have five points: any card laid ends the battle, and laying none gives it up"),
        "battle.city": Onward("As `battle.match`: the city was laid, and is called by a letter"),
        "battle.points": Onward("As `battle.match`: the card was laid, and is counted"),
        "battle.spoils": Onward("The battle is won; it is asked what was taken", ("taken",)),
    },
    rules=RULES,
    short="Riddle",
)


# -- who plays whom, in the order round the table; whoever is named first begins

SEATS = Options(CHARACTER.values())

TAKEN = {c: Bar("RR-X09", phrase("Somebody plays {} already", NAME[c]), firm=True) for c in NAME}


@section("RR-1", title="Setup")
def setup(game: RiddleGame) -> Procedure[None]:
    """How many there are, then who they are in seating order; as usual: Hobbits and Riders in turns.

    Of eight players the last is whoever is left, and not asked for.
    """
    number = yield Count(
        "setup.players",
        "How many players?",
        SMALLEST,
        LARGEST,
        default=USUAL,
        unit="players",
        seat=ANYBODY,
        rule="RR-1",
        head="Setup",
        tag="how many?",
    )
    asked = LINE_UP[: min(number, LARGEST - 1)]
    usual = Bundle("usual", "As usual: Hobbits and Riders in turn", asked, "Usual", pinned=True)
    while len(game.players) < number:
        first = not game.players
        who = yield from decide(
            Choose(
                "setup.player",
                "Who begins?" if first else "Who sits next?",
                SEATS,
                lambda who: TAKEN[who] if who in game.players else None,
                seat=ANYBODY,
                rule="RR-1",
                head=f"Player {len(game.players) + 1}",
                tag="begins?" if first else "next?",
                bundles=(usual,) if first else (),
            )
        )
        game.players = (*game.players, who)
    game.started = True
    game.begin_turn(next(p for p in game.players if p not in game.conceded))
