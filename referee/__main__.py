"""``python -m referee`` is ``referee``."""

import signal
import sys
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    if sys.argv[1:2] in (["play"], ["run"]):
        # The station handles these itself after half a second; until then, honour signals during the import.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _ended)
    from referee.cli import main as command

    sys.exit(command())


def _ended(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    sys.exit(0)


if __name__ == "__main__":
    main()
