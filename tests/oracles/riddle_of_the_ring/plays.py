"""Power Plays: Clairvoyance, Riddles, taking a card with a card; and battles, force against force."""

from __future__ import annotations

from typing import Any

from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.rules import ATTACKER, CHARACTERS, DEFENDER, FIRM
from tests.oracles.riddle_of_the_ring.state import (
    ANYBODY,
    IN_A_POWER_PLAY,
    OUT_OF_STEP,
    Battle,
    Codes,
    Force,
    Question,
    State,
)


class Plays(State):
    """A game as far as Power Plays go that are no battles."""

    # -- Clairvoyance ------------------------------------------------------------------------------------------------

    def ask_clairvoyance_card(self) -> Question:
        return Question("clairvoyance.card", self.seat, {**dict.fromkeys(rules.CLAIRVOYANCE, ""), **IN_A_POWER_PLAY})

    def take_clairvoyance_card(self, answer: str) -> None:
        self.card = answer
        self._ask_whose_hand()

    def _ask_whose_hand(self) -> None:
        """The target of an Elf Ring is asked even if there is one alone: it must be near enough."""
        self._next(("whose_hand",) if rules.must_be_near(self.card) else ("decide", "whose_hand"))

    def ask_whose_hand(self) -> Question:
        codes = {
            each: rules.hand_code(each, code, self.seen, self.pp_used) for each, code in self.target_codes().items()
        }
        foes = self.foes()
        two = rules.two_hands_code(self.pp_used, len(foes), len([each for each in foes if not self.in_halls[each]]))
        codes["two-hands"] = OUT_OF_STEP if self.seen or self.hands > 1 else two
        codes["no-more"] = "" if self.seen else OUT_OF_STEP
        codes["too-far"], codes["resists"] = "RR-X19" + FIRM, "RR-X15" + FIRM
        return Question("clairvoyance.target", self.seat, {**codes, **IN_A_POWER_PLAY})

    def take_whose_hand(self, answer: str) -> None:
        if answer == "two-hands":
            self.hands = 2
            self._ask_whose_hand()
        elif answer != "no-more":
            self.target = answer
            self.hands -= 1
            self.seen.append(answer)
            self.spend()
            if rules.resistible(self.card):
                self._next(("resist",), ("second_hand",))
            else:
                self._seen("hand-seen")
                self._next(("second_hand",))

    def ask_resist(self) -> Question:
        return Question("clairvoyance.resist", self.target, {"hand": "", "resists": "", **IN_A_POWER_PLAY})

    def take_resist(self, answer: str) -> None:
        self._seen("resisted" if answer == "resists" else "hand-seen")

    def _seen(self, result: str) -> None:
        numbers = {"card": self.card, "target": self.target, "resisted": result == "resisted"}
        self.announce(result, numbers, self.card)

    def do_second_hand(self) -> None:
        if rules.second_hand(self.hands) and self.seat not in self.conceded:
            self._ask_whose_hand()

    # -- Riddles -----------------------------------------------------------------------------------------------------

    def ask_riddle_target(self) -> Question:
        codes = {**self.target_codes(), "only-card": "RR-X17" + FIRM}
        return Question("riddle.target", self.seat, {**codes, **IN_A_POWER_PLAY})

    def take_riddle_target(self, answer: str) -> None:
        self.target = answer
        self._next(("hand",))

    def ask_hand(self) -> Question:
        return Question("riddle.hand", self.seat, {0: rules.riddle_code(0)}, "count", 0, 30)

    def take_hand(self, answer: int) -> None:
        self.cards, self.won = answer, 0
        if not self.ruling:
            self.spend()
        self._next(("guess",))

    def ask_guess(self) -> Question:
        codes = {"right": "", "wrong": "", "stop": rules.stop_code(self.won), **IN_A_POWER_PLAY}
        return Question("riddle.guess", self.seat, codes, guesses=rules.guesses(self.cards))

    def take_guess(self, answer: str) -> None:
        if answer == "right":
            self.cards, self.won = max(0, self.cards - 1), self.won + 1
        if answer == "right" and rules.riddle_goes_on(self.cards):
            self._next(("guess",))
        else:
            result = "wrong" if answer == "wrong" else "right"
            self.announce(result, {"target": self.target, "won": self.won, "left": self.cards})

    # -- taking a card -----------------------------------------------------------------------------------------------

    def ask_take_card(self) -> Question:
        return Question("take.card", self.seat, {**dict.fromkeys(rules.TAKING, ""), **IN_A_POWER_PLAY})

    def take_take_card(self, answer: str) -> None:
        self.card = answer
        if answer == "shelob":
            self.spend()
            self._next(("next_draw",))
        elif answer == "character":
            self._next(("character",))
        else:
            self._next(("decide", "take_target"))

    def ask_shelob(self, whom: str) -> Question:
        return Question("take.shelob", self.seat, {"ordinary": "", "stays": "", "no-cards": "", **IN_A_POWER_PLAY})

    def take_shelob(self, whom: str, answer: str) -> None:
        self.drawn[whom] = answer

    def do_next_draw(self) -> None:
        away = [*self.conceded, *(each for each in CHARACTERS if self.in_halls[each])]
        left = [each for each in rules.shelob_draws(self.players, self.seat, away) if each not in self.drawn]
        if left:
            self._next(("shelob", left[0]), ("next_draw",))
        else:
            self.announce("shelob", {"card": "shelob", "hit": dict(self.drawn)}, "shelob")

    def ask_character(self) -> Question:
        return Question("take.character", self.seat, {**dict.fromkeys(CHARACTERS, ""), **IN_A_POWER_PLAY})

    def take_character(self, answer: str) -> None:
        self.card = answer
        self._next(("decide", "mode"))

    def _give_code(self) -> str:
        in_halls = self.in_halls.get(self.card, False)
        return rules.give_code(self.card, self.seat, self.in_play(), in_halls=in_halls)

    def ask_mode(self) -> Question:
        return Question("take.mode", self.seat, {"draw": "", "give": self._give_code(), **IN_A_POWER_PLAY})

    def take_mode(self, answer: str) -> None:
        self.mode = answer
        if answer == "give":
            self._aim(self.card)
        else:
            self._next(("decide", "take_target"))

    def ask_take_target(self) -> Question:
        give = (self._give_code() if self.mode else "").removesuffix(FIRM) + FIRM
        give = give if give != FIRM else OUT_OF_STEP
        return Question("take.target", self.seat, {**self.target_codes(), "give": give, **IN_A_POWER_PLAY})

    def take_take_target(self, answer: str) -> None:
        self._aim(answer)

    def _aim(self, target: str) -> None:
        self.target = target
        self.spend()
        self._next(("taken",) if self.mode else ("has_it",))

    def ask_has_it(self) -> Question:
        return Question("take.got", self.seat, {"yes": "", "no": "", **IN_A_POWER_PLAY})

    def take_has_it(self, answer: str) -> None:
        self._taken(answer == "yes", {}, self.card)

    def ask_taken(self) -> Question:
        return Question("take.taken", self.seat, {"taken": "", "empty": "", **IN_A_POWER_PLAY})

    def take_taken(self, answer: str) -> None:
        self._taken(answer == "taken", {"mode": self.mode}, "")

    def _taken(self, got: bool, more: dict[str, Any], card: str) -> None:
        numbers = {"card": self.card, "target": self.target, "got": got, **more}
        self.announce("taken" if got else "nothing", numbers, card, self.mode)


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
