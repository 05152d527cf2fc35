"""The Ring is captured, and escapes (BR-70 to BR-73)."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.battle_of_the_ring import arrival, hexes, places, rules
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.question import Asking, Codes, Dropped, first_code
from tests.oracles.battle_of_the_ring.rules import PIECES, RING, SARUMAN, SAURON


def captor_code(board: Board, piece: str) -> str:
    """Return why a piece does not capture the Ring."""
    if not board.own(piece):
        return "BR-X01!"
    if not board.alive(piece):
        return "BR-X09!"
    if piece == RING:
        return "BR-X21!"
    if board.asleep(piece) or (board.own(RING) and not saruman_meets(board, piece)):
        return "BR-X21"
    hex_ = board.state.ring_hex
    if hex_ == "fangorn" or (hex_ in rules.SPECIAL and places.entry_code(board, piece, hex_)):
        return "BR-X16"
    if places.needed_in_moria(board, piece):
        return "BR-X15"
    return places.permission_code(board, piece, hex_) or ("" if hexes.left(board, piece) else "BR-X18")


def saruman_meets(board: Board, piece: str) -> bool:
    """Tell whether that piece wins where it meets the Ring (A-BR11)."""
    return piece == "saruman" and board.players == 3


def capture_code(board: Board) -> str:
    """Return why nobody captures the Ring in this phase."""
    there = [piece for piece in board.own_pieces() if board.alive(piece) and piece != RING]
    if all(map(board.asleep, there)):
        return "BR-X21" if there else "BR-X09!"
    return first_code(captor_code(board, piece) for piece in there if not board.asleep(piece))


def captured(board: Board) -> Asking:
    """Ask who captures the Ring."""
    codes = lambda: {piece: captor_code(board, piece) for piece in (*PIECES, RING)} | {"nobody": ""}  # noqa: E731
    piece = yield from board.ask("ring.captor", codes)
    if piece == "nobody" or not (yield from arrival.permitted(board, piece, board.state.ring_hex)):
        return
    if saruman_meets(board, piece):
        board.win(SARUMAN, "saruman-meets-ring")
    yield from capture(board, piece)


def capture(board: Board, piece: str) -> Asking:
    """The captor is removed, its nation has the Ring, and the Ring may escape."""
    state = board.state
    board.eliminate(piece)
    state.ring_owner = rules.NATIONS[piece]
    board.announce("ring-captured", "BR-71", piece=piece, owner=state.ring_owner)
    if state.ring_owner == SAURON and state.ring_hex == "ordinary":
        state.third_took_ring = True
        board.remind("BR-32")
    board.check_victory()
    yield from escape(board)


def escape(board: Board) -> Asking:
    """Ask how far the Ring Bearer escapes: it is its move of this phase (A-BR19)."""
    codes = lambda: {number: "" if number <= rules.MOVES[RING] else "BR-X18" for number in range(7)}  # noqa: E731
    distance = yield from board.ask("ring.escape", codes, back=False, count=True)
    board.state.ring_moved = True
    if distance:
        yield from land(board, distance)


def land(board: Board, distance: int) -> Asking:
    """Ask where the Ring Bearer ends, after hexes that are counted already."""
    place = "through-moria"
    while place == "through-moria":
        codes = destinations(board, distance)
        place = yield from board.ask("ring.destination", codes, back=False)
        try:
            if place == "elven-hex" and board.elves():
                place = yield from board.ask("elven.which", lambda: places.elven_codes(board, moved=True))
            allowed = yield from arrival.permitted(board, RING, place)
            allowed = allowed and (yield from arrival.sure(board, RING, place))
        except Dropped:
            allowed = False
        if allowed:
            arrival.arrive(board, RING, place, 0)
        else:
            place = "through-moria"


def destinations(board: Board, distance: int) -> Callable[[], Codes]:
    """Return what reads the codes of the places that can be said to be reached."""
    named = places.named(board, RING)

    def code(place: str) -> str:
        near = distance < hexes.least(board, RING, place)
        return places.landing_code(board, RING, place) or ("BR-X18" if near else "")

    return lambda: {place: code(place) for place in named}
