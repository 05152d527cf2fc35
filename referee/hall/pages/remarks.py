"""What an organiser is told because nothing else shows it: a cut that is out of date, who is out and still here."""

from __future__ import annotations

from referee.hall.desk import Desk
from referee.hall.pages.tables import missing_of
from referee.tournament import Event, Stage, picked_now
from referee.tournament.acts.matches import ResultEntered
from referee.tournament.acts.people import PlayerReturned
from referee.tournament.words import listed


def cut_doubts(desk: Desk) -> list[str]:
    """Return in which way the last cut is not what it would be now, and what can be done; [] where it is the same."""
    return desk.once("cut doubts", lambda: _cut_doubts(desk.event))


def _cut_doubts(event: Event) -> list[str]:
    stage = _cut_from(event)
    if stage is None:
        return []
    now, then = picked_now(event)
    new, old = ([f"player {each}" for each in one if each not in other] for one, other in ((now, then), (then, now)))
    if new:
        differs = f"{listed(new)} would be in it in the place of {listed(old)}"
    elif now != then and not _begun(event):
        differs = f"its order, from which it is seeded, would be {listed(f'player {each}' for each in now)}"
    else:
        return []
    return [
        f"The standings of stage {stage.number} have changed since the cut: made now, {differs}. {_way_out(event)}"
    ]


def cut_lacks(event: Event) -> list[str]:
    """Return the results that were missing when the last cut was made, and still are, a sentence a round."""
    stage = _cut_from(event)
    sentences = missing_of(stage, event.rounds_of(stage)) if stage is not None else []
    return [f"{each}. The cut was made without that" for each in sentences]


def _cut_from(event: Event) -> Stage | None:
    """Return the stage whose best were picked, None where none is followed by its cut."""
    if event.cut:
        return event.stage
    return event.stages[-2] if len(event.stages) > 1 and event.stage.cut else None


def _begun(event: Event) -> bool:
    return not event.cut and bool(event.rounds_of(event.stage))


def _way_out(event: Event) -> str:
    """Return how the cut can be made anew, as long as it can."""
    if event.cut:
        return "Make the cut again on Standings, or open its stage as it is."
    rounds = event.rounds_of(event.stage, begun=False)
    if any(pairing.result for each in rounds for pairing in each.pairings):
        return f"Stage {event.stage.number} has results and goes on as it is."
    published = [f"take round {each.number} back" for each in reversed(rounds) if each.state != "draft"]
    steps = [*published, *(f"discard the draft of round {each.number}" for each in reversed(rounds))]
    steps += [f"take stage {event.stage.number} back on Setup", "make the cut again on Standings"]
    return f"To change it: {listed(steps)}. Or go on with it as it is."


def still_here(desk: Desk) -> dict[int, str]:
    """Return who lost a match by disqualification and plays on all the same, with what is said of it.

    Who dropped and was brought back since stays for a reason.
    """
    return desk.once("still here", lambda: _still_here(desk))


def _still_here(desk: Desk) -> dict[int, str]:
    out: dict[int, str] = {}
    for act in desk.acts:
        if isinstance(act, PlayerReturned):
            out.pop(act.player, None)
        elif isinstance(act, ResultEntered) and act.result.outcome == "disqualified":
            out |= dict.fromkeys(act.result.fault, f"round {act.round}, table {act.table}")
    event, stands = desk.event, set[tuple[int, str]]()
    goes_on = event.cut or (event.stage.players if event.stages else ())
    for each in event.rounds:
        for pairing in each.pairings:
            if pairing.result is not None and pairing.result.outcome == "disqualified":
                stands |= {(player, f"round {each.number}, table {pairing.table}") for player in pairing.result.fault}
    return {
        player: f"Player {player} was disqualified in {where}, and is still in the event: paired, or given a bye, "
        "until dropped"
        for player, where in out.items()
        if event.players[player].state == "here" and player in goes_on and (player, where) in stands
    }
