"""Seat clocks beside a game in a journal: what a power cut gives back, what an undo does not, and who checks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.clock import NOBODY, Control, Customs, Keeper
from referee.errors import JournalError, Malformed, NotNow
from referee.journal import Journal
from referee.journal.check import check, verify
from referee.journal.export import export, read
from referee.journal.notes import Notes
from referee.rulebook import ANYBODY
from referee.session import Session, Submission, keeper_of, resume, waits_for
from tests.journal.reference import check as second_check
from tests.session.skirmish import BOOK

SECOND = 1000
HOUR = Control("sudden-death", 3600 * SECOND)
FISCHER = Control("fischer", 60 * SECOND, 10 * SECOND)


class Table:
    """A game of Skirmish with clocks, on virtual time; `cut` takes the power away and gives it back an hour later."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = Journal(path)
        self.now = 100.0
        self.session = Session(BOOK, journal=self.journal, at=self.now)
        self.keeper = self.take_up()

    def take_up(self) -> Keeper:
        assert self.session.game_id is not None
        self.notes = Notes(self.journal, self.session.game_id, wall=lambda: 1.7e9)
        return keeper_of(self.session, self.notes)

    def set(self, control: Control, **customs: Any) -> Table:
        self.keeper.set(control, Customs(**customs), tuple(self.session.seats()), self.ms, "keys")
        self.keeper.touch()
        return self.wait(0)

    @property
    def ms(self) -> int:
        return round(self.now * 1000)

    def look(self) -> None:
        self.keeper.see(waits_for(self.session), self.ms)
        self.keeper.record(self.ms)

    def wait(self, seconds: float) -> Table:
        """Let time pass with every deadline on the way, as the station's loop does."""
        end = self.now + seconds
        self.look()
        while (deadline := self.keeper.deadline()) is not None and deadline <= round(end * 1000):
            self.now = deadline / 1000
            self.look()
        self.now = end
        self.look()
        return self

    def answer(self, *answers: Any) -> Table:
        for value in answers:
            self.session.answer(Submission(value, at=self.now))
            self.wait(0)
        return self

    def undo(self, steps: int = 1) -> Table:
        self.session.undo(steps, at=self.now)
        return self.wait(0)

    def cut(self) -> Table:
        self.journal.close()
        self.journal = Journal(self.path)
        self.now += 3600
        assert self.session.game_id is not None
        self.session = resume(BOOK, self.journal, self.session.game_id)
        self.keeper = self.take_up()
        return self.wait(0)

    def left(self) -> tuple[float, float]:
        """What North and South have left, s."""
        clocks = self.keeper.current.until(self.ms)
        return clocks.seats["north"].left / SECOND, clocks.seats["south"].left / SECOND

    def noted(self) -> list[str]:
        return [note.extra["clock"]["what"] for note in self.notes.read()]


@pytest.fixture
def table(memory: Path) -> Iterator[Table]:
    table = Table(memory / "journal.db")
    yield table
    table.journal.close()


def test_the_clock_of_the_seat_that_is_asked_runs(table: Table) -> None:
    table.set(HOUR).wait(20).answer("pass").wait(5).answer("shoot", "near").wait(7)
    assert table.left() == (3580, 3588)


def test_a_power_cut_gives_back_at_most_half_a_minute(table: Table) -> None:
    table.set(HOUR).wait(20).answer("pass").wait(95)
    assert table.left() == (3580, 3505)
    table.cut()
    assert table.left() == (3580, 3510)  # the last record was made 90 s into the question
    table.wait(60)
    assert table.left() == (3580, 3510)  # nobody has pressed a key since
    table.keeper.touch()
    table.wait(0).wait(3)
    assert table.left() == (3580, 3507)
    assert table.noted() == ["set", *["state"] * 4]  # and one as it began to run again


def test_after_a_power_cut_an_answer_costs_what_it_took(table: Table) -> None:
    table.set(FISCHER).wait(20).answer("pass").cut()
    assert table.left() == (50, 60)
    table.keeper.touch()
    table.wait(0).wait(1)
    assert table.left() == (50, 69)  # the turn that the answer began brings its increment, once
    table.wait(30).answer("pass").cut().keeper.touch()
    table.wait(0)
    assert table.left() == (60, 39)


def test_undo_gives_the_turn_back_but_not_the_time(table: Table) -> None:
    table.set(FISCHER).wait(20).answer("pass").wait(5)
    assert table.left() == (50, 65)
    table.undo().wait(10)
    assert table.left() == (40, 65)
    table.answer("pass").wait(1)
    assert table.left() == (40, 64)  # and the turn that begins again brings no second increment
    table.answer("pass").wait(1)
    assert table.left() == (49, 64)
    table.undo(2).answer("pass", "pass", "pass").wait(0)
    assert table.left() == (49, 74)  # only the third turn is one that was never begun before


def test_a_record_keeps_what_an_undo_still_owes(table: Table) -> None:
    table.set(FISCHER).wait(20).answer("pass").wait(5).undo().cut().keeper.touch()
    table.wait(0).answer("pass").wait(0)
    assert table.left() == (50, 65)


def test_a_corrected_throw_takes_no_increment_twice(table: Table) -> None:
    table.set(FISCHER).answer("shoot", "near", 0, [5, 4]).wait(5)
    assert table.left() == (70, 65)
    table.session.correct_throw(Submission([1, 1], at=table.now), right="table")
    table.wait(1)
    assert table.left() == (70, 64)


def test_undo_leaves_every_record_of_the_clocks(table: Table) -> None:
    table.set(HOUR).wait(20).answer("pass").undo()
    entries = [entry for entry in table.session.entries if entry.kind != "start"]
    assert [entry.kind for entry in entries] == ["answer", "void"]
    assert [entry.extra["clock"]["no"] for entry in entries] == [2, 3]
    assert entries[0].extra["clock"]["seats"][0] == {"seat": "north", "left": 3580_000, "used": 20_000}
    assert table.noted() == ["set", "undo"]


def test_a_flag_that_fell_is_noted_with_its_moment(table: Table) -> None:
    table.set(Control("sudden-death", 40 * SECOND)).wait(50)
    assert table.noted() == ["set", "state", "flag"]
    assert table.notes.read()[-1].extra["clock"]["falls"] == [["north", 40_000]]
    table.cut()
    table.keeper.correct("north", 30 * SECOND, table.ms, "judge", "late start")
    table.keeper.touch()
    assert table.wait(0).wait(10).left() == (20, 40)
    assert table.keeper.current.first_fall == ("north", 40_000)
    correction = next(note for note in table.notes.read() if note.source == "judge")
    assert (correction.source, correction.seat) == ("judge", "north")
    noted = {name: correction.extra["clock"][name] for name in ("what", "was", "shown", "reason")}
    assert noted == {"what": "correct", "was": 0, "shown": 30_000, "reason": "late start"}


def test_a_pause_is_noted(table: Table) -> None:
    table.set(HOUR).wait(20).keeper.pause("dispute", table.ms, "keys")
    table.wait(60).keeper.resume(table.ms, "keys")
    assert table.wait(1).left() == (3579, 3600)
    assert table.noted() == ["set", "pause", "resume"]
    assert table.cut().left() == (3580, 3600)


def test_a_pause_lasts_over_a_power_cut(table: Table) -> None:
    table.set(HOUR).wait(20).keeper.pause("dispute", table.ms, "keys")
    table.cut().keeper.touch()
    assert table.wait(5).keeper.current.paused == "dispute"
    assert table.left() == (3580, 3600)


def test_clocks_that_were_taken_away_stay_away(table: Table) -> None:
    table.set(HOUR).wait(20).keeper.stop(table.ms, "keys")
    assert table.cut().keeper.clocks is None
    table.answer("pass")
    assert "clock" not in table.session.entries[-1].extra
    with pytest.raises(NotNow, match="No clock is set for this game"):
        table.keeper.pause("dispute", 0, "keys")


def test_a_note_says_when_it_was_written_and_by_whom(table: Table) -> None:
    table.set(HOUR).wait(20.5).keeper.pause("dispute", table.ms, "judge")
    assert [(note.at, note.source) for note in table.notes.read()] == [(100.0, "keys"), (120.5, "judge")]


def test_a_turn_is_of_the_seat_that_plays(table: Table) -> None:
    assert waits_for(table.session).turn == "north"
    table.answer("pass")
    assert waits_for(table.session).turn == "south"
    table.session.game.seat = ANYBODY
    assert waits_for(table.session).turn == NOBODY


def test_notes_are_no_game(table: Table) -> None:
    table.set(HOUR).wait(40).answer("pass").wait(40)
    assert [row.notes for row in table.journal.games()] == [False, True]
    latest = table.journal.latest(only_open=True)
    assert latest is not None
    assert latest.game == table.session.game_id
    assert [row.game for row in table.journal.unfinished(9)] == [latest.game]
    assert [verdict.outcome for verdict in check(table.journal, lambda _: BOOK)] == ["same"]


def test_game_and_notes_are_verified_and_exported(table: Table) -> None:
    table.set(HOUR).wait(40).answer("pass").wait(40).answer("pass")
    assert len(verify(table.journal)) == 2
    for game in (1, 2):
        lines = list(export(table.journal, game))
        exported = read(_stream([line.encode("ascii") for line in lines]))
        assert (exported.game, exported.head) == (game, second_check(lines))
    first, *notes = table.journal.entries(2)
    assert first.answer["beside"] == 1
    hashes = [record["hash"] for record in table.journal.records(1)]
    assert [note.extra["of"]["hash"] for note in notes] == [hashes[note.extra["of"]["seq"]] for note in notes]
    assert [note.extra["of"]["seq"] for note in notes] == [0, 0, 1]


def test_every_game_has_notes_of_its_own(table: Table) -> None:
    table.set(HOUR).wait(40)
    other = Session(BOOK, journal=table.journal)
    assert other.game_id is not None
    Notes(table.journal, other.game_id).add({"slip": {"winner": "south"}}, source="judge", at=1.0)
    assert [note.extra["slip"]["winner"] for note in Notes(table.journal, other.game_id).read()] == ["south"]
    assert table.noted() == ["set", "state"]
    assert keeper_of(other, Notes(table.journal, other.game_id)).clocks is None


def test_what_cannot_be_written_changes_nothing(table: Table) -> None:
    table.set(HOUR)

    keeper = keeper_of(table.session, Full(table.journal, 1))
    with pytest.raises(JournalError):
        keeper.pause("dispute", table.ms, "keys")
    assert keeper.clocks is not None
    assert (keeper.clocks.paused, keeper.clocks.life) == ("", 0)


class Full(Notes):
    """Notes on a disk that is full."""

    def add(self, extra: Mapping[str, Any], **_: Any) -> None:
        raise JournalError("disk full")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"what": "set"}, "expected no, the number of a record"),
        ({"what": "set", "no": 0}, "expected no, the number of a record"),
        ({"what": "set", "no": 1, "seats": []}, "expected a time control"),
        ({"what": "set", "no": 1, "control": HOUR.as_json(), "customs": {}}, "table, ruling and flag"),
        (
            {"what": "set", "no": 1, "control": HOUR.as_json(), "customs": Customs().as_json()},
            "seats with their times",
        ),
    ],
)
def test_notes_of_clocks_that_no_keeper_wrote_are_refused(
    table: Table, record: dict[str, Any], expected: str
) -> None:
    table.notes.add({"clock": record})
    with pytest.raises(Malformed, match=expected):
        keeper_of(table.session, table.notes)


def _stream(lines: list[bytes]) -> Any:
    from io import BytesIO

    return BytesIO(b"".join(line + b"\n" for line in lines))
