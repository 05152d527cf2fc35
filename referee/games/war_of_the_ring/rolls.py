"""Steps 2 and 3: the Combat roll and the Leader re-roll, as faces or as hits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from referee.games.war_of_the_ring.dice import count_hits, hit_odds, need, plural
from referee.games.war_of_the_ring.state import WarGame, dice_of
from referee.games.war_of_the_ring.tables import MOST_DICE, SIDES
from referee.rulebook import Count, Odds, Procedure, Roll, section


def throw(
    game: WarGame,
    key: str,
    dice: int,
    aim: Callable[[], tuple[int, int]],
    *,
    seat: str,
    rule: str,
    head: str,
    foot: tuple[str, str],
    low: int | None = None,
    code: str = "WR-X01",
) -> Procedure[tuple[tuple[int, ...], int]]:
    """Ask for a throw, its faces or the number of hits; return the faces (none if only hits were told) and hits.

    ``aim`` tells number to hit and modifier, before the throw and again when it counts.
    """
    number, modifier = aim()
    odds = partial(_odds, dice, aim)
    if game.dice_entry == "hits":
        hits = yield Count(
            f"{key}.hits",
            f"{head}: how many hits?",
            0,
            dice,
            default=0,
            unit=f"of {dice}, {need(number, modifier)}",
            seat=seat,
            rule=rule,
            head=head,
            tag="hits",
            odds=odds,
        )
        return (), hits
    faces = yield Roll(
        f"{key}.roll",
        f"{head}: throw {dice} dice" if dice > 1 else f"{head}: throw one die",
        dice,
        low=low,
        code=code,
        face_code="WR-X02",
        need=need(number, modifier),
        need_note="hits",
        foot=foot,
        odds=odds,
        seat=seat,
        rule=rule,
        head=head,
    )
    return faces, count_hits(faces, *aim())


def _odds(dice: int, aim: Callable[[], tuple[int, int]]) -> Odds:
    return hit_odds(dice, *aim())


def combat_aim(game: WarGame, side: str) -> tuple[int, int]:
    """Return number to hit and modifier of a side's Combat roll."""
    return game.combat_number(side), game.armies[side].combat_modifier


def reroll_aim(game: WarGame, side: str) -> tuple[int, int]:
    """Return number to hit and modifier of a side's Leader re-roll."""
    return game.reroll_number(side), game.armies[side].reroll_modifier


@section("WR-20", "WR-21", "WR-24", "WR-26", title="Combat roll")
def combat_roll(game: WarGame, sides: tuple[str, ...] = SIDES) -> Procedure[None]:
    """Both throw one die a unit, five at most."""
    for side in sides:
        army = game.armies[side]
        army.dice = dice_of(army)
        if not army.dice:
            continue
        foot = (f"{army.units} unit" if army.units == 1 else f"{army.units} units", leaders(army.uncancelled))
        faces, hits = yield from throw(
            game,
            "combat",
            army.dice,
            partial(combat_aim, game, side),
            seat=game.seat_of(side),
            rule="WR-20",
            head=f"{game.short(side)} rolls",
            foot=foot,
        )
        army = game.armies[side]
        army.faces, army.first_hits, army.rolled = faces, hits, "once"


@section("WR-22", "WR-23", "WR-25", title="Leader re-roll")
def leader_reroll(game: WarGame, sides: tuple[str, ...] = SIDES) -> Procedure[None]:
    """Both throw failed dice once more, up to their Leadership; fewer if they like."""
    for side in sides:
        army = game.armies[side]
        army.allowance = max(0, min(army.uncancelled, army.dice - army.first_hits, MOST_DICE))
        if not army.allowance:
            army.rolled = "twice"
            continue
        faces, hits = yield from throw(
            game,
            "reroll",
            army.allowance,
            partial(reroll_aim, game, side),
            seat=game.seat_of(side),
            rule="WR-22",
            head=f"{game.short(side)} re-rolls",
            foot=(plural(army.first_hits), leaders(army.uncancelled)),
            low=0,
            code="WR-X03",
        )
        army = game.armies[side]
        army.rerolled, army.more_hits, army.rolled = faces, hits, "twice"


def leaders(leadership: int) -> str:
    """Write Leadership for the foot of the dice screen."""
    return f"Leader {leadership}" if leadership else "no Leader"
