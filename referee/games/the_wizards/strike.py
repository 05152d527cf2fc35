"""One strike: the steps before the dice in their binding order."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import ATTACKER, DEFENDER, Entry, Strike, WizardsGame
from referee.games.the_wizards.steps import (
    BODIES,
    HAZARDS,
    NOBODY,
    OUTSIDER,
    RESOURCES,
    STANCES,
    STEPS,
    bar_excess,
    bar_skill,
    bar_step,
    bar_supporter,
    bar_tap,
)
from referee.games.the_wizards.throw import band, finish, throw_strike
from referee.games.the_wizards.verdict import strike_odds
from referee.games.the_wizards.words import numbers, people
from referee.rulebook import YES_NO, Attempt, Choose, Count, Procedure, section


@section("ME-21", title="Strike")
def settle_strike(game: WizardsGame) -> Procedure[None]:
    """Everything that matters is settled in its order; then the dice."""
    while True:
        game.blow.leaning = ""
        game.entry = Entry()
        step = yield Choose(
            "strike.step",
            f"{game.find(game.blow.target).name}: what next?",
            STEPS,
            partial(bar_step, game),
            default="tap" if bar_step(game, "tap") is None else "throw",
            rule="ME-21",
            head=band(game),
            tag="strike",
            odds=partial(strike_odds, game),
        )
        if step in ("tap", "stay", "throw"):
            if step != "throw":
                game.blow.stance = step
            yield from throw_strike(game)
            return
        if step == "cancel":
            finish(game, "cancelled")
            return
        with Attempt(game):
            yield from STEP[step](game)


@section("ME-21", "ME-51", title="Hazards on the strike")
def play_hazard(game: WizardsGame) -> Procedure[None]:
    """Step 1: the attacker plays one hazard on the strike; it counts against the limit."""
    change = yield Choose(
        "strike.hazard",
        "Hazard: what does it change?",
        HAZARDS,
        passing="none",
        seat=ATTACKER,
        rule="ME-51",
        head=band(game),
        tag="hazard",
    )
    if change == "none":
        return
    if change == "strike":
        yield from change_values(game)
    else:
        game.blow.add("hazards", int(change))
    if not game.alone:
        game.counted()
        game.play_hazard()


@section("ME-5", "ME-21", title="Spare strikes")
def spend_excess(game: WizardsGame) -> Procedure[None]:
    """Step 2: the attacker puts some of the remaining -1s on this target."""
    count = yield Count(
        "strike.excess",
        "How many spare strikes on this target?",
        0,
        max(6, 0 if game.alone else game.foe.excess),
        partial(bar_excess, game),
        default=1,
        unit="-1 each",
        seat=ATTACKER,
        rule="ME-5",
        head=band(game),
        tag="spare",
    )
    if count:
        put_excess(game, count)


def put_excess(game: WizardsGame, count: int) -> None:
    """Put so many -1s on the target of the strike and take them out of the pool."""
    game.blow.stage = max(game.blow.stage, 2)
    game.blow.add("excess", count)
    if not game.alone:
        taken = min(count, game.foe.excess)
        game.foe.excess -= taken
        game.blow.taken += taken


@section("ME-11", "ME-12", "ME-21", title="Tap or -3")
def choose_stance(game: WizardsGame) -> Procedure[None]:
    """Step 3: an untapped target taps, or takes -3; settled before step 4 begins."""
    if bar_tap(game) is None:
        stance = yield Choose(
            "strike.stance",
            f"{game.find(game.blow.target).name} taps, or stays untapped at -3?",
            STANCES,
            default="tap",
            seat=DEFENDER,
            rule="ME-12",
            head=band(game),
            tag="tap or -3",
        )
        game.blow.leaning = stance


def play_last(game: WizardsGame) -> None:
    """Count a card or helper of step 4: what was said of tapping is settled, and the steps before are closed."""
    game.blow.stance = game.blow.stance or game.blow.leaning
    game.blow.stage = 4


@section("ME-14", title="Support")
def add_support(game: WizardsGame) -> Procedure[None]:
    """Step 4: an untapped companion without a strike taps for +1."""
    yield from choose_stance(game)
    if game.alone:
        count = yield Count(
            "strike.supporters",
            "How many tap to support?",
            1,
            6,
            seat=DEFENDER,
            rule="ME-14",
            unit="+1 each",
            head=band(game),
            tag="support",
        )
        play_last(game)
        game.blow.add("supporters", count)
        return
    who = yield Choose(
        "strike.support",
        "Who taps to support?",
        people(game, OUTSIDER, NOBODY),
        partial(bar_supporter, game),
        passing="none",
        seat=DEFENDER,
        rule="ME-14",
        head=band(game),
        tag="support",
    )
    if who != "none":
        game.counted()
        play_last(game)
        game.blow.add("supporters", 1)
        game.tap(who)


@section("ME-13", title="Resources on the strike")
def play_resource(game: WizardsGame) -> Procedure[None]:
    """Step 4: the defender plays one resource on the strike; only one that needs a skill."""
    yield from choose_stance(game)
    change = yield Choose(
        "strike.resource",
        "Resource: what does it change?",
        RESOURCES,
        passing="none",
        seat=DEFENDER,
        rule="ME-13",
        head=band(game),
        tag="resource",
    )
    if change == "none":
        return
    skill = yield Choose(
        "strike.skill",
        "Does the card need a skill?",
        YES_NO,
        partial(bar_skill, game),
        default="no",
        seat=DEFENDER,
        rule="ME-13",
        head=band(game),
        tag="skill?",
    )
    skills = int(skill == "yes")
    if change == "strike":
        yield from change_values(game)
    else:
        game.blow.add("resources", int(change))
    play_last(game)
    game.blow.add("skills", skills)


@section("ME-22", title="Values of the strike")
def change_values(game: WizardsGame) -> Procedure[None]:
    """A card gives this one strike another prowess or body."""
    answer = yield Choose(
        "strike.prowess",
        "Prowess of this strike?",
        numbers(1, 25),
        default=str(max(1, game.blow.prowess)),
        rule="ME-22",
        head=band(game),
        tag="prowess",
    )
    game.entry.points = int(answer)
    answer = yield Choose(
        "strike.body",
        "Body of this strike?",
        BODIES,
        default=str(game.blow.body),
        rule="ME-24",
        head=band(game),
        tag="body",
    )
    game.blow.prowess, game.blow.body = game.entry.points, int(answer)


STEP = {
    "hazard": play_hazard,
    "excess": spend_excess,
    "support": add_support,
    "resource": play_resource,
    "status": edit_status,
    "strike": change_values,
}


def begin(game: WizardsGame, target: str, prowess: int, body: int) -> None:
    """Take up a strike, with nothing settled yet."""
    game.strike = Strike(target, prowess, body)
