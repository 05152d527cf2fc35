"""The command that examines the machine and its box."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from referee.cli import text
from referee.cli.output import say, show
from referee.cli.places import journal_path, named_journal
from referee.doctor import JournalState, count, examine
from referee.errors import Unfit, UnknownGame
from referee.games import load
from referee.journal import Journal
from referee.station.main import Options, places


def doctor(options: Namespace) -> None:
    """Examine the machine and the box. Raises Unfit if something does not work."""
    pins, journal, config = places(
        Options(fallback=journal_path(), journal=named_journal(options), config=options.config)
    )
    findings = []
    for finding in examine(
        pins, journal, config, journal_state, simulated=options.simulated, asking=not options.no_ask
    ):
        findings.append(finding)
        if not options.json:
            say(text.finding(finding))
            sys.stdout.flush()
    failed = count(findings, "fail")
    summary = [] if failed else [f"The box works; warnings: {count(findings, 'warn')}"]
    show(options, {"fit": not failed, "findings": [each.as_json() for each in findings]}, summary)
    sys.stdout.flush()
    if failed:
        raise Unfit(f"{failed} of {len(findings)} checks failed")


def journal_state(path: Path) -> JournalState | None:
    """Read a journal: its pages, its list of games, and by whose rules the latest was played. Raises JournalError."""
    if not path.exists():
        return None
    with Journal(path, write=False) as journal:
        journal.examine()
        games = [game for game in journal.games() if not game.notes]
    if not games:
        return JournalState(0)
    latest = games[-1]
    try:
        today: str | None = load(latest.book).edition
    except UnknownGame:
        today = None
    return JournalState(len(games), latest.book, latest.edition, today, latest.open)
