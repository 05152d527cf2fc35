"""Armies that wake: the Dead in their Paths, and the Fangorn army (BR-55 to BR-59)."""

from __future__ import annotations

from tests.oracles.battle_of_the_ring import places, ring
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.question import Asking, Codes
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, DEAD, ENTS, PIECES, RING

# -- the Paths of the Dead ------------------------------------------------------------------------------------------


def paths_matter(board: Board) -> bool:
    """Tell whether somebody must leave the Paths in this phase."""
    anybody = board.alive("aragorn") or board.alive(DEAD)
    return board.turn_of(ALLIANCE) and board.state.paths == "aragorn-inside" and anybody


def may_have_entered(board: Board) -> bool:
    """Tell whether Aragorn was said to be in the Paths in this phase and is still there to be asked about."""
    entered = board.state.paths_entered and board.state.paths == "dormant"
    return board.turn_of(ALLIANCE) and board.alive("aragorn") and entered


def companies(board: Board) -> Codes:
    """Return who can have left the Paths."""
    aragorn, dead = board.state.on_board["aragorn"], board.state.on_board[DEAD]
    codes = {"nobody": "", "aragorn": "" if aragorn else "BR-X09!"}
    for number in (1, 2):
        codes[f"{number}-dead"] = "" if number <= dead else "BR-X09!"
        codes[f"aragorn-and-{number}-dead"] = codes[f"{number}-dead"] or codes["aragorn"]
    return codes


def leave_paths(board: Board, company: str) -> None:
    """Whoever is not of that company is destroyed, and the hex is closed."""
    state = board.state
    if not company.startswith("aragorn"):
        state.on_board["aragorn"] = 0
    state.on_board[DEAD] = next((n for n in (1, 2) if f"{n}-dead" in company), 0)
    state.paths = "closed"
    board.announce("paths-closed", "BR-58", "BR-59")


# -- the Fangorn army -----------------------------------------------------------------------------------------------


def in_fangorn(board: Board) -> bool:
    """Tell whether somebody who wakes the Fangorn army is in Fangorn, in a turn of the Alliance."""
    inside = places.bearer_in_fangorn(board) or places.gandalf_in(board, "fangorn")
    return board.turn_of(ALLIANCE) and inside


def wakes(board: Board) -> bool:
    return in_fangorn(board) and board.state.fangorn == "dormant" and board.alive(ENTS)


def must_leave(board: Board) -> bool:
    """Tell whether who woke the army is asked whether he has left Fangorn (BR-57)."""
    return in_fangorn(board) and board.state.fangorn != "dormant" and board.state.fangorn_hex == "open"


def isengard_codes(board: Board) -> Codes:
    """Return who can stand on Isengard when the army comes."""
    codes = {piece: isengard_code(board, piece) for piece in PIECES}
    bearer = "" if board.state.ring_hex == "isengard" else "BR-X09"
    return codes | {RING: bearer, "nobody": "", "left": ""}


def isengard_code(board: Board, piece: str) -> str:
    if not board.alive(piece):
        return "BR-X09!"
    return "" if places.may_enter_isengard(board, piece) else "BR-X16"


def awake(board: Board, stood: str) -> Asking:
    """The army goes to Isengard, destroys who stood there or takes a foe's Ring, and Isengard is ordinary."""
    state = board.state
    state.fangorn, state.isengard = "active", "ordinary"
    if stood in PIECES:
        board.eliminate(stood)
    board.announce("fangorn-awake", "BR-55", "BR-56", isengard=stood)
    if stood == RING and state.ring_owner != ALLIANCE:
        yield from ring.capture(board, ENTS)


def leave_fangorn(board: Board) -> None:
    if board.state.gandalf_in == "fangorn":
        board.put_gandalf("none")
    if places.bearer_in_fangorn(board):
        board.put_ring("ordinary")
