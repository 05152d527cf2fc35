"""The process that judges: ``python -m referee.hall.judging.worker``. A request a line in, a reply a line out."""

from __future__ import annotations

import json
import resource
import sys
from typing import Final

from referee.hall.judging.docket import Docket

MEMORY: Final = 768 * 1024 * 1024
"""Bytes of address space; a game that wants more ends this process, and is not judged."""


def main() -> None:
    """Answer requests until there are no more."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it writes no files
    docket = Docket()
    for line in sys.stdin.buffer:
        reply = docket.take(json.loads(line))
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
