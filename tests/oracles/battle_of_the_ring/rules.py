"""Battle of the Ring in tables and small functions, from the printed rules.

A code that ends in ``!`` is firm: no card can mean it.
"""

from __future__ import annotations

SAURON, SARUMAN, ALLIANCE, EVIL = "sauron", "saruman", "alliance", "evil"
NATIONS = {
    "orc": SAURON,
    "nazgul": SAURON,
    "man-orc": SARUMAN,
    "saruman": SARUMAN,
    **dict.fromkeys(("gondor", "rohan", "elf", "dwarf", "hobbit", "gandalf", "aragorn"), ALLIANCE),
    "army-of-the-dead": ALLIANCE,
    "fangorn-army": ALLIANCE,
}
PIECES = tuple(NATIONS)
RING = "ring-bearer"
DEAD, ENTS = "army-of-the-dead", "fangorn-army"
PHASES = ("building", "first-movement", "attack", "second-movement")
START = {
    "orc": 25,
    "nazgul": 1,
    "man-orc": 10,
    "saruman": 1,
    "gondor": 8,
    "rohan": 6,
    "elf": 6,
    "dwarf": 3,
    "hobbit": 2,
    "gandalf": 1,
    "aragorn": 1,
    DEAD: 2,
    ENTS: 1,
}
CAPS = {
    "orc": 30,
    "nazgul": 1,
    "man-orc": 16,
    "saruman": 1,
    "gondor": 12,
    "rohan": 8,
    "elf": 6,
    "dwarf": 8,
    "hobbit": 4,
    "gandalf": 1,
    "aragorn": 1,
    DEAD: 2,
    ENTS: 1,
}
MOVES = {
    "orc": 2,
    "nazgul": 6,
    "man-orc": 3,
    "saruman": 4,
    "gondor": 2,
    "rohan": 3,
    "elf": 2,
    "dwarf": 2,
    "hobbit": 2,
    "gandalf": 6,
    "aragorn": 4,
    DEAD: 2,
    ENTS: 3,
    RING: 3,
}
CROWNS = {
    "orc": ("dol-guldur", "minas-morgul", "barad-dur", "harad"),
    "man-orc": ("isengard", "shire"),
    "gondor": ("dol-amroth", "minas-tirith"),
    "rohan": ("edoras", "helms-deep"),
    "dwarf": ("lonely-mountain", "iron-mountains"),
    "hobbit": ("shire",),
}
ELVEN = {"elf", ENTS, "gandalf", "nazgul"}
ELVEN_HEXES = tuple(f"elven-{number}" for number in range(1, 7))
PRECEDENCE = tuple(
    f"BR-X{code}"
    for code in ("01", "12", "09", "21", "14", "16", "17", "15", "18", "07", "03", "06", "04", "08", "05")
)
"""Which of several codes is shown: those of a move or a capture, then those of a build."""
RING_HEXES = ("fangorn", "isengard", "mount-doom", "barad-dur")
SPECIAL = ("moria", "fangorn", "paths-of-the-dead", "isengard", "mount-doom")

# The last total that eliminates the attacker and the first that eliminates the defender, by column: open ground,
# fortress or river, both.
RESULTS = {
    "o-v-o": ((2, 8), (3, 9), (4, 10)),
    "o-v-e": ((3, 10), (4, 11), (5, 12)),
    "e-v-o": ((1, 7), (2, 8), (3, 9)),
    "e-v-e": ((2, 9), (3, 10), (4, 11)),
}
ROWS = ("open", "fortress-or-river", "fortress-and-river")
POSITIONS = {**{row: row for row in ROWS}, **dict.fromkeys(("cair-andros", "dol-amroth"), ROWS[2])}


def seats(players: int) -> tuple[str, ...]:
    """Who plays, in the order of the round."""
    return (EVIL, ALLIANCE) if players == 2 else (SAURON, SARUMAN, ALLIANCE)


def force(nation: str, players: int) -> str:
    """Return the seat that plays a nation."""
    return EVIL if players == 2 and nation != ALLIANCE else nation


# -- building ---------------------------------------------------------------------------------------------------


def allowance(nation: str, number: int) -> int:
    """Return how many armies a nation may build in a round; Dwarves and Hobbits share theirs."""
    if number < 2:
        return 0
    if nation == "orc":
        return min(number - 1, 3)
    return 2 if nation == "man-orc" else 1


def shared(nation: str) -> str:
    """Return what a nation's builds are counted as."""
    return "dwarf-or-hobbit" if nation in {"dwarf", "hobbit"} else nation


def rebuilt(piece: str) -> bool:
    return piece in CROWNS


def owner_of_shire(nation: str) -> str:
    """Return who must possess the Shire if this nation is to build there."""
    return "saruman" if nation == "man-orc" else "hobbits"


def crown_code(nation: str, place: str, shire_owner: str) -> str:
    """Return why a nation does not build on a place, '' if it does."""
    if place not in CROWNS[nation]:
        return "BR-X04"
    return "BR-X08" if place == "shire" and shire_owner != owner_of_shire(nation) else ""


def build_out_of_step(number: int) -> str:
    """Return why nobody builds in another phase of a round."""
    return "BR-X02!" if number == 1 else "BR-X01!"


# -- attacks ----------------------------------------------------------------------------------------------------


def givers(piece: str, players: int, *, pact: bool) -> tuple[str, ...]:
    """Return who gives a piece Elven strength by standing beside it."""
    if piece in ELVEN or piece == RING:
        return ()
    together = players == 2 or pact
    if piece == "orc":
        return ("nazgul",)
    if NATIONS[piece] == SARUMAN:
        own = ("saruman",) if piece == "man-orc" else ()
        return (*own, "nazgul") if together else own
    return ("gandalf", "aragorn") if piece in {"gondor", DEAD} else ("gandalf",)


def always_elven(piece: str) -> bool:
    return piece in ELVEN


def column(attacker: bool, defender: bool) -> str:
    """Return the column of the table; True is Elven."""
    return f"{'e' if attacker else 'o'}-v-{'e' if defender else 'o'}"


def row(position: str) -> str:
    return POSITIONS[position]


def sets(column: str, row: str) -> tuple[list[int], list[int]]:
    """Return the totals that eliminate the attacker, and the defender."""
    last, first = RESULTS[column][ROWS.index(row)]
    return [*range(2, last + 1)], [*range(first, 13)]


def result(total: int, column: str, row: str) -> str:
    attacker, defender = sets(column, row)
    if total in defender:
        return "defender-eliminated"
    return "attacker-eliminated" if total in attacker else "no-result"


def ways(column: str, row: str) -> dict[str, int]:
    """Return how many of the 36 throws lead to each result, none of them left out."""
    throws = [result(one + other, column, row) for one in range(1, 7) for other in range(1, 7)]
    return {name: throws.count(name) for name in ("attacker-eliminated", "defender-eliminated", "no-result")}


# -- movement ---------------------------------------------------------------------------------------------------


def may_stay_in_elven_hex(turns: int) -> bool:
    """Tell whether the Ring Bearer may end another turn in an Elven hex where it has ended so many."""
    return turns < 2


def winner(owner: str, place: str, players: int) -> tuple[str, str]:
    """Return who has won by where the Ring is, and the reason; two empty words if nobody."""
    if place == "mount-doom":
        return ALLIANCE, "ring-destroyed"
    if place == "barad-dur" and (owner == SAURON or (players == 2 and owner == SARUMAN)):
        return force(SAURON, players), "ring-in-barad-dur"
    if place == "isengard" and owner == SARUMAN and players == 3:
        return SARUMAN, "ring-in-isengard"
    return "", ""


VICTORY_RULE = {
    "ring-destroyed": "BR-7",
    "ring-in-barad-dur": "BR-5",
    "ring-in-isengard": "BR-6",
    "saruman-meets-ring": "BR-6",
}
