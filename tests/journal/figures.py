"""The figures of the journal in one place: what is lost, what is seen, what it costs."""

from __future__ import annotations

from typing import Any

from tests.journal import cuts, flips, measure, recovery


def figures(*, quick: bool = False) -> dict[str, Any]:
    """Return them. ``quick``: some of the cuts and bits only, in about a minute."""
    return {
        "cuts": cuts.run(2_000 if quick else 100_000).as_json(),
        "flips": flips.run(37 if quick else 1, 61 if quick else 1),
        "answer_ms": measure.measure(answers=200 if quick else 1000),
        "recovery": recovery.measure(8 if quick else 100),
    }
