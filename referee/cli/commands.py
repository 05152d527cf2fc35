"""The commands. Each imports what it needs when it is run; what it cannot do it raises."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import BadSetting, Diverged, JournalDamaged, JournalError, Unfit, UnknownGame

if TYPE_CHECKING:
    from referee.journal import Journal, Recorded
    from referee.rulebook import Book


def play(options: Namespace) -> None:
    """Run the simulated box."""
    from referee.station import main as station

    station.play(_station_options(options))


def run(options: Namespace) -> None:
    """Run the real box."""
    from referee.station import main as station

    station.run(_station_options(options))


def doctor(options: Namespace) -> None:
    """Examine the machine and the box. Raises Unfit if something does not work."""
    from referee.cli import text
    from referee.cli.options import journal_path
    from referee.doctor import count, examine
    from referee.station.main import Options, places

    pins, journal, board = places(Options(fallback=journal_path(), journal=_named(options), config=options.config))
    findings = []
    for finding in examine(pins, journal, board, simulated=options.simulated, asking=not options.no_ask):
        findings.append(finding)
        if not options.json:
            _say(text.finding(finding))
            sys.stdout.flush()
    failed = count(findings, "fail")
    if options.json:
        _say(
            [json.dumps({"fit": not failed, "findings": [found.as_json() for found in findings]}, ensure_ascii=False)]
        )
    elif not failed:
        _say([f"The box is fit to play; could be better: {count(findings, 'warn')}"])
    sys.stdout.flush()
    if failed:
        raise Unfit(f"{failed} of {len(findings)} checks failed")


def panel(options: Namespace) -> None:
    """List the browsers that were let in to the panel, or take their passes back."""
    from referee.cli.options import journal_path
    from referee.station.main import Options, passes

    kept = passes(Options(fallback=journal_path(), journal=_named(options), config=options.config))
    if options.revoke is None:
        listed = [f"{each.id}  {each.role:7}  {each.who}" for each in kept.listed()]
        _say(listed or ["No browser of the network was let in"])
        return
    gone = kept.revoke(None if options.revoke == "all" else options.revoke)
    if not gone and options.revoke != "all":
        raise BadSetting(f"no browser {options.revoke} was let in; `referee panel` lists them")
    _say(f"{each.id}  {each.role:7}  {each.who}  taken back" for each in gone)


def drive(options: Namespace) -> None:
    """Serve the drive protocol on stdin and stdout."""
    import time

    from referee.drive import drive as serve
    from referee.games import load
    from referee.session import Session

    book = load(options.book)
    settings = dict(options.settings)
    for name in settings:
        if sum(name == each for each, _ in options.settings) > 1:
            raise BadSetting(f"--set {name} is given twice: expected one value for a switch")
    if options.resume and (settings or options.ruling):
        raise BadSetting("--resume takes a game as it was begun; leave out --set and --ruling")
    if options.resume and options.journal and not options.journal.is_file():
        raise JournalError(f"{options.journal}: there is no journal, so no game to take up")
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(_open(options.journal, write=True)) if options.journal else None
        if options.resume:
            session = _resumed(book, journal)
        else:
            mark: dict[str, Any] = {"source": "drive", "at": time.monotonic(), "wall": time.time}
            session = Session(book, settings, options.ruling, journal=journal, **mark)
        serve(session, sys.stdin.buffer, sys.stdout.buffer)


def games(options: Namespace) -> None:
    """Show the shelf."""
    from referee.cli import text
    from referee.games import books

    shelf = books()
    _say(
        [json.dumps([text.book_json(book) for book in shelf], ensure_ascii=False)]
        if options.json
        else text.shelf(shelf)
    )


def odds(options: Namespace) -> None:
    """Show the printed tables with their exact odds."""
    from referee.cli import text
    from referee.games import books, load

    chosen = (load(options.book),) if options.book else tuple(book for book in books() if book.tables)
    if options.json:
        _say([json.dumps({book.id: text.tables_json(book) for book in chosen}, ensure_ascii=False)])
        return
    if not any(book.tables for book in chosen):
        raise UnknownGame(f"{chosen[0].id} has no printed table" if chosen else "no game has a printed table")
    _say(line for book in chosen for line in text.tables(book))


def log(options: Namespace) -> None:
    """Show a recorded game as people read it."""
    from referee.cli import text
    from referee.games import load
    from referee.journal.export import plain_log
    from referee.session import judged_again

    with _open(_path(options), write=False) as journal:
        if options.list:
            rows = journal.games()
            _say([json.dumps(text.recorded_json(row)) for row in rows] if options.json else text.recorded(rows))
            return
        row = _chosen(journal, options.game)
        try:
            session = judged_again(load(row.book), journal.entries(row.game))
        except (Diverged, UnknownGame) as fault:
            _warn(f"shown as it was written, since it cannot be judged again: {fault}")
            _say(plain_log(journal.entries(row.game)))
            return
        if options.json:
            _say(json.dumps(line.as_json(), ensure_ascii=False) for line in session.log())
        else:
            _say(text.log(row, session.log(), session.seats()))


def export(options: Namespace) -> None:
    """Write a recorded game as JSON Lines."""
    from referee.journal.export import export as lines

    with _open(_path(options), write=False) as journal:
        row = _chosen(journal, options.game)
        made = [*lines(journal, row.game)]
        ours = journal.path
    if options.output is None:
        _say(made)
    else:
        _apart(options.output, ours)
        options.output.write_text("".join(f"{line}\n" for line in made), encoding="utf-8")


def _apart(output: Path, journal: Path) -> None:
    """Refuse to write over the journal or a file that belongs to it. Raises BadSetting."""
    from referee.journal.seal import PRIVATE, PUBLIC

    wanted = Path(os.path.realpath(output))  # the journal's path is resolved already
    ours = [journal.with_name(name) for name in (journal.name, f"{journal.name}-wal", PRIVATE, PUBLIC, "panel.json")]
    beside = wanted.parent == journal.parent and wanted.name.startswith(journal.name)
    linked = wanted.exists() and any(each.exists() and wanted.samefile(each) for each in ours)
    if beside or linked or wanted in ours:
        raise BadSetting(f"{output} belongs to the journal; expected another file for the export")


def replay(options: Namespace) -> None:
    """Judge an exported game again."""
    from referee.games import load
    from referee.journal.export import read
    from referee.journal.export import replay as judge

    if options.file == "-":
        exported = read(sys.stdin.buffer)
    else:
        with Path(options.file).open("rb") as stream:
            exported = read(stream)
    session = judge(exported, load)
    end = f"; over: {session.over.text}" if session.over else ""
    _say([f"{exported.book}: {len(exported.entries)} entries judged again, all the same{end}"])


def verify(options: Namespace) -> None:
    """Prove a journal: its file, its chains and its seals."""
    from referee.cli import text
    from referee.journal.chain import canonical
    from referee.journal.proof import verify as prove
    from referee.journal.seal import known

    with _open(_path(options), write=False) as journal:
        ours = known(journal.path.absolute().parent)
        proofs = prove(journal, options.key)
        if options.head is not None:
            _hash(options.head)
            marked = (record for proof in proofs for record in journal.records(proof.game.game))
            found = next((r for r in marked if str(r["hash"]).startswith(options.head.lower())), None)
            if found is None:
                raise JournalDamaged(f"{journal.path}: no entry has the hash {canonical(options.head)}")
            _say([f"{options.head} is entry {found['seq']} of game {found['game']}"])
    _say(text.proofs(proofs, options.key or ours))
    strange = [key for proof in proofs for key in proof.keys if ours and not options.key and key not in ours]
    if strange:
        raise JournalDamaged(
            f"{journal.path}: sealed with {strange[0]}, which is no key of this box;"
            " if it comes from another box, name that box's key with --key"
        )


def check(options: Namespace) -> None:
    """Judge every recorded game again. Raises Diverged if one comes out otherwise."""
    from referee.cli import text
    from referee.games import load
    from referee.journal.check import check as judge

    verdicts = []
    with _open(_path(options), write=False) as journal:
        for verdict in judge(journal, load):
            verdicts.append(verdict)
            _say([text.verdict(verdict)])
    bad = [verdict for verdict in verdicts if verdict.outcome != "same"]
    if bad:
        raise Diverged(f"{len(bad)} of {len(verdicts)} games cannot be taken up; `log` and `export` still read them")
    _say([f"{len(verdicts)} games are judged today as they were when they were played"])


def key(options: Namespace) -> None:
    """Show the public keys of the box, or make a new key."""
    from referee.journal.seal import fresh, known

    path = _path(options)
    folder = path.absolute().parent
    if options.new:
        with _open(path, write=True):  # so that no station seals with the old one meanwhile
            fresh(folder)
    keys = known(folder)
    if not keys:
        raise JournalError(f"{folder}: there is no key yet; the first game, or `referee key --new`, makes one")
    _say([*(f"{each}  retired" for each in keys[:-1]), keys[-1]])


def _station_options(options: Namespace) -> Any:
    from referee.cli.options import journal_path
    from referee.station.main import Options

    return Options(
        fallback=journal_path(),
        journal=_named(options),
        config=options.config,
        port=options.port,
        browser=False if options.no_browser else None,
        panel=False if options.no_panel else None,
        ready=_ready,
    )


def _named(options: Namespace) -> Path | None:
    """Return the journal that the command line or the environment names."""
    from referee.cli.options import journal_path

    return options.journal or (journal_path() if os.environ.get("REFEREE_JOURNAL") else None)


def _hash(text: str) -> None:
    """Check that a hash from the command line can be one. Raises BadSetting."""
    from referee.errors import BadSetting

    if not 8 <= len(text) <= 64 or any(digit not in "0123456789abcdef" for digit in text.lower()):
        raise BadSetting(f"--head: expected 8 to 64 hex digits of an entry's hash; got {text!r}")


def _ready(address: str | None) -> None:
    _say([f"The panel is at {address}" if address else "The box is running, without a panel"])
    sys.stdout.flush()


def _path(options: Namespace) -> Path:
    from referee.cli.options import journal_path

    return options.journal or journal_path()


def _open(path: Path, *, write: bool) -> Journal:
    from referee.journal import Journal

    return Journal(path, write=write)


def _chosen(journal: Journal, game: int | None) -> Recorded:
    if game is None:
        latest = journal.latest()
        if latest is None:
            raise JournalError(f"{journal.path} holds no game yet")
        return latest
    for row in journal.games():
        if row.game == game:
            return row
    raise JournalError(f"{journal.path} holds no game {game}; `referee log --list` lists them")


def _resumed(book: Book, journal: Journal | None) -> Any:
    import time

    from referee.session import resume

    row = journal.latest(book.id, only_open=True) if journal is not None else None
    if journal is None or row is None:
        raise JournalError(f"there is no open game of {book.id} to take up; name a journal that holds one")
    return resume(book, journal, row.game, wall=time.time)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)  # noqa: T201


def _warn(text: str) -> None:
    print(f"referee: {text}", file=sys.stderr)  # noqa: T201
