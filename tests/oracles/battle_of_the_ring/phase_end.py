"""The end of a Movement Phase: what the referee cannot see is asked, then all of it counts."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.battle_of_the_ring import armies, rules, shire
from tests.oracles.battle_of_the_ring.board import Board
from tests.oracles.battle_of_the_ring.question import Asking, Codes
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, RING

Matter = tuple[str, Callable[[Board], bool], Callable[[Board], Codes]]
"""The key of a question, whether it matters, its codes."""


def end(board: Board) -> Asking:
    """Ask what may matter; return whether the phase is over."""
    answers: dict[str, str] = {}
    for key, matters, codes in MATTERS:
        if not matters(board):
            continue
        answer = yield from board.ask(key, lambda: codes(board) | {"moves": ""})  # noqa: B023
        if answer == "moves":
            return False
        answers[key] = answer
        if key == "end.shire" and answer == "nobody" and shire.third_withdrew(board):
            answer = yield from board.ask("end.shire-owner", lambda: dict.fromkeys(shire.OWNERS, ""))
            if answer == "moves":
                return False
            answers["end.shire-owner"] = answer
    yield from count(board, answers)
    return True


def yes_no(board: Board) -> Codes:
    del board
    return {"yes": "", "no": ""}


def moria_matters(board: Board) -> bool:
    there = board.state.gandalf_in == "moria" or board.state.moria_used
    return board.turn_of(ALLIANCE) and board.alive("gandalf") and there


def in_elven_hex(board: Board) -> bool:
    """Tell whether the player's own Ring Bearer is in an Elven hex that is not yet ordinary."""
    return board.own(RING) and board.state.ring_hex in rules.ELVEN_HEXES and board.elves()


def stay_code(board: Board) -> str:
    """Return why the Ring Bearer does not end the turn in its Elven hex (BR-15)."""
    state = board.state
    last = state.phase == "second-movement" and board.elves()
    return "" if not last or rules.may_stay_in_elven_hex(state.elven_stay[state.ring_hex[-1]]) else "BR-X17"


MATTERS: tuple[Matter, ...] = (
    ("end.paths", armies.paths_matter, armies.companies),
    ("end.entered", armies.may_have_entered, yes_no),
    ("end.moria", moria_matters, lambda board: {"yes": "", "no": "BR-X15" if board.state.moria_used else ""}),
    ("end.isengard", armies.wakes, armies.isengard_codes),
    ("end.fangorn", armies.must_leave, yes_no),
    ("end.shire", shire.matters, lambda board: dict.fromkeys(shire.STANDING, "")),
    ("end.elven", in_elven_hex, lambda board: {"yes": stay_code(board), "no": ""}),
    ("end.ring", lambda board: board.own(RING) and board.state.ring_hex in {"isengard", "barad-dur"}, yes_no),
)
"""In the order in which they are asked."""


def count(board: Board, answers: dict[str, str]) -> Asking:
    state = board.state
    if board.turn_of(ALLIANCE) and state.paths == "aragorn-inside":
        armies.leave_paths(board, answers.get("end.paths", ""))  # not asked: nobody is left who could be inside
    if answers.get("end.entered") == "yes" and board.alive("aragorn"):
        state.paths = "aragorn-inside"
        board.remind("BR-58")
    if "end.moria" in answers:
        board.put_gandalf("moria" if answers["end.moria"] == "yes" else "none")
    if answers.get("end.fangorn") == "yes":
        armies.leave_fangorn(board)
    elif "end.fangorn" in answers:
        board.remind("BR-57")
    if "end.shire" in answers:
        shire.passes(board, answers.get("end.shire-owner", answers["end.shire"]))
    if "no" in {answers.get("end.elven"), answers.get("end.ring")}:
        board.put_ring("ordinary")
    if board.elves() and state.ring_began in rules.ELVEN_HEXES and state.ring_began != state.ring_hex:
        state.elven_closed[state.ring_began[-1]] = True
    if answers.get("end.isengard", "left") != "left":
        yield from armies.awake(board, answers["end.isengard"])
    elif "end.isengard" in answers:
        armies.leave_fangorn(board)
    count_turn(board)


def count_turn(board: Board) -> None:
    """A turn of the Ring's owner ends with the Ring Bearer in an Elven hex (BR-15)."""
    if board.state.phase == "second-movement" and in_elven_hex(board):
        number = board.state.ring_hex[-1]
        board.state.elven_stay[number] = min(3, board.state.elven_stay[number] + 1)
