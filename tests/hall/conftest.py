"""A desk in a folder of its own, and who visits its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.pages.news import News
from referee.hall.pages.organiser import organiser_app
from referee.hall.pages.public import public_app
from referee.hall.staff.access import Access, passes_of
from referee.hall.staff.gate import at_desk
from tests.hall.visitor import HOST, Visitor

NOW = 1_800_000_000.25
"""What every clock of these tests shows, s since 1970 UTC."""
PUBLIC = "192.0.2.7:8091"


@pytest.fixture
def desk(memory: Path) -> Iterator[Desk]:
    with Desk(memory / "event", clock=lambda: NOW) as opened:
        yield opened


@pytest.fixture
def access(desk: Desk) -> Access:
    return Access(passes_of(desk.folder), clock=lambda: NOW)


@pytest.fixture
def organiser(desk: Desk, access: Access) -> Visitor:
    seeds = iter(range(1, 10_000))
    door = at_desk(8090)
    app = organiser_app(
        desk,
        News(lambda: len(desk.acts)),
        access=access,
        door=door,
        allowed_hosts=[HOST],
        public=f"http://{PUBLIC}/",
        seed=lambda: next(seeds),
    )
    return Visitor(app, cookie=f"{door.cookie}={access.follow(access.link(), '')}")


@pytest.fixture
def public(desk: Desk) -> Visitor:
    return Visitor(public_app(desk, News(lambda: len(desk.acts)), allowed_hosts=[PUBLIC]), PUBLIC)


@pytest.fixture
def sixteen(desk: Desk) -> Desk:
    """The example: sixteen players, round 1 published."""
    example.fill(desk)
    return desk
