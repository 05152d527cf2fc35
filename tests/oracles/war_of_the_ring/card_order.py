"""Random battles with Combat cards, beside a second reading of the printed order of their effects.

`python -m tests.oracles.war_of_the_ring.card_order --battles 20000`. It shares no code with the rulebook or the other
oracle of this package, and knows only the keys of the questions: it says which comes next, works out hits and losses,
and compares both Armies at every question. Ends with 1 at a divergence, or if two kinds of effect never met.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, Final

from referee import games
from referee.rulebook import Choose, Count, Play, Roll, Ruling

SIDES: Final = ("attacker", "defender")
OTHER: Final = {"attacker": "defender", "defender": "attacker"}
HOLDS: Final = ("modifier", "number", "hits", "dice", "fewer-dice")
BEFORE: Final = ("retreat", "attack-before", "losses-add", "forfeit", "forfeit-dice", "cancel", "cancel-card")
AT_HITS: Final = ("cancel-hits", "more-hits", "misses")
AFTER: Final = ("attack-after",)
BY_MOMENT: Final = ("leader", "losses")
KINDS: Final = (*HOLDS, *BEFORE, *AT_HITS, *AFTER, *BY_MOMENT)
FIGURES: Final = frozenset({"retreat", "attack-before", "attack-after", "losses", "losses-add", "leader"})
CANCELS = "cancel-card"
LEADERSHIP: Final = frozenset({"forfeit", "forfeit-dice", "cancel", "leader"})


class Parted(Exception):
    """Rulebook and oracle came apart; the text says where."""


@dataclass
class Effect:
    """What a card does. ``order``: its place among all entered; ``initiative``: None where none is asked."""

    side: str
    kind: str
    on: str = ""
    value: int = 0
    initiative: int | None = None
    order: int = 0

    @property
    def moment(self) -> str:
        """When it is applied; "" for what holds all through the round."""
        if self.kind in BY_MOMENT:
            return "before" if self.on.endswith("-before") else "after"
        if self.kind in BEFORE:
            return "before"
        return "hits" if self.kind in AT_HITS else "after" if self.kind in AFTER else ""

    @property
    def army(self) -> str:
        """Whose Army it is about."""
        return OTHER[self.side] if self.on.startswith("enemy") else self.side


@dataclass
class Army:
    """One Army in a battle, and what counts for it in this round."""

    regulars: int
    elites: int
    leadership: int
    forfeited: int = 0
    cancelled: int = 0
    added: int = 0
    fewer: int = 0
    first: int = 0
    failures: int = 0
    again: int = 0
    extra: int = 0
    turned: int = 0
    less: int = 0

    @property
    def units(self) -> int:
        return self.regulars + self.elites

    @property
    def leaders_left(self) -> int:
        return max(0, self.leadership - self.forfeited - self.cancelled)

    @property
    def hits(self) -> int:
        return max(0, self.first + self.again + self.extra + self.turned - self.less)

    def new_round(self) -> None:
        self.forfeited = self.cancelled = self.added = self.fewer = 0
        self.first = self.failures = self.again = self.extra = self.turned = self.less = 0


def hit(face: int, number: int, modifier: int) -> bool:
    """WR-24, WR-26."""
    return face == 6 or (face != 1 and face + modifier >= number)


@dataclass
class Battle:
    """One battle, fought by the rulebook and here. ``met``: pairs of kinds that stood on opposing cards."""

    seed: int
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.play = Play(
            games.load("war-of-the-ring"), {"dice_entry": self.chance.choice(["hits", "faces"])}, "battle"
        )
        self.rulings: list[Ruling] = []
        self.armies: dict[str, Army] = {}
        self.seats: dict[str, str] = {}
        self.cards: dict[str, list[Effect]] = {}
        self.round = 0
        self.over = False

    # -- asking ---------------------------------------------------------------------------------------------------

    @property
    def key(self) -> str:
        return self.play.ask.key if self.play.ask is not None else "over"

    def part(self, what: str, here: object, there: object) -> None:
        raise Parted(f"seed {self.seed}: {what}: expected {here}, got {there}; answers: {' '.join(self.answers)}")

    def same(self, what: str, here: object, there: object) -> None:
        if here != there:
            self.part(what, here, there)

    def answer(self, value: Any) -> Any:
        self.answers.append(f"{self.key}={value!r}")
        self.rulings += [event for event in self.play.answer(value) if isinstance(event, Ruling)]
        return value

    def expect(self, key: str, side: str) -> None:
        self.same("question", key, self.key)
        self.same(f"seat of {key}", self.seats[side], self.play.seat)
        self.compare()

    def choose(self, key: str, side: str, *only: str) -> str:
        """Answer a choice at random among what is open, or among ``only``, all of which must be open."""
        self.expect(key, side)
        ask = self.play.ask
        if not isinstance(ask, Choose):
            self.part("kind of question", "choose", type(ask).__name__)
        assert isinstance(ask, Choose)
        options = [option.id for option in ask.options()]
        missing = set(only) - set(options)
        self.same(f"not open at {key}", set(), missing)
        return str(self.answer(self.chance.choice(only or options)))

    def count(self, key: str, side: str, low: int, high: int | None) -> int:
        """Answer a number from ``low`` to ``high``; None: whatever the rulebook allows."""
        self.expect(key, side)
        ask = self.play.ask
        assert isinstance(ask, Count), key
        if high is not None:
            open_values = [n for n in range(ask.low, ask.high + 1) if ask.bar(n) is None]
            self.same(f"numbers open at {key}", list(range(low, high + 1)), open_values)
        values = [n for n in range(ask.low, ask.high + 1) if ask.bar(n) is None]
        return int(self.answer(self.chance.choice(values)))

    def roll(self, key: str, side: str, dice: int, low: int, number: int, modifier: int) -> tuple[int, int]:
        """Throw; return hits and dice thrown."""
        self.expect(key, side)
        ask = self.play.ask
        assert isinstance(ask, Roll), key
        self.same(f"dice of {key}", (low, dice), (ask.low, ask.dice))
        many = self.chance.randint(low, dice)
        faces = [self.chance.randint(1, 6) for _ in range(many)]
        hits = sum(hit(face, number, modifier) for face in faces)
        self.compare_odds(dice, number, modifier)
        if many == dice and self.chance.random() < 0.3:
            self.answer({"hits": hits})
        else:
            self.answer(faces)
        return hits, many

    def compare_odds(self, dice: int, number: int, modifier: int) -> None:
        """The odds that are shown are those of that many dice at that number (A-WR20: the limit is in them)."""
        odds = self.play.odds()
        if odds is not None:
            share = sum(hit(face, number, modifier) for face in range(1, 7))
            chance = {each.id: each.chance * 6**dice for each in odds}
            self.same(f"odds of no hit at {self.key}", (6 - share) ** dice, chance.get("0", 0))

    def compare(self) -> None:
        """Compare the Armies on both sides."""
        if len(self.armies) == len(SIDES):
            state = self.play.game.as_json()["armies"]
            for side, army in self.armies.items():
                there = state[side]
                self.same(f"units of the {side}", (army.regulars, army.elites), (there["regulars"], there["elites"]))

    # -- the battle -----------------------------------------------------------------------------------------------

    def fight(self) -> None:
        """Fight it to its end, or for six rounds."""
        first = self.chance.choice(["shadow", "free-peoples"])
        self.seats = {"attacker": first, "defender": "free-peoples" if first == "shadow" else "shadow"}
        self.answer(first)
        self.ground = self.chance.choice(["field", "city", "stronghold", "siege", "sortie"])
        self.answer(self.ground)
        for side in SIDES:
            regulars, elites = self.chance.randint(0, 5), self.chance.randint(0, 3)
            regulars += not regulars + elites
            numbers = (regulars, elites, self.chance.randint(0, 5))
            for key, number in zip(("regulars", "elites", "leadership"), numbers, strict=True):
                self.expect(f"army.{key}", side)
                self.answer(number)
            self.armies[side] = Army(*numbers)
        while not self.over and self.round < 6:
            self.one_round()

    def one_round(self) -> None:
        self.round += 1
        for army in self.armies.values():
            army.new_round()
        if self.ground == "stronghold" and self.choose("round.stronghold", "defender", "fight", "siege") == "siege":
            self.end("a siege at the start of a round")
            return
        self.enter_cards()
        for moment in ("before", "dice", "hits", "losses", "after"):
            if moment == "dice":
                self.throw()
            elif moment == "losses":
                self.casualties()
            else:
                self.apply(moment)
            if self.over:
                return
        self.cease_or_retreat()

    def end(self, why: str) -> None:
        self.over = True
        self.same(f"after {why}", "over", self.key)

    def emptied(self) -> bool:
        """An Army without units ends the battle."""
        if all(army.units for army in self.armies.values()):
            return False
        self.end("the last unit of an Army")
        return True

    # -- cards ----------------------------------------------------------------------------------------------------

    def enter_cards(self) -> None:
        plays = {side: self.choose(f"cards.{side}", side, "none", "card") == "card" for side in SIDES}
        self.cards = {side: [] for side in SIDES}
        for side in SIDES:
            if plays[side]:
                self.enter(side)
        every = [*self.cards["attacker"], *self.cards["defender"]]
        for number, effect in enumerate(every):
            effect.order = number
        for mine, yours in product(self.cards["attacker"], self.cards["defender"]):
            self.met[tuple(sorted((mine.kind, yours.kind)))] += 1  # type: ignore[index]
        for effect in every:
            if any(order_matters(effect, other) for other in self.cards[OTHER[effect.side]]):
                effect.initiative = self.count("card.initiative", effect.side, 0, 9)

    def enter(self, side: str) -> None:
        wanted = self.chance.sample(
            [each for each in KINDS if each != "retreat"], self.chance.choice([1, 1, 2, 2, 3])
        )
        if side == "defender" and self.ground != "siege" and self.chance.random() < 0.15:
            wanted.append("retreat")
        for kind in wanted:
            self.choose("card.effect", side, kind)
            effect = Effect(side, kind)
            if kind in ("modifier", "number"):
                effect.on = self.choose("card.dice", side)
                effect.value = self.count("card.amount" if kind == "modifier" else "card.number", side, 0, None)
            elif kind in ("dice", "fewer-dice"):
                effect.on = self.choose("card.dice", side, "own-combat", "enemy-combat")
                effect.value = self.count("card.dice-count" if kind == "dice" else "card.fewer", side, 0, None)
            elif kind == "hits":
                effect.value = self.count("card.hits", side, 1, 6)
            elif kind in BY_MOMENT:
                effect.on = self.choose("card.whose", side, "own-before", "own-after", "enemy-before", "enemy-after")
            self.cards[side].append(effect)
        self.choose("card.effect", side, "done")

    # -- effects --------------------------------------------------------------------------------------------------

    def apply(self, moment: str) -> None:
        """Apply the effects of a moment: the lower initiative first, the defender's on a tie (WR-6, WR-7)."""
        waiting = [each for side in SIDES for each in self.cards[side] if each.moment == moment]
        while waiting and not self.over:
            effect = self.next_of(waiting)
            waiting.remove(effect)
            self.do(effect)
            self.cards[effect.side] = [each for each in self.cards[effect.side] if each is not effect]
            if effect.kind == CANCELS:  # A-WR23: what has not been applied yet is not applied
                gone = self.cards[OTHER[effect.side]]
                waiting = [each for each in waiting if each not in gone]
                self.cards[OTHER[effect.side]] = []
                self.armies[OTHER[effect.side]].added = self.armies[effect.side].fewer = (
                    0  # no die has been rolled yet
                )

    def next_of(self, waiting: list[Effect]) -> Effect:
        """Return the effect that comes next. Effects whose order does not matter may come in any order."""
        free = [
            each
            for each in waiting
            if not any(
                order_matters(each, other) and self.comes_first(other, each) for other in waiting if other is not each
            )
        ]
        free = [each for each in free if not any(self.own_first(other, each) for other in waiting)]
        silent = [each for each in free if not self.question_of(each)]
        if silent:
            return silent[0]
        asked = [each for each in free if self.question_of(each) == self.key and self.asks(each)]
        if not asked:
            self.part("an effect that may come now", [(e.side, e.kind, e.initiative) for e in free], self.key)
        return asked[0]

    def asks(self, effect: Effect) -> bool:
        return self.play.seat == self.seats[effect.side]

    @staticmethod
    def own_first(one: Effect, other: Effect) -> bool:
        """Whether ``one`` is applied before ``other``, of the same card: by initiative, then as they stand there."""
        if one.side != other.side or one is other or one.initiative is None or other.initiative is None:
            return False
        return (one.initiative, one.order) < (other.initiative, other.order)

    @staticmethod
    def comes_first(one: Effect, other: Effect) -> bool:
        """Whether ``one`` is applied before ``other``, a card of the other player's (WR-6, WR-7)."""
        if one.side == other.side:
            return False
        assert one.initiative is not None
        assert other.initiative is not None
        if one.initiative != other.initiative:
            return one.initiative < other.initiative
        return one.side == "defender"

    def question_of(self, effect: Effect) -> str:
        """Return what an effect asks at its moment, "" for nothing."""
        army, enemy = self.armies[effect.army], self.armies[OTHER[effect.side]]
        if effect.kind == "cancel-card":
            return ""
        if effect.kind in ("forfeit", "forfeit-dice"):
            return "card.forfeit" if army.leaders_left else ""
        if effect.kind == "leader":
            return "card.leader" if army.leadership else ""
        if effect.kind == "cancel-hits":
            return "card.cancel-hits" if enemy.hits else ""
        if effect.kind == "misses":
            return "card.misses" if army.failures - army.turned > 0 else ""
        return {
            "retreat": "card.retreat",
            "attack-before": "attack.dice",
            "attack-after": "attack.dice",
            "losses-add": "card.losses",
            "losses": "card.losses",
            "cancel": "card.cancel",
            "more-hits": "card.more-hits",
        }[effect.kind]

    def do(self, effect: Effect) -> None:
        """Apply one effect."""
        key, side = self.question_of(effect), effect.side
        army, enemy = self.armies[effect.army], self.armies[OTHER[side]]
        if effect.kind in ("forfeit", "forfeit-dice"):
            given = self.count(key, side, 0, army.leaders_left) if key else 0
            army.forfeited += given
            if effect.kind == "forfeit-dice":
                enemy.fewer += given
        elif effect.kind == "cancel":
            enemy.cancelled = min(enemy.leadership, enemy.cancelled + self.count(key, side, 0, None))
        elif effect.kind == "leader" and key:
            self.remove_leaders(effect, self.count(key, side, 0, None))
        elif effect.kind == "cancel-hits" and key:
            enemy.less += self.count(key, side, 0, enemy.hits)
        elif effect.kind == "more-hits":
            army.extra += self.count(key, side, 0, 6)
        elif effect.kind == "misses" and key:
            army.turned += self.count(key, side, 0, army.failures - army.turned)
        elif effect.kind in ("losses", "losses-add"):
            self.lose(effect, self.count(key, side, 0, 10))
        elif effect.kind in ("attack-before", "attack-after"):
            self.attack(effect)
        elif effect.kind == "retreat":
            self.leave(key)

    def remove_leaders(self, effect: Effect, number: int) -> None:
        army = self.armies[effect.army]
        army.leadership -= number
        army.forfeited = min(army.forfeited, army.leadership)
        army.cancelled = min(army.cancelled, army.leadership - army.forfeited)

    def lose(self, effect: Effect, number: int) -> None:
        self.remove(effect.army, number)
        if effect.kind == "losses-add":
            self.armies[effect.side].added += number
        self.emptied()

    def attack(self, effect: Effect) -> None:
        """An extra attack (WR-12 to WR-14): own modifiers only, no re-roll, casualties at once."""
        dice = self.count("attack.dice", effect.side, 0, 5)
        if not dice:
            return
        number = self.count("attack.number", effect.side, 2, 6)
        modifier = self.modifier(effect.side, "combat", own=True)
        hits, _ = self.roll("attack.roll", effect.side, dice, dice, number, modifier)
        self.remove(OTHER[effect.side], hits)
        self.emptied()

    def leave(self, key: str) -> None:
        """The defender's card lets him retreat (WR-53: a besieged Army cannot; A-WR22: into his Stronghold)."""
        ask = self.play.ask
        assert isinstance(ask, Choose)
        options = {option.id for option in ask.options()}
        self.same("a besieged Army may leave", self.ground != "siege", "retreat" in options)
        self.same("the Stronghold is open", self.ground == "stronghold", "siege" in options)
        if self.choose(key, "defender") in ("retreat", "siege"):
            self.end("a retreat by card")

    # -- dice -----------------------------------------------------------------------------------------------------

    def holding(self, *kinds: str) -> Iterator[Effect]:
        return (each for side in SIDES for each in self.cards[side] if each.kind in kinds)

    def modifier(self, side: str, roll: str, *, own: bool = False) -> int:
        """What is added to each die of a side (WR-24, WR-25). ``own``: by its own card alone."""
        total = self.armies[side].added if roll == "combat" else 0
        for each in self.holding("modifier"):
            if each.army == side and each.on.split("-")[1] in (roll, "both") and (each.side == side or not own):
                total += each.value
        return total

    def number(self, side: str, roll: str) -> int:
        """The number to hit (table of numbers to hit, WR-21, WR-23)."""
        base = 5
        if side == "attacker" and (self.ground == "siege" or (self.ground == "city" and self.round == 1)):
            base = 6
        found = {"combat": base}
        for each in self.holding("number"):
            if each.army == side:
                which = each.on.split("-")[1]
                for part in ("combat", "reroll") if which == "both" else (which,):
                    found[part] = each.value
        return found.get(roll, found["combat"])

    def dice(self, side: str) -> int:
        """Combat dice (WR-20, A-WR20)."""
        army = self.armies[side]
        most = min(5, army.units) - army.fewer
        most -= sum(each.value for each in self.holding("fewer-dice") if each.army == side)
        return max(0, min([most, *(each.value for each in self.holding("dice") if each.army == side)]))

    def throw(self) -> None:
        """Combat roll and Leader re-roll of both (WR-20 to WR-26)."""
        thrown = {}
        for side in SIDES:
            army, dice = self.armies[side], self.dice(side)
            thrown[side] = dice
            if dice:
                army.first, _ = self.roll(
                    "combat.roll", side, dice, dice, self.number(side, "combat"), self.modifier(side, "combat")
                )
            army.failures = dice - army.first
        for side in SIDES:
            army = self.armies[side]
            allowance = min(army.leaders_left, army.failures, 5)
            if allowance:
                army.again, _ = self.roll(
                    "reroll.roll", side, allowance, 0, self.number(side, "reroll"), self.modifier(side, "reroll")
                )
                army.failures -= army.again
            army.extra += sum(each.value for each in self.holding("hits") if each.side == side)

    # -- casualties -----------------------------------------------------------------------------------------------

    def casualties(self) -> None:
        """Both Armies take the hits of the other, the attacker first (WR-30, WR-31)."""
        taken = {side: self.armies[OTHER[side]].hits for side in SIDES}
        for side in SIDES:
            self.remove(side, taken[side])
        results = [ruling.result for ruling in self.rulings]
        self.same("rounds fought", self.round, results.count("round-fought"))
        fought = next(ruling for ruling in reversed(self.rulings) if ruling.result == "round-fought")
        for side, army in self.armies.items():
            self.same(f"hits of the {side}", army.hits, fought.data[side]["hits"])
            self.same(f"{side} after the round", [army.regulars, army.elites], list(fought.data[side]["after"]))
        self.emptied()

    def remove(self, side: str, hits: int) -> None:
        """Take losses, hit by hit (WR-32 to WR-35)."""
        army = self.armies[side]
        while hits > 0 and army.units:
            ways = [
                *(["regular"] if army.regulars else []),
                *(["reduce"] if army.elites else []),
                *(["remove"] if army.elites and hits >= 2 else []),
            ]
            if self.key == "casualty" and self.play.seat == self.seats[side]:
                way = self.choose("casualty", side, *ways)
            elif len(ways) == 1:
                way = ways[0]
            elif hits >= army.regulars + 2 * army.elites:  # whatever is chosen, nothing is left
                army.regulars = army.elites = 0
                return
            else:
                self.part(f"a question between {ways}", "casualty", self.key)
            hits -= 2 if way == "remove" else 1
            if way == "regular":
                army.regulars -= 1
                continue
            army.regulars += way == "reduce" and self.replaced(side, hits)
            army.elites -= 1

    def replaced(self, side: str, hits: int) -> bool:
        """Whether a Regular takes the place of an Elite (WR-34, WR-35); ``hits``: those left."""
        army = self.armies[side]
        if self.key == "casualty.replacement":
            return self.choose("casualty.replacement", side) != "no"
        if hits < army.regulars + 2 * army.elites - 1:  # else nothing is left, whatever the answer
            self.part("whether a Regular replaces the Elite", "casualty.replacement", self.key)
        return True

    # -- the end of a round ---------------------------------------------------------------------------------------

    def cease_or_retreat(self) -> None:
        if self.ground == "siege" and not self.armies["attacker"].elites:
            if self.key == "round.cease":
                self.choose("round.cease", "attacker", "cease")
            self.end("an assault without an Elite to reduce")
            return
        if self.choose("round.cease", "attacker", "on", "cease") == "cease":
            self.end("the attacker ceased")
            return
        if self.ground == "siege":
            attacker = self.armies["attacker"]
            attacker.regulars += self.choose("siege.replacement", "attacker") != "no"
            attacker.elites -= 1
            self.emptied()
            return
        if self.choose("round.retreat", "defender") == "retreat":
            self.end("the defender retreated")


def order_matters(one: Effect, other: Effect) -> bool:
    """Whether it can matter which of two effects of opposing cards is applied first."""
    if one.side == other.side or not one.moment or one.moment != other.moment:
        return False
    kinds = {one.kind, other.kind}
    if "cancel-card" in kinds and one.moment == "before":
        return True
    if one.moment == "hits":
        return "cancel-hits" in kinds and len(kinds) == 2
    return kinds <= FIGURES or kinds <= LEADERSHIP


def fought(battles: int, seed: int) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Fight so many battles; return which kinds met, and what came apart, at most ten."""
    met: Counter[tuple[str, str]] = Counter()
    parted: list[str] = []
    for number in range(battles):
        battle = Battle(seed * 1_000_003 + number)
        try:
            battle.fight()
        except Parted as fault:
            parted.append(str(fault))
            if len(parted) == 10:
                break
        met += battle.met
    return met, parted


def unmet(met: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs of kinds that never stood on opposing cards."""
    pairs = {tuple(sorted(pair)) for pair in product(KINDS, KINDS)} - {("retreat", "retreat")}
    return sorted(pair for pair in pairs if pair not in met)  # type: ignore[misc]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    met, parted = fought(options.battles, options.seed)
    print("\n".join(parted))
    missing = unmet(met)
    never = f"never: {missing or 'none'}"
    print(f"{options.battles} battles, {len(met)} pairs of effects met, {never}; {len(parted)} divergences")
    return 1 if parted or missing else 0


if __name__ == "__main__":
    sys.exit(main())
