"""Special and Elven hexes: who may enter, who must give leave, and what follows."""

from __future__ import annotations

from referee.games.battle_of_the_ring.distance import bar_distance, noted
from referee.games.battle_of_the_ring.pieces import NAME, RING, SHORT
from referee.games.battle_of_the_ring.state import ELVEN, RingGame
from referee.rulebook import YES_NO, Bar, Choose, Conceded, Option, Options, Procedure, Ruling, section

WHERE = Options(
    (
        ("ordinary", "Ordinary hex", "Ordinary"),
        ("elven-hex", "Elven hex", "Elven"),
        ("through-moria", "Through Moria", "Through"),
        ("moria", "Stop in Moria", "Moria"),
        ("fangorn", "Fangorn"),
        ("paths-of-the-dead", "Paths of the Dead", "Paths"),
        ("isengard", "Isengard"),
        ("barad-dur", "Barad-dûr", "Barad-d."),
        ("mount-doom", "Mount Doom", "Doom"),
    )
)
ELVEN_HEXES = Options(Option(f"elven-{k}", f"Elven hex {k}", f"Elven {k}") for k in ELVEN)

ONLY_GANDALF = Bar("BR-X16", "Only Gandalf stops in Moria")
GANDALF_AWAY = Bar("BR-X15", "The Alliance passes only while Gandalf is in Moria")
GANDALF_STAYS = Bar("BR-X15", "The Alliance has passed: Gandalf stays in Moria this phase")
NO_LEAVE_MORIA = Bar("BR-X16", "Gandalf is in Moria and nobody gives leave to pass")
ISENGARD = Bar("BR-X16", "Only Saruman and Man-Orcs enter Isengard until Fangorn comes")
FANGORN = Bar("BR-X16", "Only Gandalf or the Alliance's Ring Bearer enters Fangorn")
FANGORN_SHUT = Bar("BR-X16", "Fangorn is closed")
PATHS = Bar("BR-X16", "Only Aragorn enters the Paths of the Dead")
PATHS_SHUT = Bar("BR-X16", "The Paths of the Dead are closed")
DOOM = Bar("BR-X16", "Only the Ring Bearer enters Mount Doom")
NO_LEAVE_ELVEN = Bar("BR-X17", "An Elf lives and nobody gives leave to enter")
LEFT_BEFORE = Bar("BR-X17", "The Ring Bearer has left that Elven hex before")


def bar_where(game: RingGame, piece: str, where: str) -> Bar | None:
    """Return why a piece may not go there: BR-X16, BR-X17 or BR-X15."""
    if where == "moria":
        return None if piece == "gandalf" else ONLY_GANDALF
    if where == "through-moria":
        return _bar_passing(game, piece)
    if piece == "gandalf" and game.gandalf_in == "moria" and game.moria_used:
        return _bar_hex(game, piece, where) or GANDALF_STAYS
    return _bar_hex(game, piece, where)


def _bar_hex(game: RingGame, piece: str, where: str) -> Bar | None:
    if where == "isengard":
        return None if game.isengard == "ordinary" or _isengards_own(game, piece) else ISENGARD
    if where == "fangorn":
        if game.fangorn != "dormant" or game.fangorn_hex == "closed":
            return FANGORN_SHUT
        return None if piece == "gandalf" or _alliance_ring(game, piece) else FANGORN
    if where == "paths-of-the-dead":
        if game.paths != "dormant":
            return PATHS_SHUT
        return None if piece == "aragorn" else PATHS
    if where == "mount-doom":
        return None if piece == RING else DOOM
    if where.startswith("elven"):
        return _bar_elven(game, piece, where)
    return None


def _bar_passing(game: RingGame, piece: str) -> Bar | None:
    if game.force_of(piece) == "alliance":
        return None if game.moria_held and piece != "gandalf" else GANDALF_AWAY
    return NO_LEAVE_MORIA if game.moria_held and "alliance" in game.conceded else None


def _bar_elven(game: RingGame, piece: str, where: str) -> Bar | None:
    if not game.elves_alive:
        return None
    if game.force_of(piece) != "alliance" and "alliance" in game.conceded:
        return NO_LEAVE_ELVEN
    if piece == RING and (where == game.ring_began != game.ring_hex or game.elven_closed.get(where[6:], False)):
        return LEFT_BEFORE
    return None


def _isengards_own(game: RingGame, piece: str) -> bool:
    return piece in ("saruman", "man-orc") or (piece == RING and game.ring_owner == "saruman")


def _alliance_ring(game: RingGame, piece: str) -> bool:
    return piece == RING and game.ring_owner == "alliance"


@section("BR-14", "BR-15", title="Elven hex")
def which_elven(game: RingGame) -> Procedure[None]:
    """The Ring Bearer says which Elven hex it is; nobody else needs to."""
    entry = game.entry
    if entry.place == "elven-hex" and entry.piece == RING and game.elves_alive:
        entry.place = yield Choose(
            "elven.which",
            "Which Elven hex?",
            ELVEN_HEXES,
            lambda where: _bar_elven(game, RING, where) or bar_distance(game, RING, where),
            rule="BR-15",
            head="Ring Bearer",
            tag="hex",
        )


@section("BR-14", "BR-51", "BR-60", title="Leave to enter")
def leave(game: RingGame) -> Procedure[bool]:
    """Ask whoever may forbid it; return whether the piece may go on."""
    entry = game.entry
    foreign = game.force_of(entry.piece) != "alliance"
    if foreign and entry.place.startswith("elven") and game.elves_alive:
        return (yield from permission(game, "BR-14", "BR-X17", "into an Elven hex"))
    if foreign and entry.place == "through-moria" and game.moria_held:
        return (yield from permission(game, "BR-51", "BR-X16", "through Moria"))
    if foreign and entry.place == "mount-doom":
        sure = yield Choose(
            "mount-doom.confirm",
            "The Ring burns and the Alliance wins. Sure?",
            YES_NO,
            default="no",
            rule="BR-7",
            head="Mount Doom",
            tag="sure?",
        )
        return bool(sure == "yes")
    return True


def permission(game: RingGame, rule: str, code: str, text: str) -> Procedure[bool]:
    """The Alliance allows it or not; a no is ruled like any refusal and costs nothing."""
    piece = game.entry.piece
    try:
        answer = yield Choose(
            "permission",
            f"{NAME[piece]} {text}: allowed?",
            YES_NO,
            seat="alliance",
            rule=rule,
            head="Alliance",
            tag="allow?",
        )
    except Conceded:
        answer = "no"
    if answer == "no":
        why = (f"The Alliance forbids {NAME[piece]} {text}", code)
        game.rule(Ruling("refused", "Forbidden", (rule,), why, {"code": code, "piece": piece}, changed=False))
    return bool(answer == "yes") and game.seat not in game.conceded


def arrive(game: RingGame) -> None:
    """Note where the piece is now, and what that means; may end the game."""
    piece, where = game.entry.piece, game.entry.place
    if where == "through-moria" and game.force_of(piece) == "alliance":
        game.moria_used = True
        game.remind("BR-52", "Gandalf must be in Moria when this phase ends")
    if piece == "gandalf":
        game.move_gandalf(noted(game, piece, where))
    elif piece == "aragorn":
        game.paths_entered = where == "paths-of-the-dead"
    elif piece == RING:
        game.move_ring(noted(game, piece, where))
        game.check_victory()
    game.rule(
        Ruling(
            "allowed",
            "Allowed",
            ("BR-11", "BR-17"),
            (f"{NAME[piece]}: {_name(where)}",),
            {"piece": piece, "where": where},
            changed=False,
            foot=SHORT[piece],
        )
    )


def _name(where: str) -> str:
    return (WHERE.by_id.get(where) or ELVEN_HEXES.by_id[where]).text
