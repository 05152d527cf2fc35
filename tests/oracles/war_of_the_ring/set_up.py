"""What is asked before the first round: who attacks, where, and the two Armies."""

from __future__ import annotations

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.rounds import begin_round
from tests.oracles.war_of_the_ring.rules import ATTACKER, DEFENDER
from tests.oracles.war_of_the_ring.state import FREE_PEOPLES, SHADOW, TABLE, Battle, Question, choose

GROUNDS = ("field", "city", "stronghold", "siege", "sortie")


def begin(*, assault_pays: bool) -> Battle:
    """Return a battle at the choice of the attacker."""
    return Battle((ask_attacker,), assault_pays=assault_pays)


def ask_attacker(battle: Battle) -> None:
    battle.ask(choose("battle.attacker", TABLE, {SHADOW: None, FREE_PEOPLES: None}), who_attacks)


def who_attacks(battle: Battle, seat: str) -> None:
    battle.mark((ask_attacker,))
    battle.attacker = seat
    ask_ground(battle)


def ask_ground(battle: Battle) -> None:
    options = (*GROUNDS, *(() if battle.by_hand else ("by-hand",)))
    battle.ask(choose("battle.ground", TABLE, dict.fromkeys(options), back=True), where)


def where(battle: Battle, ground: str) -> None:
    if ground == "by-hand":
        battle.next((ask_number, ATTACKER), (ask_number, DEFENDER), (ask_ground,))
    else:
        battle.ground = ground
        battle.next((ask_regulars, ATTACKER), (ask_regulars, DEFENDER), (begin_round,))


def ask_number(battle: Battle, side: str) -> None:
    battle.ask(Question("battle.number", TABLE, "count", low=4, high=6, back=True), number, side)


def number(battle: Battle, side: str, value: int) -> None:
    battle.by_hand[side] = value


def ask_regulars(battle: Battle, side: str) -> None:
    battle.ask(Question("army.regulars", battle.seat(side), "count", high=10, back=True), regulars, side)


def regulars(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].regulars = count
    code = rules.army_code(count, 0)
    question = Question(
        "army.elites", battle.seat(side), "count", barred={0: code} if code else {}, high=10, back=True
    )
    battle.ask(question, elites, side)


def elites(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].elites = count
    battle.ask(Question("army.leadership", battle.seat(side), "count", high=10, back=True), leadership, side)


def leadership(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].leadership = count
