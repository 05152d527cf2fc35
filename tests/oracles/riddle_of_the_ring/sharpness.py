"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import side_by_side
from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.table import compared
from tests.oracles.side_by_side import Broken

BROKEN: Broken = {
    # turns and targets
    "three Power Plays a turn": ("POWER_PLAYS", lambda rule: 3),
    "three players at least": ("PLAYERS_LEAST", lambda rule: 3),
    "seven players at most": ("PLAYERS_MOST", lambda rule: 7),
    "Power Plays out of the Halls": (
        "opening_code",
        lambda rule: lambda what, used, stops, in_halls: rule(what, used, stops, in_halls=False),
    ),
    "oneself as target": (
        "target_code",
        lambda rule: lambda target, user, players, in_halls: rule(target, "", players, in_halls=in_halls),
    ),
    "a Friendly Exchange is not needed": (
        "defender_code",
        lambda rule: lambda exchange, battled: rule("done" if exchange == "unset" else exchange, battled=battled),
    ),
    "the nearest reason is the worst": ("least", lambda rule: lambda codes: max([*codes], key=str)),
    "exchanges with who is far": (
        "exchange_code",
        lambda rule: lambda exchange, near: rule(exchange, near=True),
    ),
    "turns go the other way": (
        "next_seat",
        lambda rule: lambda players, seat, conceded: rule(players[::-1], seat, conceded),
    ),
    "third turn in the Halls is the last": ("TURNS_IN_THE_HALLS", lambda rule: 3),
    "a side of a battle out of turn": (
        "foreign_code",
        lambda rule: lambda question, by, attacker, defender: "RR-X01",
    ),
    # Clairvoyance
    "a Palantir is not resisted": ("resistible", lambda rule: lambda card: card == "elf-ring"),
    "an Elf Ring reaches everywhere": ("must_be_near", lambda rule: lambda card: False),
    "two hands for one Power Play": (
        "two_hands_code",
        lambda rule: lambda used, in_game, outside: rule(max(0, used - 1), in_game, outside),
    ),
    "a hand costs two": ("cost", lambda rule: lambda hands: 2 * hands),
    "the same hand twice": (
        "hand_code",
        lambda rule: lambda target, code, seen, used: code if target in seen else rule(target, code, seen, used),
    ),
    "no second hand": ("second_hand", lambda rule: lambda hands: False),
    # Riddles
    "always three guesses": ("guesses", lambda rule: lambda hand: 3),
    "empty hands are riddled": ("riddle_code", lambda rule: lambda hand: ""),
    "one card a Riddle": ("riddle_goes_on", lambda rule: lambda hand: False),
    "no stop after a right guess": ("stop_code", lambda rule: lambda won: rule(0)),
    # taking a card
    "a card given to oneself": (
        "give_code",
        lambda rule: lambda character, user, players, in_halls: rule(character, "", players, in_halls=in_halls),
    ),
    "Shelob draws in the Halls": ("shelob_draws", lambda rule: lambda players, user, away: rule(players, user, ())),
    # battle forces
    "attackers use their own kind": (
        "own_kind",
        lambda rule: (
            lambda side, defender: rule("defender", defender) if side == "attacker" else rule(side, defender)
        ),
    ),
    "Neutral forces are nobody's": (
        "may_use",
        lambda rule: lambda force, side, defender: force != "neutral" and rule(force, side, defender),
    ),
    "The Ring is Evil": (
        "force_kind",
        lambda rule: lambda force, own: "evil" if force == "the-ring" else rule(force, own),
    ),
    "a card is laid twice": ("once_only", lambda rule: lambda force, side, laid: False),
    "six points": ("MOST_POINTS", lambda rule: 6),
    "the defender overbids": (
        "points_code",
        lambda rule: lambda side, points, own, foe, overshoot: rule(side, points, own, foe, overshoot=True),
    ),
    "Strider has one point": ("FORCES", lambda rule: {**rule, "strider": ("good", 1)}),
    "Neutral cities fight": (
        "force_code",
        lambda rule: (
            lambda side, force, *more, overshoot: rule(
                side, "neutral-army" if force == "neutral-city" else force, *more, overshoot=overshoot
            )
        ),
    ),
    "a city twice": ("city_code", lambda rule: lambda letter, used: "" if letter in used else rule(letter, used)),
    # the end of a battle
    "a match is not enough": ("to_match", lambda rule: lambda attacker, defender: attacker >= defender),
    "five matched points are not the end": ("all_matched", lambda rule: lambda attacker, defender: False),
    "all cards are discarded": ("RETAINED", lambda rule: ()),
    "cities are discarded": ("is_city", lambda rule: lambda force: False),
    "cards go back before the pick": (
        "order_of_spoils",
        lambda rule: lambda return_first: rule(return_first=True),
    ),
    "nobody goes to the Halls": ("to_the_halls", lambda rule: lambda result: False),
    # what changes, and why
    "a tie changes nothing": (
        "changes",
        lambda rule: lambda result, card, mode, numbers: result != "tie" and rule(result, card, mode, numbers),
    ),
    "every hand is seen by resistance": (
        "rests_on",
        lambda rule: (
            lambda result, card="", mode="": rule(result, "palantir" if card in rules.CLAIRVOYANCE else card, mode)
        ),
    ),
}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    return side_by_side.unnoticed(rules, BROKEN, compared, answers, seed)
