"""F3: dice of four to twenty sides, keyed by number, thrown by the box, told by odds, drive and journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.drive import Driver
from referee.errors import BrokenRulebook, NotNow
from referee.journal import Journal
from referee.rulebook import Book, Game, Procedure, Roll, Ruling, throw_odds
from referee.session import Session, resume
from referee.station.virtual.bench import Bench
from referee.testing.conformance import conformance

NAMES = {"high": "High", "low": "Low"}


def book(sides: int, dice: int = 2) -> Book:
    """Return a book of one ruling: whether dice of so many sides come to more than half."""

    def outcome(faces: tuple[int, ...]) -> str:
        return "high" if 2 * sum(faces) > dice * sides else "low"

    def play(game: Game) -> Procedure[None]:
        odds = lambda: throw_odds(dice, outcome, NAMES, sides)  # noqa: E731
        faces = yield Roll("dice", "Roll", dice, sides=sides, code="Q-X1", need="high", odds=odds, rule="Q-1")
        result = outcome(faces)
        data = {"faces": list(faces), "sides": sides, "total": sum(faces)}
        game.rule(Ruling(result, NAMES[result], ("Q-1",), ("More than half is high",), data))

    start = lambda settings: Game()  # noqa: E731
    return Book("q", "Q", "1", start, rulings={"roll": play}, rules={"Q-1": "More than half is high"})


def begun(bench: Bench, sides: int, dice: int = 2) -> Bench:
    bench.console.table.begin(book(sides, dice), {}, "roll")
    bench.settle()
    return bench


def thrown(bench: Bench) -> list[int]:
    answer: list[int] = bench.console.table.current.entries[1].answer
    return answer


@pytest.mark.parametrize(
    ("sides", "keys", "faces"),
    [
        (4, "14", [1, 4]),
        (6, "36", [3, 6]),
        (8, "1622", [6, 8]),
        (10, "2411", [10, 1]),
        (12, "2621", [12, 7]),
        (20, "4235", [20, 17]),
    ],
)
def test_faces_are_keyed_by_number(tmp_path: Path, sides: int, keys: str, faces: list[int]) -> None:
    with begun(Bench(tmp_path / "journal.db"), sides) as bench:
        bench.key(*keys)
        assert thrown(bench) == faces
        assert f"dice {faces[0]} and {faces[1]}" in bench.text
        assert bench.misfits == []
    with Journal(tmp_path / "journal.db", write=False) as journal:
        assert resume(book(sides), journal, 1).last_ruling is not None


def test_the_glass_names_the_rows_then_the_faces_and_back_leaves_the_row(tmp_path: Path) -> None:
    with begun(Bench(tmp_path / "journal.db"), 20) as bench:
        assert "1-6 7-12 13-18 19-20" in bench.text.replace("  ", " ")
        bench.key("3")
        assert "13" in bench.text
        assert "18" in bench.text
        bench.key("back", "5")  # there is no fifth row
        assert bench.text.startswith("Which row? Press 1 to 4, then the face")
        bench.key("1", "1", "5")
        bench.key("4", "6")  # 24 is no face
        assert bench.text.startswith("Not now. Enter 2 faces from 1 to 20; not 24, 24. Q-X1")
        bench.key("1", "1", "2")
        assert thrown(bench) == [5, 2]


def test_the_panel_has_a_button_for_each_face_and_the_box_throws(tmp_path: Path) -> None:
    with begun(Bench(tmp_path / "journal.db"), 12) as bench:
        bench.wait(1)
        buttons = bench.console.stage.top.buttons
        assert [each.text for each in buttons] == [*map(str, range(1, 13)), "The box rolls"]
        bench.console.stage.top.tap("11")
        bench.key("back")
        bench.faces = (9, 12)
        bench.wait(1)
        bench.hold("select", 1.2)
        assert thrown(bench) == [9, 12]


def test_the_last_throw_is_corrected_with_two_presses(tmp_path: Path) -> None:
    with begun(Bench(tmp_path / "journal.db"), 20, 1) as bench:
        bench.key("2", "1")
        assert thrown(bench) == [7]
        bench.key("back", "3", "1")
        session = bench.console.table.current
        assert session.entries[-1].answer == [13]
        assert session.dice() == (0,) * 6  # statistics are those of six-sided dice


def test_drive_takes_and_refuses_faces_and_names_the_sides() -> None:
    driver = Driver(Session(book(10), ruling="roll"))
    (prompt,) = driver.greet()
    assert (prompt["dice"], prompt["sides"]) == (2, 10)
    for wrong in ([11, 1], [0, 1]):
        refused, _ = driver.take(json.dumps({"answer": wrong}).encode())
        assert refused["code"] == "Q-X1"
        assert refused["text"] == f"Enter 2 faces from 1 to 10; not {wrong[0]}, {wrong[1]}"
    odds, _ = driver.take(b'{"odds":true}')
    assert odds["odds"][0]["chance"] == "11/20"
    ruling, _ = driver.take(b'{"answer":[10,1]}')
    assert (ruling["result"], ruling["data"]["sides"]) == ("high", 10)


@pytest.mark.parametrize("sides", [4, 8, 20])
def test_conformance_compares_every_throw(sides: int) -> None:
    assert conformance(book(sides), 3).compared >= sides**2


@pytest.mark.parametrize("sides", [3, 21])
def test_other_dice_are_refused(sides: int) -> None:
    with pytest.raises(BrokenRulebook, match=f"expected dice of 4 to 20 sides, got {sides}"):
        Session(book(sides), ruling="roll")


def test_a_total_of_other_dice() -> None:
    roll = Roll("dice", "Roll", 3, sides=8, total=True)
    assert roll.check(24) == (24,)
    with pytest.raises(NotNow, match="Enter 3 faces from 1 to 8, or a total from 3 to 24; not 25"):
        roll.check(25)
