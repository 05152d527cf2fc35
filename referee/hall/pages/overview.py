"""Where the event stands: the desk, the standings with the cut, and the record with the event's end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from referee.errors import Malformed, NotNow
from referee.hall.pages.forms import Asked, Does, Forms, Sender
from referee.hall.pages.remarks import cut_doubts, due_step
from referee.hall.pages.render import Look
from referee.hall.pages.tables import missing, missing_of, round_title, table_of, whole, whole_event
from referee.hall.staff import NOBODY, ORGANISERS
from referee.tournament import cut_to, why
from referee.tournament.acts.matches import ResultEntered, ResultTakenBack
from referee.tournament.acts.people import PenaltyGiven, PenaltyLifted, PlayerDropped
from referee.tournament.acts.stages import CutMade, EventEnded
from referee.tournament.words import named_tables

CONFIRMED: Final = {"end": "end", "erase": "erase", "go-on": "go on"}
"""What is typed before the event ends; the names are erased; a record that may be an old copy counts."""


def home(look: Look) -> dict[str, Any]:
    """The first page: where the event stands, and what is to do."""
    event = look.desk.event
    last = event.rounds[-1] if event.rounds else None
    running = next((each for each in event.rounds if each.state == "started"), None)
    calling = sorted({call.table for call in event.calls if not call.resolved})
    return {
        "arrived": len(event.here()),
        "last": last,
        "last_title": round_title(event, last) if last else "",
        "round": running,
        "missing": {each.number: missing(each) for each in event.rounds if each.state in ("started", "ended")},
        "calls": named_tables(calling) if calling else "",
        "disputed": [(each.number, one.table) for each in event.rounds for one in each.pairings if one.challenged],
        "doubts": cut_doubts(look.desk),
        "now": look.desk.now(),
    }


def standings(look: Look) -> dict[str, Any]:
    """Who stands where, and why."""
    event = look.desk.event
    if not event.stages:
        return {"stage": None}
    wanted, one, other = (whole(look.fields.get(name, "")) for name in ("stage", "one", "other"))
    stage = event.stages[wanted - 1] if 1 <= wanted <= len(event.stages) else event.stage
    sentences: tuple[str, ...] = ()
    if one and other and one != other:
        try:
            sentences = why(event, stage, one, other, look.desk.names.player)
        except NotNow as fault:
            sentences = (fault.text,)
    return table_of(look.desk, stage) | {
        "sentences": sentences,
        "compared": [one, other],
        "doubts": cut_doubts(look.desk),
        "final": whole_event(look.desk, event.stage),
        "due": due_step(look.desk),
    }


def record(look: Look) -> dict[str, Any]:
    """Everything that was done, the newest first."""
    desk, event = look.desk, look.desk.event
    done = [(number, act, act.words(event)) for number, act in enumerate(desk.acts, 1)]
    return {
        "done": done[::-1],
        "reports": look.served.reports.every() if look.served.reports is not None else [],
        "state": desk.ledger.state,
        "words_of": CONFIRMED,
        "can_end": all(each.state == "ended" and not missing(each) for each in event.rounds),
        "folder": desk.folder,
        "named": bool(desk.names.all["player"]),
        "doubts": desk.ledger.doubts(),
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


def confirmed(do: str, then: Callable[[Sender], Asked]) -> Callable[[Sender], Asked]:
    """Return what a form does that asks for a word to be typed."""

    def ask(sender: Sender) -> Asked:
        if sender.form.text("confirm").casefold() != CONFIRMED[do]:
            raise Malformed(f"confirm: type “{CONFIRMED[do]}”; it cannot be taken back")
        return then(sender)

    return ask


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
    "end": Does(NOBODY, confirmed("end", end), RESULTS, ()),
    "erase": Does(NOBODY, confirmed("erase", erase)),
    "go-on": Does(NOBODY, confirmed("go-on", go_on)),
}
