"""The forces on the table: what bars them, what they add, and what becomes of them when the battle ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.games.riddle_of_the_ring.state import MOST, Force, RiddleGame
from referee.games.riddle_of_the_ring.tables import (
    ATTACKER,
    CEILING,
    DEFENDER,
    FOR,
    FORCES,
    LISTED,
    NEUTRAL,
    Kind,
    allowed,
)
from referee.rulebook import Bar, Option, Options, Reason, Ruling, Short, joined, phrase

LETTERS = tuple("abcdefghij")
"""Names of the cities used in a battle, in the order of use; each side can use five."""

CITIES = Options(Option(letter, f"City {letter.upper()}") for letter in LETTERS)

NEUTRAL_CITY = Bar("RR-X14", "Neutral cities are never forces", aside=True)
USED_CITY = {c: Bar("RR-X14", f"City {c.upper()} is already used in this battle") for c in LETTERS}
LATER_LETTER = {c: Bar("RR-X21", f"The next city is City {c.upper()}", firm=True, aside=True) for c in LETTERS}
LAID = {
    name: Bar("RR-X21", f"{card} already lies on the table", firm=True)
    for name, card in {
        "strider": "Strider",
        "mouth-of-sauron": "The Mouth of Sauron",
        "the-ring": "The Ring",
        "own-character": "Your own character card",
    }.items()
}

WRONG = {
    (ATTACKER, "evil"): "Attack a Hobbit with Evil and Neutral only",
    (ATTACKER, "good"): "Attack a Rider with Good and Neutral only",
    (DEFENDER, "good"): "A Hobbit defends with Good and Neutral only",
    (DEFENDER, "evil"): "A Rider defends with Evil and Neutral only",
}


def kind_of(game: RiddleGame, name: str) -> str:
    """Return good, evil or neutral for a force of whoever lays now; a character card is of its owner's kind."""
    fight = game.battle
    own = fight.attacker_kind if fight.mover == ATTACKER else fight.defender_kind
    return FORCES[name].kind or FOR[own]


def bar_force(game: RiddleGame, name: str) -> Bar | None:
    """Return why a force cannot be laid: X21, X10, X14, X12, X13 in that order."""
    if name in ("stop", "surrender"):
        return None
    return _bar_card(game, name, FORCES[name]) or bar_points(game, FORCES[name].points)


def _bar_card(game: RiddleGame, name: str, force: Kind) -> Bar | None:
    fight = game.battle
    may = allowed(fight.mover, fight.defender_kind)
    kind = kind_of(game, name)
    if force.unique and on_table(game, name):
        return LAID[name]._replace(aside=kind not in (may, NEUTRAL))
    if kind not in (may, NEUTRAL):
        return Bar("RR-X10", WRONG[fight.mover, may], aside=name != "own-character")
    return NEUTRAL_CITY if force.city and kind == NEUTRAL else None


def bar_points(game: RiddleGame, points: int) -> Bar | None:
    """Return why so many more points cannot be laid: X12, X13 (RR-63, A-RR2)."""
    fight = game.battle
    total = fight.att_total if fight.mover == ATTACKER else fight.def_total
    if total + points > CEILING:
        return Bar("RR-X12", f"That makes {total + points}, and nobody uses more than {CEILING} Battle Points")
    if fight.mover == DEFENDER and total + points > fight.att_total and not game.overshoot:
        return Bar("RR-X13", f"That makes {total + points}, and the attacker has {fight.att_total}")
    return None


def on_table(game: RiddleGame, name: str) -> bool:
    """Whether the one card of that name lies on the table; each side has a character card of its own."""
    mover = game.battle.mover
    return any(f.name == name and (name != "own-character" or f.owner == mover) for f in game.battle.forces)


def used_letters(game: RiddleGame) -> tuple[str, ...]:
    """Return the letters of the cities used in this battle, by either side."""
    return tuple(force.city for force in game.battle.forces if force.city)


def used_text(game: RiddleGame) -> str:
    """Return "City A is used", "Cities A, B are used"."""
    letters = [letter.upper() for letter in used_letters(game)]
    return f"City {letters[0]} is used" if len(letters) == 1 else f"Cities {', '.join(letters)} are used"


def free_letters(game: RiddleGame) -> tuple[str, ...]:
    """Return the letters not used yet, in order."""
    used = used_letters(game)
    return tuple(letter for letter in LETTERS if letter not in used)


def bar_city(game: RiddleGame, letter: str) -> Bar | None:
    """Return why that city does not serve: one city has one kind and is used once a battle (X14)."""
    free = free_letters(game)
    if letter not in free:
        return USED_CITY[letter]
    return None if letter == free[0] else LATER_LETTER[free[0]]


def add(game: RiddleGame, name: str, points: int, city: str) -> None:
    """Lay a force of whoever lays now on the table and count its points. ``city``: its letter, "" for a card."""
    fight = game.battle
    fight.forces.append(Force(fight.mover, name, kind_of(game, name), points, FORCES[name].retain, city))
    if fight.mover == ATTACKER:
        fight.att_total = min(MOST, fight.att_total + points)
    else:
        fight.def_total = min(MOST, fight.def_total + points)


def gap(game: RiddleGame) -> int:
    """Return how many points the defender lacks."""
    return max(0, game.battle.att_total - game.battle.def_total)


def order_text(game: RiddleGame) -> str:
    """Return what happens with the cards on the table while the winner picks (A-RR7)."""
    if game.return_first:
        return "Ring and own cards go back before the pick"
    return "Cards on the table are not part of the hand"


# -- the rulings of a battle: who goes to the Halls, what is discarded, what goes back to the hand, and why

WIN_RULES = ("RR-66", "RR-68", "RR-69")
TIE_RULES = ("RR-65", "RR-66", "RR-67", "RR-69")


TIE = Short("Tie", "{} and {} tie")
NO_BATTLE = Short("No battle", "{} and {}: no battle")
RING = Short("Ring", "The Ring")


def win(game: RiddleGame) -> None:
    """The attacker has won: the loser goes to the Halls, then the table is cleared."""
    data = account(game)
    fight = game.battle
    data["taken"] = fight.taken
    data["order"] = ["return", "take", "discard"] if game.return_first else ["take", "discard", "return"]
    headline = phrase(Short("{} to Halls", "{} goes to the Halls of Mandos"), game.name(fight.defender))
    game.rule(Ruling("win", headline, WIN_RULES, explain, data, foot=final_score(game), to_do=clearing(data)))


def tie(game: RiddleGame) -> None:
    """Everything was matched: nothing is taken, the table is cleared."""
    data = account(game)
    changed, foot, to_do = bool(data["discard"]), final_score(game), clearing(data)
    game.rule(Ruling("tie", between(game, TIE), TIE_RULES, explain, data, changed=changed, foot=foot, to_do=to_do))


def between(game: RiddleGame, form: Short) -> Short:
    """Return what is said of both who fight."""
    return phrase(form, game.name(game.battle.attacker), game.name(game.battle.defender))


def final_score(game: RiddleGame) -> str:
    """Return the final score, and what is left of the turn: "2-1  1 PP left"."""
    return joined(Short("  ", ". "), (game.score, game.status()))


def clearing(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is done with the cards on the table (RR-69): The Ring and own characters are kept."""
    own = sum(card == "own-character" for _, card in data["return"])
    keep = ["Ring"] * (own < len(data["return"])) + ["own card" if own == 1 else "own cards"] * (own > 0)
    lines = [f"Keep {', '.join(keep)}"] if keep else []
    if data["discard"]:
        lines.append("Discard the others" if keep else "Discard all cards laid")
    return tuple(lines)


def no_battle(game: RiddleGame) -> None:
    """Nobody laid a force: there was no battle (A-RR6)."""
    nothing = Short("No force, no battle", "Nobody laid a force, so there is no battle")
    why = (("A-RR6", nothing), ("A-RR6", phrase("No Power Play is spent")))
    game.rule(Ruling("no-battle", between(game, NO_BATTLE), ("A-RR6",), why, {"total": "0-0"}, changed=False))


def account(game: RiddleGame) -> dict[str, Any]:
    """Return the data of a battle's ruling.

    ``forces`` are [owner, name, kind, points, city]; ``discard`` and ``return`` (RR-69) are [owner, name].
    """
    fight = game.battle
    names = {ATTACKER: game.name(fight.attacker), DEFENDER: game.name(fight.defender)}
    cards = [force for force in fight.forces if not force.city]
    return {
        "attacker": fight.attacker,
        "defender": fight.defender,
        "names": names,
        "attacker_total": fight.att_total,
        "defender_total": fight.def_total,
        "total": f"{fight.att_total}-{fight.def_total}",
        "forces": [[f.owner, f.name, f.kind, f.points, f.city] for f in fight.forces],
        "discard": [[f.owner, f.name] for f in cards if not f.retain],
        "return": [[f.owner, f.name] for f in cards if f.retain],
        "result": fight.result,
        "power_plays": game.pp_used,
    }


def explain(data: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons of a ruling from its data: the score, the loot, what each side discards, what goes back."""
    names = data["names"]
    lines: list[Reason] = [("RR-66", score(data))]
    if data["result"] == "win":
        lines.append(("RR-68", phrase("{} goes to the Halls of Mandos", names[DEFENDER])))
        lines.append(("RR-68", phrase("{} took {}", names[ATTACKER], "1 card" if data["taken"] else "nothing")))
    lines += [("RR-69", line) for side in (ATTACKER, DEFENDER) if (line := discards(data, side))]
    if data["return"]:
        back = [names[owner] if card == "own-character" else RING for owner, card in data["return"]]
        goes = "goes" if len(back) == 1 else "go"
        form = Short("Back to hand: {}", f"{{}} {goes} back to the hand")
        lines.append(("RR-69", phrase(form, joined(Short(", ", " and "), back))))
    return tuple(lines)


def score(data: Mapping[str, Any]) -> str:
    """Return the reason of a battle's end in points: "3 against 2", "5 points, all matched"."""
    if data["result"] == "win":
        attacker, defender = data["attacker_total"], data["defender_total"]
        points = "Battle Point" if attacker == 1 else "Battle Points"
        return phrase(
            Short("{1} against {2}", f"{{0}} laid {{1}} {points} against {{2}}"),
            data["names"][ATTACKER],
            attacker,
            defender,
        )
    if data["attacker_total"] >= CEILING:
        return Short(f"{CEILING} points, all matched", f"All {CEILING} Battle Points were matched")
    return Short("All matched, then stop", "Every force was matched, and the attacker stopped")


def discards(data: Mapping[str, Any], side: str) -> str:
    """Return what a side discards: "Frodo discards 2 Good, Strider", in words "2 Good cards of 1"; "" for nothing."""
    cards = Counter(
        (name, points)
        for owner, name, _, points, city in data["forces"]
        if owner == side and not city and [owner, name] not in data["return"]
    )
    parts = [listed(name, points, many) for (name, points), many in cards.items()]
    return phrase("{} discards {}", data["names"][side], joined(Short(", ", " and "), parts)) if parts else ""


def listed(name: str, points: int, many: int) -> str:
    """Return some equal cards as a list names them: "2 Good", "1 Good card of 3"; in words "2 Good cards of 1"."""
    short = f"{LISTED[name]} of {points}" if FORCES[name].asks else LISTED[name]
    if FORCES[name].unique:
        return Short(short, FORCES[name].option.text.partition(" (")[0])
    cards = f"{LISTED[name].removesuffix(' card')} card{'s' if many > 1 else ''} of {points}"
    return Short(f"{many} {short}", f"{many} {cards}")
