"""The frame of a game: a menu of what can happen to a company, turn after turn."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.anytime import ANYTIME, CARD, CHECK, STATUS, bar_card
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
from referee.games.the_wizards.edit import untap_all
from referee.games.the_wizards.state import LIMIT, TURN, Input, WizardsGame, within
from referee.games.the_wizards.steps import NO_CHECK
from referee.games.the_wizards.strikes import TAPPED, WOUNDED
from referee.rulebook import MILESTONE, YES_NO, Attempt, Bar, Choose, Options, Over, Procedure, Short, section

MENU = Options(
    (
        ("attack", "Attack"),
        CHECK,
        CARD,
        STATUS,
        ("new-turn", "New turn"),
        ("hazard", "Other hazard", "Hazard"),
        ("join", "A character joins", "Joins"),
        ("limit", "Hazard limit", "Limit"),
        ("company", "Another company", "Company"),
        ("over", "Game over", "Over"),
        ("body-check", "Body check"),
    )
)
HEALING = (("ME-54", "At a Haven the wounded can heal next turn"),)


@section("ME-1", "ME-54", title="Middle-earth: The Wizards")
def play(game: WizardsGame) -> Procedure[None]:
    """Company after company, turn after turn, until the players say it is over."""
    while True:
        yield MILESTONE
        game.entry = Input()
        if game.company.limit == 0:
            yield from enter_company(game)
        elif not game.members:
            yield from after_the_last(game)
        else:
            yield from until_milestone(game)


def until_milestone(game: WizardsGame) -> Procedure[None]:
    """Choose from the menu until a new turn, an attack or another company: the game can be resumed from there."""
    choice = ""
    while game.members and choice not in ("new-turn", "attack", "company"):
        choice = yield from menu(game)


@section("ME-51", "ME-61", title="Menu")
def menu(game: WizardsGame) -> Procedure[str]:
    """One thing that happens to the company that is moving; return what it was."""
    game.entry = Input()
    choice: str = yield lambda: Choose(
        "menu",
        "What happens?",
        MENU,
        partial(bar_menu, game),
        default="attack",
        passing="new-turn",
        rule="ME-1",
        head=f"Turn {game.turn}",
        tag=f"hazards {game.hazards}/{game.company.limit}",
        notes=HEALING if any(c.status == WOUNDED for c in game.members) else (),
    )
    if choice == "new-turn":
        yield from new_turn(game)
    elif choice == "hazard":
        game.play_hazard()
    elif choice == "over":
        game.over = Over("declared", "The players ended the game")
    elif choice == "attack":
        yield from attack(game)
    else:
        with Attempt(game):
            yield from ENTRIES[choice](game)
    return choice


def bar_menu(game: WizardsGame, choice: str) -> Bar | None:
    """Return ME-X01 at the hazard limit, ME-X11 if all had their card, ME-X14 for a body check with no strike."""
    if choice == "hazard" and not game.hazards_left:
        return LIMIT
    if choice == "card":
        return bar_card(game)
    if choice == "join" and len(game.members) >= MOST:
        return FULL
    return NO_CHECK if choice == "body-check" else None


@section("ME-52", title="Company lost")
def after_the_last(game: WizardsGame) -> Procedure[None]:
    """Nobody is left in the company: another one moves, or a new one is entered."""
    if any(company.members for company in game.companies):
        yield from another_company(game)
    else:
        turn_to(game, "new")


@section("ME-51", "ME-61", title="New turn")
def new_turn(game: WizardsGame) -> Procedure[None]:
    """Begin the next turn: what was played and faced is cleared, and the tapped of all companies may untap."""
    game.turn = within(TURN, game.turn + 1)
    everybody = [member for company in game.companies for member in company.members]
    for company in game.companies:
        company.hazards, company.faced = 0, []
    for member in everybody:
        member.corruption_card = False
    if any(member.status == TAPPED for member in everybody):
        answer = yield Choose(
            "turn.untap", "New turn: untap all characters?", YES_NO, default="yes", rule="ME-10", head="New turn",
            tag="untap all?",
        )  # fmt: skip
        if answer == "yes":
            untap_all(everybody)


@section("ME-50", title="Joining")
def join(game: WizardsGame) -> Procedure[None]:
    """A character joins the company; the hazard limit stays what it was."""
    way = yield Choose(
        "company.join",
        Short("Who joins: prowess/body?", "What prowess and body does the joining character have?"),
        JOINING,
        partial(bar_way, game),
        rule="ME-50",
        head="Joins",
    )
    yield from enter_character(game, way)


ENTRIES = {**ANYTIME, "join": join, "limit": set_limit, "company": another_company}
