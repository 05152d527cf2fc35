"""An event is a fold of its acts, as a game is a function of its answers."""

from __future__ import annotations

from collections.abc import Iterable

from referee.tournament.acts.base import Act
from referee.tournament.event import Event


def perform(event: Event, act: Act) -> Event:
    """Return the event after an act. Raises Refused saying what was expected; the event stays as it was."""
    act.check(event)
    return act.on(event)


def fold(acts: Iterable[Act], event: Event | None = None) -> Event:
    """Return the event after all these acts, from its beginning or from where it is. Raises Refused at a bad one."""
    event = Event() if event is None else event
    for each in acts:
        event = perform(event, each)
    return event
