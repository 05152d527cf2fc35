"""A damaged file in the event's folder: people are told what is lost, what is not, and how to go on; they can."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli.hall import set_aside
from referee.errors import JournalDamaged, JournalError, StoreAway
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.names import Names
from referee.hall.uplink.intake import Intake
from referee.tournament.acts import EventEnded, PlayerAdded
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, Hall, box, talk
from tests.hall.visitor import at_desk_of

WHO = "organiser"
NAME = "Galadriel of the Golden Wood"


def overwritten(path: Path) -> None:
    """Something else was written over all of it."""
    path.write_bytes(b"no database " * 100)


def page_lost(path: Path) -> None:
    """A page in the middle reads as noise; the head of the file is as it was."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    data = bytearray(path.read_bytes())
    data[size : 2 * size] = b"\xa5" * size
    path.write_bytes(data)


DAMAGES = pytest.mark.parametrize("damage", [overwritten, page_lost])


@pytest.fixture
def event(memory: Path) -> Path:
    """The folder of an event with a player, and a box whose entries have arrived."""
    folder = memory / "event"
    with Desk(folder, clock=lambda: 1_800_000_000.25) as desk:
        desk.perform(PlayerAdded(who=WHO, at=1, player=1), names={"player": {1: NAME}})
        desk.record.admit(KEY.public)
    arrive(folder)
    return folder


def arrive(folder: Path) -> tuple[int, int]:
    """A box sends what it has; return how many entries it sent, and how many are there."""
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    for number in range(40):
        journal.write(1, "answer", [number, "x" * 100])
    hall = Hall(folder / "intake.db")
    if not hall.intake.admitted(KEY.public):
        hall.intake.admit(KEY.public)
    sent: list[str] = []
    talk(hall, 1, box(journal, KEY), each=lambda text: sent.append(text) if '"entries"' in text else None)
    (end,) = hall.intake.ends(KEY.public)
    hall.intake.close()
    return len(sent), end.at


@DAMAGES
@pytest.mark.parametrize(
    ("name", "open_", "lost", "left"),
    [
        ("names.db", Names, "names of players and clubs", "the record: numbers, pairings, results"),
        ("intake.db", Intake, "What to look into", "send all of it again"),
    ],
)
def test_it_is_told_what_is_lost_what_is_not_and_what_to_do_and_the_file_is_left_alone(
    event: Path, damage: Callable[[Path], None], name: str, open_: Callable[[Path], object], lost: str, left: str
) -> None:
    path = event / name
    damage(path)
    before = path.read_bytes()
    with pytest.raises(JournalDamaged) as fault:
        open_(path)
    text = str(fault.value)
    assert text.startswith(f"{path} is damaged: ")
    assert lost in text.partition("Lost with it: ")[2].partition("Not lost: ")[0]
    assert left in text.partition("Not lost: ")[2]
    assert "Start the hall again with --set-aside" in text
    assert path.read_bytes() == before


@DAMAGES
def test_a_damaged_record_is_to_be_rebuilt_from_the_boxes(event: Path, damage: Callable[[Path], None]) -> None:
    damage(event / "hall.db")
    with pytest.raises(
        JournalDamaged, match=rf"hall\.db is damaged: .*--rebuild {event}/event\.key --box-port"
    ) as fault:
        Desk(event)
    assert "Not lost: the copies of the record on the boxes" in str(fault.value)
    (event / "hall.db").unlink()
    with pytest.raises(JournalDamaged, match=r"hall\.db is missing.*--rebuild"):
        Desk(event)


@DAMAGES
def test_without_the_damaged_names_the_event_goes_on_and_what_was_set_aside_is_erased_with_them(
    event: Path, damage: Callable[[Path], None]
) -> None:
    damage(event / "names.db")
    damaged = (event / "names.db").read_bytes()
    with (event / "names.db").open("ab") as file:
        file.write(NAME.encode())
    (line,) = set_aside(event)
    assert "names.db was damaged; it is names.db.damaged-1 now" in line
    assert (event / "names.db.damaged-1").read_bytes() == damaged + NAME.encode()
    with Desk(event) as desk:
        assert list(desk.event.players) == [1]
        assert desk.names.player(1) == "Player 1"
        desk.perform(names={"player": {1: NAME}})
        assert desk.names.player(1) == NAME
        desk.perform(EventEnded(who=WHO, at=2))
    assert NAME.encode() not in b"".join(path.read_bytes() for path in event.iterdir())
    assert not (event / "names.db.damaged-1").exists()


@DAMAGES
def test_without_the_damaged_intake_the_boxes_send_everything_again(
    event: Path, damage: Callable[[Path], None]
) -> None:
    assert arrive(event) == (0, 41)
    damage(event / "intake.db")
    damaged = (event / "intake.db").read_bytes()
    assert len([*set_aside(event)]) == 1
    sent, there = arrive(event)
    assert sent > 0
    assert there == 41
    assert (event / "intake.db.damaged-1").read_bytes() == damaged


def test_what_is_whole_is_not_set_aside(event: Path) -> None:
    assert [*set_aside(event)] == []
    assert not list(event.glob("*.damaged-*"))
    with Desk(event) as desk:
        assert desk.names.player(1) == NAME


def test_a_file_that_only_cannot_be_opened_is_not_said_to_be_damaged(event: Path) -> None:
    (event / "names.db").rename(event / "elsewhere.db")
    (event / "names.db").mkdir()
    with pytest.raises(JournalError) as fault:
        Names(event / "names.db")
    assert not isinstance(fault.value, JournalDamaged)


@pytest.mark.once
def test_the_desk_says_that_what_boxes_send_cannot_be_kept_until_it_can(desk: Desk, memory: Path) -> None:
    hall, loop, journal = Hall(memory / "intake.db"), asyncio.new_event_loop(), MemoryJournal(KEY)
    hall.intake.admit(KEY.public)
    boxes = Boxes(desk, hall.intake, hall.make, "192.0.2.7:8470", loop)
    visitor = at_desk_of(desk, boxes=boxes)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    for number in range(200):
        journal.write(1, "answer", [number, "x" * 50])
    db = hall.file()
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    side = box(journal, KEY)
    talk(hall, 1, side)
    page = visitor.get("/boxes").words
    assert "What boxes send cannot be kept here. They play on, and send it again." in page
    assert "intake.db: database or disk is full" in page
    db.execute("PRAGMA max_page_count = 100000")
    talk(hall, 2, side)
    assert "cannot be kept" not in visitor.get("/boxes").words
    loop.close()
    hall.intake.close()


def test_what_came_while_the_store_went_away_is_on_the_board_later(
    desk: Desk, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, loop, journal = Hall(memory / "intake.db"), asyncio.new_event_loop(), MemoryJournal(KEY)
    hall.intake.admit(KEY.public)
    boxes = Boxes(desk, hall.intake, hall.make, "192.0.2.7:8470", loop)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})

    def away(*_: object) -> list[dict[str, object]]:
        raise StoreAway("the database does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(hall.intake, "records", away)
        side = box(journal, KEY)
        talk(hall, 1, side)
        boxes.look(0.0)
        assert side.durable == journal.end()
        assert boxes.trouble == "the database does not answer"
    boxes.look(0.0)
    live = boxes.follower.live[KEY.public]
    assert live.game is not None
    assert live.game.number == 1
    assert boxes.trouble == ""
    loop.close()
    hall.intake.close()
