"""Rate limits: a token bucket, pure; times are arguments."""

from __future__ import annotations


class Pace:
    """Allows ``burst`` messages at once and ``rate`` a second in the long run."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._then: float | None = None

    def allows(self, now: float) -> bool:
        """Whether one more message is within the limits at ``now``, in seconds of a monotonic clock."""
        if self._then is not None:
            self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True


class Paces:
    """The same limits for each of many senders; only the ``most`` that sent last are tracked."""

    def __init__(self, rate: float, burst: int, most: int) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._paces: dict[str, Pace] = {}

    def allows(self, who: str, now: float) -> bool:
        """Whether one more message of ``who`` is within the limits at ``now``."""
        pace = self._paces.pop(who) if who in self._paces else Pace(self._rate, self._burst)
        self._paces[who] = pace
        if len(self._paces) > self._most:
            del self._paces[next(iter(self._paces))]
        return pace.allows(now)
