"""The single ruling: one attack by itself, for tables that only want the result."""

from __future__ import annotations

from functools import partial

from referee.games.battle_of_the_ring.attack import (
    RING_FIGHTS,
    ROW,
    bar_target,
    column_of,
    dice,
    head,
    position,
    strengths,
)
from referee.games.battle_of_the_ring.attack_ruling import ruling
from referee.games.battle_of_the_ring.pieces import EVERY_PIECE, NAME, RING, SHORT, foes_first
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Bar, Choose, Options, Procedure, section

COLUMNS = Options(
    (
        ("o-v-o", "Ordinary v Ordinary", "O v O"),
        ("o-v-e", "Ordinary v Elven", "O v E"),
        ("e-v-o", "Elven v Ordinary", "E v O"),
        ("e-v-e", "Elven v Elven", "E v E"),
        ("by-pieces", "Ask for the pieces", "Pieces"),
    )
)


@section("BR-44", "BR-45", "BR-49", title="Attack")
def single_attack(game: RingGame) -> Procedure[None]:
    """One attack by itself: column, position, two dice; nothing is counted."""
    game.phase, game.fangorn, game.paths = "attack", "active", "closed"
    column = yield Choose("attack.kind", "Attacker v defender", COLUMNS, rule="BR-45", head="Attack", tag="column")
    if column == "by-pieces":
        yield from named_pieces(game)
        column = column_of(game.entry)
        band = head(game.entry.piece, game.entry.target)
    else:
        band = COLUMNS.by_id[column].short
    game.entry.position = yield position(band)
    row = ROW[game.entry.position]
    faces = yield dice(column, row, band)
    game.rule(ruling(game.entry, column, row, faces))


@section("BR-46", "BR-47", "BR-48", title="Pieces")
def named_pieces(game: RingGame) -> Procedure[None]:
    """Name attacker and target instead of the column; every piece counts as on the board."""
    game.entry.piece = yield Choose(
        "attack.attacker", "Who attacks?", EVERY_PIECE, _bar_ring_attacks, rule="BR-44", head="Attack", tag="who?"
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


def _bar_ring_attacks(piece: str) -> Bar | None:
    return RING_FIGHTS if piece == RING else None
