"""The Ring: capture and escape."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from referee.games.battle_of_the_ring import special
from referee.games.battle_of_the_ring.distance import bar_too_far
from referee.games.battle_of_the_ring.pieces import (
    COUNTED,
    NAME,
    NO_PIECE,
    NOT_ACTIVE,
    OPTION,
    PIECES,
    RING,
    RING_MOVE,
    SHORT,
    own,
)
from referee.games.battle_of_the_ring.state import RingGame
from referee.rulebook import Bar, Choose, Count, Option, Options, Procedure, Ruling, Short, phrase, section

NOBODY = Option("nobody", "Nobody: back", "Nobody")
NOT_YOURS = Bar("BR-X01", "The Ring Bearer is not yours to move now", firm=True, aside=True)
OWN_RING = Bar("BR-X21", "The Ring is yours already")
DORMANT = {p: Bar("BR-X21", f"{bar.text} and captures nothing") for p, bar in NOT_ACTIVE.items()}
TOO_FAR = Bar("BR-X18", "The Ring escapes three hexes at most")
PRECEDENCE = ("BR-X21", "BR-X16", "BR-X17", "BR-X15", "BR-X18")
"""Which bar of several pieces that can move is shown."""


TOOK = Short("The Ring is {}'s", "The Ring belongs to {} now")


@section("BR-70", "BR-71", title="Ring captured")
def capture(game: RingGame) -> Procedure[None]:
    """A piece moves onto the Ring Bearer: both go, the captor's Ring Bearer stays."""
    captor = yield lambda: Choose(
        "ring.captor",
        "Who captures the Ring?",
        captors(game),
        partial(bar_captor, game),
        default="nobody",
        passing="nobody",
        rule="BR-71",
    )
    if captor == "nobody":
        return
    game.entry.piece, game.entry.place = captor, game.ring_hex
    if game.ring_hex.startswith("elven") and not (yield from special.permitted(game)):
        return
    game.counted()
    if captor == "saruman" and game.players == 3:
        text = Short("he has reached the Ring", "Saruman has reached the Ring")
        game.win("saruman", "saruman-meets-ring", text, "BR-6")
        return
    yield from change_hands(game, captor)


def captors(game: RingGame) -> Options:
    """Return the own pieces; one whose capture wins the game says so (BR-5, BR-6, BR-8)."""

    def named(option: Option) -> Option:
        himself = option.id == "saruman" and game.players == 3
        return game.ends(option, PIECES[option.id].side, "isengard" if himself else game.ring_hex)

    return Options((*(named(OPTION[piece]) for piece in own(game.seat)), NOBODY))


@section("BR-71", "BR-72", "BR-73", title="The Ring changes hands")
def change_hands(game: RingGame, piece: str) -> Procedure[None]:
    """The captor is removed, its side has the Ring, and the Ring may escape."""
    before = game.on_board[piece]
    game.lose(piece)
    game.ring_owner = PIECES[piece].side
    owner = game.ring_owner.capitalize()
    foot = phrase(COUNTED, SHORT[piece], before, game.on_board[piece])
    game.rule(
        Ruling(
            "ring-captured",
            phrase(Short("Ring taken", "{} takes the Ring"), NAME[piece]),
            ("BR-71",),
            (
                ("BR-71", phrase(TOOK, Short(owner, "the Alliance") if owner == "Alliance" else owner)),
                foot,
            ),
            {"piece": piece, "owner": game.ring_owner},
            foot=foot,
            to_do=("Remove both pieces", "Place your Bearer"),
        )
    )
    game.check_victory()
    if game.over is None:
        yield from escape(game)


@section("BR-32", "BR-72", title="Escape")
def escape(game: RingGame) -> Procedure[None]:
    """The Ring Bearer's whole move for this phase: 0 to 3 hexes (A-BR19)."""
    if game.ring_owner == "sauron" and game.ring_hex == "ordinary":
        game.third_took_ring = True
        game.remind("BR-32", "If the Ring was on hex R and leaves it, Sauron now says whose the Shire is")
    game.entry.hexes = yield Count(
        "ring.escape",
        "Escape: how many hexes?",
        0,
        6,
        lambda hexes: TOO_FAR if hexes > RING_MOVE else None,
        default=0,
        unit=f"of {RING_MOVE}",
        rule="BR-72",
        head=SHORT[RING],
        tag="escape",
    )
    game.ring_moved = True
    if game.entry.hexes:
        yield from special.destination(game)


def bar_capture(game: RingGame) -> Bar | None:
    """Return why no piece of the player whose phase it is can capture the Ring."""
    return most_telling(game, {piece: bar_captor(game, piece) for piece in own(game.seat)})


def most_telling(game: RingGame, bars: Mapping[str, Bar | None]) -> Bar | None:
    """Return None if a piece may, else the bar that says most: of pieces that can move, else dormant, else gone.

    Of no piece at all, as when the judge gives the Ring to another player meanwhile, it is BR-X01.
    """

    def rank(piece: str) -> tuple[bool, bool, int]:
        bar = bars[piece]
        off_board = piece != RING and game.on_board[piece] < 1
        return off_board, game.dormant(piece), PRECEDENCE.index(bar.code) if bar and bar.code in PRECEDENCE else 0

    return None if None in bars.values() else bars.get(min(bars, key=rank, default=""), NOT_YOURS)


def bar_captor(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece of the player whose phase it is cannot capture the Ring: X09, X21, X16, X17, X18."""
    if piece == "nobody":
        return None
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    if game.dormant(piece):
        return DORMANT[piece]
    saruman_himself = piece == "saruman" and game.players == 3
    if game.force_of(RING) == game.seat and not saruman_himself:
        return OWN_RING
    return _bar_hex(game, piece) or bar_too_far(game, piece, 1)


def _bar_hex(game: RingGame, piece: str) -> Bar | None:
    """A hex the captor may not enter shields the Ring (A-BR29)."""
    if game.ring_hex == "fangorn":
        return special.FANGORN
    return special.bar_where(game, piece, game.ring_hex)
