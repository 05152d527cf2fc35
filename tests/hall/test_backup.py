"""The event on another disk, written while it goes on; and an event that goes on from there."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.errors import JournalDamaged, JournalError
from referee.hall.backup import ACTS, BESIDE, Backup, restore
from referee.hall.boxes import Tokens, hashed
from referee.hall.desk import Desk, has_event
from referee.hall.pages.render import Served
from referee.hall.tls import for_boxes
from referee.tournament.acts.people import CallOpened, PlayerAdded, PlayerDropped
from referee.tournament.acts.stages import EventEnded
from tests.hall.visitor import at_desk_of

PATIENCE = 30.0


def until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.01)):
        if holds():
            return
        pause.wait(0.01)
    raise AssertionError("it never came true")


def lines(folder: Path) -> list[str]:
    path = folder / ACTS
    return path.read_text().splitlines() if path.exists() else []


def act(desk: Desk, player: int) -> None:
    desk.perform(PlayerDropped(who="organiser", at=desk.now(), player=player, why="ill"))


def test_an_event_goes_on_from_its_backup_with_names_and_boxes(sixteen: Desk, tmp_path: Path) -> None:
    stick, token = tmp_path / "stick", "t" * 43
    shown = for_boxes(sixteen.folder).digest
    Tokens(sixteen.store, sixteen.now).admit([hashed(token)])
    backup = Backup(sixteen, stick)
    act(sixteen, 3)
    until(lambda: lines(stick) == list(sixteen.ledger.lines()))
    until(lambda: (backup.trouble, backup.at) == ("", sixteen.now()))
    backup.close()
    assert restore(stick, tmp_path / "again", sixteen.now) == sixteen.ledger.state.revision
    with Desk(tmp_path / "again") as again:
        assert again.ledger.state == sixteen.ledger.state
        assert again.names.all == sixteen.names.all
        assert Tokens(again.store, again.now).find(hashed(token))
        assert for_boxes(again.folder).digest == shown
        assert again.ledger.pair() == sixteen.ledger.pair(), "boxes take it for the same event"


def test_names_that_change_without_an_act_change_in_the_backup(desk: Desk, tmp_path: Path) -> None:
    """After *Erase the names* no act follows, and the stick kept them all."""
    desk.perform(PlayerAdded(who="organiser", at=1, player=1), names={"player": {1: "Anna"}})
    backup = Backup(desk, tmp_path / "stick")

    def names() -> dict[str, str]:
        path = tmp_path / "stick" / BESIDE
        return dict(json.loads(path.read_text())["names"]["player"]) if path.exists() else {}

    until(lambda: names() == {"1": "Anna"})
    until(lambda: not backup._new.is_set())
    desk.perform(names={"player": {1: "Another"}})
    until(lambda: names() == {"1": "Another"})
    desk.perform(EventEnded(who="organiser", at=desk.now()))
    until(lambda: lines(tmp_path / "stick") == list(desk.ledger.lines()))
    desk.erase()
    until(lambda: names() == {})
    backup.close()


def test_what_was_asked_for_once_is_not_done_again_after_a_restore(sixteen: Desk, tmp_path: Path) -> None:
    said = CallOpened(who="table 1", at=1, table=1, note="a" * 64)
    done = sixteen.ledger.perform("a" * 64, lambda _state: [said]).result()
    backup = Backup(sixteen, tmp_path / "stick")
    until(lambda: lines(tmp_path / "stick") == list(sixteen.ledger.lines()))
    backup.close()
    restore(tmp_path / "stick", tmp_path / "again", sixteen.now)
    with Desk(tmp_path / "again") as again:
        assert again.ledger.perform("a" * 64, lambda _state: [said]).result() == done


def test_a_stick_that_is_pulled_delays_nothing_and_is_told(sixteen: Desk, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    backup = Backup(sixteen, stick)
    until(lambda: backup.at > 0)
    pulled = tmp_path / "pulled"
    stick.rename(pulled)
    stick.write_text("no folder")
    act(sixteen, 3)
    until(lambda: backup.trouble != "")
    words = at_desk_of(sixteen, served=Served(backup=backup)).get("/").words
    assert f"The backup in {stick} is not written since" in words
    stick.unlink()
    pulled.rename(stick)
    act(sixteen, 4)
    until(lambda: lines(stick) == list(sixteen.ledger.lines()))
    backup.close()


def test_a_stick_that_was_pulled_in_a_line_has_what_is_whole(sixteen: Desk, tmp_path: Path) -> None:
    backup = Backup(sixteen, tmp_path / "stick")
    until(lambda: lines(tmp_path / "stick") == list(sixteen.ledger.lines()))
    backup.close()
    path = tmp_path / "stick" / ACTS
    path.write_bytes(path.read_bytes()[:-20])
    assert restore(tmp_path / "stick", tmp_path / "again", sixteen.now) == sixteen.ledger.state.revision - 1


def test_a_folder_with_the_backup_of_another_event_is_refused(sixteen: Desk, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick" / ACTS).write_text('{"act":{}}\n')
    with pytest.raises(JournalError, match="backup of another event"):
        Backup(sixteen, tmp_path / "stick")
    assert lines(tmp_path / "stick") == ['{"act":{}}']


@pytest.mark.parametrize("beside", ["{}", "[", '{"key": "x", "boxes": [], "names": {}}'])
def test_a_backup_that_is_none_restores_nothing(beside: str, sixteen: Desk, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / ACTS).write_text("".join(f"{each}\n" for each in sixteen.ledger.lines()))
    (stick / BESIDE).write_text(beside)
    with pytest.raises(JournalDamaged, match="expected names, boxes and key of an event"):
        restore(stick, tmp_path / "again", sixteen.now)
    with pytest.raises(JournalError, match="expected a backup of an event"):
        restore(tmp_path / "nowhere", tmp_path / "again", sixteen.now)
    assert not has_event(tmp_path / "again")
    assert json.loads(lines(stick)[0])["revision"] == 1
