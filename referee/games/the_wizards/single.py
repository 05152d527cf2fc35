"""Single rulings: one strike, one body check, without a company around them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.games.the_wizards import strike as one
from referee.games.the_wizards import strikes
from referee.games.the_wizards.company import WAYS, enter_character
from referee.games.the_wizards.state import ATTACKER, CHARACTER, DEFENDER, VALUES, WizardsGame
from referee.games.the_wizards.verdict import check_line, check_wanted
from referee.games.the_wizards.words import numbers
from referee.rulebook import (
    Bar,
    Bundle,
    Choose,
    Option,
    Options,
    Procedure,
    Reason,
    Roll,
    Ruling,
    Short,
    joined,
    section,
)

WHO = WAYS.only("4/7", "5/8", "other", "named", "4/8", "3/7")
BODY_OF = Options((("character", "Character"), ("wounded", "Wounded before", "Wounded"), ("strike", "Strike")))
BODIES = numbers(
    CHARACTER["body"].low, CHARACTER["body"].high, Option("none", Short("None (-)", "None"), "-"), first=4
)
USUAL = range(6, 11)
"""The prowess of most strikes; the first page offers these with the target tapping, the second without."""
STRONG = Options((*numbers(6, 15), *numbers(1, 5), *numbers(16, VALUES["prowess"].high)))
TAPPING = tuple(Bundle(f"{n}-tap", f"Prowess {n}, taps", (str(n), "tap"), f"{n} tap", pinned=True) for n in USUAL)


@section("ME-20", "ME-21", "ME-22", title="Strike")
def single_strike(game: WizardsGame) -> Procedure[None]:
    """One strike by itself: prowess/body of the target, prowess of the strike, then as in a game."""
    game.alone = True
    way = yield Choose(
        "strike.who",
        Short("Prowess/body of the target?", "What prowess and body does the target have?"),
        WHO,
        rule="ME-22",
        head=Short("Prowess/body", "Strike"),
    )
    yield from enter_character(game, way)
    answer = yield lambda: Choose(
        "strike.prowess",
        "Prowess of the strike?",
        STRONG,
        default="7-tap" if tapping(game) else "7",
        rule="ME-22",
        head=game.members[0].short,
        tag="against",
        bundles=partial(tapping, game),
    )
    one.begin(game, game.members[0].id, int(answer), strikes.NO_BODY)
    yield from one.settle_strike(game)


def tapping(game: WizardsGame) -> tuple[Bundle, ...]:
    """Offer the usual strikes against a target that taps, unless it cannot: the judge has set its status."""
    return TAPPING if game.members[0].status == strikes.UNTAPPED else ()


@section("ME-24", "ME-25", title="Body check")
def single_body_check(game: WizardsGame) -> Procedure[None]:
    """One body check by itself: of what, body, two dice."""
    game.alone = True
    game.entry.who = yield Choose("body.of", "Whose body?", BODY_OF, rule="ME-25", head="Body check", tag="of")
    answer = yield Choose(
        "body.value",
        Short("Body?", "What body does it have?"),
        BODIES,
        _bar_body,
        default="7",
        rule="ME-25",
        head=BODY_OF.by_id[game.entry.who].text,
        tag="body",
    )
    game.entry.points = int(answer)
    faces = yield lambda: Roll(
        "body.dice",
        "Roll for the body check",
        2,
        total=True,
        code="ME-X12",
        **check_wanted(*_asked(game)),
        odds=lambda: strikes.check_odds(*_asked(game)),
        seat=DEFENDER if game.entry.who == "strike" else ATTACKER,
        rule="ME-24" if game.entry.who == "strike" else "ME-25",
        head=BODY_OF.by_id[game.entry.who].text,
    )
    of, body, wounded = _asked(game)
    result = strikes.check_result(of, sum(faces), body, wounded=wounded)
    wanted = check_wanted(of, body, wounded)
    need = joined(" ", (wanted["need"], wanted["need_note"]))
    game.rule(
        Ruling(
            result,
            strikes.CHECK_NAMES[of][result],
            ("ME-24",) if of == "strike" else ("ME-25",),
            partial(_explain, wounded),
            {"result": result, "of": of, "wounded": wounded, "body": body, "faces": list(faces), "total": sum(faces)},
            changed=result != "survives",
            need=need,
            foot=f"body {body}",
        )
    )


def _asked(game: WizardsGame) -> tuple[str, int, bool]:
    who = game.entry.who
    return ("strike" if who == "strike" else "character"), game.entry.points, who == "wounded"


def _bar_body(body: str) -> Bar | None:
    return NO_CHECK_HERE if body == "none" else None


NO_CHECK_HERE = Bar("ME-X14", "Without a body there is nothing to check", firm=True)


def _explain(wounded: bool, data: Mapping[str, Any]) -> tuple[Reason, ...]:  # noqa: FBT001
    plus = "+1" if wounded else ""
    beats = "beats" if data["result"] != "survives" else "does not beat"
    of, total, body = data["of"], data["total"], data["body"]
    line = Short(f"{total}{plus} {beats} body {body}", check_line(of, total, body, wounded).whole)
    return (("ME-24" if of == "strike" else "ME-25", line),)
