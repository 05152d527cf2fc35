"""Pages that stay open while others act, and forms that come twice."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest

from referee.hall.desk import Desk
from referee.hall.example import fill
from referee.tournament import Event
from tests.hall.test_organiser import begun, playing
from tests.hall.visitor import HOST, Answer, Visitor, at_desk_of

FOUR = "Anna Ben Cid Eve"


@pytest.fixture
def other(desk: Desk) -> Visitor:
    """A second organiser."""
    return at_desk_of(desk)


def swapped(other: Visitor, event: Event) -> tuple[int, int]:
    """Let the first players of tables 1 and 2 exchange their places."""
    one, two = (pairing.players[0] for pairing in event.rounds[-1].pairings[:2])
    other.post("/round", "exchange", round=len(event.rounds), one=one, other=two, why="sat wrong")
    return one, two


def test_a_slip_keyed_on_an_old_page_gives_no_win_to_another_player(
    organiser: Visitor, other: Visitor, desk: Desk
) -> None:
    playing(organiser, "war-of-the-ring", FOUR)
    old = organiser.get("/round")
    one, two = swapped(other, desk.event)
    page = organiser.fill(old, "results", game1_1="1:1")
    assert page.status == 422
    assert not any(each.result for each in desk.event.rounds[0].pairings)
    (refusal,) = page.refusals()
    assert refusal.startswith(
        "nothing was done: something has changed since this page was loaded. organiser: pairing"
    )
    assert refusal.endswith("Look again.")
    assert '<option value="1:1" selected' not in page.text  # the seat is somebody else's now
    assert "The slip of table 1 is entered" in organiser.fill(page, "results", game1_1="1:1").words
    result = desk.event.rounds[0].pairings[0].result
    assert result is not None
    assert result.games[0].winner == two != one


def test_a_page_that_shows_other_tables_changed_is_not_old(organiser: Visitor, other: Visitor, desk: Desk) -> None:
    playing(organiser, "war-of-the-ring", FOUR)
    old = organiser.get("/round")
    other.enter(round=1, table=2, game1="1:1")
    assert "The slip of table 1 is entered" in organiser.fill(old, "results", game1_1="2:1").words
    assert organiser.fill(old, "results", game1_2="2:1").refusals()[0].startswith("nothing was done: ")


def test_only_the_draft_that_was_shown_is_published(organiser: Visitor, other: Visitor, desk: Desk) -> None:
    begun(organiser)
    organiser.post("/round", "draft")
    old = organiser.get("/round")
    swapped(other, desk.event)
    for do in ("publish", "discard", "draft"):
        page = organiser.fill(old, do)
        assert page.status == 422, do
        assert "pairing changed" in page.refusals()[0], do
        assert desk.event.rounds[0].state == "draft"
    organiser.fill(page, "publish")
    assert desk.event.rounds[0].state == "published"


@pytest.mark.parametrize(
    ("page", "do", "fields"),
    [
        ("/judges", "extend", {"table": 1, "minutes": 5, "why": "a call"}),
        ("/judges", "extend", {"table": "", "minutes": 5}),
        ("/judges", "penalty", {"player": 1, "penalty": "points", "points": 1, "why": "late"}),
    ],
)
def test_a_form_that_comes_twice_is_done_once_and_answered_twice(
    organiser: Visitor, desk: Desk, page: str, do: str, fields: dict[str, object]
) -> None:
    playing(organiser, "war-of-the-ring", FOUR)
    old = organiser.get(page)
    first = organiser.fill(old, do, **fields)
    done = desk.event
    again = organiser.fill(old, do, **fields)
    assert desk.event == done
    assert again.status == 200
    assert first.refusals() == again.refusals() == []


def test_two_posts_at_once_draw_one_draft(organiser: Visitor, desk: Desk) -> None:
    begun(organiser)
    old = organiser.get("/round")
    acts = len(desk.acts)
    mark = old.text.partition('name="seen" value="')[2].partition('"')[0]
    body = urlencode({"do": "draft", "seen": mark}).encode()
    headers = {"origin": f"http://{HOST}", "content-type": "application/x-www-form-urlencoded"}

    async def both() -> list[Answer]:
        return await asyncio.gather(*(organiser.answered("POST", "/round", body, headers) for _ in range(2)))

    sent = [each.status for each in asyncio.run(both())]
    assert sent == [303, 303]
    assert len(desk.acts) == acts + 1


def test_a_form_of_another_event_is_refused(organiser: Visitor, desk: Desk) -> None:
    fill(desk)
    page = organiser.post("/players", "drop", player=1, seen=f"{len(desk.acts)}-1-00000000")
    assert page.refusals()[0].startswith("nothing was done: the form is of another event")
    assert desk.event.players[1].state == "here"
