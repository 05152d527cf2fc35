"""Steps 2 and 3: the Combat roll and the Leader re-roll, told by faces or by hits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from referee.games.war_of_the_ring.state import Army, WarGame
from referee.games.war_of_the_ring.tables import SIDES, count, hit_odds, hits, need
from referee.rulebook import Procedure, Roll, Short, phrase, section


def throw(
    game: WarGame,
    key: str,
    dice: Callable[[], int],
    aim: Callable[[], tuple[int, int]],
    *,
    seat: str,
    rule: str,
    head: str,
    foot: Callable[[], tuple[str, str]],
    low: int = -1,
    code: str = "WR-X01",
) -> Procedure[tuple[tuple[int, ...], int]]:
    """Ask for a throw, by its faces or the number of hits; return the faces (none if only hits were told) and hits.

    ``dice`` and ``aim`` (number to hit and modifier) are asked with the question and again when the throw counts.
    """
    thrown = yield lambda: Roll(
        f"{key}.roll",
        phrase(
            Short("{}: roll {}", "{}. Roll {}. {}"),
            head,
            count(dice(), "die", "dice"),
            hits_asked(need(*aim()), by_tally=game.dice_entry == "hits"),
        ),
        dice(),
        low=low,
        tally="hits",
        by_tally=game.dice_entry == "hits",
        code=code,
        face_code="WR-X02",
        need=need(*aim()),
        need_note="hits",
        foot=foot(),
        odds=lambda: hit_odds(dice(), *aim()),
        seat=seat,
        rule=rule,
        head=head,
    )
    return ((), thrown["hits"]) if isinstance(thrown, dict) else (thrown, sum(hits(face, *aim()) for face in thrown))


def hits_asked(low: str, *, by_tally: bool) -> str:
    """Return what is keyed of a throw."""
    faces = low.replace("+", " or more")
    return f"How many show {faces}?" if by_tally else f"Hits are {faces}"


def aim(game: WarGame, side: str, roll: str = "combat") -> tuple[int, int]:
    """Return number to hit and modifier of a roll of a side, ``combat`` or ``reroll``."""
    return game.number(side, roll), game.modifier(side, roll)


@section("WR-20", "WR-21", "WR-24", "WR-26", title="Combat roll")
def combat_roll(game: WarGame, sides: tuple[str, ...] = SIDES) -> Procedure[None]:
    """Both throw one die a unit, five at most."""
    for side in sides:
        army = game.armies[side]
        if not game.combat_dice(side, army.units):
            continue
        faces, hits = yield from throw(
            game,
            "combat",
            partial(combat_dice, game, side),
            partial(aim, game, side),
            seat=game.seat_of(side),
            rule="WR-20",
            head=phrase(Short("{} rolls", "{}"), game.short(side)),
            foot=partial(foot, army, "unit"),
        )
        army.dice, army.faces, army.first_hits = combat_dice(game, side), faces, hits


def combat_dice(game: WarGame, side: str) -> int:
    """Return the dice of a Combat roll that is asked for: at least one, whatever the judge set meanwhile."""
    return max(1, game.combat_dice(side, game.armies[side].units))


@section("WR-22", "WR-23", "WR-25", title="Leader re-roll")
def leader_reroll(game: WarGame, sides: tuple[str, ...] = SIDES) -> Procedure[None]:
    """Both throw failed dice once more, up to their Leadership; fewer if they like."""
    for side in sides:
        army = game.armies[side]
        if army.rerolls():
            faces, hits = yield from throw(
                game,
                "reroll",
                partial(reroll_dice, army),
                partial(aim, game, side, "reroll"),
                seat=game.seat_of(side),
                rule="WR-22",
                head=phrase(Short("{} re-rolls", "{} re-rolls for Leadership"), game.short(side)),
                foot=partial(foot, army, "hit"),
                low=0,
                code="WR-X03",
            )
            army.allowance, army.rerolled, army.more_hits = reroll_dice(army), faces, hits


def reroll_dice(army: Army) -> int:
    """Return the dice of a Leader re-roll that is asked for: at least one, whatever the judge set meanwhile."""
    return max(1, army.rerolls())


def foot(army: Army, what: str) -> tuple[str, str]:
    """Return what stands under the dice: units before the Combat roll, hits before the re-roll; and Leadership."""
    counted = count(army.units if what == "unit" else army.first_hits, what)
    return counted, f"Leader {army.uncancelled}" if army.uncancelled else "no Leader"
