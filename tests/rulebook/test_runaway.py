"""F1: a rulebook that runs on between two questions is stopped and named; the game goes on without that answer."""

from __future__ import annotations

import inspect
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee.drive import Driver
from referee.errors import BrokenRulebook
from referee.rulebook import MILESTONE, YES_NO, Book, Choose, Count, Game, Odds, Play, Procedure, Reminder
from referee.rulebook.watchdog import TICK
from referee.session import Session
from referee.station.news import table_message
from referee.station.virtual.bench import Bench


def milestones(_: Game) -> Procedure[None]:
    while True:
        yield MILESTONE


def nested(game: Game) -> Procedure[None]:
    yield from milestones(game)


def rulings(game: Game) -> Procedure[None]:
    yield MILESTONE
    while True:
        game.outbox[:] = [Reminder("R-1", "again")]


def nothing(_: Game) -> Procedure[None]:
    endless = True
    while endless:
        pass
    yield


def stubborn(_: Game) -> Procedure[None]:
    while True:
        try:
            yield from nothing(_)
        except Exception:  # noqa: BLE001 - the loop that must be stopped all the same
            continue


FILE = Path(__file__).name


def book(runs_on: Callable[[Game], Procedure[None]], answer: str = "yes") -> Book:
    """Return a book that asks the same again, and runs on after that answer."""

    def play(game: Game) -> Procedure[None]:
        while True:
            yield MILESTONE
            if (yield Choose("q", "Go on?", YES_NO)) == answer:
                yield from runs_on(game)

    return Book("q", "Q", "1", lambda settings: Game(), play)


def lines(code: Callable[..., Any]) -> list[str]:
    """Return the lines of a function as an error names them."""
    source, first = inspect.getsourcelines(code)
    return [f"{FILE}:{first + n})" for n in range(len(source))]


@pytest.mark.parametrize("runs_on", [milestones, nested, rulings, nothing, stubborn])
def test_a_runaway_is_stopped_and_its_line_is_named(runs_on: Callable[[Game], Procedure[None]]) -> None:
    play = Play(book(runs_on))
    play.answer("no")
    asked, moves = play.ask, list(play.moves)
    with pytest.raises(BrokenRulebook, match="runs on without a question") as caught:
        play.answer("yes")
    loop = {"nested": milestones, "stubborn": nothing}.get(runs_on.__name__, runs_on)
    assert str(caught.value).endswith(tuple(lines(loop) + lines(runs_on)))
    assert asked is not None
    assert play.ask is not None
    assert (play.moves, play.ask.key) == (moves, asked.key)
    play.answer("no")  # the box is alive


def test_drive_answers_with_an_error_and_goes_on() -> None:
    driver = Driver(Session(book(nothing)))
    refused, prompt = driver.take(b'{"answer":"yes"}')
    assert (refused["code"], prompt["n"]) == ("broken-rulebook", 1)
    assert FILE in refused["text"]
    assert driver.take(b'{"answer":"no"}')[-1]["n"] == 2


def test_the_glass_names_a_runaway_and_the_journal_is_whole(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        table = bench.console.table
        table.begin(book(nothing), {}, None)
        bench.settle()
        bench.key("2")  # no
        entries = len(table.current.entries)
        bench.key("1")  # yes
        assert bench.text in [
            f"Not counted. The rules run on at {line[:-1]}. nothing lost" for line in lines(nothing)
        ]
        assert len(table.current.entries) == entries
        bench.key("1", "2")  # the first one puts the fault away
        assert len(table.current.entries) == entries + 1
        assert bench.misfits == []


def forever(*_: object) -> Any:
    while True:
        pass


@pytest.mark.parametrize("beside", ["odds", "outlook"])
def test_a_box_lives_without_odds_that_fail_or_run_on(beside: str, tmp_path: Path) -> None:
    """F1: menu and panel ended the station; they are tried once, and the menu says what is wrong."""

    def fails(_: Game) -> Odds | None:
        raise ZeroDivisionError

    odds, outlook = (forever, None) if beside == "odds" else (lambda: None, fails)

    def play(_: Game) -> Procedure[None]:
        while (yield Choose("q", "Go on?", YES_NO, odds=odds)) == "yes":
            pass

    with Bench(tmp_path / "journal.db") as bench:
        bench.console.table.begin(Book("q", "Q", "1", lambda _: Game(), play, outlook=outlook), {}, None)
        bench.settle()
        begun = time.process_time()
        for _ in range(3):
            assert table_message(bench.console.table.current, simulated=True)["odds"] == []
        assert time.process_time() - begun < 2 * TICK + 1
        bench.hold("back", 0.6)
        bench.key("2")
        line = {"odds": "The rules run on at test_runaway.py", "outlook": "The rules fail at test_runaway.py"}
        assert line[beside] in bench.text
        bench.key("back", "back", "1")
        assert bench.console.table.current.n == 2


BESIDE = ("seats", "short_names", "pools", "status", "place")


@dataclass
class Beside(Game):
    """One of what is shown beside its question (`BESIDE`) fails, or runs on, once it is ``gone``."""

    what: str = ""
    gone: bool = False

    def __getattribute__(self, name: str) -> Any:
        if name in BESIDE and name == self.what and self.gone:
            return forever if name == "pools" else lambda: 1 / 0
        return super().__getattribute__(name)


@pytest.mark.parametrize("what", BESIDE)
def test_an_answer_that_cannot_be_shown_does_not_count(what: str, tmp_path: Path) -> None:
    """F1: what lies beside the question ended the station, or hung it."""

    def play(game: Beside) -> Procedure[None]:
        while True:
            game.gone = (yield Choose("q", "Go on?", YES_NO)) == "yes"

    with Bench(tmp_path / "journal.db") as bench:
        bench.console.table.begin(Book("q", "Q", "1", lambda _: Beside(what=what), play), {}, None)
        bench.settle()
        bench.key("1")
        assert "Not counted. The rules" in bench.text
        bench.key("1", "2")
        assert bench.console.table.current.n == 2


@pytest.mark.parametrize("what", ["pools", "status"])
def test_a_game_that_cannot_be_shown_does_not_begin(what: str, tmp_path: Path) -> None:
    """F1: pools that failed before the first question ended the station."""

    def play(_: Game) -> Procedure[None]:
        yield Choose("q", "Go on?", YES_NO)

    with Bench(tmp_path / "journal.db") as bench:
        broken = Book("q", "Q", "1", lambda _: Beside(what=what, gone=True), play)
        bench.console.learn(lambda: bench.console.table.begin(broken, {}, None))
        bench.settle()
        assert bench.console.table.session is None
        assert "rules" in bench.text


class Judged(Game):
    corrected = forever


def test_bars_odds_and_corrections_that_run_on_are_stopped_too() -> None:
    def play(_: Game) -> Procedure[None]:
        yield Count("c", "How many?", 0, 9, lambda value: forever() if value == 3 else None, odds=forever)

    running = Play(Book("q", "Q", "1", lambda settings: Judged(), play))
    for deed in (lambda: running.answer(3), running.odds, lambda: running.correct_all({})):
        with pytest.raises(BrokenRulebook, match="runs on"):
            deed()
    running.answer(2)


def test_no_timer_runs_on_when_a_process_ends() -> None:
    """Python takes its handlers away before it ends: a tick that came then would kill it."""
    played = (
        "import atexit, signal\n"
        "atexit.register(lambda: print(signal.getitimer(signal.ITIMER_VIRTUAL)))\n"
        "from referee.games import load\n"
        "from referee.rulebook import Play\n"
        "Play(load('battle-of-the-ring'))\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", played], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "(0.0, 0.0)\n"
