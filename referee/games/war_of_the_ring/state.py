"""The state of a battle: both Armies, the round, and what the Combat cards do in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, NamedTuple, TypedDict

from referee.games.war_of_the_ring.tables import (
    MOST_DICE,
    MOST_INSIDE,
    OTHER_SEAT,
    SEATS,
    SHORT,
    SIDES,
    base_number,
    figures,
)
from referee.rulebook import Game, OneOf, Over, Pool, Range, Short, joined, phrase
from referee.rulebook.game import Limits

MOST_COUNTED = 20
"""Units of a kind the referee counts at most; no board has room for more."""

MOST_HITS = 99
"""Losses, hits and Leadership that does not count are counted up to this number."""

MOST_ADDED = 99
"""Modifiers are added up to this number; no cards come near it."""

BY_UNITS = -1
"""No card limits the dice of a Combat roll: one a unit."""

ROLLED, REROLLED, COUNTED = 1, 2, 3
"""How far an Army has come in a round: its Combat roll made, its Leader re-roll made, the hits of both counted."""

SPENT = {
    **dict.fromkeys(("card_dice", "fewer_dice", "enemy_combat"), ROLLED),
    **dict.fromkeys(("number_combat", "number_reroll", "own_reroll", "enemy_reroll"), REROLLED),
    **dict.fromkeys(("forfeited", "cancelled"), REROLLED),
    **dict.fromkeys(("first_hits", "more_hits", "extra_hits", "turned_hits", "cancelled_hits"), COUNTED),
}
"""From when on a number of an Army changes nothing in its round."""

TOO_LATE = {
    ROLLED: "the Combat roll has been made; undo it first",
    REROLLED: "the Leader re-roll has been made; undo it first",
    COUNTED: "the hits of this round have been counted; undo to the dice first",
}

HELD = ("modifier", "number", "hits", "dice", "fewer-dice")
"""Effects of cards that hold for the whole round; all others wait for their moment."""


@dataclass
class Army:
    """One Army: its units, its losses in this battle, and what holds for it in this round.

    ``lost_regulars``, ``lost_elites``: among the casualties of this battle; a Regular that came back to replace an
    Elite is not (WR-34).
    ``card``: "", then ``none``, or ``picked`` and, once its effects are entered, ``played``.
    ``card`` is ``cancelled`` once the enemy's card has cancelled it.
    ``number_combat``, ``number_reroll``: the number to hit that a card names, 0 if none does. ``card_dice``: how many
    dice of the Combat roll cards allow at most, `BY_UNITS` if none does; ``fewer_dice``: how many they take away.
    ``extra_hits``: hits that the own card gives, ``turned_hits``: misses that it turned into hits.
    ``rolled``: "", then ``once`` after the Combat roll and ``twice`` after the Leader re-roll. ``due``: hits still
    to be taken. ``taken``: what the hits of the round or of a card took, by the ids of `words.TAKEN`.
    ``began``: Regulars and Elites at the start of the round.
    """

    regulars: int = 0
    elites: int = 0
    leadership: int = 0
    lost_regulars: int = 0
    lost_elites: int = 0
    card: str = ""
    own_combat: int = 0
    own_reroll: int = 0
    enemy_combat: int = 0
    enemy_reroll: int = 0
    number_combat: int = 0
    number_reroll: int = 0
    card_dice: int = BY_UNITS
    fewer_dice: int = 0
    forfeited: int = 0
    cancelled: int = 0
    extra_hits: int = 0
    turned_hits: int = 0
    cancelled_hits: int = 0
    rolled: str = ""
    dice: int = 0
    faces: tuple[int, ...] = ()
    first_hits: int = 0
    allowance: int = 0
    rerolled: tuple[int, ...] = ()
    more_hits: int = 0
    due: int = 0
    taken: tuple[str, ...] = ()
    began: tuple[int, int] = (0, 0)

    @property
    def units(self) -> int:
        """Combat Strength: the number of Army units."""
        return self.regulars + self.elites

    @property
    def uncancelled(self) -> int:
        """Leadership that is neither forfeited nor cancelled (WR-10, WR-11)."""
        return max(0, self.leadership - self.forfeited - self.cancelled)

    @property
    def scored(self) -> int:
        """Hits of this round before the enemy cancels any: both rolls, and what a card gives (A-WR14, A-WR19)."""
        return self.first_hits + self.more_hits + self.turned_hits + self.extra_hits

    @property
    def misses(self) -> int:
        """Dice of this round that have not hit, after the re-roll and what a card made of them (A-WR19)."""
        return max(0, self.dice - self.first_hits - self.more_hits - self.turned_hits)

    @property
    def hits(self) -> int:
        """Hits of this round that the enemy has to take."""
        return max(0, min(MOST_HITS, self.scored) - self.cancelled_hits)

    @property
    def combat_modifier(self) -> int:
        """What is added to each die of the Combat roll: all modifiers together (WR-24)."""
        return self.own_combat + self.enemy_combat

    @property
    def reroll_modifier(self) -> int:
        """What is added to each die of the Leader re-roll."""
        return self.own_reroll + self.enemy_reroll

    def combat_dice(self, units: int) -> int:
        """Return the dice of a Combat roll: one a unit, five at most, less what cards take away (WR-20, A-WR20)."""
        dice = max(0, min(MOST_DICE, units) - self.fewer_dice)
        return dice if self.card_dice == BY_UNITS else min(dice, self.card_dice)

    def rerolls(self) -> int:
        """Return how many failed dice may be thrown once more (WR-22)."""
        return max(0, min(self.uncancelled, self.dice - self.first_hits, MOST_DICE))

    def lose(self, regulars: int, elites: int) -> None:
        """Take figures off the board and count them as lost."""
        self.regulars -= regulars
        self.elites -= elites
        self.lost_regulars = min(MOST_HITS, self.lost_regulars + regulars)
        self.lost_elites = min(MOST_HITS, self.lost_elites + elites)

    def next_round(self) -> Army:
        """Return it without what held for one round only (WR-5)."""
        units = (self.regulars, self.elites)
        return Army(*units, self.leadership, self.lost_regulars, self.lost_elites, began=units)


@dataclass
class Effect:
    """One effect of a Combat card.

    Those of `HELD` hold for the whole round (``on``: whose and which roll, ``value``: how much). The others have
    their moment and an initiative; ``on`` tells whose, and when it varies.
    """

    side: str
    kind: str
    on: str = ""
    value: int = 0
    initiative: int = 0
    done: bool = False

    @property
    def when(self) -> str:
        """Its moment: ``before`` the Combat roll, at the ``hits`` of both sides, or ``after`` the casualties.

        "" for what holds for the whole round.
        """
        if self.kind in HELD:
            return ""
        if self.kind in ("cancel-hits", "more-hits", "misses"):
            return "hits"
        return "after" if self.kind == "attack-after" or self.on.endswith("-after") else "before"


@dataclass
class CardAttack:
    """An attack a Combat card allows, while it is made: ``left`` dice are still to be thrown.

    ``number`` is 0 until it has been entered.
    """

    side: str
    dice: int
    number: int = 0
    left: int = 0
    faces: tuple[int, ...] = ()
    hits: int = 0

    @property
    def thrown(self) -> bool:
        """Whether all its dice have been thrown."""
        return self.dice > 0 and not self.left


class Left(NamedTuple):
    """What a battle left behind: who attacked and where, how it ended, and of each seat units and Leadership.

    ``armies``: Regulars, Elites, Leadership. An Army that is gone, or not wholly inside the Stronghold, is left out.
    """

    attacker: str
    ground: str
    result: str
    armies: Mapping[str, tuple[int, int, int]]


class OfCard(TypedDict):
    """What every question about a Combat card shares: who answers, and the left of the band."""

    seat: str
    head: str


def _counted(side: str) -> Mapping[str, Limits]:
    """Return what the judge may set of an Army; "2nd" is the Leader re-roll, "own" and "foe" whose card adds."""
    who = Short({"attacker": "Att", "defender": "Def"}[side], side.capitalize())
    units, many = partial(Range, 0, MOST_COUNTED), partial(Range, 0, MOST_HITS)
    added, number = partial(Range, -MOST_ADDED, MOST_ADDED), partial(OneOf, (0, 4, 5, 6))

    def name(short: str, words: str) -> Short:
        return phrase(Short("{} {}", "{}: {}"), who, Short(short, words))

    limits: dict[str, Limits] = {
        "regulars": units(name("Regulars", "Regulars")),
        "elites": units(name("Elites", "Elites")),
        "leadership": units(name("Leaders", "Leadership")),
        "due": many(name("hits due", "hits to take")),
        "lost_regulars": many(name("lost Reg.", "Regulars lost")),
        "lost_elites": many(name("lost Elite", "Elites lost")),
        "own_combat": added(name("roll own", "bonus of the own card in the Combat roll")),
        "enemy_combat": added(name("roll foe", "bonus of the enemy's card in the Combat roll")),
        "own_reroll": added(name("2nd own", "bonus of the own card in the re-roll")),
        "enemy_reroll": added(name("2nd foe", "bonus of the enemy's card in the re-roll")),
        "number_combat": number(name("roll on", "number to hit of the Combat roll")),
        "number_reroll": number(name("2nd on", "number to hit of the re-roll")),
        "card_dice": Range(BY_UNITS, MOST_DICE, name("max dice", "most dice by card")),
        "fewer_dice": many(name("fewer", "dice fewer by card")),
        "forfeited": many(name("forfeited", "Leadership forfeited")),
        "cancelled": many(name("cancelled", "Leadership cancelled")),
        "first_hits": many(name("roll hits", "hits of the Combat roll")),
        "more_hits": many(name("2nd hits", "hits of the re-roll")),
        "extra_hits": many(name("card hits", "hits by card")),
        "turned_hits": many(name("miss=hit", "misses turned into hits")),
        "cancelled_hits": many(name("hits off", "hits cancelled")),
    }
    return {f"armies.{side}.{name}": each for name, each in limits.items()}


@dataclass
class WarGame(Game):
    """War of the Ring as far as the referee knows it: one battle at a time.

    ``stage``: ``setup`` or ``round``, or ``roll`` for the dice alone. ``step``: ``dice`` until the hits of the round
    are known, then ``losses``, and ``on`` once the attacker has decided to go on.
    ``round_pays``: whether each further round of an assault costs the attacker an Elite (A-WR2).
    ``left``: what the battle before left behind. ``out_regulars``, ``out_elites``: Free Peoples casualties of the
    battles before, which are out of the game (WR-36).
    """

    assault_pays: bool = True
    dice_entry: str = "hits"
    battle: int = 1
    stage: str = "setup"
    step: str = "dice"
    attacker: str = "shadow"
    ground: str = "field"
    round_pays: bool = True
    by_hand: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    round: int = 1
    armies: dict[str, Army] = field(default_factory=lambda: {side: Army() for side in SIDES})
    effects: list[Effect] = field(default_factory=list)
    draft: list[Effect] = field(default_factory=list)
    attack: CardAttack | None = None
    result: str = ""
    left: Left | None = None
    out_regulars: int = 0
    out_elites: int = 0

    correctable: ClassVar[Mapping[str, Limits]] = {
        **_counted("attacker"),
        **_counted("defender"),
        **{
            f"by_hand.{side}": OneOf(
                (0, 4, 5, 6), Short(f"{side[:3].capitalize()} number", f"{side.capitalize()}: number to hit")
            )
            for side in SIDES
        },
        "ground": OneOf(("field", "city", "stronghold", "siege", "sortie"), "Site"),
        "round_pays": OneOf((True, False), "Elite pays"),
        "round": Range(1, 99, "Round"),
        "out_regulars": Range(0, MOST_HITS, Short("FP Reg. out", "Free Peoples Regulars out of the game")),
        "out_elites": Range(0, MOST_HITS, Short("FP Elite out", "Free Peoples Elites out of the game")),
    }

    def locked(self, path: str) -> str:
        """Return why a number of an Army changes nothing any more in its round, or not yet."""
        _, side, name = path.split(".") if path.startswith("armies.") else ("", "", "")
        army = self.armies.get(side)
        if army is None:
            return ""
        come = ("", "once", "twice").index(army.rolled) if self.step == "dice" else COUNTED
        if (name == "first_hits" and come < ROLLED) or (name == "more_hits" and come < REROLLED):
            return "the dice have not been rolled yet"
        if name == "due" and not army.due:
            return "this Army has no losses to take now"
        return TOO_LATE[SPENT[name]] if name in SPENT and come >= SPENT[name] else ""

    def place(self) -> tuple[str, ...]:
        """Return battle and round."""
        if self.stage == "roll":
            return ("Roll",)
        return (f"Battle {self.battle}", "Armies" if self.stage == "setup" else f"Round {self.round}")

    def seats(self) -> Mapping[str, str]:
        """Return the two players."""
        return SEATS

    def short_names(self) -> Mapping[str, str]:
        """Return what the glass calls them."""
        return SHORT

    def pools(self) -> tuple[Pool, ...]:
        """Return units and Leadership of both Armies, and what is out of the game."""
        return (*self._armies(), *self._out()) if self.stage != "roll" else ()

    def _out(self) -> Iterator[Pool]:
        there = next((army for side, army in self.armies.items() if self.seat_of(side) == "free-peoples"), Army())
        lost = (self.out_regulars + there.lost_regulars, self.out_elites + there.lost_elites)
        for name, number in zip(("Regulars", "Elites"), lost, strict=True):
            if number:
                words = phrase("{} {} out", SHORT["free-peoples"], name)
                yield Pool(f"out-{name.lower()}", words, "free-peoples", number, MOST_HITS)

    def _armies(self) -> tuple[Pool, ...]:
        if self.stage == "setup":
            return ()
        return tuple(
            Pool(
                f"{side}-{name}",
                phrase("{} {}", SHORT[self.seat_of(side)], word),
                self.seat_of(side),
                value,
                MOST_COUNTED,
            )
            for side, army in self.armies.items()
            for name, word, value in (
                ("regulars", "Regulars", army.regulars),
                ("elites", "Elites", army.elites),
                ("leadership", "Leadership", army.leadership),
            )
        )

    def status(self) -> str:
        """Return both Armies in a few letters ("R3 E2 v R2 E0")."""
        armies = (figures(army.regulars, army.elites) for army in self.armies.values())
        return joined(Short(" v ", " against "), armies)

    def seat_of(self, side: str) -> str:
        """Return who plays the attacker or the defender."""
        return self.attacker if side == "attacker" else OTHER_SEAT[self.attacker]

    def short(self, side: str) -> str:
        """Return the name of a side for the glass."""
        return SHORT[self.seat_of(side)]

    def base(self, side: str) -> int:
        """Return the number a side's dice must reach before any card (WR-21, A-WR1)."""
        return self.by_hand[side] or base_number(self.ground, side, self.round)

    def combat_number(self, side: str) -> int:
        """Return the number to hit of the Combat roll."""
        return self.armies[side].number_combat or self.base(side)

    def reroll_number(self, side: str) -> int:
        """Return the number to hit of the Leader re-roll: the Combat roll's unless a card changes it (WR-23)."""
        return self.armies[side].number_reroll or self.combat_number(side)

    def besieged(self, side: str) -> bool:
        """Return whether an Army sits in a besieged Stronghold (WR-53)."""
        return (self.ground, side) in (("siege", "defender"), ("sortie", "attacker"))

    def pays(self) -> bool:
        """Return whether the attacker must reduce an Elite to go on (A-WR2)."""
        return self.ground == "siege" and self.round_pays

    def spares_elites(self, side: str) -> bool:
        """Return whether a side does best to lose Regulars first: each of its Elites pays for a further round."""
        return side == "attacker" and self.pays()

    def of_card(self, side: str) -> OfCard:
        """Return what the questions about the Combat card of a side share."""
        return {"seat": self.seat_of(side), "head": phrase("{} card", self.short(side))}

    def leave(self) -> None:
        """Keep what the battle left behind, and its casualties."""
        armies = {
            self.seat_of(side): (army.regulars, army.elites, army.leadership)
            for side, army in self.armies.items()
            if army.units and (side, self.result, army.units > MOST_INSIDE) != ("defender", "into-siege", True)
        }
        self.left = None if any(self.by_hand.values()) else Left(self.attacker, self.ground, self.result, armies)
        lost = next(army for side, army in self.armies.items() if self.seat_of(side) == "free-peoples")
        self.out_regulars = min(MOST_HITS, self.out_regulars + lost.lost_regulars)
        self.out_elites = min(MOST_HITS, self.out_elites + lost.lost_elites)

    def clear(self) -> None:
        """Make room for the next declaration of Armies."""
        self.stage, self.step, self.ground, self.round, self.result = "setup", "dice", "field", 1, ""
        self.attacker = "shadow"
        self.round_pays = self.assault_pays
        self.by_hand = dict.fromkeys(SIDES, 0)
        self.armies = {side: Army() for side in SIDES}
        self.effects, self.draft, self.attack = [], [], None

    def begin_round(self) -> None:
        """Start a round: modifiers, forfeits and cards of the last one are gone (WR-5)."""
        self.armies = {side: army.next_round() for side, army in self.armies.items()}
        self.effects, self.draft, self.attack = [], [], None
        self.step = "dice"

    def concede(self, seat: str) -> None:
        """A player gives up; the other has won."""
        super().concede(seat)
        winner = OTHER_SEAT[seat]
        self.over = Over("concession", f"{SEATS[winner]} wins: {SEATS[seat]} gave up", (winner,))
