"""Commands that run or look at a station: play, run, panel."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

from referee.cli.output import show, warn
from referee.cli.places import journal_path, named_journal
from referee.errors import BadSetting
from referee.station import main as station
from referee.station.main import Options, passes


def play(options: Namespace) -> None:
    """Run the simulated box."""
    station.play(_options(options))
    if not options.json:
        warn(options, "stopped; the game is saved, and the same command resumes it")


def run(options: Namespace) -> None:
    """Run the real box."""
    station.run(_options(options))


def panel(options: Namespace) -> None:
    """List the browsers that were let in to the panel, or take their passes back."""
    store = passes(Options(fallback=journal_path(), journal=named_journal(options), config=options.config))
    if options.revoke is None:
        shown, mark, nobody = store.listed(), "", ["No browser has been let in"]
    else:
        wanted = None if options.revoke == "all" else options.revoke
        ids = [each.id for each in store.listed()]
        if wanted is not None and wanted not in ids:
            raise BadSetting(f"there is no browser {wanted}; `referee panel` lists them")
        shown, mark, nobody = store.revoke(wanted), "  revoked", []
    lines = [f"{each.id}  {each.role:7}  {each.who}{mark}" for each in shown]
    show(options, [{"id": each.id, "role": each.role, "who": each.who} for each in shown], lines or nobody)


def _options(options: Namespace) -> Options:
    problems = os.environ.get("REFEREE_CARD_PROBLEMS")
    return Options(
        fallback=journal_path(),
        journal=named_journal(options),
        config=options.config,
        port=options.port,
        browser=False if options.no_browser else None,
        panel=False if options.no_panel else None,
        problems=Path(problems) if problems else None,
        ready=partial(_ready, options),
    )


def _ready(options: Namespace, address: str | None) -> None:
    show(
        options,
        {"panel": address},
        [f"The panel is at {address}" if address else "The box is running, without a panel"],
    )
    sys.stdout.flush()
