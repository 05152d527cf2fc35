"""The desk on disk: nothing refused is written, nothing acknowledged is lost, no name outlives the event."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.errors import JournalBusy, JournalError, JournalNewer, NotNow
from referee.hall.desk import Desk
from referee.hall.record import BOOK, EDITION, Record
from referee.journal import Journal
from referee.journal.proof import verify
from referee.session import Entry
from referee.tournament import Settings
from referee.tournament.acts import CheckedIn, EventEnded, PlayerAdded, PlayerDropped, SettingsChosen
from tests.journal.disk import Disk
from tests.journal.power import TAILS, Medium, write

WHO = "organiser"


def add(desk: Desk, number: int, name: str) -> None:
    desk.names.put({"player": {number: name}})
    desk.perform(PlayerAdded(who=WHO, at=desk.now(), player=number))


def arrive(desk: Desk, number: int) -> None:
    desk.perform(CheckedIn(who=WHO, at=desk.now(), player=number))


@pytest.fixture
def desk(store: str, tmp_path: Path) -> Iterator[Desk]:
    with Desk(tmp_path / "event", clock=lambda: 1_800_000_000.25) as opened:
        yield opened


def test_what_was_is_known_after_any_number_of_acts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.hall.desk.RECENT", 2)
    acts = [PlayerAdded(who=WHO, at=1, player=number) for number in (1, 2, 3)]
    seen = [desk.event, *map(desk.perform, acts)]
    assert [desk.after(count) for count in range(4)] == seen
    assert desk.after(3) is desk.event


def test_a_folder_that_is_opened_again_has_the_same_event_and_a_record_that_proves_itself(desk: Desk) -> None:
    desk.perform(SettingsChosen(who=WHO, at=desk.now(), settings=Settings(sides=("Free Peoples", "Shadow"))))
    add(desk, 1, "Éowyn 🛡")
    desk.names.put({"club": {1: "Rohan"}})
    arrive(desk, 1)
    before = desk.event
    assert desk.acts[-1].at == 1_800_000_000_250
    desk.close()
    with Desk(desk.folder) as again:
        assert again.event == before
        assert again.names.player(1) == "Éowyn 🛡"
        assert (again.names.club(1), again.names.club(0), again.names.player(2)) == ("Rohan", "", "Player 2")
        assert again.acts == desk.acts
        (proof,) = verify(again.record.journal)
        assert len(proof.hashes) == 5


def test_what_is_done_together_is_one_commit_sealed_at_its_end(desk: Desk) -> None:
    heard: list[object] = []
    leave = desk.listen(lambda act, event: heard.append((act, len(event.players), len(desk.record.acts()))))
    acts = [PlayerAdded(who=WHO, at=1, player=number) for number in (1, 2, 3)]
    desk.perform(*acts)
    assert heard == [(act, 3, 3) for act in acts]  # durable before anybody hears of it
    assert [seal.seq for seal in desk.record.journal.seals(desk.record.chain)] == [0, 1, 4]
    leave()
    desk.perform(CheckedIn(who=WHO, at=2, player=1))
    assert len(heard) == 3


def test_a_refused_act_writes_nothing_and_neither_do_those_beside_it(desk: Desk) -> None:
    add(desk, 1, "Anna")
    before = desk.event, list(desk.acts), desk.record.journal.head(desk.record.chain)
    desk.listen(lambda _act, _event: pytest.fail("nothing was done"))
    late = PlayerAdded(who=WHO, at=desk.now(), player=2), CheckedIn(who=WHO, at=desk.now(), player=7)
    with pytest.raises(NotNow, match="expected the number of a player, got 7"):
        desk.perform(*late)
    assert (desk.event, desk.acts, desk.record.journal.head(desk.record.chain)) == before


@pytest.mark.once
def test_an_act_that_cannot_be_written_is_not_done(tmp_path: Path) -> None:
    with Disk(tmp_path) as disk, Desk(tmp_path) as desk:
        add(desk, 1, "Anna")
        before = desk.event
        disk.refuse = lambda _n, op: 13 if op.kind == "write" and op.file.startswith("hall.db") else 0
        with pytest.raises(JournalError):
            arrive(desk, 1)
        with pytest.raises(JournalError):
            desk.perform(PlayerAdded(who=WHO, at=desk.now(), player=2), names={"player": {1: "Hanna", 2: "Bo"}})
        assert desk.event == before
        assert dict(desk.names.of("player")) == {1: "Anna"}
        disk.refuse = None
        arrive(desk, 1)
        assert desk.record.acts() == desk.acts
        assert len(desk.acts) == 2


@pytest.mark.once
def test_no_power_cut_loses_or_doubles_an_act_that_was_done(tmp_path: Path) -> None:
    live, again = tmp_path / "live", tmp_path / "again"
    live.mkdir()
    again.mkdir()
    with Disk(live) as disk, Desk(live) as desk:
        first = len(disk.ops)
        sure = [0] * first
        for number in range(1, 4):
            desk.perform(PlayerAdded(who=WHO, at=number, player=number))
            sure += [number - 1] * (len(disk.ops) - len(sure))
        acts, ops = list(desk.acts), list(disk.ops)
    chance = random.Random(5)
    medium = Medium.holding({"names.db": b""}, chance)
    for k, op in enumerate(ops):
        medium.do(op)
        if k < first:
            continue  # the file is being made
        done = sure[k + 1] if k + 1 < len(sure) else len(acts)
        write(again, medium.after_cut(TAILS[k % len(TAILS)]))
        for name in ("event.key", "referee.key"):  # on the disk before the record
            shutil.copy(live / name, again / name)
        with Desk(again) as found:
            assert found.acts in (acts[:done], acts[: done + 1]), f"after operation {k}, {op.kind}"


def test_two_halls_on_one_folder_the_second_is_told(desk: Desk) -> None:
    with pytest.raises(JournalBusy, match="is open in another hall: close that one"):
        Desk(desk.folder)
    add(desk, 1, "Anna")
    assert list(desk.event.players) == [1]


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


@pytest.mark.once
def test_no_byte_of_a_name_outlives_the_event(desk: Desk) -> None:
    desk.names.put({"event": {0: "Autumn Cup"}})
    desk.names.put({"club": {1: "Isengard-Verein"}})
    add(desk, 1, "Sméagol Schmidt")
    add(desk, 2, "Déagol Meier")
    desk.names.put({"player": {2: "Déagol Müller"}})  # the older name is gone, too
    desk.perform(
        PlayerDropped(who=WHO, at=desk.now(), player=1, why="sméagol schmidt is ill, and so is Déagol Müller")
    )
    assert desk.acts[-1].why == "player 1 is ill, and so is player 2"
    names = [name.encode() for name in ("Schmidt", "Meier", "Müller", "Isengard", "Déagol")]
    there = everything(desk.folder)
    assert all(name in there for name in names)  # SQLite's log has older names, too
    desk.perform(EventEnded(who=WHO, at=desk.now()))
    left = everything(desk.folder)
    assert [name for name in names if name in left] == []
    assert (desk.names.player(1), desk.names.event) == ("Player 1", "Autumn Cup")
    desk.close()
    assert not any(name in everything(desk.folder) for name in names)


@pytest.mark.once
def test_a_hall_that_was_killed_before_it_erased_the_names_erases_them_when_it_is_opened(desk: Desk) -> None:
    add(desk, 1, "Sméagol Schmidt")
    desk.record.append([EventEnded(who=WHO, at=desk.now())])
    desk.close()
    with Desk(desk.folder) as again:
        assert again.names.player(1) == "Player 1"
        assert b"Schmidt" not in everything(desk.folder)


@pytest.mark.once
def test_names_that_somebody_else_reads_are_not_said_to_be_erased(desk: Desk) -> None:
    add(desk, 1, "Anna")
    reader = sqlite3.connect(desk.folder / "names.db", isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM names").fetchone() == (1,)
    with pytest.raises(JournalError, match="names"):
        desk.names.erase()
    reader.close()
    desk.names.erase()
    assert b"Anna" not in everything(desk.folder)


def test_an_act_of_a_later_release_is_told(desk: Desk) -> None:
    strange = Entry(2, "note", EDITION, extra={"act": {"act": "players shuffled", "who": WHO, "at": 1}})
    desk.record.journal.append(desk.record.chain, [strange], seal=True)
    desk.close()
    with pytest.raises(JournalNewer, match="entry 2: expected an act that this release knows"):
        Desk(desk.folder)
    record = Record(desk.folder / "hall.db")  # nothing has it open any more
    assert record.journal.head(record.chain)[0] == 2
    record.close()


@pytest.mark.once
def test_a_box_s_journal_is_no_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "hall.db") as journal:
        answer: dict[str, object] = {"book": "skirmish", "settings": {}, "ruling": None, "repeat": False}
        journal.begin("skirmish", Entry(0, "start", "1", answer=answer))
    with pytest.raises(JournalError, match="expected the record of an event"):
        Desk(tmp_path)
    with Journal(tmp_path / "hall.db") as journal:
        assert [each.book for each in journal.games()] != [BOOK]
