"""Commands about this machine: play, run, doctor, card, reader."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.output import save, say, show, warn
from referee.cli.places import journal_path, named_journal
from referee.errors import BadSetting, ConfigError, Unfit
from referee.files.plain import counted

if TYPE_CHECKING:
    from referee.doctor import Finding
    from referee.station.main import Options


def play(options: Namespace) -> None:
    """Run the simulated box."""
    from referee.station import main as station

    station.play(_options(options))
    if not options.json:
        warn(options, "stopped; the game is saved, and the same command resumes it")


def run(options: Namespace) -> None:
    """Run the real box."""
    from referee.station import main as station

    station.run(_options(options))


def _options(options: Namespace) -> Options:
    from referee.station.main import Options

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


def doctor(options: Namespace) -> None:
    """Examine the machine and the box. Raises Unfit if something does not work."""
    from referee.doctor import acceptance, count, examine, told
    from referee.station.main import Options, places

    pins, journal, config = places(
        Options(fallback=journal_path(), journal=named_journal(options), config=options.config)
    )
    findings: list[Finding] = []
    form = options.acceptance
    try:
        for finding in examine(pins, journal, config, asking=not options.no_ask, counting=form is not None):
            findings.append(finding)
            if not options.json:
                say(told(finding))
                sys.stdout.flush()
    finally:
        if form is not None:
            save(form, acceptance(pins, findings))
    failed = count(findings, "fail")
    summary = [] if failed else [f"The box works; warnings: {count(findings, 'warn')}"]
    show(options, {"fit": not failed, "findings": [each.as_json() for each in findings]}, summary)
    sys.stdout.flush()
    if failed:
        raise Unfit(f"{failed} of {len(findings)} checks failed")


def check_card(options: Namespace) -> None:
    """Name every mistake in the text file of a card. Raises ConfigError if there is one."""
    from referee.station.card import check

    faults = check(options.file)
    show(options, {"mistakes": faults}, faults or [f"{options.file}: no mistakes"])
    if faults:
        raise ConfigError(f"{options.file}: {counted(len(faults), 'mistake')}")


def apply_card(options: Namespace) -> None:
    """Apply what lies on a card. Raises ConfigError with nothing changed."""
    from referee.station.card import apply, run

    changed = apply(options.folder, options.root, run if options.root == Path("/") else None)
    show(options, {"changed": changed}, [f"changed {path}" for path in changed])


def reader(options: Namespace) -> None:
    """Print what a reader writes, until it ends. Raises BadSetting, or StationError saying why it ended."""
    from referee.station import readers
    from referee.station.main import Options, places

    _, journal, config = places(
        Options(fallback=journal_path(), journal=named_journal(options), config=options.config)
    )
    source = next((each for each in readers.configured(config, journal) if each.key == options.name), None)
    if source is None:
        section = {"own": "reader", "bluetooth": "bluetooth_dice"}.get(options.name, options.name)
        raise BadSetting(f"no reader {options.name} is configured: expected [{section}] in the configuration")

    def line(text: str) -> None:
        say([text])
        sys.stdout.flush()

    readers.listen(
        source, readers.greeting(source, journal), line, lambda why: warn(options, f"{source.name}: {why}")
    )
