"""The tables of combat: prowess of the target, what a strike comes to, body checks, and their exact odds."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

from referee.rulebook import Cell, Chance, Odds, Short, throw_odds

UNTAPPED, TAPPED, WOUNDED = "untapped", "tapped", "wounded"
STATUSES = (UNTAPPED, TAPPED, WOUNDED)
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


def check_due(kind: str, strike_body: int) -> bool:
    """Whether a body check follows: for a wounded target always, for a failed strike if it has a body."""
    return kind == SUCCESSFUL or (kind == FAILS and strike_body != NO_BODY)


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
    """Return the chances of one body check, in 36ths. ``of``: character or strike.

    >>> check_odds("character", 7)[0].out_of_36
    '15/36'
    """
    return throw_odds(2, lambda f: check_result(of, sum(f), body, wounded=wounded), CHECK_NAMES[of])


def hazard_limit(halves: int) -> int:
    """Return the hazard limit (ME-50) of a company of so many half characters: rounded up, two at least.

    >>> hazard_limit(9)
    5
    """
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
