"""Primaries that die and come back, standbys that are gone, commits of which nobody hears how they ended."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest

from referee.errors import JournalUnsure, StoreAway
from referee.hall.desk import Desk
from referee.hall.store import session
from referee.hall.store.session import Session
from referee.hall.uplink.intake import Intake
from referee.tournament.acts import PlayerAdded
from tests.hall.postgres.cluster import DATABASE, cluster
from tests.hall.postgres.databases import END_OTHERS, Databases
from tests.hall.postgres.failover import storm
from tests.hall.postgres.servers import Server
from tests.hall.uplink.pair import KEY

pytestmark = pytest.mark.long
_WARN = """\
CREATE FUNCTION referee_intake.warn() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE WARNING 'canceling wait: might not have been replicated'; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER warn AFTER INSERT ON referee_intake.admissions DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION referee_intake.warn()"""


@pytest.mark.usefixtures("postgres")
def test_thirty_kills_six_of_them_of_a_primary_that_comes_back_lose_nothing(tmp_path: Path) -> None:
    report = storm(tmp_path, boxes=3, kills=30, seed=3)
    assert report["faults"] == []
    assert report["kills"]["primary"] == 6
    assert report["entries compared"] > 0


@pytest.mark.usefixtures("postgres")
def test_a_standby_that_has_not_read_all_it_was_sent_is_waited_for_and_has_more() -> None:
    with cluster() as servers:
        behind, slow = servers.servers["two"], servers.servers["three"]
        behind.configure("primary_conninfo=''")
        behind.reload()
        _until(behind, "SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver)")
        _until(slow, "SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')")
        with psycopg.connect(slow.address("postgres")) as session:
            ((receiver,),) = session.execute("SELECT pid FROM pg_stat_wal_receiver").fetchall()
        os.kill(receiver, signal.SIGSTOP)  # a machine that is busy elsewhere
        with psycopg.connect(servers.primary.address(DATABASE), autocommit=True) as session:
            session.execute("SET synchronous_commit = local")
            session.execute("CREATE TABLE sent AS SELECT repeat('x', 100) FROM generate_series(1, 1000)")
        _until(servers.primary, "SELECT sent_lsn >= pg_current_wal_lsn() FROM pg_stat_replication")
        later = threading.Timer(0.5, os.kill, (receiver, signal.SIGCONT))
        later.start()
        servers.fail_over()
        later.join()
        assert servers.primary is slow
        _until(slow, "SELECT state = 'streaming' FROM pg_stat_replication")
        with psycopg.connect(slow.address(DATABASE)) as session:
            assert session.execute("SELECT count(*) FROM sent").fetchall() == [(1000,)]


def _until(server: Server, holds: LiteralString) -> None:
    """Ask a server until it says that something holds."""
    with psycopg.connect(server.address("postgres"), autocommit=True) as session:
        while session.execute(holds).fetchall() != [(True,)]:
            pass


@pytest.mark.usefixtures("in_postgres")
def test_a_server_that_is_older_than_what_the_hall_has_seen_is_refused_until_somebody_says_so(tmp_path: Path) -> None:
    intake = Intake(tmp_path / "intake.db")
    intake.admit(KEY.public)
    intake.close()
    mark = tmp_path / "intake.mark"
    timeline, epoch = map(int, mark.read_text().split())
    mark.write_text(f"{timeline + 1} {epoch}\n")
    with pytest.raises(StoreAway, match=rf"is an older state of the event .*{timeline}, {epoch}, not {timeline + 1}"):
        Intake(tmp_path / "intake.db")
    mark.unlink()
    intake = Intake(tmp_path / "intake.db")
    assert intake.admitted_keys() == [KEY.public]
    intake.close()


def test_without_standbys_nothing_is_acknowledged_and_nothing_is_read_as_if_it_were_sure(
    databases: Databases, in_postgres: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = Intake(tmp_path / "intake.db")
    with psycopg.connect(databases.of(tmp_path), autocommit=True) as admin:
        monkeypatch.setattr(session, "PATIENCE", 0.2)
        admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try:
            admin.execute("SELECT pg_reload_conf()")
            with pytest.raises(JournalUnsure, match="could not be heard"):
                _until_it_waits(intake)
            with pytest.raises(StoreAway):
                intake.admitted_keys()
        finally:
            admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
            admin.execute("SELECT pg_reload_conf()")
        monkeypatch.setattr(session, "PATIENCE", 30.0)
        admin.execute(END_OTHERS)
    intake.close()
    again = Intake(tmp_path / "intake.db")
    assert KEY.public in again.admitted_keys()
    again.close()


def test_a_commit_that_a_server_no_longer_waited_for_counts_as_unsure(
    databases: Databases, in_postgres: None, tmp_path: Path
) -> None:
    intake = Intake(tmp_path / "intake.db")
    with psycopg.connect(databases.of(tmp_path), autocommit=True) as admin:
        admin.execute(_WARN)  # as a server does that is told not to wait for a standby any more
        with pytest.raises(JournalUnsure, match="not have been replicated"):
            intake.admit(KEY.public)
        admin.execute("DROP TRIGGER warn ON referee_intake.admissions")
    intake.admit(KEY.public)
    assert intake.admitted_keys() == [KEY.public]
    intake.close()


def _until_it_waits(intake: Intake) -> None:
    """Write until a commit waits: sessions read their server's new settings a moment later."""
    while True:
        intake.admit(KEY.public)


def test_an_act_of_which_nobody_heard_whether_it_was_written_is_seen_before_the_next(
    in_postgres: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Session.execute

    def lost(live: Session, query: Any, *rest: Any, **more: Any) -> Any:
        result = usual(live, query, *rest, **more)
        if query == b"COMMIT" and live.execute(b"SELECT current_schema()").fetchall() == [("referee_record",)]:
            raise psycopg.OperationalError("the network went away")
        return result

    with Desk(tmp_path) as desk:
        heard: list[int] = []
        desk.listen(lambda act, _event: heard.append(act.player if isinstance(act, PlayerAdded) else 0))
        monkeypatch.setattr(Session, "execute", lost)
        with pytest.raises(JournalUnsure):
            desk.perform(PlayerAdded(who="organiser", at=1, player=1), names={"player": {1: "Anna"}})
        monkeypatch.setattr(Session, "execute", usual)
        assert heard == []
        desk.perform(PlayerAdded(who="organiser", at=2, player=2), names={"player": {2: "Bo"}})
        assert heard == [1, 2]
        assert [desk.names.player(number) for number in desk.event.players] == ["Anna", "Bo"]
        assert desk.record.acts() == desk.acts
