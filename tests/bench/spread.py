"""Medians and tails of repeated measurements, and figures with their limits."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any


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


def limit(value: float, most: float | None = None, least: float | None = None) -> dict[str, Any]:
    """Return a figure with its limit and whether it is met."""
    met = (most is None or value <= most) and (least is None or value >= least)
    bound = {"at_most": most} if most is not None else {"at_least": least}
    return {"value": round(value, 3), **bound, "met": met}


def missed(figures: Any, path: str = "") -> list[str]:
    """Return the names of the figures that miss their limits."""
    if not isinstance(figures, dict):
        return []
    if figures.get("met") is False:
        return [path]
    return [name for key, value in figures.items() for name in missed(value, f"{path}.{key}".lstrip("."))]
