"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import sharpness
from tests.oracles.riddle_of_the_ring import rules
from tests.oracles.riddle_of_the_ring.table import compared
from tests.oracles.sharpness import Broken

BROKEN: Broken = {
    # turns and targets
    "three Power Plays a turn": ("POWER_PLAYS", lambda rule: 3),
    "one Power Play a turn": ("POWER_PLAYS", lambda rule: 1),
    "three players at least": ("PLAYERS_LEAST", lambda rule: 3),
    "seven players at most": ("PLAYERS_MOST", lambda rule: 7),
    "Power Plays out of the Halls": (
        "opening_code",
        lambda rule: lambda what, used, stops, in_halls: rule(what, used, stops, in_halls=False),
    ),
    "battles before the first move": (
        "opening_code",
        lambda rule: lambda what, used, stops, in_halls: rule(what, used, 1, in_halls=in_halls),
    ),
    "nothing before the first move": (
        "opening_code",
        lambda rule: lambda what, used, stops, in_halls: rule("battle", used, stops, in_halls=in_halls),
    ),
    "a battle before moving is barred for its Power Plays last": (
        "opening_code",
        lambda rule: (
            lambda what, used, stops, in_halls: (
                "RR-X05"
                if what == "battle" and not stops and not in_halls
                else rule(what, used, stops, in_halls=in_halls)
            )
        ),
    ),
    "oneself as target": (
        "target_code",
        lambda rule: lambda target, user, players, in_halls: rule(target, "", players, in_halls=in_halls),
    ),
    "targets in the Halls": (
        "target_code",
        lambda rule: lambda target, user, players, in_halls: rule(target, user, players, in_halls=False),
    ),
    "a Friendly Exchange is not needed": (
        "defender_code",
        lambda rule: lambda exchange, battled: rule("done" if exchange == "unset" else exchange, battled=battled),
    ),
    "players without cards are attacked": (
        "defender_code",
        lambda rule: lambda exchange, battled: rule("done" if exchange == "no-cards" else exchange, battled=battled),
    ),
    "the same player twice": ("defender_code", lambda rule: lambda exchange, battled: rule(exchange, battled=False)),
    "want of cards before an earlier battle": (
        "defender_code",
        lambda rule: lambda exchange, battled: rule(exchange, battled=False) or rule(exchange, battled=battled),
    ),
    "the nearest reason is the worst": ("least", lambda rule: lambda codes: max([*codes], key=str)),
    "exchanges with who is far": (
        "exchange_code",
        lambda rule: lambda exchange, near: rule(exchange, near=True),
    ),
    "a second exchange at one stop": ("exchange_code", lambda rule: lambda exchange, near: rule("unset", near=near)),
    "turns go the other way": (
        "next_seat",
        lambda rule: lambda players, seat, conceded: rule(players[::-1], seat, conceded),
    ),
    "third turn in the Halls is the last": ("TURNS_IN_THE_HALLS", lambda rule: 3),
    "a side of a battle out of turn": (
        "foreign_code",
        lambda rule: lambda question, by, attacker, defender: "RR-X01",
    ),
    "a third player in a battle is one of its sides": (
        "foreign_code",
        lambda rule: lambda question, by, attacker, defender: rule(question, attacker, attacker, defender),
    ),
    # Clairvoyance
    "a Palantir is not resisted": ("resistible", lambda rule: lambda card: card == "elf-ring"),
    "an Elf Ring is not resisted": ("resistible", lambda rule: lambda card: card == "palantir"),
    "a Spy is resisted": ("resistible", lambda rule: lambda card: card == "spy" or rule(card)),
    "a Wizard is resisted": ("resistible", lambda rule: lambda card: card == "wizard" or rule(card)),
    "an Elf Ring reaches everywhere": ("must_be_near", lambda rule: lambda card: False),
    "a Palantir must be near": ("must_be_near", lambda rule: lambda card: card == "palantir" or rule(card)),
    "two hands for one Power Play": (
        "two_hands_code",
        lambda rule: lambda used, in_game, outside: rule(max(0, used - 1), in_game, outside),
    ),
    "two hands of one player": ("two_hands_code", lambda rule: lambda used, in_game, outside: rule(used, 2, 2)),
    "the second player before the second Power Play": (
        "two_hands_code",
        lambda rule: lambda used, in_game, outside: rule(0 if in_game < 2 else used, in_game, outside),
    ),
    "a hand costs two": ("cost", lambda rule: lambda hands: 2 * hands),
    "the same hand twice": (
        "hand_code",
        lambda rule: lambda target, code, seen, used: code if target in seen else rule(target, code, seen, used),
    ),
    "no second hand": ("second_hand", lambda rule: lambda hands: False),
    # Riddles
    "always three guesses": ("guesses", lambda rule: lambda hand: 3),
    "two guesses for a hand of two": ("guesses", lambda rule: lambda hand: 2 if hand == 2 else rule(hand)),
    "three guesses for a hand of three": ("guesses", lambda rule: lambda hand: 3 if hand == 3 else rule(hand)),
    "two guesses for a hand of four": ("guesses", lambda rule: lambda hand: 2 if hand == 4 else rule(hand)),
    "empty hands are riddled": ("riddle_code", lambda rule: lambda hand: ""),
    "one card a Riddle": ("riddle_goes_on", lambda rule: lambda hand: False),
    "a Riddle goes on with an empty hand": ("riddle_goes_on", lambda rule: lambda hand: True),
    "no stop after a right guess": ("stop_code", lambda rule: lambda won: rule(0)),
    "a stop before the first guess": ("stop_code", lambda rule: lambda won: rule(1)),
    # taking a card
    "a card given to oneself": (
        "give_code",
        lambda rule: lambda character, user, players, in_halls: rule(character, "", players, in_halls=in_halls),
    ),
    "a card given to nobody": (
        "give_code",
        lambda rule: (
            lambda character, user, players, in_halls: rule(character, user, [*players, character], in_halls=in_halls)
        ),
    ),
    "a card given into the Halls": (
        "give_code",
        lambda rule: lambda character, user, players, in_halls: rule(character, user, players, in_halls=False),
    ),
    "Shelob draws in the Halls": ("shelob_draws", lambda rule: lambda players, user, away: rule(players, user, ())),
    "Shelob draws from one": ("shelob_draws", lambda rule: lambda players, user, away: rule(players, user, away)[:1]),
    # battle forces
    "attackers use their own kind": (
        "own_kind",
        lambda rule: (
            lambda side, defender: rule("defender", defender) if side == "attacker" else rule(side, defender)
        ),
    ),
    "defenders use the other kind": ("own_kind", lambda rule: lambda side, defender: rule("attacker", defender)),
    "Neutral forces are nobody's": (
        "may_use",
        lambda rule: lambda force, side, defender: force != "neutral" and rule(force, side, defender),
    ),
    "Neutral forces are the attacker's": (
        "may_use",
        lambda rule: (
            lambda force, side, defender: rule(force, side, defender) and (force != "neutral" or side == "attacker")
        ),
    ),
    "any kind of force": ("may_use", lambda rule: lambda force, side, defender: True),
    "The Ring is Evil": (
        "force_kind",
        lambda rule: lambda force, own: "evil" if force == "the-ring" else rule(force, own),
    ),
    "characters are Good": (
        "force_kind",
        lambda rule: lambda force, own: "good" if force == "own-character" else rule(force, own),
    ),
    "a card is laid twice": ("once_only", lambda rule: lambda force, side, laid: False),
    "The Ring on both sides": (
        "once_only",
        lambda rule: lambda force, side, laid: rule(force, side, [each for each in laid if each[0] == side]),
    ),
    "six points": ("MOST_POINTS", lambda rule: 6),
    "four points": ("MOST_POINTS", lambda rule: 4),
    "the defender overbids": (
        "points_code",
        lambda rule: lambda side, points, own, foe, overshoot: rule(side, points, own, foe, overshoot=True),
    ),
    "the switch for overbidding is idle": (
        "points_code",
        lambda rule: lambda side, points, own, foe, overshoot: rule(side, points, own, foe, overshoot=False),
    ),
    "the attacker is bound by the defender's points": (
        "points_code",
        lambda rule: (
            lambda side, points, own, foe, overshoot: rule("defender", points, own, foe, overshoot=overshoot)
        ),
    ),
    "overbidding before five points": (
        "points_code",
        lambda rule: (
            lambda side, points, own, foe, overshoot: (
                "RR-X13"
                if side == "defender" and own + points > foe and not overshoot
                else rule(side, points, own, foe, overshoot=overshoot)
            )
        ),
    ),
    "Strider has one point": ("FORCES", lambda rule: {**rule, "strider": ("good", 1)}),
    "the Mouth of Sauron has three points": ("FORCES", lambda rule: {**rule, "mouth-of-sauron": ("evil", 3)}),
    "a Neutral Army has two points": ("FORCES", lambda rule: {**rule, "neutral-army": ("neutral", 2)}),
    "cards without points are laid": ("FORCES", lambda rule: {**rule, "no-points": ("neutral", 1)}),
    "cities have two points": (
        "FORCES",
        lambda rule: {**rule, "good-city": ("good", 2), "evil-city": ("evil", 2)},
    ),
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
    "one point less is a match": ("to_match", lambda rule: lambda attacker, defender: attacker > defender + 1),
    "five matched points are not the end": ("all_matched", lambda rule: lambda attacker, defender: False),
    "four matched points are the end": (
        "all_matched",
        lambda rule: lambda attacker, defender: rule(attacker + 1, defender + 1),
    ),
    "all cards are discarded": ("RETAINED", lambda rule: ()),
    "The Ring is discarded": ("RETAINED", lambda rule: ("own-character",)),
    "own characters are discarded": ("RETAINED", lambda rule: ("the-ring",)),
    "Strider goes back": ("RETAINED", lambda rule: (*rule, "strider")),
    "cities are discarded": ("is_city", lambda rule: lambda force: False),
    "cards go back before the pick": (
        "order_of_spoils",
        lambda rule: lambda return_first: rule(return_first=True),
    ),
    "cards go back after the pick": (
        "order_of_spoils",
        lambda rule: lambda return_first: rule(return_first=False),
    ),
    "nobody goes to the Halls": ("to_the_halls", lambda rule: lambda result: False),
    "a tie sends to the Halls": ("to_the_halls", lambda rule: lambda result: result in {"win", "tie"}),
    # what changes, and why
    "a tie changes nothing": (
        "changes",
        lambda rule: lambda result, card, mode, numbers: result != "tie" and rule(result, card, mode, numbers),
    ),
    "Bilbo stays in the hand": (
        "changes",
        lambda rule: lambda result, card, mode, numbers: rule(result, "", mode, numbers),
    ),
    "The Ring and Gollum are discarded by Shelob": (
        "changes",
        lambda rule: lambda result, card, mode, numbers: result == "shelob" or rule(result, card, mode, numbers),
    ),
    "every hand is seen by resistance": (
        "rests_on",
        lambda rule: (
            lambda result, card="", mode="": rule(result, "palantir" if card in rules.CLAIRVOYANCE else card, mode)
        ),
    ),
    "a card that is given rests on the discard": (
        "rests_on",
        lambda rule: lambda result, card="", mode="": rule(result, card, "draw" if mode else ""),
    ),
    "a victory rests on the rules of a tie": (
        "rests_on",
        lambda rule: lambda result, card="", mode="": rule("tie" if result == "win" else result, card, mode),
    ),
}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    return sharpness.unnoticed(rules, BROKEN, compared, answers, seed)
