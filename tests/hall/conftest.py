"""A desk in a folder of its own, in files and in PostgreSQL, and who visits its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from referee.clock.settings import Settings as Clock
from referee.config import Config
from referee.hall import example
from referee.hall import store as stores
from referee.hall.desk import Desk
from referee.hall.event_key import save
from referee.hall.pages.news import News
from referee.hall.pages.public import public_app
from referee.testing.station import Bench
from tests.browsing import page_of_browser  # noqa: F401 - a fixture
from tests.components import POSTGRES
from tests.hall import process
from tests.hall.hours import Time
from tests.hall.postgres.databases import Databases
from tests.hall.postgres.servers import QUICK, Server, place
from tests.hall.room import Room
from tests.hall.table import Floor
from tests.hall.uplink.pair import EVENT_KEY, KEY, Hall
from tests.hall.visitor import Visitor, at_desk_of

NOW = 1_800_000_000.25
"""What every clock of these tests shows, s since 1970 UTC."""
PUBLIC = "192.0.2.7:8091"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run it in PostgreSQL, too, where it depends on what the hall keeps, and is not marked `once`."""
    if "store" in metafunc.fixturenames and metafunc.definition.get_closest_marker("once") is None:
        each = pytest.param("files", id=pytest.HIDDEN_PARAM), pytest.param("postgres", marks=pytest.mark.long)
        metafunc.parametrize("store", each, indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest) -> str:
    """Where halls in this process keep what they keep: "files", or "postgres"."""
    kind: str = getattr(request, "param", "files")
    if kind == "postgres":
        request.getfixturevalue("in_postgres")
    return kind


@pytest.fixture(scope="session")
def postgres() -> Path:
    """Where the programs of PostgreSQL are."""
    assert POSTGRES, "PostgreSQL's server is not installed"
    return POSTGRES


@pytest.fixture(scope="session")
def server(postgres: Path) -> Iterator[Server]:
    with place() as make:
        server = make("server")
        server.begin(*QUICK)
        server.start()
        yield server


@pytest.fixture(scope="session")
def all_databases(server: Server) -> Databases:
    return Databases(server)


@pytest.fixture
def databases(all_databases: Databases) -> Iterator[Databases]:
    yield all_databases
    all_databases.empty()


@pytest.fixture
def in_postgres(databases: Databases) -> Iterator[None]:
    """Every folder names a database of its own, as if its line were there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores, "address", databases.of)
        yield


@pytest.fixture
def time() -> Time:
    return Time(NOW)


@pytest.fixture
def desk(store: str, memory: Path, time: Time) -> Iterator[Desk]:
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
def hall(store: str, memory: Path) -> Iterator[Hall]:
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


@pytest.fixture(scope="module")
def example_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[process.Hall]:
    """`referee hall` with the example event."""
    with process.running("--example", "--staff-port", "0", state=tmp_path_factory.mktemp("state")) as started:
        yield started


@pytest.fixture
def room(browser: Chrome, example_hall: process.Hall) -> Room:
    """A browser that looks at the example."""
    return Room(browser, example_hall)
