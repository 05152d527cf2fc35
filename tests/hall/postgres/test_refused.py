"""What `referee hall --store` says where PostgreSQL is not what it must be, with the code of sysexits.h."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import psycopg
import pytest

from referee.cli.exits import CONFIG, OK, STATION, USAGE
from referee.cli.main import main
from referee.errors import JournalBusy, JournalDamaged, JournalError, JournalNewer
from referee.hall.desk import Desk
from referee.hall.event_key import save
from referee.hall.record import Record
from referee.hall.store import choose, session
from referee.hall.uplink.intake import Intake
from referee.tournament.acts import PlayerAdded
from tests.hall.postgres.databases import END_OTHERS, Databases
from tests.hall.uplink.kills import quiet_port
from tests.hall.uplink.pair import EVENT_KEY, KEY
from tests.hall.visitor import Visitor
from tests.tools.test_verify_export import READER


@pytest.mark.parametrize("address", ["hall.db", "mysql://hall@there/event", "postgresql://hall@there/event?port=x=y"])
def test_an_address_that_is_none_is_refused_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    assert main(["hall", "--folder", str(tmp_path / "event"), "--store", address]) == CONFIG
    assert "expected an address like postgresql://user@host/database" in capsys.readouterr().err
    assert not (tmp_path / "event").exists()


def test_a_server_that_is_away_is_named_without_its_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"postgresql://hall:secret@127.0.0.1:{quiet_port()}/event"
    assert main(["hall", "--folder", str(tmp_path), "--store", address, "--no-browser"]) == STATION
    error = capsys.readouterr().err
    assert "postgresql 127.0.0.1/event is not there" in error
    assert "secret" not in error
    assert (tmp_path / "store").stat().st_mode & 0o777 == 0o600


def test_without_psycopg_the_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("referee.hall.store.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main(["hall", "--folder", str(tmp_path), "--store", "postgresql://hall@there/event"]) == STATION
    assert 'pip install ".[hall,hall-postgres]"' in capsys.readouterr().err


def test_an_event_stays_where_it_began(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Record(tmp_path / "hall.db").close()
    assert main(["hall", "--folder", str(tmp_path), "--store", "postgresql://hall@there/event"]) == USAGE
    assert "has an event in hall.db" in capsys.readouterr().err
    assert not (tmp_path / "store").exists()


@pytest.fixture
def event(databases: Databases, tmp_path: Path) -> str:
    """A folder whose event is in the database with this address."""
    address = databases.of(tmp_path)
    choose(tmp_path, address)
    save(tmp_path, EVENT_KEY)
    return address


@pytest.mark.long
def test_tables_of_another_release_or_of_somebody_else_are_not_touched(
    event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Record(tmp_path / "hall.db").close()
    with psycopg.connect(event, autocommit=True) as admin:
        admin.execute("UPDATE referee_record.writer SET version = version + 1")
        with pytest.raises(JournalNewer, match="was written by a later referee"):
            Record(tmp_path / "hall.db")
        admin.execute("UPDATE referee_record.writer SET version = 0")
        with pytest.raises(JournalDamaged, match="unknown version 0"):
            Record(tmp_path / "hall.db")
        admin.execute("CREATE SCHEMA referee_intake")
        with pytest.raises(JournalError, match="schema referee_intake is there, but not what a hall keeps"):
            Intake(tmp_path / "intake.db")
        admin.execute("DROP TRIGGER kept ON referee_record.links")
        admin.execute("UPDATE referee_record.writer SET version = 3")
    record = Record(tmp_path / "hall.db")
    with pytest.raises(JournalDamaged, match="refuses changes is not in place: links"):
        record.journal.examine()
    record.close()
    monkeypatch.setattr(session, "OLDEST", 99)
    with pytest.raises(JournalNewer, match="expected PostgreSQL 99 or later"):
        Record(tmp_path / "hall.db")


@pytest.mark.long
def test_a_hall_whose_event_another_one_opened_commits_nothing_any_more(event: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    choose(other, event)
    first = Intake(tmp_path / "intake.db")
    first.admit(KEY.public)
    with pytest.raises(JournalBusy, match="is open in another hall"):
        Intake(other / "intake.db")
    with psycopg.connect(event, autocommit=True) as admin:  # its network goes away, its program does not
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    second = Intake(other / "intake.db")
    with pytest.raises(JournalError):
        first.admit("b" * 64)
    second.close()
    with pytest.raises(JournalBusy, match="another hall opened this event after this one"):
        first.admit("b" * 64)
    third = Intake(other / "intake.db")
    assert third.admitted_keys() == [KEY.public]
    with psycopg.connect(
        event, autocommit=True
    ) as admin:  # as another hall does, behind a pooler that shares sessions
        admin.execute("UPDATE referee_intake.writer SET epoch = epoch + 1, token = 'another'")
    with pytest.raises(JournalBusy, match="another hall opened this event after this one"):
        third.admit("b" * 64)
    assert third.admitted_keys() == [KEY.public]
    third.close()
    first.close()


@pytest.mark.long
def test_the_event_file_is_read_while_the_hall_writes_and_is_verified_without_the_referee(
    event: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Desk(tmp_path) as desk:
        desk.perform(PlayerAdded(who="organiser", at=1, player=1), names={"player": {1: "Anna"}})
        file = tmp_path.parent / "event.jsonl"
        assert main(["hall", "--folder", str(tmp_path), "--export", str(file)]) == OK
    report = READER["verify"](io.BytesIO(file.read_bytes()))
    assert any("verified, certified by the event key" in line for line in report)
    assert "Anna" not in file.read_text()


@pytest.mark.long
def test_what_cannot_be_written_is_not_there_and_the_hall_goes_on(event: str, tmp_path: Path) -> None:
    intake = Intake(tmp_path / "intake.db")
    with pytest.raises(JournalError, match="NUL"):
        intake.admit("\0")
    intake.admit(KEY.public)
    with psycopg.connect(event, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    with pytest.raises(JournalError, match="does not answer"):
        intake.admit("b" * 64)
    assert intake.admitted_keys() == [KEY.public]
    intake.admit("b" * 64)
    assert intake.admitted_keys() == [KEY.public, "b" * 64]
    intake.close()


@pytest.mark.once
@pytest.mark.long
def test_a_database_that_takes_no_writes_is_told_at_the_desk_which_goes_on_when_it_does(
    databases: Databases, in_postgres: None, desk: Desk, organiser: Visitor
) -> None:
    organiser.post("/players", "add", list="Anna")
    with psycopg.connect(databases.of(desk.folder), autocommit=True) as admin:
        ((name,),) = admin.execute("SELECT current_database()").fetchall()
        admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        admin.execute(END_OTHERS)
        try:
            organiser.post("/players", "add", list="Bo")  # by the session that ended
            page = organiser.post("/players", "add", list="Bo")
        finally:
            admin.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())
        assert "cannot execute UPDATE in a read-only transaction" in page.refusals()[0]
        assert list(desk.event.players) == [1]
        admin.execute(END_OTHERS)
    while len(desk.event.players) == 1:  # a session is begun again after as long as the last attempt took
        organiser.post("/players", "add", list="Bo")
    assert [desk.names.player(number) for number in desk.event.players] == ["Anna", "Bo"]
    assert desk.record.acts() == desk.acts
