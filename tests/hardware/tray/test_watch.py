"""The tray's own process: from frames to lines for the station, and what it costs who has no tray."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from hardware.dice.reader import Reader, ReaderTalk
from hardware.dice.tray import saved
from hardware.dice.tray.frames import LARGEST, from_command, jpegs
from hardware.dice.tray.reader import Reader as PictureReader
from hardware.dice.tray.watch import MEMORY, watch
from hardware.errors import BadPicture
from hardware.events import DiceEvent, Doubt
from hardware.line.presence import Connected, Disconnected, Presence
from referee.cli.main import main
from referee.config import Config, Tray
from referee.station.readers import configured
from tests.hardware.line.cable import Reports
from tests.hardware.tray.examples import FOLDER


def test_frames_become_a_proposal_with_a_picture_that_is_kept(tmp_path: Path) -> None:
    known = saved.load(FOLDER / "calibration.json")
    pictures = {name: saved.picture(FOLDER / f"{name}.jpg") for name in ("empty", "throw-1")}
    reader = PictureReader(known.view, known.cube, pictures["empty"])
    film = [*repeat("empty", 8), *repeat("throw-1", 9)]
    lines: list[Mapping[str, Any]] = []
    watch(reader, ((pictures[name], i / 15) for i, name in enumerate(film)), lines.append, tmp_path / "throws")
    told: list[DiceEvent | Presence] = []
    talk = ReaderTalk(told.append, told.append)
    for line in lines:
        talk.line(json.dumps(line).encode(), 100.0)
    doubt = told[-1]
    assert isinstance(doubt, Doubt)
    assert [die.face for die in doubt.dice] == [5, 2, 5, 4]
    assert 0.3 < doubt.at - doubt.started < 0.7
    (kept,) = (tmp_path / "throws").iterdir()
    assert {die.picture for die in doubt.dice} == {kept.stem} == {sha256(kept.read_bytes()).hexdigest()}


@pytest.mark.parametrize("sure", [False, True])
def test_a_folder_of_frames_is_watched_from_the_command_line(
    sure: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.dice.tray.watch.limit_memory", lambda: None)  # it would be that of the tests
    for number, name in enumerate([*repeat("empty", 7), *repeat("throw-2", 9)]):
        shutil.copy(FOLDER / f"{name}.jpg", tmp_path / f"{number:03}.jpg")
    code = main(
        ["tray", "--watch", "--camera", str(tmp_path), "--calibration", str(FOLDER / "calibration.json"),
         "--background", str(FOLDER / "empty.jpg"), *["--sure"] * sure]
    )  # fmt: skip
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (code, lines[0], lines[-1]["throw"], lines[-1]["sure"]) == (0, {}, 1, sure)
    assert lines[-1]["faces"] == [5, 3, 3, 3]


@pytest.mark.long
def test_the_process_of_the_tray_keeps_to_its_memory(tmp_path: Path) -> None:
    for number, name in enumerate([*repeat("empty", 7), *repeat("throw-2", 9), *repeat("cocked", 9)]):
        shutil.copy(FOLDER / f"{name}.jpg", tmp_path / f"{number:03}.jpg")
    code = (
        "import re, resource, sys; from referee.cli.main import main; assert main(sys.argv[1:]) == 0;"
        "most = re.search(r'VmHWM:\\s+([0-9]+) kB', open('/proc/self/status').read())[1];"  # ru_maxrss has ours, too
        "print(most, *resource.getrlimit(resource.RLIMIT_DATA))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "tray", "--watch", "--camera", str(tmp_path),
         "--background", str(FOLDER / "empty.jpg"), "--calibration", str(FOLDER / "calibration.json")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    *lines, figures = run.stdout.splitlines()
    assert [json.loads(line).get("why") for line in lines if "throw" in line] == [None, "unread"]
    most, *limit = map(int, figures.split())
    assert limit == [MEMORY, MEMORY]
    assert most < 120 * 1024


def test_a_picture_is_taken_once_the_camera_has_settled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate([*repeat("empty", 15), "throw-1"]):
        shutil.copy(FOLDER / f"{name}.jpg", tmp_path / f"{number:03}.jpg")
    target = tmp_path / "taken" / "snap.png"
    target.parent.mkdir()
    assert main(["tray", "--snap", str(target), "--camera", str(tmp_path)]) == 0
    assert (saved.picture(target) == saved.picture(FOLDER / "throw-1.jpg")).all()
    (tmp_path / "015.jpg").unlink()
    target.unlink()
    capsys.readouterr()
    assert main(["tray", "--snap", str(target), "--camera", str(tmp_path)]) == 2
    assert "expected at least 16 frames" in capsys.readouterr().err
    assert not target.exists()
    assert main(["tray", "--snap", str(target)]) == 2
    assert "expected --camera" in capsys.readouterr().err


@pytest.mark.long
def test_the_station_hears_its_process_and_starts_it_again(tmp_path: Path) -> None:
    (tmp_path / "tray").mkdir()
    shutil.copy(FOLDER / "calibration.json", tmp_path / "tray")
    shutil.copy(FOLDER / "empty.jpg", tmp_path / "tray" / "calibration-empty.png")
    for number, name in enumerate([*repeat("empty", 7), *repeat("throw-1", 9)]):
        (tmp_path / "film").mkdir(exist_ok=True)
        shutil.copy(FOLDER / f"{name}.jpg", tmp_path / "film" / f"{number:03}.jpg")
    reports = Reports()
    (source,) = configured(Config(tray=Tray(camera=str(tmp_path / "film"))), tmp_path / "journal.db")
    dice = Reader(source.command, reports.queue.put, pauses=(0.0, 0.0))
    dice.open(reports.queue.put)
    for _ in range(2):
        assert isinstance(reports.next(), Connected)
        thrown = reports.next()
        assert isinstance(thrown, Doubt)
        assert [die.face for die in thrown.dice] == [5, 2, 5, 4]
        assert isinstance(reports.next(), Disconnected)
    dice.close()


def test_a_stream_is_cut_into_pictures_wherever_it_is_cut_into_pieces() -> None:
    pictures = [(FOLDER / f"{name}.jpg").read_bytes() for name in ("empty", "throw-1", "cocked")]
    whole = io.BytesIO(b"".join(pictures))
    assert list(jpegs(lambda _: whole.read(997))) == pictures


def test_what_is_no_stream_of_pictures_is_told() -> None:
    for data in (b"hello \xff\xd9", b"x" * (LARGEST + 1)):
        noise = io.BytesIO(data)
        with pytest.raises(BadPicture, match="expected"):
            list(jpegs(noise.read))


def test_why_a_tray_cannot_be_watched_is_said_to_the_station(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.dice.tray.watch.limit_memory", lambda: None)  # it would be that of the tests
    calibration = tmp_path / "calibration.json"
    assert main(["tray", "--watch", "--camera", "rpicam", "--calibration", str(calibration)]) != 0
    (line,) = capsys.readouterr().out.splitlines()
    assert str(calibration) in json.loads(line)["error"]


def test_a_camera_that_ends_is_told() -> None:
    with pytest.raises(BadPicture, match="false ended with 1"):
        list(from_command(["false"], (640, 480)))
    with pytest.raises(BadPicture, match="/nowhere/camera: No such file"):
        list(from_command(["/nowhere/camera"], (640, 480)))
