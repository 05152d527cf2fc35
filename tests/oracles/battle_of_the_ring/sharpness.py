"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import sharpness
from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.game import Game
from tests.oracles.battle_of_the_ring.rules import DEAD, ENTS, RING
from tests.oracles.battle_of_the_ring.table import compared
from tests.oracles.sharpness import Broken

TABLES: Broken = {
    "one Orc less at the start": ("START", lambda table: table | {"orc": 24}),
    "seven Rohan armies": ("CAPS", lambda table: table | {"rohan": 7}),
    "Elves move three hexes": ("MOVES", lambda table: table | {"elf": 3}),
    "Gandalf moves four hexes": ("MOVES", lambda table: table | {"gandalf": 4}),
    "Man-Orcs build on Orthanc alone": ("CROWNS", lambda table: table | {"man-orc": ("isengard",)}),
    "Rohan builds in Minas Tirith": ("CROWNS", lambda table: table | {"rohan": ("edoras", "minas-tirith")}),
    "Aragorn is Elven": ("ELVEN", lambda table: table | {"aragorn"}),
    "the Fangorn army is ordinary": ("ELVEN", lambda table: table - {ENTS}),
    "an ordinary attacker dies on 3 in the open": (
        "RESULTS",
        lambda table: table | {"o-v-o": ((3, 8), (3, 9), (4, 10))},
    ),
    "an Elven attacker wins on 8 in the open only": (
        "RESULTS",
        lambda table: table | {"e-v-o": ((1, 8), (2, 8), (3, 9))},
    ),
    "both rivers and walls are one": (
        "RESULTS",
        lambda table: {each: (a, b, b) for each, (a, b, _) in table.items()},
    ),
    "Cair Andros is no fortress": ("POSITIONS", lambda table: table | {"cair-andros": "fortress-or-river"}),
    "builds in the first round": ("allowance", lambda rule: lambda nation, number: rule(nation, max(number, 2))),
    "three Orcs in every round": (
        "allowance",
        lambda rule: lambda nation, number: rule(nation, 4 if number > 1 else number),
    ),
    "four Orcs from round 5": (
        "allowance",
        lambda rule: lambda nation, number: number - 1 if nation == "orc" and number > 4 else rule(nation, number),
    ),
    "one Man-Orc a round": (
        "allowance",
        lambda rule: lambda nation, number: min(rule(nation, number), 3 if nation == "orc" else 1),
    ),
    "a Dwarf and a Hobbit": ("shared", lambda rule: lambda nation: nation),
    "Elves are rebuilt": ("rebuilt", lambda rule: lambda piece: rule(piece) or piece == "elf"),
    "anybody builds in the Shire": (
        "crown_code",
        lambda rule: lambda nation, place, owner: rule(nation, place, rules.owner_of_shire(nation)),
    ),
    "Aragorn helps Rohan": (
        "givers",
        lambda rule: lambda piece, players, pact: rule("gondor" if piece == "rohan" else piece, players, pact=pact),
    ),
    "Aragorn helps not the Dead": (
        "givers",
        lambda rule: lambda piece, players, pact: rule("rohan" if piece == DEAD else piece, players, pact=pact),
    ),
    "Saruman's pieces are always helped by the Nazgul": (
        "givers",
        lambda rule: lambda piece, players, pact: rule(piece, players, pact=True),
    ),
    "no pact helps": ("givers", lambda rule: lambda piece, players, pact: rule(piece, players, pact=False)),
    "the columns are mixed up": ("column", lambda rule: lambda attacker, defender: rule(defender, attacker)),
    "three turns in an Elven hex": ("may_stay_in_elven_hex", lambda rule: lambda turns: turns < 3),
    "one turn in an Elven hex": ("may_stay_in_elven_hex", lambda rule: lambda turns: turns < 1),
    "the Alliance wins in Barad-dur": (
        "winner",
        lambda rule: lambda owner, place, players: rule("sauron", place, players),
    ),
    "Evil wins in Isengard with two players": (
        "winner",
        lambda rule: lambda owner, place, players: rule(owner, place, 3 if place == "isengard" else players),
    ),
    "the Ring is not destroyed in Mount Doom": (
        "winner",
        lambda rule: lambda owner, place, players: ("", "") if place == "mount-doom" else rule(owner, place, players),
    ),
    "a Man-Orc's Ring is Sauron's with two players": (
        "NATIONS",
        lambda table: table | {"man-orc": "sauron"},
    ),
}
"""Tables and functions of `rules`."""

STEPS: Broken = {
    "no cap": (
        "nation_code",
        lambda rule: lambda game, piece: "" if rule(game, piece) == "BR-X06!" else rule(game, piece),
    ),
    "two builds on one crown": (
        "place_code",
        lambda rule: lambda game, nation, place: rules.crown_code(nation, place, game.state.shire_owner),
    ),
    "hexes of a unique piece do not add up": (
        "hexes_left",
        lambda rule: lambda game, piece: rules.MOVES[piece],
    ),
    "an escape leaves the move of the phase": (
        "hexes_left",
        lambda rule: lambda game, piece: 3 - game.state.moved[RING] if piece == RING else rule(game, piece),
    ),
    "anybody stops in Moria": (
        "entry_code",
        lambda rule: lambda game, piece, place: "" if place == "moria" else rule(game, piece, place),
    ),
    "the Alliance passes Moria without Gandalf": (
        "entry_code",
        lambda rule: lambda game, piece, place: "" if place == "through-moria" else rule(game, piece, place),
    ),
    "Isengard is ordinary": ("may_enter_isengard", lambda rule: lambda game, piece: True),
    "Isengard stays special": (
        "may_enter_isengard",
        lambda rule: lambda game, piece: rule(game, piece) and game.state.isengard == "special",
    ),
    "Gandalf and the Ring Bearer wake the Fangorn army together": (
        "fangorn_code",
        lambda rule: lambda game, piece: rule(game, piece).replace("BR-X16!", ""),
    ),
    "the Ring Bearer returns to an Elven hex": ("closed", lambda rule: lambda game, place: False),
    "Elven hexes stay closed without Elves": ("elves", lambda rule: lambda game: True),
    "no permission for Moria": (
        "permission",
        lambda rule: lambda game, piece, place: rule(game, piece, place).replace("BR-51", ""),
    ),
    "the Alliance needs permission": (
        "permission",
        lambda rule: lambda game, piece, place: "BR-14" if place == "elven-hex" else rule(game, piece, place),
    ),
    "Saruman captures the Ring like others": ("saruman_meets", lambda rule: lambda game, piece: False),
    "Saruman wins with the Ring with two players": (
        "saruman_meets",
        lambda rule: lambda game, piece: piece == "saruman",
    ),
    "the own Ring is captured": (
        "captor_code",
        lambda rule: lambda game, piece: rule(game, piece).replace("BR-X21", ""),
    ),
    "the Shire is never Saruman's": (
        "shire",
        lambda rule: lambda game, whose: rule(game, "nobody" if whose == "saruman" else whose),
    ),
    "the Shire is lost when it is empty": (
        "shire",
        lambda rule: lambda game, whose: rule(game, "saruman" if whose == "nobody" else whose),
    ),
    "who leaves the Shire says nothing": ("third_withdrew", lambda rule: lambda game: False),
    "who stays in the Paths lives": (
        "leave_paths",
        lambda rule: lambda game, company: rule(game, "aragorn-and-2-dead"),
    ),
    "the Dead fight in the Paths": (
        "shut_off",
        lambda rule: lambda game, piece: game.asleep(piece) if piece == DEAD else rule(game, piece),
    ),
    "Gandalf fights in Moria": (
        "shut_off",
        lambda rule: lambda game, piece: piece != "gandalf" and rule(game, piece),
    ),
    "sleeping pieces march": ("asleep", lambda rule: lambda game, piece: False),
    "the Fangorn army sleeps on": (
        "asleep",
        lambda rule: lambda game, piece: piece == ENTS or rule(game, piece),
    ),
    "no count of attacks": (
        "attacker_code",
        lambda rule: lambda game, piece: rule(game, piece).replace("BR-X10", ""),
    ),
    "friends are attacked": (
        "target_code",
        lambda rule: lambda game, attacker, piece: rule(game, attacker, piece).replace("BR-X11", ""),
    ),
    "the dead help": ("alive", lambda rule: lambda game, piece: piece == "gandalf" or rule(game, piece)),
    "Moria takes one hex": (
        "least",
        lambda rule: lambda game, piece, place: 1 if place == "through-moria" else rule(game, piece, place),
    ),
    "turns in an Elven hex are not counted": ("count_turn", lambda rule: lambda game: None),
}
"""Steps of a `Game`."""
BROKEN: Broken = {**TABLES, **STEPS}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    tables = sharpness.unnoticed(rules, TABLES, compared, answers, seed)
    return tables + sharpness.unnoticed(Game, STEPS, compared, answers, seed)
