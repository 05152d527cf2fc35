"""A reader of dice alone, for trying it out."""

from __future__ import annotations

import sys
from argparse import Namespace

from referee.cli.output import say, warn
from referee.cli.places import journal_path, named_journal
from referee.errors import BadSetting
from referee.station.dice import readers
from referee.station.dice.known import added, beside
from referee.station.main import Options, places


def reader(options: Namespace) -> None:
    """Print what a reader writes, until it ends. Raises BadSetting, or StationError saying why it ended."""
    _, journal, config = places(
        Options(fallback=journal_path(), journal=named_journal(options), config=options.config)
    )
    source = next((each for each in readers.configured(config, journal) if each.key == options.name), None)
    if source is None:
        section = {"own": "reader", "bluetooth": "bluetooth_dice"}.get(options.name, options.name)
        raise BadSetting(f"no reader {options.name} is configured: expected [{section}] in the configuration")
    told = [added(die) for die in beside(journal).listed()] if source.source == readers.RADIO else []

    def line(text: str) -> None:
        say([text])
        sys.stdout.flush()

    def odd(why: str) -> None:
        warn(options, f"{source.name}: {why}")

    readers.listen(source, lambda: told, line, odd)
