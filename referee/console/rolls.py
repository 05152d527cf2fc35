"""Which roll it is that dice were thrown for. Pure.

`Gathering` has the faces of the roll that is asked for, `Waiting` what fell where none was, `Step` what seats may
throw together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.console.gathering import Fallen, Gathering, Step, Waiting
from referee.session import Origin, Prompt


class Rolls:
    """The rolls of the game on the glass."""

    def __init__(self) -> None:
        self._waiting = Waiting()
        self._step = Step()
        self._gathering: Gathering | None = None
        self._prompt: Prompt | None = None

    def gather(self, prompt: Prompt) -> Gathering:
        """Return what has come in for a roll; what dice told for one that was never answered is shown here."""
        if self._gathering is None or self._prompt is not prompt:
            if self._gathering is not None:
                self._waiting.add(self._gathering.left())
            self._prompt, self._gathering = prompt, Gathering(prompt.dice)
            self._step.ask(prompt)
            self._hand_over(prompt)
        return self._gathering

    def shown(self, prompt: Prompt, since: float) -> None:
        """A roll is on the glass; throws count for it that begin at ``since``."""
        self._step.shown(prompt, since)

    def step(self, seat: str, started: float, prompt: Prompt | None) -> tuple[str, ...] | None:
        """Return the step for whose first roll of that seat it threw, while ``prompt`` is pending; None: for none."""
        return self._step.of(seat, started, prompt)

    def thrown_at(self, place: tuple[str, ...]) -> tuple[Fallen, ...]:
        """Return the dice that other seats threw for their own roll of this step."""
        return self._waiting.thrown_at(place)

    def keep(self, dice: Iterable[Fallen], step: tuple[str, ...] | None, prompt: Prompt | None) -> None:
        """Keep what fell where no roll of its own was asked for, thrown at ``step``; it is proposed to ``prompt``."""
        self._waiting.add(replace(die, step=step) for die in dice)
        if prompt is not None and self._prompt is prompt:
            self._hand_over(prompt)

    def _hand_over(self, prompt: Prompt) -> None:
        """Propose to a roll what fell before; self-reading dice have six sides."""
        if self._gathering is not None and prompt.sides == 6:
            self._waiting.hand_over(self._gathering, prompt.seat, prompt.place)

    def disturb(self, origin: Origin) -> str:
        """A die was moved; return the sound of what that means, "" if it lies nowhere."""
        if self._gathering is not None and not self._gathering.sent and self._gathering.disturb(origin):
            return "doubt"
        return "late" if self._waiting.disturb(origin) else ""

    def clear(self) -> None:
        """Another game is played."""
        self._gathering = self._prompt = None
        self._waiting.clear()
