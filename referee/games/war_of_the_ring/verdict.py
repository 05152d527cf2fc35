"""What the referee says of a roll, a round, a card's attack and the end of a battle, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.war_of_the_ring.dice import need, plural
from referee.games.war_of_the_ring.state import Army, WarGame, figures
from referee.games.war_of_the_ring.tables import OTHER, SHORT, SIDES
from referee.rulebook import Ruling

ROUND_RULES = ("WR-20", "WR-22", "WR-31", "WR-32")


def side_data(game: WarGame, side: str) -> dict[str, Any]:
    """Return the numbers of one side in this round."""
    army = game.armies[side]
    return {
        "seat": game.seat_of(side),
        "dice": army.dice,
        "number": game.combat_number(side),
        "modifier": army.combat_modifier,
        "faces": list(army.faces),
        "first_hits": army.first_hits,
        "leadership": army.leadership,
        "forfeited": army.forfeited,
        "cancelled": army.cancelled,
        "allowance": army.allowance,
        "reroll_number": game.reroll_number(side),
        "reroll_modifier": army.reroll_modifier,
        "rerolled": list(army.rerolled),
        "more_hits": army.more_hits,
        "extra_hits": army.extra_hits,
        "hits": army.hits,
    }


def round_ruling(game: WarGame) -> Ruling:
    """Return the ruling on a whole round: hits of both sides, losses of both sides."""
    data: dict[str, Any] = {"round": game.round, "ground": game.ground}
    for side in SIDES:
        army = game.armies[side]
        data[side] = side_data(game, side) | {
            "before": list(army.began),
            "after": [army.regulars, army.elites],
            "taken": army.taken.split(),
        }
    attacker, defender = game.armies["attacker"], game.armies["defender"]
    changed = attacker.hits + defender.hits > 0
    headline = f"{attacker.units} v {defender.units} left" if changed else "No losses"
    hits = f"{attacker.hits}:{defender.hits} hits"
    return Ruling(
        "round-fought", headline, ROUND_RULES, explain_round, data, changed=changed, need=hits, foot=game.status()
    )


def explain_round(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what both sides rolled, re-rolled and lost."""
    lines: list[str] = []
    for side in SIDES:
        lines += explain_hits(data[side])
    for side in SIDES:
        mine = data[side]
        taken = " ".join(mine["taken"])
        if taken:
            after = figures(*mine["after"])
            lines.append(f"{SHORT[mine['seat']]} takes {plural(data[OTHER[side]]['hits'])}: {taken}, {after} left")
    lines += [LOST[data[side]["seat"]] for side in SIDES if data[side]["taken"]]
    return tuple(lines)


LOST = {
    "free-peoples": "FP losses are out of the game",
    "shadow": "Shadow losses go back to reinforcements",
}
"""Where casualties go (WR-36, WR-37)."""


def explain_hits(mine: Mapping[str, Any]) -> tuple[str, ...]:
    """Return how one side came to its hits."""
    name = SHORT[mine["seat"]]
    lines = [roll_line(name, mine["dice"], mine["number"], mine["modifier"], mine["faces"], mine["first_hits"])]
    if mine["allowance"]:
        number, modifier = mine["reroll_number"], mine["reroll_modifier"]
        lines.append(
            roll_line(f"{name} again", mine["allowance"], number, modifier, mine["rerolled"], mine["more_hits"])
        )
    if mine["forfeited"] or mine["cancelled"]:
        lines.append(f"{name} Leadership {mine['leadership']}-{mine['forfeited']}-{mine['cancelled']}")
    if mine["extra_hits"]:
        lines.append(f"{name}: {plural(mine['extra_hits'])} by card")
    return tuple(lines)


def roll_line(name: str, dice: int, number: int, modifier: int, faces: list[int], hits: int) -> str:
    """Write one throw: who, dice, what hits, faces, hits."""
    thrown = " ".join(str(face) for face in faces) if faces else f"{dice} dice"
    plus = f" ({modifier:+d})" if modifier else ""
    return f"{name}: {thrown}, {need(number, modifier)}{plus}: {plural(hits)}"


def roll_ruling(game: WarGame, side: str) -> Ruling:
    """Return the ruling on one side's dice alone."""
    army = game.armies[side]
    data = side_data(game, side) | {"total": plural(army.hits)}
    faces = [*army.faces, *army.rerolled]
    if faces:
        data["faces"], data["rolled"] = faces, list(army.faces)
    return Ruling(
        "hits",
        plural(army.hits),
        ("WR-21", "WR-22"),
        explain_single,
        data,
        changed=army.hits > 0,
        need="" if faces else need(*_aim(game, army, side)),
        foot=f"{army.first_hits}+{army.more_hits}" if army.allowance else f"{army.dice} dice",
    )


def _aim(game: WarGame, army: Army, side: str) -> tuple[int, int]:
    return game.combat_number(side), army.combat_modifier


def explain_single(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return how the dice came to their hits, nobody named."""
    faces = data.get("rolled", data["faces"])
    lines = [roll_line("Roll", data["dice"], data["number"], data["modifier"], faces, data["first_hits"])]
    if data["allowance"]:
        number, modifier = data["reroll_number"], data["reroll_modifier"]
        lines.append(roll_line("Again", data["allowance"], number, modifier, data["rerolled"], data["more_hits"]))
    return tuple(lines)


def card_attack_ruling(game: WarGame, side: str) -> Ruling:
    """Return the ruling on a card's attack, its casualties taken."""
    foe = game.armies[OTHER[side]]
    modifier = game.armies[side].own_combat
    data = {
        "seat": game.seat_of(side),
        "dice": game.attack_dice,
        "number": game.attack_number,
        "modifier": modifier,
        "faces": list(game.attack_faces),
        "hits": game.attack_hits,
        "after": [foe.regulars, foe.elites],
        "taken": foe.taken.split(),
    }
    return Ruling(
        "card-attack",
        f"{game.short(side)} {plural(game.attack_hits)}",
        ("WR-12", "WR-14"),
        explain_attack,
        data,
        changed=game.attack_hits > 0,
        foot=f"{game.short(OTHER[side])} {figures(foe.regulars, foe.elites)}",
    )


def explain_attack(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the lines of a card's attack."""
    name = SHORT[data["seat"]]
    line = roll_line(name, data["dice"], data["number"], data["modifier"], data["faces"], data["hits"])
    return line, "No re-roll; losses at once", f"{' '.join(data['taken']) or 'nothing'} lost"


ENDS = {
    "attacker-ceased": ("stops", ("WR-50", "WR-56"), "The attacker ceases; his units stay where they began"),
    "attacker-retreated": ("leaves", ("WR-52", "WR-56"), "The attacking Army retreats by its card"),
    "defender-retreated": ("retreats", ("WR-52", "WR-56"), "The whole Army goes to one free adjacent region"),
    "into-siege": ("inside", ("WR-54", "WR-56"), "The Army went into the Stronghold"),
    "attacker-eliminated": ("out", ("WR-38", "WR-56"), "The attacking Army is eliminated; nobody moves in"),
    "defender-eliminated": ("out", ("WR-38", "WR-56"), "The defending Army is eliminated"),
    "both-eliminated": ("Both out", ("WR-38", "WR-56"), "Both Armies are eliminated; nobody moves in"),
}
"""How a battle ends: what is said of the side it is about, the rules, and why."""


def end_ruling(game: WarGame, result: str) -> Ruling:
    """Return the ruling that ends a battle."""
    word, rules, why = ENDS[result]
    headline = word
    if result != "both-eliminated":
        side = "defender" if result == "into-siege" else result.partition("-")[0]
        headline = f"{game.short(side)} {word}"
    data = {
        "result": result,
        "rounds": game.round,
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
    losses = tuple(
        f"{game.short(side)} lost {army.lost_regulars} Regulars, {army.lost_elites} Elites"
        for side, army in game.armies.items()
    )
    return Ruling(result, headline, rules, (why, *losses), data, foot=game.status())
