"""The tray of docs/dice.md: what is read of its pictures, and what is refused."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path

import cv2
import pytest

from hardware.dice.tray import saved, uncalibrated
from hardware.dice.tray.reader import Reader
from referee.cli.main import main
from tests.hardware.tray.examples import FOLDER

CALIBRATION = FOLDER / "calibration.json"


def tray(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run the command; return its exit code and what it printed."""
    code = main(["tray", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def image(name: str, *more: object) -> tuple[object, ...]:
    return (
        "--image",
        FOLDER / f"{name}.jpg",
        "--calibration",
        CALIBRATION,
        "--background",
        FOLDER / "empty.jpg",
        *more,
    )


def test_flat_dice_are_read_with_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = tray(capsys, *image("throw-1", "--json"))
    result = json.loads(out)
    assert (code, result["throw"], result["why"]) == (0, "read", "")
    assert [die["face"] for die in result["dice"]] == [5, 2, 5, 4]
    assert all(die["certainty"] > 0.9 for die in result["dice"])
    first = result["dice"][0]
    assert abs(first["x"] - 337) < 4 and abs(first["y"] - 208) < 4  # noqa: PT018


def test_what_was_read_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = tray(capsys, *image("throw-2"))
    assert code == 0
    assert out.endswith("read: 5 3 3 3\n")


@pytest.mark.parametrize("name", ["cocked", "stacked", "foreign", "empty"])
def test_what_is_no_throw_of_flat_dice_is_in_doubt(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = tray(capsys, *image(name, "--json"))
    result = json.loads(out)
    assert (code, result["throw"]) == (1, "doubt")
    assert all(die["face"] is None for die in result["dice"]) or name != "empty"
    assert "in doubt" in err


def test_a_die_beside_a_cocked_one_keeps_its_face(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = tray(capsys, *image("stacked", "--json"))
    assert [die["face"] for die in json.loads(out)["dice"]].count(3) == 1


@pytest.mark.parametrize("name", ["throw-1", "throw-2"])
def test_a_glint_makes_no_other_face(name: str) -> None:
    """K1: a white spot on a pip was read as a wrong face, with certainty."""
    known = saved.load(CALIBRATION)
    reader = Reader(known.view, known.cube, saved.picture(FOLDER / "empty.jpg"))
    picture = saved.picture(FOLDER / f"{name}.jpg")
    dice = reader.read(picture).dice
    for number, radius in product(range(len(dice)), (3, 5, 7, 9)):
        x, y = round(dice[number].x), round(dice[number].y)
        glint = cv2.circle(picture.copy(), (x, y), radius, (255, 255, 255), cv2.FILLED, cv2.LINE_AA)
        sights = [reader.read(glint), *([uncalibrated.read(glint)] if radius == 7 else [])]
        assert all(sight.why and sight.dice[number].face is None for sight in sights)


@pytest.mark.long
def test_the_sheet_calibrates_the_tray_and_its_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "tray" / "calibration.json"
    throws = [part for n in (1, 2, 3) for part in ("--throw", FOLDER / f"throw-{n}.jpg")]
    code, out, _ = tray(
        capsys, "--calibrate", "--calibration", target, "--floor", "181x127", "--height", "341",
        "--markers", FOLDER / "sheet.jpg", "--background", FOLDER / "empty.jpg", *throws,
    )  # fmt: skip
    assert code == 0, out
    known = saved.load(target)
    assert abs(known.cube.edge - 15.0) < 0.7
    assert abs(known.cube.pitch - 3.91) < 0.1
    code, _, _ = tray(capsys, "--image", FOLDER / "throw-1.jpg", "--calibration", target)
    assert code == 0  # with the picture of the empty tray that was saved


def test_without_the_sheet_nothing_is_calibrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "calibration.json"
    shutil.copy(CALIBRATION, target)
    code, _, err = tray(
        capsys, "--calibrate", "--calibration", target, "--floor", "181x127", "--height", "341",
        "--markers", FOLDER / "empty.jpg", "--background", FOLDER / "empty.jpg", "--throw", FOLDER / "throw-1.jpg",
    )  # fmt: skip
    assert code == 2
    assert "expected the four markers of the sheet; 0 of them" in err
    assert target.read_bytes() == CALIBRATION.read_bytes()


def test_a_sheet_is_printed_as_large_as_the_floor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "sheet.png"
    assert tray(capsys, "--sheet", target, "--floor", "210x148")[0] == 0
    assert saved.picture(target).shape[:2] == (148 * 8, 210 * 8)
    assert b"pHYs" + (8000).to_bytes(4, "big") in target.read_bytes()
    code, _, err = tray(capsys, "--sheet", target, "--floor", "20x148")
    assert code == 2
    assert "expected a floor of 90 to 420 mm" in err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "calibration"),
        ("[" * 100_000, "calibration"),
        ("[]", "calibration"),
        ('{"format": 2, "floor": [100, 100]}', "matrix"),
        ('{"floor": [100, 100], "matrix": [1, 2, 3, NaN]}', "reshape"),
        ('{"floor": [100, 100], "matrix": [[0,0,0,0],[0,0,0,0],[0,0,0,0]]}', "calibration"),
    ],
)
def test_a_broken_calibration_is_told(
    text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "calibration.json"
    broken.write_text(text)
    code, out, err = tray(capsys, "--image", FOLDER / "throw-1.jpg", "--calibration", broken, "--json")
    assert (code, out) == (2, "")
    assert expected in err


def test_pictures_that_are_none_or_of_another_camera_are_unusable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    for data in (b"", b"GIF89a", (FOLDER / "throw-1.jpg").read_bytes()[:300]):
        broken.write_bytes(data)
        code, out, err = tray(capsys, "--image", broken, "--calibration", CALIBRATION, "--json")
        assert (code, out) == (2, "")
        assert "expected a JPEG or PNG picture" in err
    tray(capsys, "--sheet", tmp_path / "other.png", "--floor", "100x100")
    code, _, err = tray(capsys, "--image", tmp_path / "other.png", "--calibration", CALIBRATION)
    assert code == 2
    assert "expected a picture of 640 x 480 pixels, as calibrated; got 800 x 800" in err


def alone(name: str) -> tuple[object, ...]:
    return "--image", FOLDER / f"{name}.jpg", "--json"


@pytest.fixture
def no_calibration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_JOURNAL", str(tmp_path / "journal.db"))


@pytest.mark.usefixtures("no_calibration")
def test_a_picture_without_a_calibration_is_read_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = tray(capsys, *alone("throw-1"))
    result = json.loads(out)
    assert (code, result["throw"], [die["face"] for die in result["dice"]]) == (0, "read", [5, 2, 5, 4])
    assert all(die["certainty"] <= 0.95 for die in result["dice"])
    code, out, err = tray(capsys, *alone("stacked"))
    assert (code, json.loads(out)["throw"]) == (1, "doubt")
    assert "in doubt" in err
    code, out, err = tray(capsys, *alone("throw-1"), "--background", FOLDER / "empty.jpg")
    assert (code, out) == (2, "")
    assert "there is no calibration" in err


@pytest.mark.usefixtures("no_calibration")
def test_without_a_calibration_what_is_no_picture_is_unusable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"GIF89a")
    code, out, err = tray(capsys, "--image", broken)
    assert (code, out) == (2, "")
    assert "expected a JPEG or PNG picture" in err


def test_without_options_it_says_what_is_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert tray(capsys)[0] == 2
    assert tray(capsys, "--calibrate")[2].startswith("referee: expected --markers")
