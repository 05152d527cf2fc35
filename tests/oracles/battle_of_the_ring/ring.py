"""A piece is said to go somewhere; and the Ring is captured, and escapes (BR-70 to BR-73)."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.battle_of_the_ring import places, rules
from tests.oracles.battle_of_the_ring.board import Asking, Board, Codes, Dropped, first_code
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, PIECES, RING, SARUMAN, SAURON


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
    return places.permission_code(board, piece, hex_) or ("" if places.hexes_left(board, piece) else "BR-X18")


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
    if piece == "nobody" or not (yield from permitted(board, piece, board.state.ring_hex)):
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
            allowed = yield from permitted(board, RING, place)
            allowed = allowed and (yield from sure(board, RING, place))
        except Dropped:
            allowed = False
        if allowed:
            arrive(board, RING, place, 0)
        else:
            place = "through-moria"


def destinations(board: Board, distance: int) -> Callable[[], Codes]:
    """Return what reads the codes of the places that can be said to be reached."""
    named = places.named(board, RING)

    def code(place: str) -> str:
        near = distance < places.least(board, RING, place)
        return places.landing_code(board, RING, place) or ("BR-X18" if near else "")

    return lambda: {place: code(place) for place in named}
