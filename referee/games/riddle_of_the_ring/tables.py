"""The eight characters, what can be laid in a battle, what a hand is worth, and every rule in one line."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.rulebook import Option, Options, Short

HOBBIT, RIDER = "hobbit", "rider"

CHARACTER = {
    option.id: option
    for option in (
        Option("frodo", "Frodo"),
        Option("sam", "Sam"),
        Option("merry", "Merry"),
        Option("pippin", "Pippin"),
        Option("br1", "Black Rider 1", "BR1"),
        Option("br2", "Black Rider 2", "BR2"),
        Option("br3", "Black Rider 3", "BR3"),
        Option("br4", "Black Rider 4", "BR4"),
    )
}
"""Every character, in the order of the keys; who plays one is known by its id."""

NAME = {i: Short(option.short or option.text, option.text) for i, option in CHARACTER.items()}
KIND = {i: RIDER if i.startswith("br") else HOBBIT for i in CHARACTER}
LARGEST, USUAL, SMALLEST = 8, 4, 2


LINE_UP = ("frodo", "br1", "sam", "br2", "merry", "br3", "pippin", "br4")
"""The usual one: Hobbits and Riders in turns."""


# -- what can be laid in a battle, which side may lay it, and how many guesses a hand is worth: the pure tables

CEILING = 5
"""Battle Points neither side may pass in one battle (RR-63)."""

GOOD, EVIL, NEUTRAL = "good", "evil", "neutral"
ATTACKER, DEFENDER = "attacker", "defender"

AGAINST = {HOBBIT: EVIL, RIDER: GOOD}
"""Kind of the defender -> the kind of force an attacker may lay beside Neutral ones (RR-51)."""

FOR = {HOBBIT: GOOD, RIDER: EVIL}
"""Own kind -> the kind of force a defender may lay beside Neutral ones (RR-52), and of his character card."""


class Kind(NamedTuple):
    """One way to lay a force.

    ``kind``    good, evil or neutral; "" where it follows from who lays it
    ``points``  Battle Points, or the fewest where the table says how many (``asks``)
    ``retain``  it goes back to the hand (RR-69)
    ``unique``  there is one of it
    """

    option: Option
    kind: str
    points: int
    retain: bool = False
    city: bool = False
    unique: bool = False
    asks: bool = False


FORCES = {
    kind.option.id: kind
    for kind in (
        Kind(Option("good-army", "Good Army or card (1)", "Good"), GOOD, 1),
        Kind(Option("evil-army", "Evil Army or card (1)", "Evil"), EVIL, 1),
        Kind(Option("neutral-army", "Neutral Army or card (1)", "Neutral"), NEUTRAL, 1),
        Kind(Option("strider", "Strider (2)", "Strider"), GOOD, 2, unique=True),
        Kind(Option("mouth-of-sauron", "Mouth of Sauron (2)", "Mouth"), EVIL, 2, unique=True),
        Kind(Option("good-city", "Good city (1)", "City"), GOOD, 1, city=True),
        Kind(Option("evil-city", "Evil city (1)", "City"), EVIL, 1, city=True),
        Kind(Option("good-card", "Good or Neutral card of 2 or more", "2+ pts"), GOOD, 2, asks=True),
        Kind(Option("evil-card", "Evil or Neutral card of 2 or more", "2+ pts"), EVIL, 2, asks=True),
        Kind(Option("neutral-city", "Neutral city", "City"), NEUTRAL, 1, city=True),
        Kind(Option("the-ring", "The Ring (1)", "Ring"), NEUTRAL, 1, retain=True, unique=True),
        Kind(Option("own-character", "Own character card (1)", "Self"), "", 1, retain=True, unique=True),
    )
}

STOP = Option("stop", "Stop", "Stop")
SURRENDER = Option("surrender", "Surrender", "Yield")

SERIES = {
    GOOD: ("good-army", "neutral-army", "good-city", "strider"),
    EVIL: ("evil-army", "neutral-army", "evil-city", "mouth-of-sauron"),
}
"""The usual forces of one side: one kind and Neutral. With the pass they fill the first page of keys."""

LISTED = {name: kind.option.short for name, kind in FORCES.items()} | {
    "good-card": "Good card",
    "evil-card": "Evil card",
}
"""Forces as a list names them."""


def allowed(side: str, defender_kind: str) -> str:
    """Return the kind of force a side may lay beside Neutral ones (RR-51, RR-52).

    ``side``: attacker or defender; ``defender_kind``: hobbit or rider.
    """
    return (AGAINST if side == ATTACKER else FOR)[defender_kind]


@lru_cache(maxsize=256)
def hand_of_forces(side: str, kind: str) -> Options:
    """Return what a side can be asked for: the usual and the pass first, then the less usual, then the rest."""
    passing = STOP if side == ATTACKER else SURRENDER
    usual, unusual = SERIES[kind], ("the-ring", "own-character", f"{kind}-card")
    rest = (f for f in FORCES if f not in (*usual, *unusual))
    options = [FORCES[f].option for f in usual]
    return Options((*options, passing, *(FORCES[f].option for f in (*unusual, *rest))))


def guesses(cards: int) -> int:
    """Return how many titles may be stated for a card from a hand of so many (RR-21).

    >>> [guesses(cards) for cards in (5, 4, 3, 2, 1, 0)]
    [3, 3, 2, 1, 1, 0]
    """
    return {0: 0, 1: 1, 2: 1, 3: 2}.get(cards, 3)


# -- every rule and ruling of the game, one short line each, for help, reasons and reminders

RULES = {
    "RR-1": "Anything that involves another player is a Power Play, except a Friendly Exchange",
    "RR-2": "At most two Power Plays a turn; none is required",
    "RR-3": "Both on one player or on two, of any kinds",
    "RR-4": "Four kinds: Clairvoyance, Riddle, taking a card with a card, Battle",
    "RR-5": "Before or after a move, never in the middle of it",
    "RR-6": "A Power Play runs to its end; nothing interrupts it",
    "RR-7": "Only an Elf Ring and a Battle need the markers near each other",
    "RR-8": "The cards carry their own instructions",
    "RR-10": "Wizard, Spy, Palantír and Elf Ring show a whole hand",
    "RR-11": "Against Elf Ring and Palantír: show The Ring or your own card instead",
    "RR-12": "Only the user sees the card that resists; never say which",
    "RR-13": "Nobody resists a Wizard or a Spy",
    "RR-14": "Each attempt on a hand is a Power Play, resisted or not",
    "RR-15": "Two hands are two Power Plays, even with one card",
    "RR-20": "Draw a card of the hand at random, then state titles",
    "RR-21": "Three guesses; two for a hand of 3, one for a hand of 2 or 1",
    "RR-22": "One right title is enough",
    "RR-23": "Right: keep the card; try another of that hand, or stop",
    "RR-24": "Wrong: the target draws one of your cards, and the Riddle ends",
    "RR-25": "No Riddle with your only card: you need one to lose",
    "RR-26": "One Riddle is one Power Play, however many cards it wins",
    "RR-30": "Gollum takes The Ring from one player who has it",
    "RR-31": "Bilbo takes Gollum from one player who has it",
    "RR-32": "Shelob takes a card from every other player; all are discarded",
    "RR-33": "The Ring and Gollum stay, and no second card is drawn",
    "RR-34": "Draw from any hand; or see the hand of the player it names, take a card, give him this one",
    "RR-35": "Each character card used so is a Power Play",
    "RR-36": "With two players see optional rule O-13",
    "RR-40": "A battle is one Power Play, however long",
    "RR-41": "First land on or beside the player and have a Friendly Exchange",
    "RR-42": "No battle at the start of a turn, before moving",
    "RR-43": "A player without cards for the Friendly Exchange fights no battle",
    "RR-44": "Across rivers, at sea and on spaces of any kind",
    "RR-45": "On a River Dot only the three spaces that meet there are adjacent",
    "RR-46": "Attack at most two players a turn, and nobody twice",
    "RR-47": "Battle at any later time of the turn, from that space",
    "RR-48": "After another move a new Friendly Exchange is needed",
    "RR-49": "The defender hits back on his own turn only",
    "RR-50": "A Neutral force is Good or Evil as its user likes",
    "RR-51": "Attack Hobbits with Evil, Riders with Good; Neutral always",
    "RR-52": "Hobbits defend with Good, Riders with Evil; Neutral always",
    "RR-53": "Any card with Battle Points is a force; its symbol tells the kind",
    "RR-54": "A city on or beside either player is 1 point for the side of its kind",
    "RR-55": "Neutral cities are never forces",
    "RR-56": "Against your own kind your own character card cannot be used",
    "RR-57": "Points: Armies, The Ring, Eagles, Flying Beasts, most characters",
    "RR-60": "The attacker lays one force, face up until the end",
    "RR-61": "The defender lays forces until the totals are equal",
    "RR-62": "Then the attacker may lay one more, and so on",
    "RR-63": "At most five Battle Points for each side",
    "RR-64": "It ends when not matched, at five matched, or when the attacker stops",
    "RR-65": "Nobody has to lay a force: surrender, or stop for a tie",
    "RR-66": "The attacker wins with more than is matched; otherwise it is a tie",
    "RR-67": "The defender never wins",
    "RR-68": "The winner sees the hand and takes a card; the loser goes to the Halls",
    "RR-69": "Used cards are discarded; The Ring and own characters go back to the hand",
    "A-RR1": "Bilbo hunts Gollum, and costs a Power Play either way",
    "A-RR2": "The defender matches exactly, unless overshoot is on",
    "A-RR3": "At 4 nobody lays 2: points are not trimmed",
    "A-RR4": "Kinds 1 to 3 before moving too, battles only after a stop",
    "A-RR5": "Guesses are counted anew for each card",
    "A-RR6": "A battle counts from its first force",
    "A-RR7": "The winner takes from the hand, not from the table",
    "A-RR8": "Only The Ring and own characters go back to the hand",
    "A-RR9": "The Ring is Neutral",
    "A-RR10": "Each city has one kind and is used once a battle",
    "A-RR11": "Shelob is one Power Play in all",
    "A-RR12": "With one Power Play left only one hand is seen",
    "A-RR13": "Seven stars Good, lidless eye Evil, triangle Neutral",
    "A-RR14": "Halls: no Exchange, no Power Play. Out by a 6, a Wizard, or in the 4th turn",
    "A-RR15": "A card used to draw is discarded; never draw with your own",
    "A-RR16": "From an empty hand nothing is taken; the loser goes to the Halls all the same",
    "A-RR17": "Forces laid before a surrender are used",
    "A-RR18": "No cards there: nothing is taken, the Power Play is spent",
    "A-RR19": "The Exchange is compulsory, but only the Battle depends on it",
}
