"""The Attack Phase, and the desk for single attacks (BR-40 to BR-49)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.board import TABLE, Asking, Board, Codes, Dropped, Question
from tests.oracles.battle_of_the_ring.rules import DEAD, PIECES, RING


def phase(board: Board) -> Asking:
    """Let the player attack until no piece can any more, or enough is attacked."""
    state = board.state
    state.phase = "attack"
    for piece in filter(board.own, PIECES):
        state.attacks[piece], state.attack_limit[piece] = 0, state.on_board[piece]

    def attackers() -> Codes:
        others = {"done": "", "build": rules.build_out_of_step(state.round), "move": "BR-X01!"}
        return attacker_codes(board) | others

    while any(not attacker_code(board, piece) for piece in PIECES):
        attacker = yield from board.ask("attack.attacker", attackers, back=False)
        if attacker == "done":
            return
        with suppress(Dropped):
            yield from attack(board, attacker)
    board.remind("BR-43")


def desk(board: Board) -> Asking:
    """One attack after another on its own, by the column or by the pieces."""
    columns = dict.fromkeys((*rules.RESULTS, "by-pieces"), "")
    while True:
        column = yield from board.ask("attack.kind", lambda: columns)
        if column != "by-pieces":
            yield from throw(board, "", "", "", column)
            continue
        attacker = yield from board.ask("attack.attacker", lambda: attacker_codes(board))
        yield from attack(board, attacker)


# -- who attacks whom, and who helps --------------------------------------------------------------------------------


def shut_off(board: Board, piece: str) -> bool:
    """Tell whether a piece is where it cannot fight (BR-42)."""
    if board.asleep(piece):
        return True
    if piece == "gandalf":
        return board.state.gandalf_in != "none"
    return piece in {"aragorn", DEAD} and board.state.paths == "aragorn-inside"


def attacker_codes(board: Board) -> Codes:
    return {piece: attacker_code(board, piece) for piece in (*PIECES, RING)}


def attacker_code(board: Board, piece: str) -> str:
    if not board.own(piece):
        return "BR-X01!"
    if piece == RING:
        return "BR-X12!"
    if not board.alive(piece):
        return "BR-X09!"
    if board.is_desk:
        return ""
    if shut_off(board, piece):
        return "BR-X14"
    return "BR-X10" if board.state.attacks[piece] >= limit(board, piece) else ""


def limit(board: Board, piece: str) -> int:
    """Return how often a type may attack: the pieces at the start of the phase, or more by the judge's count."""
    return max(board.state.attack_limit[piece], board.state.on_board[piece])


def target_code(board: Board, attacker: str, piece: str) -> str:
    if piece == RING:
        return "BR-X12!"
    if board.force(piece) == board.force(attacker):
        return "BR-X11"
    if not board.alive(piece):
        return "BR-X09!"
    return "BR-X14" if not board.is_desk and shut_off(board, piece) else ""


def help_codes(board: Board, attacker: str, target: str) -> Codes:
    one, other = help_code(board, attacker), help_code(board, target)
    return {"none": "", "attacker": one, "defender": other, "both": one or other}


def help_code(board: Board, piece: str) -> str:
    """Return '' if somebody may give a piece Elven strength."""
    givers = [giver for giver in rules.givers(piece, board.players, pact=board.pact) if board.alive(giver)]
    if not givers:
        return "BR-X09!"
    return "BR-X14" if not board.is_desk and all(shut_off(board, giver) for giver in givers) else ""


# -- one attack -----------------------------------------------------------------------------------------------------


def attack(board: Board, attacker: str) -> Asking:
    codes = lambda: {piece: target_code(board, attacker, piece) for piece in (*PIECES, RING)}  # noqa: E731
    target = yield from board.ask("attack.target", codes)
    helped = yield from board.decide("attack.column", lambda: help_codes(board, attacker, target))
    strong = rules.always_elven(attacker) or helped in {"attacker", "both"}
    tough = rules.always_elven(target) or helped in {"defender", "both"}
    yield from throw(board, attacker, target, helped, rules.column(strong, tough))


def throw(board: Board, attacker: str, target: str, helped: str, column: str) -> Asking:
    """Ask how the defender stands, and for the dice; announce what they do."""
    codes = lambda: dict.fromkeys(rules.POSITIONS, "") | {"not-adjacent": "BR-X13!"}  # noqa: E731
    position = yield from board.ask("attack.position", codes)
    row = rules.row(position)
    seat = TABLE if board.is_desk else board.seat
    faces = yield Question("attack.dice", seat, "roll", back=not board.is_desk, column=column, row=row)
    total = sum(faces)
    result = rules.result(total, column, row)
    ones, others = rules.sets(column, row)
    data = {"attacker": attacker, "target": target, "helped": helped, "position": position, "column": column}
    data |= {"row": row, "faces": faces, "total": total, "sets": {"attacker": ones, "defender": others}}
    data["odds"] = {name: f"{ways}/36" for name, ways in rules.ways(column, row).items()}
    if not board.is_desk:
        data |= settle(board, attacker, target, result)
    board.announce(result, "BR-45", "BR-49", changed=result != "no-result", **data)


def settle(board: Board, attacker: str, target: str, result: str) -> dict[str, Any]:
    """Count the attack and who is lost, and return what is announced of it."""
    state = board.state
    before = {piece: state.on_board[piece] for piece in (attacker, target)}
    state.attacks[attacker] += 1
    most = limit(board, attacker)
    if result != "no-result":
        board.eliminate(target if result == "defender-eliminated" else attacker)
    after = {piece: state.on_board[piece] for piece in (attacker, target)}
    pools = {"before": before, "after": after}
    return {"pools": pools, "attack": state.attacks[attacker], "of": most}
