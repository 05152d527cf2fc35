"""A Movement Phase: what the referee has to hear of moves it cannot see."""

from __future__ import annotations

from functools import partial

from referee.games.battle_of_the_ring.activation import paths_due
from referee.games.battle_of_the_ring.distance import count_hexes
from referee.games.battle_of_the_ring.phase_end import elven_due, fangorn_due, pass_shire, phase_end, quiet
from referee.games.battle_of_the_ring.pieces import (
    COUNTED,
    NAME,
    NO_PIECE,
    NOT_ACTIVE,
    OPTION,
    RING,
    SHORT,
    ours_first,
    own,
)
from referee.games.battle_of_the_ring.ring import bar_capture, capture, most_telling
from referee.games.battle_of_the_ring.special import (
    WHERE,
    arrive,
    bar_move,
    destination,
    matters,
    permitted,
    places,
    which_elven,
)
from referee.games.battle_of_the_ring.state import Input, RingGame
from referee.rulebook import Attempt, Bar, Choose, Notes, Options, Procedure, Ruling, Short, decide, phrase, section

MENU = Options(
    (
        ("check", "Move check", "Check"),
        ("ring-captured", "Ring captured", "Capture"),
        ("special-hex", "Special hex", "Special"),
        ("elven-hex", "Elven hex entered", "Elven"),
        ("done", "Moves done", "Done"),
        ("removed", "Piece removed by agreement", "Removed"),
        ("third-leaves", "Leaves hex R, the Shire", "Leave R"),
    )
)
TAGS = {"first-movement": "1st move", "second-movement": "2nd move"}
LEAVE_FANGORN = ("BR-57", "Whoever activated Fangorn must leave it as soon as an empty hex is in reach")
LEAVE_PATHS = ("BR-58", "Aragorn and the Dead leave by the south in this phase, or are destroyed")
LEAVE_ELVEN = ("BR-15", "The Ring Bearer must leave its Elven hex this turn")

NO_THIRD = Bar("BR-X09", "No piece of Sauron's is on hex R of the Shire", aside=True)
NOT_SAURONS = Bar("BR-X09", "In Sauron's turn a piece of his leaves hex R", aside=True)
SPECIAL = WHERE.only(
    *("through-moria", "moria", "fangorn", "paths-of-the-dead", "isengard", "mount-doom"),
    *("barad-dur", "shire", "ordinary"),
)
OWNERS = Options((("hobbits", "The Hobbits", "Hobbits"), ("saruman", "Saruman")))


@section("BR-3", "BR-10", "BR-12", "BR-13", "BR-16", title="Movement Phase")
def movement_phase(game: RingGame) -> Procedure[None]:
    """Any number of moves; only what matters is entered. The 2nd is conducted like the 1st."""
    ended = False
    while not ended and game.seat not in game.conceded:
        game.entry = Input()
        action = yield lambda: Choose(
            "move.menu",
            Short("Move freely; enter only what matters", "Move freely. Did any of these happen?"),
            MENU,
            partial(bar_menu, game),
            passing="done",
            rule="BR-11",
            tag=TAGS[game.phase],
            notes=notes(game),
            bundles=partial(quiet, game),
        )
        with Attempt(game):
            if action == "done":
                ended = yield from phase_end(game)
            else:
                yield from ACTIONS[action](game)


def bar_menu(game: RingGame, action: str) -> Bar | None:
    """Return why an entry is not open in a Movement Phase."""
    if action == "ring-captured":
        return bar_capture(game)
    if action == "third-leaves":
        if not (game.shire_third or game.third_took_ring):
            return NO_THIRD
        return None if game.force_of("orc") == game.seat else NOT_SAURONS
    return None


def notes(game: RingGame) -> Notes:
    """Return the reminders of this phase: what is due now, then what always holds."""
    due = []
    if paths_due(game):
        due.append(LEAVE_PATHS)
    if elven_due(game) and game.elven_stay[game.ring_hex.removeprefix("elven-")] >= 2:
        due.append(LEAVE_ELVEN)
    if fangorn_due(game):
        due.append(LEAVE_FANGORN)
    return (*due, "BR-10", "BR-12", "BR-13")


@section("BR-11", "BR-17", title="Move check")
def check(game: RingGame) -> Procedure[None]:
    """Check one move before it is made: the piece, where it ends, how many hexes."""
    entry = game.entry
    text, bar = "Which piece?", partial(bar_piece, game)
    entry.piece = yield from decide(
        lambda: Choose("move.piece", text, movers(game), bar, rule="BR-11", tag="piece?"), cards=True
    )
    entry.place = yield lambda: Choose(
        "move.where",
        f"{NAME[entry.piece]}: where?",
        places(game, entry.piece),
        lambda where: off_the_glass(game, bar_move(game, entry.piece, where)),
        default="ordinary",
        rule="BR-17",
        head=SHORT[entry.piece],
        tag="where?",
    )
    yield from move(game)


@section("BR-17", "BR-50", "BR-51", "BR-52", "BR-54", "BR-56", "BR-57", "BR-58", "BR-60", title="Special hex")
def special_hex(game: RingGame) -> Procedure[None]:
    """A special hex is entered, passed or left."""
    game.entry.place = yield Choose(
        "special.hex",
        "Which hex?",
        Options(option for option in SPECIAL if any(matters(game, p, option.id) for p in own_pieces(game))),
        partial(bar_hex, game),
        rule="BR-17",
        head="Special hex",
        tag="which?",
    )
    yield from enter(game)


def own_pieces(game: RingGame) -> tuple[str, ...]:
    """Return the types of piece of the player whose phase it is, the Ring Bearer last."""
    return (*own(game.seat), *((RING,) if game.force_of(RING) == game.seat else ()))


def movers(game: RingGame, where: str = "ordinary") -> Options:
    """Return these pieces, as far as it matters that one is there; the Ring Bearer first: most of its moves count."""
    *_, last = pieces = own_pieces(game)
    return Options(OPTION[p] for p in ((last, *pieces[:-1]) if last == RING else pieces) if matters(game, p, where))


def bar_hex(game: RingGame, where: str) -> Bar | None:
    """Return why no piece of this player goes there, None if one can: the bar that says most."""
    bars = {piece: _bar_mover(game, piece, where) for piece in own_pieces(game) if matters(game, piece, where)}
    return off_the_glass(game, most_telling(game, bars))


def off_the_glass(game: RingGame, bar: Bar | None) -> Bar | None:
    """Return the bar, kept off the glass where it shuts a special hex that Evil never enters."""
    return bar if game.seat == "alliance" else shut_out(bar)


def shut_out(bar: Bar | None) -> Bar | None:
    """Return the bar, kept off the glass where it shuts a piece out of a special hex, or the piece is dormant."""
    return bar._replace(aside=True) if bar and bar.code in ("BR-X14", "BR-X16") else bar


def _bar_mover(game: RingGame, piece: str, where: str) -> Bar | None:
    """Return why a piece does not go there: X09, X14, X16, X17, X15, X18 in that order."""
    return bar_piece(game, piece) or bar_move(game, piece, where)


@section("BR-14", "BR-15", title="Elven hex")
def elven_hex(game: RingGame) -> Procedure[None]:
    """A piece enters or crosses an Elven hex."""
    game.entry.place = "elven-hex"
    yield from enter(game)


@section("BR-14", "BR-17", "BR-51", title="Entry")
def enter(game: RingGame) -> Procedure[None]:
    """Which piece goes to the hex named; not asked where only one can."""
    where = game.entry.place
    game.entry.piece = yield from decide(
        lambda: Choose(
            "special.piece",
            "Which piece?",
            movers(game, where),
            lambda piece: shut_out(_bar_mover(game, piece, where)),
            rule="BR-17",
            head=WHERE.by_id[where].text,
            tag="piece?",
        )
    )
    yield from move(game)


@section("BR-11", "BR-14", "BR-51", title="Move")
def move(game: RingGame) -> Procedure[None]:
    """With whose permission the piece goes there, over how many hexes."""
    yield from which_elven(game)
    if not (yield from permitted(game)):
        return
    yield from count_hexes(game)
    game.counted()
    piece, hexes = game.entry.piece, game.entry.hexes or 0
    game.moved[piece] = min(99, game.moved[piece] + hexes)
    arrive(game)
    if piece == RING and game.entry.place == "through-moria":
        yield from destination(game)


@section("BR-32", title="Third nation leaves the Shire")
def third_leaves(game: RingGame) -> Procedure[None]:
    """Sauron, whose piece leaves hex R, says whose the Shire is now (BR-32)."""
    owner = yield lambda: Choose(
        "shire.owner",
        "Who controls the Shire now?",
        OWNERS,
        default=game.shire_owner,
        rule="BR-32",
        head="Hex R left",
        tag="whose?",
    )
    game.counted()
    leaves = "Sauron's piece leaves hex R"
    why = [("BR-32", Short(f"{leaves}: he says whose the Shire is", f"{leaves}, so Sauron says who owns the Shire"))]
    if not game.shire_third:
        why.append(("BR-32", phrase("The Ring was taken on hex R: Sauron's Ring Bearer stood there")))
    game.shire_third = game.third_took_ring = False
    pass_shire(game, owner, *why)


@section(title="Removal")
def removed(game: RingGame) -> Procedure[None]:
    """A piece is taken off the board by agreement of the players."""
    piece = yield Choose(
        "removed.piece", "Which piece is removed?", ours_first(game.seat), partial(bar_removed, game), tag="removed?"
    )
    game.counted()
    before = game.on_board[piece]
    game.lose(piece)
    foot = phrase(COUNTED, SHORT[piece], before, game.on_board[piece])
    why = (phrase(Short("{} removed by agreement", "{} is removed by agreement"), NAME[piece]), foot)
    game.rule(
        Ruling("removed", phrase(Short("{} out", "{} is out"), SHORT[piece]), (), why, {"piece": piece}, foot=foot)
    )


ACTIONS = {
    "check": check,
    "ring-captured": capture,
    "special-hex": special_hex,
    "elven-hex": elven_hex,
    "removed": removed,
    "third-leaves": third_leaves,
}


def bar_removed(game: RingGame, piece: str) -> Bar | None:
    """Return BR-X09 for a piece that is not on the board."""
    return NO_PIECE[piece] if game.on_board[piece] < 1 else None


def bar_piece(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece does not move: X09, X14 in that order."""
    if piece == RING:
        return None
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    return NOT_ACTIVE[piece] if game.dormant(piece) else None
