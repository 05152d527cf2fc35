"""A box and a hall over a real line: played, cut, hung, restored; the table never waits, and people are told once."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from referee.clock.control import Settings as Clock
from referee.journal.notes import Notes
from referee.session.wish import Continues, Have, Order, Player, Seating, Time, Wish, short
from referee.station.hall import link
from referee.station.hall.kept import FILE, Membership, read_membership, write_membership
from referee.station.hall.link import Link
from referee.station.virtual.bench import Bench
from tests.station.hall.small import TOKEN, SmallHall, running

SEATING = Seating(2, 7, (Player(3, "Anna", "Shadow"), Player(9, "Bo", "Free Peoples")))
PATIENCE = 20


class Table:
    """A station, its link to a hall, and what that had to say."""

    def __init__(
        self, bench: Bench, address: str, certificate: str, *, token: str = TOKEN, unreached: float = 60
    ) -> None:
        self.bench = bench
        self.words: queue.Queue[Any] = queue.Queue()
        self.link = Link(address, certificate, token, bench.journal, self.words.put, unreached=unreached)
        self.link.start(bench.loop)
        self.publish = bench.loop.on_shown[-1]

    def hear(self) -> Any:
        """Wait for its next words, and let the station take them; return them if they say that something is wrong."""
        word = self.words.get(timeout=PATIENCE)
        self.bench.inbox.put(word)
        self.bench.settle()
        return word.args if word.func == self.bench.loop.fault else word.func


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[SmallHall]:
    (tmp_path / "hall").mkdir()
    with closing(SmallHall(tmp_path / "hall")) as hall:
        yield hall


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def table(hall: SmallHall, bench: Bench, stack: ExitStack) -> Table:
    port = stack.enter_context(running(hall))
    table = Table(bench, f"127.0.0.1:{port}", hall.certificate)
    stack.callback(table.link.stop)
    return table


def until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(PATIENCE * 100):
        if holds():
            return
        pause.wait(0.01)
    raise AssertionError("it never came to that")


def test_a_game_is_at_the_hall_entry_by_entry(hall: SmallHall, table: Table, bench: Bench) -> None:
    bench.play("battle-of-the-ring")
    bench.key("1", "2")
    until(lambda: hall.games(TOKEN) == {r[0]["hash"]: r for r in [list(bench.journal.records(1))]})
    until(lambda: hall.states[TOKEN].get("game") in hall.games(TOKEN))
    assert hall.states[TOKEN]["board"]["title"] == "Battle of the Ring"


def test_a_wish_is_on_the_glass_and_a_decision_is_shown_once(hall: SmallHall, table: Table, bench: Bench) -> None:
    table.hear()
    order = Order(5, "extension", 300_000, "judge 2", "late start")
    hall.wish(TOKEN, Wish(SEATING, (order,), Time(4, 2, 1_800_000, runs=True, then="stop")))
    table.hear()
    assert "5 min" in bench.text
    bench.key("select")
    assert "Table 7, round 2" in bench.text
    hall.wish(TOKEN, Wish(SEATING, (order,), Time(4, 2, 1_700_000, runs=True, then="stop")))
    table.hear()
    assert "5 min" not in bench.text
    table.link.stop()
    after = Table(bench, "127.0.0.1:1", hall.certificate)
    bench.console.event._ordered.clear()
    after.hear()  # remembered, without the hall
    assert "5 min" not in bench.text
    assert bench.console.table.clocks.round.left > 0
    after.link.stop()


def test_a_judge_is_called_once_and_a_refused_slip_is_told(hall: SmallHall, table: Table, bench: Bench) -> None:
    hall.wish(TOKEN, Wish(SEATING))
    until(lambda: table.hear() is not None and bench.console.event.seating is not None)
    bench.key("select")
    bench.play("battle-of-the-ring")
    bench.console.event.call_judge()
    bench.settle()
    table.publish()
    until(lambda: [act["kind"] for act in hall.acts()] == ["call"])
    assert hall.acts()[0]["players"] == [3, 9]
    hall.refuse = "Round 2 is over"
    bench.key("select")
    bench.console.event.send_slip(SEATING, {"games": [{"winner": 3}]})
    bench.settle()
    while not isinstance(word := table.hear(), tuple):
        pass
    assert word == ("Result not taken", "Round 2 is over")
    assert len(hall.acts()) == 1


def test_a_hall_on_an_old_copy_is_doubted_and_told(
    hall: SmallHall, bench: Bench, stack: ExitStack, tmp_path: Path
) -> None:
    for _ in range(9):
        hall.act()
    with running(hall) as port:
        table = Table(bench, f"127.0.0.1:{port}", hall.certificate)
        stack.callback(table.link.stop)
        bench.play("battle-of-the-ring")
        until(lambda: bool(hall.games(TOKEN)))
        until(table.link.reached)
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "hall.pem").write_bytes(hall.pem.read_bytes())
    copy = SmallHall(tmp_path / "copy")
    copy.act()
    Notes(bench.journal, 1).add({"call": {"table": 7}})
    with closing(copy), running(copy, port):
        while not (isinstance(word := table.hear(), tuple) and "old copy" in word[1]):
            pass
        until(lambda: copy.games(TOKEN) != {})
        assert copy.acts() == []
        copy.go_on(9)
        until(lambda: len(copy.acts()) == 1)
        until(lambda: len(copy.games(TOKEN)) == len(bench.journal.games()))


@pytest.mark.parametrize("hangs", [True, False])
def test_with_a_hall_that_hangs_or_is_gone_people_are_told_once(bench: Bench, *, hangs: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}" if hangs else "127.0.0.1:1"
        table = Table(bench, address, "0" * 64, unreached=0.1)
        assert table.hear() == ("Hall", "No answer. Play on: this box sends it all later.")
        assert not table.link.reached()
        bench.key("1")
        bench.play("battle-of-the-ring")
        entries = bench.journal.head(1)[0]
        bench.key("1")
        assert bench.journal.head(1)[0] > entries
        table.link.stop()
        assert table.words.empty()


def test_a_spare_goes_on_with_the_game_and_its_clocks(
    hall: SmallHall, table: Table, bench: Bench, tmp_path: Path
) -> None:
    bench.play("battle-of-the-ring")
    bench.key("1", "2")
    Notes(bench.journal, 1).add({"clock": {"what": "set"}})
    table.publish()
    until(lambda: sum(map(len, hall.games(TOKEN).values())) == sum(g.entries for g in bench.journal.games()))
    game, notes = sorted(hall.games(TOKEN).values(), key=lambda each: each[0]["game"])
    spare_token = "s" * 43
    haves = [Have(each[0]["hash"], each[-1]["seq"], each[-1]["hash"]) for each in (game, notes)]
    hall.wish(spare_token, Wish(SEATING, continues=Continues(12, *haves)))
    with Bench(tmp_path / "spare" / "journal.db") as spare:
        other = Table(spare, f"127.0.0.1:{table.link._names.where[1]}", hall.certificate, token=spare_token)
        while other.hear() != spare.loop.take_over:
            pass
        assert [entry.answer for entry in spare.journal.entries(1)] == [e.answer for e in bench.journal.entries(1)]
        assert spare.console.table.session is not None
        assert Notes(spare.journal, 1).read()[0].extra["clock"] == {"what": "set"}
        other.link.stop()


def test_a_start_without_the_hall_knows_the_clocks_of_the_event(hall: SmallHall, table: Table, bench: Bench) -> None:
    clock = Clock("start", "fischer", "1 h", "1 min", flag="freeze")
    hall.wish(TOKEN, Wish(SEATING._replace(clock=clock)))
    until(lambda: table.hear() is not None and bench.console.event.seating is not None)
    table.link.stop()
    assert Link("127.0.0.1:1", hall.certificate, TOKEN, bench.journal, print).clock_of_event() == clock
    kept = bench.journal.path.with_name(FILE)
    assert kept.stat().st_mode & 0o77 == 0  # the token speaks for the box
    kept.write_text("{")
    assert Link("127.0.0.1:1", hall.certificate, TOKEN, bench.journal, print).clock_of_event() is None


def test_a_fault_of_the_link_itself_is_on_the_glass(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(link, "read_membership", broken)
    table = Table(bench, "127.0.0.1:1", "0" * 64)
    table.hear()
    assert "stopped sending" in " ".join(bench.text.split())
    table.link.stop()
    assert "nobody thought of this" in caplog.text


def test_a_box_is_added_by_what_is_typed_at_its_glass(hall: SmallHall, bench: Bench, stack: ExitStack) -> None:
    with running(hall) as port:
        table = Table(bench, f"127.0.0.1:{port}", "", token="")
        stack.callback(table.link.stop)
        table.hear()
        assert short(hall.certificate) in bench.text
        bench.wait(1.0)
        bench.hold("select", 1.1)
        bench.key("1", "4", "5", "back", "6", "2", "5")
        assert "1 4 6 2 5 _" in bench.text
        bench.key("4")
        assert table.hear() == ("Not added", "Wrong code: 4 tries left")
        table.hear()
        bench.wait(1.0)
        bench.hold("select", 1.1)
        bench.key(*hall.code)
        until(lambda: TOKEN in hall.states)
    kept = read_membership(bench.journal.path.parent)
    assert kept is not None
    assert (kept.certificate, kept.token) == (hall.certificate, TOKEN)


def test_a_token_that_never_held_leads_to_adding_again(hall: SmallHall, bench: Bench, stack: ExitStack) -> None:
    old = "o" * 43
    hall.unknown.add(old)
    with running(hall) as port:
        write_membership(bench.journal.path.parent, Membership(hall.certificate, old, 1))
        table = Table(bench, f"127.0.0.1:{port}", "", token="")
        stack.callback(table.link.stop)
        assert "no longer knows this box" in table.hear()[1]
        table.hear()
        bench.wait(1.0)
        bench.hold("select", 1.1)
        bench.key(*hall.code)
        until(lambda: TOKEN in hall.states)
