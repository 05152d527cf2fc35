"""How soon the question is back after a kill: ``python -m tests.journal.recovery [--rounds N]``.

Each round a process plays a long game and is killed (SIGKILL) at a random moment, often in the middle of a stroke.
Then two processes are started in turn, and timed until their question is out: one that takes the killed game up, and
one that begins a new game. The question must be the one the players had, or the one the stroke under way led to.

On a machine that does other things the clock says more of them than of us: then a normal start has a long tail, too.
So the slowest are held against the slowest, and the processor's time is told as well.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from referee import games
from tests.bench.spread import spread
from tests.journal.reference import Reference, lasting

GAME = "battle-of-the-ring"
STROKES = 200

PLAYER = """
import sys
from referee import games
from referee.journal import Journal
from referee.session import Session
from tests.journal.reference import lasting
reference = lasting(games.load(sys.argv[2]), int(sys.argv[3]))
with Journal(sys.argv[1]) as journal:
    session = Session(reference.book, journal=journal, source="reference")
    for move in reference.moves:
        print(session.n, flush=True)
        move(session)
    print(session.n, flush=True)
    sys.stdin.read()
"""

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def killed(journal: Path, strokes: int, after: int, delay: float) -> int:
    """Play a game and kill the player so many strokes on and a little later; return the last number it told."""
    command = [sys.executable, "-c", PLAYER, str(journal), GAME, str(strokes)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as player:
        assert player.stdout is not None
        seen = [int(player.stdout.readline()) for _ in range(after)]
        end = time.perf_counter() + delay
        while time.perf_counter() < end:
            pass
        player.kill()
        rest = player.stdout.read()
    # The last line may have been cut off by the kill.
    return [*seen, *(int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n"))][-1]


def started(*arguments: str) -> tuple[float, float, dict[str, Any]]:
    """Start `referee drive`; return seconds until its question was out, of processor time, and the question."""
    begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "referee", "drive", GAME, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as station:
        assert station.stdout is not None
        prompt = json.loads(station.stdout.readline())
        seconds = time.perf_counter() - begun
        station.communicate(b"", timeout=60)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, prompt


def measure(rounds: int = 100, strokes: int = STROKES, seed: int = 0) -> dict[str, Any]:
    """Return the times of resumed and of normal starts, and how many questions were not the right ones."""
    chance = random.Random(seed)
    reference = lasting(games.load(GAME), strokes)
    resumed, normal, wrong, entries = [], [], [], []
    busy: dict[str, list[float]] = {"resumed": [], "normal": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            journal = Path(name) / "journal.db"
            seen = killed(journal, strokes, chance.randint(strokes // 2, strokes), chance.random() * 0.02)
            seconds, cpu, prompt = started("--journal", str(journal), "--resume")
            busy["resumed"].append(cpu)
            if not _right(reference, seen, prompt):
                wrong.append({"told": seen, "found": prompt})
            entries.append(float(prompt["n"]))
            resumed.append(seconds)
            seconds, cpu, _ = started("--journal", str(Path(name) / "new.db"))
            normal.append(seconds)
            busy["normal"].append(cpu)
    slow, usual = spread(resumed), spread(normal)
    return {
        "resumed_s": slow,
        "normal_s": usual,
        "entries": spread(entries, 0),
        "wrong_questions": wrong,
        "resumed_cpu_s": spread(busy["resumed"]),
        "normal_cpu_s": spread(busy["normal"]),
        "p99_of_normal": slow["p99"] / usual["median"],
        "p99_of_normal_p99": slow["p99"] / usual["p99"],
        "cpu_p99_of_normal": spread(busy["resumed"])["p99"] / spread(busy["normal"])["median"],
    }


def _right(reference: Reference, seen: int, prompt: dict[str, Any]) -> bool:
    """Whether this is the question last told, or one that came after it without having been told yet."""
    n = prompt.get("n", -1)
    stood = reference.prompts.get(n)
    pauses = [entry.kind for entry in reference.session.entries[: max(n, 0)] if entry.kind in ("pause", "unpause")]
    paused = {"paused": True} if pauses[-1:] == ["pause"] else {}
    return stood is not None and n >= seen and stood.as_json() | paused == prompt


def main() -> int:
    """Print the figures as JSON; return 1 if a limit is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=100)
    options.add_argument("--strokes", type=int, default=STROKES)
    chosen = options.parse_args()
    figures = measure(chosen.rounds, chosen.strokes)
    print(json.dumps(figures, indent=2))
    missed = figures["p99_of_normal_p99"] > 2 or figures["cpu_p99_of_normal"] > 2
    return 1 if figures["wrong_questions"] or missed else 0


if __name__ == "__main__":
    sys.exit(main())
