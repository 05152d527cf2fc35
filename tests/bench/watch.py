"""Eyes on a station: what must always be so, whatever hands, faults and power do to it."""

from __future__ import annotations

import sqlite3
from typing import Any

from referee.console.grammar import KEYS, LATE
from referee.session.chain import canonical
from referee.station.virtual.bench import Bench

SLACK = 1e-9

Answer = tuple[int, int, str, str]
"""Game, number, kind and answer of an entry."""


class Watch:
    """One run of the station. ``accepted`` goes on from the run before: entries by game and number."""

    def __init__(self, bench: Bench, accepted: dict[tuple[int, int], tuple[str, str]]) -> None:
        self.bench = bench
        self.accepted = accepted
        self._shown: dict[int, float] = {}
        self._event: Any = None
        self._used: set[tuple[str, float]] = set()
        self._hook()
        self.look()

    def _hook(self) -> None:
        console, journal = self.bench.console, self.bench.journal
        shown, feed, append = console.shown, console.feed, journal.append
        if console.stage.shown_at is not None:
            self._shown[console.stage.screen] = console.stage.shown_at

        def note_shown(screen: int, at: float) -> None:
            self._shown.setdefault(screen, at)
            shown(screen, at)

        def note_event(event: Any, source: str = KEYS) -> None:
            self._event = event
            feed(event, source)
            self._event = None

        def note_append(*args: Any, **named: Any) -> None:
            append(*args, **named)
            self._judge()

        use = console.table.use

        def note_use(session: Any, *, new: bool = False) -> None:
            self.look()  # a game that is put away says so in its last entry
            use(session, new=new)

        console.table.use = note_use  # type: ignore[method-assign]
        console.shown = note_shown  # type: ignore[method-assign]
        console.feed = note_event  # type: ignore[method-assign]
        journal.append = note_append  # type: ignore[method-assign]

    def _judge(self) -> None:
        """An answer is being taken: its press must have been made on its own screen, seen for long enough."""
        if self._event is None:
            return  # a seat's button, that was held long enough, or the test itself
        pressed = getattr(self._event, "pressed_at", self._event.at)
        screen = self.bench.console.stage.screen
        assert screen in self._shown, f"{self._event} answered a screen that had not reached the glass"
        assert pressed >= self._shown[screen] + LATE - SLACK, f"{self._event} came too early for its screen"
        press = (getattr(self._event, "key", ""), pressed)
        assert press not in self._used, f"{self._event} was taken twice"
        self._used.add(press)

    def look(self) -> None:
        """See what the session holds."""
        session = self.bench.console.table.session
        if session is None or session.game_id is None:
            return
        for entry in session.entries:
            key, content = (session.game_id, entry.seq), (entry.kind, canonical(entry.answer))
            first = self.accepted.setdefault(key, content)
            assert first == content, f"entry {key} was {first}, is {content}"

    def compare(self) -> tuple[int, int]:
        """Return how many accepted entries the journal on the disk lacks, and how many it has that nobody saw."""
        db = sqlite3.connect(self.bench.journal.path)
        try:
            rows = db.execute("SELECT game, seq, kind, answer FROM entries").fetchall()
        finally:
            db.close()
        recorded = {(game, seq): (kind, answer) for game, seq, kind, answer in rows}
        lost = sum(recorded.get(key) != value for key, value in self.accepted.items())
        return lost, len(recorded.keys() - self.accepted.keys())
