"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import side_by_side
from tests.oracles.battle_of_the_ring import armies, attacks, building, hexes, phase_end, places, ring, rules, shire
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.rules import DEAD
from tests.oracles.battle_of_the_ring.table import compared
from tests.oracles.side_by_side import Broken

TABLES: Broken = {
    "one Orc less at the start": ("START", lambda table: table | {"orc": 24}),
    "seven Rohan armies": ("CAPS", lambda table: table | {"rohan": 7}),
    "Elves move three hexes": ("MOVES", lambda table: table | {"elf": 3}),
    "Man-Orcs build on Orthanc alone": ("CROWNS", lambda table: table | {"man-orc": ("isengard",)}),
    "Aragorn is Elven": ("ELVEN", lambda table: table | {"aragorn"}),
    "an ordinary attacker dies on 3 in the open": (
        "RESULTS",
        lambda table: table | {"o-v-o": ((3, 8), (3, 9), (4, 10))},
    ),
    "Cair Andros is no fortress": ("POSITIONS", lambda table: table | {"cair-andros": "fortress-or-river"}),
    "builds in the first round": ("allowance", lambda rule: lambda nation, number: rule(nation, max(number, 2))),
    "a Dwarf and a Hobbit": ("shared", lambda rule: lambda nation: nation),
    "anybody builds in the Shire": (
        "crown_code",
        lambda rule: lambda nation, place, owner: rule(nation, place, rules.owner_of_shire(nation)),
    ),
    "Aragorn helps Rohan": (
        "givers",
        lambda rule: lambda piece, players, pact: rule("gondor" if piece == "rohan" else piece, players, pact=pact),
    ),
    "the columns are mixed up": ("column", lambda rule: lambda attacker, defender: rule(defender, attacker)),
    "three turns in an Elven hex": ("may_stay_in_elven_hex", lambda rule: lambda turns: turns < 3),
    "the Alliance wins in Barad-dur": (
        "winner",
        lambda rule: lambda owner, place, players: rule("sauron", place, players),
    ),
    "a Man-Orc's Ring is Sauron's with two players": (
        "NATIONS",
        lambda table: table | {"man-orc": "sauron"},
    ),
}
"""Tables and functions of `rules`."""

BUILDING: Broken = {
    "no cap": (
        "nation_code",
        lambda rule: lambda board, piece: "" if rule(board, piece) == "BR-X06!" else rule(board, piece),
    ),
    "two builds on one crown": (
        "place_code",
        lambda rule: lambda board, nation, place: rules.crown_code(nation, place, board.state.shire_owner),
    ),
}
HEXES: Broken = {
    "hexes of a unique piece do not add up": (
        "left",
        lambda rule: lambda board, piece: rules.MOVES[piece],
    ),
    "Moria takes one hex": (
        "least",
        lambda rule: lambda board, piece, place: 1 if place == "through-moria" else rule(board, piece, place),
    ),
}
PLACES: Broken = {
    "anybody stops in Moria": (
        "entry_code",
        lambda rule: lambda board, piece, place: "" if place == "moria" else rule(board, piece, place),
    ),
    "Isengard is ordinary": ("may_enter_isengard", lambda rule: lambda board, piece: True),
    "Gandalf and the Ring Bearer wake the Fangorn army together": (
        "fangorn_code",
        lambda rule: lambda board, piece: rule(board, piece).replace("BR-X16!", ""),
    ),
    "the Ring Bearer returns to an Elven hex": ("closed", lambda rule: lambda board, place: False),
    "no permission for Moria": (
        "permission",
        lambda rule: lambda board, piece, place: rule(board, piece, place).replace("BR-51", ""),
    ),
}
THE_RING: Broken = {
    "Saruman captures the Ring like others": ("saruman_meets", lambda rule: lambda board, piece: False),
    "the own Ring is captured": (
        "captor_code",
        lambda rule: lambda board, piece: rule(board, piece).replace("BR-X21", ""),
    ),
}
SHIRE: Broken = {
    "the Shire is never Saruman's": (
        "passes",
        lambda rule: lambda board, whose: rule(board, "nobody" if whose == "saruman" else whose),
    ),
    "who leaves the Shire says nothing": ("third_withdrew", lambda rule: lambda board: False),
}
ARMIES: Broken = {
    "who stays in the Paths lives": (
        "leave_paths",
        lambda rule: lambda board, company: rule(board, "aragorn-and-2-dead"),
    ),
}
PHASE_END: Broken = {
    "turns in an Elven hex are not counted": ("count_turn", lambda rule: lambda board: None),
}
ATTACKS: Broken = {
    "the Dead fight in the Paths": (
        "shut_off",
        lambda rule: lambda board, piece: board.asleep(piece) if piece == DEAD else rule(board, piece),
    ),
    "no count of attacks": (
        "attacker_code",
        lambda rule: lambda board, piece: rule(board, piece).replace("BR-X10", ""),
    ),
    "friends are attacked": (
        "target_code",
        lambda rule: lambda board, attacker, piece: rule(board, attacker, piece).replace("BR-X11", ""),
    ),
}
BOARD: Broken = {
    "Elven hexes stay closed without Elves": ("elves", lambda rule: lambda board: True),
    "sleeping pieces march": ("asleep", lambda rule: lambda board, piece: False),
    "the dead help": ("alive", lambda rule: lambda board, piece: piece == "gandalf" or rule(board, piece)),
}
ROOMS: tuple[tuple[object, Broken], ...] = (
    (rules, TABLES),
    (Board, BOARD),
    (building, BUILDING),
    (hexes, HEXES),
    (places, PLACES),
    (ring, THE_RING),
    (shire, SHIRE),
    (armies, ARMIES),
    (phase_end, PHASE_END),
    (attacks, ATTACKS),
)
"""Each module of the oracle, or class, with what is broken in it."""
BROKEN: Broken = {what: rule for _, broken in ROOMS for what, rule in broken.items()}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    return [what for room, broken in ROOMS for what in side_by_side.unnoticed(room, broken, compared, answers, seed)]
