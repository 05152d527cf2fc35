"""The frame of a game: a menu of what can happen to a company, turn after turn."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.attack import attack
from referee.games.the_wizards.company import (
    FULL,
    JOINING,
    MOST,
    another_company,
    bar_way,
    enter_character,
    enter_company,
    set_limit,
    turn_to,
)
from referee.games.the_wizards.corruption import corruption_card, corruption_check
from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import MOST_TOLD, Entry, WizardsGame
from referee.games.the_wizards.steps import LIMIT, NO_CHECK
from referee.games.the_wizards.strikes import WOUNDED
from referee.games.the_wizards.words import STATUS
from referee.rulebook import MILESTONE, Attempt, Bar, Choose, Options, Over, Procedure, section

MENU = Options(
    (
        ("attack", "Attack"),
        ("check", "Corruption check", "CP check"),
        ("card", "Corruption card", "CP card"),
        STATUS,
        ("new-turn", "New turn", "New turn"),
        ("hazard", "Other hazard", "Hazard"),
        ("join", "Somebody joins", "Joins"),
        ("limit", "Hazard limit", "Limit"),
        ("company", "Another company", "Company"),
        ("over", "Game over", "Over"),
        ("body-check", "Body check"),
    )
)
NOTES = (("ME-54", "At a Haven the wounded can heal next turn"),)


@section("ME-1", "ME-54", title="The Wizards")
def play(game: WizardsGame) -> Procedure[None]:
    """Company after company, turn after turn, until somebody says it is over."""
    while True:
        yield MILESTONE
        game.entry = Entry()
        if game.company.limit == 0:
            yield from enter_company(game)
        elif not game.members:
            yield from after_the_last(game)
        elif (yield from until_milestone(game)):
            return


def until_milestone(game: WizardsGame) -> Procedure[bool]:
    """Choose from the menu until a turn, an attack or another company makes a good mark; tell whether it is over."""
    while True:
        choice = yield from menu(game)
        if game.over is not None:
            return True
        if choice in ("new-turn", "attack", "company") or not game.members:
            return False


@section("ME-51", "ME-61", title="Menu")
def menu(game: WizardsGame) -> Procedure[str]:
    """One thing that happens to the company that moves; return what it was."""
    game.entry = Entry()
    choice: str = yield Choose(
        "menu",
        "What happens?",
        MENU,
        partial(bar_menu, game),
        default="attack",
        passing="new-turn",
        rule="ME-1",
        head=f"Turn {game.turn}",
        tag=f"haz {game.hazards}/{game.company.limit}",
        notes=NOTES if any(c.status == WOUNDED for c in game.members) else (),
    )
    if choice == "new-turn":
        new_turn(game)
    elif choice == "hazard":
        game.play_hazard()
    elif choice == "over":
        game.over = Over("declared", "The table says so")
    elif choice == "attack":
        yield from attack(game)
    else:
        with Attempt(game):
            yield from ENTRIES[choice](game)
    return choice


def bar_menu(game: WizardsGame, choice: str) -> Bar | None:
    """Return ME-X01 at the hazard limit, ME-X11 if all had their card, ME-X14 for a body check with no strike."""
    if choice == "hazard" and game.hazards >= game.company.limit:
        return LIMIT
    if choice == "card" and all(c.corruption_card for c in game.members):
        return ALL_HAD_ONE
    if choice == "join" and len(game.members) >= MOST:
        return FULL
    return NO_CHECK if choice == "body-check" else None


@section("ME-52", title="Company lost")
def after_the_last(game: WizardsGame) -> Procedure[None]:
    """The company has nobody left: another one moves, or a new one is entered."""
    if any(company.members for company in game.companies):
        yield from another_company(game)
    else:
        turn_to(game, "new")


def new_turn(game: WizardsGame) -> None:
    """Begin the next turn: hazards, attacks faced and corruption cards of the turn are forgotten."""
    game.turn = min(MOST_TOLD, game.turn + 1)
    game.hazards = 0
    game.faced = []
    for company in game.companies:
        for member in company.members:
            member.corruption_card = False


@section("ME-50", title="Joining")
def join(game: WizardsGame) -> Procedure[None]:
    """Somebody joins the company; the hazard limit stays what it was declared to be."""
    way = yield Choose(
        "company.join",
        "Who joins: prowess/body?",
        JOINING,
        partial(bar_way, game),
        rule="ME-50",
        head="Joins",
    )
    yield from enter_character(game, way)


ALL_HAD_ONE = Bar("ME-X11", "Everybody had a corruption card this turn")
ENTRIES = {
    "check": corruption_check,
    "card": corruption_card,
    "status": edit_status,
    "join": join,
    "limit": set_limit,
    "company": another_company,
}
