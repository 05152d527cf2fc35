"""Reference games: a book answered from a seed, as moves that can be made again; the reader of exports in the docs.

``python -m tests.journal.reference BOOK...`` writes a game of today's edition into ``editions``. It is only for a new
edition: a rulebook that judges a kept game otherwise needs one.
"""

from __future__ import annotations

import random
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from referee import games
from referee.errors import Refused
from referee.journal import Journal
from referee.journal.export import export
from referee.rulebook import Book, OneOf, Range
from referee.session import Prompt, Session, Submission
from tests.session.skirmish import BOOK as SKIRMISH

BOOKS: dict[str, Callable[[], Book]] = {"skirmish": lambda: SKIRMISH} | {
    name: (lambda name=name: games.load(name)) for name in games.SHELF
}


class Move(NamedTuple):
    """One thing people did: a method of a session with what was passed to it."""

    name: str
    arguments: tuple[Any, ...] = ()

    def __call__(self, session: Session) -> None:
        """Do it again. Raises as that method does."""
        if self.name in ("answer", "bundle"):
            getattr(session, self.name)(Submission(self.arguments[0], source="reference"))
        else:
            getattr(session, self.name)(*self.arguments, source="reference")


class Reference(NamedTuple):
    """A game from its first question on.

    ``moves``    what was done
    ``prompts``  the question that stood at each number reached; None: the game was over
    ``session``  the session at its end
    """

    book: Book
    moves: list[Move]
    prompts: dict[int, Prompt | None]
    session: Session


def put_away(journal: Journal, throw: tuple[int, int] = (1, 2)) -> None:
    """Play a skirmish of a bundle, this throw, a pass and a shot that is begun, and leave it."""
    session = Session(SKIRMISH, journal=journal, wall=lambda: 1_700_000_000.25)
    session.bundle("both-near")
    session.answer(list(throw))
    session.answer("pass")
    session.answer("shoot")
    session.leave()


def game(book: Book, strokes: int, seed: int) -> Reference:
    """Play so many strokes, or to the end."""
    chance = random.Random(seed)
    session = Session(book, source="reference")
    prompts: dict[int, Prompt | None] = {session.n: session.prompt}
    moves: list[Move] = []
    while len(moves) < strokes and session.prompt is not None:
        move = some(session, session.prompt, chance)
        try:
            move(session)
        except Refused:
            continue
        moves.append(move)
        prompts[session.n] = session.prompt
    return Reference(book, moves, prompts, session)


def some(session: Session, prompt: Prompt, chance: random.Random) -> Move:
    """Return something that people do at this question; it may be refused."""
    roll = chance.random()
    if session.paused:
        return Move("unpause")
    if roll < 0.02:
        return Move("pause")
    if roll < 0.09 and session.undoable:
        return Move("undo", (chance.randint(1, min(3, session.undoable)),))
    if roll < 0.13 and session.game.correctable:
        path = chance.choice(sorted(session.game.correctable))
        limits = session.game.correctable[path]
        if isinstance(limits, Range):
            return Move("correct", (path, chance.randint(limits.low, limits.high)))
        assert isinstance(limits, OneOf)
        return Move("correct", (path, chance.choice(limits.values)))
    if roll < 0.4 and prompt.bundles:
        return Move("bundle", (chance.choice(prompt.bundles).id,))
    return Move("answer", (answer(prompt, chance),))


def answer(prompt: Prompt, chance: random.Random) -> Any:
    """Return some answer to a question; it may be refused."""
    ids = [option.id for option in prompt.options]
    if prompt.kind == "choose":
        if prompt.back and (not ids or chance.random() < 0.05):
            return "back"
        return prompt.passing if prompt.passing in ids and chance.random() < 0.3 else chance.choice(ids)
    if prompt.kind == "pick":
        return chance.sample(ids, chance.randint(prompt.low, min(prompt.high, len(ids))))
    if prompt.kind == "count":
        return chance.randint(prompt.low, min(prompt.high, prompt.low + 9))
    return list(prompt.stands or [chance.randint(1, 6) for _ in range(prompt.dice)])


def lasting(book: Book, strokes: int) -> Reference:
    """Return the game of the first seed that lasts so many strokes."""
    for seed in range(500):
        reference = game(book, strokes, seed)
        if len(reference.moves) == strokes:
            return reference
    raise RuntimeError(f"no game of {book.id} lasts {strokes} strokes")


def tampered(path: Path, *statements: str) -> None:
    """Change a journal behind its triggers, which are put back."""
    db = sqlite3.connect(path)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    for statement in (*statements, *(sql for _, sql in triggers)):
        db.execute(statement)
    db.commit()
    db.close()


def _shown() -> Callable[[Iterable[str]], str]:
    (code,) = re.findall(r"^```python\n(.*?)^```", DESCRIPTION, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(code, names)
    check: Callable[[Iterable[str]], str] = names["check"]
    return check


DESCRIPTION = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")
check = _shown()
"""Return the head of an export, by the reader of docs/journal.md. Raises ValueError for one that does not hold."""

EDITIONS = Path(__file__).with_name("editions")


def keep(name: str) -> None:
    """Write a game of a book's edition of today into `EDITIONS`."""
    reference = lasting(games.load(name), 60)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        session = Session(reference.book, journal=journal, source="reference")
        for move in reference.moves:
            move(session)
        text = "".join(f"{line}\n" for line in export(journal, 1))
    (EDITIONS / f"{name}-{reference.book.edition}.jsonl").write_text(text, encoding="ascii")


if __name__ == "__main__":
    for book in sys.argv[1:]:
        keep(book)
