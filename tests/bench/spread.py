"""Medians and tails of repeated measurements."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path


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


def noise(rounds: int = 300) -> dict[str, dict[str, float]]:
    """Return the machine's own noise, ms: a fixed piece of arithmetic, and an fsync of one page."""
    sums, syncs = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        sum(range(20_000))
        sums.append((time.perf_counter() - start) * 1000)
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "page").open("wb") as file:
        for _ in range(rounds):
            start = time.perf_counter()
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
            syncs.append((time.perf_counter() - start) * 1000)
    return {"arithmetic_ms": spread(sums), "fsync_ms": spread(syncs)}
