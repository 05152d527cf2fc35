"""Riddles: how many titles may be stated, card after card, until one is wrong."""

from __future__ import annotations

from functools import partial

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.characters import NAME, others_first
from referee.games.riddle_of_the_ring.forces import guesses
from referee.games.riddle_of_the_ring.state import HAND, RiddleGame
from referee.rulebook import Bar, Choose, Count, Option, Procedure, section

HOLDS = plays.among(Option("two-or-more", "Two cards or more", "Two+"), Option("one", "Only the Riddle", "One"))
SAID = plays.among(Option("right", "Right"), Option("wrong", "Wrong"), Option("stop", "Stop"))

ONLY_CARD = Bar("RR-X17", "The Riddle is your only card: you need one to lose")
NO_CARDS = Bar("RR-X16", "A hand without cards cannot be riddled", firm=True)
FIRST = Bar("RR-X21", "State titles for the first card", firm=True, aside=True)

NOTES = (
    ("RR-20", "Draw 1 card of that hand at random"),
    ("RR-22", "One right title is enough"),
)


@section("RR-4", "RR-20", "RR-26", title="Riddle")
def riddle(game: RiddleGame) -> Procedure[None]:
    """One Riddle card against one hand: one Power Play, however many cards it wins."""
    game.entry.target = yield Choose(
        "riddle.target",
        "Riddle for whom?",
        plays.with_activities(others_first(game.players, game.seat)),
        plays.only(partial(plays.bar_target, game)),
        rule="RR-20",
        head=NAME[game.seat],
        tag="riddle",
    )
    yield from hands(game)
    game.spend("riddle")
    yield from guess(game)


@section("RR-20", "RR-21", title="Riddle")
def single_riddle(game: RiddleGame) -> Procedure[None]:
    """One Riddle by itself; nothing is counted."""
    game.single = True
    yield from hands(game)
    yield from guess(game)


@section("RR-21", "RR-25", title="Hands")
def hands(game: RiddleGame) -> Procedure[None]:
    """The riddler needs a card to lose, the target one to draw."""
    yield Choose(
        "riddle.own-hand",
        "Your hand, with the Riddle?",
        HOLDS,
        plays.only(_bar_own),
        default="two-or-more",
        rule="RR-25",
        head=plays.user(game),
        tag="hand",
    )
    game.entry.cards = yield Count(
        "riddle.hand",
        f"How many cards has {opponent(game)}?",
        0,
        HAND,
        _bar_hand,
        default=4,
        unit="cards",
        rule="RR-21",
        head=f"Hand of {opponent(game)}",
        tag="size",
    )


def _bar_own(cards: str) -> Bar | None:
    return ONLY_CARD if cards == "one" else None


def _bar_hand(cards: int) -> Bar | None:
    return NO_CARDS if cards < 1 else None


@section("RR-21", "RR-22", "RR-23", "RR-24", "A-RR5", title="Guess")
def guess(game: RiddleGame) -> Procedure[None]:
    """Card after card; the guesses are counted anew for each (A-RR5)."""
    entry = game.entry
    while entry.cards > 0:
        said = yield Choose(
            "riddle.guess",
            lambda: f"{guesses_text(game)} for one of {plural(game.entry.cards, 'card', 'cards')}",
            SAID,
            plays.only(partial(_bar_said, game)),
            passing="stop",
            rule="RR-21",
            head=partial(guesses_text, game),
            tag=lambda: f"1 of {game.entry.cards}",
            notes=NOTES,
        )
        if said == "wrong":
            wrong(game)
            return
        if said == "stop":
            break
        entry.won += 1
        entry.cards = max(0, entry.cards - 1)
    won(game)


def _bar_said(game: RiddleGame, said: str) -> Bar | None:
    return FIRST if said == "stop" and not game.entry.won else None


def wrong(game: RiddleGame) -> None:
    """The target draws, and it is over."""
    loser = "you" if game.single else plays.user(game)
    why = (f"{opponent(game)} draws 1 card from {loser} at random", won_text(game))
    plays.told(game, "wrong", "Wrong", ("RR-24", "RR-26"), why, _data(game))


def won(game: RiddleGame) -> None:
    """The riddler keeps what he guessed."""
    plays.told(
        game, "right", won_text(game), ("RR-23", "RR-26"), (f"{game.entry.cards} left in that hand",), _data(game)
    )


def won_text(game: RiddleGame) -> str:
    """Return "2 cards won"."""
    return f"{plural(game.entry.won, 'card', 'cards')} won"


def guesses_text(game: RiddleGame) -> str:
    """Return "3 guesses": what the hand is worth as it is now (RR-21)."""
    return plural(guesses(game.entry.cards), "guess", "guesses")


def plural(number: int, one: str, more: str) -> str:
    """Return "1 card", "2 cards"."""
    return f"{number} {one if number == 1 else more}"


def opponent(game: RiddleGame) -> str:
    """Return who is riddled."""
    return NAME.get(game.entry.target, "Target")


def _data(game: RiddleGame) -> dict[str, object]:
    return {"target": game.entry.target, "won": game.entry.won, "left": game.entry.cards}
