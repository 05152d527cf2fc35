"""`referee hall --rebuild`: a computer is lost, and another one has its event from a box."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.hall.desk import Desk
from referee.hall.example import fill
from referee.hall.uplink import pinned
from referee.hall.uplink.client import Hall
from referee.hall.uplink.copies import CHAIN, on_disk
from referee.hall.uplink.messages import Record
from referee.hall.uplink.outbox import JournalOutbox
from referee.journal import Journal, seal
from referee.station.uplink import StationUplink


def lost(folder: Path, box: Path) -> tuple[str, Hall]:
    """Fill an event, copy its record to a box that is paired, and return its key and what the box knows."""
    with Journal(box / "journal.db"):
        key = seal.signer(box).public
    with Desk(folder) as desk:
        fill(desk)
        desk.record.admit(key)
        words = (folder / "event.key").read_text()
        hall = Hall("", desk.record.event, desk.record.term)
        batch, store = None, JournalOutbox(desk.record.journal)
        with on_disk(box, desk.record.event) as copies:
            while batch := store.after(copies.state().end):
                copies.take(Record(batch.entries, batch.seals), 1)
            end = copies.state().end
            assert end is not None
            assert end[1:] == desk.record.journal.head(CHAIN)
    return words, hall


@pytest.mark.once
@pytest.mark.long
def test_an_event_is_rebuilt_from_the_words_of_its_key_and_one_box(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.mkdir()
    words, hall = lost(tmp_path / "lost", box)
    command = [
        sys.executable, "-m", "referee", "hall", "--rebuild", "-", "--folder", str(tmp_path / "new"),
        "--box-port", "0", "--port", "0", "--public-port", "0", "--no-browser",
    ]  # fmt: skip
    with (
        Journal(box / "journal.db") as journal,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(words)
        process.stdin.flush()
        lines: list[str] = []
        while not any(line.startswith("0 boxes heard") for line in lines):
            lines.append(process.stdout.readline())
            assert lines[-1]
        port = next(line for line in lines if line.startswith("Boxes connect to")).strip().rpartition(":")[2]
        address = f"127.0.0.1:{port}"
        pinned.write(box, Hall(address, hall.event, hall.term))
        uplink = StationUplink(address, journal, lambda _: None)
        uplink.start()
        while not lines[-1].startswith("1 box heard"):
            lines.append(process.stdout.readline())
            assert lines[-1]
        assert "1 round published; boxes not heard: none" in lines[-1]
        process.stdin.write("yes\n")
        process.stdin.flush()
        while not lines[-1].startswith("Everybody reads"):
            lines.append(process.stdout.readline())
            assert lines[-1]
        uplink.stop()
        process.terminate()
    with Desk(tmp_path / "lost") as before, Desk(tmp_path / "new") as desk:
        assert desk.acts == before.acts
        assert [term.number for term in desk.record.terms] == [1, 2]


def test_words_that_are_wrong_and_a_folder_with_an_event_change_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Desk(tmp_path / "event"):
        pass
    key = tmp_path / "event" / "event.key"
    folder = ["hall", "--no-browser", "--folder", str(tmp_path / "event"), "--rebuild", str(key)]
    assert main(folder) != 0
    assert "expected --box-port" in capsys.readouterr().err
    assert main([*folder, "--box-port", "0"]) != 0
    assert "expected a folder without an event" in capsys.readouterr().err
    (tmp_path / "key").write_text("babab " * 9)
    assert main(["hall", "--folder", str(tmp_path / "new"), "--rebuild", str(tmp_path / "key")]) != 0
    assert "event key" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
