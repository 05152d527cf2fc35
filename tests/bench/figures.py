"""`make bench`: the figures the project is held to, as JSON, each with its limit.

Times are held as ratios to what the machine took in the same run, between the measurements, for a commit, a drawing,
a piece of arithmetic and a bare import; so somebody else's load fails nothing, and two machines can be compared. The
exit code is 1 if a figure misses its limit.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from tests.bench import bus, latency, replay, start
from tests.bench.spread import limit, missed, spread
from tests.bench.yardstick import Yardstick

GAME = "battle-of-the-ring"


def pressing(rounds: int) -> dict[str, Any]:
    """Edge on a pin to last byte on the bus."""
    with Yardstick() as yardstick:
        times = latency.measure(rounds, yardstick)
    spreads = {name: spread(values) for name, values in times.items()}
    machine = spread(yardstick.answers)
    return {
        "edge_to_last_byte_ms": spreads,
        "yardstick": yardstick.as_json(),
        "median_of_commit_drawing_arithmetic": limit(spreads["all"]["median"] / machine["median"], most=6),
        "p99_of_commit_drawing_arithmetic": limit(spreads["all"]["p99"] / machine["p99"], most=6),
    }


def judging() -> dict[str, Any]:
    """Replay and undo."""
    with Yardstick() as yardstick:
        replays, answers = replay.replays(GAME, yardstick)
        undone = spread(replay.undos(GAME, yardstick))
    replayed = spread(replays, 5)
    arithmetic = spread(yardstick.sums)
    return {
        "replayed_answers": answers,
        "replayed_answer_ms": replayed,
        "answers_per_s": round(1000 / replayed["median"]),
        "undo_ms": undone,
        "yardstick": yardstick.as_json(),
        "replayed_answer_of_arithmetic": limit(replayed["median"] / arithmetic["median"], most=0.04),
        "undo_median_of_arithmetic": limit(undone["median"] / arithmetic["median"], most=5),
        "undo_p99_of_arithmetic": limit(undone["p99"] / arithmetic["p99"], most=20),
    }


def against_library(rounds: int) -> dict[str, Any]:
    """Answers and replay beside those of the library eventsourcing, which judges nothing."""
    times = {name: spread(values, 5) for name, values in replay.against_library(GAME, rounds).items()}
    middle = {name: each["median"] for name, each in times.items()}
    return {
        **{f"{name}_ms": each for name, each in times.items()},
        "answer_of_library": limit(middle["answer"] / middle["library_answer"], most=1),
        "replays_of_library": limit(middle["library_replay"] / middle["replay"], least=2),
    }


def starting(rounds: int) -> dict[str, Any]:
    """Start, memory, idleness."""
    times = start.measure(rounds)
    ratio = spread(times["ratio"])
    bare, full = times["without_panel"], times["with_panel"]
    return {
        "first_pixels_s": spread(times["first_pixels_s"]),
        "imports_s": spread(times["imports_s"]),
        "first_pixels_of_bare_imports": limit(ratio["median"], most=4),
        "own_modules_with_panel": limit(full["own_modules"], most=170),
        "resident_mib_without_panel": limit(bare["resident_mib"], most=44),
        "resident_mib_with_panel": limit(full["resident_mib"], most=54),
        "idle_cpu_percent": limit(max(bare["idle_cpu_percent"], full["idle_cpu_percent"]), most=0.5),
        # None at all, that is: with one in the five seconds that are looked at a machine may surprise us.
        "idle_wakeups_per_s": limit(bare["idle_wakeups_per_s"], most=0.2),
        "idle_wakeups_per_s_with_panel": limit(
            full["idle_wakeups_per_s"], most=12
        ),  # uvicorn looks ten times a second
        "idle_bytes_written": limit(max(bare["idle_bytes_written"], full["idle_bytes_written"]), most=0),
    }


def main() -> int:
    """Print the figures; return the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="fewer rounds")
    quick = options.parse_args().quick
    figures: dict[str, Any] = {
        "press": pressing(8 if quick else 40),
        "bus": bus.measure(),
        "judging": judging(),
        "library": against_library(3 if quick else 9),
        "start": starting(3 if quick else 9),
    }
    figures["missed"] = missed(figures)
    print(json.dumps(figures, indent=2))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
