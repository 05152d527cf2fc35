"""Commands about dice that tell themselves: list, assign and forget them.

And of all dice, whether they were fair.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from referee.cli.output import show, warn
from referee.cli.places import chosen, journal_path, named_journal, number, open_journal
from referee.cli.progress import watching
from referee.errors import Diverged, UnknownGame
from referee.session import Rolled
from referee.station.dice.known import KnownDice, KnownDie, beside
from referee.station.main import Options, places


def listed(options: Namespace) -> None:
    """List the dice this box knows."""
    dice = _known(options).listed()
    lines = [_line(die) for die in dice] or ["No dice are known"]
    show(options, [_json(die) for die in dice], lines)


def assign(options: Namespace) -> None:
    """Give a die to a seat. Raises BadSetting."""
    die = _known(options).assign(options.name, options.seat)
    show(options, _json(die), [_line(die)])


def forget(options: Namespace) -> None:
    """Forget a die. Raises BadSetting."""
    _known(options).forget(options.name)
    show(options, {"forgotten": options.name}, [f"{options.name} is forgotten"])


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


def _json(die: KnownDie) -> dict[str, Any]:
    return {"name": die.name, "kind": die.kind, "address": die.address, "seat": die.seat}


def _line(die: KnownDie) -> str:
    seat = f"seat {die.seat}" if die.seat else "no seat"
    return "  ".join(filter(None, (f"{die.name:8}", die.kind, die.address, seat)))
