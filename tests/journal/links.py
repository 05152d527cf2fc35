"""A journal whose games are linked, and what somebody who has the file in his hands does to it."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

from referee.cli import main
from referee.journal import Journal, seal
from referee.journal.chain import canonical, digest
from referee.journal.proof import verify
from referee.session import Session
from tests.journal import old
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK

TABLES = ("extras", "links", "seals", "entries", "games")


def linked(path: Path, others: int = 2) -> Path:
    """Make a journal; its first game is taken up again after the second, so that it has two stretches.

    ``others``: games that follow.
    """
    with Journal(path) as journal:
        first = Session(BOOK, journal=journal)
        first.bundle("both-near")
        first.answer([1, 2])
        Session(BOOK, journal=journal).leave()
        first.answer("pass")
        first.leave()
        for _ in range(others):
            Session(BOOK, journal=journal).leave()
    return path


def without(path: Path, where: str) -> None:
    """Take rows out of every table."""
    tampered(
        path, *(f"DELETE FROM {table} WHERE {where}" for table in TABLES if "seq" not in where or table != "games")
    )


def proved(path: Path, *options: str) -> int:
    return main(["verify", "--journal", str(path), *options])


def heads(path: Path) -> list[str]:
    with Journal(path, write=False) as journal:
        return [game.head for game in journal.games()]


def anew(
    path: Path, game: int, *, linked: bool, signer: seal.Signer | None, follows: dict[str, object] | None = None
) -> None:
    """Write a game anew at another time, with or without its link and seals, or with its link changed."""
    with Journal(path, write=False) as journal:
        walked = verify(journal)[game - 1].links
        entries = journal.entries(game)
    links, prev = (dict(walked) if linked else {}), ""
    statements = [f"DELETE FROM seals WHERE game = {game}"]
    if follows:
        links[0] = {**links[0], **follows}
        statements.append(f"UPDATE links SET follows = '{canonical(links[0])}' WHERE game = {game} AND seq = 0")
    if not linked:
        statements.append(f"DELETE FROM links WHERE game = {game}")
    for entry in entries:
        new = replace(entry, wall=7.0)
        head = digest(game, new, prev, links.get(entry.seq))
        where = f"WHERE game = {game} AND seq = {entry.seq}"
        statements.append(f"UPDATE entries SET wall = 7.0, prev = '{prev}', hash = '{head}' {where}")
        if signer is not None and entry.seq in (0, len(entries) - 1):
            mark = signer.seal(game, entry.seq, head)
            statements.append(f"INSERT INTO seals VALUES ({game}, {mark.seq}, '{mark.key}', '{mark.signature}')")
        prev = head
    tampered(path, *statements, f"UPDATE games SET began = 7.0 WHERE game = {game}")


def written_as_before(path: Path, version: int) -> list[str]:
    """Write the whole journal anew as an unsealed one of an earlier version; return the games' heads."""
    with Journal(path, write=False) as journal:
        chains = {game.game: journal.entries(game.game) for game in journal.games()}
    path.unlink()
    files, last = [], []
    for game, entries in chains.items():
        prev, lines = "", [canonical({"game": game, "book": BOOK.id, "edition": BOOK.edition, "ruling": None})]
        for entry in entries:
            forged = replace(entry, wall=7.0, extra={})
            head = digest(game, forged, prev)
            named = {"type": "entry", "game": game, "prev": prev, "hash": head}
            lines.append(canonical(forged.as_json() | named))
            prev = head
        last.append(prev)
        files.append(path.with_name(f"{game}.jsonl"))
        files[-1].write_text("\n".join(lines), encoding="ascii")
    old.write(path, files, version)
    return last


def iter_lines(lines: list[bytes]) -> BytesIO:
    return BytesIO(b"\n".join(lines))
