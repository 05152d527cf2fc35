"""A box and a hall over a real line: played, hung, restored; the table never waits, and people are told once."""

from __future__ import annotations

import queue
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalError
from referee.hall.boxes import Match, fresh, hashed
from referee.hall.desk import Desk
from referee.session.wish import short
from referee.station.hall import link
from referee.station.hall.kept import FILE, Membership, read_membership, write_membership
from referee.station.hall.link import Link
from referee.station.virtual.bench import Bench
from referee.tournament.acts.people import BoxPlaced
from referee.tournament.acts.rounds import ExtensionGiven
from tests.hall.table import MARK
from tests.hall.test_calls import Hall

PATIENCE = 20
NOBODY_THERE = "127.0.0.1:1"


class Box:
    """A station, its link to a hall, and what that had to say. ``token``: "" where it has to be added first."""

    def __init__(
        self, bench: Bench, address: str, certificate: str = "", token: str = "", unreached: float = 60
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

    def until_told(self, words: str) -> None:
        """Hear until that is on the glass."""
        while words not in " ".join(self.bench.text.split()):
            self.hear()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Desk(tmp_path / "event") as desk:
        yield Hall(desk)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def box(hall: Hall, bench: Bench, stack: ExitStack) -> Box:
    """The box at table 1 of a round."""
    token = admitted(hall)
    hall.start_round(hashed(token))
    box = Box(bench, served(hall, stack), hall.certificate, token)
    stack.callback(box.link.stop)
    box.until_told("Table 1")
    bench.key("select")
    bench.play("battle-of-the-ring")
    bench.key("1", "2")
    box.publish()
    until(lambda: entries(hall, token) == list(bench.journal.records(1)))
    return box


def admitted(hall: Hall) -> str:
    token = fresh()
    hall.boxes.tokens.admit([hashed(token)])
    return token


def served(hall: Hall, stack: ExitStack) -> str:
    """Let a hall run; return its address."""
    return f"127.0.0.1:{stack.enter_context(hall.serving())}"


def entries(hall: Hall, token: str) -> list[dict[str, Any]]:
    """What the hall has of the game on the board of a box."""
    box = hashed(token)
    game = hall.boxes.seen(box).game
    return list(hall.desk.store.read(lambda db: hall.boxes.games.page(db, box, game, -1, None)))


def until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(PATIENCE * 100):
        if holds():
            return
        pause.wait(0.01)
    raise AssertionError("it never came to that")


def test_a_decision_is_on_the_glass_once_and_known_without_the_hall(hall: Hall, box: Box, bench: Bench) -> None:
    hall.act(ExtensionGiven(**MARK, round=1, table=1, ms=300_000))
    box.until_told("+5 min as ruled")
    bench.key("select")
    box.link.stop()
    after = Box(bench, NOBODY_THERE)
    bench.console.event._ordered.clear()
    after.hear()
    assert "5 min" not in bench.text
    after.link.stop()
    kept = bench.journal.path.with_name(FILE)
    assert kept.stat().st_mode & 0o77 == 0  # the token speaks for the box


def test_a_spare_goes_on_with_the_game(hall: Hall, box: Box, bench: Bench, stack: ExitStack, tmp_path: Path) -> None:
    token = admitted(hall)
    hall.act(BoxPlaced(**MARK, table=1, box=hashed(token)))
    with Bench(tmp_path / "spare" / "journal.db") as spare:
        other = Box(spare, served(hall, stack), hall.certificate, token)
        while other.hear() != spare.loop.take_over:
            pass
        assert [each.answer for each in spare.journal.entries(1)] == [e.answer for e in bench.journal.entries(1)]
        assert spare.console.table.session is not None
        other.link.stop()


def test_swapped_cards_say_whose_table_they_are(hall: Hall, bench: Bench, stack: ExitStack, tmp_path: Path) -> None:
    tokens = [admitted(hall), admitted(hall)]
    hall.start_round(*map(hashed, tokens))
    address = served(hall, stack)
    with Bench(tmp_path / "other" / "journal.db") as other:
        for each, token in ((bench, tokens[0]), (other, tokens[1])):
            write_membership(each.journal.path.parent, Membership(hall.certificate, token, 1))
        swapped = [Box(other, address), Box(bench, address)]  # the first box has the second one's card
        for box, table in zip(swapped, (2, 1), strict=True):
            stack.callback(box.link.stop)
            box.until_told(f"Table {table}")
            box.bench.key("select")
            box.bench.play("battle-of-the-ring")
            box.publish()
        until(lambda: all(hall.boxes.seen(hashed(each)).game for each in tokens))
        games = [hall.boxes.seen(hashed(each)).match for each in tokens]
        assert games == [Match(1, (1, 2)), Match(1, (3, 4))], "each game counts for the players on its glass"
        for box in swapped:
            box.link.stop()


def test_two_boxes_with_one_card_are_both_told(hall: Hall, box: Box, stack: ExitStack, tmp_path: Path) -> None:
    address, token = ":".join(map(str, box.link._names.where)), box.link._member[1]
    with Bench(tmp_path / "clone" / "journal.db") as bench:
        clone = Box(bench, address, hall.certificate, token)
        for each in (clone, box):
            each.until_told("a copy of this card. Tell the desk.")
            each.link.stop()
            until(lambda: hall.boxes.copied(hashed(token)))


def test_a_hall_on_an_old_copy_is_told(hall: Hall, bench: Bench, stack: ExitStack, tmp_path: Path) -> None:
    token = admitted(hall)
    old = shutil.copytree(hall.desk.folder, tmp_path / "old")
    hall.start_round(hashed(token))
    box = Box(bench, served(hall, stack), hall.certificate, token)
    box.until_told("Table 1")
    box.link.stop()
    with Desk(old) as desk, ExitStack() as running:
        after = Box(bench, served(Hall(desk), running), hall.certificate, token)
        running.callback(after.link.stop)
        after.until_told("old copy")


@pytest.mark.parametrize("hangs", [True, False])
def test_with_a_hall_that_hangs_or_is_gone_people_are_told_once(bench: Bench, *, hangs: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}" if hangs else NOBODY_THERE
        box = Box(bench, address, "0" * 64, "t" * 43, unreached=0.1)
        assert box.hear() == ("Hall", "No answer. Play on: this box sends it all later.")
        assert not box.link.reached()
        bench.key("1")
        bench.play("battle-of-the-ring")
        before = bench.journal.head(1)[0]
        bench.key("1")
        assert bench.journal.head(1)[0] > before
        box.link.stop()
        assert box.words.empty()


def test_a_fault_of_the_link_itself_is_on_the_glass(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(link, "read_membership", broken)
    box = Box(bench, NOBODY_THERE)
    box.until_told("stopped sending")
    box.link.stop()
    assert "nobody thought of this" in caplog.text


def test_with_a_full_card_a_box_goes_on_sending(
    hall: Hall, box: Box, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise JournalError("hall.json: cannot be saved: No space left on device")

    monkeypatch.setattr(link, "write_membership", full)
    bench.console.event.call_judge()
    bench.settle()
    box.publish()
    box.until_told("Free space on the card")
    until(lambda: bool(hall.desk.event.calls))
    bench.key("select", "1")
    box.publish()
    token = box.link._member[1]
    until(lambda: entries(hall, token) == list(bench.journal.records(1)))
    monkeypatch.undo()
    bench.console.event.call_judge()  # refused, as it is calling: an answer, too
    bench.settle()
    box.publish()

    def answered() -> int:
        kept = read_membership(bench.journal.path.parent)
        return len(kept.answered) if kept is not None else 0

    until(lambda: answered() == 2)


def test_a_box_whose_token_never_held_is_added_by_what_is_typed(hall: Hall, bench: Bench, stack: ExitStack) -> None:
    write_membership(bench.journal.path.parent, Membership(hall.certificate, "o" * 43, 1))
    box = Box(bench, served(hall, stack))
    stack.callback(box.link.stop)
    box.until_told("no longer knows this box")
    code = hall.boxes.tokens.offer()
    wrong = f"{code[:-1]}{7 - int(code[-1])}"
    for typed in (wrong, code):
        box.until_told(short(hall.certificate))
        bench.wait(1.0)
        bench.hold("select", 1.1)
        bench.key("1", "back", *typed[:5])
        assert f"{' '.join(typed[:5])} _" in bench.text
        bench.key(typed[5])
        if typed == wrong:
            assert box.hear() == ("Not added", "Wrong code. Tries left: 4")
    until(lambda: any(hall.boxes.seen(each).at for each in hall.boxes.tokens.boxes()))
    kept = read_membership(bench.journal.path.parent)
    assert kept is not None
    assert hall.boxes.tokens.find(hashed(kept.token))
