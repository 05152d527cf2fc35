"""The single ruling: one attack by itself, for tables that only want the result."""

from __future__ import annotations

from functools import partial

from referee.games.battle_of_the_ring.attack import (
    ROW,
    bar_target,
    column_of,
    dice,
    head,
    position,
    strengths,
)
from referee.games.battle_of_the_ring.attack_ruling import ruling
from referee.games.battle_of_the_ring.pieces import EVERY_PIECE, NAME, SHORT, foes_first
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Choose, Option, Options, Procedure, Short, phrase, section, whole

STRENGTHS = Short("Attacker v defender", "Attacker against defender: of what strength?")


def column(attacker: str, defender: str) -> Option:
    """Return a column by the strengths in it: "Ordinary v Elven", "O v E"."""
    short = f"{attacker[0]} v {defender[0]}"
    return Option(
        short.replace(" ", "-").lower(), phrase(Short("{} v {}", "{} against {}"), attacker, defender), short
    )


COLUMNS = Options(
    (
        column("Ordinary", "Ordinary"),
        column("Ordinary", "Elven"),
        column("Elven", "Ordinary"),
        column("Elven", "Elven"),
        ("by-pieces", "Ask for the pieces", "Pieces"),
    )
)


@section("BR-44", "BR-45", "BR-49", title="Attack")
def single_attack(game: RingGame) -> Procedure[None]:
    """One attack by itself: column, position, two dice; nothing is counted."""
    game.phase, game.fangorn, game.paths = "attack", "active", "closed"
    kind = yield Choose("attack.kind", STRENGTHS, COLUMNS, rule="BR-45", head="Attack", tag="column")
    if kind == "by-pieces":
        yield from named_pieces(game)
        kind = column_of(game.entry)
        band = head(game.entry.piece, game.entry.target)
    else:
        band = Short(COLUMNS.by_id[kind].short, whole(COLUMNS.by_id[kind].text))
    game.entry.position = yield position(band)
    row = ROW[game.entry.position]
    faces = yield dice(kind, row, band)
    game.rule(ruling(game.entry, kind, row, faces))


@section("BR-46", "BR-47", "BR-48", title="Pieces")
def named_pieces(game: RingGame) -> Procedure[None]:
    """Name attacker and target instead of the column; every piece counts as on the board."""
    game.entry.piece = yield Choose(
        "attack.attacker", "Who attacks?", EVERY_PIECE, rule="BR-44", head="Attack", tag="who?"
    )
    game.entry.target = yield Choose(
        "attack.target",
        f"{NAME[game.entry.piece]} attacks whom?",
        foes_first(game.force_of(game.entry.piece)),
        partial(bar_target, game),
        rule="BR-44",
        head=SHORT[game.entry.piece],
        tag="target",
    )
    yield from strengths(game)
