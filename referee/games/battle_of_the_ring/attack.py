"""The Attack Phase: who attacks whom, from what position, two dice, and the ruling; and one attack by itself."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.battle_of_the_ring import crt
from referee.games.battle_of_the_ring.crt import ruling, wanted
from referee.games.battle_of_the_ring.pieces import (
    EVERY_PIECE,
    GIVERS,
    GIVERS_TOGETHER,
    NAME,
    NO_PIECE,
    NOT_ACTIVE,
    OPTION,
    PIECES,
    RING,
    SHORT,
    THE,
    foes_first,
    own,
)
from referee.games.battle_of_the_ring.state import Input, RingGame
from referee.rulebook import (
    Attempt,
    Bar,
    Bundle,
    Choose,
    Option,
    Options,
    Procedure,
    Roll,
    Short,
    phrase,
    section,
    whole,
)

DONE = Option("done", "No more attacks", "Done")

POSITIONS = Options(
    (
        ("open", "Open ground", "Open"),
        ("fortress-or-river", "Fortress or river", "Fort/riv"),
        ("fortress-and-river", "Fortress and river", "Fort+riv"),
        ("not-adjacent", "Not adjacent, or a mountain hexside", "Apart"),
        ("cair-andros", "Cair Andros", "Andros"),
        ("dol-amroth", "Dol Amroth", "Amroth"),
    )
)
ALL_ATTACKED = "No more attacks: every piece that can attack has done so"
NONE_CAN = "No attacks: no piece can attack in this phase"
UNHELPED = tuple(
    Bundle(f"unhelped-{each.id}", f"No helper, {each.text.lower()}", ("none", each.id), each.short, instead="none")
    for each in POSITIONS.only("open", "fortress-or-river", "fortress-and-river")
)
"""Nobody is helped, and where the defender stands, in one press."""
ROW = {option.id: option.id for option in POSITIONS} | {
    "cair-andros": "fortress-and-river",
    "dol-amroth": "fortress-and-river",
}

RING_TARGET = Bar("BR-X12", "The Ring Bearer is never attacked: capture it by moving", firm=True)
IN_MORIA = Bar("BR-X14", "Gandalf cannot fight in Moria")
IN_FANGORN = Bar("BR-X14", "Gandalf cannot fight in Fangorn")
IN_PATHS = {
    p: Bar("BR-X14", f"{THE[p]} cannot fight in the Paths of the Dead") for p in ("aragorn", "army-of-the-dead")
}
ATTACKED = {
    p.id: Bar("BR-X10", f"{f'Every {p.name}' if p.cap > 1 else THE[p.id]} has attacked this round")
    for p in PIECES.values()
}
SAME_FORCE = {p: Bar("BR-X11", f"{THE[p]} belongs to the attacker", aside=True) for p in PIECES}
MOUNTAIN = Bar("BR-X13", "Adjacent hexes only, with no mountain hexside between", firm=True)
NO_GIVER = {p: Bar("BR-X09", f"No piece on the board can give {NAME[p]} Elven strength", firm=True) for p in PIECES}
ELVEN_ALREADY = {p: Bar("BR-X09", f"{THE[p]} has Elven strength already", firm=True) for p in PIECES}


@section("BR-3", "BR-41", "BR-43", title="Attack Phase")
def attack_phase(game: RingGame) -> Procedure[None]:
    """Attack after attack, until the player is done or nobody is left to attack."""
    among = attackers(game.seat)
    while game.seat not in game.conceded and any(bar_attacker(game, piece) is None for piece in own(game.seat)):
        game.entry = Input()
        attacker = yield Choose(
            "attack.attacker",
            "Who attacks?",
            among,
            partial(bar_attacker, game),
            passing="done",
            rule="BR-44",
            tag="attack",
            notes=("BR-41",),
            bundles=partial(again, game),
        )
        if attacker == "done":
            return
        game.entry.piece = attacker
        with Attempt(game):
            yield from one_attack(game)
    if game.seat not in game.conceded:
        attacked = any(game.attacks[piece] for piece in own(game.seat))
        game.remind("BR-43", ALL_ATTACKED if attacked else NONE_CAN)


@section("BR-40", "BR-44", title="Attack")
def one_attack(game: RingGame) -> Procedure[None]:
    """One piece attacks one piece; two dice decide."""
    entry = game.entry
    force = game.force_of(entry.piece)
    entry.target = yield Choose(
        "attack.target",
        f"{NAME[entry.piece]} attacks whom?",
        foes_first(force),
        partial(bar_target, game),
        rule="BR-44",
        head=SHORT[entry.piece],
        tag="whom?",
    )
    yield from strengths(game)
    yield from position_and_dice(game)


@section("BR-46", "BR-47", "BR-48", "BR-53", title="Strengths")
def strengths(game: RingGame) -> Procedure[None]:
    """Ask who has a helper, where one on the board could make a difference."""
    entry = game.entry
    if bar_helped(game, "attacker") is None or bar_helped(game, "defender") is None:
        entry.helped = yield lambda: Choose(
            "attack.column",
            f"Who has a helper adjacent? {helpers_text(game)}",
            helped_options(entry.piece, entry.target),
            partial(bar_helped, game),
            rule="BR-47",
            head=head(entry.piece, entry.target),
            tag="helper?",
            bundles=UNHELPED,
        )
    else:
        entry.helped = "none"


@section("BR-42", "BR-45", "BR-49", title="Position and dice")
def position_and_dice(game: RingGame) -> Procedure[None]:
    """Ask for the defender's position and the throw, and rule; once thrown, the attack counts."""
    entry = game.entry
    entry.position = yield position(head(entry.piece, entry.target))
    row = ROW[entry.position]
    faces = yield dice(column_of(entry), row, head(entry.piece, entry.target))
    game.counted()
    settle(game, faces)


@lru_cache(maxsize=256)
def position(band: str) -> Choose:
    """Return the question for the defender's position, with BR-X13 for what cannot be attacked (BR-40)."""
    return Choose(
        "attack.position",
        "Where does the defender stand?",
        POSITIONS,
        lambda position: MOUNTAIN if position == "not-adjacent" else None,
        rule="BR-45",
        head=band,
        tag="where?",
    )


@lru_cache(maxsize=256)
def dice(column: str, row: str, band: str) -> Roll:
    """Return the question for two dice or their total (BR-49), with the need and the odds of this cell of the CRT."""
    need, foot, _ = wanted(column, row)
    return Roll(
        "attack.dice",
        "Roll two dice",
        2,
        total=True,
        code="BR-X19",
        need=need,
        need_note="kills",
        foot=foot,
        odds=partial(crt.odds, column, row),
        rule="BR-49",
        head=band,
        tag="1/2",
    )


def settle(game: RingGame, faces: tuple[int, ...]) -> None:
    """Count the attack, take the loser off the board, and rule. ``faces``: two, or one number, their total."""
    entry, board = game.entry, game.on_board
    attacker, target = entry.piece, entry.target
    column, row = column_of(entry), ROW[entry.position]
    before, limit = {attacker: board[attacker], target: board[target]}, game.may_attack(attacker)
    game.attacks[attacker] += 1
    result = crt.resolve(column, row, sum(faces))
    if result != "no-result":
        game.lose(target if result == "defender-eliminated" else attacker)
    after = {attacker: board[attacker], target: board[target]}
    count = (game.attacks[attacker], limit)
    game.last = entry
    game.rule(ruling(entry, column, row, faces, (before, after), count))


@lru_cache(maxsize=256)
def attackers(force: str) -> Options:
    """Return the pieces of a force, with the end of the phase among the first five."""
    options = [OPTION[piece] for piece in own(force)]
    return Options((*options[:4], DONE, *options[4:]))


def bar_attacker(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece of the player whose phase it is cannot attack now: X09, X14, X10 in that order."""
    if piece == "done":
        return None
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    if game.cannot_fight(piece):
        return bar_fighting(game, piece)
    if game.attacks[piece] >= game.may_attack(piece):
        return ATTACKED[piece]
    return None


def bar_target(game: RingGame, piece: str) -> Bar | None:
    """Return why a piece cannot be attacked: X12, X11, X09, X14 in that order."""
    if piece == RING:
        return RING_TARGET
    if game.force_of(piece) == game.force_of(game.entry.piece):
        return SAME_FORCE[piece]
    if game.on_board[piece] < 1:
        return NO_PIECE[piece]
    return bar_fighting(game, piece) if game.cannot_fight(piece) else None


def bar_fighting(game: RingGame, piece: str) -> Bar:
    """Return BR-X14 for a piece that cannot fight: it is dormant, or where there are no attacks (BR-42, BR-53)."""
    if game.dormant(piece):
        return NOT_ACTIVE[piece]
    if piece == "gandalf":
        return IN_MORIA if game.gandalf_in == "moria" else IN_FANGORN
    return IN_PATHS[piece]


def givers(game: RingGame, piece: str) -> tuple[str, ...]:
    """Return who can give a piece Elven strength (BR-47, BR-48, A-BR4); nobody for a piece that has it already."""
    together = game.players == 2 or game.evil_pact
    return (GIVERS_TOGETHER if together else GIVERS).get(piece, ())


def bar_helped(game: RingGame, helped: str) -> Bar | None:
    """Return why a side cannot have a helper: none is on the board, or it is in a closed hex (BR-53, A-BR32)."""
    if helped == "none":
        return None
    entry = game.entry
    if helped == "both":
        return bar_helped(game, "attacker") or bar_helped(game, "defender")
    piece = entry.piece if helped == "attacker" else entry.target
    bar = (ELVEN_ALREADY if PIECES[piece].elven else NO_GIVER)[piece]
    for giver in givers(game, piece):
        if game.on_board[giver] > 0:
            if not game.cannot_fight(giver):
                return None
            bar = bar_fighting(game, giver)
    return bar


def helpers_text(game: RingGame) -> str:
    """Return the helpers on the board of both pieces, for the text of the question: "(Gandalf, Nazgûl)"."""
    names = dict.fromkeys(
        SHORT[giver]
        for piece in (game.entry.piece, game.entry.target)
        for giver in givers(game, piece)
        if game.on_board[giver] > 0 and not game.cannot_fight(giver)
    )
    return f"({', '.join(names)})"


def again(game: RingGame) -> tuple[Bundle, ...]:
    """Offer the answers of the last attack again, the dice left out, where all of them are open now."""
    last = game.last
    if last.piece not in own(game.seat) or bar_attacker(game, last.piece) is not None:
        return ()
    under_way, game.entry = game.entry, last
    could = any(bar_helped(game, side) is None for side in ("attacker", "defender"))
    closed = bar_target(game, last.target) or bar_helped(game, last.helped)
    game.entry = under_way
    if closed is not None:
        return ()
    column = (last.helped,) if could else ()
    answers = (last.piece, last.target, *column, last.position)
    return (Bundle("same-again", f"{head(last.piece, last.target)} again", answers, "Again"),)


@lru_cache(maxsize=256)
def head(attacker: str, target: str) -> str:
    """Return what the band says: "Man-Orc→Gondor"."""
    return phrase(Short("{}→{}", "{} attacks {}"), SHORT[attacker], SHORT[target])


@lru_cache(maxsize=256)
def helped_options(attacker: str, target: str) -> Options:
    """Return the four answers to who is helped."""
    return Options(
        (
            ("none", "No helper", "None"),
            ("attacker", f"{SHORT[attacker]} has a helper", "Aid att."),
            ("defender", f"{SHORT[target]} has a helper", "Aid def."),
            ("both", "Both have helpers", "Aid both"),
        )
    )


def column_of(entry: Input) -> str:
    """Return the column of the CRT, one of `crt.COLUMNS`: own strengths, or raised by a helper (BR-46 to BR-48)."""
    attacker = PIECES[entry.piece].elven or entry.helped in ("attacker", "both")
    defender = PIECES[entry.target].elven or entry.helped in ("defender", "both")
    return f"{'e' if attacker else 'o'}-v-{'e' if defender else 'o'}"


# -- one attack by itself, for tables that only want the result

STRENGTHS = Short("Attacker v defender", "Attacker against defender: of what strength?")

BY_STRENGTH = Options(
    (
        ("o-v-o", Short("Ordinary v Ordinary", "Ordinary against Ordinary"), "O v O"),
        ("o-v-e", Short("Ordinary v Elven", "Ordinary against Elven"), "O v E"),
        ("e-v-o", Short("Elven v Ordinary", "Elven against Ordinary"), "E v O"),
        ("e-v-e", Short("Elven v Elven", "Elven against Elven"), "E v E"),
        ("by-pieces", "Ask for the pieces", "Pieces"),
    )
)


@section("BR-44", "BR-45", "BR-49", title="Attack")
def single_attack(game: RingGame) -> Procedure[None]:
    """One attack by itself: column, position, two dice; nothing is counted."""
    game.phase, game.fangorn, game.paths = "attack", "active", "closed"
    kind = yield Choose("attack.kind", STRENGTHS, BY_STRENGTH, rule="BR-45", head="Attack", tag="column")
    if kind == "by-pieces":
        yield from named_pieces(game)
        kind = column_of(game.entry)
        band = head(game.entry.piece, game.entry.target)
    else:
        band = Short(BY_STRENGTH.by_id[kind].short, whole(BY_STRENGTH.by_id[kind].text))
    game.entry.position = yield position(band)
    row = ROW[game.entry.position]
    faces = yield dice(kind, row, band)
    game.rule(ruling(game.entry, kind, row, faces))


@section("BR-46", "BR-47", "BR-48", title="Pieces")
def named_pieces(game: RingGame) -> Procedure[None]:
    """Name attacker and target instead of the column; every piece counts as on the board."""
    game.entry.piece = yield Choose(
        "attack.attacker", "Who attacks?", EVERY_PIECE, rule="BR-44", head="Attack", tag="who?"
    )
    game.entry.target = yield Choose(
        "attack.target",
        f"{NAME[game.entry.piece]} attacks whom?",
        foes_first(game.force_of(game.entry.piece)),
        partial(bar_target, game),
        rule="BR-44",
        head=SHORT[game.entry.piece],
        tag="target",
    )
    yield from strengths(game)
