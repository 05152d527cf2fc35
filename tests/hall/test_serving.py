"""`referee hall` as it is run: two ports, pages that hear what has changed, and a clean end."""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path

import pytest

from referee.cli.exits import JOURNAL, STATION, USAGE
from referee.cli.main import main
from referee.hall.desk import Desk
from tests.hall.process import PATIENCE, running


def test_a_page_hears_what_has_changed_and_a_killed_hall_has_lost_nothing(tmp_path: Path) -> None:
    with running(state=tmp_path) as hall:
        for port in (hall.own, hall.public):
            news = hall.ask(port, "GET", "/news")
            assert news.headers["content-type"].startswith("text/event-stream")
            count = int(news.readline().removeprefix(b"data: "))  # what is newest, in case it is not on the page
            assert news.readline() == b"\n"
            assert hall.ask(hall.own, "POST", "/players", do="add", list=f"Player at {port}").status == 303
            assert int(news.readline().removeprefix(b"data: ")) == count + 1
        hall.process.send_signal(signal.SIGKILL)
    (folder,) = (tmp_path / "referee" / "events").iterdir()
    with Desk(folder) as desk:
        assert [desk.names.player(number) for number in desk.event.players] == [
            f"Player at {port}" for port in (hall.own, hall.public)
        ]
    with running(state=tmp_path) as hall:  # the same event again
        assert b"Player at" in hall.ask(hall.own, "GET", "/players").read()


def test_it_ends_at_once_although_pages_listen(tmp_path: Path) -> None:
    with running("--example", state=tmp_path) as hall:
        assert hall.ask(hall.public, "GET", "/").status == 200
        news = [hall.ask(port, "GET", "/news") for port in (hall.own, hall.public)]
        for each in news:
            assert each.readline().startswith(b"data: ")
        hall.process.send_signal(signal.SIGINT)
        assert hall.process.wait(PATIENCE) == 0
        for each in news:
            assert each.read() == b"\n"
    assert not (tmp_path / "referee").exists()  # an example leaves nothing


def test_the_desk_is_on_the_loopback_alone(tmp_path: Path) -> None:
    with running("--example", state=tmp_path) as hall:
        with socket.socket() as line:
            # 127.0.0.2 reaches what listens on every address, and not what listens on 127.0.0.1.
            assert line.connect_ex(("127.0.0.2", hall.own)) != 0
        with socket.socket() as line:
            assert line.connect_ex(("127.0.0.2", hall.public)) == 0
        answer = hall.ask(hall.public, "POST", "/round", do="publish")
        assert answer.status == 404


def test_a_second_hall_and_a_taken_port_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["hall", "--folder", str(tmp_path / "event"), "--public-port", "0", "--no-browser"]
    with Desk(tmp_path / "event"):
        assert main(command) == JOURNAL
        assert "is open in another hall: close that one" in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main([*command, "--port", port]) == STATION
        new = ["hall", "--folder", str(tmp_path / "new"), "--public-port", port, "--port", "0", "--no-browser"]
        assert main(new) == STATION
        assert not (tmp_path / "new").exists(), "T5: a start that fails begins no event"
    assert f"port {port} cannot be used" in capsys.readouterr().err


def test_a_new_event_takes_no_folder_that_has_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "event"
    Desk(folder).close()
    assert main(["hall", "--folder", str(folder), "--new", "--no-browser"]) == USAGE
    assert "has an event; name another folder" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    for name in [name for name in sys.modules if name.startswith("referee.hall")]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["hall", "--no-browser"]) == STATION
    assert 'with its extra `hall`: pip install ".[hall]"' in capsys.readouterr().err
