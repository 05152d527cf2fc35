"""The page of the boxes: one is paired at the desk and at its glass, and what it sends and what differs is shown."""

from __future__ import annotations

import queue
import re
import socket
from pathlib import Path

import pytest

from referee.cli.exits import STATION
from referee.cli.main import main
from referee.hall.desk import Desk
from referee.hall.uplink import pinned
from referee.hall.uplink.intake import Intake
from referee.journal import seal
from referee.station.inbox import Compare, FromHall
from referee.station.uplink import StationUplink
from referee.testing.station import Bench
from tests.hall.process import Hall, running
from tests.hall.visitor import Visitor


def page(hall: Hall) -> str:
    """Return what the page of the boxes says."""
    text = hall.ask(hall.own, "GET", "/boxes").read().decode()
    return " ".join(re.sub(r"<[^>]*>", " ", text.partition("<main")[2]).split())


def test_a_box_is_paired_at_the_desk_and_at_its_glass(tmp_path: Path) -> None:
    with Bench(tmp_path / "box" / "journal.db") as bench, running("--box-port", "0", state=tmp_path) as hall:
        bench.play("battle-of-the-ring")
        port = next(line.rpartition(":")[2] for line in hall.lines if line.startswith("Boxes connect to"))
        words: queue.Queue[FromHall] = queue.Queue()
        path = bench.journal.path
        uplink = StationUplink(f"127.0.0.1:{port}", bench.journal, words.put)
        assert "Paired None." in page(hall)
        assert hall.ask(hall.own, "POST", "/boxes", do="pair").status == 303
        assert "Waiting for a box" in page(hall)
        uplink.start()
        compare = words.get(timeout=20)
        assert isinstance(compare, Compare)
        assert f"{compare.digits[:3]} {compare.digits[3:]}" in page(hall)
        answer = hall.ask(hall.own, "POST", "/boxes", do="confirm", digits="12")
        assert answer.status == 422
        assert b"expected the digits of the box that asks" in answer.read()
        assert hall.ask(hall.own, "POST", "/boxes", do="confirm", digits=compare.digits).status == 303
        said = [page(hall) for _ in range(2)][1]  # the first one has the notice, too
        assert "Confirmed here. Hold Select at the box that shows them." in said
        assert "The same digits" not in said
        bench.inbox.put(compare)
        bench.settle()
        bench.wait(1.0)
        bench.hold("select", 1.1)
        assert words.get(timeout=20)[0] == ""  # the digits leave the glass
        box = seal.known(path.parent)[-1][:8]
        while f"{box}: connected, 1 entry, has 3 of 3" not in page(hall):
            assert hall.process.poll() is None
        uplink.stop()
        (folder,) = (tmp_path / "referee" / "events").iterdir()
        assert pinned.read(path.parent, "").term
    with Desk(folder) as desk:
        assert pinned.read(path.parent, "").event == desk.record.event
    intake = Intake(folder / "intake.db")
    assert [each[:8] for each in intake.admitted_keys()] == [box]
    intake.close()


def test_a_desk_that_confirms_after_the_box_says_that_it_is_paired(tmp_path: Path) -> None:
    with Bench(tmp_path / "box" / "journal.db") as bench, running("--box-port", "0", state=tmp_path) as hall:
        port = next(line.rpartition(":")[2] for line in hall.lines if line.startswith("Boxes connect to"))
        words: queue.Queue[FromHall] = queue.Queue()
        uplink = StationUplink(f"127.0.0.1:{port}", bench.journal, words.put)
        hall.ask(hall.own, "POST", "/boxes", do="pair")
        uplink.start()
        compare = words.get(timeout=20)
        assert isinstance(compare, Compare)
        compare.confirm(compare.digits)
        while "Select was held at the box" not in page(hall):
            assert hall.process.poll() is None
        hall.ask(hall.own, "POST", "/boxes", do="confirm", digits=compare.digits)
        said = page(hall)
        uplink.stop()
    assert "Confirmed here and at the box: it is paired." in said
    assert "as soon as Select is held" not in said


def test_a_box_whose_digits_differ_is_refused(tmp_path: Path) -> None:
    with Bench(tmp_path / "box" / "journal.db") as bench, running("--box-port", "0", state=tmp_path) as hall:
        port = next(line.rpartition(":")[2] for line in hall.lines if line.startswith("Boxes connect to"))
        words: queue.Queue[FromHall] = queue.Queue()
        uplink = StationUplink(f"127.0.0.1:{port}", bench.journal, words.put)
        hall.ask(hall.own, "POST", "/boxes", do="pair")
        uplink.start()
        assert words.get(timeout=20)[0] != ""
        hall.ask(hall.own, "POST", "/boxes", do="refuse")
        assert words.get(timeout=20)[0] == ""
        uplink.stop()
        assert "Paired None." in page(hall)


def test_without_a_port_for_boxes_there_is_no_page_and_no_file(organiser: Visitor, desk: Desk) -> None:
    assert organiser.get("/boxes").status == 404
    assert "Boxes" not in organiser.get("/").words
    assert not (desk.folder / "intake.db").exists()


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = str(taken.getsockname()[1])
        folder = ["--folder", str(tmp_path / "event"), "--no-browser"]
        assert main(["hall", "--port", "0", "--public-port", "0", "--box-port", port, *folder]) == STATION
    assert f"port {port} cannot be used for boxes" in capsys.readouterr().err
