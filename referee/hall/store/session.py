"""A session with PostgreSQL: which of several servers it is held with, and how long anything may take.

Of several servers the hall takes the one whose *mark* is highest: its timeline, which every promotion of a standby
raises, then its epoch, which every hall that opens the tables raises. A server whose mark is lower than the highest
that was seen before is an old primary that came back: what is written there would be lost.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from referee.errors import ConfigError, JournalNewer, StoreAway
from referee.hall.store.tables import Schema

T = TypeVar("T")

CONNECTING: Final = 2
"""How long a server may take to let the hall in, s; libpq knows no less."""
PATIENCE: Final = 4.0
"""How long it may take to answer, s: a commit that no standby confirms would wait for ever."""
OLDEST: Final = 13
"""The first release of PostgreSQL that serves."""
_LOOK: Final = """\
SELECT pg_is_in_recovery(), current_setting('server_version_num')::bigint,
CASE WHEN pg_is_in_recovery() THEN '0' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END,
to_regclass('{schema}.writer') IS NOT NULL"""


class Mark(NamedTuple):
    """How new a server is. ``timeline``: promotions of a standby; ``epoch``: halls that opened the tables."""

    timeline: int
    epoch: int


class Session(psycopg.Connection[tuple[Any, ...]]):
    """A connection on which nothing waits longer than `PATIENCE`. ``warned``: what the server warned of last."""

    warned = ""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for an answer. Raises psycopg.OperationalError."""
        return super().wait(gen, interval, PATIENCE if timeout is None else timeout)


class Offer(NamedTuple):
    """A server that answered. ``mark``: None for a standby."""

    session: Session
    mark: Mark | None


def servers(address: str) -> list[str]:
    """Return the conninfo of each server an address names. Raises ConfigError."""
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error as fault:
        raise ConfigError(f"store: expected an address like postgresql://user@host/database: {fault}") from fault
    parts.pop("target_session_attrs", None)  # a primary is chosen by its mark
    hosts, ports = str(parts.get("host") or "").split(","), str(parts.get("port") or "").split(",")
    if len(ports) not in (1, len(hosts)):
        raise ConfigError(f"store: expected one port or {len(hosts)}, as there are hosts; got {len(ports)}")
    ports = ports * len(hosts) if len(ports) == 1 else ports
    return [
        make_conninfo("", **parts | {"host": host or None, "port": port or None})
        for host, port in zip(hosts, ports, strict=True)
    ]


def shown(address: str) -> str:
    """Return an address as people may read it, without password. Raises ConfigError."""
    servers(address)
    parts = conninfo_to_dict(address)
    return f"postgresql {parts.get('host') or 'on this computer'}/{parts.get('dbname') or ''}"


def best(address: str, schema: Schema, *, standby: bool = False) -> Offer:
    """Return a session with the newest primary; ``standby``: with a standby where there is none.

    Raises StoreAway if none answers, JournalNewer if a server is too old for this release.
    """
    offers: list[Offer] = []
    faults: list[str] = []
    for conninfo in servers(address):
        try:
            offers.append(_offer(conninfo, schema))
        except psycopg.Error as fault:
            faults.append(" ".join(str(fault).split()))
    fit = [offer for offer in offers if offer.mark is not None or standby]
    choice = max(fit, key=lambda offer: offer.mark or Mark(-1, -1), default=None)
    for offer in offers:
        if offer is not choice:
            offer.session.close()
    if choice is None:
        faults += ["it is a standby, to which nothing can be written" for _ in offers]
        raise StoreAway(f"{shown(address)} is not there: {'; '.join(faults)}")
    return choice


def _offer(conninfo: str, schema: Schema) -> Offer:
    session = Session.connect(conninfo, autocommit=True, connect_timeout=CONNECTING, client_encoding="UTF8")
    try:
        session.add_notice_handler(lambda notice: _note(session, notice))
        rows = session.execute(_LOOK.format(schema=f"referee_{schema.name}").encode()).fetchall()
        ((recovering, version, timeline, there),) = rows
        if version < OLDEST * 10_000:
            raise JournalNewer(f"expected PostgreSQL {OLDEST} or later, not {version // 10_000}")
        if recovering:
            return Offer(session, None)
        epoch = 0
        if there:
            session.execute(f"SET search_path = referee_{schema.name}".encode())
            ((epoch,),) = session.execute("SELECT epoch FROM writer").fetchall()
        return Offer(session, Mark(int(timeline, 16), epoch))
    except BaseException:
        with suppress(psycopg.Error):
            session.close()
        raise


def _note(session: Session, notice: psycopg.errors.Diagnostic) -> None:
    if notice.severity_nonlocalized == "WARNING":
        session.warned = notice.message_primary or "WARNING"
