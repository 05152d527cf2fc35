"""The journal of a box that was set back goes on in two branches, and a judge chooses the one that counts."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee.clock.settings import Settings as Clock
from referee.config import Config
from referee.hall.branches import Branches
from referee.hall.desk import Desk
from referee.hall.floor import RETRY
from referee.hall.matches import Match
from referee.hall.orders import COUNTS, DOES_NOT_COUNT
from referee.hall.seatings import seatings
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.outbox import JournalOutbox
from referee.station.inbox import Seated
from referee.station.uplink import seating_of
from referee.testing.station import Bench
from referee.tournament import Game, Result
from referee.tournament.acts import BranchChosen, BranchTakenBack, ResultEntered, ResultTakenBack
from referee.tournament.event import Pairing
from referee.tournament.plain import to_json
from tests.hall.table import TABLE, Floor, Here
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, Hall, box, talk
from tests.hall.visitor import Visitor, at_desk_of

ROOT = Path(__file__).parents[2]
CONFIG = Config(clock=Clock(use="start"))


@dataclass
class Forked:
    """A table whose card was copied in the middle of the game; original and copy both played to a slip.

    ``benches``  the station with the original, and with the copy; the original's branch came first
    ``told``     what the card that was inserted last was told when it connected
    """

    floor: Floor
    benches: tuple[Bench, Bench]
    sides: tuple[BoxSide, BoxSide]
    staff: Visitor
    told: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.floor.key.public

    @property
    def desk(self) -> Desk:
        return self.floor.desk

    @property
    def pairing(self) -> Pairing:
        return self.desk.event.rounds[0].at(TABLE)

    @property
    def fork(self) -> tuple[str, str, str]:
        """Hash of the last shared entry, and of the first one of both branches."""
        (fork,) = self.floor.boxes.branches.forks(self.key)
        first, second = (each.first.hash for each in fork.branches)
        return fork.after.hash, first, second

    def choose(self, first: str, why: str = "the players agree") -> None:
        after, *_ = self.fork
        self.staff.post("/branches", "choose", key=first[:16], box=self.key, after=after, first=first, why=why)
        self.floor.boxes.look(RETRY)

    def take_back(self) -> None:
        after, *_ = self.fork
        self.staff.post("/branches", "take-back-choice", key=after[:16], box=self.key, after=after, why="not yet")
        self.floor.boxes.look(RETRY)

    def insert(self, card: Bench) -> None:
        """Let the box with that card connect, and see what it is told."""
        self.floor.hall.side.closed(self.floor.connections)
        self.floor.bench, self.floor.connections = card, self.floor.connections + 1
        self.floor.side = box(JournalOutbox(card.journal), self.floor.key, f"{self.floor.connections}")
        talk(self.floor.hall, self.floor.connections, self.floor.side)
        self.told = [each.text for each in self.floor.side.news.orders]
        for _ in range(2):  # with what it has noted of that
            self.floor.carry()

    @property
    def orders(self) -> list[str]:
        """What the box has been told, as the card that it has now says."""
        return [str(each["text"]) for each in self.floor.notes("order")]

    def shown(self) -> list[str]:
        """Hashes of the game on the board."""
        game = self.floor.boxes.follower.live[self.key].game
        assert game is not None
        return [each["hash"] for each in game.records(0)]

    def head(self) -> str:
        """The entry with which the report of the game ends."""
        match = Match(1, frozenset(self.pairing.players))
        (game,) = self.floor.boxes.matches.games(match)
        return game.head


def decide(floor: Floor, bench: Bench, who: str, first: str = "1") -> None:
    """Play on, and key the slip: who of the seats has won; both seats confirm it."""
    floor.bench = bench
    bench.key(first, "1", "1", "select", "select")
    floor.slip(who, "seat-1", "seat-2", "select")


@contextmanager
def fork(floor: Floor, memory: Path) -> Iterator[Forked]:
    for copy in ("copy", "old"):
        shutil.copytree(memory / "box", memory / copy)
    original, floor.boxes.judge._worker = floor.bench, Here()
    with ExitStack() as opened:
        copied = opened.enter_context(Bench(memory / "copy" / "journal.db", CONFIG))
        decide(floor, original, "1")
        floor.carry()
        seating = seatings(floor.desk.event, floor.desk.names)[floor.key.public]
        copied.inbox.put(Seated(seating_of(seating)))
        copied.settle()
        decide(floor, copied, "3", "2")
        floor.hall.side.closed(floor.connections)
        side, floor.side = floor.side, box(JournalOutbox(copied.journal), floor.key, "2")
        floor.hall.now += 10.0  # it has played: it takes nothing back
        floor.connect()
        yield Forked(floor, (original, copied), (side, floor.side), at_desk_of(floor.desk, boxes=floor.boxes))


@pytest.fixture
def forked(floor: Floor, memory: Path) -> Iterator[Forked]:
    with fork(floor, memory) as table:
        yield table


@pytest.fixture
def in_cup(desk: Desk, organiser: Visitor, bench: Bench, memory: Path) -> Iterator[Forked]:
    """The same in the first round of an elimination with eight players, whose other tables have played."""
    organiser.post("/setup", "preset", preset="war-of-the-ring")
    organiser.post("/players", "add", list="\n".join(f"Player {number}" for number in range(1, 9)))
    organiser.post("/players", "check-in-all")
    organiser.post("/setup", "open-stage", format="single elimination", match="one game", sides="assigned")
    organiser.post("/round", "draft")
    organiser.post("/round", "publish", round=1)
    loop = asyncio.new_event_loop()
    floor = Floor(desk, memory, bench, loop)
    bench.key("back")
    bench.play("war-of-the-ring")
    floor.carry()
    with fork(floor, memory) as table:
        for other in (1, 2, 4):
            table.staff.post("/round", "result", key=other, round=1, table=other, game1="1:1")
        yield table
    floor.hall.side.intake.close()
    loop.close()


def test_a_judge_sees_what_both_branches_say_since_the_last_entry_they_share(forked: Forked) -> None:
    assert [kind for _, kind, _ in forked.floor.hall.side.intake.incidents()] == ["fork"]
    for page in ("/board", f"/table?table={TABLE}"):
        assert "goes on in two branches: choose one" in forked.staff.get(page).words
    assert f"/branches?box={forked.key}" in forked.staff.get("/boxes").text
    page = forked.staff.get(f"/branches?box={forked.key}").words
    shared, first, second = re.split("Branch [12] [0-9a-f]{16}", page)
    assert "After a note beside a game at 14:30 The last line that all share: War of the Ring" in shared
    assert "Nobody has chosen yet" in shared
    names = [forked.desk.names.player(number) for number in forked.pairing.players]
    assert f"Slip of round 1: {names[0]} won: Ring" in first
    assert "Where is the battle? Open field" in first
    assert f"Slip of round 1: {names[1]} won: Ring" in second
    assert "Who attacks? Free Peoples" in second
    assert "Asks: Shadow: how much Leadership does the attacker have?" in first
    assert "Asks: Free Peoples: how" in second
    assert page.count(" entries since, the last at 14:30") == 2


def test_the_branch_that_is_chosen_counts_for_board_result_and_report_until_the_choice_is_taken_back(
    forked: Forked,
) -> None:
    one, other = forked.pairing.players
    after, first, second = forked.fork
    assert forked.pairing.result == Result(games=(Game(one, "Ring"),))
    assert forked.pairing.challenged == f"the slip of the table says: player {other} won: Ring"
    newest = forked.shown()

    forked.choose(second)
    assert isinstance(forked.desk.acts[-4], BranchChosen)
    assert forked.desk.event.branches == {(forked.key, after): second}
    assert forked.pairing.former == (Result(games=(Game(one, "Ring"),)),)
    assert forked.pairing.result == Result(games=(Game(other, "Ring"),))
    assert forked.pairing.countersigned is not None
    assert (forked.pairing.challenged, forked.shown(), forked.head()) == ("", newest, newest[-1])
    page = forked.staff.get(f"/branches?box={forked.key}").words
    assert page.count("Does not count.") == 1
    assert "Slip of round 1" in page.partition("Counts.")[2]
    assert f"Does not count: Slip of round 1: {forked.desk.names.player(one)} won: Ring" in page
    assert "choose one" not in forked.staff.get("/board").words

    forked.choose(first)
    assert forked.pairing.result == Result(games=(Game(one, "Ring"),))
    older = forked.shown()
    assert older != newest
    assert forked.head() == older[-1]
    assert "the branch of entry" in forked.staff.get("/record").words

    forked.take_back()
    assert isinstance(forked.desk.acts[-1], BranchTakenBack)
    assert forked.desk.event.branches == {}
    assert forked.shown() == newest
    assert forked.pairing.result == Result(games=(Game(one, "Ring"),)), "what stands is for people to change"


def test_before_a_choice_the_page_says_which_results_it_would_change(forked: Forked) -> None:
    one, other = map(forked.desk.names.player, forked.pairing.players)
    match = f"If this branch counts Round 1, table 3, {one} – {other} : {one} won: Ring"
    page = forked.staff.get(f"/branches?box={forked.key}").words
    first, second = re.split("Branch [12] [0-9a-f]{16}", page)[1:]
    assert f"{match} stands, and is disputed no more" in first
    assert f"{match} becomes {other} won: Ring" in second
    before = (forked.desk.event, len(forked.desk.acts), forked.floor.hall.side.intake.incidents())
    forked.staff.get(f"/branches?box={forked.key}")
    assert before == (forked.desk.event, len(forked.desk.acts), forked.floor.hall.side.intake.incidents())
    forked.choose(forked.fork[2])
    page = forked.staff.get(f"/branches?box={forked.key}").words
    assert page.count("If this branch counts") == 1
    assert f"{other} won: Ring becomes {one} won: Ring" in page


def test_a_result_whose_round_is_over_becomes_open_and_the_page_says_what_to_enter(forked: Forked) -> None:
    one, other = map(forked.desk.names.player, forked.pairing.players)
    forked.staff.post("/round", "end", round=1, why="the others play on in the bar")
    forked.staff.post("/round", "draft")
    forked.staff.post("/round", "publish", round=2)
    page = forked.staff.get(f"/branches?box={forked.key}").words
    assert f"{one} won: Ring becomes open . The slip of this branch says: {other} won: Ring. Enter it on" in page
    assert "Round 2 stays paired as it is." in page
    forked.choose(forked.fork[2])
    assert forked.pairing.result is None


def test_a_bracket_that_has_gone_on_is_taken_back_step_by_step_before_a_branch_is_chosen(in_cup: Forked) -> None:
    staff, second = in_cup.staff, in_cup.fork[2]
    staff.post("/round", "end", round=1)
    staff.post("/round", "draft")
    for do in ("publish", "start"):
        staff.post("/round", do, round=2)
    tables = [pairing.table for pairing in in_cup.desk.event.rounds[1].pairings]
    for table in tables:
        staff.post("/round", "result", key=table, round=2, table=table, game1="1:1")
    staff.post("/round", "end", round=2)
    staff.post("/round", "draft")
    steps = [
        "Rounds, 3: discard the draft (an organiser)",
        f"Rounds, 2: take back the results of tables {tables[0]} and {tables[1]}, under Correct",
        "Rounds, 2: take the round back (an organiser)",
        "Rounds, 2: discard the draft (an organiser)",
    ]
    page = staff.get(f"/branches?box={in_cup.key}").words
    assert f"The bracket has gone on from it. First: {' '.join(steps)} Then choose." in page
    in_cup.choose(second)
    assert in_cup.desk.event.branches == {}
    refused = staff.post(
        "/branches", "choose", key=second[:16], box=in_cup.key, after=in_cup.fork[0], first=second, why="as played"
    )
    assert refused.status == 422
    assert f"The bracket has gone on from the result of round 1, table 3. First: {'; '.join(steps)}." in refused.words

    staff.post("/round", "discard", round=3)
    for table in tables:
        staff.post("/round", "take-back", key=table, round=2, table=table, why="as printed")
    assert "Take the round back" in staff.get("/round?round=2").words
    staff.post("/round", "unpublish", round=2, why="as printed")
    staff.post("/round", "discard", round=2)
    assert "Cannot be taken back yet" not in staff.get(f"/branches?box={in_cup.key}").words
    in_cup.choose(second)
    assert in_cup.pairing.result == Result(games=(Game(in_cup.pairing.players[1], "Ring"),))


def test_a_judge_may_let_a_result_stand_from_which_a_bracket_has_gone_on(in_cup: Forked) -> None:
    after, _, second = in_cup.fork
    staff, result = in_cup.staff, in_cup.pairing.result
    staff.post("/round", "end", round=1)
    staff.post("/round", "draft")
    mark = {"key": second[:16], "box": in_cup.key, "after": after, "first": second, "why": "as played"}
    page = staff.post("/branches", "choose", **mark, stand="1").words
    assert "the result of round 1, table 3 stands" in page
    in_cup.floor.boxes.look(RETRY)
    assert in_cup.desk.event.branches == {(in_cup.key, after): second}
    assert in_cup.pairing.result == result


def test_what_comes_later_on_a_branch_that_does_not_count_changes_nothing(forked: Forked) -> None:
    _, first, _ = forked.fork
    forked.choose(first)
    before, shown, acts = forked.pairing, forked.shown(), len(forked.desk.acts)
    slip = forked.floor.notes("slip")[-1]
    forked.floor.write_note({"slip": slip | {"result": to_json(Result("intentional draw"))}})
    forked.benches[1].key("select", "1")
    forked.floor.carry()
    forked.floor.boxes.look(RETRY)
    assert (forked.pairing, forked.shown(), len(forked.desk.acts)) == (before, shown, acts)
    assert "does not count: a judge chose another branch" in forked.staff.get("/boxes").words
    forked.floor.restarted()
    assert (forked.pairing, forked.shown()) == (before, shown), "nor after the hall was started again"


def test_a_challenge_that_only_the_other_branch_brought_is_rejected(forked: Forked) -> None:
    one, _ = forked.pairing.players
    _, first, _ = forked.fork
    forked.choose(first)
    assert forked.pairing.result == Result(games=(Game(one, "Ring"),))
    assert (forked.pairing.challenged, forked.pairing.former) == ("", ())


def test_a_result_that_a_judge_took_back_before_does_not_come_again_by_a_choice(forked: Forked) -> None:
    mark = {"who": "judge 2", "at": 1, "round": 1, "table": TABLE}
    forked.desk.perform(ResultTakenBack(**mark, why="both had agreed on it"))  # type: ignore[arg-type]
    _, first, _ = forked.fork
    forked.choose(first)
    assert forked.pairing.result is None
    forked.desk.perform(ResultEntered(**mark, result=Result("double loss"), by="judge"))  # type: ignore[arg-type]


def test_a_box_on_the_branch_that_does_not_count_is_told_so_on_its_glass_each_time_it_connects(
    forked: Forked,
) -> None:
    original, copied = forked.benches
    forked.choose(forked.fork[1])
    forked.floor.carry()
    assert f"{DOES_NOT_COUNT} the players agree" in forked.orders
    assert "Stop: this box does not count" in copied.text
    forked.staff.post("/round", "end", round=1, why="the others play on in the bar")
    forked.staff.post("/round", "draft")
    forked.staff.post("/round", "publish", round=2)
    forked.insert(original)
    assert DOES_NOT_COUNT not in str(forked.orders)
    forked.insert(copied)
    assert forked.told == [f"{DOES_NOT_COUNT} the players agree"], "also in a later round"
    for card, told in ((original, []), (copied, [f"{DOES_NOT_COUNT} the players agree"])) * 2:
        forked.insert(card)
        assert forked.told == told


def test_the_box_whose_branch_was_chosen_is_told_that_it_counts(forked: Forked) -> None:
    forked.choose(forked.fork[2])
    forked.floor.carry()
    assert f"{COUNTS} the players agree" in forked.orders
    assert DOES_NOT_COUNT not in str(forked.orders)
    forked.take_back()
    forked.floor.carry()
    assert forked.orders[-1] == "not yet"


def test_a_box_is_told_as_soon_as_it_leaves_the_branch_that_was_chosen(forked: Forked, memory: Path) -> None:
    forked.choose(forked.fork[2])
    with Bench(memory / "old" / "journal.db", CONFIG) as old:
        forked.insert(old)
        assert DOES_NOT_COUNT not in str(forked.told), "not before it writes something"
        forked.floor.carry()
        assert f"{DOES_NOT_COUNT} the players agree" in forked.orders


def test_a_challenge_that_comes_later_on_a_branch_that_does_not_count_waits_and_a_call_does_not(
    forked: Forked,
) -> None:
    after, first, _ = forked.fork
    forked.choose(first)
    players = list(forked.pairing.players)
    forked.floor.write_note({"challenge": {"round": 1, "players": players}})
    forked.floor.write_note({"call": {}})
    forked.floor.carry()
    assert forked.pairing.challenged == ""
    assert "does not count: a judge chose another branch" in forked.staff.get("/boxes").words
    assert [call.table for call in forked.desk.event.calls] == [TABLE], "somebody needs a judge all the same"
    forked.staff.post("/branches", "take-back-choice", key=after[:16], box=forked.key, after=after, why="not yet")
    forked.floor.boxes.look(RETRY)
    assert forked.pairing.challenged


def test_the_event_file_with_a_choice_is_verified_by_a_program_that_shares_no_code(
    forked: Forked, tmp_path: Path
) -> None:
    _, first, second = forked.fork
    forked.choose(second)
    forked.choose(first)
    forked.take_back()
    path = tmp_path / "event.jsonl"
    path.write_bytes(forked.staff.get("/event.jsonl").body)
    program = (sys.executable, ROOT / "tools" / "verify_event.py", path)
    verified = subprocess.run(program, check=False, capture_output=True, text=True, timeout=60)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.count("taken back later") == 2
    assert "branch choice taken back" in path.read_text()


def test_a_hash_that_is_none_keeps_no_other_table_waiting(forked: Forked) -> None:
    forked.desk.perform(ResultTakenBack(who="judge 2", at=1, why="keyed wrong", round=1, table=TABLE))
    slip = forked.floor.notes("slip")[-1]
    forked.floor.write_note({"slip": slip, "of": {"game": 1, "seq": 1, "hash": "\x00"}})
    forked.floor.write_note({"call": {}})
    forked.floor.carry()
    assert (forked.floor.boxes.trouble, forked.floor.boxes.floor.trouble) == ("", "")
    assert len(forked.desk.event.calls) == 1


def test_the_page_of_a_box_that_is_none_says_so(forked: Forked) -> None:
    for key in ("", "f" * 64, "%00", "%ED%A0%80", "<script>alert(1)</script>"):
        page = forked.staff.get(f"/branches?box={key}")
        assert (page.status, "<script>alert" in page.text) == (200, False)
        assert "The journal of this box has no fork." in page.words


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"why": ""}, "expected why this branch counts"),
        ({"first": "f" * 64}, "expected a branch of this box's journal"),
        ({"after": "f" * 64}, "expected a branch of this box's journal"),
        ({"box": "f" * 64}, "expected a branch of this box's journal"),
    ],
)
def test_a_choice_needs_a_branch_and_a_reason(forked: Forked, form: dict[str, str], said: str) -> None:
    after, first, _ = forked.fork
    right = {"key": first[:16], "box": forked.key, "after": after, "first": first, "why": "as played"}
    page = forked.staff.post("/branches", "choose", **right | form)
    assert page.status == 422
    assert said in page.words
    assert forked.desk.event.branches == {}


def test_a_box_that_is_set_back_again_is_given_the_branch_that_was_chosen(hall: Hall) -> None:
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {"lot": 1}})
    old = journal.copy(1)
    again = journal.copy(1)
    for answer in ("one", "more"):
        journal.write(1, "answer", answer)
    old.write(1, "answer", "another")
    talk(hall, 1, box(journal, KEY))
    hall.side.closed(1)
    talk(hall, 2, box(old, KEY, "2"))
    hall.side.closed(2)
    chosen = {(KEY.public, journal.log[0].place.hash): journal.log[1].place.hash}
    hall.side.counts = Branches(hall.intake, lambda: chosen).counts
    side = box(again, KEY, "3")
    talk(hall, 3, side)
    assert side.may_play(hall.now)
    assert again.log == journal.log


def test_of_three_branches_what_follows_from_another_one_does_not_count(hall: Hall) -> None:
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {"lot": 1}})
    copies = [journal.copy(1), journal.copy(1)]
    journals = [journal, *copies]
    for number, each in enumerate(journals):
        each.write(1, "answer", f"way {number}")
    fourth = copies[1].copy(2)  # a copy of a copy
    for each in (*journals, fourth):
        each.write(1, "answer", "on")
    fourth.write(1, "answer", "and on")
    copies[1].write(1, "answer", "otherwise")
    for number, each in enumerate((*journals, fourth), 1):
        talk(hall, number, box(each, KEY, str(number)))
        hall.side.closed(number)
    ends = [each.log[-1].place.hash for each in (*journals, fourth)]
    chosen: dict[tuple[str, str], str] = {}
    branches = Branches(hall.intake, lambda: chosen)

    def counted() -> list[bool]:
        return [branches.counts(KEY.public, end) for end in ends]

    def end() -> str:
        last = branches.end(KEY.public)
        assert last is not None
        return last.hash

    assert (counted(), end()) == ([True] * 4, ends[3])
    assert [len(fork.branches) for fork in branches.forks(KEY.public)] == [2, 3]
    chosen[KEY.public, journal.log[0].place.hash] = copies[1].log[1].place.hash
    assert (counted(), end()) == ([False, False, True, True], ends[3])
    chosen[KEY.public, copies[1].log[2].place.hash] = copies[1].log[3].place.hash
    assert (counted(), end()) == ([False, False, True, False], ends[2])
    assert branches.open() == []
    chosen[KEY.public, journal.log[0].place.hash] = journal.log[1].place.hash
    assert (counted(), end()) == ([True, False, False, False], ends[0])
