"""A station and the hall: paired at the glass, sent, taken back, and never waited for."""

from __future__ import annotations

import json
import queue
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.clock.settings import Settings as Clock
from referee.console.views import Confirm
from referee.errors import JournalError
from referee.hall.uplink import messages, pinned
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.client import PATIENCE, POLL, TIMEOUT, Hall
from referee.hall.uplink.times import Times
from referee.journal import Journal, seal
from referee.journal.notes import Notes
from referee.journal.proof import verify
from referee.session import Session
from referee.station import uplink as station_uplink
from referee.station.inbox import Compare, FromHall, Seated, Timed, Trouble
from referee.station.table_memory import TableMemory
from referee.station.uplink import StationUplink
from referee.testing.station import Bench
from tests.hall.uplink.kills import LINES_BACK
from tests.hall.uplink.pair import EVENT, TERM
from tests.hall.uplink.serving import Served, serving
from tests.session.skirmish import BOOK

QUICK = Times(grace=0.3)


@pytest.fixture
def served(memory: Path) -> Iterator[Served]:
    (memory / "hall").mkdir()
    with serving(memory / "hall") as served:
        yield served


@dataclass
class Sent:
    """An uplink, and what it had to say to the people at the table."""

    uplink: StationUplink
    words: queue.Queue[FromHall]

    def say(self, bench: Bench) -> FromHall:
        """Wait for its next words, and let the station take them."""
        words = self.words.get(timeout=20)
        bench.inbox.put(words)
        bench.settle()
        return words


def uplink(address: str, journal: Journal, *, unreached: float = 60.0, times: Times = QUICK) -> Sent:
    words: queue.Queue[FromHall] = queue.Queue()
    return Sent(StationUplink(address, journal, words.put, times=times, unreached=unreached), words)


def arrived(served: Served) -> None:
    """Wait until entries have come."""
    while served.news.get(timeout=20).kind != "entries":
        pass


def test_a_box_is_paired_by_the_digits_on_its_glass_and_sends_its_journal(served: Served, bench: Bench) -> None:
    bench.play("battle-of-the-ring")
    below, path = bench.view, bench.journal.path
    served.call(lambda: served.side.pairing.open(1e12))
    sent = uplink(served.hall.address, bench.journal)
    sent.uplink.start()
    words = sent.say(bench)
    assert isinstance(words, Compare)
    request = served.call(lambda: served.side.pairing.request)
    assert request is not None
    assert request.digits == words.digits
    assert isinstance(bench.view, Confirm)
    assert bench.view.text == f"Does the hall show {request.digits[:3]} {request.digits[3:]}?"
    bench.wait(1.0)
    bench.hold("select", 1.1)
    assert bench.view == below
    served.call(lambda: served.side.pairing.confirm(request.digits))
    arrived(served)
    sent.uplink.stop()
    assert pinned.read(path.parent, served.hall.address) == served.hall
    key = seal.known(path.parent)[-1]
    (end,) = served.call(lambda: served.side.intake.ends(key))
    assert served.call(lambda: served.side.intake.records(end)) == list(bench.journal.records(1))


def test_digits_that_nobody_confirms_pair_nothing_and_leave_the_glass(served: Served, bench: Bench) -> None:
    below = bench.view
    served.call(lambda: served.side.pairing.open(1e12))
    sent = uplink(served.hall.address, bench.journal)
    sent.uplink.start()
    sent.say(bench)
    assert isinstance(bench.view, Confirm)
    served.call(served.side.pairing.refuse)
    assert sent.say(bench)[0] == ""
    assert bench.view == below
    sent.uplink.stop()
    assert pinned.read(bench.journal.path.parent, "hall:1") == Hall("hall:1")


def test_back_takes_the_digits_away_and_confirms_nothing(served: Served, bench: Bench) -> None:
    served.call(lambda: served.side.pairing.open(1e12))
    sent = uplink(served.hall.address, bench.journal)
    sent.uplink.start()
    below = bench.view
    sent.say(bench)
    bench.wait(1.0)
    bench.key("back")
    assert bench.view == below
    request = served.call(lambda: served.side.pairing.request)
    assert request is not None
    assert not request.box
    sent.uplink.stop()


def test_a_box_whose_digits_were_compared_for_long_is_not_told_that_the_hall_is_gone(
    served: Served, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play("battle-of-the-ring")
    served.call(lambda: served.side.pairing.open(1e12))
    with monkeypatch.context() as earlier:
        began = time.monotonic() - 120
        earlier.setattr("referee.station.uplink.time.monotonic", lambda: began)
        sent = uplink(served.hall.address, bench.journal)
    sent.uplink.start()
    words = sent.say(bench)
    assert isinstance(words, Compare)
    words.confirm(words.digits)
    served.call(lambda: served.side.pairing.confirm(words.digits))
    arrived(served)
    sent.uplink.stop()
    assert [each for each in list(sent.words.queue) if isinstance(each, Trouble)] == []


@pytest.fixture
def paired(served: Served, memory: Path) -> Path:
    """The journal of a box that is paired, with a game that the hall has."""
    path = memory / "box" / "journal.db"
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        key = seal.signer(path.parent).public
        served.call(lambda: served.side.intake.admit(key))
        pinned.write(path.parent, served.hall)
        (memory / "old").mkdir()
        for each in path.parent.iterdir():
            shutil.copy(each, memory / "old" / each.name)
        (memory / "old" / "journal.db.lock").unlink()
        session.answer([1, 2])
        session.leave()
        sent = uplink(served.hall.address, journal)
        sent.uplink.start()
        arrived(served)
        sent.uplink.stop()
    return path


def test_a_station_with_an_old_copy_takes_back_what_it_lost_before_it_plays(
    served: Served, memory: Path, paired: Path
) -> None:
    with Journal(memory / "old" / "journal.db") as old, Journal(paired, write=False) as lost:
        assert old.end() != lost.end()
        uplink(served.hall.address, old, times=Times(grace=30)).uplink.catch_up()
        assert list(old.records(1)) == list(lost.records(1))
        assert old.seals(1) == lost.seals(1)
    while served.news.get(timeout=30).kind != "set-back":
        pass


def test_a_station_goes_on_when_no_hall_answers_at_its_start(memory: Path, paired: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hung:  # takes connections and says nothing
        for address in (f"127.0.0.1:{hung.getsockname()[1]}", "127.0.0.1:1"):
            with Journal(memory / "old" / "journal.db") as old:
                end = old.end()
                uplink(address, old).uplink.catch_up()
                assert old.end() == end
                Session(BOOK, journal=old)


def test_a_whole_station_takes_back_what_it_lost_and_sends_what_follows(
    served: Served, memory: Path, paired: Path
) -> None:
    old = memory / "old" / "journal.db"
    config = memory / "referee.toml"
    config.write_text(f'[hall]\naddress = "{served.hall.address}"\n[panel]\nport = 0\nopen_browser = false\n')
    command = [sys.executable, "-m", "referee", "play", "--config", str(config), "--journal", str(old)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as station:
        try:
            while served.news.get(timeout=30).kind != "set-back":
                pass
            while served.news.get(timeout=30).kind != "on":  # the thread that sends, after the station took it back
                pass
        finally:
            station.terminate()
            station.communicate()
    with Journal(old, write=False) as restored, Journal(paired, write=False) as lost:
        length = lost.head(1)[0] + 1
        assert list(restored.records(1))[:length] == list(lost.records(1))
        verify(restored, seal.known(old.parent))


@pytest.mark.parametrize("hangs", [True, False])
def test_with_a_hall_that_hangs_or_is_gone_people_are_told_once_and_play_on(bench: Bench, *, hangs: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hall:
        address = f"127.0.0.1:{hall.getsockname()[1]}" if hangs else "127.0.0.1:1"
        pinned.write(bench.journal.path.parent, Hall(address, EVENT, TERM))
        sent = uplink(address, bench.journal, unreached=0.1)
        sent.uplink.start()
        report = sent.say(bench)
        assert isinstance(report, Trouble)
        assert "No answer. Play on: this box sends it all later." in " ".join(bench.text.split())
        bench.key("1")
        bench.play("battle-of-the-ring")
        entries = bench.journal.head(1)[0]
        bench.key("1")
        assert bench.journal.head(1)[0] > entries
        sent.uplink.stop()
        assert sent.words.empty()


class Venue:
    """A line on virtual time, to a hall that is there for 3 s and then, by chance, silent, gone or hung."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now = self.heard = 1000.0
        self.told: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def is_set(self) -> bool:
        return bool(self.told)

    def report(self, word: FromHall) -> None:
        assert isinstance(word, Trouble)
        self.told.append(self.now)

    def converse(self, _hall: Hall, side: BoxSide, stop: Callable[[], bool]) -> None:
        if self.heard > 1000.0:  # what a connection costs: refused at once, or no answer until it is given up
            self.now += self.chance.choice([0.0, TIMEOUT])
            return
        side.state, side.heard = "on", self.now
        silent = 3.0 + self.chance.uniform(PATIENCE, 2 * PATIENCE)  # until the box's pings give the line up
        while self.now < 1000.0 + silent and not stop():
            self.now += POLL
            if self.now < 1003.0:
                self.heard = side.heard = self.now
        side.closed()


def test_people_are_told_within_ten_seconds_of_the_halls_last_word(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned.write(bench.journal.path.parent, Hall("127.0.0.1:1", EVENT, TERM))
    took = []
    for seed in range(300):
        venue = Venue(seed)
        with monkeypatch.context() as patched:
            patched.setattr(station_uplink, "time", venue)
            patched.setattr(station_uplink, "random", venue.chance)
            patched.setattr(station_uplink, "converse", venue.converse)
            line = StationUplink("127.0.0.1:1", bench.journal, venue.report)  # as the station makes it
            patched.setattr(line, "_stop", venue)
            line.start()
            line._thread.join()
        took.append(venue.told[0] - venue.heard)
    assert max(took) <= 10.0
    assert min(took) > LINES_BACK  # a hall that is started again is no trouble


def test_a_station_knows_whether_its_hall_is_reached(served: Served, bench: Bench) -> None:
    bench.play("battle-of-the-ring")
    served.call(lambda: served.side.intake.admit(seal.signer(bench.journal.path.parent).public))
    pinned.write(bench.journal.path.parent, served.hall)
    sent = uplink(served.hall.address, bench.journal)
    assert not sent.uplink.reached()
    sent.uplink.start()
    arrived(served)
    while not sent.uplink.reached():
        time.sleep(POLL)
    sent.uplink.stop()
    lone = uplink("127.0.0.1:1", bench.journal, unreached=0.1)
    lone.uplink.start()
    assert isinstance(lone.say(bench), Trouble)
    assert not lone.uplink.reached()
    lone.uplink.stop()


def test_a_fault_of_the_line_itself_is_on_the_glass(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> Hall:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(pinned, "read", broken)
    sent = uplink("127.0.0.1:1", bench.journal)
    sent.uplink.start()
    sent.say(bench)
    assert "Nothing is sent" in bench.text
    sent.uplink.stop()
    assert "nobody thought of this" in caplog.text


def test_a_station_that_starts_without_its_hall_goes_on_with_table_and_clock(bench: Bench) -> None:
    folder = bench.journal.path.parent
    pinned.write(folder, Hall("127.0.0.1:1", EVENT, TERM))
    before = TableMemory(folder, EVENT)
    before.hear_seating(messages.Seating(2, 7, ((3, "Anna", ""), (9, "Bo", "")), clock=Clock("start")))
    before.hear_clock(messages.Clock(5, 2, 1_800_000, runs=True, then="stop"), time.monotonic())
    sent = uplink("127.0.0.1:1", bench.journal)
    assert sent.uplink.clock_of_event() == Clock("start")
    sent.uplink.start()
    seated, timed = sent.say(bench), sent.say(bench)
    sent.uplink.stop()
    assert isinstance(seated, Seated)
    assert [player.name for player in seated.seating.players] == ["No. 3", "No. 9"]
    assert isinstance(timed, Timed)
    assert 0 < timed.news.left <= 1_800_000
    assert "Table 7, round 2. No. 3. No. 9" in bench.text


def test_a_game_has_the_clocks_that_the_hall_says(served: Served, bench: Bench) -> None:
    folder, clock = bench.journal.path.parent, Clock("start", "fischer", ("1 h",), "1 min", flag="freeze")
    key = seal.signer(folder).public
    served.call(lambda: served.side.intake.admit(key))
    served.call(lambda: served.side.seat({key: messages.Seating(2, 7, clock=clock)}))
    pinned.write(folder, served.hall)
    sent = uplink(served.hall.address, bench.journal)
    sent.uplink.start()
    assert isinstance(sent.say(bench), Seated)
    bench.wait(1.0)
    bench.key("select")
    bench.play("war-of-the-ring")
    (put,) = [each.extra["clock"] for each in Notes(bench.journal, 1).read() if "clock" in each.extra]
    assert (put["control"], put["customs"]) == (clock.control.as_json(), clock.customs.as_json())
    sent.uplink.stop()
    assert sent.uplink.clock_of_event() == clock


def test_a_whole_station_that_starts_without_its_hall_knows_the_clocks_of_the_event(memory: Path) -> None:
    folder, config = memory / "box", memory / "referee.toml"
    config.write_text(
        '[hall]\naddress = "127.0.0.1:1"\n[clock]\nuse = "start"\n[panel]\nport = 0\nopen_browser = false\n'
    )
    with Bench(folder / "journal.db") as bench:  # a game that the event has begun without clocks
        bench.play("war-of-the-ring")
        bench.key("1")
    pinned.write(folder, Hall("127.0.0.1:1", EVENT, TERM))
    TableMemory(folder, EVENT).hear_seating(messages.Seating(2, 7, clock=Clock("off")))
    command = [sys.executable, "-m", "referee", "play", "--config", str(config)]
    command += ["--journal", str(folder / "journal.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as station:
        try:
            assert station.stdout is not None
            assert "http" in station.stdout.readline()
        finally:
            station.terminate()
            station.communicate()
    with Journal(folder / "journal.db", write=False) as journal:
        assert [each for each in Notes(journal, 1).read() if "clock" in each.extra] == []


def test_a_damaged_note_of_the_hall_is_told_and_never_overwritten(bench: Bench) -> None:
    path = bench.journal.path.parent / pinned.FILE
    path.write_text('{"event": "e"}')
    sent = uplink("127.0.0.1:1", bench.journal)
    sent.uplink.catch_up()
    assert sent.uplink.clock_of_event() is None
    sent.uplink.start()
    assert isinstance(sent.say(bench), Trouble)
    sent.uplink.stop()
    assert path.read_text() == '{"event": "e"}'
    path.write_text(json.dumps({"event": EVENT, "term": [2, *TERM[1:]]}))
    with pytest.raises(JournalError, match="expected a term of its event"):
        pinned.read(path.parent, "hall:1")


def test_the_box_needs_none_of_the_libraries_of_the_hall() -> None:
    program = "import sys, referee.station.uplink; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"networkx", "jinja2", "cryptography", "zeroconf", "starlette"} & set(done.stdout.split())
    assert "referee.hall.uplink.box" in done.stdout.split()
