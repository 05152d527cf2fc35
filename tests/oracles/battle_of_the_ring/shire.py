"""Hex R of the Shire: whose it is, and who says so (BR-30 to BR-32, A-BR9, A-BR10)."""

from __future__ import annotations

from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.question import Asking
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, SARUMAN, SAURON

STANDING = ("nobody", "saruman", "alliance", "third")
OWNERS = ("hobbits", "saruman", "eliminated", "moves")


def third_may_leave(board: Board) -> bool:
    """Tell whether a third nation's piece is, or may be, on hex R in its own turn."""
    return board.turn_of(SAURON) and (board.state.shire_third or board.state.third_took_ring)


def third_leaves(board: Board) -> Asking:
    """Who leaves hex R says whose the Shire is."""
    state = board.state
    owner = yield from board.ask("shire.owner", lambda: {"hobbits": "", "saruman": ""})
    changed, state.shire_owner = state.shire_owner != owner, owner
    state.shire_third = state.third_took_ring = False
    announce(board, changed=changed)


def matters(board: Board) -> bool:
    """Tell whether it matters at the end of a phase who is on hex R."""
    state = board.state
    if state.shire_third or state.third_took_ring:
        return True
    return board.turn_of(SARUMAN if state.shire_owner == "hobbits" else ALLIANCE)


def third_withdrew(board: Board) -> bool:
    """Tell whether a third nation's piece that is no longer there has left in its own turn."""
    return board.state.shire_third and board.turn_of(SAURON)


def passes(board: Board, whose: str) -> None:
    """Whose piece is on hex R, or who is said to own it, owns it now."""
    state = board.state
    before = state.shire_owner
    state.shire_owner = {"saruman": "saruman", "alliance": "hobbits", "hobbits": "hobbits"}.get(whose, before)
    state.shire_third = whose == "third"
    if state.shire_owner != before:
        announce(board, changed=True)


def announce(board: Board, *, changed: bool) -> None:
    board.announce("shire", "BR-31", "BR-32", changed=changed, owner=board.state.shire_owner)
