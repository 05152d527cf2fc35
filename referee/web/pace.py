"""How often one browser may speak: a token bucket, a pure function of the time it is given."""

from __future__ import annotations


class Pace:
    """Allows ``burst`` messages at once and ``rate`` a second in the long run."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._then: float | None = None

    def allows(self, now: float) -> bool:
        """Whether one more message is within bounds at ``now``, in seconds of a monotonic clock."""
        if self._then is not None:
            self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True
