"""In by a code, out by logging out, by being taken back, by time; what a thief of a cookie or a form cannot do."""

from __future__ import annotations

import logging

import pytest

from referee.hall.desk import Desk
from referee.hall.staff import AT_STAFF, BURST_OF_ADDRESS, LIFE, ROLES, Access
from referee.web.passes import Passes
from tests.hall.staff.conftest import HOST, Clock, Tablet
from tests.hall.visitor import Visitor

pytestmark = pytest.mark.once
FORM = {"host": HOST, "origin": f"https://{HOST}", "content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(("role", "home"), [("organiser", "/"), ("judge", "/judges"), ("scorekeeper", "/round")])
def test_a_code_lets_a_tablet_in_to_the_page_of_its_role(
    stranger: Visitor, access: Access, sixteen: Desk, role: str, home: str
) -> None:
    code = access.invite(role).code
    answer = stranger.send("POST", "/login", f"code={code}".encode(), FORM)
    assert (answer.status, answer.headers["location"]) == (303, home)
    name, _, attributes = answer.headers["set-cookie"].partition("=")
    assert name == "__Host-referee-staff"
    assert set(attributes.lower().split("; ")[1:]) == {
        "httponly",
        f"max-age={LIFE:.0f}",
        "path=/",
        "samesite=strict",
        "secure",
    }
    stranger.cookie = answer.headers["set-cookie"].partition(";")[0]
    assert f"Log out, {role} 1" in stranger.get(home).words


def test_a_code_is_for_one_tablet_and_a_token_for_none_before_it(
    tablet: Tablet, stranger: Visitor, access: Access
) -> None:
    code = access.invite("judge").code
    stranger.cookie = f"{AT_STAFF.cookie}=chosen-by-somebody-else"
    stranger.post("/login", "", code=code)
    assert "chosen" not in stranger.cookie
    assert stranger.get("/judges").status == 200
    again = Visitor(stranger.app, HOST, scheme="https").post("/login", "", code=code)
    assert again.status == 403
    assert "each is used once" in again.words


def test_who_logs_out_is_out_and_the_browser_forgets(tablet: Tablet, access: Access) -> None:
    visitor = tablet("judge")
    cookie = visitor.cookie
    answer = visitor.send("POST", "/logout", b"", FORM)
    assert answer.headers["clear-site-data"] == '"cache", "storage"'
    assert "Max-Age=0" in answer.headers["set-cookie"]
    visitor.cookie = cookie
    assert visitor.get("/judges").status == 303
    assert access.staff() == []


def test_a_pass_that_was_taken_back_does_nothing_any_more(tablet: Tablet, access: Access, sixteen: Desk) -> None:
    visitor = tablet("judge")
    heard: list[int] = []
    access.listeners.append(lambda: heard.append(1))
    access.revoke(access.staff()[0].id)
    assert heard == [1]
    before = sixteen.event
    assert visitor.post("/judges", "call", table=1).status == 403
    assert visitor.get("/judges").status == 303
    assert sixteen.event is before


def test_a_form_that_was_on_its_way_when_the_pass_was_taken_back_does_nothing(
    tablet: Tablet, access: Access, sixteen: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor, before = tablet("judge"), sixteen.event
    now = sixteen.now

    def meanwhile() -> int:  # an act asks for the time, after the gate
        for each in access.staff():
            access.revoke(each.id)
        return now()

    monkeypatch.setattr(sixteen, "now", meanwhile)
    answer = visitor.post("/judges", "call", table=1)
    assert (answer.status, answer.text) == (403, "This browser has no access, or has lost it.\n")
    assert sixteen.event is before


def test_guessing_is_told_to_wait_and_stands_in_the_log_without_the_code(
    stranger: Visitor, access: Access, caplog: pytest.LogCaptureFixture
) -> None:
    code = access.invite("judge").code
    with caplog.at_level(logging.WARNING):
        for _ in range(BURST_OF_ADDRESS):
            assert stranger.post("/login", "", code="WRONG-ONE").status == 403
        answer = stranger.post("/login", "", code=code)
    assert (answer.status, answer.headers["retry-after"]) == (429, "5")
    assert len(caplog.records) == BURST_OF_ADDRESS + 1
    assert all("192.0.2.20 was not let in" in each.getMessage() for each in caplog.records)
    assert "WRONG" not in caplog.text
    assert code not in caplog.text


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "", f"http://{HOST}", "https://hall.local"])
def test_forms_of_other_sites_and_of_plain_http_are_refused(
    tablet: Tablet, sixteen: Desk, stranger: Visitor, access: Access, origin: str
) -> None:
    visitor, before = tablet("organiser"), sixteen.event
    sent = {name: value for name, value in (FORM | {"origin": origin}).items() if value}
    assert visitor.send("POST", "/round", b"do=start&round=1", sent).status == 403
    assert visitor.send("POST", "/logout", b"", sent).status == 403
    assert stranger.send("POST", "/login", f"code={access.invite('judge').code}".encode(), sent).status == 403
    assert sixteen.event is before
    assert visitor.send("POST", "/round", b"do=start&round=1", FORM).status == 303


@pytest.mark.parametrize("role", ["desk", "link"])
def test_what_opens_the_desk_does_not_open_the_staffs_port(access: Access, stranger: Visitor, role: str) -> None:
    token = access.link()
    if role == "desk":
        token = access.follow(token, "")
    stranger.cookie = f"{AT_STAFF.cookie}={token}"
    assert stranger.get("/round").status == 303


def test_a_pass_ends_after_a_long_day(desk: Desk) -> None:
    clock = Clock()
    passes = Passes(desk.folder / "staff.json", roles=ROLES, life=LIFE, wall=clock)
    token = passes.issue("judge", "judge 1")
    clock.now += LIFE - 1
    assert passes.role(token) == "judge"
    clock.now += 1
    assert passes.role(token) == ""
    assert passes.listed() == []
