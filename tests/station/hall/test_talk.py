"""What a box says to a hall that dies, hangs, is restored, lies or doubts: on virtual time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Malformed
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session.wish import Continues, Have, Order, Player, Seating, Time, Wish
from referee.station.hall.kept import Membership, revision
from referee.station.hall.line import Answer
from referee.station.hall.outbox import Outbox, Part
from referee.station.hall.talk import EVERY, LIMIT, Call, Talk
from tests.station.hall.test_outbox import Kept, begin, play

WISH = Wish(
    Seating(2, 7, (Player(3, "Anna", "Shadow"), Player(9, "Bo", "Free Peoples")), wins=("military",)),
    (Order(41, "extension", 300_000, "judge 2", "late start"),),
    Time(40, 2, 1_800_000, runs=True, then="stop"),
)
HAVE = Have("a" * 64, 4, "b" * 64)
JSON: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers()) | st.just({})
)


@dataclass
class Venue:
    """A hall in memory and the box that talks to it. ``lost``: answers that do not come; ``calls``: all that came."""

    journal: Journal
    now: float = 1000.0
    token: str = "secret"
    revision: int = 5
    doubt: bool = False
    lost: bool = False
    kept: Kept = field(default_factory=Kept)
    acts: dict[str, dict[str, Any]] = field(default_factory=dict)
    refuse: str = ""
    calls: list[Call] = field(default_factory=list)
    durable: Membership = field(default_factory=lambda: Membership("0" * 64, "secret", 1))

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start the box, or start it again."""
        outbox = Outbox(self.journal, self.durable.since)
        self.talk = Talk(outbox, self.durable, self._keep, random.Random(1).random)

    def _keep(self, kept: Membership) -> None:
        self.durable = kept

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while self.now < end:
            call = self.talk.next(self.now)
            if call is None:
                self.now = max(self.now + 0.01, min(end, self.talk.due()))
                continue
            self.calls.append(call)
            if self.lost:
                self.now += LIMIT
                self.talk.take(call, None, self.now)
            else:
                self.now += 0.01
                self.talk.take(call, self.answer(call), self.now)

    def run_until(self, *, up: bool) -> None:
        while self.talk.up != up:
            self.run(0.05)

    def wrote(self) -> None:
        self.talk.wrote()
        self.run(1)

    def answer(self, call: Call) -> Answer:
        headers = self.talk.headers()
        if headers["Authorization"] != f"Bearer {self.token}":
            return self._say(401, {})
        if revision(headers.get("Referee-Seen", "")) > self.revision:
            self.doubt = True
        if call.what == "state":
            return self._say(204, {})
        if call.what == "act":
            return self._act(json.loads(call.body))
        assert isinstance(call.about, Part)
        before = len(self.kept.games.get(call.about.game, ()))
        have = self.kept.put(call.about)
        status = 200 if have.last + 1 > before else 409
        return self._say(status, {"last": have.last, "hash": have.hash})

    def _act(self, act: dict[str, Any]) -> Answer:
        if self.doubt:
            return self._say(503, {"why": "in doubt"})
        if self.refuse and act["id"] not in self.acts:
            return self._say(200, {"done": False, "why": self.refuse})
        if act["id"] not in self.acts:
            self.revision += 1
            self.acts[act["id"]] = act
        return self._say(200, {"done": True, "revision": self.revision})

    def _say(self, status: int, body: Mapping[str, Any]) -> Answer:
        pair = f"{self.revision} head{self.revision} mac"
        return Answer(
            status,
            {"referee-record": pair, "referee-doubt": "yes" if self.doubt else "no"},
            json.loads(json.dumps(body)),
        )

    def polled(self, wish: Wish = WISH, *, status: int = 200) -> Wish | None:
        """Let a long poll be answered."""
        total = sum(map(len, self.kept.games.values()))
        return self.talk.wish(self._say(status, wish._replace(total=total).as_json()), self.now, self.now)

    @property
    def said(self) -> list[str]:
        return [call.what for call in self.calls]


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[Venue]:
    with Journal(tmp_path / "journal.db") as journal:
        yield Venue(journal)


def test_entries_and_a_call_go_out_at_once(venue: Venue) -> None:
    play(venue.journal, begin(venue.journal), 3)
    venue.run(1)
    Notes(venue.journal, 1).add({"call": {"round": 2, "table": 7, "players": [3, 9]}})
    venue.wrote()
    assert len(next(iter(venue.kept.games.values()))) == 4
    (act,) = venue.acts.values()
    assert (act["kind"], act["table"], len(act["id"])) == ("call", 7, 64)
    venue.run(60)
    assert venue.said.count("act") == 1


def test_the_state_is_said_every_four_seconds_and_at_each_change(venue: Venue) -> None:
    venue.run(20)
    assert 5 <= len(venue.calls) <= 6
    venue.talk.board = {"phase": "Hunt"}
    venue.run(0.5)
    assert json.loads(venue.calls[-1].body) == {"phase": "Hunt", "game": "", "other": [], "run": venue.talk.run}


def test_a_dead_line_is_found_in_seven_seconds_and_back_in_three(venue: Venue) -> None:
    venue.run(10)
    venue.lost, dead = True, venue.now
    venue.run_until(up=False)
    assert venue.now - dead <= EVERY + LIMIT
    venue.run(60)
    play(venue.journal, begin(venue.journal), 3)
    venue.lost, back = False, venue.now
    venue.run_until(up=True)
    assert venue.now - back <= 3
    venue.run(EVERY + 1)
    assert len(venue.kept.games) == 1


def test_an_answer_that_was_lost_does_nothing_twice(venue: Venue) -> None:
    begin(venue.journal)
    Notes(venue.journal, 1).add({"slip": {"table": 7}})
    venue.run(1)
    for each in list(venue.durable.answered):
        assert venue.acts.keys() == {each}
    venue.durable = Membership("0" * 64, "secret", 1)  # the card did not keep the answer
    venue.start()
    venue.run(1)
    assert (len(venue.acts), venue.said.count("act")) == (1, 2)


def test_what_is_refused_is_told_once_and_not_said_again(venue: Venue) -> None:
    begin(venue.journal)
    venue.refuse = "The round is over"
    Notes(venue.journal, 1).add({"slip": {"table": 7}})
    venue.run(1)
    assert venue.talk.take_news().refused == [("slip", "The round is over")]
    venue.start()
    venue.run(30)
    venue.talk.again()
    venue.run(30)
    assert venue.said.count("act") == 1


def test_an_act_that_the_hall_cannot_read_keeps_nothing_back(venue: Venue) -> None:
    begin(venue.journal)
    Notes(venue.journal, 1).add({"slip": {"table": 7}})
    usual = venue.answer
    malformed = Answer(400, {}, {"why": "result: expected"})
    venue.answer = lambda call: malformed if call.what == "act" else usual(call)  # type: ignore[method-assign]
    venue.run(5)
    assert len(venue.kept.games) == 2
    assert venue.talk.take_news().refused == [("slip", "result: expected")]


def test_a_restored_hall_is_filled_again_by_an_idle_box(venue: Venue) -> None:
    for _ in range(3):
        play(venue.journal, begin(venue.journal), 100)
    Notes(venue.journal, 3).add({"slip": {"table": 7}})
    venue.run(5)
    venue.polled()
    held = sum(map(len, venue.kept.games.values()))
    venue.kept.games.popitem()
    next(iter(venue.kept.games.values())).clear()
    venue.acts.clear()
    venue.run(1)
    venue.polled()
    venue.run(2)
    assert sum(map(len, venue.kept.games.values())) == held
    assert len(venue.acts) == 1
    calls = len(venue.calls)
    venue.polled()
    venue.run(1)
    assert len(venue.calls) - calls <= 1  # it asks no more


def test_the_hall_says_what_it_lacks_of_the_game_in_progress(venue: Venue) -> None:
    play(venue.journal, begin(venue.journal), 9)
    venue.run(1)
    ((name, game),) = venue.kept.games.items()
    del game[5:]
    venue.polled(WISH._replace(have=Have(name, 4, game[-1]["hash"])))
    venue.run(1)
    assert len(game) == 10


def test_a_hall_that_lies_of_a_game_marks_the_table(venue: Venue) -> None:
    play(venue.journal, begin(venue.journal), 9)
    venue.run(1)
    (name,) = venue.kept.games
    venue.polled(WISH._replace(have=Have(name, 4, "f" * 64)))
    assert venue.talk.take_news().other
    venue.run(EVERY + 1)
    assert json.loads(venue.calls[-1].body)["other"] == [name]
    assert not venue.talk.take_news().other


def test_an_old_copy_is_found_and_gets_no_act(venue: Venue) -> None:
    venue.revision = 120
    venue.run(5)
    assert revision(venue.durable.seen) == 120
    venue.revision = 20
    begin(venue.journal)
    Notes(venue.journal, 1).add({"call": {"table": 7}})
    venue.wrote()
    venue.run(10)
    assert venue.talk.doubt
    assert venue.acts == {}
    assert venue.polled() is None  # what it wishes is old
    assert revision(venue.durable.seen) == 120
    assert revision(venue.durable.doubted) == 20
    venue.doubt, venue.revision = False, 121  # somebody said so
    venue.run(5)
    assert len(venue.acts) == 1
    assert revision(venue.durable.seen) == 122


def test_a_token_that_was_taken_away_is_known(venue: Venue) -> None:
    venue.token = "another"
    venue.run(60)
    assert not venue.talk.known
    assert len(venue.calls) <= 5


@pytest.mark.parametrize("status", [200, 307, 404, 413, 500, 503])
def test_a_hall_that_says_nonsense_is_left_alone_for_a_while(venue: Venue, status: int) -> None:
    play(venue.journal, begin(venue.journal), 3)
    venue.answer = lambda call: Answer(status, {}, {"done": 7, "last": "many"})  # type: ignore[method-assign]
    venue.run(60)
    assert len(venue.calls) < 150
    assert venue.talk.take_news() == type(venue.talk.news)()
    del venue.answer
    venue.run(EVERY + 2)
    assert len(venue.kept.games) == 1


@settings(max_examples=300)
@given(st.data())
def test_a_wish_that_was_changed_anywhere_is_one_or_is_refused(data: st.DataObject) -> None:
    value: Any = json.loads(json.dumps(WISH._replace(continues=Continues(12, HAVE, HAVE), have=HAVE).as_json()))
    inside: Any = value
    while isinstance(inside, (dict, list)) and inside:
        holder: Any = inside
        where = data.draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside))))
        inside = inside[where]
        if data.draw(st.booleans()):
            break
    holder[where] = data.draw(JSON)
    try:
        wish = Wish.from_json(value)
    except Malformed:
        return
    assert Wish.from_json(json.loads(json.dumps(wish.as_json()))) == wish
