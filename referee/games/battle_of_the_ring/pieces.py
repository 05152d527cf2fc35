"""Pieces, places, builds and helpers: the tables of the rules, and the options made from them once."""

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
COUNTED = Short("{} {}→{}", "The count of {} went from {} to {}")
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
ROUND_ONE = Bar("BR-X02", "Nobody builds in round 1", firm=True, aside=True)

FORCES = {3: ("sauron", "saruman", "alliance"), 2: ("evil", "alliance")}
FORCE_NAMES = {"sauron": "Sauron", "saruman": "Saruman", "evil": "Evil", "alliance": "Alliance"}
SHORT_FORCES = {"saruman": "Saru", "alliance": "Allies"}

EVERY_PIECE = Options(OPTION[p] for p in (*PIECES, RING))


@lru_cache(maxsize=256)
def sides(force: str) -> tuple[str, ...]:
    """Return the sides of a force: Evil plays Sauron and Saruman (BR-1)."""
    return ("sauron", "saruman") if force == "evil" else (force,)


@lru_cache(maxsize=256)
def own(force: str) -> tuple[str, ...]:
    """Return the pieces of a force, in the order of the keys."""
    return tuple(p.id for p in PIECES.values() if p.side in sides(force))


@lru_cache(maxsize=256)
def ours_first(force: str, *extra: Option) -> Options:
    """Return every piece, those of the force first, then the Ring Bearer, then whatever the menu adds."""
    mine = own(force)
    rest = tuple(p for p in PIECES if p not in mine)
    return Options((*(OPTION[p] for p in (*mine, RING, *rest)), *extra))


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
