"""An event to look at: sixteen players, round 1 published. Its pages say that it is an example."""

from __future__ import annotations

from typing import Any, Final

from referee.hall.desk import Desk
from referee.hall.pages.players import read_roster
from referee.hall.pages.setup import PRESETS
from referee.tournament import draw_round, seeding
from referee.tournament.acts.people import CheckedIn, PlayerAdded
from referee.tournament.acts.rounds import RoundPaired, RoundPublished
from referee.tournament.acts.stages import SettingsChosen, StageOpened

SEED: Final = 1
ROSTER: Final = """
Aragorn, 1720; Boromir, 1650; Celeborn, 1610; Denethor, 1580; Elrond, 1560; Frodo, 1540; Gimli, 1500; Halbarad, 1490
Imrahil, 1470; Lúthien, 1450; Meriadoc, 1440; Nob, 1400; Peregrin, 1380; Rosie, 1350; Samwise, 1300; Théoden, 1200
"""


def fill(desk: Desk) -> None:
    """Do everything up to the published round 1 of an event that has not begun."""
    mark: dict[str, Any] = {"who": "organiser", "at": desk.now()}
    entered = dict(enumerate(read_roster(ROSTER.replace(";", "\n")), 1))
    desk.perform(
        SettingsChosen(**mark, settings=PRESETS["war-of-the-ring"].settings),
        *(PlayerAdded(**mark, player=n, rating=e.rating) for n, e in entered.items()),
        *(CheckedIn(**mark, player=n) for n in entered),
        names={"event": {0: "Example event"}, "player": {n: e.name for n, e in entered.items()}},
    )
    players = seeding(desk.event, SEED)
    desk.perform(StageOpened(**mark, format="swiss", sides="assigned", players=players, rounds=4, seed=SEED))
    draft = RoundPaired(**mark, pairings=draw_round(desk.event, SEED), seed=SEED)
    desk.perform(draft, RoundPublished(**mark, round=1))
