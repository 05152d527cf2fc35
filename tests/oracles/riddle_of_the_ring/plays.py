"""Power Plays that are no battles: Clairvoyance, Riddles, taking a card with a card."""

from __future__ import annotations

from typing import Any

from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.question import IN_A_POWER_PLAY, Question
from tests.oracles.riddle_of_the_ring.rules import CHARACTERS, FIRM
from tests.oracles.riddle_of_the_ring.state import OUT_OF_STEP, State


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
