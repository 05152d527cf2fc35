"""What everybody may see: phones, televisions, paper."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse

from referee.hall.desk import Desk
from referee.hall.pages import public as pages
from referee.hall.pages.render import MAX_PAGES, News, Pages, clock
from referee.hall.wishes import published
from referee.tournament import Game, Pairing, Result, draw_round, final_standings, standings
from referee.tournament.acts.matches import ResultEntered
from referee.tournament.acts.people import CallOpened, CheckedIn, PenaltyGiven, PlayerAdded, PlayerDropped
from referee.tournament.acts.rounds import ExtensionGiven, RoundEnded, RoundPaired, RoundPublished, RoundStarted
from referee.tournament.acts.stages import StageOpened
from tests.hall.conftest import PUBLIC
from tests.hall.test_organiser import begun, played
from tests.hall.visitor import Outline, Visitor

MARK: dict[str, Any] = {"who": "organiser", "at": 1_800_000_000_000}


def start(desk: Desk) -> None:
    desk.perform(RoundStarted(**MARK, round=1))


def win(desk: Desk, pairing: Pairing) -> None:
    """The first seat wins."""
    result = Result(games=(Game(pairing.players[0], "Ring"),))
    desk.perform(ResultEntered(**MARK, round=1, table=pairing.table, result=result, by="scorekeeper"))


def play(desk: Desk) -> None:
    """The first seat wins everywhere; the round ends."""
    for pairing in desk.event.rounds[0].pairings:
        win(desk, pairing)
    desk.perform(RoundEnded(**MARK, round=1))


def test_where_do_i_play(public: Visitor, sixteen: Desk) -> None:
    page = public.get("/")
    assert "Sit down at your table" in page.words
    assert "Aragorn 7 Samwise you: Shadow" in page.words
    assert "Samwise 7 Aragorn you: Free Peoples" in page.words
    found = public.get("/?name=theod").words  # in the letters that a phone has
    assert "Théoden" in found
    assert "Peregrin" not in found
    assert "Nobody of that name" in public.get("/?name=Sauron").words


def test_a_player_sees_where_to_play_and_what_was_played(public: Visitor, sixteen: Desk) -> None:
    page = public.get("/player?number=1")
    assert "Round 1 of 4 Table 7 Against Samwise You: Shadow" in page.words
    assert "data-ends" not in page.text
    start(sixteen)
    assert f'data-ends="{MARK["at"] + 240 * 60_000}"' in public.get("/player?number=1").text
    play(sixteen)
    page = public.get("/player?number=1")
    assert "Round 1 Table 7 Samwise Samwise won: Ring" in page.words
    place = next(row.place for row in standings(sixteen.event, sixteen.event.stage) if row.player == 1)
    assert f"Place {place} in the standings" in page.words
    sixteen.perform(PenaltyGiven(**MARK | {"why": "late"}, player=1, penalty="warning"))
    sixteen.perform(RoundPaired(**MARK, pairings=draw_round(sixteen.event, 2), seed=2))
    page = public.get("/player?number=1")
    assert "Round 2" not in page.words  # a draft
    assert "warning" not in page.words
    assert 'href="/player?number=1"' in public.get("/").text


def test_a_table_without_its_round_is_that_of_the_published_one(public: Visitor, sixteen: Desk) -> None:
    assert "Round 1, table 7 Match Samwise" in public.get("/table?table=7").words
    for nowhere in ("", "?table=99", "?table=6&round=2", "?table=6&round=x"):
        answer = public.get(f"/table{nowhere}")
        assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "Nobody plays at that table in a published round" in answer.words
        assert 'href="/">Where do I play?' in answer.text


def test_the_round_clock_and_the_standings(public: Visitor, sixteen: Desk) -> None:
    start(sixteen)
    ends = MARK["at"] + 240 * 60_000
    assert f'data-ends="{ends}" data-now="1800000000250"' in public.get("/").text
    sixteen.perform(ExtensionGiven(**MARK | {"why": "a call"}, round=1, table=7, ms=600_000))
    assert f'data-ends="{ends}"' in public.get("/").text  # what holds for all others
    assert f"your table: until {clock(ends + 600_000)}" in public.get("/?name=aragorn").words
    assert "your table:" not in public.get("/?name=frodo").words
    play(sixteen)
    words = public.get("/standings").words
    assert "Swiss, after round 1 of 4." in words
    first = sixteen.event.rounds[0].pairings[0].players[0]
    assert f"{sixteen.names.player(first)} 3 0" in words
    sixteen.perform(PlayerDropped(**MARK | {"why": "the last train"}, player=first))
    words = public.get("/standings").words
    assert f"{sixteen.names.player(first)} dropped 3 0" in words
    assert "train" not in words
    assert "you: Free Peoples Result: Samwise won: Ring" in public.get("/").words


def test_calls_penalties_reasons_and_drafts_are_not_public(public: Visitor, sixteen: Desk) -> None:
    start(sixteen)
    play(sixteen)
    before = [public.get(path).words for path in ("/", "/standings", "/tv")]
    draft = RoundPaired(**MARK, pairings=draw_round(sixteen.event, 2), seed=2)
    sixteen.perform(draft)
    sixteen.perform(CallOpened(**MARK, table=1))
    sixteen.perform(PenaltyGiven(**MARK | {"why": "slow play"}, player=1, penalty="warning"))
    sixteen.perform(PlayerAdded(**MARK, player=17))
    assert [public.get(path).words for path in ("/", "/standings", "/tv")] == before


def test_a_television_turns_through_all_pages_by_itself(public: Visitor, sixteen: Desk) -> None:
    start(sixteen)
    win(sixteen, sixteen.event.rounds[0].pairings[0])
    count = len(pages.screens(sixteen, published(sixteen.event), sixteen.event.stage))
    assert count == 3  # pairings, clock, standings
    seen, path = [], "/tv"
    for _ in range(count):
        page = public.get(path)
        (seconds, path) = re.findall(r'http-equiv="refresh" content="(\d+); url=([^"]*)"', page.text)[0]
        assert int(seconds) == pages.SECONDS
        seen.append(page.words)
    assert path == "/tv?page=1"  # and round again
    assert "your table" in seen[0]
    assert "Until" in seen[1]
    assert "Standings" in seen[2]
    for player in sixteen.event.players:
        assert sixteen.names.player(player) in seen[0]
    held = public.get("/tv?page=2&hold=1")
    assert "http-equiv" not in held.text
    assert 'data-following=""' in held.text
    assert "go on" in held.words


def test_what_a_television_says_before_there_is_anything(public: Visitor, desk: Desk) -> None:
    assert f"Welcome Where do I play? http://{public.host}/" in public.get("/tv").words
    assert "No round is published yet" in public.get("/").words
    assert "There are no standings yet" in public.get("/standings").words


def test_public_pages_have_labels_and_landmarks(public: Visitor, sixteen: Desk) -> None:
    for path in ("/", "/standings", "/player?number=3"):
        outline = Outline(public.get(path).text)
        assert outline.landmarks == ["header", "nav", "main"]
        assert [field["name"] for field in outline.fields if field.get("id") not in outline.labels] == []
        assert outline.heads[0] == 1
    assert Outline(public.get("/tv").text).landmarks == ["main", "footer"]


def test_paper_has_everything_to_go_on_without_a_computer(organiser: Visitor, sixteen: Desk) -> None:
    pairings = organiser.get("/print/pairings").words
    assert "On your phone, in the network of this event" in pairings
    assert "<title>Where do I play?</title>" in organiser.get("/print/pairings").text  # of the code
    assert "Aragorn 7" in pairings
    assert "7 Samwise (Free Peoples) – Aragorn (Shadow)" in pairings
    assert pairings.count(": Round 1 of 4 ") == 2  # on each sheet
    slips = organiser.get("/print/slips")
    assert "Bids" not in slips.words
    assert slips.text.count("paper-slip") == 8
    assert slips.text.count('class="line"') == 16  # each seat signs
    assert "Kind of win: Ring ☐ military ☐ Nobody won: draw ☐" in slips.words
    assert "Aragorn no. 1 " in slips.words  # the number, for pairings by hand
    assert "Standings, no round was played yet" in organiser.get("/print/standings").words
    paper = organiser.get("/print/paper").words  # with room for the points of each round
    assert "No. Name Here R1 R2 R3 R4 Sum 1 Aragorn" in paper


def test_many_phones_at_one_time_are_given_one_page(
    public: Visitor, sixteen: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    usual = Pages.render

    def render(own: Pages, template: str, **values: Any) -> str:
        made.append(template)
        return usual(own, template, **values)

    monkeypatch.setattr(Pages, "render", render)
    start(sixteen)
    for _ in range(50):
        plain = public.get("/")
        packed = public.send("GET", "/", b"", {"host": PUBLIC, "accept-encoding": "gzip"})
        assert (packed.headers["content-encoding"], gzip.decompress(packed.body)) == ("gzip", plain.body)
    assert made == ["public_places.html", "public_pairings.html"]
    win(sixteen, sixteen.event.rounds[0].at(7))
    assert "Result: Samwise won: Ring" in public.get("/").words, "nothing old is shown"
    assert len({public.get(f"/?name={each}").status for each in range(2 * pages.MOST_MADE)}) == 1


def test_after_a_cut_everybody_finds_the_own_place(organiser: Visitor, public: Visitor, desk: Desk) -> None:
    begun(organiser)
    played(organiser, desk)
    assert "The whole event" not in public.get("/standings").words
    played(organiser, desk)
    organiser.post("/standings", "cut", size=2)
    organiser.post("/setup", "open-stage", format="single elimination", match="one game", sides="none")
    organiser.post("/round", "draft")
    assert "Part 2" not in public.get("/standings").words  # nobody knows of a draft
    for do in ("publish", "start"):
        organiser.post("/round", do, round=3)
    everybody = {desk.names.player(number) for number in desk.event.players}
    for path in ("/standings", "/standings?stage=2", "/standings?stage=1"):
        page = public.get(path)
        assert all(name in page.words for name in everybody), path
        assert '<a href="/standings?stage=1"' in page.text
    assert "Swiss, after round 2 of 2." in public.get("/standings?stage=1").words
    assert "Single elimination, round 1 is played." in public.get("/standings?stage=3").words
    rows = final_standings(desk.event)
    last = rows[-1]
    assert f"Place {last.place} in the standings" in public.get(f"/player?number={last.player}").words
    shown = [public.get(f"/tv?page={page}").words for page in range(1, 5)]
    (whole,) = (words for words in shown if "The whole event" in words)
    assert all(f"{row.place} {desk.names.player(row.player)}" in whole for row in rows)

    organiser.post("/round", "results", round=3, game1_1="1:1")
    shown = [public.get(f"/tv?page={page}").words for page in range(1, 5)]
    (stage,) = (words for words in shown if words.startswith("Standings"))
    assert "how far" not in stage


def test_a_bye_of_a_bracket_stands_wherever_a_player_is_looked_for(public: Visitor, desk: Desk) -> None:
    """T2: six players in a single elimination; the two best seeds play from the second round on."""
    names = ["Aragorn", "Boromir", "Celeborn", "Denethor", "Elrond", "Faramir"]
    for number, name in enumerate(names, 1):
        desk.perform(PlayerAdded(**MARK, player=number), names={"player": {number: name}})
        desk.perform(CheckedIn(**MARK, player=number))
    desk.perform(StageOpened(**MARK, format="single elimination", players=tuple(range(1, 7))))
    desk.perform(RoundPaired(**MARK, pairings=draw_round(desk.event, 1), seed=1))
    desk.perform(RoundPublished(**MARK, round=1))
    assert "Aragorn bye" in public.get("/").words
    assert "Boromir bye" in public.get("/?name=bor").words
    assert "Round 1: semifinal" not in public.get("/").words
    assert "Round 1: quarterfinal Bye" in public.get("/player?number=1").words
    rows = [row for screen in pages.screens(desk, published(desk.event), None) for row in screen.columns[0]]
    assert ("bye", 1, "") in rows


async def listens(news: News) -> AsyncIterator[str] | None:
    """Have one more page listen; return what it hears, None if it is refused."""
    answer = await news(Request({"type": "http", "headers": [], "client": ("192.0.2.66", 5000)}))
    if not isinstance(answer, StreamingResponse):
        assert answer.status_code == 503
        return None
    stream = answer.body_iterator
    assert isinstance(stream, AsyncIterator)
    assert await anext(stream) == "data: 7\n\n"
    return stream


def test_so_many_pages_listen_and_no_more() -> None:
    async def play() -> None:
        news = News(lambda: 7)
        streams = [await listens(news) for _ in range(MAX_PAGES)]
        assert None not in streams
        assert await listens(news) is None
        assert streams[0] is not None
        await streams[0].aclose()  # type: ignore[attr-defined]
        assert await listens(news) is not None

    asyncio.run(play())
