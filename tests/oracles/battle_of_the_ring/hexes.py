"""How many hexes a piece has left in a phase, and how many it takes to get somewhere (BR-11, BR-50, A-BR19)."""

from __future__ import annotations

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.question import Codes
from tests.oracles.battle_of_the_ring.rules import RING


def left(board: Board, piece: str) -> int:
    """Return how many hexes one piece of a type may still move; what the type has moved adds up."""
    state, allowance = board.state, rules.MOVES[piece]
    if piece == RING:
        return 0 if state.ring_moved else max(0, allowance - state.moved[RING])
    pieces = max(state.movers[piece], state.on_board[piece])
    return max(0, min(allowance, allowance * pieces - state.moved[piece]))


def least(board: Board, piece: str, place: str) -> int:
    """Return the fewest hexes it takes to get there: none where nobody knows that it is elsewhere."""
    if place == "through-moria":
        return 2
    if place == "elven-hex" and piece == RING and ring_place(board) in rules.ELVEN_HEXES:
        return 0
    return 1 if known(board, piece, place) and not stays(board, piece, place) else 0


def known(board: Board, piece: str, place: str) -> bool:
    """Tell whether it is known of a piece whether it stands there."""
    if piece == "gandalf":
        return place in {"moria", "fangorn"} or board.state.gandalf_in != "none"
    if piece == "aragorn":
        return place == "paths-of-the-dead" or in_paths(board)
    return piece == RING


def stays(board: Board, piece: str, place: str) -> bool:
    """Tell whether a piece is known to stand there already."""
    if piece == RING:
        return ring_place(board) == ("ordinary" if place == "shire" or plain(board, place) else place)
    if piece == "aragorn" and place == "paths-of-the-dead":
        return in_paths(board)
    return piece == "gandalf" and board.state.gandalf_in == place


def in_paths(board: Board) -> bool:
    """Tell whether Aragorn is in the Paths of the Dead."""
    return board.state.paths_entered or board.state.paths == "aragorn-inside"


def ring_place(board: Board) -> str:
    return "ordinary" if plain(board, board.state.ring_hex) else board.state.ring_hex


def plain(board: Board, place: str) -> bool:
    """Tell whether it is an Elven hex after the last Elf is gone (BR-14)."""
    return place.startswith("elven") and not board.elves()


def codes(board: Board, piece: str, place: str) -> Codes:
    """Return how many hexes a piece can be said to have moved to get there."""
    fewest, most = least(board, piece, place), left(board, piece)
    return {hexes: "" if fewest <= hexes <= most else "BR-X18" for hexes in range(7)}
