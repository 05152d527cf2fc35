"""The rulings of a battle: who goes to the Halls, what is discarded, what goes back to the hand, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.games.riddle_of_the_ring.forces import ATTACKER, CEILING, DEFENDER, FORCES, LISTED
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Reason, Ruling, Short, joined, phrase

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
    headline = phrase(Short("{} to Halls", "{} goes to the Halls"), game.name(fight.defender))
    game.rule(Ruling("win", headline, WIN_RULES, explain, data, foot=final_score(game), to_do=clearing(data)))


def tie(game: RiddleGame) -> None:
    """Everything was matched: nothing is taken, the table is cleared."""
    data = account(game)
    changed, foot, to_do = bool(data["discard"]), final_score(game), clearing(data)
    game.rule(
        Ruling(
            "tie",
            between(game, TIE),
            TIE_RULES,
            explain,
            data,
            changed=changed,
            foot=foot,
            to_do=to_do,
        )
    )


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
    game.rule(
        Ruling(
            "no-battle",
            between(game, NO_BATTLE),
            ("A-RR6",),
            why,
            {"total": "0-0"},
            changed=False,
        )
    )


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
