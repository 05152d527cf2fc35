"""How a battle will come out: exact chances, from the functions that rule.

Both Armies fight to the end (`ASSUMED`), so what is left after a round depends on the hits alone, and a battle is a
walk over pairs of Armies. Each pair is solved once: its chances are whole numbers, as weights of the results, and
fractions are only made at the end. A round without hits leads back to the same pair and is left out, which is what
repeating it until something happens comes to.

The round that is being fought is worked out from where it stands: what has been rolled, entered and lost, and the
effects of Combat cards that are still to come.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from referee.games.war_of_the_ring.cards import in_turn
from referee.games.war_of_the_ring.casualties import Units, plan
from referee.games.war_of_the_ring.effects import attack_aim, cancel_card, proposed_dice, target
from referee.games.war_of_the_ring.rolls import aim
from referee.games.war_of_the_ring.state import Effect, WarGame
from referee.games.war_of_the_ring.tables import MOST_DICE, OTHER, SHORT, SIDES, base_number, roll_hits, round_hits
from referee.rulebook import Assumed, Chance, Odds, Short, distribution, phrase

ASSUMED = Assumed(
    "If both fight on",
    "Nobody ceases or retreats. Elites are reduced first and can be replaced; but where they pay for an assault, the"
    " attacker loses Regulars first. No further cards; what a card still asks counts as proposed.",
)

RESULTS = ("defender-eliminated", "attacker-eliminated", "attacker-ceased", "both-eliminated")
"""How a battle can end, in the order of the weights below."""

Value = tuple[int, ...]
"""The chances of the results, as weights."""

CERTAIN: dict[str, Value] = {result: tuple(int(result == each) for each in RESULTS) for result in RESULTS}

Pair = tuple[Units, Units]
"""What is left of attacker and defender."""

Hits = Mapping[int, Fraction]
"""How likely each number of hits is."""

Ahead = dict[Pair, Fraction]
"""How likely each pair of Armies is."""


class Terms(NamedTuple):
    """What stays the same from the next round on: numbers to hit and Leadership of attacker and defender.

    ``pays``: an assault in which each further round costs the attacker an Elite (A-WR2).
    """

    numbers: tuple[int, int]
    leadership: tuple[int, int]
    pays: bool = False


def ended(pair: Pair) -> Value | None:
    """Return how a battle has ended in which an Army has no units left, None if both have some."""
    mine, theirs = map(sum, pair)
    if mine and theirs:
        return None
    return CERTAIN["both-eliminated" if mine == theirs else f"{'defender' if mine else 'attacker'}-eliminated"]


@lru_cache(maxsize=4096)
def left(units: Units, hits: int, *, spared: bool = False) -> Units:
    """Return what is left of an Army after so many hits: most units, or most Elites where they are spared."""
    return plan(*units, hits, spared=spared)[0] if hits else units


@lru_cache(maxsize=4096)
def weights(dice: int, leadership: int, number: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return (hits, weight) of one side's dice in a round, and what the weights add up to."""
    hits = round_hits(dice, leadership, (number, 0), (number, 0))
    whole = lcm(*(chance.denominator for chance in hits.values()))
    return tuple((n, int(chance * whole)) for n, chance in hits.items()), whole


class Solver:
    """The chances from every pair of Armies on given terms; each pair is worked out once."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._before: dict[Pair, Value] = {}
        self._struck: dict[tuple[Pair, int], Value] = {}

    def after_round(self, pair: Pair) -> Value:
        """Return the chances once the losses of a round have been taken."""
        value = ended(pair)
        if value is not None or not self.terms.pays:
            return value or self.before_round(pair)
        (regulars, elites), defender = pair
        return self.before_round(((regulars + 1, elites - 1), defender)) if elites else CERTAIN["attacker-ceased"]

    def before_round(self, pair: Pair) -> Value:
        """Return the chances when another round is about to be fought."""
        value = self._before.get(pair)
        if value is None:
            value = self._before[pair] = self._solve(pair)
        return value

    def _solve(self, pair: Pair) -> Value:
        attacker, defender = pair
        dice = min(MOST_DICE, sum(attacker))
        scored, whole = weights(dice, self.terms.leadership[0], self.terms.numbers[0])
        suffered, _ = weights(min(MOST_DICE, sum(defender)), self.terms.leadership[1], self.terms.numbers[1])
        values: list[tuple[Value, int]] = []
        for hits, weight in suffered:
            if hits:
                struck = left(attacker, hits, spared=self.terms.pays), defender
                values.append((self._defender_struck(struck, dice), weight * whole))
                continue
            for other, more in scored:
                if other or self.terms.pays:
                    values.append((self.after_round((attacker, left(defender, other))), weight * more))
        return mixed(values)

    def _defender_struck(self, pair: Pair, dice: int) -> Value:
        """Return the chances once the attacker's losses are known, but not the hits of his dice."""
        known = pair, dice
        value = self._struck.get(known)
        if value is None:
            attacker, defender = pair
            scored, _ = weights(dice, self.terms.leadership[0], self.terms.numbers[0])
            value = mixed([(self.after_round((attacker, left(defender, hits))), weight) for hits, weight in scored])
            self._struck[known] = value
        return value


def mixed(values: list[tuple[Value, int]]) -> Value:
    """Return the weighted mean of some values."""
    wholes = [sum(value) for value, _ in values]
    common = lcm(*wholes)
    total = [0] * len(RESULTS)
    for (value, weight), whole in zip(values, wholes, strict=True):
        scale = common // whole * weight
        for at, part in enumerate(value):
            if part:
                total[at] += part * scale
    return tuple(total)


@lru_cache(maxsize=16)
def solver(terms: Terms) -> Solver:
    """Return the solver of these terms, with all that it has worked out."""
    return Solver(terms)


NAMES = {"free-peoples": SHORT["free-peoples"], "shadow": Short("Shad.", "Shadow")}
"""Short enough to stand beside a bar."""


def outlook(game: WarGame) -> Odds | None:
    """Return how the battle will come out (`ASSUMED`), None where no battle is fought."""
    if game.stage != "round" or game.result:
        return None
    coming = RoundAhead(game)
    if game.step != "on":
        coming.fight()
    solved = solver(coming.terms())
    value = solved.before_round if game.step == "on" else solved.after_round
    chances = dict.fromkeys(RESULTS, Fraction(0))
    for parts, weight in (*coming.over, *((value(pair), weight) for pair, weight in coming.ahead.items())):
        for result, part in zip(RESULTS, parts, strict=True):
            if part:
                chances[result] += weight * Fraction(part, sum(parts))
    mine, theirs = (NAMES[game.seat_of(side)] for side in SIDES)
    names = {
        "defender-eliminated": phrase("{} out", theirs),
        "attacker-eliminated": phrase("{} out", mine),
        "both-eliminated": Short("Both out", "Both Armies out"),
        "attacker-ceased": Short("Stops", "The attack ceases"),
    }
    return tuple(Chance(result, names[result], chance) for result, chance in chances.items() if chance)


class RoundAhead:
    """The rest of the round that is being fought, worked out on a copy of the game.

    ``ahead``: the pairs of Armies there may be, both with units; ``over``: battles that end on the way.
    """

    def __init__(self, game: WarGame) -> None:
        self.game = copy.copy(game)
        self.game.armies = {side: copy.copy(army) for side, army in game.armies.items()}
        self.game.effects = sorted((copy.copy(effect) for effect in (*game.effects, *game.draft)), key=in_turn)
        if game.attack is not None and game.attack.dice and not game.attack.left:  # thrown: its hits are due
            self.game.attack = None
        attacker, defender = ((army.regulars, army.elites) for army in game.armies.values())
        self.ahead: Ahead = {(attacker, defender): Fraction(1)}
        self.over: list[tuple[Value, Fraction]] = []

    def terms(self) -> Terms:
        """Return what stays the same from the next round on."""
        game = self.game
        attacker, defender = (game.by_hand[side] or base_number(game.ground, side, game.round + 1) for side in SIDES)
        mine, theirs = (army.leadership for army in game.armies.values())
        return Terms((attacker, defender), (mine, theirs), game.pays())

    def fight(self) -> None:
        """Go on to the end of the round."""
        for side, army in self.game.armies.items():
            self.strike(side, {army.due: Fraction(1)})
        self.settle()
        if self.game.step == "dice":
            self.effects("before")
            self.roll()
        self.effects("after")

    def strike(self, side: str, hits: Hits | Callable[[Pair], Hits]) -> None:
        """Let one Army take hits, told once or for each pair."""
        at = SIDES.index(side)
        spared = self.game.spares_elites(side)
        self.ahead = added(
            ((left(pair[0], n, spared=spared), pair[1]) if at == 0 else (pair[0], left(pair[1], n)), p * q)
            for pair, p in self.ahead.items()
            for n, q in (hits(pair) if callable(hits) else hits).items()
        )

    def settle(self) -> None:
        """Put the battles aside in which an Army has no units left."""
        self.over += [(value, weight) for pair, weight in self.ahead.items() if (value := ended(pair))]
        self.ahead = {pair: weight for pair, weight in self.ahead.items() if not ended(pair)}

    def effects(self, when: str) -> None:
        """Let the effects of this moment work that have not yet; what they leave open is as proposed."""
        while effect := next((each for each in self.game.effects if each.when == when and not each.done), None):
            effect.done = True
            self.effect(effect)
            self.settle()

    def effect(self, effect: Effect) -> None:
        """Let one effect work; of losses that a card brings, none is proposed."""
        armies, foe = self.game.armies, OTHER[effect.side]
        if effect.kind in ("forfeit", "forfeit-dice"):
            forfeited = min(1, armies[effect.side].uncancelled)
            armies[effect.side].forfeited += forfeited
            if effect.kind == "forfeit-dice":
                self.game.effects.append(Effect(effect.side, "fewer-dice", "enemy-combat", forfeited))
        elif effect.kind == "cancel":
            armies[foe].cancelled += min(1, armies[foe].uncancelled)
        elif effect.kind == "leader":
            army = armies[target(effect)]
            army.leadership = max(0, army.leadership - 1)
        elif effect.kind == "cancel-card":
            cancel_card(self.game, foe)
        elif effect.kind in ("attack-before", "attack-after"):
            self.attack(effect.side)

    def attack(self, side: str) -> None:
        """Let a card's attack hit: the one that is being made, or one that will be."""
        attack, aimed = self.game.attack, attack_aim(self.game, side)
        self.game.attack = None
        if attack is not None and attack.dice:
            again = roll_hits(attack.left, *aimed)
            self.strike(OTHER[side], {attack.hits + more: chance for more, chance in again.items()})
        else:
            self.strike(OTHER[side], lambda pair: roll_hits(proposed_dice(sum(pair[SIDES.index(side)])), *aimed))

    def roll(self) -> None:
        """Let both sides roll and re-roll, and take what they hit."""
        spared = self.game.spares_elites("attacker")
        parts: list[tuple[Pair, Fraction]] = []
        for (attacker, defender), weight in self.ahead.items():
            scored, suffered = self.hits("attacker", sum(attacker)), self.hits("defender", sum(defender))
            parts += [
                ((left(attacker, j, spared=spared), left(defender, i)), weight * p * q)
                for i, p in scored.items()
                for j, q in suffered.items()
            ]
        self.ahead = added(parts)
        self.settle()

    def hits(self, side: str, units: int) -> Hits:
        """Return how likely each number of hits of a side in this round is, what it has rolled so far included."""
        game, army = self.game, self.game.armies[side]
        if not army.dice:
            dice = game.combat_dice(side, units)
            rolled = round_hits(dice, army.uncancelled, aim(game, side), aim(game, side, "reroll"))
        else:
            again = 0 if army.allowance else army.rerolls()
            more = roll_hits(again, *aim(game, side, "reroll"))
            rolled = {army.first_hits + army.more_hits + hits: chance for hits, chance in more.items()}
        given = game.given_hits(side) + army.turned_hits
        foes = [each.kind for each in game.effects if each.side != side and not each.done]
        cancelled = army.cancelled_hits + foes.count("cancel-hits")
        return distribution((max(0, number + given - cancelled), chance) for number, chance in rolled.items())


def added(parts: Iterable[tuple[Pair, Fraction]]) -> Ahead:
    """Add up the chances of each pair."""
    ahead: Ahead = {}
    for pair, chance in parts:
        ahead[pair] = ahead.get(pair, Fraction(0)) + chance
    return ahead
