"""A station on virtual time with somebody at it who notes what was said when, and what was accepted."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.config import Config
from referee.console.drawing.screens import compose
from referee.session.chain import canonical
from referee.station.virtual.bench import Bench
from referee.web.hub import Message
from tests.components import ROOT

STEP = 0.05
"""Virtual seconds between two looks of somebody who waits for something."""

LIMITS = {
    title: float(seconds)
    for title, seconds in re.findall(
        r"(?m)^\| ([A-Z][^|]*?) \| (\d+) s \|", (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
    )
}
"""The titles of faults, and the seconds within which each is told, as the document says."""

Answer = tuple[int, int, str]
"""Game, number of the entry, and its answer as canonical JSON."""


def recorded(journal: Path) -> set[Answer]:
    """Return what the journal on the disk holds."""
    db = sqlite3.connect(journal)
    try:
        return {*db.execute("SELECT game, seq, answer FROM entries")}
    finally:
        db.close()


class Rig(Bench):
    """``spoken``, ``on_panel``: what the glass and the browsers had to show, each since when."""

    def __init__(self, folder: Path, config: Config | None = None, begin: Sequence[str] = ("1", "2", "1")) -> None:
        """``begin``: the keys that lead to the question; by default the ruling desk, with one answer in."""
        self.spoken: list[tuple[float, str]] = []
        self.on_panel: list[tuple[float, str]] = []
        self.path = folder / "journal.db"
        super().__init__(self.path, config, bus_time=True)
        self.key(*begin)
        self.wait(1)
        self.hub.subscribe(self._note_panel)
        self.asked = self.console.table.current.n
        self.injected_at = self.clock.now

    def _look(self) -> None:
        super()._look()
        if not self.spoken or self.spoken[-1][1] != self.text:
            self.spoken.append((self.clock.now, self.text))

    def _note_panel(self, news: Sequence[Message]) -> None:
        self.on_panel.extend((self.clock.now, str(each["spoken"])) for each in news if each["type"] == "table")

    # -- what happens, and how it is told

    def inject(self, fault: Callable[[], object]) -> None:
        """Let something go wrong, now."""
        self.injected_at = self.clock.now
        self.sounds.clear()
        fault()
        self.settle()

    def until_said(self, title: str, words: str = "") -> None:
        """Wait until it stands on the glass, pixel for pixel: in time, and with these words."""
        self.until_seen(title)
        at, said = next((at, said) for at, said in self.spoken if title in said and at >= self.injected_at)
        assert round(at - self.injected_at, 3) <= LIMITS[title], f"{title}: {at - self.injected_at:.3f} s"
        assert words in said

    def until_said_beside(self, title: str) -> None:
        """Wait until it is told where a glass that is dark cannot: on the panel, with the buzzer."""

        def told() -> list[float]:
            return [at for at, said in self.on_panel if title in said and at >= self.injected_at]

        self.until(lambda: bool(told()))
        assert told()[0] - self.injected_at <= LIMITS[title]
        assert "fault" in self.sounds

    def until_seen(self, words: str) -> None:
        """Wait until these words stand on the glass."""
        self.until(lambda: words in self.text and self.on_glass())

    def silent(self) -> None:
        """What was injected is made good where it happens: nothing is laid on the glass, and nobody need know."""
        self.until_usable()
        self.wait(3)
        assert self.open_to_answers(), self.text
        assert "fault" not in self.sounds

    def until_usable(self, key: str = "") -> None:
        """Wait until the question from before stands on the glass, pressing `key` once if one is needed."""
        if key:
            self.key(key)
        self.until(lambda: self.open_to_answers() and self.on_glass())

    def answer(self, *keys: str) -> None:
        """Answer the question that stands; then the journal on the disk has just what was seen accepted."""
        before = len(self.console.table.current.entries)
        self.key(*(keys or ("2",)))
        self.wait(0.5)
        assert len(self.console.table.current.entries) > before, f"no answer was taken: {self.text}"
        self.whole()

    def whole(self) -> None:
        """Look all answers up in the journal on the disk; nothing that was said was too long for the glass."""
        session = self.console.table.current
        assert recorded(self.path) == {(1, entry.seq, canonical(entry.answer)) for entry in session.entries}
        assert self.misfits == []

    def unheard(self, key: str, move: Callable[[str], None]) -> None:
        """Move a key so that the kernel tells nobody of the edge: only its level has changed."""
        pin = self.simulated._contacts[key]._pin
        handler, pin.when_changed = pin.when_changed, None
        move(key)
        pin.when_changed = handler

    # -- eyes and patience

    def on_glass(self) -> bool:
        """Whether the display shows what the console wants shown, and has told so."""
        image = self.loop.picture.moved(compose(self.view, self.glass.size)).image()
        return not self.screen.busy and self.glass.tobytes() == image.convert(self.glass.mode).tobytes()

    def open_to_answers(self) -> bool:
        """Whether the question from before is asked, with nothing on top of it."""
        return self.console.table.current.n == self.asked and not self.console.stage

    def until(self, so: Callable[[], bool]) -> None:
        """Let time pass until something is so. Raises AssertionError after two virtual minutes."""
        end = self.clock.now + 120
        while not so():
            assert self.clock.now < end, f"waited in vain; the glass says: {self.text}"
            self.wait(STEP)
