"""Corruption cards and checks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.games.the_wizards import tables
from referee.games.the_wizards.state import LASTING, NAMES, POINTS, Character, Input, WizardsGame, within
from referee.rulebook import (
    MILESTONE,
    YES_NO,
    Bar,
    Bundle,
    Choose,
    Conceded,
    Notes,
    Option,
    Options,
    Procedure,
    Reason,
    Roll,
    Ruling,
    Short,
    joined,
    per_cent,
    phrase,
    section,
)

MODIFIER = Option("modifier", "Add a modifier", "Modifier")
MODIFIERS = Options(each for each in tables.signed(-5, 5) if each.id != "0")
HAZARD = Option("hazard", "Hazard on the check", "Hazard")
HAZARDS = tables.signed(-4, 2, Option("none", "No hazard", "None"))
POINTS_OR_MODIFIER = tables.numbers(1, 20, Option("0", "No corruption points", "No CP"), MODIFIER)
ON_FIRST_PAGE = (Bundle("modifier", MODIFIER.text, ("modifier",), "Modif.", pinned=True, instead="modifier"),)
HELPERS = ("ME-67", ("ME-62", "Many tables: each companion who taps adds +1"))
AT_LIMIT = ("ME-51", "Hazard limit reached: no more hazard cards")
GETS = Short("{}: {} + {}", "{} had {} and gets {} more")


@section("ME-60", "ME-61", "ME-67", title="Corruption card")
def corruption_card(game: WizardsGame) -> Procedure[None]:
    """A corruption card is put under a character; where there is only one, he gets it."""
    who = game.members[0].id
    if len(game.members) > 1:
        who = yield lambda: Choose(
            "corruption.who",
            "Who gets the card?",
            game.people(),
            partial(bar_card, game),
            rule="ME-61",
            head="Corruption card",
            tag="who?",
            notes=notes(game),
        )
    member = game.find(who)
    answer = yield lambda: Choose(
        "corruption.points",
        "How many corruption points?",
        tables.numbers(0, 6),
        default="1",
        rule="ME-60",
        head=member.short,
        tag="CP",
        notes=notes(game),
    )
    card = int(answer)
    game.counted()
    before, member.cp = member.cp, within(POINTS, member.cp + card)
    member.cards, member.corruption_card = (*member.cards, card), True
    more = (Short(str(before), tables.points(before).whole), Short(tables.points(card), str(card)))
    foot = phrase(Short("{} {}→{}", "{} had {}, now has {}"), member.short, before, tables.points(member.cp))
    headline, why = Short(f"CP {member.cp}", tables.points(member.cp).whole), phrase(GETS, member.name, *more)
    data = {"who": member.id, "before": before, "after": member.cp}
    game.rule(Ruling("corruption-card", headline, ("ME-60", "ME-61"), (("ME-60", why),), data, foot=foot))


def notes(game: WizardsGame) -> Notes:
    """Return the reminders for a corruption card; at the hazard limit, that it cannot be a hazard (ME-51)."""
    return ("ME-67",) if game.hazards_left else (AT_LIMIT, "ME-67")


def bar_card(game: WizardsGame, who: str) -> Bar | None:
    """Return ME-X11 for a second card in the same turn."""
    member = game.find(who)
    return Bar("ME-X11", f"{member.name} had a corruption card this turn") if member.corruption_card else None


@section("ME-62", title="Corruption check")
def corruption_check(game: WizardsGame) -> Procedure[None]:
    """Modifiers and hazards, one after the other; who makes the check; then the dice."""
    game.entry = Input()
    while True:
        text, among, head = "Who makes a corruption check?", game.people(MODIFIER, HAZARD), band(game, "Corruption")
        answer = yield Choose("check.who", text, among, game.bar_anytime, rule="ME-62", head=head, tag="who?")
        if answer not in CHANGES:
            break
        yield from CHANGES[answer](game)
    game.entry.who, member = answer, game.find(answer)
    if member.modifier:
        yield from ask_kept(game, member)
    yield from throw(game, member.cp, member)


@section("ME-60", "ME-67", title="Kept modifier")
def ask_kept(game: WizardsGame, member: Character) -> Procedure[None]:
    """A character that was checked before has its points and its modifier ready; one that has gone is forgotten."""
    modifier = Short(tables.sign(member.modifier), tables.added(member.modifier))
    kept = phrase(Short("{} {}", "{} and {}, as kept"), tables.points(member.cp), modifier)
    text = Short(f"{member.short}: as before?", f"Does {member.name} keep its modifier of a check?")
    among = Options((("kept", kept), ("plain", "No lasting modifier", "No mod.")))
    head, seat = band(game, member.short), game.defender
    answer = yield Choose(
        "check.kept", text, among, default="kept", seat=seat, rule="ME-67", head=head, tag="as before?"
    )
    if answer == "kept":
        game.entry.modifier += member.modifier
    else:
        member.modifier = 0


@section("ME-62", title="Modifier")
def ask_modifier(game: WizardsGame) -> Procedure[None]:
    """What one card or companion adds to the check; all that is entered adds up."""
    text, head = "Modifier to add?", band(game, "Corruption")
    answer = yield Choose(
        "check.modifier", text, MODIFIERS, default="+1", rule="ME-62", head=head, tag="add", notes=HELPERS
    )
    game.entry.modifier += int(answer)


@section("ME-51", "ME-62", title="Hazard on the check")
def play_hazard(game: WizardsGame) -> Procedure[None]:
    """The attacker plays one hazard on the check; it counts against the limit, as one on a strike does."""
    answer = yield Choose(
        "check.hazard", "Hazard: what does it add?", HAZARDS, default="-1", passing="none", seat=game.attacker,
        rule="ME-51", head=band(game, "Hazard"), tag="add",
    )  # fmt: skip
    if answer != "none":
        game.counted()
        game.play_hazard()
        game.entry.modifier += int(answer)
        game.entry.hazards += int(answer)


CHANGES = {"modifier": ask_modifier, "hazard": play_hazard}


@section("ME-62", "ME-63", "ME-64", "ME-65", title="Dice")
def throw(game: WizardsGame, cp: int, member: Character | None) -> Procedure[None]:
    """Two dice against the points; a failed check asks whether it is a Wizard, where that is not known."""
    modifier = game.entry.modifier
    faces = yield Roll(
        "check.dice",
        "Roll for the corruption check",
        2,
        total=True,
        code="ME-X12",
        **wanted(cp, modifier),
        odds=lambda: tables.corruption_odds(cp, modifier),
        seat=game.defender,
        rule="ME-62",
        head=band(game, member.short if member else tables.points(cp)),
    )
    game.counted()
    outcome = tables.corruption_outcome(sum(faces) + modifier, cp)
    if member and not member.modifier:  # what was entered at the first check lasts, what hazards added does not
        member.modifier = within(LASTING, modifier - game.entry.hazards)
    wizard = member.wizard if member else None
    if outcome != "safe" and wizard is None:
        head = tables.CORRUPTION[outcome]
        text, among, seat = Short(f"{head}. Is it a Wizard?", "Is it a Wizard?"), wizard_or_not(game), game.defender
        answer = yield Choose(
            "check.wizard", text, among, default="no", seat=seat, rule="ME-66", head=head, tag="Wizard?"
        )
        wizard = answer == "yes"
    lost = bool(wizard) and outcome != "safe"
    result, rule = sum(faces) + modifier, RULE[outcome]
    data: dict[str, Any] = {
        "who": member.id if member else None,
        "cp": cp,
        "modifier": modifier,
        "faces": list(faces),
        "total": sum(faces),
        "result": result,
        "outcome": outcome,
        "wizard": bool(wizard),
        "game_lost": lost,
        "odds": {chance.id: chance.out_of_36 for chance in tables.corruption_odds(cp, modifier)},
    }
    followers = joined(" and ", (c.name for c in game.followers(member.id))) if member else ""
    name, headline = ("game-lost", "Game lost") if lost else (outcome, tables.CORRUPTION[outcome])
    rules, why = (rule, "ME-66") if lost else ("ME-62", rule), partial(explain, followers=followers)
    need = phrase(Short("{} safe", "{} is safe"), wanted(cp, modifier)["need"])
    changed, foot = outcome != "safe", member.short if member else tables.points(cp)
    game.rule(Ruling(name, headline, rules, why, data, changed=changed, need=need, foot=foot))
    if member and outcome != "safe":
        game.remove(member.id)
        if lost:
            yield from lose(game)


def wizard_or_not(game: WizardsGame) -> Options:
    """Return the answers to whether it is a Wizard: the player of one is out of the game."""
    if game.alone:
        return YES_NO
    ends = "game over" if len(game.seats()) - len(game.gone) == 2 else "new turn"
    return Options((("yes", f"Yes: {ends}", "Yes"), ("no", "No")))


@section("ME-66", title="Corruption")
def lose(game: WizardsGame) -> Procedure[None]:
    """The player of a corrupted Wizard has lost; nothing more is ruled, not even the attack of the check."""
    game.attack = game.strike = None
    for at in game.own(game.player):
        game.companies[at].members = []
    game.lost.append(game.player)
    game.leave_game("wizard-corrupted", f"The Wizard of {NAMES[game.player]} was corrupted")
    if game.over is not None:
        yield MILESTONE
    raise Conceded


def wanted(cp: int, modifier: int) -> tables.Wanted:
    """Return what the dice must show to be safe against so many points, and what discards (ME-63, ME-64)."""
    need = cp - modifier + 1
    low, high = max(2, need - 2), min(12, need - 1)
    discards = "" if low > high else f"{low} discard" if low == high else f"{low}-{high} discard"
    return {"need": tables.at_least(need), "need_note": "safe", "foot": (tables.points(cp), discards)}


def band(game: WizardsGame, word: str) -> str:
    """Return a word for the band, with the modifiers entered so far."""
    return phrase("{} {}", word, tables.sign(game.entry.modifier)) if game.entry.modifier else word


RULE = {"safe": "ME-63", "discarded": "ME-64", "eliminated": "ME-65"}
CARDS = Short("Discard his cards, not {}", "Discard his cards, but not {}")
FOLLOWERS = Short("followers", "his followers")
CHANCE = Short("Safe {}", "The chance to be safe was {}")


def explain(data: Mapping[str, Any], followers: str = "") -> tuple[Reason, ...]:
    """Return the reasons of a ruling from its data: the total against the points, the cards, and the odds."""
    total, modifier, result, cp = (data[each] for each in ("total", "modifier", "result", "cp"))
    more, same, less = Short(">", "beats"), Short("=", "equals"), Short("<", "is below")
    mark = more if result > cp else same if result == cp else less
    thrown = (
        Short(
            f"{total}{modifier:+d}={result}",
            f"The throw of {total} {tables.added(modifier)} makes {tables.spoken(result)}, which",
        )
        if modifier
        else Short(str(total), f"The throw of {total}")
    )
    rule, chance = RULE[data["outcome"]], data["odds"]["safe"]
    return (
        (rule, phrase("{} {} {}", thrown, mark, tables.points(cp))),
        *(() if data["outcome"] == "safe" else ((rule, phrase(CARDS, followers or FOLLOWERS)),)),
        phrase(CHANCE, Short(chance, per_cent(chance))),
    )


@section("ME-62", "ME-63", "ME-64", "ME-65", "ME-66", title="Corruption check")
def single_check(game: WizardsGame) -> Procedure[None]:
    """One check by itself: points, two dice."""
    game.alone = True
    while True:
        answer = yield Choose(
            "check.points",
            "How many corruption points?",
            POINTS_OR_MODIFIER,
            rule="ME-60",
            head=band(game, "Corruption"),
            tag="CP",
            notes=("ME-67",),
            bundles=ON_FIRST_PAGE,
        )
        if answer != "modifier":
            break
        yield from ask_modifier(game)
    yield from throw(game, int(answer), None)
