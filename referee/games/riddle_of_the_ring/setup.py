"""Who plays whom, in the order round the table; whoever is named first begins."""

from __future__ import annotations

from functools import partial

from referee.games.riddle_of_the_ring.characters import CHARACTER, LARGEST, NAME, SMALLEST, line_up
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import ANYBODY, Bar, Bundle, Choose, Option, Options, Procedure, Short, joined, phrase, section

SEATS = Options((*CHARACTER.values(), Option("everybody", Short("That is everybody", "Nobody else"), "All here")))

TAKEN = {c: Bar("RR-X09", phrase("Somebody plays {} already", NAME[c]), firm=True) for c in NAME}
ALONE = Bar("RR-X09", "A game has at least two players", firm=True, aside=True)

USUAL = (4, 3, 2, 5, 6, 7, 8)
LINE_UPS = tuple(
    Bundle(
        f"players-{n}",
        phrase("{}: {}", n, joined(Short(" ", ", "), (NAME[c] for c in line_up(n)))),
        (*line_up(n), *(("everybody",) if n < LARGEST else ())),
        f"{n} play",
    )
    for n in USUAL
)
"""The usual line-ups: Hobbits and Riders in turns."""


@section("RR-1", title="Setup")
def setup(game: RiddleGame) -> Procedure[None]:
    """Player after player in seating order, until all are named: eight at most, four of a kind."""
    while len(game.players) < LARGEST:
        first = not game.players
        who = yield Choose(
            "setup.player",
            "Who begins?" if first else "Who sits next?",
            SEATS,
            partial(bar_seat, game),
            passing="everybody",
            seat=ANYBODY,
            rule="RR-1",
            head=f"Player {len(game.players) + 1}",
            tag="begins?" if first else "next?",
            bundles=LINE_UPS if first else (),
        )
        if who == "everybody":
            break
        game.players = (*game.players, who)
    game.started = True
    game.begin_turn(next(p for p in game.players if p not in game.conceded))


def bar_seat(game: RiddleGame, who: str) -> Bar | None:
    """Return RR-X09 for a character who is played already, or for fewer than two players."""
    if who == "everybody":
        return ALONE if len(game.players) < SMALLEST else None
    return TAKEN[who] if who in game.players else None
