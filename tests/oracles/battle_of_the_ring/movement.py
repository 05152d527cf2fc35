"""A Movement Phase: the players say only what the referee must know (BR-11, BR-16, BR-17)."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.battle_of_the_ring import phase_end, places, ring, rules
from tests.oracles.battle_of_the_ring.board import Asking, Board, Codes, Dropped, first_code
from tests.oracles.battle_of_the_ring.rules import PIECES, RING


def phase(board: Board, name: str) -> Asking:
    """Take what the players enter until they are done and nothing keeps the phase open."""
    begin(board, name)
    while True:
        choice = yield from board.ask("move.menu", lambda: menu(board), back=False)
        try:
            if choice != "done":
                yield from ENTRIES[choice](board)
            elif (yield from phase_end.end(board)):
                return
        except Dropped:
            pass


def begin(board: Board, name: str) -> None:
    state = board.state
    state.phase = name
    state.moved, state.movers = dict.fromkeys(state.moved, 0), dict(state.on_board)
    state.ring_moved = state.moria_used = state.paths_entered = state.third_took_ring = False
    state.ring_began = state.ring_hex


def menu(board: Board) -> Codes:
    return {
        "check": "",
        "ring-captured": ring.capture_code(board),
        "special-hex": "",
        "elven-hex": "",
        "removed": "",
        "third-leaves": "" if phase_end.third_may_leave(board) else "BR-X09",
        "done": "",
        "attack": "BR-X01!",
        "build": rules.build_out_of_step(board.state.round),
    }


# -- which piece goes where -----------------------------------------------------------------------------------------


def piece_code(board: Board, piece: str) -> str:
    """Return why a piece may not move at all."""
    if not board.own(piece):
        return "BR-X01!"
    if not board.alive(piece):
        return "BR-X09!"
    return "BR-X14" if board.asleep(piece) else ""


def check(board: Board) -> Asking:
    """A piece, and where it goes."""
    codes = lambda: {p: piece_code(board, p) for p in (*PIECES, RING)}  # noqa: E731
    piece = yield from board.decide("move.piece", codes, cards=True)
    named = places.named(board, piece)
    place = yield from board.ask("move.where", lambda: {p: places.where_code(board, piece, p) for p in named})
    yield from go(board, piece, place)


def elven_hex(board: Board) -> Asking:
    yield from to(board, "elven-hex")


def special_hex(board: Board) -> Asking:
    """A hex, and which piece goes there."""
    named = dict.fromkeys(place for piece in board.own_pieces() for place in places.named(board, piece))
    del named["elven-hex"]
    place = yield from board.ask("special.hex", lambda: {place: best_code(board, place) for place in named})
    yield from to(board, place)


def best_code(board: Board, place: str) -> str:
    """Return why none of the player's pieces goes there."""
    codes = {piece: piece_code(board, piece) for piece in board.own_pieces() if place in places.named(board, piece)}
    able = [piece for piece, code in codes.items() if not code]
    if not codes:
        return "BR-X01!"  # the judge has given the Ring to another player meanwhile
    if not able:
        return "BR-X14" if "BR-X14" in codes.values() else "BR-X09!"
    return first_code(places.where_code(board, piece, place) for piece in able)


def to(board: Board, place: str) -> Asking:
    """Ask which piece goes there, unless only one can."""
    named = [piece for piece in (*PIECES, RING) if place in places.named(board, piece)]
    codes = lambda: {piece: piece_code(board, piece) or places.where_code(board, piece, place) for piece in named}  # noqa: E731
    piece = yield from board.decide("special.piece", codes)
    yield from go(board, piece, place)


def go(board: Board, piece: str, place: str) -> Asking:
    """A piece is said to go somewhere: who must permit it, how many hexes it takes, what follows."""
    if piece == RING and place == "elven-hex" and board.elves():
        place = yield from board.ask("elven.which", lambda: places.elven_codes(board))
    if not (yield from ring.permitted(board, piece, place)):
        return
    if not (yield from ring.sure(board, piece, place)):
        return
    distance = yield from board.ask("move.hexes", lambda: places.hex_codes(board, piece, place), count=True)
    ring.arrive(board, piece, place, distance)
    if piece == RING and place == "through-moria":
        yield from ring.land(board, distance)


# -- pieces taken off -----------------------------------------------------------------------------------------------


def removed(board: Board) -> Asking:
    """A piece is removed by agreement."""
    codes = lambda: {piece: "" if board.alive(piece) else "BR-X09!" for piece in PIECES}  # noqa: E731
    piece = yield from board.ask("removed.piece", codes)
    board.eliminate(piece)
    board.announce("removed", piece=piece)


ENTRIES: dict[str, Callable[[Board], Asking]] = {
    "check": check,
    "ring-captured": ring.captured,
    "special-hex": special_hex,
    "elven-hex": elven_hex,
    "removed": removed,
    "third-leaves": phase_end.third_leaves,
}
