"""A desk in a folder of its own, in files and in PostgreSQL, and who visits its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from referee.config import ClockSettings, Config
from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.pages.public import public_app
from referee.hall.pages.render import News
from referee.hall.store import Store, sqlite
from referee.station.virtual.bench import Bench
from tests.browsing import page_of_browser  # noqa: F401 - a fixture
from tests.components import POSTGRES
from tests.hall import process
from tests.hall.hours import Time
from tests.hall.postgres.databases import Databases
from tests.hall.postgres.servers import QUICK, Server, place
from tests.hall.room import Room
from tests.hall.table import Floor
from tests.hall.visitor import Visitor, at_desk_of

NOW = 1_800_000_000.25  # what every clock of these tests shows, s since 1970 UTC
PUBLIC = "192.0.2.7:8091"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run it in PostgreSQL, too, where it depends on what the hall keeps, and is not marked `once`."""
    if "store" in metafunc.fixturenames and metafunc.definition.get_closest_marker("once") is None:
        each = pytest.param("files", id=pytest.HIDDEN_PARAM), pytest.param("postgres", marks=pytest.mark.long)
        metafunc.parametrize("store", each, indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest) -> str:
    """Where halls in this process keep what they keep: "files", or "postgres"."""
    return str(getattr(request, "param", "files"))


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
def time() -> Time:
    return Time(NOW)


@pytest.fixture
def desk(request: pytest.FixtureRequest, store: str, memory: Path, time: Time) -> Iterator[Desk]:
    folder = memory / "event"
    address = ""
    if store == "postgres":
        databases: Databases = request.getfixturevalue("databases")
        address = databases.of(folder)
    with Desk(folder, store=address, clock=time) as opened:
        yield opened


@pytest.fixture
def organiser(desk: Desk) -> Visitor:
    seeds = iter(range(1, 10_000))
    return at_desk_of(desk, seed=lambda: next(seeds))


@pytest.fixture
def public(desk: Desk) -> Visitor:
    return Visitor(
        public_app(desk, News(lambda: len(desk.acts)), allowed_hosts=[PUBLIC], address=f"http://{PUBLIC}/"), PUBLIC
    )


@pytest.fixture
def sixteen(desk: Desk) -> Desk:
    """The example: sixteen players, round 1 published."""
    example.fill(desk)
    return desk


@pytest.fixture
def bench(memory: Path) -> Iterator[Bench]:
    with Bench(memory / "box" / "journal.db", Config(clock=ClockSettings(use="start"))) as opened:
        yield opened
        assert opened.misfits == []


@pytest.fixture
def early(sixteen: Desk, bench: Bench) -> Iterator[Floor]:
    """A table before its first game, its seating on the glass."""
    with Floor(sixteen, bench) as floor:
        yield floor


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


Open = Callable[[], Store]  # opens the same event again, as another hall does


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.long)])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    if request.param == "file":
        address = sqlite(tmp_path / "event.db")
    else:
        databases: Databases = request.getfixturevalue("databases")
        address = databases.of(tmp_path)
    with ExitStack() as stack:

        def opened() -> Store:
            store = Store(address)
            stack.callback(store.close)
            return store

        yield opened
