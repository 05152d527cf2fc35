"""Where a piece may go, whose permission it takes, and the hexes it needs (BR-11, BR-14 to BR-17, BR-50 to BR-60)."""

from __future__ import annotations

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.board import Board, Codes
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, RING, SARUMAN, SAURON


def named(board: Board, piece: str) -> tuple[str, ...]:
    """Return where a piece can be said to go: to Barad-dur only the Ring Bearer, to hex R only a third nation."""
    places = ("ordinary", "elven-hex", "through-moria", *rules.SPECIAL)
    more = ("barad-dur",) if piece == RING else ()
    return (*places, *more, *(("shire",) if board.nation(piece) == SAURON else ()))


def where_code(board: Board, piece: str, place: str) -> str:
    """Return why a piece does not go there with the hexes it has left."""
    code = landing_code(board, piece, place)
    if code:
        return code
    if place != "moria" and needed_in_moria(board, piece):
        return "BR-X15"
    return "BR-X18" if least(board, piece, place) > hexes_left(board, piece) else ""


def landing_code(board: Board, piece: str, place: str) -> str:
    """Return why a piece may not go there, whatever the hexes."""
    return entry_code(board, piece, place) or permission_code(board, piece, place)


def entry_code(board: Board, piece: str, place: str) -> str:
    """Return why a piece may not go there, whatever anybody permits."""
    state = board.state
    if place == "moria":
        return "" if piece == "gandalf" else "BR-X16"
    if place == "fangorn":
        return fangorn_code(board, piece)
    if place == "paths-of-the-dead":
        return "" if piece == "aragorn" and state.paths == "dormant" else "BR-X16"
    if place == "isengard":
        return "" if may_enter_isengard(board, piece) else "BR-X16"
    if place == "mount-doom":
        return "" if piece == RING else "BR-X16"
    if place == "elven-hex" and piece == RING:
        return "BR-X17" if all(closed(board, hex_) for hex_ in rules.ELVEN_HEXES) else ""
    if place == "through-moria" and board.force(piece) == ALLIANCE:
        return "" if gandalf_in(board, "moria") and piece != "gandalf" else "BR-X15"
    return ""


# -- Moria, Fangorn, Isengard ---------------------------------------------------------------------------------------


def needed_in_moria(board: Board, piece: str) -> bool:
    """Tell whether a piece is Gandalf, who must stay in Moria because others passed it (BR-52)."""
    return piece == "gandalf" and board.state.gandalf_in == "moria" and board.state.moria_used


def gandalf_in(board: Board, place: str) -> bool:
    """Tell whether a living Gandalf is in Moria, or in Fangorn."""
    return board.state.gandalf_in == place and board.alive("gandalf")


def bearer_in_fangorn(board: Board) -> bool:
    """Tell whether the Alliance's Ring Bearer is in Fangorn."""
    return board.state.ring_hex == "fangorn" and board.state.ring_owner == ALLIANCE


def fangorn_code(board: Board, piece: str) -> str:
    """Gandalf or the Alliance's Ring Bearer wakes the army, never both (BR-T42)."""
    state = board.state
    if piece == "gandalf":
        taken = bearer_in_fangorn(board) and not gandalf_in(board, "fangorn")
    elif piece == RING and state.ring_owner == ALLIANCE:
        taken = gandalf_in(board, "fangorn")
    else:
        return "BR-X16"
    if state.fangorn_hex == "closed" or state.fangorn != "dormant":
        return "BR-X16"
    return "BR-X16!" if taken else ""


def may_enter_isengard(board: Board, piece: str) -> bool:
    return board.state.isengard == "ordinary" or board.nation(piece) == SARUMAN


# -- Elven hexes ----------------------------------------------------------------------------------------------------


def closed(board: Board, place: str) -> bool:
    """Tell whether the Ring has been in an Elven hex and left it."""
    state = board.state
    gone = state.elven_closed[place[-1]] or state.ring_began == place
    return board.elves() and gone and state.ring_hex != place


def elven_codes(board: Board, *, moved: bool = False) -> Codes:
    """Return which Elven hexes the Ring Bearer enters. ``moved``: its hexes are counted already."""
    return {place: elven_code(board, place, moved=moved) for place in rules.ELVEN_HEXES}


def elven_code(board: Board, place: str, *, moved: bool) -> str:
    if closed(board, place):
        return "BR-X17"
    in_reach = moved or place == board.state.ring_hex or hexes_left(board, RING)
    return permission_code(board, RING, place) or ("" if in_reach else "BR-X18")


# -- permission -----------------------------------------------------------------------------------------------------


def permission(board: Board, piece: str, place: str) -> str:
    """Return the rule by which the Alliance's permission is needed, '' if it is not."""
    if board.force(piece) == ALLIANCE:
        return ""
    if place.startswith("elven") and board.elves():
        return "BR-14"
    return "BR-51" if place == "through-moria" and gandalf_in(board, "moria") else ""


def permission_code(board: Board, piece: str, place: str) -> str:
    """Return the code where a permission is needed that nobody can give: the Alliance has given up."""
    if ALLIANCE not in board.state.conceded:
        return ""
    return {"": "", "BR-14": "BR-X17", "BR-51": "BR-X16"}[permission(board, piece, place)]


def hexes_left(board: Board, piece: str) -> int:
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


def hex_codes(board: Board, piece: str, place: str) -> Codes:
    """Return how many hexes a piece can be said to have moved to get there."""
    fewest, most = least(board, piece, place), hexes_left(board, piece)
    return {hexes: "" if fewest <= hexes <= most else "BR-X18" for hexes in range(7)}
