"""How many hexes a piece moves in a phase, and what it cannot reach with them."""

from __future__ import annotations

from functools import partial

from referee.games.battle_of_the_ring.pieces import FORCE_NAMES, PIECES, RING, RING_MOVE, SHORT, THE
from referee.games.battle_of_the_ring.state import RING_HEXES, RingGame
from referee.rulebook import Bar, Count, Procedure, section

RING_HAS_MOVED = Bar("BR-X18", "The escape was the Ring Bearer's move in this phase")
STAYS = {p: Bar("BR-X18", f"{THE[p]} stays in place with 0 hexes") for p in THE}
THROUGH_MORIA = Bar("BR-X18", "Through Moria takes two hexes: one in, one out")
DECIDES = ("barad-dur", "isengard", "mount-doom")
"""Where the Ring can win a game."""


@section("BR-11", "BR-50", title="Distance")
def count_hexes(game: RingGame) -> Procedure[None]:
    """Ask how many hexes the piece named has moved."""
    piece, where = game.entry.piece, game.entry.place
    game.entry.hexes = yield lambda: Count(
        "move.hexes",
        f"{announced(game, piece, where)}How many hexes? (up to {reach(game, piece)})",
        0,
        max(piece.move for piece in PIECES.values()),
        partial(bar_hexes, game),
        default=usual_hexes(game, piece, where),
        unit=f"of {reach(game, piece)}",
        rule="BR-11",
        head=SHORT[piece],
        tag="hexes",
    )


def announced(game: RingGame, piece: str, where: str) -> str:
    """Return who wins if the Ring Bearer gets there, as a sentence before a question; "" where nobody does."""
    won = game.victory(game.ring_owner, where) if piece == RING else None
    return f"{FORCE_NAMES[won[0]]} wins. " if won else ""


def usual_hexes(game: RingGame, piece: str, where: str) -> int:
    """Return the hexes to propose: one, or the fewest that are open; never a number with which the Ring wins."""
    if piece == RING and where in DECIDES:
        return 0
    high = max(piece.move for piece in PIECES.values())
    return next((n for n in (1, *range(high + 1)) if bar_hexes(game, n) is None), 1)


def allowance(piece: str) -> int:
    """Return how many hexes one piece may move in a phase."""
    return RING_MOVE if piece == RING else PIECES[piece].move


def reach(game: RingGame, piece: str) -> int:
    """Return how many hexes one piece of a type may still move: the moves of a phase add up (BR-11).

    A type of several pieces has so many times the allowance, of which one piece takes its own at most.
    """
    if piece == RING and game.ring_moved:
        return 0
    each = allowance(piece)
    pieces = 1 if piece == RING else max(game.movers.get(piece, 0), game.on_board[piece])
    return max(0, min(each, pieces * each - game.moved[piece]))


def least(game: RingGame, piece: str, where: str) -> int:
    """Return the fewest hexes it takes to get there: 0 where the piece is known to be there, 2 through Moria."""
    if where == "through-moria":
        return 2
    if where == "elven-hex" and piece == RING and game.elves_alive:  # which one is asked next
        return int(not game.ring_hex.startswith("elven-"))
    return int(known(game, piece) != noted(game, piece, where))


def bar_hexes(game: RingGame, hexes: int) -> Bar | None:
    """Return BR-X18 for more hexes than the allowance, or fewer than it takes to get there."""
    piece, where = game.entry.piece, game.entry.place
    return bar_too_far(game, piece, hexes) or bar_too_near(game, piece, where, hexes)


def bar_distance(game: RingGame, piece: str, where: str) -> Bar | None:
    """Return BR-X18 for a place out of reach or, once hexes are entered, one that so few do not lead to."""
    hexes = game.entry.hexes
    if hexes is None:
        return bar_too_far(game, piece, least(game, piece, where))
    return bar_too_near(game, piece, where, hexes)


def bar_too_far(game: RingGame, piece: str, hexes: int) -> Bar | None:
    """Return BR-X18 for more hexes than are left of the allowance."""
    left = reach(game, piece)
    if hexes <= left:
        return None
    if piece == RING and game.ring_moved:
        return RING_HAS_MOVED
    if left == allowance(piece):
        return Bar("BR-X18", f"{THE[piece]} moves {left} hexes at most")
    return Bar("BR-X18", f"{THE[piece]} has {left} of {allowance(piece)} hexes left in this phase")


def bar_too_near(game: RingGame, piece: str, where: str, hexes: int) -> Bar | None:
    """Return BR-X18 where so few hexes do not lead there."""
    if hexes >= least(game, piece, where):
        return None
    return THROUGH_MORIA if where == "through-moria" else STAYS[piece]


def known(game: RingGame, piece: str) -> str:
    """Return the class of hex a piece is known to be in, "" if its place is not recorded."""
    if piece == RING:
        return noted(game, piece, game.ring_hex)
    if piece == "gandalf":
        return game.gandalf_in
    if piece == "aragorn":
        inside = game.paths_entered or game.paths == "aragorn-inside"
        return "paths-of-the-dead" if inside else "none"
    return ""


def noted(game: RingGame, piece: str, where: str) -> str:
    """Return the class of hex a piece would be known to be in there, "" if its place is not recorded."""
    if piece == RING:
        elven = where.startswith("elven-") and game.elves_alive
        return where if where in RING_HEXES and (elven or not where.startswith("elven-")) else "ordinary"
    if piece == "gandalf":
        return where if where in ("moria", "fangorn") else "none"
    if piece == "aragorn":
        return where if where == "paths-of-the-dead" else "none"
    return ""
