"""Riddles: how many titles may be stated, card after card, until one is wrong."""

from __future__ import annotations

from functools import partial

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.characters import NAME, others_first
from referee.games.riddle_of_the_ring.forces import guesses
from referee.games.riddle_of_the_ring.state import HAND, RiddleGame
from referee.rulebook import Bar, Choose, Count, Option, Procedure, Short, decide, phrase, section

RESULTS = plays.among(
    Option("right", "Right"), Option("wrong", "Wrong: the Riddle ends", "Wrong"), Option("stop", "Stop")
)

NO_CARDS = Bar("RR-X16", "A hand without cards cannot be riddled", firm=True)
FIRST = Bar("RR-X21", "State titles for the first card", firm=True, aside=True)

TARGET_NOTES = (("RR-25", "You need another card, to lose it if you are wrong"),)
NOTES = (
    ("RR-20", "Draw 1 card of that hand at random"),
    ("RR-22", "One right title is enough"),
)


@section("RR-4", "RR-20", "RR-26", title="Riddle", lasting=True)
def riddle(game: RiddleGame) -> Procedure[None]:
    """One Riddle card against one hand: one Power Play, however many cards it wins."""
    game.entry.target = yield from decide(
        Choose(
            "riddle.target",
            "Whose hand is riddled?",
            plays.among(*others_first(game.players, game.seat, plays.ONLY_CARD)),
            plays.only(partial(bar_target, game)),
            rule="RR-20",
            head=NAME[game.seat],
            tag="Riddle",
            notes=TARGET_NOTES,
        )
    )
    yield from hand(game)
    game.spend("riddle")
    yield from guess(game)


def bar_target(game: RiddleGame, who: str) -> Bar | None:
    """Return why a hand cannot be riddled: X17 for the riddler's own, then X09 and X20."""
    return plays.NO_CARD_TO_LOSE if who == "only-card" else plays.bar_target(game, who)


@section("RR-20", "RR-21", title="Riddle", lasting=True)
def single_riddle(game: RiddleGame) -> Procedure[None]:
    """One Riddle by itself; nothing is counted."""
    game.single = True
    yield from hand(game)
    yield from guess(game)


@section("RR-21", "RR-25", title="Hand")
def hand(game: RiddleGame) -> Procedure[None]:
    """How many cards the target holds: there must be one to draw."""
    game.entry.cards = yield Count(
        "riddle.hand",
        phrase("How many cards does {} have?", opponent(game)),
        0,
        HAND,
        _bar_hand,
        default=4,
        unit="cards",
        one="card",
        rule="RR-21",
        head=phrase("Hand of {}", opponent(game)),
        tag="size",
    )


def _bar_hand(cards: int) -> Bar | None:
    return NO_CARDS if cards < 1 else None


@section("RR-21", "RR-22", "RR-23", "RR-24", "A-RR5", title="Guess")
def guess(game: RiddleGame) -> Procedure[None]:
    """Card after card; the guesses are counted anew for each (A-RR5)."""
    entry = game.entry
    while entry.cards > 0:
        result = yield lambda: Choose(
            "riddle.guess",
            phrase(Short("{} for {}", "{} for {}. Is it right?"), guesses_text(game), drawn_from(game.entry.cards)),
            RESULTS,
            plays.only(partial(_bar_result, game)),
            default="right",
            passing="stop",
            rule="RR-21",
            head=guesses_text(game),
            tag=plural(game.entry.cards, "card", "cards"),
            notes=NOTES,
        )
        if result == "wrong":
            wrong(game)
            return
        if result == "stop":
            break
        entry.won += 1
        entry.cards = max(0, entry.cards - 1)
    right(game)


def _bar_result(game: RiddleGame, result: str) -> Bar | None:
    return FIRST if result == "stop" and not game.entry.won else None


GOES = "1 random card goes"


def wrong(game: RiddleGame) -> None:
    """The target draws a card of the riddler's hand, and the Riddle is over."""
    riddler = "you" if game.single else NAME[game.seat]
    line = phrase("from {} to {}", riddler, opponent(game))
    to_do = (Short(GOES, f"{GOES} {line.whole}"), Short(line, ""))
    won = game.entry.won
    why = Short(
        won_text(game), f"{plural(won, 'card', 'cards')} {'was' if won == 1 else 'were'} won before the wrong guess"
    )
    plays.announce(game, "wrong", "Wrong", ("RR-24", "RR-26"), (why,), _data(game), to_do=to_do)


def right(game: RiddleGame) -> None:
    """The riddler keeps what was guessed."""
    cards, many = plural(game.entry.cards, "card", "cards"), game.entry.cards != 1
    why = (("RR-23", Short(f"{cards} left in that hand", f"{cards} {'are' if many else 'is'} left in that hand")),)
    plays.announce(game, "right", won_text(game), ("RR-23", "RR-26"), why, _data(game))


def won_text(game: RiddleGame) -> str:
    """Return "2 cards won"."""
    return f"{plural(game.entry.won, 'card', 'cards')} won"


def drawn_from(cards: int) -> str:
    """Return what card is drawn from a hand of so many: "one of 2 cards"."""
    return f"one of {cards} cards" if cards > 1 else "the only card"


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
