"""Tapping, wounding and healing by cards, entered by the players at any question before the throw."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.state import WizardsGame
from referee.games.the_wizards.strikes import TAPPED, UNTAPPED
from referee.games.the_wizards.words import numbers, people
from referee.rulebook import Bar, Choose, Option, Options, Procedure, Ruling, section

UNTAP_ALL = Option("untap-all", "Untap all", "All up")
NO_ONE = Option("none", "Nobody", "None")
CHANGES = Options(
    (
        ("untapped", "Untapped", "Untap"),
        ("tapped", "Tapped", "Tap"),
        ("wounded", "Wounded", "Wound"),
        ("cp", "Corruption points", "CP"),
        ("leaves", "Leaves", "Leaves"),
    )
)
NOBODY_TAPPED = Bar("ME-X10", "Nobody is tapped", firm=True)
NOT_IN_COMBAT = Bar("ME-X10", "Not during an attack", firm=True, aside=True)


@section("ME-10", title="Status")
def edit_status(game: WizardsGame) -> Procedure[None]:
    """A card taps, untaps, wounds or heals somebody; between attacks also points, and who leaves."""
    who = yield Choose(
        "status.who",
        "Whose status changes?",
        people(game, UNTAP_ALL, NO_ONE),
        partial(bar_who, game),
        passing="none",
        rule="ME-10",
        head="Status",
        tag="who?",
    )
    if who == "none":
        return
    if who == "untap-all":
        for member in game.members:
            if member.status == TAPPED:
                member.status = UNTAPPED
        return
    change = yield Choose(
        "status.change",
        f"{game.find(who).name} is {game.find(who).status}; now?",
        CHANGES,
        partial(bar_change, game),
        default=game.find(who).status,
        rule="ME-10",
        head=game.find(who).short,
        tag="status",
    )
    if change == "cp":
        points = yield Choose(
            "status.cp",
            f"{game.find(who).name}: corruption points in all?",
            numbers(0, 20),
            default=str(min(20, game.find(who).cp)),
            rule="ME-60",
            head=game.find(who).short,
            tag="CP",
        )
        game.find(who).cp = int(points)
    elif change == "leaves":
        leave(game, who)
    else:
        game.find(who).status = change


def leave(game: WizardsGame, who: str) -> None:
    """Take somebody out of the company for a reason the referee does not see."""
    member = game.find(who)
    game.remove(who)
    game.rule(Ruling("left", f"{member.short} off", ("ME-50",), (f"{member.name} left the company",), {"who": who}))


def bar_who(game: WizardsGame, who: str) -> Bar | None:
    """Return why nobody can be untapped, if so."""
    if who == "untap-all" and all(c.status != TAPPED for c in game.members):
        return NOBODY_TAPPED
    return None


def bar_change(game: WizardsGame, change: str) -> Bar | None:
    """Return why points and leaving must wait for the end of an attack."""
    return NOT_IN_COMBAT if change in ("cp", "leaves") and (game.attack or game.alone) else None
