"""Commands about the text file of a flashed card: check it on a laptop, apply it on the box."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from referee.cli.output import show
from referee.errors import ConfigError
from referee.files.plain import counted
from referee.station.card import apply as card


def check(options: Namespace) -> None:
    """Name every mistake in a text file. Raises ConfigError if there is one."""
    faults = card.check(options.file)
    show(options, {"mistakes": faults}, faults or [f"{options.file}: nothing is wrong"])
    if faults:
        raise ConfigError(f"{options.file}: {counted(len(faults), 'mistake')}")


def apply(options: Namespace) -> None:
    """Apply what lies on a card. Raises ConfigError with nothing changed."""
    running = options.root == Path("/")
    changed = card.apply(options.folder, options.root, card.run if running else None)
    show(options, {"changed": changed}, [f"changed {path}" for path in changed])
