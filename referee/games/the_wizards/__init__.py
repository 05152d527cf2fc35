"""Middle-earth: The Wizards: two to five players, combat and corruption of one company at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.the_wizards.corruption import single_check
from referee.games.the_wizards.frame import play, single_body_check, single_strike
from referee.games.the_wizards.state import PLAYERS, WizardsGame
from referee.games.the_wizards.steps import elsewhere
from referee.games.the_wizards.tables import RULES, check_table, corruption_table, strike_table
from referee.rulebook import Book, Onward, Switch

__all__ = ["BOOK"]


def start(settings: Mapping[str, Any]) -> WizardsGame:
    """Return the state before the first question."""
    points = dict.fromkeys(PLAYERS[: settings["players"]], 0)
    return WizardsGame(force_excess=settings["force_excess"], marshalling=points)


BOOK = Book(
    id="middle-earth-the-wizards",
    title="Middle-earth: The Wizards",
    edition="1995.5",
    start=start,
    play=play,
    elsewhere=elsewhere,
    covers="attacks, strikes and checks one by one",
    rulings={"strike": single_strike, "body-check": single_body_check, "corruption-check": single_check},
    switches=(
        Switch("players", "How many players", (2, 3, 4, 5), "ME-1"),
        Switch("force_excess", "Must spare strikes be used up on the last strike?", (False, True), "ME-5", "Spare"),
    ),
    foreign="ME-X10",
    closed="ME-X10",
    onward={
        "attack.body": Onward("The last value of a card that was declared: its attack begins, whatever the value is"),
        "attack.points": Onward("The attack is over: whatever the card gives, the next thing is up to the players"),
        "company.which": Onward("Asked of a player who has said that another company moves: every answer is one"),
        "check.wizard": Onward("The dice have taken the last character of the company, and the attack has no target"),
    },
    rules=RULES,
    tables={"strike": strike_table, "body-check": check_table, "corruption": corruption_table},
    short="Wizards",
)
