"""An event to look at: sixteen players, round 1 published. Its pages say that it is an example."""

from __future__ import annotations

from typing import Any, Final

from referee.hall.desk import Desk
from referee.hall.pages.presets import PRESETS
from referee.tournament import draw_round, seeding
from referee.tournament.acts import (
    CheckedIn,
    PlayerAdded,
    RoundPaired,
    RoundPublished,
    SettingsChosen,
    StageOpened,
)

SEED: Final = 1
NAMES: Final = (
    ("Aragorn Elessar", 1, 1720),
    ("Boromir of Gondor", 2, 1650),
    ("Celeborn of Lórien", 3, 1610),
    ("Denethor of Gondor", 0, 1580),
    ("Elrond Half-elven", 1, 1560),
    ("Frodo Baggins", 2, 1540),
    ("Gimli Glóin’s son", 3, 1500),
    ("Halbarad of the North", 4, 1490),
    ("Imrahil of Dol Amroth", 2, 1470),
    ("Lúthien Tinúviel", 0, 1450),
    ("Meriadoc Brandybuck", 4, 1440),
    ("Nob of Bree", 1, 1400),
    ("Peregrin Took", 4, 1380),
    ("Rosie Cotton", 0, 1350),
    ("Samwise Gamgee", 3, 1300),
    ("Théoden of Rohan", 0, 1200),
)
"""Name, club, rating."""
CLUBS: Final = {1: "The Prancing Pony", 2: "The Green Dragon", 3: "Meduseld", 4: "The White Tree"}


def fill(desk: Desk) -> None:
    """Do everything up to the published round 1 of an event that has not begun."""
    mark: dict[str, Any] = {"who": "organiser", "at": desk.now()}
    players = range(1, len(NAMES) + 1)
    desk.perform(
        SettingsChosen(**mark, settings=PRESETS["war-of-the-ring"].settings),
        *(PlayerAdded(**mark, player=n, club=NAMES[n - 1][1], rating=NAMES[n - 1][2]) for n in players),
        *(CheckedIn(**mark, player=n) for n in players),
        names={
            "event": {0: "Example event"},
            "player": {n: NAMES[n - 1][0] for n in players},
            "club": CLUBS,
        },
    )
    stage = StageOpened(
        **mark,
        format="swiss",
        sides="assigned",
        players=seeding(desk.event, SEED),
        rounds=4,
        seed=SEED,
    )
    desk.perform(stage)
    draft = RoundPaired(**mark, pairings=draw_round(desk.event, SEED), seed=SEED)
    desk.perform(draft, RoundPublished(**mark, round=1))
