"""The game as the printed rules have it: seats, turns, moves and Friendly Exchanges round the Power Plays."""

from __future__ import annotations

from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.plays import Battles
from tests.oracles.riddle_of_the_ring.rules import CHARACTERS, DEFENDER, FIRM
from tests.oracles.riddle_of_the_ring.state import (
    ANYBODY,
    IN_A_MOVE,
    IN_A_POWER_PLAY,
    OUT_OF_STEP,
    Codes,
    Event,
    Question,
    Step,
)

EXCHANGES = ("done", "no-cards", "not-yet")


class Game(Battles):
    """A whole game, or one ruling of the desk (``battle``, ``riddle``)."""

    # -- the set-up and the turn -------------------------------------------------------------------------------------

    def ask_players(self) -> Question:
        return Question("setup.players", ANYBODY, {}, "count", rules.PLAYERS_LEAST, rules.PLAYERS_MOST)

    def take_players(self, answer: int) -> None:
        self.number = answer
        self._next(("player",))

    def ask_player(self) -> Question:
        return Question(
            "setup.player", ANYBODY, {each: "RR-X09" + FIRM if each in self.players else "" for each in CHARACTERS}
        )

    def take_player(self, answer: str) -> None:
        self.players.append(answer)
        left = [each for each in CHARACTERS if each not in self.players]
        if len(self.players) < self.number and len(left) > 1:
            self._next(("player",))
        else:
            self.players += left[: self.number - len(self.players)]
            self.seat = self.players[0]
            self.begin_turn()
            self._next(("menu",))

    def end_turn(self) -> None:
        self.seat, new_round = rules.next_seat(self.players, self.seat, self.conceded)
        self.round += new_round
        self.begin_turn()

    def begin_turn(self) -> None:
        self.new_turn()
        if self.in_halls[self.seat]:
            self.halls_turns[self.seat] += 1
            if rules.out_of_the_halls(self.halls_turns[self.seat]):
                self.events.append(Event("A-RR14"))

    def _opening(self, what: str) -> str:
        code = rules.opening_code(what, self.pp_used, self.stops, in_halls=self.in_halls[self.seat])
        if code:
            return code
        codes = self.defender_codes() if what == "battle" else self.target_codes()
        foes = self.foes()
        near = [each for each in foes if self.near[each]]
        if what == "battle" and near and all(codes[each] for each in foes):
            foes = near
        return rules.least(codes[each] for each in foes)

    def _exchanges_open(self) -> list[str]:
        return [each for each, code in self.exchange_codes().items() if not code]

    def exchange_codes(self) -> Codes:
        return {
            each: code or rules.exchange_code(self.fe[each], near=self.near[each])
            for each, code in self.target_codes().items()
        }

    def do_menu(self) -> None:
        """Pass the turn on where its player has left the game."""
        if self.seat in self.conceded:
            self.end_turn()
        self._next(("await_menu",))

    def ask_await_menu(self) -> Question:
        away = "RR-X20" if self.in_halls[self.seat] else ""
        codes: Codes = {what: self._opening(what) for what in ("clairvoyance", "riddle", "take-card", "battle")}
        codes["move"] = away
        codes["friendly-exchange"] = away or ("" if self._exchanges_open() else OUT_OF_STEP)
        codes["left-halls"] = "" if away else OUT_OF_STEP
        codes.update({"end-turn": "", "game-over": "", "force": OUT_OF_STEP})
        codes.update({"resists": "RR-X15" + FIRM, "only-card": "RR-X17" + FIRM})
        return Question("turn.menu", self.seat, codes)

    def take_await_menu(self, answer: str) -> None:
        self._next(("menu",))
        begin: dict[str, tuple[Step, ...]] = {
            "clairvoyance": (("clairvoyance_card",),),
            "riddle": (("decide", "riddle_target"),),
            "take-card": (("take_card",),),
            "battle": (("decide", "defender"),),
        }
        if answer in begin:
            self.busy = answer
            self.attempt(("tidy",), *begin[answer])
        elif answer == "move":
            if self._anybody_about():
                self.moving = True
                self.attempt(("stand",), ("moving",))
            else:
                self.stop()
        elif answer == "friendly-exchange":
            if self._exchanges_open():
                self.attempt(("nothing",), ("decide", "exchange_with"))
        elif answer == "left-halls":
            self.in_halls[self.seat], self.halls_turns[self.seat] = False, 0
        elif answer == "end-turn":
            self.end_turn()
        else:
            self.attempt(("nothing",), ("winner",))

    def ask_winner(self) -> Question:
        codes = {each: "RR-X09" + FIRM if each in self.conceded else "" for each in self.players}
        return Question("game.winner", self.seat, {"play-on": "", "nobody": "", **codes})

    def take_winner(self, answer: str) -> None:
        if answer != "play-on":
            self.over, self.winners = "declared", [] if answer == "nobody" else [answer]

    # -- giving up ---------------------------------------------------------------------------------------------------

    def concede(self, seat: str) -> list[Event]:
        """Let a player leave the game: whoever is the last one has won; a defender surrenders."""
        self.events = []
        question = self.question
        assert question is not None
        self.conceded.append(seat)
        if len(self.in_play()) < rules.PLAYERS_LEAST:
            self.over, self.winners = "concession", self.in_play()
        elif question.seat == seat:
            self._walk_out(question.key)
        self._advance()
        return self.events

    def _walk_out(self, question: str) -> None:
        """Who is asked has gone, and what is under way ends; where it is not his turn, that goes on."""
        if question == "clairvoyance.resist":
            del self.todo[self.attempts.pop()[0] :]
        elif self.seat == self.battle.attacker and question in rules.LAYING and self.battle.mover == DEFENDER:
            while self.todo[-1][0] != "end_attempt" or self.attempts[1:]:
                if self.todo.pop()[0] == "end_attempt":
                    self.attempts.pop()
            self._next(("spoils",))
        else:
            if question in rules.LAYING and self.battle.forces:
                self._end("tie")
            self.todo, self.attempts = [], []
            self.do_tidy()
            self._next(("menu",))

    # -- moving and Friendly Exchanges -------------------------------------------------------------------------------

    def ask_moving(self) -> Question:
        return Question("move.finished", self.seat, {"finished": "", **IN_A_MOVE})

    def take_moving(self, _: str) -> None:
        self.counted()
        self.stop()

    def stop(self) -> None:
        """A move ends; who is near is asked only where somebody can be."""
        self.moving = False
        self.stops += 1
        self._nobody_near()
        if self._anybody_about():
            self._next(("near",))

    def _anybody_about(self) -> bool:
        return not all(self.target_codes().values())

    def do_stand(self) -> None:
        self.moving = False

    def ask_near(self) -> Question:
        return Question("move.near", self.seat, self.target_codes(), "pick", 0, len(self.foes()))

    def take_near(self, answer: list[str]) -> None:
        for each in answer:
            self.near[each] = True
        self._next(*(("exchange_if_open", each) for each in answer))

    def do_exchange_if_open(self, whom: str) -> None:
        """A-RR14: nobody exchanges cards with who is in the Halls."""
        if not self.exchange_codes()[whom]:
            self._next(("exchange", whom))

    def ask_exchange(self, whom: str) -> Question:
        return Question("move.exchange", self.seat, {**dict.fromkeys(EXCHANGES, ""), **IN_A_POWER_PLAY})

    def take_exchange(self, whom: str, answer: str) -> None:
        self.counted()
        if answer == "not-yet":
            self.events.append(Event("A-RR19"))
        else:
            self.fe[whom] = answer

    def ask_exchange_with(self) -> Question:
        return Question("move.exchange-with", self.seat, {**self.exchange_codes(), **IN_A_POWER_PLAY})

    def take_exchange_with(self, answer: str) -> None:
        self._next(("exchange", answer))
