"""A client that means no good, at the staff's port: paths, methods, cookies and bodies of every shape."""

from __future__ import annotations

import random

import pytest

from referee.hall.desk import Desk
from referee.hall.staff import AT_STAFF, Access, at_desk
from tests.hall.staff.conftest import HOST, Tablet
from tests.hall.visitor import Visitor

pytestmark = pytest.mark.once
FORM = {"host": HOST, "origin": f"https://{HOST}", "content-type": "application/x-www-form-urlencoded"}
PATHS = (
    "/files/../round", "/files/..%2fround", "/files//etc/passwd", "/files/../../hall.db", "/files/%2e%2e/names.db",
    "//round", "/round/", "/ROUND", "/round%00", "/login/../round", "/./round", "/staff.json", "/staff.pem",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_around_the_gate_or_to_a_file(
    stranger: Visitor, tablet: Tablet, sixteen: Desk, path: str
) -> None:
    for visitor in (stranger, tablet("scorekeeper")):
        answer = visitor.get(path)
        assert answer.status in (303, 403, 404)
        assert "Meriadoc" not in answer.text


def test_cookies_of_every_shape_let_nobody_in(stranger: Visitor, access: Access, tablet: Tablet) -> None:
    chance = random.Random(1)
    token = tablet("organiser").cookie.partition("=")[2]
    name = AT_STAFF.cookie
    cookies = [f"{name}={wrong}" for wrong in ("", token[:-1], f"{token}x", token.swapcase(), "x" * 4000)]
    cookies += [f"{name.lower()}={token}", f"={token}", f"referee-staff={token}", ";" * 500]
    cookies += ["".join(chance.choice('=; "abc' + token) for _ in range(60)) for _ in range(300)]
    for cookie in cookies:
        stranger.cookie = cookie
        assert stranger.get("/round").status == 303, cookie


def test_a_forged_cookie_beside_the_right_one_does_not_change_who_it_is(tablet: Tablet, sixteen: Desk) -> None:
    judge, organiser = tablet("judge"), tablet("organiser")
    judge.cookie = f"role=organiser; {judge.cookie}; who=organiser 1"
    assert judge.get("/setup").status == 403
    assert judge.post("/judges", "call", table=1, who="organiser 9", role="desk").status == 200
    assert sixteen.acts[-1].who == "judge 1"
    assert organiser.get("/setup").status == 200


def test_the_doors_differ_in_cookie_and_in_who_is_let_in(tablet: Tablet, organiser: Visitor) -> None:
    token = tablet("organiser").cookie.partition("=")[2]
    organiser.cookie = f"{at_desk(8090).cookie}={token}"
    assert organiser.get("/staff").status == 303


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"])
def test_no_other_method_does_anything(tablet: Tablet, stranger: Visitor, sixteen: Desk, method: str) -> None:
    before = sixteen.event
    for visitor in (tablet("organiser"), stranger):
        for path in ("/", "/round", "/judges", "/record", "/login", "/news"):
            assert visitor.send(method, path, b"do=draft&round=1", FORM).status in (403, 404, 405)
    assert sixteen.event is before
