"""Whether dice were fair."""

from __future__ import annotations

from argparse import Namespace

from referee.cli.output import show, warn
from referee.cli.places import chosen, number, open_journal
from referee.cli.progress import watching
from referee.errors import Diverged, UnknownGame
from referee.session import Rolled


def dice(options: Namespace) -> None:
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
    tested = [
        {"name": each.name, "counts": each.evidence.counts, "evidence": each.evidence.highest}
        for each in dice_of(throws)
    ]
    show(options, {"sentences": told, "players": players, "dice": tested}, [*told, *players])
