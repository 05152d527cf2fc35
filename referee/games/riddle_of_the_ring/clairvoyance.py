"""Clairvoyance: whose hand is seen with which card, and whether he resists."""

from __future__ import annotations

from functools import partial

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.characters import CHARACTER, NAME, others_first
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Bar, Choose, Option, Procedure, section

CARDS = plays.among(
    Option("wizard", "Wizard"), Option("spy", "Spy"), Option("palantir", "Palantír"), Option("elf-ring", "Elf Ring")
)
CARD_NAMES = {option.id: option.text for option in CARDS}
RESISTIBLE = ("palantir", "elf-ring")

TWO_HANDS = Option("two-hands", "Two hands with it", "Two")
NO_MORE = Option("no-more", "No second hand", "No more")
NEAR = plays.among(
    Option("near", "Near"), Option("too-far", "Too far"), Option("another", "Another player", "Another")
)
ANSWERS = plays.among(Option("hand", "Show the hand", "Hand"), Option("resists", "Resist", "Resist"))
"""What the target of a Clairvoyance does. Which card resists is secret: it has no id and is never entered (RR-12)."""

TOO_FAR = Bar("RR-X19", "An Elf Ring reaches only near players")
NO_SECOND = Bar("RR-X02", "Two hands take two Power Plays")
ONE_OTHER = Bar("RR-X09", "There is no second player", firm=True, aside=True)
ALREADY = Bar("RR-X21", "The second hand is being chosen", firm=True, aside=True)
NONE_YET = Bar("RR-X21", "The first hand comes first", firm=True, aside=True)
IRRESISTIBLE = Bar("RR-X15", "Nobody resists a Wizard or a Spy")

CARD_NOTES = (("RR-10", "The user sees every card of the hand"),)
RESIST_NOTES = (
    ("RR-11", "Resist with The Ring or your own card only"),
    ("RR-12", "Show it to the user alone; never say which"),
)


@section("RR-4", "RR-10", "RR-14", "RR-15", title="Clairvoyance")
def clairvoyance(game: RiddleGame) -> Procedure[None]:
    """One card, one hand or two; each attempt is a Power Play."""
    entry = game.entry
    entry.card = yield Choose(
        "clairvoyance.card",
        "Clairvoyance with which card?",
        CARDS,
        plays.only(),
        rule="RR-10",
        head=NAME[game.seat],
        tag="card",
        notes=CARD_NOTES,
    )
    while entry.hands > 0:
        yield from aim(game)
        if not entry.target:
            return
        if entry.card == "elf-ring" and not (yield from near(game)):
            continue
        game.spend("clairvoyance")
        entry.hands -= 1
        entry.seen.append(entry.target)
        yield from resist(game)


@section("RR-15", "A-RR12", title="Whose hand")
def aim(game: RiddleGame) -> Procedure[None]:
    """Choose the target, or say that two hands are meant, or that the second is not seen after all."""
    entry = game.entry
    answer = "two-hands"
    while answer == "two-hands":
        answer = yield Choose(
            "clairvoyance.target",
            "Whose hand?",
            plays.with_activities(others_first(game.players, game.seat, TWO_HANDS, NO_MORE)),
            plays.only(partial(bar_hand, game)),
            passing="no-more",
            rule="RR-15",
            head=CARD_NAMES[entry.card],
            tag="2nd hand" if entry.seen else f"1st of {entry.hands}" if entry.hands > 1 else "whose?",
        )
        if answer == "two-hands":
            entry.hands = 2
    entry.target = answer if answer in CHARACTER else ""


def bar_hand(game: RiddleGame, who: str) -> Bar | None:
    """Return why a hand cannot be seen; for a second hand X02 comes before its target."""
    entry = game.entry
    if who == "two-hands":
        return _bar_two(game)
    if who == "no-more":
        return None if entry.seen else NONE_YET
    bar = plays.bar_target(game, who)
    if entry.seen and game.left < 1:
        return NO_SECOND._replace(firm=True) if bar and bar.firm else NO_SECOND
    return bar


def _bar_two(game: RiddleGame) -> Bar | None:
    if game.entry.hands > 1 or game.entry.seen:
        return ALREADY
    if len(game.others()) < 2:
        return ONE_OTHER
    return NO_SECOND if game.left < 2 else None


@section("RR-7", title="Near enough")
def near(game: RiddleGame) -> Procedure[bool]:
    """An Elf Ring reaches only those near; another player may be named instead."""
    answer = yield Choose(
        "clairvoyance.near",
        f"Is {NAME[game.entry.target]} near enough?",
        NEAR,
        plays.only(_bar_near),
        default="near",
        rule="RR-7",
        head=f"Elf Ring>{NAME[game.entry.target]}",
        tag="near?",
    )
    return bool(answer != "another")


def _bar_near(answer: str) -> Bar | None:
    return TOO_FAR if answer == "too-far" else None


@section("RR-11", "RR-12", "RR-13", title="Resist")
def resist(game: RiddleGame) -> Procedure[None]:
    """The target shows the hand, or one card instead that nobody else sees; the Power Play is spent either way."""
    entry = game.entry
    target = entry.target
    answer = yield Choose(
        "clairvoyance.resist",
        f"{NAME[game.seat]} sees your hand. Resist?",
        ANSWERS,
        plays.only(partial(bar_resist, game)),
        default="hand",
        seat=target,
        rule="RR-11" if entry.card in RESISTIBLE else "RR-13",
        head=f"{CARD_NAMES[entry.card]}>{NAME[target]}",
        tag="resist?",
        notes=RESIST_NOTES if entry.card in RESISTIBLE else (),
    )
    data = {"card": entry.card, "target": target, "resisted": answer == "resists"}
    rules = ("RR-11", "RR-12", "RR-14") if entry.card in RESISTIBLE else ("RR-13", "RR-14")
    user, name = NAME[game.seat], NAME[target]
    if answer == "hand":
        why: tuple[str, ...] = (f"{name} shows the hand to {user}",)
        plays.told(game, "hand-seen", f"{name} seen", rules, why, data, changed=False)
    else:
        why = (f"{name} shows {user} one card instead", f"Only {user} sees that card")
        plays.told(game, "resisted", "Resisted", rules, why, data, changed=False)


def bar_resist(game: RiddleGame, answer: str) -> Bar | None:
    """Return why a card cannot be resisted (X15)."""
    return IRRESISTIBLE if answer == "resists" and game.entry.card not in RESISTIBLE else None
