"""Pieces, places, builds and helpers: the tables of the rules, and every rule in one line."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.rulebook import Bar, Option, Options, Short


class Piece(NamedTuple):
    """One type of piece.

    ``side``   who plays it with three players; ``start``, ``cap``: pieces on the board at the start and at most
    ``move``   hexes in a phase; ``elven``: it has Elven strength of its own
    """

    id: str
    name: str
    short: str
    side: str
    start: int
    cap: int
    move: int
    elven: bool = False


PIECES = {
    piece.id: piece
    for piece in (
        Piece("orc", "Orc", "Orc", "sauron", 25, 30, 2),
        Piece("nazgul", "Nazgûl", "Nazgûl", "sauron", 1, 1, 6, True),
        Piece("man-orc", "Man-Orc", "Man-Orc", "saruman", 10, 16, 3),
        Piece("saruman", "Saruman", "Saruman", "saruman", 1, 1, 4),
        Piece("gondor", "Gondor", "Gondor", "alliance", 8, 12, 2),
        Piece("rohan", "Rohan", "Rohan", "alliance", 6, 8, 3),
        Piece("elf", "Elf", "Elf", "alliance", 6, 6, 2, True),
        Piece("dwarf", "Dwarf", "Dwarf", "alliance", 3, 8, 2),
        Piece("hobbit", "Hobbit", "Hobbit", "alliance", 2, 4, 2),
        Piece("gandalf", "Gandalf", "Gandalf", "alliance", 1, 1, 6, True),
        Piece("aragorn", "Aragorn", "Aragorn", "alliance", 1, 1, 4),
        Piece("army-of-the-dead", "Army of the Dead", "Dead", "alliance", 2, 2, 2),
        Piece("fangorn-army", "Fangorn army", "Fangorn", "alliance", 1, 1, 3, True),
    )
}
"""Every piece that fights, in the order of the keys."""

RING = "ring-bearer"
RING_MOVE = 3
OPTION = {p.id: Option(p.id, p.name, p.short) for p in PIECES.values()} | {RING: Option(RING, "Ring Bearer", "Ring")}
SHORT = {i: o.short for i, o in OPTION.items()}
COUNTED = Short("{} {}→{}", "{} goes from {} to {}")
"""How a pool has changed."""
NAME = {i: o.text for i, o in OPTION.items()}

THE = {i: f"The {name}" for i, name in NAME.items()} | {
    **{who: NAME[who] for who in ("saruman", "gandalf", "aragorn")},
    **{nation: f"The {NAME[nation]} army" for nation in ("gondor", "rohan")},
}
"""A piece as the subject of a sentence."""

NO_PIECE = {
    p.id: Bar(
        "BR-X09", f"No {p.name} is on the board" if p.cap > 1 else f"{THE[p.id]} is not on the board", firm=True
    )
    for p in PIECES.values()
}
NOT_ACTIVE = {p: Bar("BR-X14", f"{THE[p]} is not activated yet") for p in ("fangorn-army", "army-of-the-dead")}

FORCES = {3: ("sauron", "saruman", "alliance"), 2: ("evil", "alliance")}
FORCE_NAMES = {"sauron": "Sauron", "saruman": "Saruman", "evil": "Evil", "alliance": "Alliance"}
SHORT_FORCES = {"saruman": "Saru", "alliance": "Allies"}

EVERY_PIECE = Options(OPTION[p] for p in PIECES)


@lru_cache(maxsize=256)
def own(force: str) -> tuple[str, ...]:
    """Return the pieces of a force, in the order of the keys: Evil plays those of Sauron and Saruman (BR-1)."""
    sides = ("sauron", "saruman") if force == "evil" else (force,)
    return tuple(p.id for p in PIECES.values() if p.side in sides)


@lru_cache(maxsize=256)
def ours_first(force: str) -> Options:
    """Return every piece that fights, those of the force first."""
    mine = own(force)
    return Options(OPTION[p] for p in (*mine, *(p for p in PIECES if p not in mine)))


@lru_cache(maxsize=256)
def foes_first(force: str) -> Options:
    """Return every piece, those of the other forces first: the Alliance's before those of an evil rival."""
    mine = own(force)
    foes = sorted((p for p in PIECES if p not in mine), key=lambda p: PIECES[p].side != "alliance")
    return Options(OPTION[p] for p in (*foes, RING, *mine))


GIVERS = {
    "orc": ("nazgul",),
    "man-orc": ("saruman",),
    "saruman": (),
    "gondor": ("gandalf", "aragorn"),
    "army-of-the-dead": ("gandalf", "aragorn"),
    "rohan": ("gandalf",),
    "dwarf": ("gandalf",),
    "hobbit": ("gandalf",),
    "aragorn": ("gandalf",),
}
"""Who can raise a piece to Elven strength by standing next to it (BR-47, BR-48)."""

GIVERS_TOGETHER = GIVERS | {"man-orc": ("saruman", "nazgul"), "saruman": ("nazgul",)}
"""The same where Sauron and Saruman are friends (A-BR4)."""

PLACES = {
    "dol-guldur": Option("dol-guldur", "Dol Guldur", "Guldur"),
    "minas-morgul": Option("minas-morgul", "Minas Morgul", "Morgul"),
    "barad-dur": Option("barad-dur", "Barad-dûr", "Barad"),
    "harad": Option("harad", "Harad"),
    "isengard": Option("isengard", "Isengard"),
    "dol-amroth": Option("dol-amroth", "Dol Amroth", "Amroth"),
    "minas-tirith": Option("minas-tirith", "Minas Tirith", "M.Tirith"),
    "edoras": Option("edoras", "Edoras"),
    "helms-deep": Option("helms-deep", "Helm's Deep", "Helm's"),
    "lonely-mountain": Option("lonely-mountain", "Lonely Mountain", "Lonely"),
    "iron-mountains": Option("iron-mountains", "Iron Mountains", "Iron Mts"),
    "shire": Option("shire", "Shire, hex R", "Shire"),
}

CROWNS = {
    "orc": ("dol-guldur", "minas-morgul", "barad-dur", "harad"),
    "man-orc": ("isengard", "shire"),
    "gondor": ("dol-amroth", "minas-tirith"),
    "rohan": ("edoras", "helms-deep"),
    "dwarf": ("lonely-mountain", "iron-mountains"),
    "hobbit": ("shire",),
}
"""Where each nation builds (BR-24)."""


def allowance(nation: str, round_: int) -> int:
    """Return how many armies a nation may build in a round (BR-20 to BR-23)."""
    if round_ < 2:
        return 0
    if nation == "orc":
        return min(round_ - 1, 3)
    return 2 if nation == "man-orc" else 1


# -- every rule of the game, one short line each, for help, reasons and reminders

RULES = {
    "BR-1": "Sauron: Orcs, Nazgûl. Saruman: Man-Orcs, Saruman. Alliance: the rest. Two players: both are Evil",
    "BR-2": "Order in a round: Sauron, Saruman, Alliance; or Evil, Alliance",
    "BR-3": "A turn: Building, 1st Movement, Attack, 2nd Movement. Nothing is compulsory",
    "BR-4": "Setup symbols matter only at the start; crowns and special hexes matter all game",
    "BR-5": "Sauron wins with the Ring in Barad-dûr",
    "BR-6": "Saruman wins with the Ring in Isengard, or by reaching it himself (three players)",
    "BR-7": "The Alliance wins as soon as the Ring reaches Mount Doom",
    "BR-8": "Two players: Evil wins only with the Ring in Barad-dûr",
    "BR-10": "One piece a hex, except in Fangorn (Gandalf or Ring Bearer) and in the Paths (Aragorn)",
    "BR-11": "Move any of your pieces, each up to its allowance a phase; dormant armies may not move",
    "BR-12": "Over your own pieces freely, over others only with permission",
    "BR-13": "Never into or across mountains, sea, forest or the Entwash; rivers and fortresses cost nothing",
    "BR-14": "While an Elf lives, Elven hexes need the Alliance's permission",
    "BR-15": "The Ring Bearer may stay two rounds in an Elven hex, and never returns to it",
    "BR-16": "The 2nd Movement works like the 1st",
    "BR-17": "Special hexes take only certain pieces",
    "BR-20": "No builds in round 1",
    "BR-21": "Alliance, each round: one Dwarf or Hobbit, one Rohan, one Gondor",
    "BR-22": "Saruman, each round: two Man-Orcs",
    "BR-23": "Sauron: one Orc in round 2, two in round 3, then three",
    "BR-24": "Each nation builds on its own crowns; only the Shire is shared",
    "BR-25": "Build on an empty crown; its first owner may build there again, retaken or not",
    "BR-26": "Builds not made are lost",
    "BR-27": "Never more armies on the board than there are pieces",
    "BR-28": "Characters, Elves, the Fangorn army and the Dead are never rebuilt",
    "BR-29": "A nation that was eliminated comes back by building",
    "BR-30": "The Shire builds for its owner, Hobbits or Saruman; at first it is the Hobbits'",
    "BR-31": "On hex R when a Movement Phase ends, Saruman takes the Shire, the Alliance returns it",
    "BR-32": "A third nation that leaves hex R says whose the Shire is",
    "BR-40": "Attack an adjacent hex, with no mountain hexside between",
    "BR-41": "In attacks, Elven hexes and Isengard are like ordinary hexes",
    "BR-42": "No attack by or on a piece in Mount Doom, Fangorn, the Paths or Moria",
    "BR-43": "A piece attacks once a round, but can be attacked often",
    "BR-44": "One piece attacks one piece: roll two dice",
    "BR-45": "Strengths give the column, the defender's position gives the row",
    "BR-46": "Always Elven: Elves, Fangorn army, Gandalf, Nazgûl",
    "BR-47": "Gandalf and the Nazgûl give Elven strength to any adjacent friend",
    "BR-48": "Aragorn gives it to Gondor and the Dead, Saruman to Man-Orcs",
    "BR-49": "D eliminates the defender, A the attacker, else no effect; nobody retreats",
    "BR-50": "Only Gandalf stops in Moria; while he is in, the Alliance passes, Moria counting one hex",
    "BR-51": "Evil passes Moria freely while Gandalf is away, else with permission",
    "BR-52": "If the Alliance passed Moria, Gandalf must end the phase there",
    "BR-53": "In Moria or Fangorn, Gandalf is not in any attack and gives no strength",
    "BR-54": "Only Saruman and Man-Orcs stop on Isengard until the Fangorn army comes",
    "BR-55": "The Fangorn army destroys what is on Isengard, which is an ordinary hex from then on",
    "BR-56": "Gandalf or the Alliance's Ring Bearer ending a phase in Fangorn activates its army",
    "BR-57": "The activator leaves Fangorn as soon as it can; then the hex is closed",
    "BR-58": "Aragorn ending a phase in the Paths activates the Dead; next phase all leave by the south or die",
    "BR-59": "The Dead then act as Gondor armies, but are never rebuilt",
    "BR-60": "Only the Ring Bearer enters Mount Doom",
    "BR-70": "The Ring Bearer never attacks, is never attacked, and is destroyed only in Mount Doom",
    "BR-71": "Capture by moving onto it: both go, the captor's Ring Bearer stays",
    "BR-72": "After a capture the Ring may escape up to three hexes at once",
    "BR-73": "The Ring may change hands any number of times",
}
