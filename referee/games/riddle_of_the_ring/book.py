"""The book: switches, the whole game, the single rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.riddle_of_the_ring.battle import single_battle
from referee.games.riddle_of_the_ring.riddles import single_riddle
from referee.games.riddle_of_the_ring.rules import RULES
from referee.games.riddle_of_the_ring.setup import setup
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.turn import turn
from referee.rulebook import MILESTONE, Book, Conceded, Onward, Procedure, Switch, section


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
    edition="2",
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
    closed="RR-X21",
    onward={
        "setup.player": Onward("The eighth player: the table is full, and nobody has a turn yet"),
        "turn.menu": Onward(
            "A move closes nothing, and Back drops it until the marker stands; in the Halls nothing else is open",
            ("move", "left-halls"),
        ),
        "move.finished": Onward("Who is near is asked next, and can wait for the marker as well", ("finished",)),
        "riddle.guess": Onward("The last card of the hand: right or wrong, the Riddle is over"),
        "battle.attack": Onward("Five points to four: whatever is laid is a tie, and else the attack is given up"),
        "battle.match": Onward(
            "Both stand at five points: whatever is laid ends the battle, and else it is given up"
        ),
        "battle.city": Onward("As `battle.match`: the city was laid, and is called by a letter"),
        "battle.points": Onward("As `battle.match`: the card was laid, and is counted"),
        "battle.spoils": Onward("The battle is won; it is asked what was taken", ("taken",)),
    },
    rules=RULES,
    short="Riddle",
)
