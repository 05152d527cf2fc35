"""Step 5 and the end of a battle: cease, retreat, retreat into a siege, elimination, moving in."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.casualties import SOURCES, bar_source, replace
from referee.games.war_of_the_ring.state import WarGame
from referee.games.war_of_the_ring.tables import BESIEGED, MOST_INSIDE, NO_ELITE, RULES, SEATS, SHORT, count
from referee.games.war_of_the_ring.verdict import end_ruling
from referee.rulebook import Attempt, Bar, Bundle, Choose, Options, Procedure, Short, phrase, section

GO_ON = Options((("on", "Go on", "Go on"), ("cease", "Cease the attack", "Cease")))
STAND = Options((("stand", "Stand and fight", "Stand"), ("retreat", "Retreat to a free region", "Retreat")))
OUTSIDE = Options((("fight", "Fight in the field", "Fight"), ("siege", "Into the Stronghold", "Inside")))
INSIDE = (Bundle("inside", "Into the Stronghold", ("stand", "siege"), "Inside"),)
"""Stand now, go inside at the start of the next round (A-WR3)."""
INSIDE_NOTES = (("WR-58", "Five units at most inside a besieged Stronghold"),)
DISCARDED = ("WR-5", "The Combat cards of this round are discarded")
FATE = {
    "free-peoples": "Leaders and Characters with it are gone for good, unless a Character card says otherwise",
    "shadow": "Nazgûl with it may come back as reinforcements; Minions are gone, unless their card says otherwise",
}


def finish(game: WarGame, result: str) -> None:
    """End the battle: the ruling, and reminders of what to do now. ``result``: one of `verdict.ENDS`."""
    game.result = result
    game.rule(end_ruling(game, result))
    for side, army in game.armies.items():
        if not army.units:
            seat = game.seat_of(side)
            game.remind("WR-39", phrase("{}: {}", SHORT[seat], FATE[seat]))
    if result == "defender-retreated":
        game.remind("WR-55", RULES["WR-55"])
    if result in ("defender-retreated", "defender-eliminated", "into-siege"):
        game.remind("WR-57", RULES["WR-57"])
    if result == "into-siege":
        game.remind("WR-58", "If he moves in, the Stronghold is besieged")
        over = game.armies["defender"].units - MOST_INSIDE
        if over > 0:
            game.remind("WR-54", f"{count(over, 'unit')} too many: a Stronghold holds five")
    if cards_lie(game):
        game.remind(*DISCARDED)


def cards_lie(game: WarGame) -> bool:
    """Return whether a Combat card lies on the table, to be discarded when the round is over (WR-5)."""
    return any(army.card in ("played", "cancelled") for army in game.armies.values())


def wiped_out(game: WarGame) -> None:
    """End the battle if an Army has no units left."""
    eliminated = [side for side, army in game.armies.items() if not army.units]
    if eliminated and not game.result:
        finish(game, f"{eliminated[0]}-eliminated" if len(eliminated) == 1 else "both-eliminated")


@section("WR-54", title="Stronghold")
def stronghold(game: WarGame) -> Procedure[None]:
    """At the start of a round the defender may go into his Stronghold."""
    if game.ground != "stronghold":
        return
    where = yield lambda: Choose(
        "round.stronghold",
        Short(f"{SEATS[game.seat_of('defender')]}: field or siege?", "Fight in the field, or go into a siege?"),
        OUTSIDE,
        default="fight",
        seat=game.seat_of("defender"),
        rule="WR-54",
        head=phrase(Short("{}: stay out?", "{}"), game.short("defender")),
        tag=f"round {game.round}",
        notes=INSIDE_NOTES,
    )
    if where == "siege":
        finish(game, "into-siege")


@section("WR-50", "WR-51", title="Cease or go on")
def cease_or_retreat(game: WarGame) -> Procedure[None]:
    """The attacker ceases or goes on, where he can; then the defender stands or retreats."""
    while game.step != "on":
        if bar_going_on(game, "on") is not None:
            finish(game, "attacker-ceased")
            return
        answer = yield partial(going_on, game)
        if answer == "cease":
            finish(game, "attacker-ceased")
            return
        with Attempt(game):
            if game.pays() and game.armies["attacker"].elites:
                yield from pay(game)
            game.step = "on"
    yield from retreat(game)


def going_on(game: WarGame) -> Choose:
    """Return the question whether the attacker ceases; it offers the whole way to the next round as well."""
    return Choose(
        "round.cease",
        Short(f"{SEATS[game.seat_of('attacker')]}: go on, or cease?", "Continue the attack, or cease?"),
        GO_ON,
        partial(bar_going_on, game),
        default="next-round",
        passing="cease",
        seat=game.seat_of("attacker"),
        rule="WR-50",
        head=phrase(Short("{}: go on?", "{}"), game.short("attacker")),
        tag=f"round {game.round}",
        notes=(DISCARDED,) if cards_lie(game) else (),
        bundles=partial(go_on_bundles, game),
    )


def bar_going_on(game: WarGame, entry: str) -> Bar | None:
    """Return why the attacker cannot go on: WR-X15."""
    return NO_ELITE if entry == "on" and game.pays() and not game.armies["attacker"].elites else None


@section("WR-34", "WR-50", title="Going on in a siege")
def pay(game: WarGame) -> Procedure[None]:
    """An Elite that can be replaced becomes a Regular; then the assault goes on for one more round."""
    source = yield Choose(
        "siege.replacement",
        "To go on, reduce an Elite. Is a Regular of its Nation there?",
        SOURCES,
        lambda answer: NO_ELITE if answer == "no" else bar_source(game, "attacker", answer),
        default="yes",
        seat=game.seat_of("attacker"),
        rule="WR-34",
        head=phrase(Short("{} Elite", "{}"), game.short("attacker")),
        tag="Regular?",
    )
    game.counted()
    replace(game.armies["attacker"], source)


def go_on_bundles(game: WarGame) -> tuple[Bundle, ...]:
    """Offer the next round in one press: both fight on, with or without a look at the cards."""
    if bar_going_on(game, "on") is not None:
        return ()
    pays = game.pays()
    on = ("on", *(("yes",) if pays else ()), *(() if game.besieged("defender") else ("stand",)))
    field = ("fight",) if game.ground == "stronghold" else ()
    end = ", Elite reduced" if pays else ""
    look = () if on == ("on",) else (Bundle("both-stand", f"Both fight on, with cards{end}", on, "Cards"),)
    return (Bundle("next-round", f"Both fight on, no cards{end}", (*on, *field, "none", "none"), "Next"), *look)


@section("WR-51", "WR-52", "WR-53", "WR-55", title="Retreat")
def retreat(game: WarGame) -> Procedure[None]:
    """The defender may leave for one free adjacent region; a besieged Army cannot, so it is not asked."""
    if game.besieged("defender"):
        return
    answer = yield lambda: Choose(
        "round.retreat",
        Short(f"{SEATS[game.seat_of('defender')]}: stand or retreat?", "Stand and fight, or retreat?"),
        STAND,
        lambda answer: BESIEGED if answer == "retreat" and game.besieged("defender") else None,
        default="stand",
        seat=game.seat_of("defender"),
        rule="WR-51",
        head=phrase(Short("{}: stand?", "{}"), game.short("defender")),
        tag=f"round {game.round}",
        notes=("WR-52", "WR-55"),
        bundles=lambda: INSIDE if game.ground == "stronghold" else (),
    )
    if answer != "stand":
        finish(game, "defender-retreated")
