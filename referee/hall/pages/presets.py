"""Settings that suit a game: a beginning, all of which can be changed before the first stage is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.tournament.settings import Format, Match, Points, Settings, Sides


@dataclass(frozen=True, slots=True)
class StagePlan:
    """How a stage is begun: proposed to the organiser, who may choose otherwise."""

    format: Format = "swiss"
    match: Match = "one game"
    sides: Sides = "none"


@dataclass(frozen=True, slots=True)
class Preset:
    """What suits a game. ``note``: what it comes to, in one line."""

    title: str
    note: str
    settings: Settings


PRESETS: Final = {
    "war-of-the-ring": Preset(
        "War of the Ring",
        "Single-sided Swiss: one game a round, each side as often as the other; then a cut to 4 with bids for sides.",
        Settings(
            sides=("Free Peoples", "Shadow"),
            wins=("Ring", "military"),
            tiebreakers=("match points", "strength of schedule", "head to head", "kind of win", "lot"),
            minutes=240,
            no_show=30,
            adjudicate=290,
        ),
    ),
    "the-wizards": Preset(
        "Middle-earth: The Wizards",
        "Swiss rounds in which each game splits six tournament points; then the best 4 in a round robin.",
        Settings(points=Points(split=6, bye=6), minutes=120, no_show=15),
    ),
    "pods": Preset(
        "Three players and more at a table",
        "Pods of four, equals with equals: 12 points for the first, 0 for the last, 6 and 3 between.",
        Settings(
            points=Points(bye=6, places=(12, 6, 3, 0)),
            tiebreakers=("match points", "strength of schedule", "buchholz", "lot"),
            minutes=180,
            no_show=15,
        ),
    ),
    "two-players": Preset(
        "Any game for two",
        "Swiss rounds with 3 points for a win and 1 for a draw.",
        Settings(minutes=90, no_show=10),
    ),
}
"""Every preset by its name in a form."""


def plan(settings: Settings, stages: int, *, pods: bool = False) -> StagePlan:
    """Return what suits the next stage, with so many before it. ``pods``: whether three and more play at a table."""
    if pods:
        return StagePlan("pods")
    if not stages:
        return StagePlan(sides="assigned" if settings.sides else "none")
    if settings.points.split:
        return StagePlan("round robin")
    return StagePlan("single elimination", sides="bid" if settings.sides else "none")
