"""What comes next in an event, and what an organiser is told because nothing else shows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from referee.hall.desk import Desk
from referee.hall.pages.tables import missing
from referee.tournament import Event
from referee.tournament.acts import Act
from referee.tournament.acts.matches import ResultEntered, ResultTakenBack
from referee.tournament.acts.stages import CutMade, SettingsChosen
from referee.tournament.standings.ranking import fates
from referee.tournament.words import named_tables

STEPS: Final[Mapping[str, tuple[str, str, str]]] = {
    "settings": ("/setup", "Choose the game", "Points, tie-breakers and the length of a round follow from it."),
    "players": ("/players", "Enter the players", "Paste a list of names, one a line."),
    "check-in": ("/players", "Check in the players", "Only who is here is paired."),
    "stage": ("/setup#stage", "Choose the format", "Everybody who is here plays."),
    "cut": ("/setup#stage", "Choose the format of the cut", "Those who were chosen play in it, and nobody else."),
    "calls": (
        "/judges",
        "Answer the calls",
        "A judge claims each call, goes there, and resolves it with the ruling.",
    ),
    "draft": ("/round", "Draft the next round", "Only you see a draft."),
    "draft again": ("/round", "Look through the draft, then publish it", "Nobody else sees it yet."),
    "published": ("/round", "Start the round", "The pairings are published; print slips, and let players sit down."),
    "started": ("/round", "Enter the slips", "Then end the round."),
    "disputed": ("/round", "Settle what is disputed", "A judge corrects the result or lets it stand."),
    "all in": ("/round", "End the round", "Every table has its result."),
    "over": ("/standings", "Make a cut, or give the prizes", "All rounds are played. The best can play on in a cut."),
    "won": ("/standings", "Give the prizes", "Everything is played. Print the standings; then end the event."),
    "ended": ("/record", "Fetch the results, then erase the names", "Without names they can be fetched at any time."),
    "erased": ("/record", "Begin another event", "Stop this hall, and start it with --new."),
}
"""What is to do next: where, in a few words, and why."""


def next_step(desk: Desk) -> str:
    """Return which of `STEPS` comes next: where a table calls, a judge goes there before anything else."""
    event = desk.event
    return "calls" if not event.ended and any(not call.resolved for call in event.calls) else due_step(desk)


def due_step(desk: Desk) -> str:
    """Return which of `STEPS` the event itself needs next."""
    event = desk.event
    if event.ended:
        return "ended" if desk.names.all["player"] else "erased"
    if event.cut:
        return "cut"
    if not event.stages:
        return _before_stage(desk)
    last = event.rounds[-1] if event.rounds else None
    if last is None or last.state == "ended":
        return _after_round(event)
    if last.state == "started" and not missing(last):
        return "disputed" if any(each.challenged for each in last.pairings) else "all in"
    if last.state == "published" and not event.settings.minutes:
        return "started"
    return "draft again" if last.state == "draft" else last.state


def _before_stage(desk: Desk) -> str:
    if not settings_chosen(desk):
        return "settings"
    if not desk.event.players:
        return "players"
    return "stage" if len(desk.event.here()) > 1 else "check-in"


def _after_round(event: Event) -> str:
    """Return what comes next in the stage where its last round has ended, or none was drafted."""
    stage = event.stage
    if "elimination" in stage.format:
        decided = any(fate.left == 0 for fate in fates(event, stage).values())
        return "draft" if len(event.playing(stage)) > 1 and not decided else "won"
    return "over" if len(event.rounds_of(stage)) >= stage.rounds else "draft"


def settings_chosen(desk: Desk) -> bool:
    """Return whether the organiser has chosen a game."""
    return any(isinstance(act, SettingsChosen) for act in desk.acts)


def has_empty_stage(event: Event) -> bool:
    """Return whether the last stage has no round yet, so that it can be taken back."""
    return bool(event.stages) and not event.rounds_of(event.stage, begun=False)


def results_since(desk: Desk, made: type[Act], rounds: Collection[int], told: str) -> list[str]:
    """Return which results of rounds have come or were changed since the last act of a kind, a sentence a round."""
    since = max((at for at, each in enumerate(desk.acts) if isinstance(each, made)), default=len(desk.acts))
    tables: dict[int, set[int]] = {}
    for each in desk.acts[since:]:
        if isinstance(each, (ResultEntered, ResultTakenBack)) and each.round in rounds:
            tables.setdefault(each.round, set()).add(each.table)
    changed = "a result came or was changed after"
    return [
        f"Round {number}, {named_tables(sorted(each))}: {changed} {told}" for number, each in sorted(tables.items())
    ]


def cut_doubts(desk: Desk) -> list[str]:
    """Return what has changed in the standings since the last cut was made from them."""
    event = desk.event
    last = len(event.stages) - (not event.cut)
    rounds = [each.number for each in event.rounds if each.stage <= last]
    return results_since(desk, CutMade, rounds, "the cut. Go on with it as it is, or make it again on Standings")
