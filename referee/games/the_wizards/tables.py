"""The tables of combat and corruption, their exact odds, how they are told, and every rule in one line."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TypedDict

from referee.rulebook import Cell, Chance, Choose, Odds, Option, Options, Short, throw_odds

UNTAPPED, TAPPED, WOUNDED = "untapped", "tapped", "wounded"
STATUS_PROWESS = {UNTAPPED: 0, TAPPED: -1, WOUNDED: -2}
STAYS_PROWESS = -3

FAILS, INEFFECTUAL, SUCCESSFUL = "fails", "ineffectual", "successful"
RESULTS: dict[str, str] = {
    "defeated": Short("Strike out", "The strike is defeated"),
    "not-defeated": "Fended off",
    "ineffectual": "Tie",
    "wounded": "Wounded",
    "eliminated": "Eliminated",
}
"""How a strike can end, with the words for odds and headlines."""
NO_BODY = 0
"""Body of a strike whose card shows "-"."""


def outcome(total: int, against: int) -> str:
    """Return what a strike of prowess ``against`` does to a target with a ``total`` of dice and prowess (ME-23)."""
    if total > against:
        return FAILS
    return INEFFECTUAL if total == against else SUCCESSFUL


def fails_check(thrown: int, body: int, *, wounded: bool = False) -> bool:
    """Whether two dice beat the body (ME-24, ME-25); ``wounded``: a character who was wounded before (+1)."""
    return thrown + wounded > body


def status_after(before: str, result: str, *, stays: bool = False) -> str:
    """Return the target's status after the strike (ME-12, ME-23); ``result`` is an outcome, or "cancelled"."""
    if result == SUCCESSFUL:
        return WOUNDED
    if result == "cancelled" or before != UNTAPPED or stays:
        return before
    return TAPPED


def needed(modified: int, against: int) -> int:
    """Return the lowest sum of two dice that beats the strike; 2 or less: any, over 12: none."""
    return against - modified + 1


@lru_cache(maxsize=256)
def final_odds(modified: int, against: int, strike_body: int, body: int, wounded: bool) -> Odds:  # noqa: FBT001
    """Return the chances of one strike, body checks included, in 1296ths.

    ``modified``     prowess of the target, all changes included; ``body``: of the target
    ``against``      prowess of the strike; ``strike_body``: its body, `NO_BODY` if it has none
    ``wounded``      whether the target was wounded before

    >>> [c.out_of_36 for c in final_odds(4, 7, 0, 7, False)]
    ['33/36', '2/36', '7/432', '5/432']
    """
    weights = dict.fromkeys(RESULTS, 0)
    throws = list(product(range(1, 7), repeat=2))
    for faces in throws:
        kind = outcome(sum(faces) + modified, against)
        for check in throws:
            weights[result(kind, sum(check), strike_body, body, wounded=wounded)] += 1
    named = RESULTS if strike_body else {r: t for r, t in RESULTS.items() if r != "not-defeated"}
    return tuple(Chance(r, text, Fraction(weights[r], len(throws) ** 2)) for r, text in named.items())


def result(kind: str, check: int, strike_body: int, body: int, *, wounded: bool) -> str:
    """Return how a strike ends, one of `RESULTS`, from its outcome and the two dice of a body check (0: none due)."""
    if kind == INEFFECTUAL:
        return INEFFECTUAL
    if kind == SUCCESSFUL:
        return "eliminated" if fails_check(check, body, wounded=wounded) else "wounded"
    if strike_body == NO_BODY or fails_check(check, strike_body):
        return "defeated"
    return "not-defeated"


def check_due(kind: str, strike_body: int, body: int, *, wounded: bool) -> bool:
    """Whether a body check follows: of a target that was struck, or a failed strike with a body.

    None is thrown for a body that no two dice beat.
    """
    if kind == SUCCESSFUL:
        return fails_check(12, body, wounded=wounded)
    return kind == FAILS and strike_body != NO_BODY and fails_check(12, strike_body)


CHECK_NAMES = {
    "character": {"eliminated": "Eliminated", "survives": "Survives"},
    "strike": {"defeated": RESULTS["defeated"], "survives": "Fended off"},
}


def check_result(of: str, thrown: int, body: int, *, wounded: bool = False) -> str:
    """Return "survives", or what happens to the body: "eliminated" for a character, "defeated" for a strike."""
    if not fails_check(thrown, body, wounded=wounded):
        return "survives"
    return "eliminated" if of == "character" else "defeated"


@lru_cache(maxsize=256)
def check_odds(of: str, body: int, wounded: bool = False) -> Odds:  # noqa: FBT001, FBT002
    """Return the chances of one body check, in 36ths. ``of``: character or strike."""
    return throw_odds(2, lambda f: check_result(of, sum(f), body, wounded=wounded), CHECK_NAMES[of])


def hazard_limit(halves: int) -> int:
    """Return the hazard limit (ME-50) of a company of so many half characters: rounded up, two at least."""
    return max(2, (halves + 1) // 2)


def strike_table() -> tuple[Cell, ...]:
    """Return the strike table: by how much the strike is stronger, against one without body; target's body 7 to 9."""
    return tuple(
        Cell(
            f"strike {ahead:+d}",
            f"body {body}",
            final_odds(0, ahead, NO_BODY, body, False),
            ruling="strike",
            answers=("other", "0", str(body), str(ahead), "tap"),
        )
        for ahead in range(2, 13)
        for body in (7, 8, 9)
    )


def check_table() -> tuple[Cell, ...]:
    """Return the body checks: by body, for a character, one wounded before, and a strike."""
    columns = (("character", False), ("character", True), ("strike", False))
    return tuple(
        Cell(
            f"body {body}",
            f"{of}{', wounded before' if wounded else ''}",
            check_odds(of, body, wounded),
            ruling="body-check",
            answers=("wounded" if wounded else of, str(body)),
        )
        for body in range(2, 13)
        for of, wounded in columns
    )


# -- corruption checks: what a throw comes to, and the exact odds

CORRUPTION = {"safe": "Safe", "discarded": "Discarded", "eliminated": "Eliminated"}


def corruption_outcome(total: int, points: int) -> str:
    """Return what a total with its modifiers does to a character with so many points (ME-63 to ME-65)."""
    if total > points:
        return "safe"
    return "discarded" if total >= points - 1 else "eliminated"


@lru_cache(maxsize=256)
def corruption_odds(points: int, modifier: int = 0) -> Odds:
    """Return the chances of one check, in 36ths."""
    return throw_odds(2, lambda faces: corruption_outcome(sum(faces) + modifier, points), CORRUPTION)


def corruption_table() -> tuple[Cell, ...]:
    """Return the odds of checks without a modifier, for 0 to 14 corruption points."""
    return tuple(
        Cell(f"corruption points {points}", "2 dice", corruption_odds(points), "", "corruption-check", (str(points),))
        for points in range(15)
    )


# -- options that several sections share: numbers, signed numbers, people


class Wanted(TypedDict):
    """What a `Roll` says of the dice before they fall."""

    need: str
    need_note: str
    foot: tuple[str, str]


@lru_cache(maxsize=256)
def numbers(low: int, high: int, *also: Option) -> Options:
    """Return whole numbers as options, then what else can be answered."""
    return Options((*(Option(str(n), str(n)) for n in range(low, high + 1)), *also))


def signed(low: int, high: int, *also: Option) -> Options:
    """Return signed numbers as options, then what else can be answered."""
    return Options((*(Option(sign(n), sign(n)) for n in range(low, high + 1)), *also))


def ask_number(
    key: str, text: str, among: Options, now: object, rule: str, head: str, tag: str, seat: str | None = None
) -> Choose:
    """Return a question for a number that begins at the one it is ``now``."""
    default = str(now) if str(now) in among.by_id else f"+{now}"
    return Choose(key, text, among, default=default, rule=rule, head=head, tag=tag, seat=seat)


def strikes(count: int) -> str:
    """Write a number of strikes."""
    return f"{count} strike" if count == 1 else f"{count} strikes"


def at_least(total: int) -> str:
    """Write the lowest sum of two dice that will do.

    >>> at_least(2), at_least(9), at_least(13)
    ('any', '9+', 'never')
    """
    return ANY if total <= 2 else "never" if total > 12 else f"{total}+"


ANY = Short("any", "any throw")


def points(count: int) -> Short:
    """Write a number of corruption points."""
    return Short(f"{count} CP", "1 corruption point" if count == 1 else f"{count} corruption points")


def sign(value: int) -> str:
    """Return a number with its sign, 0 without one."""
    return f"{value:+d}" if value else "0"


def spoken(value: int) -> str:
    """Return a number in words that a sentence takes: "4", "minus 3"."""
    return f"minus {-value}" if value < 0 else str(value)


def added(value: int) -> str:
    """Return a modifier in words: "plus 4", "minus 3"."""
    return spoken(value) if value < 0 else f"plus {value}"


def values(prowess: int, body: int) -> Short:
    """Return prowess and body as the cards print them: "7/-", "4/7"."""
    return Short(f"{prowess}/{body or '-'}", f"prowess {prowess}, {f'body {body}' if body else 'no body'}")


# -- every rule of the two chapters, one short line each

RULES = {
    "ME-1": "Combat comes from a creature, from a site's automatic-attack or from another card",
    "ME-2": "An attack has one strike or more; one target each, one strike a character",
    "ME-3": "The defender may first give strikes to untapped characters, or hold back",
    "ME-4": "The attacker then gives the strikes left over to anybody without one",
    "ME-5": "Strikes beyond the number of characters are -1s for the attacker to place",
    "ME-6": "Cards on the number of strikes come before the first target is named",
    "ME-10": "Tapped: -1. Wounded: -2 instead",
    "ME-11": "A target taps once his strike is resolved",
    "ME-12": "An untapped target may take -3 and stay untapped, unless he is wounded",
    "ME-13": "One resource that needs a skill per strike; others without limit",
    "ME-14": "An untapped companion without a strike may tap: +1 to the target",
    "ME-20": "One strike at a time, in the order the defender chooses",
    "ME-21": "Before the dice: hazards, then spare strikes, then the -3, then resources",
    "ME-22": "Two dice and prowess against the prowess of the strike",
    "ME-23": "More: it fails. Equal: nothing. Less: the target is wounded, body check",
    "ME-24": "A failed strike is defeated if it has no body or two dice beat its body",
    "ME-25": "Two dice, +1 if wounded before, above the body: the character is eliminated",
    "ME-30": "An attack is defeated if every strike of it is",
    "ME-31": "A defeated creature gives the defender its marshalling points",
    "ME-32": "With several attacks on its card, all of them must be defeated",
    "ME-33": "One strike cancelled or ineffectual, and the attack is not defeated",
    "ME-34": "A cancelled attack does nothing to the company",
    "ME-50": "Hazard limit: size of the company, a Hobbit half, rounded up; 2 at least",
    "ME-51": "Every hazard card counts, on a strike too, cancelled or not",
    "ME-52": "An attack was faced even if it was cancelled",
    "ME-53": "The region a creature is keyed to decides what cancels it",
    "ME-54": "At a Haven the wounded can heal as the next turn begins",
    "ME-60": "Corruption points: the sum of the cards under a character",
    "ME-61": "One corruption card a turn on one character",
    "ME-62": "Corruption check: two dice and all modifiers",
    "ME-63": "More than the points: nothing happens",
    "ME-64": "The points or one less: discard him and his cards, not followers",
    "ME-65": "Less than that: eliminated; discard his cards, not followers",
    "ME-66": "If it was a Wizard, that player loses at once",
    "ME-67": "Signed numbers on cards are modifiers of a check, not points",
}
