"""An event to look at: sixteen players, round 1 published. Its pages say that it is an example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.hall.desk import Desk
from referee.hall.pages.setup import PRESETS
from referee.tournament import draw_round, seeding
from referee.tournament.acts.floor import BoxPlaced
from referee.tournament.acts.people import CheckedIn, PlayerAdded
from referee.tournament.acts.rounds import RoundPaired, RoundPublished, RoundStarted
from referee.tournament.acts.stages import SettingsChosen, StageOpened

SEED: Final = 1
NAMES: Final = (
    ("Aragorn", 1, 1720),
    ("Boromir", 2, 1650),
    ("Celeborn", 3, 1610),
    ("Denethor", 0, 1580),
    ("Elrond", 1, 1560),
    ("Frodo", 2, 1540),
    ("Gimli", 3, 1500),
    ("Halbarad", 4, 1490),
    ("Imrahil", 2, 1470),
    ("Lúthien", 0, 1450),
    ("Meriadoc", 4, 1440),
    ("Nob", 1, 1400),
    ("Peregrin", 4, 1380),
    ("Rosie", 0, 1350),
    ("Samwise", 3, 1300),
    ("Théoden", 0, 1200),
)
"""Name, club, rating."""
CLUBS: Final = {1: "The Prancing Pony", 2: "The Green Dragon", 3: "Meduseld", 4: "The White Tree"}


def fill(desk: Desk, boxes: Sequence[str] = ()) -> None:
    """Do everything up to the published round 1 of an event that has not begun.

    ``boxes``: those at its first tables; with them the round is started.
    """
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
    for table, key in enumerate(boxes, 1):
        desk.perform(BoxPlaced(**mark, table=table, box=key))
    if boxes:
        desk.perform(RoundStarted(**mark, round=1))
