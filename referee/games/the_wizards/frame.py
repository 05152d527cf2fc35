"""The frame of a game: a menu of what can happen to a company, turn after turn; and the single rulings."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards import company, tables
from referee.games.the_wizards import strike as one
from referee.games.the_wizards.attack import attack
from referee.games.the_wizards.state import SHORT_NAMES, VALUES, Input, Strike, WizardsGame
from referee.games.the_wizards.steps import ANYTIME, CARD, CHECK, STATUS
from referee.games.the_wizards.tables import WOUNDED, numbers
from referee.games.the_wizards.throw import check_line, check_wanted, roll_check
from referee.rulebook import (
    MILESTONE,
    Attempt,
    Bar,
    Bundle,
    Choose,
    Conceded,
    Option,
    Options,
    Over,
    Procedure,
    Ruling,
    Short,
    joined,
    phrase,
    section,
)

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
    )
)


@section("ME-1", "ME-54", title="Middle-earth: The Wizards")
def play(game: WizardsGame) -> Procedure[None]:
    """Company after company, turn after turn, until the players say it is over."""
    while True:
        yield MILESTONE
        game.entry = Input()
        try:
            if game.player in game.gone:
                yield from company.new_turn(game)
            elif game.company.limit == 0:
                yield from company.enter_company(game)
            elif game.members:
                yield from menu(game)
            else:
                yield from company.another_company(game)
        except Conceded:  # what was under way is dropped; where the turn was theirs, the next one begins
            game.attack = game.strike = None


@section("ME-51", "ME-61", title="Menu")
def menu(game: WizardsGame) -> Procedure[None]:
    """One thing that happens to the company that is moving."""
    choice: str = yield lambda: Choose(
        "menu",
        "What happens?",
        MENU,
        partial(bar_menu, game),
        default="attack",
        passing="new-turn",
        rule="ME-1",
        head=phrase(Short("Turn {} {}", "Turn {}, {}"), game.turn, SHORT_NAMES[game.player]),
        tag=f"hazards {game.hazards}/{game.company.limit}",
        notes=("ME-54",) if any(c.status == WOUNDED for c in game.members) else (),
    )
    if choice == "new-turn":
        yield from company.new_turn(game)
    elif choice == "hazard":
        game.play_hazard()
    elif choice == "over":
        game.over = Over("declared", "The players ended the game")
    elif choice == "attack":
        yield from attack(game)
    else:
        with Attempt(game):
            yield from ENTRIES[choice](game)


def bar_menu(game: WizardsGame, choice: str) -> Bar | None:
    """Return ME-X01 at the hazard limit, ME-X11 if all had their card, ME-X10 if nobody can join."""
    return company.FULL if choice == "join" and len(game.members) >= company.MOST else game.bar_anytime(choice)


ENTRIES = {**ANYTIME, "join": company.add_character, "limit": company.set_limit, "company": company.another_company}


# -- single rulings: one strike, one body check, without a company around them

WHO = company.WAYS.only("4/7", "5/8", "other", "named", "4/8", "3/7")
BODY_OF = Options((("character", "Character"), ("wounded", "Wounded before", "Wounded"), ("strike", "Strike")))
BODIES = numbers(1, 12, Option("none", "No body", "-"))
"""No two dice beat more, even with the 1 of a wound."""
USUAL = range(6, 11)
"""The prowess of most strikes; the first page offers these with the target tapping."""
STRONG = numbers(1, VALUES["prowess"].high)
TAPPING = tuple(Bundle(f"{n}-tap", f"Prowess {n}, taps", (str(n), "tap"), f"{n} tap", pinned=True) for n in USUAL)


@section("ME-20", "ME-21", "ME-22", title="Strike")
def single_strike(game: WizardsGame) -> Procedure[None]:
    """One strike by itself: prowess/body of the target, prowess of the strike, then as in a game."""
    game.alone = True
    text = Short("Prowess/body of the target?", "What prowess and body does the target have?")
    way = yield Choose("strike.who", text, WHO, rule="ME-22", head=Short("Prowess/body", "Strike"))
    yield from company.enter_character(game, way)
    against, head = "Prowess of the strike?", game.members[0].short
    answer = yield Choose(
        "strike.prowess", against, STRONG, default="7-tap", rule="ME-22", head=head, tag="against", bundles=TAPPING
    )
    game.strike = Strike(game.members[0].id, int(answer), tables.NO_BODY)
    yield from one.settle_strike(game)


@section("ME-24", "ME-25", title="Body check")
def single_body_check(game: WizardsGame) -> Procedure[None]:
    """One body check by itself: of what, body, two dice."""
    game.alone = True
    who = yield Choose("body.of", "Whose body?", BODY_OF, rule="ME-25", head="Body check", tag="of")
    text, head = Short("Body?", "What body does it have?"), BODY_OF.by_id[who].text
    bar = {"none": Bar("ME-X14", "Without a body there is nothing to check", firm=True)}.get
    answer = yield Choose("body.value", text, BODIES, bar, default="7", rule="ME-25", head=head, tag="body")
    body = int(answer)
    of, wounded = "strike" if who == "strike" else "character", who == "wounded"
    faces = yield roll_check(game, "body.dice", "Roll for the body check", (of, body, wounded), head)
    rule = "ME-24" if of == "strike" else "ME-25"
    result = tables.check_result(of, sum(faces), body, wounded=wounded)
    wanted = check_wanted(of, body, wounded)
    need, why = joined(" ", (wanted["need"], wanted["need_note"])), (rule, check_line(of, sum(faces), body, wounded))
    data = {"result": result, "of": of, "wounded": wounded, "body": body, "faces": list(faces), "total": sum(faces)}
    name, changed, foot = tables.CHECK_NAMES[of][result], result != "survives", f"body {body}"
    game.rule(Ruling(result, name, (rule,), (why,), data, changed=changed, need=need, foot=foot))
