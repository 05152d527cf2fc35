"""The calls of a box, over real HTTPS by the box's own link, and by plain requests as `curl` makes them."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from sqlalchemy import Connection, event

from referee.hall.boxes import MOST_TRIES, Boxes, hashed
from referee.hall.calls import Calls
from referee.hall.desk import Desk
from referee.hall.pages.public import public_app
from referee.hall.pages.render import News, Served
from referee.hall.tls import for_boxes
from referee.hall.wishes import MOST
from referee.session.wish import Player, Wish
from referee.station.hall.line import Answer, Line, Names
from referee.station.virtual.bench import Bench
from referee.tournament import Seats
from referee.tournament.acts import Act
from referee.tournament.acts.people import BoxPlaced, CheckedIn, PlayerAdded
from referee.tournament.acts.rounds import ExtensionGiven, RoundPaired, RoundPublished, RoundStarted
from referee.tournament.acts.stages import StageOpened
from tests.hall.hours import Time
from tests.hall.served import config
from tests.hall.visitor import Visitor, at_desk_of

PATIENCE = 30.0


class Hall:
    """A hall that serves the calls."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.ledger = desk, desk.ledger
        shown = for_boxes(desk.folder)
        self.pem, self.certificate = shown.path, shown.digest
        self.boxes = Boxes(desk, "", self.certificate)
        self.calls = Calls(desk, self.boxes)

    @contextmanager
    def serving(self) -> Iterator[int]:
        set_up = config(self.calls, self.pem, 0)
        server = uvicorn.Server(set_up)
        ports: list[int] = []
        started = threading.Event()

        async def serve() -> None:
            set_up.load()
            server.lifespan = set_up.lifespan_class(set_up)
            await server.startup()
            ports.append(server.servers[0].sockets[0].getsockname()[1])
            started.set()
            await server.main_loop()
            await server.shutdown()

        thread = threading.Thread(target=asyncio.run, args=(serve(),))
        thread.start()
        assert started.wait(PATIENCE)
        try:
            yield ports[0]
        finally:
            server.should_exit = True
            self.calls.close()
            thread.join()

    def act(self, *acts: Act) -> None:
        self.desk.perform(*acts)

    def place(self, box: str, table: int) -> None:
        """Have a box stand at a table of the published round, and start that."""
        mark: dict[str, Any] = {"who": "organiser", "at": self.desk.now()}
        self.desk.perform(BoxPlaced(**mark, table=table, box=box), RoundStarted(**mark, round=1))

    def start_round(self, *boxes: str) -> None:
        """Publish and start round 1 of four players, with boxes at its first tables."""
        mark: dict[str, Any] = {"who": "organiser", "at": self.desk.now()}
        players = (1, 2, 3, 4)
        self.act(*(PlayerAdded(**mark, player=each) for each in players))
        self.act(*(CheckedIn(**mark, player=each) for each in players))
        self.act(StageOpened(**mark, format="swiss", sides="none", players=players, rounds=2, seed=1))
        self.act(RoundPaired(**mark, pairings=(Seats(1, (1, 2)), Seats(2, (3, 4))), seed=1))
        self.act(*(BoxPlaced(**mark, table=table, box=box) for table, box in enumerate(boxes, 1)))
        self.act(RoundPublished(**mark, round=1), RoundStarted(**mark, round=1))


class Box:
    """Somebody who speaks the calls, with no box at all."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def say(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._line.call(method, path, data, limit=PATIENCE, headers=headers)

    def put(self, entries: list[dict[str, Any]], after: int, game: str) -> Answer:
        lines = b"".join(json.dumps(each).encode() + b"\n" for each in entries)
        return self.say("PUT", f"/api/games/{game}/entries?after={after}", lines)


class Member(Box):
    """It over a hall that runs here. ``carries``: headers of its calls."""

    def __init__(self, hall: Hall, port: int) -> None:
        self.carries: dict[str, str] = {}
        super().__init__(Line(Names("127.0.0.1", port), hall.certificate, lambda: self.carries))

    def join(self, hall: Hall) -> str:
        """Be added, by a code; return the box."""
        token = self.say("POST", "/api/boxes", {"code": hall.boxes.tokens.offer()}).body["token"]
        self.carries = {"Authorization": f"Bearer {token}"}
        return hall.boxes.tokens.find(hashed(token))

    def close(self) -> None:
        self._line.close()


def public_of(desk: Desk, served: Served) -> Visitor:
    return Visitor(public_app(desk, News(lambda: 0), allowed_hosts=["hall.local"], served=served), "hall.local")


@pytest.fixture
def hall(desk: Desk) -> Hall:
    return Hall(desk)


@pytest.fixture
def box(hall: Hall) -> Iterator[Member]:
    with hall.serving() as port:
        box = Member(hall, port)
        yield box
        box.close()


@pytest.fixture
def entries(bench: Bench) -> list[dict[str, Any]]:
    """Those of a game."""
    bench.play("battle-of-the-ring")
    bench.key("1", "2", "1")
    return list(bench.journal.records(1))


def test_a_match_is_played_by_plain_requests(hall: Hall, box: Member) -> None:
    hall.start_round(box.join(hall))
    answer = box.say("GET", "/api/table")
    wish = Wish.from_json(answer.body)
    assert (wish.seating.round, wish.seating.table) == (1, 1)
    assert wish.seating.players == (Player(1, "Player 1"), Player(2, "Player 2"))
    about = {"round": 1, "table": 1, "players": [1, 2]}
    called = box.say("POST", "/api/acts", {"id": "c" * 64, "kind": "call", **about})
    assert called.body["done"] is True
    slip = {"id": "a" * 64, "kind": "slip", **about, "result": {"games": [{"winner": 1}]}}
    first = box.say("POST", "/api/acts", slip)
    assert (first.body, box.say("POST", "/api/acts", slip).body) == (first.body, first.body)
    result = hall.ledger.state.event.round(1).at(1).result
    assert result is not None
    assert result.winner((1, 2)) == 1
    late = box.say("POST", "/api/acts", {**slip, "id": "b" * 64, "round": 2})
    assert (late.body["done"], late.body["why"]) == (False, "It waits until round 2 is published")


def test_a_poll_waits_until_its_table_is_touched(hall: Hall, box: Member) -> None:
    hall.start_round(box.join(hall))
    tag = box.say("GET", "/api/table").headers["etag"]
    assert box.say("GET", "/api/table?wait=0", **{"If-None-Match": tag}).status == 304
    timer = threading.Timer(0.1, hall.act, [PlayerAdded(who="organiser", at=1, player=9)])
    timer.start()
    at_table = [PlayerAdded(who="organiser", at=1, player=8)]
    assert box.say("GET", "/api/table?wait=1", **{"If-None-Match": tag}).status == 304
    timer.join()
    hall.act(*at_table)
    threading.Timer(0.1, hall.act, [BoxPlaced(who="organiser", at=1, table=1, box="", why="broken")]).start()
    assert Wish.from_json(box.say("GET", "/api/table?wait=25", **{"If-None-Match": tag}).body).seating.table == 0


def test_polls_that_wait_are_answered_when_the_hall_ends(hall: Hall, box: Member) -> None:
    hall.start_round(box.join(hall))
    tag = box.say("GET", "/api/table").headers["etag"]
    threading.Timer(0.1, hall.calls.close).start()
    assert box.say("GET", "/api/table?wait=25", **{"If-None-Match": tag}).status == 304


def test_of_many_orders_a_box_is_told_the_newest(hall: Hall, box: Member) -> None:
    """M: the oldest would leave out what was just decided."""
    hall.start_round(box.join(hall))
    mark: dict[str, Any] = {"who": "judge 1", "at": hall.desk.now(), "round": 1, "table": 1, "why": "a fire drill"}
    hall.act(*(ExtensionGiven(**mark, ms=60_000 + each) for each in range(MOST + 3)))
    wish = Wish.from_json(box.say("GET", "/api/table").body)
    assert [each.ms for each in wish.orders] == [60_000 + each for each in range(3, MOST + 3)]


def test_a_game_is_taken_from_where_the_hall_has_it(hall: Hall, box: Member, entries: list[dict[str, Any]]) -> None:
    box.join(hall)
    game = entries[0]["hash"]
    assert box.put(entries[:2], -1, game).body == {"last": 1, "hash": entries[1]["hash"]}
    again = box.put(entries[:2], -1, game)
    assert (again.status, again.body["last"]) == (409, 1)
    assert box.put(entries[2:], 1, game).body["last"] == len(entries) - 1
    state = {"game": entries[0]["hash"], "board": {}}
    assert box.say("POST", "/api/state", state).status == 204
    wish = Wish.from_json(box.say("GET", "/api/table").body)
    assert wish.have is not None
    assert (wish.have.last, wish.total) == (len(entries) - 1, len(entries))
    page = box.say("GET", f"/api/games/{entries[0]['hash']}/entries?after=0")
    assert page.body["entries"] == entries[1:]


def test_entries_of_another_course_are_not_taken(hall: Hall, box: Member, entries: list[dict[str, Any]]) -> None:
    box.join(hall)
    game = entries[0]["hash"]
    box.put(entries[:2], -1, game)
    other = {**entries[2], "prev": "f" * 64}
    assert box.put([other], 1, game).status == 409
    changed = {**entries[2], "by": "somebody"}
    assert box.put([changed], 1, game).status == 400
    assert box.put([entries[2]], 1, game).status == 200


def test_an_old_copy_refuses_acts_and_takes_entries(hall: Hall, box: Member, entries: list[dict[str, Any]]) -> None:
    hall.start_round(box.join(hall))
    revision, head = 400, "d" * 64
    box.carries["Referee-Seen"] = f"{revision} {head} {hall.ledger._proof(revision, head)}"
    act = {"id": "e" * 64, "kind": "call"}
    refused = box.say("POST", "/api/acts", act)
    assert (refused.status, refused.headers["referee-doubt"]) == (503, "yes")
    game = entries[0]["hash"]
    assert box.put(entries, -1, game).status == 200
    hall.ledger.go_on("organiser", 1).result()
    done = box.say("POST", "/api/acts", act)
    assert (done.body["revision"], done.headers["referee-doubt"]) == (402, "no")


@pytest.mark.once
def test_a_full_disk_takes_nothing_and_says_so_until_it_is_not(
    hall: Hall, box: Member, entries: list[dict[str, Any]]
) -> None:
    hall.start_round(box.join(hall))
    most = [0]

    def begun(db: Connection) -> None:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
        db.exec_driver_sql(f"PRAGMA max_page_count = {most[0] or pages}")

    event.listen(hall.desk.store._engine, "begin", begun)
    game = entries[0]["hash"]
    desk = at_desk_of(hall.desk)
    for _ in range(200):  # the pages that there are fill up
        answer = box.say("POST", "/api/acts", {"id": fresh_id(), "kind": "call"})
        if answer.status != 200:
            break
    assert (answer.status, "disk is full" in answer.body["why"]) == (503, True)
    page = desk.post("/players", "add", list="\n".join(f"Player with a name {each}" for each in range(200)))
    assert "disk is full" in page.refusals()[0]
    assert len(hall.desk.event.players) == 4
    most[0] = 1 << 30
    assert box.put(entries, -1, game).body["last"] == len(entries) - 1
    assert "1 player is entered" in desk.post("/players", "add", list="Late").words


def fresh_id() -> str:
    return secrets.token_hex(32)


def test_what_no_box_says_is_refused_and_changes_nothing(hall: Hall, box: Member) -> None:
    assert box.say("GET", "/api/table").status == 401
    box.join(hall)
    before = hall.ledger.state
    game = "a" * 64
    for method, path, body, status in (
        ("POST", "/api/acts", b"{", 400),
        ("POST", "/api/acts", b"[" * 100_000, 400),
        ("POST", "/api/acts", {"id": "1", "kind": "call"}, 400),
        ("POST", "/api/acts", {"id": game, "kind": "end"}, 400),
        ("POST", "/api/state", [1], 400),
        ("PUT", f"/api/games/{game}/entries?after=-2", b"", 400),
        ("PUT", f"/api/games/{game}/entries?after=-1", b"1\n", 400),
        ("PUT", f"/api/games/{game}/entries?after=-1", b'{"seq": 0}\n', 400),
        ("PUT", "/api/games/x/entries?after=-1", b"", 400),
        ("POST", "/api/boxes", b" " * 1025, 413),
        ("POST", "/api/acts", {"id": game, "kind": "slip", "round": 1, "players": [1] * 13}, 200),
        ("PUT", f"/api/games/{game}/entries?after=-1", b" " * (1 << 20) + b"  ", 413),
        ("GET", "/api/table?wait=ever", None, 400),
    ):
        answer = box.say(method, path, body)
        assert (answer.status, bool(answer.body["why"])) == (status, True), path
    box.carries["Referee-Seen"] = "5 of nothing"
    assert box.say("GET", "/api/table").status == 400
    box.carries["Referee-Seen"] = f"5 {game} {game}"  # of another event, or invented
    assert box.say("GET", "/api/table").headers["referee-doubt"] == "no"
    assert hall.ledger.state == before


def test_a_stranger_uses_up_no_code_of_another(hall: Hall, box: Member) -> None:
    desk = at_desk_of(hall.desk, served=Served(hall.boxes))
    desk.post("/boxes", "offer")
    code = hall.boxes.view()["code"]
    wrong = f"{code[:-1]}{7 - int(code[-1])}"
    for _ in range(9):
        answer = box.say("POST", "/api/boxes", {"code": wrong})
    assert (answer.status, "five times" in answer.body["why"]) == (403, True)
    assert box.say("POST", "/api/boxes", {"code": code}).status == 403
    words = desk.get("/boxes").words
    assert "Five wrong codes came from 127.0.0.1. The code above is still valid for all others." in words
    assert hall.boxes.tokens.add(code, "192.0.2.9").result()
    code = hall.boxes.tokens.offer()
    assert "Five wrong" not in desk.get("/boxes").words
    for each in range(MOST_TRIES):
        assert hall.boxes.tokens.add("0" * 6, f"192.0.2.{each // 4}").exception()
    assert "No code is valid" in str(hall.boxes.tokens.add(code, "192.0.2.200").exception())


def test_a_code_holds_for_one_box_ten_minutes_and_five_tries(hall: Hall, box: Member, time: Time) -> None:
    boxes, wrong = hall.boxes.tokens, {"code": "111111"}
    assert box.say("POST", "/api/boxes", wrong).status == 403
    code = boxes.offer()
    time.now += 600.001
    assert box.say("POST", "/api/boxes", {"code": code}).status == 403
    time.now -= 600.001
    while (code := boxes.offer()) == "111111":
        pass
    for left in (4, 3, 2, 1):
        assert box.say("POST", "/api/boxes", wrong).body["why"] == f"Wrong code. Tries left: {left}"
    assert "five times" in box.say("POST", "/api/boxes", wrong).body["why"]
    assert box.say("POST", "/api/boxes", {"code": code}).status == 403
    box.join(hall)
    assert box.say("GET", "/api/table").status == 200


def test_a_box_that_asks_too_much_at_once_is_refused(hall: Hall, box: Member) -> None:
    name = box.join(hall)
    hall.calls._busy[name] = 8
    assert box.say("GET", "/api/table").status == 429
    hall.calls._busy[name] = 7
    assert box.say("GET", "/api/table").status == 200


def test_every_page_says_that_this_may_be_an_old_copy_until_somebody_decides(hall: Hall, box: Member) -> None:
    served = Served(hall.boxes)
    hall.start_round(name := box.join(hall))
    desk, public = at_desk_of(hall.desk, served=served), public_of(hall.desk, served)
    revision = hall.ledger.state.revision + 7
    box.carries["Referee-Seen"] = f"{revision} {'d' * 64} {hall.ledger._proof(revision, 'd' * 64)}"
    box.say("GET", "/api/table")
    hall.boxes.look()
    for path in ("/", "/round", "/players", "/board", "/record"):
        words = desk.get(path).words
        assert "this may be an old copy. Table 1 has seen 7 more acts than this hall has" in words, path
    for path in ("/", "/standings", "/tv", "/player?number=1"):
        assert "This page may be out of date. Ask at the desk." in public.get(path).words, path
    page = desk.post("/players", "add", list="Late")
    assert "nothing is done until the organiser says so" in page.refusals()[0]
    page = desk.post("/record", "go-on", confirm="yes")
    assert page.refusals() == ["type “go on”; it cannot be taken back"]
    page = desk.post("/record", "go-on", confirm="Go on")
    assert "This hall goes on" in page.words
    assert "may be an old copy" not in desk.get("/").words
    assert hall.ledger.state.revision == revision + 1
    assert "1 player is entered" in desk.post("/players", "add", list="Late").words
    assert hall.desk.event.boxes == {1: name}
