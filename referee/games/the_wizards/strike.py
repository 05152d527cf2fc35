"""One strike: the steps before the dice in their binding order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from referee.games.the_wizards import steps
from referee.games.the_wizards.state import WizardsGame
from referee.games.the_wizards.tables import ask_number, numbers
from referee.games.the_wizards.throw import band, finish, strike_odds, throw_strike
from referee.rulebook import Attempt, Choose, Count, Procedure, decide, section


@section("ME-11", "ME-12", "ME-21", title="Strike")
def settle_strike(game: WizardsGame) -> Procedure[None]:
    """The attacker's steps while he has something to play, then the defender's, up to the throw."""
    while game.strike is not None:
        game.go_on()
        if steps.asks_attacker(game):
            yield from ask_attacker(game)
            continue
        step = yield lambda: Choose(
            "strike.step",
            f"{game.target.name}: what next?",
            steps.steps(game),
            partial(steps.bar_step, game),
            default="tap" if steps.may_tap(game) else "throw",
            seat=game.mover,
            rule="ME-21",
            head=band(game),
            tag={"tap": "taps", "stay": "-3"}.get(game.current_strike.stance, "strike"),
            odds=partial(strike_odds, game),
        )
        if step == "cancel":
            finish(game, "cancelled")
        elif step == "stay":
            game.current_strike.stance = step
            game.current_strike.stage = max(game.current_strike.stage, 3)
        elif step in ("tap", "throw"):
            game.current_strike.stance = game.current_strike.stance or ("tap" if step == "tap" else "")
            yield from throw_strike(game)
        else:
            with Attempt(game):
                yield from STEP[step](game)


@section("ME-5", "ME-21", "ME-51", title="Attacker")
def ask_attacker(game: WizardsGame) -> Procedure[None]:
    """Steps 1 and 2: hazards, then spare strikes, until the attacker plays nothing more on this strike."""
    step = yield lambda: Choose(
        "strike.attacker",
        f"{game.target.name}: hazards or spare strikes?",
        steps.ATTACKER_STEPS,
        partial(steps.bar_step, game),
        default="excess" if steps.bar_step(game, "hazard") else "hazard",
        passing="none",
        rare="card",
        seat=game.attacker,
        rule="ME-21",
        head=band(game),
        tag="Attacker",
        odds=partial(strike_odds, game),
    )
    if step == "none":
        game.current_strike.passed = True
    elif step == "waive":
        game.current_attack.waived = True
    else:
        with Attempt(game):
            yield from STEP[step](game)


@section("ME-13", "ME-21", "ME-51", title="Card on the strike")
def play_card(game: WizardsGame, what: str, skills: int = 0) -> Procedure[None]:
    """Step 1, hazards, or step 4, resources: one card changes a number or the values of the strike.

    ``skills``: 1 for a resource that needs a skill, of which there may be one
    """
    hazard = what == "hazard"
    change = yield lambda: Choose(
        f"strike.{what}",
        f"{'' if hazard else taps(game)}{what.capitalize()}: what does it change?",
        steps.HAZARDS if hazard else steps.RESOURCES,
        default="-1" if hazard else "+1",
        passing="none",
        seat=game.attacker if hazard else game.defender,
        rule="ME-51" if hazard else "ME-13",
        head="Skill" if skills else what.capitalize(),
        tag=game.target.short,
    )
    if change == "none":
        return
    if change == "strike":
        yield from change_values(game)
    elif hazard:
        game.current_strike.hazards += int(change)
    else:
        game.current_strike.resources += int(change)
    if not hazard:
        begin_resources(game)
        game.current_strike.skills += skills
        return
    game.current_strike.stage = max(game.current_strike.stage, 1)
    if not game.alone:
        game.counted()
        game.play_hazard()


@section("ME-5", "ME-21", title="Spare strikes")
def spend_excess(game: WizardsGame) -> Procedure[None]:
    """Step 2: the attacker puts some of the spare strikes on this target, -1 each."""
    count = Count(
        "strike.excess",
        "How many spare strikes on this target?",
        1,
        max(6, 0 if game.alone else game.current_attack.excess),
        partial(steps.bar_excess, game),
        default=1,
        unit="strikes",
        one="strike",
        seat=game.attacker,
        rule="ME-5",
        head="Spare",
        tag=game.target.short,
    )
    put_excess(game, (yield from decide(count)))


def put_excess(game: WizardsGame, count: int) -> None:
    """Put so many -1s on the target of the strike and take them out of the attack's spare strikes."""
    strike = game.current_strike
    strike.stage = max(strike.stage, 2)
    strike.excess += count
    if not game.alone:
        spent = min(count, game.current_attack.excess)
        game.current_attack.excess -= spent
        strike.taken += spent


def begin_resources(game: WizardsGame) -> None:
    """Begin step 4: a target that has not taken -3 taps, and the steps before are closed."""
    strike = game.current_strike
    if steps.may_tap(game):
        strike.stance = "tap"
    strike.stage = 4


@section("ME-14", title="Support")
def add_support(game: WizardsGame) -> Procedure[None]:
    """Step 4: an untapped companion without a strike taps for +1."""
    shared: Any = {"seat": game.defender, "rule": "ME-14", "head": "Support", "tag": game.target.short}
    if game.alone:
        text = f"{taps(game)}How many tap to support?"
        count = yield Count("strike.supporters", text, 1, 6, unit="supporters", one="supporter", **shared)
        begin_resources(game)
        game.current_strike.supporters += count
        return
    text, bar = f"{taps(game)}Who taps to support?", partial(steps.bar_supporter, game)
    who = yield Choose("strike.support", text, game.people(steps.NOBODY), bar, passing="none", **shared)
    if who != "none":
        game.counted()
        begin_resources(game)
        game.current_strike.supporters += 1
        game.tap(who)


def taps(game: WizardsGame) -> str:
    """Return what a card of step 4 says of the target besides: it taps, where -3 was not taken before."""
    return f"{game.target.name} taps. " if steps.may_tap(game) else ""


@section("ME-22", title="Values of the strike")
def change_values(game: WizardsGame) -> Procedure[None]:
    """A card gives this one strike another prowess or body."""
    strike, text = game.current_strike, "Prowess of this strike?"
    prowess = yield ask_number("strike.prowess", text, steps.PROWESS, strike.prowess, "ME-22", band(game), "prowess")
    text = "Body of this strike?"
    body = yield ask_number("strike.body", text, steps.BODIES, strike.body, "ME-24", band(game), "body")
    strike.prowess, strike.body = int(prowess), int(body)


@section("ME-25", title="Body of the target")
def change_body(game: WizardsGame) -> Procedure[None]:
    """A card changes the target's body for the check of this strike only."""
    text, among = f"{game.target.name}: body for this strike?", numbers(1, 15)
    answer = yield ask_number("strike.target-body", text, among, game.target_body(), "ME-25", band(game), "body")
    game.current_strike.target_body = int(answer)


STEP: dict[str, Callable[[WizardsGame], Procedure[None]]] = {
    **steps.ANYTIME,
    "hazard": partial(play_card, what="hazard"),
    "excess": spend_excess,
    "support": add_support,
    "resource": partial(play_card, what="resource"),
    "skill": partial(play_card, what="resource", skills=1),
    "strike": change_values,
    "body": change_body,
}
