"""A Movement Phase: what the referee has to hear of moves it cannot see."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.battle_of_the_ring.distance import bar_distance, count_hexes
from referee.games.battle_of_the_ring.phase_end import elven_due, fangorn_due, phase_end, quiet
from referee.games.battle_of_the_ring.pieces import NAME, RING, SHORT, ours_first
from referee.games.battle_of_the_ring.ring import FOREIGN, NO_PIECE, capture
from referee.games.battle_of_the_ring.special import WHERE, arrive, bar_where, leave, which_elven
from referee.games.battle_of_the_ring.state import Entry, RingGame
from referee.games.battle_of_the_ring.waking import paths_due
from referee.rulebook import Attempt, Bar, Choose, Option, Options, Procedure, Ruling, section

MENU = Options(
    (
        ("check", "Move check", "Check"),
        ("ring-captured", "Ring captured", "Capture"),
        ("special-hex", "Special hex", "Special"),
        ("elven-hex", "Elven hex entered", "Elven"),
        ("removed", "Piece removed by agreement", "Removed"),
        ("third-leaves", "Leaves the Shire", "Shire"),
        ("attack", "Attack"),
        ("build", "Build"),
        ("done", "Moves done", "Done"),
    )
)
NOTES = (
    ("BR-10", "One piece a hex; guests only in Fangorn and the Paths"),
    ("BR-12", "Never over another force without its leave"),
    ("BR-13", "No mountains, sea, forest, Entwash; rivers and forts cost nothing"),
)
LEAVE_FANGORN = ("BR-57", "Who woke Fangorn must leave it as soon as a free hex is in reach")
LEAVE_PATHS = ("BR-58", "Aragorn and the Dead leave by the south in this phase, or are destroyed")
LEAVE_ELVEN = ("BR-15", "The Ring Bearer must leave its Elven hex this turn")

OTHER_PHASE = Bar("BR-X01", "This is a Movement Phase", firm=True, aside=True)
ROUND_ONE = Bar("BR-X02", "Nobody builds in round 1", firm=True, aside=True)
NO_THIRD = Bar("BR-X09", "No third nation of yours is in the Shire", aside=True)
ASLEEP = {p: Bar("BR-X14", f"{NAME[p]} sleeps and stays") for p in ("fangorn-army", "army-of-the-dead")}
SPECIALS = WHERE.only("through-moria", "moria", "fangorn", "paths-of-the-dead", "isengard", "mount-doom", "barad-dur")
MOVES = Options((*SPECIALS, Option("ordinary", "Ordinary hex", "Out")))
OWNERS = Options((("hobbits", "The Hobbits", "Hobbits"), ("saruman", "Saruman")))


@section("BR-3", "BR-10", "BR-12", "BR-13", "BR-16", title="Movement Phase")
def movement_phase(game: RingGame) -> Procedure[None]:
    """Any number of moves; only what matters is entered. The 2nd is conducted like the 1st."""
    ended = False
    while not ended and game.seat not in game.conceded:
        game.entry = Entry()
        action = yield Choose(
            "move.menu",
            "Anything to enter?",
            MENU,
            partial(bar_menu, game),
            passing="done",
            rule="BR-11",
            tag="move",
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
    if action == "third-leaves":
        return None if game.shire_third and game.force_of("orc") == game.seat else NO_THIRD
    if action == "build":
        return ROUND_ONE if game.round_one else OTHER_PHASE
    return OTHER_PHASE if action == "attack" else None


def notes(game: RingGame) -> tuple[tuple[str, str], ...]:
    """Return the reminders of this phase: what always holds, and what is due now."""
    due = []
    if paths_due(game):
        due.append(LEAVE_PATHS)
    if elven_due(game) and game.elven_stay[game.ring_hex.removeprefix("elven-")] >= 2:
        due.append(LEAVE_ELVEN)
    if fangorn_due(game):
        due.append(LEAVE_FANGORN)
    return (*due, *NOTES)


@section("BR-11", "BR-17", title="Move check")
def check(game: RingGame) -> Procedure[None]:
    """Piece, where it ends, how many hexes."""
    entry = game.entry
    entry.piece = yield Choose(
        "move.piece", "Which piece?", ours_first(game.seat), partial(bar_piece, game), rule="BR-11", tag="piece"
    )
    entry.place = yield Choose(
        "move.where",
        f"{NAME[entry.piece]}: where?",
        WHERE,
        lambda where: bar_move(game, game.entry.piece, where),
        default="ordinary",
        rule="BR-17",
        head=SHORT[entry.piece],
        tag="where",
    )
    yield from which_elven(game)
    if not (yield from leave(game)):
        return
    yield from count_hexes(game)
    game.counted()
    arrive(game)


@section("BR-17", "BR-50", "BR-51", "BR-52", "BR-54", "BR-56", "BR-57", "BR-58", "BR-60", title="Special hex")
def special_hex(game: RingGame) -> Procedure[None]:
    """A special hex is entered, passed or left."""
    game.entry.place = yield Choose("special.hex", "Which hex?", MOVES, rule="BR-17", head="Special hex", tag="hex")
    yield from enter(game)


@section("BR-14", "BR-15", title="Elven hex")
def elven_hex(game: RingGame) -> Procedure[None]:
    """A piece enters or crosses an Elven hex."""
    game.entry.place = "elven-hex"
    yield from enter(game)


@section("BR-14", "BR-17", "BR-51", title="Entry")
def enter(game: RingGame) -> Procedure[None]:
    """Which piece, with whose leave, over how many hexes."""
    game.entry.piece = yield Choose(
        "special.piece",
        "Which piece?",
        ours_first(game.seat),
        partial(bar_entry, game),
        rule="BR-17",
        head="Elven hex" if game.entry.place == "elven-hex" else MOVES.by_id[game.entry.place].text,
        tag="piece",
    )
    yield from which_elven(game)
    if not (yield from leave(game)):
        return
    yield from count_hexes(game)
    game.counted()
    arrive(game)


@section("BR-32", title="Third nation leaves the Shire")
def third_leaves(game: RingGame) -> Procedure[None]:
    """It says whose the Shire is now."""
    game.shire_owner = yield Choose(
        "shire.owner", "Who owns the Shire now?", OWNERS, default=game.shire_owner, rule="BR-32", tag="Shire"
    )
    game.counted()
    game.shire_third = False


@section(title="Removal")
def removed(game: RingGame) -> Procedure[None]:
    """A piece is taken off the board by agreement of the players."""
    piece = yield Choose(
        "removed.piece", "Which piece is removed?", removable(game.seat), partial(bar_removed, game), tag="piece"
    )
    game.counted()
    before = game.on_board[piece]
    game.lose(piece)
    foot = f"{SHORT[piece]} {before}>{game.on_board[piece]}"
    why = (f"{NAME[piece]} removed by agreement", foot)
    game.rule(Ruling("removed", f"{SHORT[piece]} out", (), why, {"piece": piece}, foot=foot))


ACTIONS = {
    "check": check,
    "ring-captured": capture,
    "special-hex": special_hex,
    "elven-hex": elven_hex,
    "removed": removed,
    "third-leaves": third_leaves,
}


@lru_cache(maxsize=256)
def removable(force: str) -> Options:
    """Return every piece but the Ring Bearer, own ones first."""
    return Options(option for option in ours_first(force) if option.id != RING)


def bar_removed(game: RingGame, piece: str) -> Bar | None:
    """Return BR-X09 for a piece that is not on the board."""
    return NO_PIECE[piece] if game.on_board[piece] < 1 else None


def bar_piece(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece does not move: X01, X09, X14 in that order."""
    if game.force_of(piece) != game.seat:
        return FOREIGN
    if piece == RING:
        return None
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    return ASLEEP[piece] if game.dormant(piece) else None


def bar_entry(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece may not enter the hex named: X01, X09, X14, X16, X17, X15, X18 in that order."""
    return bar_piece(game, piece) or bar_move(game, piece, game.entry.place)


def bar_move(game: RingGame, piece: str, where: str) -> Bar | None:
    """Return why a piece may not move there: X16, X17, X15, X18 in that order."""
    return bar_where(game, piece, where) or bar_distance(game, piece, where)
