"""Every act tried by every role, and by nobody; every page, too. The table of docs/hall.md says the same."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from referee.hall.desk import Desk
from referee.hall.pages.organiser import BESIDE, rooms_of
from referee.hall.pages.render import Served
from referee.hall.staff import ROLES
from tests.hall.staff.conftest import HOST, Tablet
from tests.hall.visitor import Visitor

pytestmark = pytest.mark.once
DOCS = Path(__file__).parents[3] / "docs" / "hall.md"
ROOMS = rooms_of(Served(boxes=Mock(), staff=Mock()))
ACTS = {room.path: {do: does.roles for do, does in room.forms.items()} for room in ROOMS if room.forms}
PAGES = {room.path: room.roles for room in ROOMS} | BESIDE
EVERY_ACT = [(path, do) for path, acts in ACTS.items() for do in acts]
PATHS = sorted(set(PAGES) - {"/news", "/logout"})


@pytest.mark.parametrize("role", ROLES)
def test_an_act_is_done_by_its_roles_alone(role: str, tablet: Tablet, sixteen: Desk) -> None:
    visitor = tablet(role)
    for path, do in EVERY_ACT:
        before = sixteen.event
        answer = visitor.post(path, do)
        if role in ACTS[path][do]:
            assert answer.status in (200, 404, 422), (path, do)
        else:
            assert answer.status == 403, (path, do)
            assert sixteen.event is before


def test_nothing_is_done_and_nothing_shown_without_a_pass(stranger: Visitor, sixteen: Desk) -> None:
    before = sixteen.event
    for path, do in EVERY_ACT:
        assert stranger.post(path, do).status == 403
    for path in (*PATHS, "/nowhere"):
        answer = stranger.get(path)
        assert (answer.status, answer.headers["location"], answer.body) == (303, "/login", b"")
    assert stranger.get("/news").status == 403
    assert sixteen.event is before


@pytest.mark.parametrize("role", ROLES)
def test_a_page_is_shown_to_its_roles_alone(role: str, tablet: Tablet, sixteen: Desk) -> None:
    visitor = tablet(role)
    for path in PATHS:
        status = visitor.get(path).status
        assert (status in (200, 404)) == (role in PAGES[path]), path
    assert visitor.get("/nowhere").status == 403


@pytest.mark.parametrize("role", ROLES)
def test_a_page_has_no_form_that_would_be_refused(role: str, tablet: Tablet, sixteen: Desk) -> None:
    visitor = tablet(role)
    tablet("organiser").post("/round", "start", round=1)
    visitor.post("/judges", "call", table=1)
    visitor.post("/judges", "penalty", player=1, penalty="warning", why="late")
    for path in (path for path in ACTS if role in PAGES[path]):
        page = visitor.get(path).text
        shown = {do for do in ACTS[path] if f'name="do" value="{do}"' in page}
        assert shown <= {do for do in ACTS[path] if role in ACTS[path][do]}, path
        assert 'href="/print' not in page or role == "organiser"


def test_a_judge_and_a_scorekeeper_work_where_they_may(tablet: Tablet, sixteen: Desk) -> None:
    tablet("organiser").post("/round", "start", round=1)
    judge, scorekeeper = tablet("judge"), tablet("scorekeeper")
    assert "Table 4, since" in judge.post("/judges", "call", table=4).words
    judge.post("/judges", "claim", call=1)
    assert 'value="claim"' not in judge.get("/judges").text  # it is theirs; another judge may take it over
    assert 'value="claim"' in tablet("organiser").get("/judges").text
    judge.post("/judges", "resolve", call=1, why="play on")
    judge.post("/round", "extend", round=1, table=4, minutes=5, why="a ruling")
    assert "The slip of table 1 is entered" in scorekeeper.enter(round=1, table=1, game1="1:1").words
    assert "no-show:1" in judge.get("/round").text
    assert "no-show:1" not in scorekeeper.get("/round").text
    assert scorekeeper.enter(round=1, table=2, otherwise="no-show:1").status == 422
    judge.enter(round=1, table=2, otherwise="no-show:1")
    done = [(act.kind, act.who) for act in sixteen.acts[-6:]]
    assert done == [
        ("call opened", "judge 1"),
        ("call claimed", "judge 1"),
        ("call resolved", "judge 1"),
        ("extension", "judge 1"),
        ("result entered", "scorekeeper 1"),
        ("result entered", "judge 1"),
    ]


def test_a_draft_is_the_organisers_alone(tablet: Tablet, sixteen: Desk) -> None:
    organiser, judge = tablet("organiser"), tablet("judge")
    organiser.post("/round", "start", round=1)
    for table in range(1, 9):
        organiser.enter(round=1, table=table, game1="1:1")
    organiser.post("/round", "end", round=1)
    assert "This round is a draft" in organiser.post("/round", "draft").words
    for query in ("", "?round=2", "?round=1"):
        page = judge.get(f"/round{query}")
        assert "draft" not in page.words
        assert "This round is ended" in page.words or query == "?round=2"
        assert 'href="/round?round=2"' not in page.text


def test_the_documents_say_what_each_role_may_do() -> None:
    rows = []
    for path, acts in ACTS.items():
        for roles in dict.fromkeys(acts.values()):
            names = ", ".join(do for do in acts if acts[do] == roles)
            allowed = ", ".join(role for role in ROLES if role in roles) or "–"
            rows.append(f"| `{path}` | {names} | {allowed} |")
    text = DOCS.read_text(encoding="utf-8")
    section = text.partition("## Who may do what")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("| `/")] == rows


def test_the_host_is_checked(tablet: Tablet, sixteen: Desk) -> None:
    organiser = tablet("organiser")
    for host, status in ((HOST, 200), ("elsewhere.example:8443", 421), ("127.0.0.1", 421)):
        organiser.host = host
        assert organiser.get("/").status == status
