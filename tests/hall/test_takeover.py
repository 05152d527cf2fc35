"""A spare box takes a table over: the same question, the same clocks, and the old box counts no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.config import parse
from referee.errors import JournalError, Malformed
from referee.hall.branches import Branches
from referee.hall.desk import Desk
from referee.hall.follower import Follower
from referee.hall.orders import orders
from referee.hall.takeover import Replacement, Takeovers, replaced, stood_before
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.taking import Taken, Taking
from referee.journal import Journal, seal
from referee.journal.notes import Notes
from referee.journal.proof import verify
from referee.station.inbox import Seated, TakeOver
from referee.station.takeover import adopt
from referee.testing.station import Bench
from referee.tournament.acts import (
    BoxPlaced,
    CallClaimed,
    CallOpened,
    CallResolved,
    ExtensionGiven,
    RoundStarted,
)
from referee.wish import Player, Seating
from tests.hall.uplink.pair import Hall, box, go_on, talk

CONFIG = parse('[clock]\nuse = "start"\n[table]\nruling_seconds = 0\n')
OLD, SPARE = 1, 2


@dataclass
class Table:
    """A table of an event, its box, and a spare."""

    desk: Desk
    hall: Hall
    follower: Follower
    old: Bench
    spare: Bench
    sides: dict[int, BoxSide]

    @property
    def keys(self) -> tuple[str, str]:
        return self.sides[OLD].signer.public, self.sides[SPARE].signer.public

    def place(self, key: str, table: int = 4) -> None:
        self.desk.perform(BoxPlaced(who="judge", at=1, why="its display is dark", table=table, box=key))

    def carry(self, number: int) -> BoxSide:
        """Let a box send what it has, and hear what the hall says."""
        self.hall.side.closed(number)
        talk(self.hall, number, self.sides[number])
        self.follower.follow()
        return self.sides[number]

    def take_over(self) -> Taken:
        """Place the spare, and let it go on with the game."""
        self.place(self.keys[0])
        self.carry(OLD)
        self.place(self.keys[1])
        taken = self.carry(SPARE).take_news().taken
        assert taken is not None
        self.begin(taken)
        return taken

    def begin(self, taken: Taken) -> None:
        self.spare.inbox.put(TakeOver(partial(adopt, self.spare.journal, taken)))
        self.spare.settle()


@pytest.fixture
def table(desk: Desk, memory: Path) -> Iterator[Table]:
    with ExitStack() as opened:
        hall = Hall(memory / "intake.db")
        opened.callback(hall.side.intake.close)
        benches = [opened.enter_context(Bench(memory / name / "journal.db", CONFIG)) for name in ("old", "spare")]
        sides = {}
        for number, bench in enumerate(benches, OLD):
            path = bench.journal.path
            key = seal.signer(path.parent)
            hall.side.intake.admit(key.public)
            reader = opened.enter_context(Journal(path, write=False))
            sides[number] = box(JournalOutbox(reader), key, str(number))
        follower = Follower(hall.side.intake, lambda _: None, lambda _: None)
        hall.make(hall.news.append, Takeovers(desk, Branches(hall.intake), follower.live))
        yield Table(desk, hall, follower, benches[0], benches[1], sides)


def in_battle(bench: Bench) -> None:
    """Play into the middle of an attack, with a while on the clocks."""
    bench.play("battle-of-the-ring")
    bench.key("1", "1", "1", "select", "select")
    bench.wait(75.0)
    bench.key("5", "1", "3", "4", "select")


def clocks_of(bench: Bench) -> list[int]:
    clocks = bench.console.table.clocks.keeper.current
    return [seat.left for seat in clocks.seats.values()]


def test_a_spare_is_told_what_is_open_and_not_what_was_decided_before_it_came(sixteen: Desk) -> None:
    desk = sixteen
    mark: dict[str, Any] = {"who": "judge 2", "at": 1}
    why: dict[str, Any] = {"why": "as ruled"}
    desk.perform(BoxPlaced(**mark, **why, table=4, box="aa" * 32), RoundStarted(**mark, round=1))
    desk.perform(
        CallOpened(**mark, table=4, note="1"), CallClaimed(**mark, call=1), CallResolved(**mark, **why, call=1)
    )
    desk.perform(ExtensionGiven(**mark, **why, round=1, table=4, ms=300_000))
    desk.perform(CallOpened(**mark, table=4, note="2"), CallClaimed(**mark, call=2))
    desk.perform(BoxPlaced(**mark, **why, table=4, box="bb" * 32))
    desk.perform(ExtensionGiven(**mark, **why, round=1, table=4, ms=60_000))
    told = orders(desk.event, desk.acts, {})["bb" * 32]
    assert [(each.what, each.ms) for each in told] == [("coming", 0), ("extension", 60_000)]
    desk.perform(CallResolved(**mark, **why, call=2))
    told = orders(desk.event, desk.acts, {})["bb" * 32]
    assert [each.what for each in told] == ["extension", "ruling"]


def test_the_spare_asks_the_same_question_with_the_same_clocks_and_names_where_the_game_came_from(
    table: Table,
) -> None:
    in_battle(table.old)
    taken = table.take_over()
    asked, there = table.spare.prompt, table.old.prompt
    assert asked is not None
    assert there is not None
    assert (asked.ask, asked.seat, asked.text) == (there.ask, there.seat, there.text)
    assert table.spare.console.table.current.n == table.old.console.table.current.n
    for here, before in zip(clocks_of(table.spare), clocks_of(table.old), strict=True):
        assert abs(here - before) <= 100
    journal, lost = table.spare.journal, table.old.journal
    start, *rest = journal.entries(1)
    origin = {"act": 2, "key": table.keys[0], "game": 1, "seq": lost.head(1)[0], "hash": lost.head(1)[1]}
    assert start.extra["takeover"] == origin
    assert [replace(start, extra={}), *rest] == [replace(lost.entries(1)[0], extra={}), *lost.entries(1)[1:]]
    assert taken.last[1:] == lost.head(1)
    verify(journal, [table.keys[1]])


def test_the_game_of_a_spare_is_of_the_match_at_its_table_as_soon_as_that_is_known(table: Table) -> None:
    in_battle(table.old)
    table.take_over()
    table.spare.inbox.put(Seated(Seating(2, 4, (Player(7, "Anna"), Player(9, "Bo")))))
    table.spare.settle()
    notes = [each.extra["match"] for each in Notes(table.spare.journal, 1).read() if "match" in each.extra]
    assert notes == [{"round": 2, "table": 4, "players": [7, 9]}]


def test_a_game_whose_clocks_the_disk_did_not_take_is_gone_on_with_when_it_does(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Notes.add

    def full(notes: Notes, extra: Mapping[str, Any], **others: Any) -> None:
        if len(notes.read()) == 1:
            raise JournalError("the disk is full")
        add(notes, extra, **others)

    in_battle(table.old)
    with monkeypatch.context() as disk:
        disk.setattr(Notes, "add", full)
        taken = table.take_over()
    assert len(taken.clocks) > 1
    assert table.spare.prompt is None
    table.begin(taken)
    assert table.spare.prompt == table.old.prompt
    assert [note.extra["clock"] for note in Notes(table.spare.journal, 1).read()] == [*taken.clocks]
    for here, before in zip(clocks_of(table.spare), clocks_of(table.old), strict=True):
        assert abs(here - before) <= 100
    entries = table.spare.journal.head(1)
    table.begin(taken)
    assert table.spare.journal.head(1) == entries


def test_the_game_goes_on_at_the_spare_and_is_not_handed_over_again(table: Table) -> None:
    in_battle(table.old)
    taken = table.take_over()
    table.spare.key("select", "5", "4")
    entries = table.spare.journal.head(1)[0]
    assert entries > taken.last.seq
    table.old.console.table.leave()  # what the old box begins later is its own business
    in_battle(table.old)
    table.carry(OLD)
    assert table.carry(SPARE).news.taken is None
    table.begin(taken)  # should it come twice
    assert [game.book for game in table.spare.journal.games() if not game.notes] == ["battle-of-the-ring"]
    assert table.spare.journal.head(1)[0] == entries
    verify(table.spare.journal, [table.keys[1]])


def test_the_old_box_is_told_from_its_first_contact_and_what_it_sends_is_kept_and_named(table: Table) -> None:
    in_battle(table.old)
    table.take_over()
    table.old.key("5", "4")  # it lives, after all
    old = table.carry(OLD)
    assert old.take_news().replaced == 4
    assert old.durable == table.old.journal.end()
    assert table.hall.side.intake.incidents() == [
        (table.keys[0], "spent", "sent entries after a spare took table 4 over")
    ]
    table.place(table.keys[0])  # the judge chooses this way after all
    table.hall.side.seat({})
    go_on(table.hall, OLD, old)
    assert old.news.replaced == 0


@pytest.mark.parametrize("own", [True, False])
def test_an_old_box_that_is_back_goes_on_with_its_own_game_if_a_judge_says_so(table: Table, own: bool) -> None:
    in_battle(table.old)
    table.take_over()
    table.spare.key("select", "5", "4")
    table.carry(SPARE)
    table.old.key("5", "4")
    table.carry(OLD)
    placed = BoxPlaced(who="judge", at=1, why="it lives", table=4, box=table.keys[0], own_game=own)
    table.desk.perform(placed)
    taken = table.carry(OLD).take_news().taken
    assert (taken is None) == own, "without it, it takes the game of the spare over"
    assert table.carry(SPARE).take_news().replaced == 4
    assert stood_before(table.desk.acts, table.desk.event, 4) == (table.keys[1],)


@pytest.mark.parametrize("end", ["no game", "put away", "another table"])
def test_there_is_nothing_to_take_over(table: Table, end: str) -> None:
    if end != "no game":
        in_battle(table.old)
    if end == "put away":
        table.old.console.table.leave()
    table.place(table.keys[0])
    table.carry(OLD)
    table.place(table.keys[1], 5 if end == "another table" else 4)
    assert table.carry(SPARE).news.taken is None
    assert table.spare.prompt is None


def test_who_replaced_whom_follows_from_the_acts() -> None:
    mark = {"who": "judge", "at": 1, "why": "dark"}
    placed = [
        BoxPlaced(**mark, table=table, box=box)  # type: ignore[arg-type]
        for table, box in [(1, "a"), (2, "b"), (1, "c"), (2, "d"), (3, "d"), (1, "c"), (4, "e"), (4, "")]
    ]
    assert replaced(placed[:3]) == {"c": Replacement(3, 1, "a")}
    assert replaced(placed[:4]) == {"c": Replacement(3, 1, "a"), "d": Replacement(4, 2, "b")}
    assert replaced(placed[:5]) == {"c": Replacement(3, 1, "a")}  # d stands elsewhere now
    assert replaced(placed) == {"c": Replacement(3, 1, "a")}


def test_a_game_with_a_part_missing_or_changed_is_not_gone_on_with(table: Table) -> None:
    in_battle(table.old)
    table.place(table.keys[0])
    table.carry(OLD)
    table.place(table.keys[1])
    assert table.hall.side.spares is not None
    (part,) = table.hall.side.spares.of(table.keys[1])
    first, second = (replace(part, entries=entries) for entries in (part.entries[:3], part.entries[3:]))
    assert Taking().take(first) is None
    with pytest.raises(Malformed, match="takeover: game 1, entry 0: is missing"):
        Taking().take(second)
    forged = {**part.entries[2], "answer": [6, 6]}
    with pytest.raises(Malformed, match="entry 2: was changed"):
        Taking().take(replace(part, entries=(*part.entries[:2], forged, *part.entries[3:])))
    whole = Taking()
    assert whole.take(first) is None
    assert whole.take(second) == Taking().take(part)
