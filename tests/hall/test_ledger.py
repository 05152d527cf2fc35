"""Acts of an event in a database: done once, on top of what was folded, and never by an old copy."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from referee.errors import ConfigError, JournalDamaged, Malformed, NotNow, StoreAway
from referee.hall.games import Games
from referee.hall.ledger import InDoubt, Ledger, State
from referee.hall.store import NAMES, Store, sqlite
from referee.session import Entry
from referee.session.chain import digest
from referee.tournament.acts import Act
from referee.tournament.acts.people import CallOpened, PlayerAdded
from tests.hall.conftest import Open


def add(number: int) -> Callable[[State], list[Act]]:
    return lambda _state: [PlayerAdded(who="organiser", at=1, player=number)]


def call(_state: State) -> list[Act]:
    return [CallOpened(who="table 1", at=1, table=1)]


def test_an_act_is_folded_and_there_after_a_restart(open_store: Open) -> None:
    first = Ledger(open_store())
    assert first.perform("a", add(1)).result().revision == 1
    again = Ledger(open_store())
    assert again.state == first.state
    assert list(again.state.event.players) == [1]


def test_the_same_request_gets_the_same_answer(open_store: Open) -> None:
    ledger, other = Ledger(open_store()), Ledger(open_store())
    done = ledger.perform("a", call, keep=lambda _fault: True).result()
    assert other.perform("a", call, keep=lambda _fault: True).result() == done
    refused = other.perform("b", call, keep=lambda _fault: True).result()
    assert refused.refused == "table 1 is calling already"
    assert ledger.perform("b", add(1), keep=lambda _fault: True).result() == refused


def test_who_loses_a_race_checks_again(open_store: Open) -> None:
    first, second = Ledger(open_store()), Ledger(open_store())
    first.perform("a", call).result()
    with pytest.raises(NotNow, match="calling already"):
        second.perform("b", call).result()
    assert second.perform("c", add(1)).result().revision == 2
    first.refresh().result()
    assert first.state == second.state


def test_acts_of_a_request_are_done_together_or_not(open_store: Open) -> None:
    ledger = Ledger(open_store())
    with pytest.raises(NotNow):
        ledger.perform("a", lambda state: [*add(1)(state), *call(state), *call(state)]).result()
    assert ledger.state == Ledger(open_store()).state == State()
    assert ledger.perform("b", add(1)).result().revision == 1


def test_forty_writers_of_two_halls_lose_nothing(open_store: Open) -> None:
    halls = [Ledger(open_store()), Ledger(open_store())]
    futures = [halls[number % 2].perform(f"{number}", add(number)) for number in range(1, 41)]
    assert sorted(each.result(60).revision for each in futures) == list(range(1, 41))
    assert sorted(Ledger(open_store()).state.event.players) == list(range(1, 41))


def test_a_changed_act_is_found(tmp_path: Path) -> None:
    store = Store(sqlite(tmp_path / "event.db"))
    ledger = Ledger(store)
    ledger.perform("a", add(1)).result()
    store.close()
    with sqlite3.connect(tmp_path / "event.db") as db:
        db.execute("UPDATE acts SET body = replace(body, '1', '2')")
    db.close()
    store = Store(sqlite(tmp_path / "event.db"))
    with pytest.raises(JournalDamaged, match="act 1"):
        Ledger(store)
    store.close()


@pytest.mark.parametrize("name", ["\ud800", "\0"])
@pytest.mark.parametrize("number", [1, 10**30])
def test_what_no_database_keeps_harms_nothing_beside_it(open_store: Open, name: str, number: int) -> None:
    """A box that says such a thing kept every act from being written that came at the same moment."""
    store, together = open_store(), threading.Event()
    ledger = Ledger(store)
    store.write(lambda _db: together.wait(10))
    row = {"event": store.event, "kind": "player", "number": number, "name": name}
    strange = store.write(lambda db: store.insert(db, NAMES, [row]))
    act = ledger.perform("a", add(1))
    together.set()
    assert act.result().revision == 1
    assert strange.exception() is None or isinstance(strange.exception(), Malformed)
    if number > 1 or name != "\0":
        assert strange.exception() is not None


class TestOldCopy:
    """A file that was put back to how it was 100 acts ago."""

    @pytest.fixture
    def stores(self, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
        new = Store(sqlite(tmp_path / "new.db"))
        ledger = Ledger(new)
        ledger.perform("before", add(1)).result()
        new.close()
        shutil.copy(tmp_path / "new.db", tmp_path / "old.db")
        new, old = Store(sqlite(tmp_path / "new.db")), Store(sqlite(tmp_path / "old.db"))
        yield new, old
        new.close()
        old.close()

    def test_it_does_nothing_until_somebody_says_so(self, stores: tuple[Store, Store]) -> None:
        new, old = map(Ledger, stores)
        for number in range(2, 102):
            new.perform(f"{number}", add(number)).result()
        written = old.compare(new.pair(), "box 7", 5)
        assert written is not None
        written.result()
        (doubt,) = old.doubts
        assert (doubt.revision, doubt.box, doubt.since) == (101, "box 7", 5)
        with pytest.raises(InDoubt):
            old.perform("x", add(500)).result()
        with pytest.raises(InDoubt):  # of another process, and after a restart
            Ledger(stores[1]).perform("x", add(500)).result()
        assert old.go_on("organiser", 6).result().revision == 102
        assert old.doubts == ()
        assert old.perform("x", add(500)).result().revision == 103
        assert old.compare(new.pair(), "box 7", 7) is None
        assert Ledger(stores[1]).state == old.state

    def test_two_that_both_went_on_both_stop(self, stores: tuple[Store, Store]) -> None:
        new, old = map(Ledger, stores)
        new.perform("x", add(2)).result()
        old.perform("y", add(3)).result()
        for here, there in ((new, old), (old, new)):
            written = here.compare(there.pair(), "box", 1)
            assert written is not None
            written.result()
            with pytest.raises(InDoubt):
                here.perform("z", add(4)).result()

    def test_a_pair_without_proof_says_nothing(self, stores: tuple[Store, Store]) -> None:
        _, old = map(Ledger, stores)
        for pair in ("99", f"{'9' * 40} {'a' * 64} {'b' * 64}", ""):
            with pytest.raises(Malformed):
                old.compare(pair, "box", 1)
        assert old.compare(f"99 {'a' * 64} {'b' * 64}", "box", 1) is None
        assert old.doubts == ()
        with pytest.raises(NotNow):
            old.go_on("organiser", 1).result()


def test_a_store_that_loses_acts_while_a_hall_runs_is_found(tmp_path: Path) -> None:
    store = Store(sqlite(tmp_path / "event.db"))
    ledger = Ledger(store)
    ledger.perform("a", add(1)).result()
    with sqlite3.connect(tmp_path / "event.db") as db:
        db.execute("DELETE FROM acts")
    db.close()
    with pytest.raises(InDoubt):
        ledger.perform("b", add(2)).result()
    with pytest.raises(InDoubt):
        ledger.perform("b", add(2)).result()
    store.close()


def fill_disk(store: Store, at: int) -> None:
    """Let its disk be full at a statement, once."""
    left = [at]

    def full(*_: object) -> None:
        left[0] -= 1
        if left[0] == -1:
            raise OperationalError("", None, sqlite3.OperationalError("database or disk is full"))

    def commit(_db: Connection) -> None:
        full()

    event.listen(store._engine, "before_cursor_execute", full)
    event.listen(store._engine, "commit", commit)


@pytest.mark.parametrize("at", range(12))
def test_a_full_disk_at_any_statement_does_it_once(tmp_path: Path, at: int) -> None:
    store = Store(sqlite(tmp_path / "event.db"))
    ledger = Ledger(store)
    fill_disk(store, at)
    first = ledger.perform("a", call)
    fault = first.exception()
    if fault is not None:
        assert isinstance(fault, StoreAway)
        assert ledger.state == State()
    done = first if fault is None else ledger.perform("a", call)
    assert done.result().revision == 1
    assert len(ledger.state.event.calls) == 1
    store.close()


@pytest.mark.parametrize("at", range(6))
def test_a_full_disk_at_any_statement_takes_entries_once(tmp_path: Path, at: int) -> None:
    store = Store(sqlite(tmp_path / "event.db"))
    games = Games(store)
    start, answer = Entry(0, "start", "1", answer={"book": "skirmish"}), Entry(1, "answer", "1", answer=[3])
    game = digest(1, start, "")
    head = digest(1, answer, game)
    chained = (start, "", game), (answer, game, head)
    lines = [json.dumps(each.as_json() | {"game": 1, "prev": prev, "hash": own}) for each, prev, own in chained]
    body = "\n".join(lines).encode()
    fill_disk(store, at)
    first = games.put("b" * 64, game, -1, body)
    fault = first.exception()
    if fault is not None:
        assert isinstance(fault, StoreAway)
        assert store.read(lambda db: games.total(db, "b" * 64)) == 0
    follow, have = (first if fault is None else games.put("b" * 64, game, -1, body)).result()
    assert (follow, have.last, have.hash) == (True, 1, head)
    assert store.read(lambda db: games.total(db, "b" * 64)) == 2
    store.close()


def test_an_address_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="postgresql://user@host/database"):
        Store("mysql://x")
    with pytest.raises(StoreAway):
        Store(sqlite(tmp_path / "missing" / "event.db"))
