"""Acts about the event as a whole: settings, stages, the cut, the end."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from referee.errors import Malformed
from referee.tournament.acts.base import Act, act
from referee.tournament.event import Event, Stage, not_now
from referee.tournament.results import SMALLEST_POD
from referee.tournament.settings import Format, Match, Settings, Sides, swiss_rounds
from referee.tournament.words import IS, listed


@act("settings")
class SettingsChosen(Act):
    """The organiser decides what holds for the whole event. Refused once a stage is open."""

    settings: Settings

    def _on(self, event: Event) -> Event:
        if event.stages:
            raise not_now("settings are chosen before the first stage is opened")
        self.settings.check()
        return replace(event, settings=self.settings)

    def _sentence(self, event: Event) -> str:
        chosen = self.settings
        parts = [f"rounds of {chosen.minutes} min" if chosen.minutes else "no round clock"]
        parts += [f"sides {listed(chosen.sides)}"] if chosen.sides else []
        parts += [f"kinds of win {listed(chosen.wins)}"] if chosen.wins else []
        return "; ".join([*parts, f"ordered by {', '.join(chosen.tiebreakers)}"])


@act("stage opened")
class StageOpened(Act):
    """A stage begins. ``players``: numbers in the order of their seeds (`seeding`); the rest as in `Stage`.

    Without ``rounds``, a Swiss stage has as many as find one winner, a round robin as many as let everybody meet.
    """

    format: Format
    players: tuple[int, ...]
    match: Match = "one game"
    sides: Sides = "none"
    rounds: int = 0
    pod: int = 4
    byes: bool = False
    third: bool = False
    seed: int = 0

    def _on(self, event: Event) -> Event:
        rounds_over(event, "before a stage is opened")
        self._check(event)
        rounds = self.rounds
        if not rounds and self.format in ("swiss", "pods"):
            rounds = swiss_rounds(len(self.players))
        if not rounds and self.format == "round robin":
            rounds = len(self.players) - 1 + len(self.players) % 2
        shared = {f.name: getattr(self, f.name) for f in fields(Stage) if f.name not in ("number", "rounds", "cut")}
        stage = Stage(number=len(event.stages) + 1, rounds=rounds, cut=bool(event.cut), **shared)
        return replace(event, stages=(*event.stages, stage), cut=())

    def _check(self, event: Event) -> None:
        if len(self.players) < 2:
            raise Malformed("players: check in two at least")
        if event.cut and self.players != event.cut:
            raise Malformed(f"players: expected those of the cut, in order: {list(event.cut)}")
        for number in event.cut:
            if number not in event.here():
                raise not_now(f"player {number} of the cut has left; make the cut again")
        if not event.cut and sorted(self.players) != list(event.here()):
            raise Malformed("players: who is here has changed: choose the format again")
        if self.sides != "none" and not event.settings.sides:
            raise Malformed("sides: expected none; the settings name no sides")
        if self.format == "pods" and (self.match != "one game" or self.sides != "none" or self.pod < SMALLEST_POD):
            raise Malformed("pod: expected 3 players or more, one game a match, and no sides")
        if self.format == "pods" and len(self.players) < SMALLEST_POD:
            raise Malformed(f"players: expected {SMALLEST_POD} at least for pods")
        if self.third and self.format != "single elimination":
            raise Malformed("third: expected false; only a single elimination has that")
        if self.rounds < 0 or (self.rounds and "elimination" in self.format):
            raise Malformed("rounds: expected 0 or more, and 0 in an elimination, which has as many as it takes")

    def _word(self, name: str, value: Any, event: Event) -> str:
        if name == "pod":
            return f"pods of {value}" if self.format == "pods" else ""
        return Act._word(self, name, value, event)


@act("stage taken back", needs_why=True)
class StageTakenBack(Act):
    """A stage was opened by mistake, or too early; the cut it came from stands again. Refused if it has a round."""

    def _on(self, event: Event) -> Event:
        stage, rounds = event.stage, event.rounds_of(event.stage, begun=False)
        if rounds:
            last = rounds[-1]
            raise not_now(f"the stage has a round: round {last.number} of stage {stage.number} {IS[last.state]}")
        return replace(event, stages=event.stages[:-1], cut=stage.players if stage.cut else ())


@act("cut")
class CutMade(Act):
    """Some players go on, best first, as the next stage seeds them. Another cut takes its place until then."""

    players: tuple[int, ...]

    def _on(self, event: Event) -> Event:
        rounds_over(event, "before the cut")
        stage = event.stage
        if len(self.players) < 2 or len(set(self.players)) != len(self.players):
            raise Malformed("players: expected two or more, each once")
        for number in self.players:
            if number not in event.playing(stage):
                raise not_now(f"player {number} is not here, or not in the stage")
        return replace(event, cut=self.players)


@act("event ended")
class EventEnded(Act):
    """The event is over; nothing can be changed after it."""

    def _on(self, event: Event) -> Event:
        rounds_over(event, "before the event is ended")
        if any(pairing.open for each in event.rounds for pairing in each.pairings):
            raise not_now("enter every result before the event is ended")
        return replace(event, ended=self.at)


def rounds_over(event: Event, when: str) -> None:
    """Raise NotNow while a round is drafted, published or played."""
    for each in event.rounds:
        if each.state != "ended":
            way = "publish and play it, or discard it," if each.state == "draft" else "end it, or take it back,"
            raise not_now(f"round {each.number} {IS[each.state]}; {way} {when}")
