"""Commands that read the records: log, export, replay, verify, check, key."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee import games
from referee.cli import text
from referee.cli.output import page, progress, save, say, warn
from referee.cli.places import chosen, journal_path, number, open_journal
from referee.errors import BadSetting, Diverged, JournalDamaged, JournalError, UnknownGame
from referee.files.plain import counted
from referee.files.players import FILE, beside, labelled
from referee.journal import Journal
from referee.journal.chain import canonical
from referee.journal.check import check as judge_all
from referee.journal.export import export as export_lines
from referee.journal.export import plain_log, read
from referee.journal.export import replay as judge
from referee.journal.proof import Proof
from referee.journal.proof import verify as prove
from referee.journal.seal import PRIVATE, PUBLIC, fresh, known
from referee.report import page as page_of
from referee.report import tell
from referee.session import LogLine, judged_again


def log(options: Namespace) -> None:
    """Show a recorded game as people read it."""
    with open_journal(options) as journal:
        if options.list:
            rows = journal.games()
            say([json.dumps(text.recorded_json(row)) for row in rows] if options.json else text.recorded(rows))
            return
        row = chosen(journal, number(options))
        entries = journal.entries(row.game)
        if row.notes:
            page(plain_log(entries))
            return
        try:
            session = judged_again(games.load(row.book), entries)
        except (Diverged, JournalDamaged, UnknownGame) as fault:
            warn(f"shown as recorded, because it cannot be judged again: {fault}")
            page(plain_log(entries))
            return
        lines = _wanted(session.log(), options)
        if options.json:
            say(json.dumps(line.as_json(), ensure_ascii=False) for line in lines)
        else:
            page(text.log(row, lines, labelled(session.seats(), _players(options, journal, row.game))))


def _wanted(lines: Sequence[LogLine], options: Namespace) -> Sequence[LogLine]:
    """Return the lines of a log that were asked for."""
    rulings = [line for line in lines if line.kind == "ruling"]
    if options.last:
        return [line for line in rulings if not line.undone][-1:]
    return rulings if options.rulings else lines


def export(options: Namespace) -> None:
    """Write a recorded game as JSON Lines."""
    with open_journal(options) as journal:
        row = chosen(journal, number(options))
        lines = [*export_lines(journal, row.game, _players(options, journal, row.game))]
        path = journal.path
    _deliver(options.output, lines, path)


def report(options: Namespace) -> None:
    """Write a recorded game as a page."""
    with open_journal(options) as journal:
        row = chosen(journal, number(options))
        if row.notes:
            raise BadSetting(f"game {row.game} is a chain of notes: expected a game")
        players = _players(options, journal, row.game)
        story = tell(games.load(row.book), journal.entries(row.game), row.head, players)
        shown = page_of(story).rstrip("\n").split("\n")
        path = journal.path
    _deliver(options.output, shown, path)


def _deliver(output: Path | None, lines: list[str], journal: Path) -> None:
    """Show the lines, or save them. Raises BadSetting or OSError."""
    if output is None:
        say(lines)
    else:
        _apart(output, journal)
        save(output, lines)


def players(options: Namespace) -> None:
    """List the names of players, or erase them."""
    with open_journal(options) as journal:
        names = beside(journal.path)
    if options.forget is None:
        used = names.used()
        say([json.dumps(used, ensure_ascii=False)] if options.json else used or ["No player has a name yet"])
        return
    erased = names.forget(None if options.forget == "all" else options.forget)
    if not erased:
        raise BadSetting(f"--forget {options.forget}: no player is called that; `referee players` lists the names")
    say([f"erased from {erased} seat{'s' if erased > 1 else ''}"])


def _players(options: Namespace, journal: Journal, game: int) -> Mapping[str, str]:
    """Return who plays, by seat; nobody where no names are wanted."""
    return {} if options.anonymous else beside(journal.path).names(game)


def _apart(output: Path, journal: Path) -> None:
    """Refuse to write over the journal or a file that belongs to it. Raises BadSetting."""
    wanted = Path(os.path.realpath(output))  # the journal's path is resolved already
    ours = [
        journal.with_name(name) for name in (journal.name, f"{journal.name}-wal", PRIVATE, PUBLIC, "panel.json", FILE)
    ]
    beside = wanted.parent == journal.parent and wanted.name.startswith(journal.name)
    linked = wanted.exists() and any(each.exists() and wanted.samefile(each) for each in ours)
    if beside or linked or wanted in ours:
        raise BadSetting(f"{output} belongs to the journal; expected another file for what is written")


def replay(options: Namespace) -> None:
    """Judge an exported game again."""
    if options.file == "-":
        exported = read(sys.stdin.buffer)
    else:
        with Path(options.file).open("rb") as stream:
            exported = read(stream)
    session = judge(exported, games.load)
    if options.json:
        over = session.over.text if session.over else None
        say([json.dumps({"book": exported.book, "entries": len(exported.entries), "outcome": "same", "over": over})])
        return
    end = f"; over: {session.over.text}" if session.over else ""
    entries = counted(len(exported.entries), "entry", "entries")
    say([f"{exported.book}: {entries} judged again, with the same results{end}"])


def verify(options: Namespace) -> None:
    """Prove a journal: its file, its chains and its seals."""
    with open_journal(options) as journal:
        for head in options.head:
            _hash(head)
        keys = [options.key] if options.key else known(journal.path.absolute().parent)
        proofs = prove(journal, keys or None, lambda games: progress("games", games))
        path = journal.path
    if not keys and any(proof.seals for proof in proofs):
        raise JournalDamaged(
            f"{path}: its games are sealed, but {PUBLIC} is missing: put it back, or name the box's key with --key"
        )
    unsealed = next((proof.game.game for proof in proofs if not proof.seals), None)
    if options.key and unsealed is not None:
        raise JournalDamaged(f"{path}: game {unsealed}: is not sealed")
    noted = [text.noted(head, *_entry_of(path, proofs, head)) for head in options.head]
    if options.json:
        say([json.dumps(text.proofs_json(proofs, noted), ensure_ascii=False)])
    else:
        say(text.proofs(proofs, noted, key_named=bool(options.key), has_key=bool(keys)))


def check(options: Namespace) -> None:
    """Judge every recorded game again. Raises Diverged if one comes out otherwise."""
    verdicts = []
    with open_journal(options) as journal:
        for verdict in judge_all(journal, games.load, lambda rows: progress("games", rows)):
            verdicts.append(verdict)
            if not options.json:
                say([text.verdict(verdict)])
    if options.json:
        say([json.dumps([text.verdict_json(verdict) for verdict in verdicts], ensure_ascii=False)])
    bad = [verdict for verdict in verdicts if verdict.outcome != "same"]
    if bad:
        every = counted(len(verdicts), "game")
        raise Diverged(f"{len(bad)} of {every} cannot be resumed; `log` and `export` can still read them")
    if not options.json:
        say([f"{counted(len(verdicts), 'game')} judged again, with the same results"])


def key(options: Namespace) -> None:
    """Show the public keys of the box, or make a new key."""
    path = options.journal or journal_path()
    folder = path.absolute().parent
    if options.new:
        with open_journal(options, write=True):  # so that no station seals with the old one meanwhile
            fresh(folder)
    keys = known(folder)
    if not keys:
        raise JournalError(f"{folder}: there is no key yet; the first game or `referee key --new` creates one")
    say([json.dumps(keys)] if options.json else [*(f"{each}  retired" for each in keys[:-1]), keys[-1]])


def _entry_of(path: Path, proofs: list[Proof], head: str) -> tuple[int, int]:
    """Return game and entry that have a hash, or one beginning so. Raises JournalDamaged."""
    for proof in proofs:
        for seq, each in enumerate(proof.hashes):
            if each.startswith(head.lower()):
                return proof.game.game, seq
    raise JournalDamaged(
        f"{path}: no entry has the hash {canonical(head)}: what was noted with it was cut off, or written anew"
    )


def _hash(text: str) -> None:
    """Check that a hash from the command line can be one. Raises BadSetting."""
    if not 8 <= len(text) <= 64 or any(digit not in "0123456789abcdef" for digit in text.lower()):
        raise BadSetting(f"--head: expected 8 to 64 hex digits of an entry's hash; got {text!r}")
