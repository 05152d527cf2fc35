"""The clock of a round at one table: what the hall said of it, counted on by the box's own clock.

It needs the hall only where something changes: the box counts by itself for as long as it must. Times are whole ms of
a monotonic clock.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.clock.words import short_text, tiny_text

DRIFT: Final = 2000
"""Ms in which two clocks may differ by one more. Cheap crystals are 100 ppm off at most, each its own way, and a
clock that is being set right 500 ppm (adjtimex); what came later than that was long on its way."""
MINUTE: Final = 60_000
SECONDS_FROM: Final = 600_000
"""Ms that are left when `short_text` begins to show seconds."""


class RoundNews(NamedTuple):
    """What the hall said.

    ``number``  changes whenever anything but the time has changed
    ``round``   0: no clock runs for this table any more
    ``left``    ms until time is called, below 0 afterwards; ``runs``: whether it runs, or is paused for all
    ``then``    what a table does when time is called, one of `referee.tournament.settings.AtTime`
    ``at``      when it came
    ``about``   the box was off since: there may be less left, for its clock may have stood still
    ``called``  people were told already that time is called
    """

    number: int
    round: int
    left: int
    runs: bool
    then: str
    at: int
    about: bool = False
    called: bool = False


class RoundClock:
    """See the module. ``news``: the latest, None without a clock; ``at``: up to when time was counted."""

    def __init__(self) -> None:
        self.news: RoundNews | None = None
        self.at = 0
        self._ends = 0
        self._called = False

    def hear(self, news: RoundNews) -> None:
        """Take what the hall said. Of news that only repeats the time, what was longest on its way counts least."""
        old, ends = self.news, news.at + news.left
        if old is not None and (old.number, old.round, old.about) == (news.number, news.round, False):
            ends = min(ends, self._ends + (news.at - old.at) // DRIFT)
        else:
            self._called = news.called
        self.news, self._ends = (news if news.round else None), ends
        self.at = max(self.at, news.at)

    def see(self, at: int) -> bool:
        """Let time pass; return whether time is called now. It is called once for each time that was set."""
        self.at = max(self.at, at)
        called = self.news is not None and self.left <= 0 and not self._called
        self._called = self._called or called
        return called

    @property
    def left(self) -> int:
        """Ms until time is called, below 0 afterwards."""
        if self.news is None or not self.news.runs:
            return self.news.left if self.news is not None else 0
        return self._ends - self.at

    def texts(self) -> tuple[str, ...]:
        """Return how it stands, the longest text first; nothing without a clock.

        >>> clock = RoundClock()
        >>> clock.hear(RoundNews(1, 3, 2_000_000, True, "", 0)); clock.texts()
        ("R 33'", "R33'")
        """
        if self.news is None:
            return ()
        if self.left <= 0:
            return ("time?",) if self.news.about else ("time",)
        if not self.news.runs:
            return ("paused",)
        about = "~" if self.news.about else ""
        return f"R {about}{short_text(self.left)}", f"R{about}{tiny_text(self.left)}"

    def deadline(self) -> int | None:
        """Return when another text is to be shown, or time is called; None if neither ever is."""
        if self.news is None or not self.news.runs or self.left <= 0:
            return None
        step = 1000 if self.left <= SECONDS_FROM + 1000 else MINUTE
        # A time is rounded up to whole seconds, and their minutes down.
        until = (self.left - 1) % 1000 + 1 if step == 1000 else (self.left + 999) % MINUTE + 1
        return self.at + until
