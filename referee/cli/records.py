"""Commands that read the records: log, export, report, players, replay, import, verify, check, dice."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from referee import games
from referee.cli import text
from referee.cli.output import say, show, warn
from referee.cli.places import chosen, open_journal
from referee.errors import BadSetting, Diverged, JournalDamaged, Malformed, UnknownGame
from referee.files.plain import counted
from referee.files.players import beside
from referee.journal import Journal, Recorded
from referee.journal.check import Proof
from referee.journal.check import check as judge_all
from referee.journal.check import verify as prove
from referee.journal.export import Export, plain_log, read
from referee.journal.export import export as export_lines
from referee.journal.export import replay as judge
from referee.report import dice_of, sentences, tell
from referee.report import page as page_of
from referee.rulebook import whole
from referee.session import Entry, LogLine, Rolled, judged_again
from referee.session.chain import canonical


def log(options: Namespace) -> None:
    """Show a recorded game as people read it."""
    with open_journal(options) as journal:
        if options.list:
            if options.number is not None:
                raise BadSetting("--list lists all games: leave out the number, or --list")
            _each(options, map(text.recorded_json, journal.games()), text.recorded(journal.games()))
            return
        row = chosen(journal, options.number)
        entries = journal.entries(row.game)
        players = _players(options, journal, row.game)
        lines, called = (None, {}) if row.notes else _judged(options, row, entries)
        if lines is None:
            _each(options, map(text.entry_json, entries), plain_log(entries))
        else:
            _each(options, (line.as_json() for line in lines), text.log(row, called, players, lines))


def _judged(
    options: Namespace, row: Recorded, entries: Sequence[Entry]
) -> tuple[Sequence[LogLine] | None, Mapping[str, str]]:
    """Return the log of a game and what people call its seats; None, with a warning, if it cannot be judged again."""
    try:
        session = judged_again(games.load(row.book), entries)
    except (Diverged, JournalDamaged, UnknownGame) as fault:
        warn(options, f"shown as recorded, because it cannot be judged again: {fault}")
        return None, {}
    return session.log(), {seat: whole(name) for seat, name in session.seats().items()}


def _each(options: Namespace, values: Iterable[object], lines: Iterable[str]) -> None:
    """Print many results: one JSON object a line where that was asked for, else as lines."""
    if options.json:
        say(map(json.dumps, values))
    else:
        say(lines)


def export(options: Namespace) -> None:
    """Write a recorded game as JSON Lines."""
    with open_journal(options) as journal:
        row = chosen(journal, options.number)
        players = _players(options, journal, row.game)
        lines = [*export_lines(journal, row.game, players)]
    if (count := json.loads(lines[0])["entries"]) < row.entries:
        warn(options, f"{row.entries - count} entries are left out: they hold answers that are still secret")
    say(lines)


def report(options: Namespace) -> None:
    """Write a recorded game as a page: into a file here where a person looks on, else to stdout."""
    from referee.station.picture import picture_of

    with open_journal(options) as journal:
        row = chosen(journal, options.number)
        if row.notes:
            raise BadSetting(f"game {row.game} is a chain of notes: expected a game")
        players = _players(options, journal, row.game)
        story = tell(games.load(row.book), journal.entries(row.game), row.head, players)
        shown = page_of(story, picture_of).rstrip("\n")
    if sys.stdout.isatty() and not options.json:
        file = Path(f"{row.book}-{row.game}.html")
        file.write_text(f"{shown}\n", encoding="utf-8")
        say([f"The report is in {file.absolute()}"])
        return
    show(options, {"game": row.game, "page": shown}, shown.split("\n"))


def evenings(options: Namespace) -> None:
    """List the games of this box, and its players."""
    from referee.station.evenings import evenings as all_evenings

    with open_journal(options) as journal:
        games, players = all_evenings(journal)
    value = {"games": [each._asdict() for each in games], "players": [each._asdict() for each in players]}
    show(options, value, [*text.evenings(games, players)] or ["No whole game yet"])


def players(options: Namespace) -> None:
    """List the names of players, or erase them."""
    with open_journal(options) as journal:
        names = beside(journal.path)
    if options.forget is None:
        used = names.used()
        show(options, used, used or ["No player has a name yet"])
        return
    erased = names.forget(None if options.forget == "all" else options.forget)
    if not erased:
        raise BadSetting(f"--forget {options.forget!r}: no player is called that; `referee players` lists the names")
    show(options, {"erased": erased}, [f"erased from {counted(erased, 'seat')}"])


def _players(options: Namespace, journal: Journal, game: int) -> Mapping[str, str]:
    """Return who plays, by seat; nobody where no names are wanted."""
    return {} if options.anonymous else beside(journal.path).names(game)


def replay(options: Namespace) -> None:
    """Judge an exported game again."""
    exported = read(sys.stdin.buffer) if options.file == "-" else _exported(Path(options.file))
    session = judge(exported, games.load)
    over = session.over.text if session.over else None
    value = {"book": exported.book, "entries": len(exported.entries), "outcome": "same", "over": over}
    entries = counted(len(exported.entries), "entry", "entries")
    end = f"; over: {over}" if over else ""
    show(options, value, [f"{exported.book}: {entries} judged again, with the same results{end}"])


def take(options: Namespace) -> None:
    """Add an exported game to the journal. Raises JournalBusy while a station has that open; nothing is added."""
    exported = read(sys.stdin.buffer) if options.file == "-" else _exported(Path(options.file))
    judge(exported, games.load)
    with open_journal(options, write=True) as journal:
        game = journal.adopt(exported.entries)
    show(options, {"game": game}, [f"added as game {game}: {games.load(exported.book).title}"])


def _exported(path: Path) -> Export:
    """Read an exported game. Raises BadSetting, Malformed, JournalDamaged or OSError."""
    if path.is_dir():
        raise BadSetting(f"{path} is a folder: expected an exported game")
    try:
        with path.open("rb") as stream:
            return read(stream)
    except Malformed as fault:
        raise Malformed(f"{path}: {fault.text}; expected what `referee export` writes", fault.code) from fault


def verify(options: Namespace) -> None:
    """Prove a journal: its file and its chains."""
    with open_journal(options) as journal:
        for head in options.head:
            _hash(head)
        proofs = prove(journal)
        path = journal.path
    noted = [text.noted(head, *_entry_of(path, proofs, head)) for head in options.head]
    show(options, text.proofs_json(proofs, noted), text.proofs(proofs, noted))


def check(options: Namespace) -> None:
    """Judge every recorded game again. Raises Diverged if one comes out otherwise."""
    verdicts = []
    with open_journal(options) as journal:
        for verdict in judge_all(journal, games.load):
            verdicts.append(verdict)
            if not options.json:
                say([text.verdict(verdict)])
    bad = [verdict for verdict in verdicts if verdict.outcome != "same"]
    every = counted(len(verdicts), "game")
    summary = [] if bad else [f"{every} judged again, with the same results"]
    show(options, [text.verdict_json(verdict) for verdict in verdicts], summary)
    if bad:
        readable = sum(verdict.outcome != "damaged" for verdict in bad)
        still = f"; `log` and `export` can still read {'it' if readable == 1 else 'them'}" if readable else ""
        damaged = f", {len(bad) - readable} of them damaged" if readable < len(bad) else ""
        raise Diverged(f"{len(bad)} of {every} cannot be resumed{damaged}{still}")


def _entry_of(path: Path, proofs: list[Proof], head: str) -> tuple[int, int]:
    """Return game and entry that have a hash, or one beginning so. Raises JournalDamaged."""
    for proof in proofs:
        for seq, each in enumerate(proof.hashes):
            if each.startswith(head.lower()):
                return proof.game.game, seq
    raise JournalDamaged(
        f"{path}: no entry has the hash {canonical(head)}: the entries up to it were cut off or rewritten"
    )


def _hash(text: str) -> None:
    """Check that a hash from the command line can be one. Raises BadSetting."""
    if not 8 <= len(text) <= 64 or any(digit not in "0123456789abcdef" for digit in text.lower()):
        raise BadSetting(f"--head: expected 8 to 64 hex digits of an entry's hash; got {text!r}")


def dice(options: Namespace) -> None:
    """Say whether the dice of the journal, or of one game, were fair. Raises BadSetting or JournalError."""
    throws: list[Rolled] = []
    with open_journal(options) as journal:
        number: int | None = options.number
        for row in journal.games() if number is None else [chosen(journal, number)]:
            if row.notes:
                continue
            try:
                session = judged_again(games.load(row.book), journal.entries(row.game))
            except (Diverged, UnknownGame) as fault:
                warn(options, f"game {row.game} is left out, because it cannot be judged again: {fault}")
                continue
            throws += session.throws()
    told = sentences(throws)
    tested = [
        {"name": each.name, "counts": each.evidence.counts, "evidence": each.evidence.highest}
        for each in dice_of(throws)
    ]
    show(options, {"sentences": told, "dice": tested}, told)
