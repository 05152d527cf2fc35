"""The staff's port at the seam where the server calls the application: tablets of each role."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from starlette.types import ASGIApp

from referee.hall.desk import Desk
from referee.hall.pages.organiser import organiser_app
from referee.hall.pages.render import News
from referee.hall.staff import AT_STAFF, Access, passes_of
from referee.web.passes import Passes
from tests.hall.visitor import Visitor

HOST = "hall.local:8443"
ADDRESS = "192.0.2.20"
Tablet: TypeAlias = Callable[[str], Visitor]


class Clock:
    """A clock that a test sets, s."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def passes(desk: Desk) -> Passes:
    return passes_of(desk.folder)


@pytest.fixture
def access(passes: Passes, clock: Clock) -> Access:
    return Access(passes, clock=clock)


@pytest.fixture
def app(desk: Desk, access: Access) -> ASGIApp:
    news = News(lambda: len(desk.acts))
    seeds = iter(range(1, 10_000))
    given: dict[str, Any] = {"public": "http://192.0.2.7:8091/", "seed": lambda: next(seeds)}
    return organiser_app(desk, news, access=access, door=AT_STAFF, allowed_hosts=[HOST], **given)


@pytest.fixture
def stranger(app: ASGIApp) -> Visitor:
    return Visitor(app, HOST, scheme="https", address=ADDRESS)


@pytest.fixture
def tablet(app: ASGIApp, access: Access) -> Tablet:
    """A tablet that was let in with a code."""

    def let_in(role: str) -> Visitor:
        visitor = Visitor(app, HOST, scheme="https", address=ADDRESS)
        assert visitor.post("/login", "", code=access.invite(role).code).status == 200
        return visitor

    return let_in
