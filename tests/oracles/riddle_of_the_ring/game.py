"""The game as the printed rules have it: its own state, what is asked next, and what an answer does to it.

`Game.todo` is a stack of steps still to come, each a name and its arguments. A step ``x`` is a question (`ask_x`
works it out from the state whenever somebody looks, `take_x` takes the answer) or something done at once (`do_x`).
So a game can be copied in the middle, and a correction is seen by the question that stands.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.question import (
    ANYBODY,
    BACK,
    IN_A_MOVE,
    IN_A_POWER_PLAY,
    Battle,
    Event,
    Force,
    Question,
    everybody,
)
from tests.oracles.riddle_of_the_ring.rules import ATTACKER, CHARACTERS, DEFENDER, FIRM

Step = tuple[Any, ...]
Codes = dict[Any, str]
PLAIN = ("seat", "players", "round", "pp_used", "power_plays", "moving", "stops", "busy", "conceded")
BY_PLAYER = ("near", "fe", "battled", "in_halls", "halls_turns")
FIRST_STEPS: dict[str, tuple[Step, ...]] = {
    "": (("player",),),
    "battle": (("finished",), ("kinds",)),
    "riddle": (("finished",), ("hand",)),
}
OUT_OF_STEP = "RR-X21" + FIRM
EXCHANGES = ("done", "no-cards", "not-yet")
KINDS = ("hobbit-rider", "rider-hobbit", "hobbit-hobbit", "rider-rider")


class Game:
    """A whole game, or one ruling of the desk (``battle``, ``riddle``)."""

    def __init__(self, ruling: str = "", *, overshoot: bool = False, return_first: bool = False) -> None:
        self.overshoot, self.return_first = overshoot, return_first
        self.ruling = ruling
        self.seat = ANYBODY
        self.players: list[str] = []
        self.conceded: list[str] = []
        self.round = 1
        self.over = ""
        self.winners: list[str] = []
        self.halls_turns = everybody(0)
        self.in_halls = everybody(False)
        self.busy = "none"
        self.card = self.mode = self.target = ""
        self.cards = self.won = 0
        self.hands = 1
        self.seen: list[str] = []
        self.drawn: dict[str, str] = {}
        self.battle = Battle()
        self.new_turn()
        self.events: list[Event] = []
        self.attempts: list[tuple[int, bool]] = []
        self.todo: list[Step] = [*FIRST_STEPS[ruling]]

    def copy(self) -> Game:
        """Return one that goes on by itself."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        for name in ("players", "conceded", "power_plays", "seen", "todo", "attempts", "winners"):
            setattr(twin, name, [*getattr(self, name)])
        for name in (*BY_PLAYER, "drawn"):
            setattr(twin, name, dict(getattr(self, name)))
        twin.battle = deepcopy(self.battle) if self.busy == "battle" or self.ruling else Battle()
        return twin

    # -- how steps run --------------------------------------------------------------------------------------------

    @property
    def question(self) -> Question | None:
        """What stands now, None once the game is over."""
        if self.over:
            return None
        name, *args = self.todo[-1]
        question: Question = getattr(self, f"ask_{name}")(*args)
        return question

    @property
    def back(self) -> bool:
        """Whether ``back`` drops what is under way."""
        return bool(self.attempts) and not self.attempts[-1][1]

    def answer(self, value: Any) -> list[Event]:
        """Apply an answer, open or let pass by a card, and return what is announced."""
        self.events = []
        if value == BACK and self.back:
            depth, _ = self.attempts.pop()
            del self.todo[depth:]
        else:
            name, *args = self.todo.pop()
            getattr(self, f"take_{name}")(*args, value)
        self._advance()
        return self.events

    def _advance(self) -> None:
        while not self.over and hasattr(self, f"do_{self.todo[-1][0]}"):
            name, *args = self.todo.pop()
            getattr(self, f"do_{name}")(*args)

    def do_menu(self) -> None:
        """Pass the turn on where its player has left the game."""
        if self.seat in self.conceded:
            self.end_turn()
        self._next(("await_menu",))

    def _next(self, *steps: Step) -> None:
        self.todo.extend(reversed(steps))

    def do_decide(self, *step: Any) -> None:
        """Ask only where more or less than one answer is open."""
        name, *args = step
        answers = getattr(self, f"ask_{name}")(*args).open
        if len(answers) == 1:
            getattr(self, f"take_{name}")(*args, answers[0])
        else:
            self._next(step)

    def attempt(self, tidy: Step, *steps: Step) -> None:
        """Begin what may be dropped until it is counted; ``tidy`` is done however it ends."""
        self._next(tidy)
        self.attempts.append((len(self.todo), False))
        self._next(*steps, ("end_attempt",))

    def do_end_attempt(self) -> None:
        self.attempts.pop()

    def counted(self) -> None:
        """Whatever is under way can no longer be dropped."""
        self.attempts = [(depth, True) for depth, _ in self.attempts]

    def do_finished(self) -> None:
        self.over = "finished"

    def announce(self, what: str, numbers: dict[str, Any], card: str = "", mode: str = "") -> None:
        user = {} if self.ruling else {"user": self.seat, "power_plays": self.pp_used}
        if what in {"win", "tie"}:
            user = {"power_plays": self.pp_used}
        elif what == "no-battle":
            user = {}
        rests_on = frozenset(rules.TELLING & rules.rests_on(what, card, mode))
        self.events.append(Event(what, {**numbers, **user}, rests_on, rules.changes(what, card, mode, numbers)))

    # -- the set-up and the turn ----------------------------------------------------------------------------------

    def ask_player(self) -> Question:
        codes = {each: "RR-X09" + FIRM if each in self.players else "" for each in CHARACTERS}
        few = len(self.players) < rules.PLAYERS_LEAST
        return Question("setup.player", ANYBODY, {**codes, "everybody": "RR-X09" + FIRM if few else ""})

    def take_player(self, answer: str) -> None:
        if answer != "everybody":
            self.players.append(answer)
        if answer == "everybody" or len(self.players) == rules.PLAYERS_MOST:
            self.seat = self.players[0]
            self.begin_turn()
            self._next(("menu",))
        else:
            self._next(("player",))

    def new_turn(self) -> None:
        self.pp_used = self.stops = 0
        self.power_plays: list[str] = []
        self.moving = False
        self.battled = everybody(False)
        self._nobody_near()

    def _nobody_near(self) -> None:
        self.near, self.fe = everybody(False), everybody("unset")

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

    def in_play(self) -> list[str]:
        return [each for each in self.players if each not in self.conceded]

    def foes(self) -> list[str]:
        return [each for each in rules.others(self.players, self.seat) if each not in self.conceded]

    def target_codes(self) -> Codes:
        players = self.in_play()
        return {
            each: rules.target_code(each, self.seat, players, in_halls=self.in_halls[each]) for each in CHARACTERS
        }

    def defender_codes(self) -> Codes:
        return {
            each: code or rules.defender_code(self.fe[each], battled=self.battled[each])
            for each, code in self.target_codes().items()
        }

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

    def do_nothing(self) -> None:
        """Leave all as it is."""

    def do_tidy(self) -> None:
        """A Power Play has ended, or was dropped."""
        self.busy, self.battle = "none", Battle()
        self.card = self.mode = self.target = ""
        self.cards = self.won = 0
        self.hands, self.seen, self.drawn = 1, [], {}

    def ask_winner(self) -> Question:
        codes = {each: "RR-X09" + FIRM if each in self.conceded else "" for each in self.players}
        return Question("game.winner", self.seat, {"play-on": "", "nobody": "", **codes})

    def take_winner(self, answer: str) -> None:
        if answer != "play-on":
            self.over, self.winners = "declared", [] if answer == "nobody" else [answer]

    def spend(self) -> None:
        """Count a Power Play; from here on nothing is dropped."""
        self.pp_used += rules.cost(1)
        self.power_plays.append(self.busy)
        self.counted()

    # -- giving up --------------------------------------------------------------------------------------------------

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
        """Who is asked has gone."""
        if question == "clairvoyance.resist":
            self.todo.pop()
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

    # -- moving and Friendly Exchanges ----------------------------------------------------------------------------

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
        return Question("move.near", self.seat, self.target_codes(), "pick", 0, len(CHARACTERS))

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

    # -- Clairvoyance ---------------------------------------------------------------------------------------------

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

    # -- Riddles --------------------------------------------------------------------------------------------------

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

    # -- taking a card --------------------------------------------------------------------------------------------

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

    # -- battles --------------------------------------------------------------------------------------------------

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
