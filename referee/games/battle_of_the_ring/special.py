"""Special and Elven hexes: who may enter, who must permit it, and what follows."""

from __future__ import annotations

from referee.games.battle_of_the_ring.distance import bar_distance, noted
from referee.games.battle_of_the_ring.pieces import NAME, PIECES, RING, SHORT, THE
from referee.games.battle_of_the_ring.state import ELVEN, RingGame
from referee.rulebook import (
    YES_NO,
    Attempt,
    Bar,
    Choose,
    Conceded,
    Option,
    Options,
    Procedure,
    Ruling,
    Short,
    phrase,
    section,
)

WHERE = Options(
    (
        ("ordinary", "Ordinary hex", "Ordinary"),
        ("elven-hex", "Elven hex", "Elven"),
        ("through-moria", "Through Moria", "Through"),
        ("moria", "Stop in Moria", "Moria"),
        ("fangorn", "Fangorn"),
        ("paths-of-the-dead", "Paths of the Dead", "Paths"),
        ("isengard", "Isengard"),
        ("barad-dur", "Barad-dûr", "Barad"),
        ("mount-doom", "Mount Doom", "Doom"),
        ("shire", "Hex R, the Shire", "Hex R"),
    )
)
BY_NAME = NAME | {RING: Short(NAME[RING], "the Ring Bearer")}
GOES = {
    "ordinary": "to an ordinary hex",
    "elven-hex": "into an Elven hex",
    "through-moria": "through Moria",
    "moria": "into Moria and stop there",
    "fangorn": "into Fangorn",
    "paths-of-the-dead": "into the Paths of the Dead",
    "isengard": "to Isengard",
    "barad-dur": "to Barad-dûr",
    "mount-doom": "to Mount Doom",
    "shire": "to hex R of the Shire",
}
"""Where a piece goes, in the words of a sentence."""
ELVEN_HEXES = Options(Option(f"elven-{k}", f"Elven hex {k}", f"Elven {k}") for k in ELVEN)
FORBIDDEN = Short("Forbidden", "{}: forbidden")
ELVEN_NOTES = (("BR-15", "Elven hexes are numbered 1 to 6 as the players agreed at setup"),)

ONLY_GANDALF = Bar("BR-X16", "Only Gandalf stops in Moria")
GANDALF_AWAY = Bar("BR-X15", "The Alliance passes only while Gandalf is in Moria")
GANDALF_STAYS = Bar("BR-X15", "The Alliance has passed: Gandalf stays in Moria this phase")
MORIA_FORBIDDEN = Bar("BR-X16", "Gandalf is in Moria, and no Alliance player is left to permit it")
ISENGARD = Bar("BR-X16", "Only Saruman's pieces enter Isengard until the Fangorn army comes")
FANGORN = Bar("BR-X16", "Only Gandalf or the Alliance's Ring Bearer enters Fangorn")
FANGORN_CLOSED = Bar("BR-X16", "Fangorn is closed")
FANGORN_TAKEN = {
    there: Bar("BR-X16", f"{THE[there]} is in Fangorn, so {other} stays out", firm=True)
    for there, other in (("gandalf", "the Ring Bearer"), (RING, "Gandalf"))
}
PATHS = Bar("BR-X16", "Only Aragorn enters the Paths of the Dead")
PATHS_CLOSED = Bar("BR-X16", "The Paths of the Dead are closed")
DOOM = Bar("BR-X16", "Only the Ring Bearer enters Mount Doom")
ELVEN_FORBIDDEN = Bar("BR-X17", "An Elf lives, and no Alliance player is left to permit it")
LEFT_BEFORE = {f"elven-{k}": Bar("BR-X17", f"The Ring Bearer has left Elven hex {k} before") for k in ELVEN}
LEFT_ALL = Bar("BR-X17", "The Ring Bearer has left every Elven hex before")


def matters(game: RingGame, piece: str, where: str) -> bool:
    """Whether it matters that a piece is there: in Barad-dûr only the Ring does, on hex R only a third nation."""
    if where == "barad-dur":
        return piece == RING
    if where == "shire":
        return (game.ring_owner if piece == RING else PIECES[piece].side) == "sauron"
    return True


def places(game: RingGame, piece: str) -> Options:
    """Return the places that matter for a piece (`matters`), barred or not; those where the Ring wins say so."""
    there = (option for option in WHERE if matters(game, piece, option.id))
    return Options(there if piece != RING else (game.ends(each, game.ring_owner, each.id) for each in there))


def bar_where(game: RingGame, piece: str, where: str) -> Bar | None:
    """Return why a piece may not be there, how far away it is left out: X16, X17 or X15."""
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
        return _bar_fangorn(game, piece)
    if where == "paths-of-the-dead":
        if game.paths != "dormant":
            return PATHS_CLOSED
        return None if piece == "aragorn" else PATHS
    if where == "mount-doom":
        return None if piece == RING else DOOM
    if where.startswith("elven"):
        return _bar_elven(game, piece, where)
    return None


def _bar_fangorn(game: RingGame, piece: str) -> Bar | None:
    if game.fangorn != "dormant" or game.fangorn_hex == "closed":
        return FANGORN_CLOSED
    if piece != "gandalf" and not (piece == RING and game.ring_owner == "alliance"):
        return FANGORN
    there = in_fangorn(game)
    return FANGORN_TAKEN[there] if there not in ("", piece) else None


def in_fangorn(game: RingGame) -> str:
    """Return who of the Alliance is in Fangorn: gandalf, the Ring Bearer, or "" for nobody."""
    if game.gandalf_in == "fangorn" and game.on_board["gandalf"]:
        return "gandalf"
    return RING if game.ring_hex == "fangorn" and game.ring_owner == "alliance" else ""


def _bar_passing(game: RingGame, piece: str) -> Bar | None:
    if game.force_of(piece) == "alliance":
        return None if game.moria_held and piece != "gandalf" else GANDALF_AWAY
    return MORIA_FORBIDDEN if game.moria_held and "alliance" in game.conceded else None


def _bar_elven(game: RingGame, piece: str, where: str) -> Bar | None:
    if not game.elves_alive:
        return None
    if game.force_of(piece) != "alliance" and "alliance" in game.conceded:
        return ELVEN_FORBIDDEN
    if piece == RING and where == "elven-hex":
        return None if any(_bar_elven(game, RING, hex_.id) is None for hex_ in ELVEN_HEXES) else LEFT_ALL
    if piece == RING and where != game.ring_hex and (where == game.ring_began or game.elven_closed.get(where[6:])):
        return LEFT_BEFORE[where]
    return None


def _isengards_own(game: RingGame, piece: str) -> bool:
    return piece in ("saruman", "man-orc") or (piece == RING and game.ring_owner == "saruman")


def bar_move(game: RingGame, piece: str, where: str) -> Bar | None:
    """Return why a piece may not move there: X16, X17, X15, X18 in that order."""
    return bar_where(game, piece, where) or bar_distance(game, piece, where)


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
            head=SHORT[RING],
            tag="hex",
            notes=ELVEN_NOTES,
        )


@section("BR-14", "BR-51", "BR-60", title="Permission to enter")
def permitted(game: RingGame) -> Procedure[bool]:
    """Ask whoever may forbid it; return whether the piece may go on."""
    entry = game.entry
    foreign = game.force_of(entry.piece) != "alliance"
    asked = foreign and "alliance" not in game.conceded  # an override stands for whoever has given up
    if asked and entry.place.startswith("elven") and game.elves_alive:
        return (yield from permission(game, "BR-14", "BR-X17", "into an Elven hex"))
    if asked and entry.place == "through-moria" and game.moria_held:
        return (yield from permission(game, "BR-51", "BR-X16", "through Moria"))
    if foreign and (entry.piece, entry.place) == (RING, "mount-doom"):
        sure = yield Choose(
            "mount-doom.confirm",
            "The Ring is destroyed and the Alliance wins. Sure?",
            YES_NO,
            default="no",
            rule="BR-7",
            head="Mount Doom",
            tag="sure?",
        )
        return bool(sure == "yes")
    return True


def permission(game: RingGame, rule: str, code: str, text: str) -> Procedure[bool]:
    """The Alliance permits it or not; a no is ruled like any refusal and costs nothing."""
    piece = game.entry.piece
    try:
        answer = yield Choose(
            "permission",
            f"{NAME[piece]} {text}: allowed?",
            YES_NO,
            default="no",
            seat="alliance",
            rule=rule,
            head="Alliance",
            tag="allow?",
        )
    except Conceded:
        answer = "no"
    if answer == "no":
        why = ((rule, phrase("The Alliance does not let {} {}", BY_NAME[piece], text)), Short(code, ""))
        game.rule(
            Ruling(
                "refused", phrase(FORBIDDEN, NAME[piece]), (rule,), why, {"code": code, "piece": piece}, changed=False
            )
        )
    return bool(answer == "yes") and game.seat not in game.conceded


@section("BR-50", "BR-72", title="The Ring Bearer's destination")
def destination(game: RingGame) -> Procedure[None]:
    """Ask where the Ring Bearer goes with the hexes entered, and again where it comes out of Moria.

    The hexes are counted: back leads to another destination, not out of the move.
    """
    arrived = False
    while not arrived and game.seat not in game.conceded:
        game.entry.piece = RING
        game.entry.place = yield lambda: Choose(
            "ring.destination",
            "Where to?",
            places(game, RING),
            lambda where: bar_move(game, RING, where),
            default="ordinary",
            rule="BR-72",
            head=SHORT[RING],
            tag="where?",
        )
        with Attempt(game):
            yield from which_elven(game)
            if (yield from permitted(game)):
                arrive(game)
                arrived = game.entry.place != "through-moria"


def arrive(game: RingGame) -> None:
    """Note where the piece is now, and what that means; may end the game."""
    piece, where = game.entry.piece, game.entry.place
    if where == "through-moria" and game.force_of(piece) == "alliance":
        game.moria_used = True
        game.remind("BR-52", "Gandalf must be in Moria when this phase ends")
    if where == "shire":
        game.shire_third = True
    if piece == "gandalf":
        game.move_gandalf(noted(game, piece, where))
    elif piece == "aragorn":
        game.paths_entered = where == "paths-of-the-dead"
    elif piece == RING:
        game.move_ring(noted(game, piece, where))
        game.check_victory()
    if game.over is None:
        there = WHERE.by_id.get(where) or ELVEN_HEXES.by_id[where]
        goes = Short(f": {there.text}", f" may go {GOES.get(where) or f'into {there.text}'}")
        why = (("BR-11" if where == "ordinary" else "BR-17", phrase("{}{}", BY_NAME[piece], goes)),)
        data = {"piece": piece, "where": where}
        game.rule(Ruling("allowed", "Allowed", ("BR-11", "BR-17"), why, data, changed=False, foot=SHORT[piece]))
