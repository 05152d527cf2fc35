"""What the referee says of a battle: who is out, what is discarded, what goes back, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.games.riddle_of_the_ring.forces import ATTACKER, CEILING, DEFENDER, SAID
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Ruling

WIN_RULES = ("RR-66", "RR-68", "RR-69")
TIE_RULES = ("RR-65", "RR-66", "RR-67", "RR-69")


def win(game: RiddleGame) -> None:
    """The attacker has won: the loser goes to the Halls, then the table is cleared."""
    data = account(game)
    fight = game.battle
    loser = game.name(fight.defender)
    data["taken"] = fight.taken
    data["order"] = ["return", "take", "discard"] if game.return_first else ["take", "discard", "return"]
    winner = f"{game.name(fight.attacker)} wins"
    game.rule(Ruling("win", f"{loser} out", WIN_RULES, explain, data, need=winner, foot="to the Halls"))


def tie(game: RiddleGame) -> None:
    """Everything was matched: nothing is taken, the table is cleared."""
    data = account(game)
    foot = "" if game.single else game.status()
    game.rule(Ruling("tie", "Tie", TIE_RULES, explain, data, changed=bool(data["discard"]), foot=foot))


def no_battle(game: RiddleGame) -> None:
    """Nobody laid a force: there was no battle (A-RR6)."""
    why = ("No force, no battle", "No Power Play is spent")
    game.rule(Ruling("no-battle", "No battle", ("A-RR6",), why, {"total": "0-0"}, changed=False))


def account(game: RiddleGame) -> dict[str, Any]:
    """Return the numbers of a battle: both totals, every force, what is discarded and what goes back (RR-69)."""
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


def explain(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the lines of a ruling's why: the score, the loot, the discards of both, the cards that go back."""
    names = data["names"]
    lines = [score(data)]
    if data["result"] == "win":
        lines.append(f"{names[ATTACKER]} took {'1 card' if data['taken'] else 'nothing'}")
    lines += [line for side in (ATTACKER, DEFENDER) if (line := listed(data["discard"], side, names[side]))]
    if data["return"]:
        back = [names[owner] if card == "own-character" else "Ring" for owner, card in data["return"]]
        lines.append(f"Back: {', '.join(back)}")
    return tuple(lines)


def score(data: Mapping[str, Any]) -> str:
    """Return why it ended as it did."""
    if data["result"] == "win":
        return f"{data['attacker_total']} against {data['defender_total']}"
    if data["attacker_total"] >= CEILING:
        return f"{CEILING} points, all matched"
    return "All matched, then stop"


def listed(cards: list[list[str]], side: str, name: str) -> str:
    """Return what a side discards: "Frodo discards 2 Good, Strider"; "" for nothing."""
    counted = Counter(card for owner, card in cards if owner == side)
    parts = [SAID[card] if many == 1 else f"{many} {SAID[card]}" for card, many in counted.items()]
    return f"{name} discards {', '.join(parts)}" if parts else ""
