"""A primary is killed and a synchronous standby promoted, under several halls: nothing answered is lost."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from referee.errors import StoreAway
from referee.hall.boxes import Tokens, hashed
from referee.hall.desk import Desk
from referee.hall.ledger import InDoubt
from referee.tournament.acts.people import PlayerAdded
from tests.hall.postgres.cluster import Cluster, cluster
from tests.station.hall.kills import Fleet, judge

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("postgres")]
PATIENCE = 60.0


def add(desk: Desk, number: int) -> None:
    """Do an act, and ask again until the database answers."""
    until = time.monotonic() + PATIENCE
    while True:
        with suppress(StoreAway):
            desk.follow()
            desk.perform(PlayerAdded(who="organiser", at=1, player=number))
            return
        assert time.monotonic() < until


def test_four_halls_lose_no_answered_act_when_the_primary_dies(tmp_path: Path) -> None:
    with cluster() as servers, ExitStack() as stack:
        halls = [stack.enter_context(Desk(tmp_path / f"hall-{n}", store=servers.address)) for n in range(4)]
        for number in range(1, 41):
            add(halls[number % 4], number)
            if number == 20:
                servers.fail_over()
        for each in halls:
            each.follow()
            assert sorted(each.event.players) == list(range(1, 41))
            assert each.ledger.state == halls[0].ledger.state


def test_a_primary_that_comes_back_old_does_nothing(tmp_path: Path) -> None:
    with cluster() as servers:
        with closing(Desk(tmp_path / "hall", store=servers.address)) as hall:
            Tokens(hall.store, hall.now).admit([hashed("t")])
            add(hall, 1)
            old = servers.fail_over()
            add(hall, 2)
            newest = hall.ledger.pair()
        old.configure("synchronous_standby_names=''")  # else it waits for standbys that follow another one now
        old.start()
        address = old.address("event")
        with closing(Desk(tmp_path / "other", store=address)) as hall:
            assert list(hall.event.players) == [1]
            written = hall.ledger.compare(newest, hashed("t"), 1)
            assert written is not None
            written.result()
            with pytest.raises(InDoubt):
                hall.perform(PlayerAdded(who="organiser", at=1, player=3))


def fail_over(servers: Cluster, fleet: Fleet) -> None:
    old = servers.fail_over()
    fleet.live(1.0)
    servers.take_back(old)


def test_boxes_lose_nothing_when_the_primary_dies_twice(tmp_path: Path) -> None:
    with cluster() as servers:
        fleet = Fleet(tmp_path, 3, servers, halls=4)
        try:
            for _ in range(2):
                fleet.live(2.0)
                fail_over(servers, fleet)
            fleet.live(2.0)
            faults = fleet.rest()
        finally:
            fleet.close()
        entries, acts, wrong = judge(fleet)
    assert [*faults, *wrong] == []
    assert entries > 0
    assert acts > 0
