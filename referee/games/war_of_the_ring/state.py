"""The state of a battle: both Armies, the round, and what the Combat cards do in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
"""Losses and hits are counted up to this number."""

HELD = ("modifier", "number", "hits", "dice", "fewer-dice")
"""Effects of cards that hold for the whole round; all others wait for their moment."""


@dataclass
class Army:
    """One Army: its units, its losses in this battle, and what happened to it in this round.

    ``lost_regulars``, ``lost_elites``: among the casualties of this battle; a Regular that came back to replace an
    Elite is not (WR-34).
    ``card``: "", then ``none``, or ``picked`` and, once its effects are entered, ``played``; ``cancelled`` once the
    enemy's card has cancelled it.
    ``dice``: of the Combat roll, 0 before it; ``allowance``: of the Leader re-roll. ``due``: hits still to be taken.
    ``taken``: what the hits of the round or of a card took, by the ids of `tables.TAKEN`.
    ``began``: Regulars and Elites at the start of the round.
    """

    regulars: int = 0
    elites: int = 0
    leadership: int = 0
    lost_regulars: int = 0
    lost_elites: int = 0
    card: str = ""
    forfeited: int = 0
    cancelled: int = 0
    turned_hits: int = 0
    cancelled_hits: int = 0
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
    def misses(self) -> int:
        """Dice of this round that have not hit, after the re-roll and what a card made of them (A-WR19)."""
        return max(0, self.dice - self.first_hits - self.more_hits - self.turned_hits)

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

    def changes(self, kind: str, side: str, roll: str) -> bool:
        """Whether it changes this (a kind of `HELD`) in a roll of a side, ``combat`` or ``reroll``."""
        whose, _, which = self.on.partition("-")
        return self.kind == kind and (self.side == side) == (whose == "own") and which in (roll, "both")


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


SET = (
    ("regulars", MOST_COUNTED, "Regulars", "Regulars"),
    ("elites", MOST_COUNTED, "Elites", "Elites"),
    ("leadership", MOST_COUNTED, "Leaders", "Leadership"),
    ("due", MOST_HITS, "hits due", "hits to take"),
    ("lost_regulars", MOST_HITS, "lost Reg.", "Regulars lost"),
    ("lost_elites", MOST_HITS, "lost Elite", "Elites lost"),
)
"""What the judge may set of an Army: field, most, name on the glass and in words."""


@dataclass
class WarGame(Game):
    """War of the Ring as far as the referee knows it: one battle at a time.

    ``stage``: ``setup`` or ``round``, or ``roll`` for the dice alone. ``step``: ``dice`` until the hits of the round
    are known, then ``losses``, and ``on`` once the attacker has decided to go on.
    ``round_pays``: whether each further round of an assault costs the attacker an Elite (A-WR2). ``by_hand``: the
    numbers to hit that a table sets in place of those of the ground, 0 for none (A-WR1).
    ``effects``: of the cards of this round, in their order; ``draft``: of the card that is being entered.
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
        f"armies.{side}.{name}": Range(
            0, most, Short(f"{side[:3].capitalize()} {short}", f"{side.capitalize()}: {words}")
        )
        for side in SIDES
        for name, most, short, words in SET
    } | {
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
        """Return why hits to take cannot be set: none are taken now, so they would change nothing."""
        return "this Army has no losses to take now" if path.endswith(".due") and not self.read(path) else ""

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
        if self.stage == "roll":
            return ()
        armies = {self.seat_of(side): army for side, army in self.armies.items()}
        there = [
            Pool(f"{side}-{name.lower()}", phrase("{} {}", SHORT[seat], name), seat, value, MOST_COUNTED)
            for side, (seat, army) in zip(SIDES, armies.items(), strict=True)
            for name, value in (("Regulars", army.regulars), ("Elites", army.elites), ("Leadership", army.leadership))
            if self.stage == "round"
        ]
        lost = {"Regulars": self.out_regulars, "Elites": self.out_elites}
        lost["Regulars"] += armies["free-peoples"].lost_regulars
        lost["Elites"] += armies["free-peoples"].lost_elites
        return (
            *there,
            *(
                Pool(
                    f"out-{name.lower()}",
                    phrase("{} {} out", SHORT["free-peoples"], name),
                    "free-peoples",
                    number,
                    MOST_HITS,
                )
                for name, number in lost.items()
                if number
            ),
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

    # -- the dice of a side: what the ground and the cards of both make of them

    def base(self, side: str) -> int:
        """Return the number a side's dice must reach before any card (WR-21, A-WR1)."""
        return self.by_hand[side] or base_number(self.ground, side, self.round)

    def by_cards(self, kind: str, side: str, roll: str = "combat") -> list[int]:
        """Return what the cards of this round change in a roll of a side, those of the attacker's card first."""
        cards = sorted(self.effects, key=lambda effect: effect.side)
        return [effect.value for effect in cards if effect.changes(kind, side, roll)]

    def number(self, side: str, roll: str = "combat") -> int:
        """Return the number to hit; the re-roll has the Combat roll's unless a card changes it (WR-23)."""
        named = self.by_cards("number", side, roll)
        if named:
            return named[-1]
        return self.base(side) if roll == "combat" else self.number(side)

    def modifier(self, side: str, roll: str = "combat") -> int:
        """Return what is added to each die: all modifiers together (WR-24)."""
        return sum(self.by_cards("modifier", side, roll))

    def own_modifier(self, side: str) -> int:
        """Return what its own card adds to the dice of a side's Combat roll, and to those of a card's attack."""
        mine = (effect for effect in self.effects if effect.side == side)
        return sum(effect.value for effect in mine if effect.changes("modifier", side, "combat"))

    def combat_dice(self, side: str, units: int) -> int:
        """Return the dice of a Combat roll: one a unit, five at most, less what cards take away (WR-20, A-WR20)."""
        dice = max(0, min(MOST_DICE, units) - sum(self.by_cards("fewer-dice", side)))
        return min(dice, *self.by_cards("dice", side), MOST_DICE)

    def given_hits(self, side: str) -> int:
        """Return the hits that its card gives a side (A-WR14, A-WR18)."""
        return sum(effect.value for effect in self.effects if effect.side == side and effect.kind == "hits")

    def scored(self, side: str) -> int:
        """Return the hits of this round before the enemy cancels any: both rolls, and what a card gives (A-WR14)."""
        army = self.armies[side]
        return army.first_hits + army.more_hits + army.turned_hits + self.given_hits(side)

    def hits(self, side: str) -> int:
        """Return the hits of this round that the enemy has to take."""
        return max(0, min(MOST_HITS, self.scored(side)) - self.armies[side].cancelled_hits)

    # -- the battle

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
        self.left = Left(self.attacker, self.ground, self.result, armies)
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
