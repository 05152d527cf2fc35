"""The printed rules of attacks and corruption, each a function of its own so that it can be broken by itself.

Refusal codes are None where nothing is barred. A status is ``untapped``, ``tapped`` or ``wounded``. A strike's body
of 0 stands for the printed "-".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product

UNTAPPED, TAPPED, WOUNDED = "untapped", "tapped", "wounded"
TAP, STAY = "tap", "stay"
HAZARDS, EXCESS, STANCE, RESOURCES = 1, 2, 3, 4
"""The order in which the factors of a strike are settled (ME-21)."""
NAMED = {"bilbo": (1, 9), "balin": (4, 7), "bofur": (4, 7), "beretar": (5, 8), "beregond": (4, 8)}
"""The company of the printed example: prowess and body."""
HOBBITS = ("bilbo", "frodo", "sam", "merry", "pippin")
WIZARDS = ("gandalf", "saruman", "radagast", "alatar", "pallando")
NAMES = (*NAMED, *HOBBITS[1:], *WIZARDS, "aragorn", "elrond", "galadriel")
THROWS = tuple(sum(faces) for faces in product(range(1, 7), repeat=2))


# -- players ------------------------------------------------------------------------------------------------------


def next_player(players: int, lost: Collection[str], player: str) -> str:
    """The turn goes round the table, past those who have lost."""
    number = int(player.removeprefix("player-"))
    round_ = [f"player-{(number + step) % players + 1}" for step in range(players)]
    return next(each for each in round_ if each not in lost)


def attacks(players: int, lost: Collection[str], player: str) -> str:
    """The next player attacks, until the table says another one does."""
    return next_player(players, lost, player)


def untaps(owner: str, player: str) -> bool:
    """Whether the characters of ``owner`` untap in a new turn of ``player``."""
    return owner == player


# -- companies and hazards ----------------------------------------------------------------------------------------


def hazard_limit(others: int, hobbits: int) -> int:
    """ME-50: the size rounded up, a Hobbit being half; two at least."""
    return max(2, others + (hobbits + 1) // 2)


def is_hazard(source: str) -> bool:
    """ME-51: creatures and hazard events count against the limit, and what stands on the site does not."""
    return source in {"creature", "creature-again", "hazard"}


def hazard_code(played: int, limit: int) -> str | None:
    """ME-X01: no hazard beyond the limit."""
    return "ME-X01" if played >= limit else None


def card_code(had: bool) -> str | None:
    """ME-X11: one corruption card a character and turn."""
    return "ME-X11" if had else None


def in_new_turn(status: str, untap: bool) -> str:
    """ME-10: who is tapped untaps if the table says so; the wounded stay wounded."""
    return UNTAPPED if untap and status == TAPPED else status


def after_new_turn(hazards: int) -> int:
    """ME-T33: nothing has been played in a new turn."""
    return 0


# -- assigning strikes --------------------------------------------------------------------------------------------


def all_are_targets(strikes: int, characters: int) -> bool:
    """ME-2, ME-S3: with as many strikes as characters there is nothing to decide."""
    return strikes >= characters


def spare(strikes: int, targets: int) -> int:
    """ME-5: strikes beyond one for each character."""
    return max(0, strikes - targets)


def target_code(status: str, has_strike: bool, by_defender: bool) -> str | None:
    """ME-X03 before ME-X02: one strike a character, and the defender gives them to the untapped only."""
    if has_strike:
        return "ME-X03"
    return "ME-X02" if by_defender and status != UNTAPPED else None


def defender_assigns(card_says_attacker: bool, gave_up: bool, untapped: int) -> bool:
    """ME-3, ME-T34: the defender first, as long as he has somebody untapped and has not left the rest."""
    return not card_says_attacker and not gave_up and untapped > 0


def ends_defenders_right(by_attacker: bool) -> bool:
    """ME-T34: the attacker's first pick ends the defender's right to assign."""
    return by_attacker


# -- a strike -----------------------------------------------------------------------------------------------------


def step_code(step: int, stage: int) -> str | None:
    """ME-X10: nobody goes back to an earlier step."""
    return "ME-X10" if stage > step else None


def spare_code(number: int, left: int) -> str | None:
    """ME-X06: no more spare strikes than are left."""
    return "ME-X06" if number > left else None


def forced(switch: bool, strikes_left: int) -> bool:
    """ME-A2: whether the table lets all that is spare fall on this strike, the last."""
    return switch and strikes_left == 1


def stay_code(status: str) -> str | None:
    """ME-X07: only who is untapped can take -3."""
    return "ME-X07" if status != UNTAPPED else None


def support_code(status: str, is_target: bool) -> str | None:
    """ME-X08: only who is untapped and no target of the attack supports."""
    return "ME-X08" if is_target or status != UNTAPPED else None


def skill_code(skills: int) -> str | None:
    """ME-X09: one resource that needs a skill a strike."""
    return "ME-X09" if skills >= 1 else None


def of_status(status: str) -> int:
    """ME-10: prowess lost by being tapped or wounded."""
    return {UNTAPPED: 0, TAPPED: -1, WOUNDED: -2}[status]


def of_staying(status: str, stance: str) -> int:
    """ME-12: prowess lost by an untapped target that does not tap."""
    return -3 if stance == STAY and status == UNTAPPED else 0


def of_spare(excess: int) -> int:
    """ME-5: prowess lost by spare strikes put on the target."""
    return -excess


def of_support(supporters: int) -> int:
    """ME-14: prowess won by supporters."""
    return supporters


def after_support(status: str) -> str:
    """A-ME4: a supporter taps at once; whom a card lets support though he is wounded stays wounded (A-ME20)."""
    return TAPPED if status == UNTAPPED else status


def of_cards(modifiers: int) -> int:
    """ME-13: hazards and resources add up as they are signed."""
    return modifiers


def outcome(total: int, against: int) -> str:
    """ME-23: what becomes of a strike."""
    if total > against:
        return "fails"
    return "ineffectual" if total == against else "successful"


def has_body(body: int) -> bool:
    """ME-24: a strike without a body needs no check to be defeated."""
    return body > 0


def beats_strike(total: int, body: int) -> bool:
    """ME-24: more than the strike's body."""
    return total > body


def beats_character(total: int, body: int, was_wounded: bool) -> bool:
    """ME-25: more than the character's body, with +1 for who was wounded before."""
    return total + (1 if was_wounded else 0) > body


def checks(of_strike: bool) -> str:
    """ME-24, ME-25: who throws for a body check."""
    return "defender" if of_strike else "attacker"


def after_strike(result: str, status: str, stance: str) -> str:
    """ME-11, ME-12: the status of a target whose strike is resolved."""
    if result == "successful":
        return WOUNDED
    return TAPPED if status == UNTAPPED and stance != STAY else status


def after_cancelled(status: str) -> str:
    """ME-33: a strike that is cancelled taps nobody."""
    return status


# -- an attack ----------------------------------------------------------------------------------------------------


def defeated(results: Collection[str]) -> bool:
    """ME-30, ME-33: every strike that was made is defeated, and there was one."""
    return bool(results) and all(result == "defeated" for result in results)


def gives_points(source: str, number: int, attacks: int, all_beaten: bool) -> bool:
    """ME-31, ME-32: a creature all of whose attacks are defeated."""
    return source == "creature" and number == attacks and all_beaten


def marshalling(before: int, points: int) -> int:
    """ME-31: the points of the creature are added to those of the player whose company it attacked."""
    return before + points


def controller_of(follower: str, gone: str) -> str:
    """ME-64, ME-65: a follower stays where its controller goes, and follows nobody."""
    return "" if follower == gone else follower


def faced_when_cancelled() -> bool:
    """ME-52: an attack has been faced even if it was cancelled."""
    return True


# -- corruption ---------------------------------------------------------------------------------------------------


def corruption(total: int, points: int) -> str:
    """ME-63 to ME-65: safe above the points, discarded at the points or one below, else eliminated."""
    if total > points:
        return "safe"
    return "discarded" if total >= points - 1 else "eliminated"


def added(modifier: int, another: int) -> int:
    """ME-T35: modifiers of a check add up."""
    return modifier + another


def loses_game(result: str, wizard: bool) -> bool:
    """ME-66: a corrupted Wizard loses the game."""
    return wizard and result != "safe"


def points_after(points: int, card: int) -> int:
    """ME-60: a character's points are the sum of his cards'."""
    return points + card


def points_without(points: int, card: int) -> int:
    """ME-60, ME-67: a card that goes takes its points along."""
    return max(0, points - card)


def lasting(kept: int, entered: int, by_hazards: int) -> int:
    """ME-67: what was entered at the first check lasts, but not what hazards added."""
    return kept or entered - by_hazards


# -- throws -------------------------------------------------------------------------------------------------------


def dice_code(faces: Collection[int]) -> str | None:
    """ME-X12: two dice from 1 to 6."""
    return None if len(faces) == 2 and all(1 <= face <= 6 for face in faces) else "ME-X12"


def distribution(results: Collection[tuple[str, int]]) -> Mapping[str, int]:
    """Add up weights by result; what cannot happen is left out."""
    weights: dict[str, int] = {}
    for result, weight in results:
        weights[result] = weights.get(result, 0) + weight
    return {result: weight for result, weight in weights.items() if weight}
