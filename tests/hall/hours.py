"""The time of day in a hall, which tests let pass."""

from __future__ import annotations

START = 1_800_000_000.0  # when a test begins, s since 1970 UTC


class Time:
    """What every clock of the hall shows. ``now``: s since 1970 UTC."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    @property
    def ms(self) -> int:
        return round(self.now * 1000)

    @property
    def minutes(self) -> float:
        """Minutes since the test began."""
        return (self.now - START) / 60

    @minutes.setter
    def minutes(self, minutes: float) -> None:
        self.now = START + minutes * 60
