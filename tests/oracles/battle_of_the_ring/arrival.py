"""A piece is said to go somewhere: who is asked first, and what follows when it is there."""

from __future__ import annotations

from tests.oracles.battle_of_the_ring import places, rules
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.question import Asking
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, RING


def permitted(board: Board, piece: str, place: str) -> Asking:
    """Ask the Alliance where its permission is needed, and announce that it does not give it."""
    rule = places.permission(board, piece, place)
    if not rule or ALLIANCE in board.state.conceded:
        return True
    answer = yield from board.ask("permission", lambda: {"yes": "", "no": ""}, seat=ALLIANCE)
    if answer == "no":
        code = "BR-X17" if rule == "BR-14" else "BR-X16"
        board.announce("refused", rule, changed=False, code=code, piece=piece)
    return answer == "yes"


def sure(board: Board, piece: str, place: str) -> Asking:
    """Who brings an enemy's Ring to Mount Doom is asked whether he means it (A-BR22)."""
    if piece != RING or place != "mount-doom" or board.state.ring_owner == ALLIANCE:
        return True
    return (yield from board.ask("mount-doom.confirm", lambda: {"yes": "", "no": ""})) == "yes"


def arrive(board: Board, piece: str, place: str, distance: int) -> None:
    """Note where a piece is now, after so many hexes more; raises Finished where that wins the game."""
    state = board.state
    state.moved[piece] += distance
    if place == "through-moria" and board.force(piece) == ALLIANCE:
        state.moria_used = True
        board.remind("BR-52")
    if piece == "gandalf":
        board.put_gandalf(place if place in {"moria", "fangorn"} else "none")
    if piece == "aragorn" and (distance or place == "paths-of-the-dead"):
        state.paths_entered = place == "paths-of-the-dead"
    if place == "shire":
        state.shire_third = True
    if piece == RING:
        special = place in rules.RING_HEXES or (place in rules.ELVEN_HEXES and board.elves())
        board.put_ring(place if special else "ordinary")
        board.check_victory()
    board.announce("allowed", "BR-11", "BR-17", changed=False, piece=piece, where=place)
