"""The Ring: capture and escape."""

from __future__ import annotations

from functools import partial

from referee.games.battle_of_the_ring import special
from referee.games.battle_of_the_ring.distance import bar_distance
from referee.games.battle_of_the_ring.pieces import NAME, PIECES, RING, RING_MOVE, SHORT, ours_first
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Bar, Choose, Count, Procedure, Ruling, section

FOREIGN = Bar("BR-X01", "That piece is not yours to move now", firm=True, aside=True)
NO_PIECE = {p: Bar("BR-X09", f"No {NAME[p]} is on the board", firm=True) for p in PIECES}
RING_CAPTOR = Bar("BR-X21", "The Ring Bearer captures nothing", firm=True, aside=True)
OWN_RING = Bar("BR-X21", "The Ring is yours already")
ASLEEP = Bar("BR-X21", "A sleeping army captures nothing")
DESTINATIONS = special.WHERE.only(
    *("ordinary", "elven-hex", "barad-dur", "isengard", "mount-doom"),
    *("through-moria", "fangorn", "moria", "paths-of-the-dead"),
)
TOO_FAR = Bar("BR-X18", "The Ring escapes three hexes at most")


@section("BR-70", "BR-71", title="Ring captured")
def capture(game: RingGame) -> Procedure[None]:
    """A piece moves onto the Ring Bearer: both go, the captor's Ring Bearer stays."""
    game.entry.piece = yield Choose(
        "ring.captor",
        "Who captures the Ring?",
        ours_first(game.seat),
        partial(bar_captor, game),
        rule="BR-71",
        head="Ring",
        tag="who?",
    )
    game.entry.place = game.ring_hex
    if game.ring_hex.startswith("elven") and not (yield from special.leave(game)):
        return
    game.counted()
    piece = game.entry.piece
    if piece == "saruman" and game.players == 3:
        game.win("saruman", "saruman-meets-ring", "he has reached the Ring", "BR-6")
    yield from taken(game, piece)


@section("BR-71", "BR-72", "BR-73", title="The Ring changes hands")
def taken(game: RingGame, piece: str) -> Procedure[None]:
    """The captor is removed, its side has the Ring, and the Ring may escape."""
    before = game.on_board[piece]
    game.lose(piece)
    game.ring_owner = PIECES[piece].side
    owner = game.ring_owner.capitalize()
    game.rule(
        Ruling(
            "ring-captured",
            "Ring taken",
            ("BR-71",),
            (f"{NAME[piece]} took the Ring: it is {owner}'s", f"{SHORT[piece]} {before}>{game.on_board[piece]}"),
            {"piece": piece, "owner": game.ring_owner},
            foot=f"{SHORT[piece]} {before}>{game.on_board[piece]}",
        )
    )
    game.check_victory()
    yield from escape(game)


@section("BR-72", title="Escape")
def escape(game: RingGame) -> Procedure[None]:
    """The Ring Bearer's whole move for this phase: 0 to 3 hexes (A-BR19)."""
    game.entry.hexes = yield Count(
        "ring.escape",
        "Escape: how many hexes?",
        0,
        6,
        _bar_escape,
        default=0,
        unit="hexes",
        rule="BR-72",
        head="Ring",
        tag="escape",
    )
    game.ring_moved = True
    arrived = game.entry.hexes == 0
    while not arrived:
        game.entry.piece = RING
        game.entry.place = yield Choose(
            "ring.destination",
            "Where to?",
            DESTINATIONS,
            partial(_bar_destination, game),
            default="ordinary",
            rule="BR-72",
            head="Ring",
            tag="where",
        )
        yield from special.which_elven(game)
        if (yield from special.leave(game)):
            special.arrive(game)
            arrived = game.entry.place != "through-moria"  # where it comes out may matter too


def _bar_escape(hexes: int) -> Bar | None:
    return TOO_FAR if hexes > RING_MOVE else None


def _bar_destination(game: RingGame, where: str) -> Bar | None:
    return special.bar_where(game, RING, where) or bar_distance(game, RING, where)


def bar_captor(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece cannot capture the Ring: X01, X09, X21, X16, X17 in that order."""
    if game.force_of(piece) != game.seat:
        return FOREIGN
    if piece == RING:
        return RING_CAPTOR
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    if game.dormant(piece):
        return ASLEEP
    saruman_himself = piece == "saruman" and game.players == 3
    if game.force_of(RING) == game.seat and not saruman_himself:
        return OWN_RING
    return _bar_hex(game, piece)


def _bar_hex(game: RingGame, piece: str) -> Bar | None:
    """A hex the captor may not enter shields the Ring (A-BR29)."""
    if game.ring_hex == "fangorn":
        return special.FANGORN
    return special.bar_where(game, piece, game.ring_hex)
