"""Medians and tails of repeated measurements."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def spread(values: Sequence[float], digits: int = 3) -> dict[str, float]:
    """Return median, p99, least and most of some measurements, with how many there were."""
    ordered = sorted(values)
    p99 = ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))]
    return {
        "n": len(ordered),
        "median": round(statistics.median(ordered), digits),
        "p99": round(p99, digits),
        "min": round(ordered[0], digits),
        "max": round(ordered[-1], digits),
    }
