"""A desk in a folder of its own, and who visits its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.clock.settings import Settings as Clock
from referee.config import Config
from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.event_key import save
from referee.hall.pages.news import News
from referee.hall.pages.public import public_app
from referee.testing.station import Bench
from tests.hall.hours import Time
from tests.hall.table import Floor
from tests.hall.uplink.pair import EVENT_KEY, KEY, Hall
from tests.hall.visitor import Visitor, at_desk_of

NOW = 1_800_000_000.25
"""What every clock of these tests shows, s since 1970 UTC."""
PUBLIC = "192.0.2.7:8091"


@pytest.fixture
def time() -> Time:
    return Time(NOW)


@pytest.fixture
def desk(memory: Path, time: Time) -> Iterator[Desk]:
    (memory / "event").mkdir()
    save(memory / "event", EVENT_KEY)  # that of the halls which tests talk to
    with Desk(memory / "event", clock=time) as opened:
        yield opened


@pytest.fixture
def organiser(desk: Desk) -> Visitor:
    seeds = iter(range(1, 10_000))
    return at_desk_of(desk, seed=lambda: next(seeds))


@pytest.fixture
def public(desk: Desk) -> Visitor:
    return Visitor(public_app(desk, News(lambda: len(desk.acts)), allowed_hosts=[PUBLIC]), PUBLIC)


@pytest.fixture
def sixteen(desk: Desk) -> Desk:
    """The example: sixteen players, round 1 published."""
    example.fill(desk)
    return desk


@pytest.fixture
def hall(memory: Path) -> Iterator[Hall]:
    """A hall on a real intake, with which a box is paired."""
    hall = Hall(memory / "intake.db")
    hall.side.intake.admit(KEY.public)
    yield hall
    hall.side.intake.close()


@pytest.fixture
def bench(memory: Path) -> Iterator[Bench]:
    with Bench(memory / "box" / "journal.db", Config(clock=Clock(use="start"))) as opened:
        yield opened
        assert opened.misfits == []


@pytest.fixture
def early(sixteen: Desk, memory: Path, bench: Bench) -> Iterator[Floor]:
    """A table before its first game, its seating on the glass."""
    loop = asyncio.new_event_loop()
    floor = Floor(sixteen, memory, bench, loop)
    yield floor
    floor.hall.side.intake.close()
    loop.close()


@pytest.fixture
def floor(early: Floor) -> Floor:
    """A table that has begun to play."""
    early.bench.key("back")
    early.bench.play("war-of-the-ring")
    early.carry()
    early.bench.wait(1.0)
    return early
