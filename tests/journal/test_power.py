"""Nothing accepted is ever lost: the power cut, and the disk failing, at every operation a journal asks of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalError
from referee.journal import Journal
from referee.journal.database import Database
from referee.journal.proof import prove
from referee.session import Session, resume
from tests.journal import cuts
from tests.journal.disk import FAILS, FULL, Disk, Op, Refuse
from tests.journal.power import TAILS, Medium, write
from tests.journal.reference import BOOKS, Reference, lasting

CUTS = 2500


@pytest.mark.long
def test_no_cut_loses_doubles_or_stops_anything() -> None:
    tally = cuts.run(CUTS)
    assert tally.faults == []
    assert (tally.lost, tally.doubled, tally.strange, tally.failed) == (0, 0, 0, 0)
    assert tally.cuts == CUTS
    assert set(tally.tails) == set(TAILS)
    assert set(tally.games) == set(BOOKS)


@pytest.mark.long
def test_a_journal_that_does_not_wait_for_the_disk_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = Database._prepare

    def hasty(self: Database, db: object) -> None:
        prepare(self, db)  # type: ignore[arg-type]
        db.execute("PRAGMA synchronous = NORMAL")  # type: ignore[attr-defined]

    with monkeypatch.context() as patch:
        patch.setattr(Database, "_prepare", hasty)
        trace = cuts.record(lasting(BOOKS["skirmish"](), 12), memory, 1000, twice=False)
    tally, chance = cuts.Tally(), random.Random(1)
    again = memory / "again"
    again.mkdir()
    for k, _, files in cuts.points(trace, chance):
        cuts.cut(trace, k, files, again, tally, chance)
    assert tally.lost > 50


def failing(first: int, count: int, code: Callable[[Op], int]) -> Refuse:
    """Return a disk's refusal of some operations in a row."""
    return lambda n, op: code(op) if first <= n < first + count and op.kind in FAILS else 0


MODES: dict[str, tuple[int, Callable[[Op], int]]] = {
    "fails once": (1, lambda op: FAILS[op.kind]),
    "fails a while": (4, lambda op: FAILS[op.kind]),
    "fails half way": (1, lambda op: -FAILS[op.kind]),
    "is full": (3, lambda op: FULL if op.kind == "write" else 0),
}


class Player:
    """Plays a reference game on a disk that fails, trying everything again until it is taken."""

    def __init__(self, reference: Reference, disk: Disk) -> None:
        self.reference = reference
        self.disk = disk
        self.faults: list[str] = []
        self.sure = 0

    def play(self, at_fault: Callable[[], None]) -> Session:
        journal: Journal = self._tried(lambda: Journal(self.disk.folder / cuts.NAME), at_fault)
        with journal:
            session: Session = self._tried(
                lambda: Session(self.reference.book, journal=journal, source="reference"), at_fault
            )
            self.sure = session.n
            for move in self.reference.moves:
                before = session.n, session.prompt, session.entries, session.state()

                def same(before: tuple[object, ...] = before) -> None:
                    assert (session.n, session.prompt, session.entries, session.state()) == before
                    at_fault()

                self._tried(lambda move=move: move(session), same)  # type: ignore[misc]
                self.sure = session.n
            assert tuple(journal.entries(1)) == session.entries
        return session

    def _tried(self, what: Callable[[], Any], at_fault: Callable[[], None]) -> Any:
        for _ in range(12):
            try:
                return what()
            except JournalError as fault:
                self.faults.append(str(fault))
                at_fault()
        raise AssertionError(f"it never came right: {self.faults}")


@pytest.fixture(scope="module")
def reference() -> Reference:
    return lasting(BOOKS["skirmish"](), 10)


@pytest.mark.parametrize("mode", MODES)
def test_an_operation_that_fails_is_told_and_loses_nothing(memory: Path, reference: Reference, mode: str) -> None:
    """Each operation in turn. At every fault the power is cut, too: only what was acknowledged may be there."""
    count, code = MODES[mode]
    chance = random.Random(3)
    k, faults = 0, 0
    while True:
        folder = memory / str(k)
        folder.mkdir()
        with Disk(folder) as disk:
            disk.refuse = failing(k, count, code)
            player = Player(reference, disk)
            cuts_at: list[tuple[int, int]] = []
            session = player.play(lambda: cuts_at.append((len(disk.ops), player.sure)))  # noqa: B023
            asked = disk.calls
        assert session.entries == reference.session.entries
        for text in player.faults:
            assert cuts.NAME in text
            assert "\n" not in text
        for ops, sure in cuts_at:
            medium = Medium(chance)
            for op in disk.ops[:ops]:
                medium.do(op)
            _restart(reference, medium.after_cut(chance.choice(TAILS)), sure, memory / "again", strict=count == 1)
        faults += len(player.faults)
        k += 1
        if k >= asked:
            break
    assert faults > k / 3


def _restart(reference: Reference, files: dict[str, bytes], sure: int, folder: Path, *, strict: bool) -> None:
    folder.mkdir(exist_ok=True)
    write(folder, files)
    with Journal(folder / cuts.NAME) as journal:
        games = journal.games()
        if not sure and not games:
            return
        session = resume(reference.book, journal, 1)
        prove(journal, games[0])
    # While the disk goes on failing nothing can be taken out of the log: at most the stroke under way may count then.
    after = [n for n in reference.prompts if n > sure][:1]
    assert session.n in ([sure] if strict else [sure, *after])
    assert session.entries == reference.session.entries[: session.n]
    assert session.prompt == reference.prompts[session.n]


def test_disk_that_stays_broken_stops_the_game_where_the_glass_shows_it(memory: Path, reference: Reference) -> None:
    with Disk(memory) as disk, Journal(memory / cuts.NAME) as journal:
        session = Session(reference.book, journal=journal, source="reference")
        for move in reference.moves[:4]:
            move(session)
        before = session.n, session.prompt, session.entries
        disk.refuse = lambda n, op: FAILS.get(op.kind, 0)
        for _ in range(20):
            with pytest.raises(JournalError, match=r"journal\.db: disk I/O error"):
                reference.moves[4](session)
            assert (session.n, session.prompt, session.entries) == before
        disk.refuse = None
        for move in reference.moves[4:]:
            move(session)
    with Journal(memory / cuts.NAME) as journal:
        assert resume(reference.book, journal, 1).entries == reference.session.entries
