"""Results of the commands as lines of text and as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from referee.drive import odds_json
from referee.files.plain import counted
from referee.journal import Recorded
from referee.journal.export import plain_words
from referee.rulebook import Book, Cell, over_one, whole, written
from referee.session import Entry, LogLine
from referee.session.board import labelled

if TYPE_CHECKING:
    from referee.journal.check import Proof, Verdict
    from referee.station.evenings import Evening, Player


SIGNS: Final = {"ruling": "=> ", "reminder": "! ", "over": "## "}


def shelf(books: Sequence[Book]) -> Iterator[str]:
    """Yield the shelf: each game with its rulings and switches."""
    for book in books:
        yield f"{book.id}  {book.title}, edition {book.edition}"
        parts = ([book.covers] if book.play else []) + [f"--ruling {name}" for name in book.rulings]
        yield f"    referees  {', '.join(parts)}"
        for switch in book.switches:
            values = " | ".join(switch.says(value) for value in switch.values)
            default = switch.says(switch.values[0])
            yield f"    --set {switch.name}={values}  {switch.text} ({switch.rule}; default {default})"


def book_json(book: Book) -> dict[str, Any]:
    """Return a game of the shelf as a JSON value."""
    return {
        "id": book.id,
        "title": book.title,
        "edition": book.edition,
        "play": book.play is not None,
        "covers": book.covers if book.play else "",
        "rulings": list(book.rulings),
        "switches": [
            {"name": s.name, "text": s.text, "values": list(s.values), "default": s.values[0], "rule": s.rule}
            for s in book.switches
        ],
        "tables": list(book.tables),
    }


def proofs_json(proved: Sequence[Proof], noted: Sequence[str]) -> dict[str, Any]:
    """Return what is proved as a JSON value."""
    games = [{"game": each.game.game, "entries": each.game.entries, "head": each.game.head} for each in proved]
    return {"games": games, "noted": list(noted)}


def tables(book: Book) -> Iterator[str]:
    """Yield the printed tables of a game, a line a cell. Raises BrokenRulebook."""
    for name, rows in book.printed().items():
        yield f"{book.title}: {name.replace('-', ' ')}"
        titles = dict.fromkeys(whole(chance.text) for cell in rows for chance in cell.odds)
        shares = iter(over_one((chance for cell in rows for chance in cell.odds), 6))
        lines = [("row", "column", *titles, "printed"), *(_cell(cell, titles, shares) for cell in rows)]
        yield from _columns(lines, len(titles))


def tables_json(book: Book) -> dict[str, Any]:
    """Return every printed table of a game as a JSON value, in the words of `tables`. Raises BrokenRulebook."""
    return {name: list(_cells_json(cells)) for name, cells in book.printed().items()}


def _cells_json(cells: Sequence[Cell]) -> Iterator[dict[str, Any]]:
    shares = iter(over_one((chance for cell in cells for chance in cell.odds), 6))
    for cell in cells:
        odds = odds_json(cell.odds)
        for outcome, share in zip(odds, shares, strict=False):
            outcome |= {"text": whole(outcome["text"]), "chance": share or outcome["chance"]}
        yield {"row": cell.row, "column": cell.column, "odds": odds, "note": cell.note}


def evenings(games: Iterable[Evening], players: Iterable[Player]) -> Iterator[str]:
    """Yield the games of a box, and its players, a line each."""
    for each in games:
        who = f": {', '.join(each.players.values())}" if each.players else ""
        yield f"{each.game:>4}  {local(each.began, '%Y-%m-%d %H:%M'):<16}  {each.book}{who}; {each.end}"
    for player in players:
        yield f"{player.name}: {'; '.join(filter(None, (player.wins, player.luck)))}"


def recorded(rows: Sequence[Recorded]) -> Iterator[str]:
    """Yield the games of a journal, a line each."""
    for row in rows:
        state = "notes" if row.notes else "over" if row.over else "open" if row.open else "left"
        what = f"{row.book} {row.ruling}" if row.ruling else row.book
        began = local(row.began, "%Y-%m-%d %H:%M")
        yield f"{row.game:>4}  {began:<16}  {what}, edition {row.edition}: {_entries(row.entries)}, {state}"


def recorded_json(row: Recorded) -> dict[str, Any]:
    """Return a game of a journal as a JSON value."""
    return {name: getattr(row, name) for name in row.__dataclass_fields__}


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return an entry of a game that cannot be judged again as a JSON value, named as a line of the log is."""
    names = ("seq", "seat", "kind", "mode", "source", "at", "wall", "by")
    return {name: getattr(entry, name) for name in names} | {"text": plain_words(entry)}


def log(
    row: Recorded, called: Mapping[str, str], players: Mapping[str, str], lines: Sequence[LogLine]
) -> Iterator[str]:
    """Yield what was answered in a game, what followed, and why; "x" marks what was taken back.

    ``called``: what people call each seat; ``players``: who plays.
    """
    seats = labelled(called, players)
    width = max([len(name) for name in seats.values()], default=5)
    yield f"Game {row.game}, {local(row.began, '%Y-%m-%d %H:%M') or 'date unknown'}"
    for line in lines:
        mark = "x" if line.undone else " "
        margin = f"{mark:{19 + width}}"
        if line.kind in SIGNS:
            rules = f"  ({', '.join(line.rules)})" if any(line.rules) else ""
            yield margin + SIGNS[line.kind] + whole(line.text) + rules
            yield from (f"{margin}   {why}" for why in filter(None, map(written, line.why)))
        else:
            by = seats.get(line.by, line.by) if line.by != line.seat else ""
            source = ", ".join(filter(None, (line.dice or line.source, by)))
            seat, time = seats.get(line.seat, line.seat), local(line.wall, "%H:%M:%S")
            said = line.after(called.get(line.seat, "")) + (f"  [{source}]" if source else "")
            yield f"{mark} {line.seq:>5} {time:8}  {seat:{width}}  {said}"


def noted(head: str, game: int, seq: int) -> str:
    """Return what a hash noted elsewhere proves."""
    return f"{head} is entry {seq} of game {game}: the game up to there is as it was when the hash was noted"


def proofs(proved: Sequence[Proof], noted: Sequence[str]) -> Iterator[str]:
    """Yield what is proved of each game and of all, and what is not."""
    for proof in proved:
        yield f"game {proof.game.game}: {_entries(proof.game.entries)} verified, head {proof.game.head}"
    yield from noted
    yield f"{counted(len(proved), 'game')} verified: no entry was changed, inserted, or removed from the middle."
    yield "This does not show whether the end of a game was cut off, or a game was rewritten: compare its head with"
    yield "one noted elsewhere (--head), or with the copy at the hall."


def verdict(result: Verdict) -> str:
    """Return what came of judging a game again, in one line."""
    row = result.game
    what = f"game {row.game}, {row.book}, edition {row.edition}"
    if result.outcome == "same":
        return f"{what}: {_entries(row.entries)} judged the same by edition {result.today}"
    return f"{what}: {result.outcome}: {result.text}"


def verdict_json(result: Verdict) -> dict[str, Any]:
    """Return what came of judging a game again as a JSON value."""
    row = result.game
    names = {"game": row.game, "book": row.book, "edition": row.edition, "entries": row.entries}
    return names | {"outcome": result.outcome, "today": result.today, "text": result.text}


def _cell(cell: Cell, titles: Iterable[str], shares: Iterator[str]) -> tuple[str, ...]:
    """Return a line of a table, in per cent after the next ``shares``: chances over the denominator of the table."""
    shown = {whole(each.text): f"{next(shares)}  {each.percent:>7}".strip() for each in cell.odds}
    return (cell.row, cell.column, *(shown.get(title, "-") for title in titles), cell.note)


def _columns(rows: list[tuple[str, ...]], numbers: int) -> Iterator[str]:
    """Yield a table, the ``numbers`` columns after the first two set to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            text.rjust(width) if 2 <= i < 2 + numbers else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def local(wall: float, form: str) -> str:
    """Return a time here; nothing for none, and for one that no calendar has."""
    try:
        return datetime.fromtimestamp(wall, UTC).astimezone().strftime(form) if wall else ""
    except (OverflowError, ValueError, OSError):
        return ""


def _entries(number: int) -> str:
    return counted(number, "entry", "entries")
