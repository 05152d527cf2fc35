"""What can happen between the steps of an attack as well as between attacks: status, corruption checks and cards."""

from __future__ import annotations

from referee.games.the_wizards.corruption import corruption_card, corruption_check
from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import WizardsGame
from referee.rulebook import Attempt, Bar, Option, Procedure, section

STATUS = Option("status", "Tap, wound, heal ...", "Status")
CHECK = Option("check", "Corruption check", "Check")
CARD = Option("card", "Corruption card", "CP")
ANYTIME = {"status": edit_status, "check": corruption_check, "card": corruption_card}
ALL_HAD_ONE = Bar("ME-X11", "Everybody had a corruption card this turn")


@section("ME-10", "ME-61", "ME-62", title="Any time")
def happens(game: WizardsGame, what: str) -> Procedure[None]:
    """Do one of these things; the players can still drop it."""
    with Attempt(game):
        yield from ANYTIME[what](game)


def bar_card(game: WizardsGame) -> Bar | None:
    """Return ME-X11 if everybody had a corruption card this turn."""
    return ALL_HAD_ONE if all(c.corruption_card for c in game.members) else None
