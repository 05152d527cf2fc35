"""The end of a Movement Phase: what the referee cannot see is asked, then all of it counts.

Hex R of the Shire (BR-30 to BR-32, A-BR9, A-BR10); the Dead and the Fangorn army, who wake (BR-55 to BR-59).
"""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.battle_of_the_ring import places, ring, rules
from tests.oracles.battle_of_the_ring.board import Asking, Board, Codes
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, DEAD, ENTS, PIECES, RING, SARUMAN, SAURON

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
    announce_shire(board, changed=changed)


def shire_matters(board: Board) -> bool:
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
        announce_shire(board, changed=True)


def announce_shire(board: Board, *, changed: bool) -> None:
    board.announce("shire", "BR-31", "BR-32", changed=changed, owner=board.state.shire_owner)


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
        if key == "end.shire" and answer == "nobody" and third_withdrew(board):
            answer = yield from board.ask("end.shire-owner", lambda: dict.fromkeys(OWNERS, ""))
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
    ("end.paths", paths_matter, companies),
    ("end.entered", may_have_entered, yes_no),
    ("end.moria", moria_matters, lambda board: {"yes": "", "no": "BR-X15" if board.state.moria_used else ""}),
    ("end.isengard", wakes, isengard_codes),
    ("end.fangorn", must_leave, yes_no),
    ("end.shire", shire_matters, lambda board: dict.fromkeys(STANDING, "")),
    ("end.elven", in_elven_hex, lambda board: {"yes": stay_code(board), "no": ""}),
    ("end.ring", lambda board: board.own(RING) and board.state.ring_hex in {"isengard", "barad-dur"}, yes_no),
)
"""In the order in which they are asked."""


def count(board: Board, answers: dict[str, str]) -> Asking:
    state = board.state
    if board.turn_of(ALLIANCE) and state.paths == "aragorn-inside":
        leave_paths(board, answers.get("end.paths", ""))  # not asked: nobody is left who could be inside
    if answers.get("end.entered") == "yes" and board.alive("aragorn"):
        state.paths = "aragorn-inside"
        board.remind("BR-58")
    if "end.moria" in answers:
        board.put_gandalf("moria" if answers["end.moria"] == "yes" else "none")
    if answers.get("end.fangorn") == "yes":
        leave_fangorn(board)
    elif "end.fangorn" in answers:
        board.remind("BR-57")
    if "end.shire" in answers:
        passes(board, answers.get("end.shire-owner", answers["end.shire"]))
    if "no" in {answers.get("end.elven"), answers.get("end.ring")}:
        board.put_ring("ordinary")
    if board.elves() and state.ring_began in rules.ELVEN_HEXES and state.ring_began != state.ring_hex:
        state.elven_closed[state.ring_began[-1]] = True
    if answers.get("end.isengard", "left") != "left":
        yield from awake(board, answers["end.isengard"])
    elif "end.isengard" in answers:
        leave_fangorn(board)
    count_turn(board)


def count_turn(board: Board) -> None:
    """A turn of the Ring's owner ends with the Ring Bearer in an Elven hex (BR-15)."""
    if board.state.phase == "second-movement" and in_elven_hex(board):
        number = board.state.ring_hex[-1]
        board.state.elven_stay[number] = min(3, board.state.elven_stay[number] + 1)
