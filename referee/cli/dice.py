"""Commands about dice that tell themselves: find, list, name, assign, blink, test and forget them.

And of all dice, whether they were fair.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from types import ModuleType
from typing import Any

from referee.cli.output import say, show, warn
from referee.cli.places import chosen, journal_path, lacking, named_journal, number, open_journal
from referee.cli.progress import watching
from referee.errors import BadSetting, Diverged, UnknownGame
from referee.session import Rolled
from referee.station.dice.known import KnownDice, KnownDie, beside, check
from referee.station.main import Options, places


def find(options: Namespace) -> None:
    """List the dice that advertise. Raises StationError without Bluetooth."""
    known = _known(options)
    dice = _radio().find(known.listed(), options.seconds)
    lines = [each.line for each in dice] or ["No dice advertise. Shake them; close their app on phones"]
    show(options, [each.as_json() for each in dice], lines)


def listed(options: Namespace) -> None:
    """List the dice this box knows."""
    dice = _known(options).listed()
    lines = [_line(die) for die in dice] or ["No dice are known; `referee dice find` looks for some"]
    show(options, [_json(die) for die in dice], lines)


def name(options: Namespace) -> None:
    """Know a die by a name. Raises StationError or BadSetting."""
    known = _known(options)
    check(options.name)  # before anything is looked for
    die = _radio().look_up(options.address, options.name)
    known.keep(die)
    show(options, _json(die), [_line(die)])


def assign(options: Namespace) -> None:
    """Give a die to a seat. Raises BadSetting."""
    die = _known(options).assign(options.name, options.seat)
    show(options, _json(die), [_line(die)])


def forget(options: Namespace) -> None:
    """Forget a die. Raises BadSetting."""
    _known(options).forget(options.name)
    show(options, {"forgotten": options.name}, [f"{options.name} is forgotten"])


def blink(options: Namespace) -> None:
    """Let a die blink. Raises StationError or BadSetting."""
    die = _by_bluetooth(options)
    _radio().blink(die)
    show(options, {"blinked": die.name}, [])


def watch(options: Namespace) -> None:
    """Tell what a die tells. Raises StationError or BadSetting."""
    die = _by_bluetooth(options)
    told = []

    def tell(line: str) -> None:
        told.append(line)
        if not options.json:
            say([f"{die.name}: {line}"])
            sys.stdout.flush()

    if not options.json:
        say([f"Throw {die.name} {options.throws} times"])
        sys.stdout.flush()
    _radio().watch(die, tell, options.throws)
    show(options, {"die": die.name, "told": told}, [])


def fairness(options: Namespace) -> None:
    """Say whether the dice of the journal, or of one game, were fair. Raises BadSetting or JournalError."""
    from referee import games
    from referee.report import dice_of, luck_of, sentences
    from referee.session import judged_again

    throws: list[Rolled] = []
    players: list[str] = []
    with open_journal(options) as journal:
        named = number(options)
        for row in journal.games() if named is None else [chosen(journal, named)]:
            if row.notes:
                continue
            try:
                session = judged_again(games.load(row.book), journal.entries(row.game), watching("entries"))
            except (Diverged, UnknownGame) as fault:
                warn(options, f"game {row.game} is left out, because it cannot be judged again: {fault}")
                continue
            throws += session.throws()
            players = luck_of(session) if named is not None else []
    told = sentences(throws)
    dice = [
        {"name": each.name, "counts": each.evidence.counts, "evidence": each.evidence.highest}
        for each in dice_of(throws)
    ]
    show(options, {"sentences": told, "players": players, "dice": dice}, [*told, *players])


def _known(options: Namespace) -> KnownDice:
    _, journal, _ = places(Options(fallback=journal_path(), journal=named_journal(options), config=options.config))
    return beside(journal)


def _by_bluetooth(options: Namespace) -> KnownDie:
    die = _known(options).named(options.name)
    if die.kind == "serial":
        raise BadSetting(f"{die.name} is on a cable: expected a die by Bluetooth")
    return die


def _radio() -> ModuleType:
    """Return what speaks Bluetooth. Raises StationError where it is not installed."""
    try:
        from referee.station.dice import radio
    except ImportError as error:
        raise lacking("dice by Bluetooth need", error, "dice") from error
    return radio


def _json(die: KnownDie) -> dict[str, Any]:
    return {"name": die.name, "kind": die.kind, "address": die.address, "seat": die.seat}


def _line(die: KnownDie) -> str:
    seat = f"seat {die.seat}" if die.seat else "no seat"
    return "  ".join(filter(None, (f"{die.name:8}", die.kind, die.address, seat)))
