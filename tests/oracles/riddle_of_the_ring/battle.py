"""Battles: force against force, and what becomes of the cards."""

from __future__ import annotations

from typing import Any

from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.plays import Plays
from tests.oracles.riddle_of_the_ring.question import ANYBODY, IN_A_POWER_PLAY, Battle, Force, Question
from tests.oracles.riddle_of_the_ring.rules import ATTACKER, DEFENDER
from tests.oracles.riddle_of_the_ring.state import OUT_OF_STEP, Codes

KINDS = ("hobbit-rider", "rider-hobbit", "hobbit-hobbit", "rider-rider")


class Battles(Plays):
    """A game as far as battles and the other Power Plays go."""

    def defender_codes(self) -> Codes:
        return {
            each: code or rules.defender_code(self.fe[each], battled=self.battled[each])
            for each, code in self.target_codes().items()
        }

    def ask_defender(self) -> Question:
        return Question("battle.defender", self.seat, {**self.defender_codes(), **IN_A_POWER_PLAY})

    def take_defender(self, answer: str) -> None:
        self.battle = Battle(self.seat, answer, rules.kind(self.seat), rules.kind(answer))
        self._next(("force", ATTACKER))

    def ask_kinds(self) -> Question:
        return Question("battle.kinds", ANYBODY, dict.fromkeys(KINDS, ""))

    def take_kinds(self, answer: str) -> None:
        attacker, defender = answer.split("-")
        self.battle = Battle(ATTACKER, DEFENDER, attacker, defender)
        self._next(("force", ATTACKER))

    def _seat_of(self, side: str) -> str:
        if self.ruling:
            return ANYBODY
        return self.battle.attacker if side == ATTACKER else self.battle.defender

    def _totals(self, side: str) -> tuple[int, int]:
        totals = (self.battle.att_total, self.battle.def_total)
        return totals if side == ATTACKER else totals[::-1]

    def ask_force(self, side: str) -> Question:
        battle = self.battle
        own = battle.attacker_kind if side == ATTACKER else battle.defender_kind
        laid = [(force.owner, force.name) for force in battle.forces]
        totals = self._totals(side)
        codes = {
            force: rules.force_code(side, force, own, battle.defender_kind, laid, totals, overshoot=self.overshoot)
            for force in rules.FORCES
        }
        key, stop, surrender = ("attack", "", OUT_OF_STEP) if side == ATTACKER else ("match", OUT_OF_STEP, "")
        ends = {"stop": stop, "surrender": surrender}
        return Question(f"battle.{key}", self._seat_of(side), {**codes, **ends, **IN_A_POWER_PLAY})

    def take_force(self, side: str, answer: str) -> None:
        if answer == "stop":
            self._end("tie" if self.battle.forces else "no-battle")
        elif answer == "surrender":
            self._next(("spoils",))
        elif rules.is_city(answer) and self._used():
            self._next(("next_force", len(self.battle.forces)))
            self.attempt(("nothing",), ("city", side, answer))
        elif answer in rules.BEARING_POINTS:
            self._next(("next_force", len(self.battle.forces)))
            self.attempt(("nothing",), ("decide", "points", side, answer))
        else:
            self._next(("next_force", len(self.battle.forces)))
            self._lay(side, answer, rules.FORCES[answer][1], rules.LETTERS[0] if rules.is_city(answer) else "")

    def _used(self) -> list[str]:
        return [force.city for force in self.battle.forces if force.city]

    def ask_city(self, side: str, name: str) -> Question:
        codes = {each: rules.city_code(each, self._used()) for each in rules.LETTERS}
        return Question("battle.city", self._seat_of(side), {**codes, **IN_A_POWER_PLAY})

    def take_city(self, side: str, name: str, answer: str) -> None:
        self._lay(side, name, rules.FORCES[name][1], answer)

    def ask_points(self, side: str, name: str) -> Question:
        totals = self._totals(side)
        low, high = rules.FORCES[name][1], rules.MOST_POINTS
        codes = {
            points: rules.points_code(side, points, *totals, overshoot=self.overshoot)
            for points in range(low, high + 1)
        }
        return Question("battle.points", self._seat_of(side), codes, "count", low, high)

    def take_points(self, side: str, name: str, answer: int) -> None:
        self._lay(side, name, answer)

    def _lay(self, side: str, name: str, points: int, city: str = "") -> None:
        battle = self.battle
        own = battle.attacker_kind if side == ATTACKER else battle.defender_kind
        if not battle.forces and not self.ruling:
            self.spend()
            self.battled[battle.defender] = True
        battle.forces.append(Force(side, name, rules.force_kind(name, own), points, city))
        if side == ATTACKER:
            battle.att_total = rules.added(battle.att_total, points)
        else:
            battle.def_total = rules.added(battle.def_total, points)
        battle.mover = DEFENDER if rules.to_match(battle.att_total, battle.def_total) else ATTACKER
        self.counted()

    def do_next_force(self, before: int) -> None:
        """``before``: forces on the table before the last choice; as many after it, if that was dropped."""
        battle = self.battle
        matched = rules.all_matched(battle.att_total, battle.def_total)
        if (len(battle.forces) > before and matched) or (
            battle.mover == ATTACKER and battle.attacker in self.conceded
        ):
            self._end("tie")
        elif battle.mover == DEFENDER and battle.defender in self.conceded:
            self._next(("spoils",))
        else:
            self._next(("force", battle.mover))

    def ask_spoils(self) -> Question:
        return Question("battle.spoils", self._seat_of(ATTACKER), {"taken": "", "empty": "", **IN_A_POWER_PLAY})

    def take_spoils(self, answer: str) -> None:
        self._end("win", {"taken": answer == "taken", "order": rules.order_of_spoils(return_first=self.return_first)})

    def _end(self, result: str, more: dict[str, Any] | None = None) -> None:
        battle = self.battle
        laid = [(force.owner, force.name) for force in battle.forces]
        numbers = {
            "attacker": battle.attacker,
            "defender": battle.defender,
            "attacker_total": battle.att_total,
            "defender_total": battle.def_total,
            "forces": [[each.owner, each.name, each.kind, each.points, each.city] for each in battle.forces],
            "discard": [[*each] for each in rules.discarded(laid)],
            "return": [[*each] for each in rules.returned(laid)],
            "result": result,
            **(more or {}),
        }
        if rules.to_the_halls(result) and not self.ruling:
            self.in_halls[battle.defender], self.halls_turns[battle.defender] = True, 0
        if result != "no-battle":
            self.announce(result, numbers)
        elif self.ruling:
            self.announce(result, {})
