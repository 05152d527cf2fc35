"""How a battle ends."""

from __future__ import annotations

from typing import Any

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.rules import ATTACKER, DEFENDER
from tests.oracles.war_of_the_ring.state import Battle, Event


def anybody_left(battle: Battle) -> None:
    """WR-56: an Army without units ends the battle there."""
    result = rules.eliminated(battle.armies[ATTACKER].units, battle.armies[DEFENDER].units)
    if result:
        end(battle, result)


def end(battle: Battle, result: str) -> None:
    battle.result = result
    battle.events.append(Event(result, summary(battle)))
    units, played = battle.armies[DEFENDER].units, any(army.card == "played" for army in battle.armies.values())
    battle.events.extend(map(Event, rules.closing_reminders(result, battle.ground, units, card_played=played)))


def summary(battle: Battle) -> dict[str, Any]:
    numbers: dict[str, Any] = {"result": battle.result, "round": battle.round, "ground": battle.ground}
    for side, army in battle.armies.items():
        lost = (army.lost_regulars, army.lost_elites)
        numbers[side] = {"seat": battle.seat(side), "left": army.left, "lost": lost}
    return numbers
