"""A primary and two standbys, and what whoever runs them does when the primary is gone (docs/hall.md)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import psycopg

from tests.hall.postgres.servers import Server, place

NAMES = ("one", "two", "three")
DATABASE = "event"
KEEP = "wal_keep_size=128MB"  # so that a standby finds what it lacks at a primary that was one


class Cluster:
    """``primary`` is the server that is written to; the others follow it."""

    def __init__(self, make: Callable[[str], Server], names: Sequence[str]) -> None:
        self.servers = {name: make(name) for name in names}
        self.primary = self.servers[names[0]]
        self.primary.begin(KEEP)
        self.primary.start()
        with psycopg.connect(self.primary.address("postgres"), autocommit=True) as session:
            session.execute(f"CREATE DATABASE {DATABASE}".encode())
        for name in names[1:]:
            self.servers[name].follow(self.primary, name)
            self.servers[name].start()
        self._quorum = [f"synchronous_standby_names='ANY 1 ({', '.join(names)})'"] if names[1:] else []
        for server in self.servers.values():
            server.configure(*self._quorum)
            server.reload()

    @property
    def address(self) -> str:
        """The line that names all three."""
        places = ",".join(f"127.0.0.1:{server.port}" for server in self.servers.values())
        return f"postgresql://hall@{places}/{DATABASE}?target_session_attrs=read-write&connect_timeout=3"

    def fail_over(self) -> Server:
        """Kill the primary; promote the standby that has more, let the other one follow; return the old one."""
        old = self.primary
        old.kill()
        standbys = {name: server for name, server in self.servers.items() if server is not old}
        new = max(standbys, key=lambda name: _received(standbys[name]))
        self.primary = standbys.pop(new)
        self.primary.promote()
        for name, server in standbys.items():
            server.configure(self.primary.followed_by(name))
            server.reload()
        return old

    def take_back(self, old: Server) -> None:
        """Make an old primary a standby of the new one, on an empty folder."""
        (name,) = (name for name, server in self.servers.items() if server is old)
        old.stop()
        old.empty()
        old.follow(self.primary, name)
        old.start()

    def restart(self) -> None:
        """Kill the primary, and start it again as it was."""
        self.primary.kill()
        self.primary.start()


def _received(standby: Server) -> int:
    """Return how much a standby has, once it has read all that a dead primary had sent it."""
    with psycopg.connect(standby.address("postgres"), autocommit=True) as session:
        while session.execute("SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming'").fetchall():
            time.sleep(0.01)
        ((lsn,),) = session.execute("SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn").fetchall()
        return int(lsn)


@contextmanager
def cluster(names: Sequence[str] = NAMES) -> Iterator[Cluster]:
    """Run one while the context is open. ``names``: of its servers, the first primary first."""
    with place() as make:
        yield Cluster(make, names)
