"""The desk on disk: nothing refused is written, nothing acknowledged is lost, no name outlives its erasing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.errors import JournalBusy, JournalNewer, NotNow, StoreAway
from referee.hall.desk import FILE, Desk
from referee.tournament import Settings
from referee.tournament.acts.people import CheckedIn, PlayerAdded, PlayerDropped
from referee.tournament.acts.stages import EventEnded, SettingsChosen
from tests.journal.disk import Disk
from tests.journal.power import TAILS, Medium, write

WHO = "organiser"


def add(desk: Desk, number: int, name: str) -> None:
    desk.perform(PlayerAdded(who=WHO, at=desk.now(), player=number), names={"player": {number: name}})


def arrive(desk: Desk, number: int) -> None:
    desk.perform(CheckedIn(who=WHO, at=desk.now(), player=number))


@pytest.fixture
def filed(tmp_path: Path) -> Iterator[Desk]:
    """A desk in a file."""
    with Desk(tmp_path / "event", clock=lambda: 1_800_000_000.25) as opened:
        yield opened


def test_a_folder_that_is_opened_again_has_the_same_event(desk: Desk) -> None:
    desk.perform(SettingsChosen(who=WHO, at=desk.now(), settings=Settings(sides=("Free Peoples", "Shadow"))))
    add(desk, 1, "Éowyn 🛡")
    arrive(desk, 1)
    before, acts = desk.event, desk.acts
    assert desk.acts[-1].at == 1_800_000_000_250
    desk.close()
    with Desk(desk.folder) as again:
        assert again.event == before
        assert again.names.player(1) == "Éowyn 🛡"
        assert again.names.player(2) == "Player 2"
        assert again.acts == acts


def test_no_power_cut_loses_or_doubles_an_act_that_was_done(tmp_path: Path) -> None:
    live, again = tmp_path / "live", tmp_path / "again"
    live.mkdir()
    again.mkdir()
    with Disk(live) as disk, Desk(live) as desk:
        first = len(disk.ops)
        sure = [0] * first
        for number in range(1, 4):
            desk.perform(PlayerAdded(who=WHO, at=number, player=number))
            sure += [number - 1] * (len(disk.ops) - len(sure))
        acts, ops = list(desk.acts), list(disk.ops)
    chance = random.Random(5)
    medium = Medium.holding({}, chance)
    for k, op in enumerate(ops):
        medium.do(op)
        if k < first:
            continue  # the file is being made
        done = sure[k + 1] if k + 1 < len(sure) else len(acts)
        write(again, medium.after_cut(TAILS[k % len(TAILS)]))
        with Desk(again) as found:
            assert list(found.acts) in (acts[:done], acts[: done + 1]), f"after operation {k}, {op.kind}"


def test_two_halls_on_one_folder_the_second_is_told(desk: Desk) -> None:
    with pytest.raises(JournalBusy, match="is open in another hall: close that one"):
        Desk(desk.folder)
    add(desk, 1, "Anna")
    assert list(desk.event.players) == [1]


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_no_byte_of_a_name_outlives_its_erasing(filed: Desk) -> None:
    desk = filed
    desk.perform(names={"event": {0: "Autumn Cup"}})
    add(desk, 1, "Sméagol Schmidt")
    add(desk, 2, "Déagol Meier")
    desk.perform(names={"player": {2: "Déagol Müller"}})  # the older name is gone, too
    desk.perform(
        PlayerDropped(who=WHO, at=desk.now(), player=1, why="sméagol schmidt is ill, and so is Déagol Müller")
    )
    assert desk.acts[-1].why == "player 1 is ill, and so is player 2"
    names = [name.encode() for name in ("Schmidt", "Meier", "Müller", "Déagol")]
    there = everything(desk.folder)
    assert all(name in there for name in names)  # SQLite's log has older names, too
    with pytest.raises(NotNow, match="End the event first"):
        desk.erase()
    desk.perform(EventEnded(who=WHO, at=desk.now()))
    assert desk.names.player(1) == "Sméagol Schmidt", "results can be fetched with names"
    desk.erase()
    left = everything(desk.folder)
    assert [name for name in names if name in left] == []
    assert (desk.names.player(1), desk.names.event) == ("Player 1", "Autumn Cup")
    desk.close()
    assert not any(name in everything(desk.folder) for name in names)


def test_an_act_of_a_later_release_is_told(filed: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    add(filed, 1, "Anna")
    filed.close()
    monkeypatch.delitem(__import__("referee.tournament.acts.base", fromlist=["KINDS"]).KINDS, "player added")
    with pytest.raises(JournalNewer, match="act 1: expected one that this release knows"):
        Desk(filed.folder)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreAway, match="not a database"):
        Desk(tmp_path)
    assert (tmp_path / FILE).read_bytes().startswith(b"no database")
