"""The Building Phase (BR-20 to BR-30)."""

from __future__ import annotations

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.board import Asking, Board, Codes, Dropped
from tests.oracles.battle_of_the_ring.rules import PIECES, RING

PLACES = tuple(dict.fromkeys(place for crowns in rules.CROWNS.values() for place in crowns))


def left(board: Board, nation: str) -> int:
    """Return how many armies a nation may still build in this phase."""
    return rules.allowance(nation, board.state.round) - board.state.built.get(rules.shared(nation), 0)


def nation_code(board: Board, piece: str) -> str:
    """Return why a piece is not built at all."""
    if not board.own(piece):
        return "BR-X01!"
    if piece == RING or not rules.rebuilt(piece):
        return "BR-X07!"
    if left(board, piece) < 1:
        return "BR-X03"
    if board.state.on_board[piece] >= rules.CAPS[piece]:
        return "BR-X06!"
    codes = {place_code(board, piece, place) for place in rules.CROWNS[piece]}
    return next((code for code in ("", "BR-X05") if code in codes), "BR-X08")


def place_code(board: Board, nation: str, place: str) -> str:
    """Return why a nation does not build on a place, as far as the referee knows."""
    state = board.state
    code = rules.crown_code(nation, place, state.shire_owner)
    if code:
        return code
    full = state.built_on.get(place, 0) >= board.crowns.get(place, 1)
    taken = state.shire_third if place == "shire" else state.ring_hex == place
    return "BR-X05" if full or taken else ""


def phase(board: Board) -> Asking:
    """Let the player build until there is nothing left to build, or enough is built."""
    state = board.state
    state.phase = "building"
    state.built, state.built_on = {}, {}
    if not any(rules.allowance(nation, state.round) for nation in rules.CROWNS):
        return

    def nations() -> Codes:
        codes = {piece: nation_code(board, piece) for piece in (*PIECES, RING)}
        return codes | {"done": "", "attack": "BR-X01!", "move": "BR-X01!"}

    while any(not nation_code(board, nation) for nation in rules.CROWNS):
        nation = yield from board.ask("build.nation", nations, back=False)
        if nation == "done":
            return
        try:
            place = yield from empty_place(board, nation)
        except Dropped:
            continue
        build(board, nation, place)
    for rule in held_up(board):
        if rule == "BR-27" or not state.built:
            board.remind(rule)


def held_up(board: Board) -> list[str]:
    """Return the rules that stop the player, where an allowance is left at the end: a reason each, once."""
    reasons: dict[tuple[str, str], str] = {}
    for nation in (nation for nation in rules.CROWNS if board.own(nation) and left(board, nation) > 0):
        if board.state.on_board[nation] >= rules.CAPS[nation]:
            reasons[nation, ""] = "BR-27"
            continue
        for place in rules.CROWNS[nation]:
            reasons["", place] = {"BR-X05": "BR-25", "BR-X08": "BR-30"}[place_code(board, nation, place)]
    return [*reasons.values()]


def empty_place(board: Board, nation: str) -> Asking:
    """Ask for a place until the players say that it is empty."""
    empty = "elsewhere"
    while empty == "elsewhere":
        codes = lambda: {place: place_code(board, nation, place) for place in PLACES}  # noqa: E731
        place = yield from board.ask("build.place", codes)
        empty = yield from board.ask("build.empty", lambda: {"yes": "", "elsewhere": "", "no": "BR-X05"})
    return place


def build(board: Board, nation: str, place: str) -> None:
    state = board.state
    before = state.on_board[nation]
    state.on_board[nation] = min(before + 1, rules.CAPS[nation])
    share = rules.shared(nation)
    state.built[share] = state.built.get(share, 0) + 1
    state.built_on[place] = state.built_on.get(place, 0) + 1
    pools = {"before": {nation: before}, "after": {nation: state.on_board[nation]}}
    board.announce("built", "BR-24", "BR-25", nation=nation, place=place, pools=pools)
