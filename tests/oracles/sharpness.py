"""How sharp a comparison is: rules of an oracle are broken one after another, and each must be noticed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from unittest.mock import patch

from tests.oracles.battle_of_the_ring import attacks, building, phase_end, places, ring
from tests.oracles.battle_of_the_ring import rules as battle
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.rules import DEAD
from tests.oracles.middle_earth_the_wizards import rules as wizards
from tests.oracles.middle_earth_the_wizards.rules import STAY, TAPPED, UNTAPPED
from tests.oracles.riddle_of_the_ring import rules as riddle
from tests.oracles.side_by_side import SideBySide, compared
from tests.oracles.war_of_the_ring import rules as war

Breaking = Callable[[Any], Any]
Broken = Mapping[str, tuple[object, str, Breaking]]
"""What is broken -> where the rule (a function, a table) lives, its name, and what makes a broken one of it."""


def unnoticed(broken: Broken, table: type[SideBySide], answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal; sound ones must agree with the rulebook."""
    assert not compared(table, answers, seed, most_divergences=1).divergences
    missed = []
    for what, (where, name, breaking) in broken.items():
        with patch.object(where, name, breaking(getattr(where, name))):
            if not compared(table, answers, seed, most_divergences=1).divergences:
                missed.append(what)
    return missed


def always(value: Any) -> Breaking:
    """Let a function return the same whatever it is asked."""
    return lambda rule: lambda *args, **named: value


def given(at: int, value: Any) -> Breaking:
    """Let a function be asked with another argument at this place: a value, or what a function makes of it."""

    def breaking(rule: Any) -> Any:
        return lambda *args, **named: rule(
            *(*args[:at], value(args[at]) if callable(value) else value, *args[at + 1 :]), **named
        )

    return breaking


def instead(old: Any, new: Any) -> Callable[[Any], Any]:
    """Return what makes one value of another, and leaves all others."""
    return lambda value: new if value == old else value


def unless(at: int, value: Any, result: Any) -> Breaking:
    """Let a function return this where the argument at this place has a value."""
    return lambda rule: lambda *args: result if args[at] == value else rule(*args)


def told(**others: Any) -> Breaking:
    """Let a function be asked with other values of its keywords."""
    return lambda rule: lambda *args, **named: rule(*args, **named | others)


def without(code: str) -> Breaking:
    """Let a function refuse nothing with this code."""
    return lambda rule: lambda *args, **named: rule(*args, **named).replace(code, "")


def row(**others: Any) -> Breaking:
    """Return a table with other values; names have _ for -."""
    return lambda table: table | {name.replace("_", "-"): value for name, value in others.items()}


def now(value: Any) -> Breaking:
    return lambda rule: value


BATTLE: Broken = {
    # tables and functions of the rules
    "one Orc less at the start": (battle, "START", row(orc=24)),
    "seven Rohan armies": (battle, "CAPS", row(rohan=7)),
    "Elves move three hexes": (battle, "MOVES", row(elf=3)),
    "Man-Orcs build on Orthanc alone": (battle, "CROWNS", row(man_orc=("isengard",))),
    "Aragorn is Elven": (battle, "ELVEN", lambda table: table | {"aragorn"}),
    "an ordinary attacker dies on 3 in the open": (battle, "RESULTS", row(o_v_o=((3, 8), (3, 9), (4, 10)))),
    "Cair Andros is no fortress": (battle, "POSITIONS", row(cair_andros="fortress-or-river")),
    "builds in the first round": (battle, "allowance", given(1, lambda number: max(number, 2))),
    "a Dwarf and a Hobbit": (battle, "shared", lambda rule: lambda nation: nation),
    "anybody builds in the Shire": (
        battle,
        "crown_code",
        lambda rule: lambda nation, place, owner: rule(nation, place, battle.owner_of_shire(nation)),
    ),
    "Aragorn helps Rohan": (battle, "givers", given(0, instead("rohan", "gondor"))),
    "the columns are mixed up": (battle, "column", lambda rule: lambda attacker, defender: rule(defender, attacker)),
    "three turns in an Elven hex": (battle, "may_stay_in_elven_hex", lambda rule: lambda turns: turns < 3),
    "the Alliance wins in Barad-dur": (battle, "winner", given(0, "sauron")),
    "a Man-Orc's Ring is Sauron's with two players": (battle, "NATIONS", row(man_orc="sauron")),
    # the board
    "Elven hexes stay closed without Elves": (Board, "elves", always(True)),
    "sleeping pieces march": (Board, "asleep", always(False)),
    "the dead help": (Board, "alive", lambda rule: lambda board, piece: piece == "gandalf" or rule(board, piece)),
    # what stands in a room of its own
    "no cap": (building, "nation_code", without("BR-X06!")),
    "two builds on one crown": (
        building,
        "place_code",
        lambda rule: lambda board, nation, place: battle.crown_code(nation, place, board.state.shire_owner),
    ),
    "hexes of a unique piece do not add up": (
        places,
        "hexes_left",
        lambda rule: lambda board, piece: battle.MOVES[piece],
    ),
    "Moria takes one hex": (places, "least", unless(2, "through-moria", 1)),
    "anybody stops in Moria": (places, "entry_code", unless(2, "moria", "")),
    "Isengard is ordinary": (places, "may_enter_isengard", always(True)),
    "Gandalf and the Ring Bearer wake the Fangorn army together": (places, "fangorn_code", without("BR-X16!")),
    "the Ring Bearer returns to an Elven hex": (places, "closed", always(False)),
    "no permission for Moria": (places, "permission", without("BR-51")),
    "Saruman captures the Ring like others": (ring, "saruman_meets", always(False)),
    "the own Ring is captured": (ring, "captor_code", without("BR-X21")),
    "the Shire is never Saruman's": (phase_end, "passes", given(1, instead("saruman", "nobody"))),
    "who leaves the Shire says nothing": (phase_end, "third_withdrew", always(False)),
    "who stays in the Paths lives": (phase_end, "leave_paths", given(1, "aragorn-and-2-dead")),
    "turns in an Elven hex are not counted": (phase_end, "count_turn", always(None)),
    "the Dead fight in the Paths": (
        attacks,
        "shut_off",
        lambda rule: lambda board, piece: board.asleep(piece) if piece == DEAD else rule(board, piece),
    ),
    "no count of attacks": (attacks, "attacker_code", without("BR-X10")),
    "friends are attacked": (attacks, "target_code", without("BR-X11")),
}

WIZARDS: Broken = {
    "a Hobbit counts whole": (
        wizards,
        "hazard_limit",
        lambda rule: lambda others, hobbits: rule(others + hobbits, 0),
    ),
    "an automatic-attack is a hazard": (wizards, "is_hazard", given(0, instead("automatic-attack", "creature"))),
    "one hazard beyond the limit": (wizards, "hazard_code", given(0, lambda played: played - 1)),
    "two corruption cards a turn": (wizards, "card_code", always(None)),
    "the wounded heal in a new turn": (
        wizards,
        "in_new_turn",
        lambda rule: lambda status, untap: UNTAPPED if untap else status,
    ),
    "hazards outlast the turn": (wizards, "after_new_turn", lambda rule: lambda hazards: hazards),
    "targets are chosen though everybody is one": (wizards, "all_are_targets", given(0, lambda strikes: strikes - 1)),
    "no spare strikes": (wizards, "spare", always(0)),
    "the defender gives strikes to the tapped": (wizards, "target_code", told(by_defender=False)),
    "the defender assigns whatever the card says": (wizards, "defender_assigns", given(0, False)),
    "hazards after the spare strikes": (
        wizards,
        "step_code",
        lambda rule: lambda step, stage: None if (step, stage) == (1, 2) else rule(step, stage),
    ),
    "one spare strike too many": (wizards, "spare_code", given(0, lambda number: number - 1)),
    "spare strikes are forced whatever the switch": (wizards, "forced", given(0, True)),
    "the tapped stay": (wizards, "stay_code", given(0, instead(TAPPED, UNTAPPED))),
    "targets support": (wizards, "support_code", given(1, False)),
    "two skills a strike": (wizards, "skill_code", given(0, lambda skills: skills - 1)),
    "the tapped fight as well": (wizards, "of_status", given(0, instead(TAPPED, UNTAPPED))),
    "staying costs 2": (wizards, "of_staying", lambda rule: lambda status, stance: max(-2, rule(status, stance))),
    "spare strikes weigh nothing": (wizards, "of_spare", always(0)),
    "supporters add nothing": (wizards, "of_support", always(0)),
    "supporters do not tap": (wizards, "after_support", lambda rule: lambda status: status),
    "cards that lower prowess do not count": (wizards, "of_cards", given(0, lambda modifiers: max(0, modifiers))),
    "a tie defeats the strike": (
        wizards,
        "outcome",
        lambda rule: lambda total, against: rule(total + (total == against), against),
    ),
    "every strike has a body": (wizards, "has_body", always(True)),
    "its body defeats a strike": (wizards, "beats_strike", given(0, lambda total: total + 1)),
    "his body eliminates a character": (wizards, "beats_character", given(0, lambda total: total + 1)),
    "the defender checks his own": (wizards, "checks", always("defender")),
    "nobody taps": (wizards, "after_strike", given(2, STAY)),
    "a cancelled strike taps": (
        wizards,
        "after_cancelled",
        lambda rule: lambda status: TAPPED if status == UNTAPPED else status,
    ),
    "a tie defeats the attack": (
        wizards,
        "defeated",
        given(0, lambda results: [each for each in results if each != "ineffectual"]),
    ),
    "whatever is defeated gives points": (wizards, "gives_points", given(0, "creature")),
    "a cancelled attack was not faced": (wizards, "faced_when_cancelled", always(False)),
    "safe at the points": (wizards, "corruption", given(0, lambda total: total + 1)),
    "the last modifier counts alone": (wizards, "added", given(0, 0)),
    "anybody's corruption loses the game": (wizards, "loses_game", given(1, True)),
    "the highest card counts alone": (wizards, "points_after", now(max)),
    "the turn stays with a player": (wizards, "next_player", lambda rule: lambda *args: args[2]),
    "the last player attacks": (wizards, "attacks", lambda rule: lambda players, *more: f"player-{players}"),
    "everybody untaps": (wizards, "untaps", always(True)),
    "the last creature counts alone": (wizards, "marshalling", given(0, 0)),
    "followers follow who is gone": (wizards, "controller_of", lambda rule: lambda follower, gone: follower),
    "a card leaves its points": (wizards, "points_without", lambda rule: lambda points, card: points),
    "no modifier lasts": (wizards, "lasting", lambda rule: lambda kept, *more: kept),
    "what hazards added lasts": (wizards, "lasting", given(2, 0)),
}

RIDDLE: Broken = {
    # turns and targets
    "three Power Plays a turn": (riddle, "POWER_PLAYS", now(3)),
    "three players at least": (riddle, "PLAYERS_LEAST", now(3)),
    "seven players at most": (riddle, "PLAYERS_MOST", now(7)),
    "Power Plays out of the Halls": (riddle, "opening_code", told(in_halls=False)),
    "oneself as target": (riddle, "target_code", given(1, "")),
    "a Friendly Exchange is not needed": (riddle, "defender_code", given(0, instead("unset", "done"))),
    "the nearest reason is the worst": (riddle, "least", lambda rule: lambda codes: max([*codes], key=str)),
    "exchanges with who is far": (riddle, "exchange_code", told(near=True)),
    "turns go the other way": (riddle, "next_seat", given(0, lambda players: players[::-1])),
    "third turn in the Halls is the last": (riddle, "TURNS_IN_THE_HALLS", now(3)),
    "a side of a battle out of turn": (riddle, "foreign_code", always("RR-X01")),
    # Clairvoyance
    "a Palantir is not resisted": (riddle, "resistible", lambda rule: lambda card: card == "elf-ring"),
    "an Elf Ring reaches everywhere": (riddle, "must_be_near", always(False)),
    "two hands for one Power Play": (riddle, "two_hands_code", given(0, lambda used: max(0, used - 1))),
    "a hand costs two": (riddle, "cost", lambda rule: lambda hands: 2 * hands),
    "the same hand twice": (
        riddle,
        "hand_code",
        lambda rule: lambda target, code, seen, used: code if target in seen else rule(target, code, seen, used),
    ),
    "no second hand": (riddle, "second_hand", always(False)),
    # Riddles
    "always three guesses": (riddle, "guesses", always(3)),
    "empty hands are riddled": (riddle, "riddle_code", always("")),
    "one card a Riddle": (riddle, "riddle_goes_on", always(False)),
    "no stop after a right guess": (riddle, "stop_code", given(0, 0)),
    # taking a card
    "a card given to oneself": (riddle, "give_code", given(1, "")),
    "Shelob draws in the Halls": (riddle, "shelob_draws", given(2, ())),
    # battle forces
    "attackers use their own kind": (riddle, "own_kind", given(0, "defender")),
    "Neutral forces are nobody's": (
        riddle,
        "may_use",
        lambda rule: lambda force, side, defender: force != "neutral" and rule(force, side, defender),
    ),
    "The Ring is Evil": (riddle, "force_kind", unless(0, "the-ring", "evil")),
    "a card is laid twice": (riddle, "once_only", always(False)),
    "six points": (riddle, "MOST_POINTS", now(6)),
    "the defender overbids": (riddle, "points_code", told(overshoot=True)),
    "Strider has one point": (riddle, "FORCES", row(strider=("good", 1))),
    "Neutral cities fight": (riddle, "force_code", given(1, instead("neutral-city", "neutral-army"))),
    "a city twice": (
        riddle,
        "city_code",
        lambda rule: lambda letter, used: "" if letter in used else rule(letter, used),
    ),
    # the end of a battle
    "a match is not enough": (riddle, "to_match", lambda rule: lambda attacker, defender: attacker >= defender),
    "five matched points are not the end": (riddle, "all_matched", always(False)),
    "all cards are discarded": (riddle, "RETAINED", now(())),
    "cities are discarded": (riddle, "is_city", always(False)),
    "cards go back before the pick": (riddle, "order_of_spoils", told(return_first=True)),
    "nobody goes to the Halls": (riddle, "to_the_halls", always(False)),
    # what changes, and why
    "a tie changes nothing": (
        riddle,
        "changes",
        lambda rule: lambda result, *more: result != "tie" and rule(result, *more),
    ),
    "every hand is seen by resistance": (
        riddle,
        "rests_on",
        given(1, lambda card: "palantir" if card in riddle.CLAIRVOYANCE else card),
    ),
}

WAR: Broken = {
    "six Combat dice": (war, "combat_dice", lambda rule: lambda units: min(units, 6)),
    "a City protects in every round": (war, "number_to_hit", given(2, 1)),
    "a 5 misses": (war, "hits", given(0, instead(5, 1))),
    "four re-rolls": (war, "re_rolls", lambda rule: lambda *numbers: min(4, rule(*numbers))),
    "the defender rolls first": (war, "first_to_roll", always(war.SIDES[::-1])),
    "the defender loses first": (war, "first_to_lose", always(war.SIDES[::-1])),
    "too few dice before a face of 7": (
        war,
        "dice_code",
        lambda rule: (
            lambda faces, *more, **named: rule([1] * len(faces), *more, **named) or rule(faces, *more, **named)
        ),
    ),
    "an Elite is worth one hit when all are lost": (
        war,
        "wiped_out",
        lambda rule: lambda due, regulars, elites: due >= regulars + elites,
    ),
    "an Elite goes for one hit": (war, "casualty_codes", given(0, 2)),
    "a reduction takes two hits": (war, "cost", unless(0, "reduce", 2)),
    "reinforcements without casualties": (war, "replacement_codes", given(0, 1)),
    "the reinforcements come first": (war, "from_casualties", always(False)),
    "without a Regular an Elite is replaced": (war, "replaced", always(True)),
    "only ends of one sort": (war, "ends", lambda rule: lambda *army: {min(rule(*army)), max(rule(*army))}),
    "into any City": (war, "may_go_inside", lambda rule: lambda ground: ground in {"stronghold", "city"}),
    "the besieged retreat": (war, "may_retreat", always(True)),
    "an assault is free": (war, "assault_pays", always(False)),
    "a Regular pays for an assault": (war, "can_pay", always(True)),
    "both out is the attacker's victory": (
        war,
        "eliminated",
        lambda rule: lambda attackers, defenders: rule(attackers or int(not defenders), defenders),
    ),
    "nobody moves in after a retreat": (
        war,
        "moves_in",
        lambda rule: lambda result: result != "defender-retreated" and rule(result),
    ),
    "six fit inside": (war, "closing_reminders", given(2, lambda units: units - 1)),
    "the attacker first at equal initiative": (
        war,
        "in_order",
        lambda rule: lambda effects: sorted(effects, key=lambda each: (each.initiative, each.side == "defender")),
    ),
    "initiative for everything": (war, "order_matters", always(True)),
    "an attack after casualties comes before": (war, "window", given(0, instead("attack-after", "attack-before"))),
    "the besieged retreat by a card": (war, "card_retreat_code", given(0, "field")),
    "the enemy's modifier on an attack of a card": (war, "attack_modifier", lambda rule: lambda own, foe: own + foe),
    "the later modifier counts alone": (war, "added", lambda rule: lambda modifier, another: another or modifier),
    "re-rolls have the base number": (war, "re_roll_number", given(0, 5)),
    "cancelled Leadership can be forfeited": (war, "leadership_left", given(2, 0)),
    "automatic hits do not count": (war, "scored", given(2, 0)),
    "a card gives more dice than the Army has": (
        war,
        "dice_by_card",
        lambda rule: lambda strength, dice, fewer: rule(strength, dice, fewer) if dice < 0 else dice,
    ),
    "the later limit of dice counts": (war, "lower_limit", lambda rule: lambda dice, another: another),
    "a die becomes a hit twice": (war, "misses", given(3, 0)),
    "into any Stronghold by a card": (war, "card_inside_code", always(None)),
    "six dice for an attack of a card": (war, "attack_dice_code", given(0, lambda dice: dice - 1)),
    "an Army without units": (war, "army_code", always(None)),
}
