"""The printed rules of Power Plays and battles, each a function or a table so that it can be broken by itself.

A refusal code is empty where nothing is barred, and ends with `FIRM` where no card can say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

FIRM = "!"
HOBBITS = ("frodo", "sam", "merry", "pippin")
RIDERS = ("br1", "br2", "br3", "br4")
CHARACTERS = (*HOBBITS, *RIDERS)
ATTACKER, DEFENDER = "attacker", "defender"
GOOD, EVIL, NEUTRAL = "good", "evil", "neutral"
KIND_OF_SIDE = {"hobbit": GOOD, "rider": EVIL}

PLAYERS_LEAST, PLAYERS_MOST = 2, 8
POWER_PLAYS = 2
"""RR-2: Power Plays a turn."""
MOST_POINTS = 5
"""RR-63: Battle Points each side may use in a battle."""
TURNS_IN_THE_HALLS = 4
MOST_ON_THE_TABLE = 7
"""Largest total the rulebook knows, where a card says otherwise: the printed rules end at five."""

# -- whose turn, and what is open in it -----------------------------------------------------------------------------


def kind(player: str) -> str:
    """Return ``hobbit`` or ``rider``."""
    return "hobbit" if player in HOBBITS else "rider"


def power_plays_left(used: int) -> int:
    """RR-2: what is left of the two."""
    return max(0, POWER_PLAYS - used)


def opening_code(what: str, used: int, stops: int, *, in_halls: bool) -> str:
    """RR-X20, RR-X02, RR-X05: why a Power Play cannot be begun at all."""
    if in_halls:
        return "RR-X20"
    if not power_plays_left(used):
        return "RR-X02"
    return "RR-X05" if what == "battle" and not stops else ""


LAYING = {"battle.attack", "battle.match", "battle.city", "battle.points"}
"""Questions about the next force."""


def foreign_code(question: str, by: str, attacker: str, defender: str) -> str:
    """RR-X01; RR-X21 for a side of a battle that lays a force while the other is asked for one."""
    return "RR-X21" if question in LAYING and by in {attacker, defender} else "RR-X01"


def target_code(target: str, user: str, players: Sequence[str], *, in_halls: bool) -> str:
    """RR-X09, RR-X20: why nothing can be done to that player."""
    if target == user or target not in players:
        return "RR-X09" + FIRM
    return "RR-X20" if in_halls else ""


def defender_code(exchange: str, *, battled: bool) -> str:
    """RR-X08, RR-X07, RR-X06: why a player who is in the game cannot be attacked; the first that fits."""
    if battled:
        return "RR-X08"
    return {"done": "", "no-cards": "RR-X07"}.get(exchange, "RR-X06")


def least(codes: Iterable[str]) -> str:
    """Return the code of the player who comes nearest to being attacked, empty if somebody can be.

    The printed rules say why nobody in particular can be attacked; the menu names one reason for all.
    """
    order = ("", "RR-X06", "RR-X07", "RR-X08", "RR-X20")
    return min(codes, key=order.index)


def exchange_code(exchange: str, *, near: bool) -> str:
    """RR-X06, RR-X21: why no Friendly Exchange with that player can be entered."""
    if not near:
        return "RR-X06"
    return "" if exchange == "unset" else "RR-X21"


def next_seat(players: Sequence[str], seat: str, conceded: Sequence[str]) -> tuple[str, bool]:
    """Return who is next in seating order, and whether a new round begins with him."""
    order = [each for each in players if each == seat or each not in conceded]
    at = order.index(seat) + 1
    following = order[at % len(order)] if at < len(order) else next(each for each in players if each not in conceded)
    return following, players.index(following) <= players.index(seat)


def out_of_the_halls(turns: int) -> bool:
    """A-RR14: who begins his fourth turn in the Halls leaves them."""
    return turns == TURNS_IN_THE_HALLS


def others(players: Sequence[str], seat: str) -> tuple[str, ...]:
    """Return the other players in seating order from ``seat`` on."""
    at = players.index(seat)
    return (*players[at + 1 :], *players[:at])


# -- Clairvoyance ---------------------------------------------------------------------------------------------------

CLAIRVOYANCE = ("wizard", "spy", "palantir", "elf-ring")


def resistible(card: str) -> bool:
    """RR-11, RR-13: whether its target may show one card in place of the hand."""
    return card in {"palantir", "elf-ring"}


def must_be_near(card: str) -> bool:
    """RR-7: whether the two markers must be near each other."""
    return card == "elf-ring"


def two_hands_code(used: int, in_game: int, outside: int) -> str:
    """RR-15: two hands are two Power Plays, and need two other players outside the Halls."""
    if power_plays_left(used) < 2:
        return "RR-X02" + (FIRM if in_game < 2 else "")
    if in_game < 2:
        return "RR-X09" + FIRM
    return "RR-X20" if outside < 2 else ""


def cost(hands: int) -> int:
    """RR-14: each attempt on a hand costs, resisted or not."""
    return hands


def hand_code(target: str, code: str, seen: Sequence[str], used: int) -> str:
    """RR-X02 before what else bars the target (``code``), then RR-X21: why the second hand cannot be his (A-RR12)."""
    if seen and not power_plays_left(used):
        return "RR-X02" + (FIRM if code.endswith(FIRM) else "")
    return code or ("RR-X21" if target in seen else "")


def second_hand(hands: int) -> bool:
    """RR-15: whether another hand is to be seen."""
    return hands > 0


# -- Riddles --------------------------------------------------------------------------------------------------------


def guesses(hand: int) -> int:
    """RR-21: titles that may be stated for a card of a hand of so many."""
    return 0 if hand == 0 else 1 if hand <= 2 else 2 if hand == 3 else 3


def riddle_code(hand: int) -> str:
    """RR-X16: an empty hand cannot be riddled."""
    return "" if hand else "RR-X16" + FIRM


def riddle_goes_on(hand: int) -> bool:
    """RR-23: another card may be tried while there is one."""
    return hand > 0


def stop_code(won: int) -> str:
    """RR-23: who has guessed right may stop."""
    return "" if won else "RR-X21" + FIRM


# -- taking a card --------------------------------------------------------------------------------------------------

TAKING = ("gollum", "bilbo", "shelob", "character")


def give_code(character: str, user: str, players: Sequence[str], *, in_halls: bool) -> str:
    """RR-X18, RR-X20: why the card cannot be given to the player it names."""
    if character == user or character not in players:
        return "RR-X18" + FIRM
    return "RR-X20" if in_halls else ""


def shelob_draws(players: Sequence[str], user: str, away: Sequence[str]) -> list[str]:
    """RR-32: from each of the other players, but for who is in the Halls or gone."""
    return [each for each in others(players, user) if each not in away]


# -- battles --------------------------------------------------------------------------------------------------------

FORCES = {
    "good-army": (GOOD, 1), "evil-army": (EVIL, 1), "neutral-army": (NEUTRAL, 1),
    "good-city": (GOOD, 1), "evil-city": (EVIL, 1), "neutral-city": (NEUTRAL, 1), "far-city": (NEUTRAL, 1),
    "strider": (GOOD, 2), "mouth-of-sauron": (EVIL, 2),
    "good-card": (GOOD, 2), "evil-card": (EVIL, 2),
    "the-ring": (NEUTRAL, 1), "own-character": ("", 1),
    "other-character": ("", 0), "no-points": ("", 0),
}  # fmt: skip
"""Kind and fewest points of each force that can be offered."""
BEARING_POINTS = ("good-card", "evil-card")
"""Cards whose points are asked."""
RETAINED = ("the-ring", "own-character")
"""RR-69: what goes back to the hand."""
LETTERS = tuple("abcdefghij")


def is_city(force: str) -> bool:
    return force.endswith("-city")


def force_kind(force: str, own: str) -> str:
    """RR-53, A-RR9: the kind of a force; a character card has the kind of its player (``hobbit``, ``rider``)."""
    return KIND_OF_SIDE[own] if force == "own-character" else FORCES[force][0]


def own_kind(side: str, defender: str) -> str:
    """RR-51, RR-52: Good or Evil, whichever this side may use; ``defender``: of which kind he is."""
    defends = KIND_OF_SIDE[defender]
    if side == DEFENDER:
        return defends
    return EVIL if defends == GOOD else GOOD


def may_use(force_of: str, side: str, defender: str) -> bool:
    """RR-50: Neutral forces are for both."""
    return force_of in {NEUTRAL, own_kind(side, defender)}


def once_only(force: str, side: str, laid: Iterable[tuple[str, str]]) -> bool:
    """Return whether that very card lies on the table; ``laid``: (side, force).

    The Ring, Strider and the Mouth of Sauron are one card each; each side has one character of its own.
    """
    if force == "own-character":
        return (side, force) in laid
    return force in {"the-ring", "strider", "mouth-of-sauron"} and any(force == each for _, each in laid)


def points_code(side: str, points: int, own: int, foe: int, *, overshoot: bool) -> str:
    """RR-X12, RR-X13: why so many points more are too many; ``own``, ``foe``: the totals so far."""
    if own + points > MOST_POINTS:
        return "RR-X12"
    return "RR-X13" if side == DEFENDER and own + points > foe and not overshoot else ""


def added(total: int, points: int) -> int:
    """Return a total with more points; a card may let a force pass, but never past what a side could lay."""
    return min(MOST_ON_THE_TABLE, total + points)


def force_code(
    side: str, force: str, own: str, defender: str, laid: Sequence[tuple[str, str]], totals: tuple[int, int],
    *, overshoot: bool,
) -> str:  # fmt: skip
    """RR-X21, X11, X10, X14, X12, X13: why a force cannot be laid; the first that fits.

    ``own``: kind of the player of this side. ``totals``: of this side, of the other.
    """
    if once_only(force, side, laid):
        return "RR-X21" + FIRM
    if FORCES[force][1] < 1:
        return "RR-X11" + FIRM
    if force == "neutral-city":
        return "RR-X14"
    if force == "far-city":
        return "RR-X14" + FIRM
    if not may_use(force_kind(force, own), side, defender):
        return "RR-X10"
    return points_code(side, FORCES[force][1], *totals, overshoot=overshoot)


def city_code(letter: str, used: Sequence[str]) -> str:
    """RR-X14: each city once a battle. A new one gets the next letter."""
    if letter in used:
        return "RR-X14"
    return "" if letter == next_letter(used) else "RR-X21" + FIRM


def next_letter(used: Sequence[str]) -> str:
    return next((each for each in LETTERS if each not in used), "")


def to_match(attacker: int, defender: int) -> bool:
    """RR-61: whether the defender has to match."""
    return attacker > defender


def all_matched(attacker: int, defender: int) -> bool:
    """RR-64: five points that are matched end the battle."""
    return attacker >= MOST_POINTS and not to_match(attacker, defender)


def discarded(forces: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """RR-69: cards that are discarded; cities are no cards."""
    return [(side, force) for side, force in forces if not is_city(force) and force not in RETAINED]


def returned(forces: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """RR-69, A-RR8: cards that go back to the hand."""
    return [(side, force) for side, force in forces if force in RETAINED]


def order_of_spoils(*, return_first: bool) -> list[str]:
    """RR-68, RR-69, A-RR7: what happens in which order after a victory."""
    return ["return", "take", "discard"] if return_first else ["take", "discard", "return"]


def to_the_halls(result: str) -> bool:
    """RR-68: who lost goes to the Halls; a tie sends nobody."""
    return result == "win"


# -- what a ruling rests on -----------------------------------------------------------------------------------------

TELLING = {
    *("RR-11", "RR-13", "RR-14", "RR-23", "RR-24", "RR-26", "RR-30", "RR-31", "RR-32", "RR-33", "RR-34", "RR-35"),
    *("RR-65", "RR-66", "RR-67", "RR-68", "RR-69", "A-RR1", "A-RR6", "A-RR15", "A-RR18"),
}  # fmt: skip
"""Rules that are compared: each ruling rests on those of them that `rests_on` has, and on no other of them."""


def rests_on(result: str, card: str = "", mode: str = "") -> set[str]:
    """Return which of the telling rules a ruling rests on."""
    if result in {"hand-seen", "resisted"}:
        return {"RR-14", "RR-11" if resistible(card) else "RR-13"}
    if mode:
        more = {"A-RR18"} if result == "nothing" else {"A-RR15"} if mode == "draw" else set()
        return {"RR-34", "RR-35"} | more
    return {
        "gollum": {"RR-30"}, "bilbo": {"RR-31", "A-RR1"}, "shelob": {"RR-32", "RR-33"},
        "right": {"RR-23", "RR-26"}, "wrong": {"RR-24", "RR-26"},
        "tie": {"RR-65", "RR-66", "RR-67", "RR-69"}, "win": {"RR-66", "RR-68", "RR-69"}, "no-battle": {"A-RR6"},
    }[card or result]  # fmt: skip


def changes(result: str, card: str, mode: str, numbers: Mapping[str, Any]) -> bool:
    """Return whether a card moves on the table, or somebody: Bilbo is discarded even in vain (A-RR1)."""
    if result == "nothing":
        return bool(mode) or card == "bilbo"
    if result == "tie":
        return bool(numbers["discard"])
    if result == "shelob":
        return "ordinary" in numbers["hit"].values()
    return result in {"taken", "right", "wrong", "win"}
