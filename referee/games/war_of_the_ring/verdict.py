"""What the referee says of a roll, a round, a card's attack and the end of a battle, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.war_of_the_ring.state import CardAttack, WarGame
from referee.games.war_of_the_ring.tables import (
    NO_ELITE,
    OTHER,
    SHORT,
    SIDES,
    count,
    figures,
    left,
    listed,
    losses,
    need,
    units,
)
from referee.rulebook import Reason, Ruling, Short, phrase

THREW = Short("{}: {}, needs {}{}: {}", "{} {}, needed {}{} and scored {}")
NAMED, AGAIN = Short("{}", "{} rolled"), Short("{} again", "{} re-rolled")
ROLL, ROLL_AGAIN = Short("Roll", "The Army rolled"), Short("Again", "The Army re-rolled")
COUNTED = Short("{} {}", "{}: {}")


def side_data(game: WarGame, side: str) -> dict[str, Any]:
    """Return the numbers of one side in this round, for the data of a ruling."""
    army = game.armies[side]
    return {name: getattr(army, name) for name in COUNTS} | {
        "seat": game.seat_of(side),
        "card_cancelled": army.card == "cancelled",
        "card_dice": min(game.by_cards("dice", side), default=BY_UNITS),
        "fewer_dice": sum(game.by_cards("fewer-dice", side)),
        "extra_hits": game.given_hits(side),
        "hits": game.hits(side),
        "number": game.number(side),
        "modifier": game.modifier(side),
        "faces": list(army.faces),
        "reroll_number": game.number(side, "reroll"),
        "reroll_modifier": game.modifier(side, "reroll"),
        "rerolled": list(army.rerolled),
    }


COUNTS = (
    *("dice", "first_hits", "leadership", "forfeited", "cancelled", "allowance"),
    *("more_hits", "turned_hits", "cancelled_hits"),
)
"""Numbers of an Army that a ruling states as they are."""

BY_UNITS = -1
"""No card limits the dice of a Combat roll: one a unit."""


def round_ruling(game: WarGame) -> Ruling:
    """Return the ruling on a whole round: hits of both sides, losses of both sides."""
    data: dict[str, Any] = {"round": game.round, "ground": game.ground}
    for side in SIDES:
        army = game.armies[side]
        data[side] = side_data(game, side) | {
            "before": list(army.began),
            "after": [army.regulars, army.elites],
            "taken": list(army.taken),
        }
    attacker, defender = game.armies["attacker"], game.armies["defender"]
    one, other = (game.short(side) for side in SIDES)
    mine, theirs = (game.hits(side) for side in SIDES)
    changed = mine + theirs > 0
    headline = Short("No losses", "No losses on either side")
    if changed:
        left_over = Short("{0} {1}, {2} {3}", "Units left: {0} {1}, {2} {3}")
        headline = phrase(left_over, one, attacker.units, other, defender.units)
    hits = phrase(Short("hits {1}:{3}", "Hits: {0} {1}, {2} {3}"), one, mine, other, theirs)
    rules: tuple[str, ...] = ("WR-20", "WR-22", "WR-31", "WR-32")
    if any(army.card == "cancelled" for army in game.armies.values()):
        rules += ("WR-5",)
    return Ruling(
        "round-fought", headline, rules, explain_round, data, changed=changed, need=hits, foot=game.status()
    )


def explain_round(data: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons of a round from its data: what both sides rolled, re-rolled and lost."""
    lines: list[Reason] = []
    for side in SIDES:
        lines += explain_hits(data[side])
    for side in SIDES:
        mine = data[side]
        if mine["taken"]:
            lines.append(
                ("WR-31", explain_losses(mine["seat"], data[OTHER[side]]["hits"], mine["taken"], mine["after"]))
            )
    lines += [LOST[data[side]["seat"]] for side in SIDES if data[side]["taken"]]
    return tuple(lines)


LOST = {
    "free-peoples": phrase("{} losses are out of the game", SHORT["free-peoples"]),
    "shadow": "Shadow losses go back to reinforcements",
}
"""Where casualties go (WR-36, WR-37)."""


def explain_losses(seat: str, hits: int, lost: Sequence[str], after: Sequence[int]) -> str:
    """Return what an Army lost to so many hits, and what is left of it.

    ``lost``: ids of `words.TAKEN`, one a figure; ``after``: Regulars and Elites.
    """
    form = Short("{} takes {}: {}; {}", "{} took {}: {}; {}")
    return phrase(form, SHORT[seat], count(hits, "hit"), losses(lost), left(*after))


def explain_hits(mine: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return how one side came to its hits; ``mine``: its part of the data (`side_data`)."""
    name = SHORT[mine["seat"]]
    thrown = (mine["dice"], mine["number"], mine["modifier"], mine["faces"], mine["first_hits"])
    lines: list[Reason] = [("WR-20", throw_line(phrase(NAMED, name), *thrown))]
    if mine["card_dice"] != BY_UNITS:
        form = Short("{}: at most {} by card", "{} had at most {} because of a card")
        lines.append(phrase(form, name, count(mine["card_dice"], "die", "dice")))
    if mine["fewer_dice"]:
        form = Short("{}: {} fewer by card", "A card took {1} from {0}")
        lines.append(phrase(form, name, count(mine["fewer_dice"], "die", "dice")))
    if mine["allowance"]:
        thrown = (mine["allowance"], *(mine[each] for each in REROLLED))
        lines.append(("WR-22", throw_line(phrase(AGAIN, name), *thrown)))
    if mine["forfeited"] or mine["cancelled"]:
        lines.append(phrase(LEADERSHIP, name, *(mine[each] for each in ("leadership", "forfeited", "cancelled"))))
    for what, form, one, more in BY_CARD:
        if mine[what]:
            lines.append(phrase(form, name, count(mine[what], one, more)))
    if mine["card_cancelled"]:
        lines.append(("WR-5", phrase(Short("{}: card cancelled", "The Combat card of {} was cancelled"), name)))
    return tuple(lines)


LEADERSHIP = Short(
    "{} Leadership {}: {} forfeited, {} cancelled", "{} had Leadership {}: {} of it was forfeited, and {} cancelled"
)
BY_CARD = (
    ("turned_hits", Short("{}: {}", "{} had {} by a card"), "miss turned into a hit", "misses turned into hits"),
    ("extra_hits", Short("{}: {} more by card", "A card gave {} {} more"), "hit", "hits"),
    ("cancelled_hits", Short("{}: {} cancelled by card", "A card cancelled {1} of {0}"), "hit", "hits"),
)
"""Hits that cards made or cancelled: where the data have them, the form, and what is counted."""

REROLLED = ("reroll_number", "reroll_modifier", "rerolled", "more_hits")
"""The numbers of a Leader re-roll, as `throw_line` takes them after the dice."""


def throw_line(name: str, dice: int, number: int, modifier: int, faces: Sequence[int], hits: int) -> Short:
    """Write one throw: who, faces or dice, what hits, how many did. ``name``: who, in whole words who rolled.

    >>> throw_line(ROLL, 3, 5, 1, [5, 6, 1], 2), throw_line(ROLL, 2, 6, 0, [], 1).whole
    ('Roll: 5 6 1, needs 4+ (+1): 2 hits', 'The Army rolled 2 dice, needed 6 and scored 1 hit')
    """
    thrown = listed(faces) if faces else count(dice, "die", "dice")
    low = need(number, modifier)
    needed = Short(low, low.replace("+", " or more"))
    plus = Short(f" ({modifier:+d})", f" with a modifier of {'plus' if modifier > 0 else 'minus'} {abs(modifier)}")
    return phrase(THREW, name, thrown, needed, plus if modifier else "", count(hits, "hit"))


def roll_ruling(game: WarGame, side: str) -> Ruling:
    """Return the ruling on one side's dice alone."""
    army = game.armies[side]
    hits = count(game.hits(side), "hit")
    data = side_data(game, side) | {"total": hits}
    faces = [*army.faces, *army.rerolled]
    if faces:
        data["faces"], data["rolled"] = faces, list(army.faces)
    needs = "" if faces else need(game.number(side), game.modifier(side))
    foot: str = count(army.dice, "die", "dice")
    if army.allowance:
        foot = phrase(Short("{}+{}", "Hits: {} at first, {} after the re-roll"), army.first_hits, army.more_hits)
    changed = game.hits(side) > 0
    return Ruling("hits", hits, ("WR-21", "WR-22"), explain_single, data, changed=changed, need=needs, foot=foot)


def explain_single(data: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return how the dice came to their hits, nobody named."""
    faces = data.get("rolled", data["faces"])
    thrown = (data["dice"], data["number"], data["modifier"], faces, data["first_hits"])
    lines: list[Reason] = [("WR-21", throw_line(ROLL, *thrown))]
    if data["allowance"]:
        thrown = (data["allowance"], *(data[each] for each in REROLLED))
        lines.append(("WR-22", throw_line(ROLL_AGAIN, *thrown)))
    return tuple(lines)


def card_attack_ruling(game: WarGame, attack: CardAttack) -> Ruling:
    """Return the ruling on a card's attack, its casualties taken; one without dice has made none (A-WR21)."""
    side, rules = attack.side, ("WR-12", "WR-14")
    foe = game.armies[OTHER[side]]
    data = {
        "seat": game.seat_of(side),
        "foe": game.seat_of(OTHER[side]),
        "dice": attack.dice,
        "number": attack.number,
        "modifier": game.own_modifier(side),
        "faces": list(attack.faces),
        "hits": attack.hits,
        "after": [foe.regulars, foe.elites],
        "taken": list(foe.taken) if attack.dice else [],
    }
    if not attack.dice:
        nobody = Short("{} card: no dice, nobody rolls", "The attack of the card has no dice, so nobody rolls")
        headline = phrase(Short("No dice", "{}: no dice"), game.short(side))
        why = (("WR-12", phrase(nobody, game.short(side))),)
        return Ruling("card-attack", headline, rules[:1], why, data, changed=False)
    headline = phrase(COUNTED, game.short(side), count(attack.hits, "hit"))
    foot = phrase(COUNTED, game.short(OTHER[side]), figures(foe.regulars, foe.elites))
    return Ruling("card-attack", headline, rules, explain_attack, data, changed=attack.hits > 0, foot=foot)


def explain_attack(data: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return the lines of a card's attack."""
    name = phrase(NAMED, SHORT[data["seat"]])
    line = throw_line(name, data["dice"], data["number"], data["modifier"], data["faces"], data["hits"])
    lost = explain_losses(data["foe"], data["hits"], data["taken"], data["after"])
    at_once = Short("No re-roll; losses at once", "There is no re-roll, and the losses are taken at once")
    return ("WR-12", line), ("WR-14", at_once), ("WR-14", lost)


def card_losses_ruling(game: WarGame, side: str, hits: int) -> Ruling:
    """Return the ruling on losses a card brings without a throw."""
    army, seat = game.armies[side], game.seat_of(side)
    data = {"seat": seat, "hits": hits, "after": [army.regulars, army.elites], "taken": list(army.taken)}
    units = Short(str(army.units), count(army.units, "unit"))
    headline = phrase(Short("{} {} left", "{}: {} left"), game.short(side), units)
    lost = explain_losses(seat, hits, army.taken, (army.regulars, army.elites))
    foot = phrase(COUNTED, game.short(side), figures(army.regulars, army.elites))
    return Ruling("card-losses", headline, ("WR-31", "WR-32"), (("WR-31", lost), LOST[seat]), data, foot=foot)


ENDS = {
    "attacker-ceased": ("stops", "ceased the attack", "WR-50", "The attacker ceases; units stay where they began"),
    "defender-retreated": ("retreats", "retreated", "WR-52", "The whole Army goes to one free adjacent region"),
    "into-siege": ("inside", "went into the Stronghold", "WR-54", "The Army went into the Stronghold"),
    "attacker-eliminated": ("out", "lost the whole Army", "WR-38", "The attacking Army is gone; nobody moves in"),
    "defender-eliminated": ("out", "lost the whole Army", "WR-38", "The defending Army is eliminated"),
    "both-eliminated": ("Both out", "Both Armies are eliminated", "WR-38", "No Army is left to move in"),
}
"""How a battle ends: what is said of the side it is about, in short and in words; the rule, and why."""


def end_ruling(game: WarGame, result: str) -> Ruling:
    """Return the ruling that ends a battle."""
    short, words, rule, why = ENDS[result]
    headline = Short(short, words)
    if result != "both-eliminated":
        side = "defender" if result == "into-siege" else result.partition("-")[0]
        headline = phrase("{} {}", game.short(side), headline)
    reasons: list[Reason] = [(rule, phrase(why))]
    if result == "attacker-ceased" and game.pays() and not game.armies["attacker"].elites:
        reasons.append(Short(f"{NO_ELITE.code}: {NO_ELITE.text}", NO_ELITE.text))
    data = {
        "result": result,
        "round": game.round,
        "ground": game.ground,
        **{
            side: {
                "seat": game.seat_of(side),
                "left": [army.regulars, army.elites],
                "lost": [army.lost_regulars, army.lost_elites],
            }
            for side, army in game.armies.items()
        },
    }
    reasons += [
        phrase("{} lost {}", game.short(side), units(army.lost_regulars, army.lost_elites))
        for side, army in game.armies.items()
    ]
    return Ruling(result, headline, (rule, "WR-56"), tuple(reasons), data, foot=game.status())
