"""A station on virtual time with somebody at it who writes down what he saw: when it was said, what was accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from referee.config import Config
from referee.console.drawing.screens import compose
from referee.station.virtual.bench import Bench
from referee.web.hub import Message
from tests.faults.table import Row, took
from tests.faults.witness import Witness

STEP = 0.05
"""Virtual seconds between two looks of somebody who waits for something."""


class Rig(Bench):
    """See the package. ``spoken``, ``on_panel``: what the glass and the browsers had to show, each since when."""

    def __init__(
        self,
        folder: Path,
        config: Config | None = None,
        *,
        bounce: bool = False,
        seed: int = 0,
        begin: tuple[str, ...] = ("1", "2", "1"),
    ) -> None:
        """``begin``: the keys that lead to the question; by default the ruling desk, with one answer in."""
        self.spoken: list[tuple[float, str]] = []
        super().__init__(folder / "journal.db", config, bounce=bounce, seed=seed, bus_time=True)
        self.path = folder / "journal.db"
        self._press = self.simulated.press
        self.simulated.press = self._counted  # type: ignore[method-assign]
        self.key(*begin)
        self.wait(1)
        self.on_panel: list[tuple[float, str]] = []
        self.hub.subscribe(self._note_panel)
        self.asked = self.console.table.current.n
        self.witness = Witness(self)
        self._injected_at = self._mended_at = self.clock.now
        self.noticed: float | None = 0.0
        self.usable = 0.0
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def _look(self) -> None:
        super()._look()
        words = self.view.speech().spoken
        if not self.spoken or self.spoken[-1][1] != words:
            self.spoken.append((self.clock.now, words))
        if hasattr(self, "witness"):
            self.witness.look()

    # -- what is measured

    def inject(self, fault: Callable[[], object]) -> None:
        """Let something go wrong, now."""
        self._injected_at = self.clock.now
        self.sounds.clear()
        fault()
        self.settle()

    def until_said(self, words: str, *, limit: float = 120.0) -> None:
        """Wait until these words stand on the glass, pixel for pixel; how long that took is what counts."""
        self.until(lambda: words in self.view.speech().spoken and self.on_glass(), limit)
        at, self.seen = next((at, line) for at, line in self.spoken if words in line and at >= self._injected_at)
        self.noticed = at - self._injected_at

    def until_said_beside(self, words: str, *, limit: float = 120.0) -> None:
        """Wait until these words are told where a glass that is dark cannot: on the panel, with the buzzer."""

        def announced() -> list[tuple[float, str]]:
            return [(at, line) for at, line in self.on_panel if words in line and at >= self._injected_at]

        self.until(lambda: bool(announced()), limit)
        assert "fault" in self.sounds
        at, line = announced()[0]
        self.noticed = at - self._injected_at
        self.seen = f"glass dark, buzzer sounds; on the panel: {line}"

    def until_seen(self, words: str, *, limit: float = 30.0) -> None:
        """Wait until these words stand on the glass, and add them to what players see."""
        self.until(lambda: words in self.view.speech().spoken and self.on_glass(), limit)
        self.seen += f"; then: {self.view.speech().spoken}"

    def silent(self, seen: str) -> None:
        """What was injected is made good where it happens: nothing is laid on the glass, and nobody need know."""
        self._mended_at = self.clock.now
        self.until_usable()
        self.wait(3)
        assert self.open_to_answers(), self.view.speech().spoken
        assert "fault" not in self.sounds
        self.seen, self.noticed = seen, None

    def mend(self, remedy: Callable[[], object]) -> None:
        """End the fault."""
        self._mended_at = self.clock.now
        remedy()
        self.settle()

    def until_usable(self, *, key: str = "", limit: float = 30.0) -> None:
        """Wait until the question from before stands on the glass, pressing `key` once if one is needed."""
        if key:
            self.key(key)
        self.until(lambda: self.open_to_answers() and self.on_glass(), limit)
        self.usable = self.clock.now - self._mended_at

    def row(self, ends: str, *answer: str) -> Row:
        """Answer the question that stands ("2"), and return the row."""
        before = len(self.console.table.current.entries)
        self.key(*(answer or ("2",)))
        self.wait(0.5)
        assert len(self.console.table.current.entries) > before, f"no answer was taken: {self.view.speech().spoken}"
        return self.counted(ends)

    def counted(self, ends: str) -> Row:
        """Look all answers up in the journal on the disk, and return the row."""
        assert self.misfits == [], "what is said does not fit on the glass"
        lost, doubled = self.witness.losses(self.path)
        noticed = "handled silently" if self.noticed is None else took(self.noticed)
        return Row(noticed, self.seen, ends, took(self.usable), lost, doubled)

    # -- hands

    def _counted(self, key: str) -> None:
        self.presses += 1
        self._press(key)

    def hold(self, name: str, seconds: float) -> None:
        self.presses -= 1  # counted at the contact
        super().hold(name, seconds)

    def unheard(self, key: str, move: Callable[[str], None]) -> None:
        """Move a key so that the kernel tells nobody of the edge: only its level has changed."""
        pin = self.simulated._contacts[key]._pin
        handler, pin.when_changed = pin.when_changed, None
        move(key)
        pin.when_changed = handler

    # -- eyes and patience

    def on_glass(self) -> bool:
        """Whether the display shows what the console wants shown, and has told so."""
        image = self.loop.picture._look.moved(compose(self.view, self.glass.size)).image()
        return not self.screen.busy and self.glass.tobytes() == image.convert(self.glass.mode).tobytes()

    def _note_panel(self, news: Sequence[Message]) -> None:
        self.on_panel.extend((self.clock.now, str(each["spoken"])) for each in news if each["type"] == "table")

    def open_to_answers(self) -> bool:
        """Whether the question from before is asked, with nothing on top of it."""
        return self.console.table.current.n == self.asked and not self.console.stage

    def until(self, so: Callable[[], bool], limit: float) -> None:
        """Let time pass until something is so. Raises AssertionError after `limit` virtual seconds."""
        end = self.clock.now + limit
        while not so():
            assert self.clock.now < end, f"waited {limit:g} s in vain; the glass says: {self.view.speech().spoken}"
            self.wait(STEP)
