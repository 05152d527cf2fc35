"""Where the event stands: the desk, the standings with the cut, and the record with the event's end.

And what comes next in it, and what an organiser is told because nothing else shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from referee.errors import Malformed
from referee.hall.desk import Desk
from referee.hall.pages.forms import Asked, Does, Forms, Sender, whole
from referee.hall.pages.render import Look
from referee.hall.pages.tables import missing, missing_of, round_title, table_of, whole_event
from referee.hall.staff import NOBODY, ORGANISERS
from referee.tournament import Event, cut_to
from referee.tournament.acts import Act
from referee.tournament.acts.matches import ResultEntered, ResultTakenBack
from referee.tournament.acts.people import PenaltyGiven, PenaltyLifted, PlayerDropped
from referee.tournament.acts.stages import CutMade, EventEnded, SettingsChosen
from referee.tournament.standings import fates
from referee.tournament.words import named_tables


def next_step(desk: Desk) -> str:
    """Return which step of `steps.html` comes next: where a table calls, a judge goes there before anything else."""
    event = desk.event
    return "calls" if not event.ended and any(not call.resolved for call in event.calls) else due_step(desk)


def due_step(desk: Desk) -> str:
    """Return which step the event itself needs next."""
    event = desk.event
    if event.ended:
        return "ended" if desk.names.all["player"] else "erased"
    if event.cut:
        return "cut"
    if not event.stages:
        step = "stage" if len(event.here()) > 1 else "check-in" if event.players else "players"
        return step if settings_chosen(desk) else "settings"
    last = event.rounds[-1] if event.rounds else None
    if last is None or last.state == "ended":
        return _after_round(event)
    if last.state == "started" and not missing(last):
        return "disputed" if any(each.challenged for each in last.pairings) else "all in"
    if last.state == "published" and not event.settings.minutes:
        return "started"
    return "draft again" if last.state == "draft" else last.state


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


def home(look: Look) -> dict[str, Any]:
    """The first page: where the event stands, and what is to do."""
    event = look.desk.event
    last = event.rounds[-1] if event.rounds else None
    calling = sorted({call.table for call in event.calls if not call.resolved})
    return {
        "last": last,
        "last_title": round_title(event, last) if last else "",
        "missing": {each.number: missing(each) for each in event.rounds if each.state in ("started", "ended")},
        "calls": named_tables(calling) if calling else "",
        "disputed": [(each.number, one.table) for each in event.rounds for one in each.pairings if one.challenged],
        "doubts": cut_doubts(look.desk),
    }


def standings(look: Look) -> dict[str, Any]:
    """Who stands where, and why."""
    event = look.desk.event
    if not event.stages:
        return {"stage": None}
    wanted, one, other = (whole(look.fields.get(name, "")) for name in ("stage", "one", "other"))
    stage = event.stages[wanted - 1] if 1 <= wanted <= len(event.stages) else event.stage
    table = table_of(look.desk, stage)
    return table | {
        "why": _why(table, [one, other]) if table["placed"] and one and other else "",
        "compared": [one, other],
        "doubts": cut_doubts(look.desk),
        "final": whole_event(look.desk, event.stage),
        "due": due_step(look.desk),
    }


def _why(table: Mapping[str, Any], players: list[int]) -> str:
    """Return why one of two players stands before the other: the first tie-breaker that differs."""
    rows = [(row, shown) for row, shown in table["rows"] if row.player in players]
    if len(rows) < 2:
        return "Choose two players of this part"
    (one, values), (other, less) = rows
    first, second = f"Player {one.player}", f"player {other.player}"
    for name, value, lesser in zip(table["criteria"], values, less, strict=True):
        if one.values[name] != other.values[name]:
            return f"{first} stands before {second}, decided by {name}: {value} before {lesser}"
    return f"{first} and {second} share a place: nothing tells them apart"


def record(look: Look) -> dict[str, Any]:
    """Everything that was done, the newest first."""
    desk, event = look.desk, look.desk.event
    done = [(number, act, act.words(event)) for number, act in enumerate(desk.acts, 1)]
    return {
        "done": done[::-1],
        "reports": look.served.reports.every() if look.served.reports is not None else [],
        "state": desk.ledger.state,
        "can_end": all(each.state == "ended" and not missing(each) for each in event.rounds),
        "folder": desk.folder,
        "named": bool(desk.names.all["player"]),
        "doubts": desk.ledger.doubts,
    }


def cut(sender: Sender) -> Asked:
    """Let the best go on to another stage."""
    event, size = sender.event, sender.form.number("size")
    players = cut_to(event, size)
    if not 2 <= size <= len(players):
        raise Malformed(f"size: type a number from 2 to {len(players)}, who are still in the event")
    without = [f"The cut is made without results. {each}" for each in missing_of(event.stage, event.rounds)]
    notice = ". ".join([*without, "The cut is made. Now choose its format"])
    return Asked([CutMade(**sender.mark, players=players)], notice=notice, then="/setup#stage")


def end(sender: Sender) -> Asked:
    """End the event; its names stay until they are erased."""
    notice = "The event has ended. Fetch the results with names, then erase the names."
    return Asked([EventEnded(**sender.mark)], notice=notice)


def erase(sender: Sender) -> Asked:
    """Erase the names of an event that has ended."""
    sender.desk.erase()
    return Asked(notice="The names are erased")


def go_on(sender: Sender) -> Asked:
    """Say that this record counts, although a box has seen a newer one."""
    sender.desk.ledger.go_on(sender.holder.who, sender.desk.now()).result()
    return Asked(notice="This hall goes on. Look through the rounds: what was done since the copy is not here.")


RESULTS: Final = (ResultEntered, ResultTakenBack)
PLACES: Final = (*RESULTS, PenaltyGiven, PenaltyLifted, PlayerDropped, CutMade)
CUT: Final[Forms] = {"cut": Does(ORGANISERS, cut, PLACES, ())}
END: Final[Forms] = {
    "end": Does(NOBODY, end, RESULTS, (), "end"),
    "erase": Does(NOBODY, erase, confirm="erase"),
    "go-on": Does(NOBODY, go_on, confirm="go on"),
}
