"""How tests run the command line: in this process, or as people do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


def referee(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as people do."""
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=60,
        check=False,
        **more,
    )


def drive(run: Run, *arguments: str, stdin: bytes = b"") -> list[dict[str, Any]]:
    done = run(*arguments, stdin=stdin)
    assert (done.code, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]
