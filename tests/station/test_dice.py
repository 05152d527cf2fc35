"""Self-reading dice: what counts, what is only proposed, and what is told of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.config import Config, parse
from referee.console.views import Dice, Grid, Refusal, Rows, Ruling
from referee.errors import JournalError
from referee.station.virtual.bench import Bench

SEATS = {"W": 1, "B": 2}
"""The dice that belong to seats where tests say so, by the first letter of their names."""


class Tray:
    """Dice in the test's hands, each "5" or "5 A7" or "5 A7 990"."""

    def __init__(self, bench: Bench, *, owned: bool = False) -> None:
        self.bench = bench
        self.reader = bench.reader()
        self._owned = owned

    def throw(self, *dice: str, ago: float = 0.0, **more: object) -> None:
        """Dice that began to roll so long ago lie still."""
        parts = [[*each.split(), "", ""][:3] for each in dice]
        names = {"dice": [name for _, name, _ in parts]} if parts[0][1] else {}
        certainty = [int(share) if share else None for _, _, share in parts]
        if self._owned:
            more = {"seat": SEATS[parts[0][1][0]], **more}
        faces = [None if face == "?" else int(face) for face, _, _ in parts]
        self.reader.throw(*faces, certainty=certainty, ago=ago, **{**names, **more})  # type: ignore[arg-type]
        self.bench.settle()

    def doubt(self, why: str, *dice: str) -> None:
        self.throw(*dice, sure=False, why=why)

    def move(self, die: str) -> None:
        self.say(moved=die)

    def say(self, **members: object) -> None:
        self.reader.say(**members)
        self.bench.settle()


@pytest.fixture
def asked(bench: Bench) -> Bench:
    """A box that asks for the two dice of a bare ruling."""
    bench.key("1", "2", "1", "2")
    bench.wait(0.5)
    bench.sounds.clear()
    return bench


@pytest.fixture
def tray(bench: Bench) -> Tray:
    return Tray(bench)


@pytest.fixture
def war(tmp_path: Path) -> Iterator[Bench]:
    """A field battle of the War of the Ring at its first roll: the Shadow's two dice, then the Free Peoples' one."""
    with Bench(tmp_path / "war.db") as bench:
        bench.play("war-of-the-ring", "battle")
        for answer in ("shadow", "field", 2, 0, 0, 2, 0, 0, "none", "none"):
            assert bench.prompt is not None
            bench.console.table.answer(bench.prompt.given(answer))
        bench.loop.step(None, bench.clock.now)
        bench.wait(1)
        yield bench
        assert bench.misfits == []


def dice(bench: Bench) -> Dice:
    assert isinstance(bench.view, Dice), bench.view
    return bench.view


def last(bench: Bench) -> Any:
    return bench.console.table.current.entries[-1]


def words(bench: Bench) -> str:
    """What the log says of the dice of the last throw."""
    return [line.dice for line in bench.console.table.current.log() if line.kind == "answer"][-1]


def refusal(bench: Bench) -> str:
    assert isinstance(bench.view, Refusal), bench.view
    return f"{bench.view.title}: {bench.view.text}"


# -- what counts


def test_dice_that_fall_together_are_a_throw(asked: Bench, tray: Tray) -> None:
    tray.throw("5")
    assert dice(asked).faces == (5, None)
    assert asked.sounds == ["key"]
    tray.throw("4 A7 998")
    assert isinstance(asked.view, Ruling)
    assert asked.view.faces == (5, 4)
    faces = [{"source": "dice-reader"}, {"source": "dice-reader", "die": "A7", "certainty": 998}]
    assert (last(asked).source, last(asked).extra) == ("dice-reader", {"faces": faces})
    assert words(asked) == "5 dice reader, 4 dice reader A7 99 %"


def test_a_throw_belongs_to_the_question_it_was_made_for(asked: Bench, tray: Tray) -> None:
    """It began to roll before the question was there, so it answers nothing by itself; one press takes it."""
    tray.throw("5 A7", "4 B7", ago=1.0)
    assert asked.sounds == ["late"]
    assert (dice(asked).faces, dice(asked).doubts) == ((5, 4), (0, 1))
    assert (dice(asked).foot_left, dice(asked).foot_right) == ("thrown before", "Select")
    assert "in doubt 5? 4?" in asked.text
    entries = asked.console.table.current.entries
    asked.wait(60)
    assert asked.console.table.current.entries == entries
    asked.key("select")
    assert last(asked).answer == [5, 4]
    assert words(asked) == "5 dice reader A7 (thrown before), 4 dice reader B7 (thrown before)"


def test_dice_answer_nothing_but_a_roll(bench: Bench, tray: Tray) -> None:
    tray.throw("1")
    assert isinstance(bench.view, Rows), "no game is opened"
    bench.key("1", "2")
    bench.wait(1)
    asked, entries = bench.view, bench.console.table.current.entries
    tray.throw("2", "6")
    assert (bench.view, bench.console.table.current.entries, bench.sounds[-1]) == (asked, entries, "late")
    bench.key("1", "2")
    bench.wait(1)
    assert (dice(bench).faces, dice(bench).doubts) == ((2, 6), (0, 1)), "the die of before the game is none of it"
    bench.key("5", "4")
    assert last(bench).answer == [5, 4]
    assert words(bench) == "5 for 2 dice reader (thrown before), 4 for 6 dice reader (thrown before)"
    ruling = bench.view
    tray.throw("3")
    assert bench.view == ruling, "it is not read yet"
    bench.read()
    assert isinstance(bench.view, Grid), "a die keeps nothing on the glass"
    bench.hold("back", 0.6)
    menu = bench.view
    tray.throw("1")
    assert bench.view == menu


def test_what_was_thrown_in_time_takes_the_place_of_what_was_not(asked: Bench, tray: Tray) -> None:
    tray.throw("1 A7", "2 B7", ago=1.0)
    tray.throw("5 B7")
    assert (dice(asked).faces, dice(asked).doubts) == ((1, 5), (0,))
    tray.throw("6 C7")
    assert last(asked).answer == [6, 5]
    assert "not 1 dice reader A7 (thrown before)" in words(asked)


def test_more_dice_than_were_asked_for_are_refused_as_a_whole(asked: Bench, tray: Tray) -> None:
    tray.throw("5 A7", "4 B7", "3 C7")
    assert refusal(asked) == "Too many: Saw 3 dice, expected 2. Roll again"
    assert asked.sounds == ["refusal"]
    asked.key("1")
    asked.wait(0.3)
    assert dice(asked).faces == (None, None)
    tray.throw("5 A7", "4 B7")
    assert last(asked).answer == [5, 4]
    assert [each["why"] for each in last(asked).extra["unused"]] == ["number"] * 3


# -- what is in doubt


@pytest.mark.parametrize("why", ["cocked", "unread"])
def test_a_die_without_a_face_is_keyed_in_or_thrown_again(asked: Bench, tray: Tray, why: str) -> None:
    tray.throw("5 A7")
    tray.doubt(why, "? B7")
    assert asked.sounds == ["key", "doubt"]
    assert (dice(asked).faces, dice(asked).doubts) == ((5, None), (1,))
    assert (dice(asked).foot_left, dice(asked).foot_right) == (f"B7 {why}", "key it")
    asked.key("select")
    assert refusal(asked) == "Which face?: Enter it or roll that die again"
    asked.key("1")
    asked.wait(0.3)
    tray.throw("4 B7 999")
    assert last(asked).answer == [5, 4]
    assert last(asked).extra["unused"] == [{"source": "dice-reader", "die": "B7", "why": why}]


@pytest.mark.parametrize("why", ["tilted", "unsure"])
def test_a_face_in_doubt_is_taken_by_a_press_or_keyed_over(asked: Bench, tray: Tray, why: str) -> None:
    tray.doubt(why, "5 A7 700")
    tray.throw("4 B7 990")
    assert (dice(asked).faces, dice(asked).doubts) == ((5, 4), (0,))
    assert (dice(asked).foot_left, dice(asked).foot_right) == (f"A7 {why}", "Select")
    asked.key("select")
    assert words(asked) == f"5 dice reader A7 70 % ({why}), 4 dice reader B7 99 %"
    asked.read()
    asked.key("1", "2")
    asked.wait(1)
    tray.doubt(why, "5 A7 700")
    tray.throw("4 B7 990")
    asked.key("2")
    unused = [{"face": 5, "keyed": 2, "source": "dice-reader", "die": "A7", "certainty": 700, "why": why}]
    assert (last(asked).answer, last(asked).extra["unused"]) == ([2, 4], unused)
    assert words(asked) == f"2 keyed, 4 dice reader B7 99 %, 2 for 5 dice reader A7 70 % ({why})"


def test_a_die_that_is_moved_where_it_lies_is_in_doubt(asked: Bench, tray: Tray) -> None:
    tray.throw("5 A7")
    tray.move("Z9")
    assert asked.sounds == ["key"]
    tray.move("A7")
    assert asked.sounds == ["key", "doubt"]
    assert (dice(asked).doubts, dice(asked).foot_left) == ((0,), "A7 moved")
    tray.throw("4 B7")
    assert dice(asked).faces == (5, 4)
    asked.key("select")
    assert (last(asked).answer, words(asked)) == ([5, 4], "5 dice reader A7 (moved), 4 dice reader B7")
    ruling = asked.view
    tray.move("A7")
    assert (asked.view, last(asked).answer) == (ruling, [5, 4]), "what was accepted stands"


def test_a_die_thrown_twice_for_one_roll_is_taken_once(asked: Bench, tray: Tray) -> None:
    tray.throw("1 A7")
    tray.throw("6 A7")
    tray.throw("5 A7")
    assert (dice(asked).faces, dice(asked).doubts) == ((5, None), (0,))
    assert dice(asked).foot_left == "A7 again"
    tray.throw("2 B7")
    asked.key("select")
    assert last(asked).answer == [5, 2]
    assert [(each["face"], each["why"]) for each in last(asked).extra["unused"]] == [(1, "again"), (6, "again")]


def test_dice_that_could_not_be_saved_wait_for_a_press(
    asked: Bench, tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise JournalError("full", "Disk is full. Free some space, then press again.")

    with monkeypatch.context() as patch:
        patch.setattr(asked.journal, "append", full)
        tray.throw("5 A7", "4 B7")
    assert refusal(asked).startswith("Not saved")
    asked.key("1")
    assert (dice(asked).faces, dice(asked).foot_left) == ((5, 4), "B7 not saved")
    asked.key("select")
    assert last(asked).answer == [5, 4]


# -- seats


def test_both_seats_throw_at_once_and_each_roll_takes_its_own(war: Bench) -> None:
    tray = Tray(war, owned=True)
    tray.throw("6 B1", "5 B2")
    tray.throw("6 W1")
    war.wait(0.1)
    assert isinstance(war.view, Dice)
    assert war.sounds[-2:] == ["key", "key"]
    tray.throw("1 W2")
    war.wait(10)
    throws = [entry for entry in war.console.table.current.entries if entry.ask == "combat.roll"]
    assert war.console.table.current.seats().keys() == {"free-peoples", "shadow"}
    answers = {entry.seat: entry.answer for entry in throws}
    assert answers == {"shadow": [6, 5], "free-peoples": [6, 1]}
    assert {entry.source for entry in throws} == {"dice-reader"}


def test_what_the_other_seat_has_thrown_stands_on_the_glass(war: Bench) -> None:
    tray = Tray(war, owned=True)
    first = "B" if war.prompt and list(war.console.table.seat_keys)[1] == war.prompt.seat else "W"
    other = "W" if first == "B" else "B"
    tray.throw(f"6 {other}1")
    tray.throw(f"6 {first}1")
    assert dice(war).foot_right.endswith(" 6")
    tray.move(f"{other}1")
    tray.throw(f"3 {first}2")
    war.wait(1)
    assert (dice(war).faces, dice(war).foot_left) == ((6, None), f"{other}1 moved"), "moved, so it waits for a press"


# -- what else dice and tables say


def test_at_a_table_of_the_boxs_own_dice_others_do_not_count(tmp_path: Path) -> None:
    with Bench(tmp_path / "box.db", parse('[table]\ndice = "box"\n')) as bench:
        tray = Tray(bench)
        bench.key("1", "2", "1", "2")
        bench.wait(0.5)
        tray.throw("5")
        assert refusal(bench) == "Box dice: This table uses box dice: hold Select"


def test_dice_that_were_thrown_and_undone_stand(asked: Bench, tray: Tray) -> None:
    tray.throw("5 A7", "4 B7")
    asked.console.table.undo()
    asked.settle()
    asked.wait(1)
    for dice in (("6 A7", "6 B7"), ("6 A7",)):
        tray.throw(*dice)
        assert "5 4 was rolled here" in refusal(asked)
        asked.key("1")
        asked.wait(0.5)
    shown = asked.view
    tray.doubt("cocked", "? A7")
    assert (asked.view, asked.sounds[-1]) == (shown, "late")


def test_a_battery_that_runs_out_is_told_once(asked: Bench, tray: Tray) -> None:
    tray.say(battery=11, die="A7")
    assert isinstance(asked.view, Dice)
    tray.say(battery=10, die="A7")
    assert refusal(asked) == "Battery low: Die A7: 10 %. Charge it."
    asked.key("1")
    tray.say(battery=9, die="A7")
    assert isinstance(asked.view, Dice)
    tray.say(battery=9, die="A7", charging=True)
    tray.say(battery=8, die="A7")
    assert isinstance(asked.view, Refusal)


def test_a_throw_whose_number_is_missing_is_told(asked: Bench, tray: Tray) -> None:
    tray.say(throw=1, faces=[5], sure=True)
    tray.say(throw=3, faces=[4], sure=True)
    asked.wait(10)
    assert refusal(asked) == "Throw lost: Reader: check before continuing."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"5 A7", "a line is not JSON"),
        (b'{"throw": NaN, "faces": [5], "sure": true}', "throw: expected 0 to 2147483648"),
        (b'{"throw": 1, "faces": [5], "sure": true}', "throw 1 came after 1"),
        (b'{"throw": 2, "faces": [7], "sure": true}', "a face is not 1 to 6"),
    ],
)
def test_a_line_that_no_reader_may_write_is_told_once(
    asked: Bench, tray: Tray, line: bytes, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """P6: a throw may be lost; the log says what came, and the next throw waits for a press."""
    tray.throw("5 A7")
    for _ in range(2):
        tray.reader.line(line)
        asked.settle()
    assert refusal(asked) == f"Not understood: Reader: {why}. Check before continuing."
    assert f"Reader sent {line!r}: {why}" in caplog.messages
    asked.key("1")
    tray.throw("4 B7")
    assert (dice(asked).faces, dice(asked).foot_left) == ((5, 4), "B7 unsure")
    asked.key("select")
    assert last(asked).answer == [5, 4]


def test_a_reader_that_ends_and_is_back_is_told_and_asked(asked: Bench, tray: Tray) -> None:
    tray.throw("5")
    for _ in range(2):
        tray.reader.die("It ended with 1")
        asked.settle()
    assert refusal(asked) == "Reader lost: It ended with 1. No answer is lost."
    asked.key("1")
    tray.say()
    assert refusal(asked) == "Reader back: Dice thrown meanwhile do not count."
    asked.key("1")
    tray.throw("5")
    assert dice(asked).foot_left.endswith("unsure"), "it may be the throw of before"


def test_a_die_that_is_lost_and_back_is_told(asked: Bench, tray: Tray) -> None:
    tray.say(lost="A7", why="asleep", advice="Shake it.")
    assert refusal(asked) == "Die lost: A7: Shake it. No answer is lost."
    asked.key("1")
    tray.say(found="A7")
    assert refusal(asked) == "Die back: A7: Dice thrown meanwhile do not count."


def test_a_restart_keeps_what_dice_told(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db", Config()) as bench:
        bench.key("1", "2", "1", "2")
        bench.wait(0.5)
        tray = Tray(bench)
        tray.throw("1 A7 990")
        bench.key("back")
        tray.throw("5 A7 990", "4 B7 995")
        before = bench.console.table.current.log()
    with Bench(tmp_path / "journal.db", Config()) as bench:
        assert bench.console.table.current.log() == before
        assert "not 1 dice reader A7 99 % (back)" in words(bench)
