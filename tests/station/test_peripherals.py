"""Devices beside the box: their keys count, their lamps follow, and the table is told when they go and come."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from hardware.errors import UnknownLine
from hardware.events import KEYS, SEAT_KEYS, Edge
from hardware.line.presence import Connected, Gap, Presence
from hardware.ports import LampState, Sink
from referee.cli.options import parser
from referee.config import Config, OwnReader, parse
from referee.console.views import Dice, Refusal, Ruling, View
from referee.errors import ConfigError
from referee.station.main import Options, play
from referee.station.readers import configured
from referee.station.virtual.bench import Bench
from referee.station.wiring import plug_in


class Board:
    """An input board in the test's hands."""

    def __init__(self, report: Callable[[Presence], None]) -> None:
        self.report = report
        self.sink: Sink | None = None
        self.down: set[str] = set()
        self.lit: dict[str, LampState] = {}
        self.names = SEAT_KEYS

    def open(self, sink: Sink) -> None:
        self.sink = sink

    def level(self, line: str) -> bool:
        if line not in KEYS:
            raise UnknownLine(line)
        return line in self.down

    def set(self, name: str, state: LampState) -> None:
        self.lit[name] = state

    def close(self) -> None:
        self.sink = None

    def move(self, line: str, level: bool, at: float) -> None:
        (self.down.add if level else self.down.discard)(line)
        assert self.sink is not None
        self.sink(Edge(line, level, at))


@pytest.fixture
def board(bench: Bench) -> Board:
    device = bench.loop.attach("Input board", Board)
    assert isinstance(device, Board)
    device.report(Connected("1.0.0", bench.clock.now))
    bench.settle()
    return device


def tap(bench: Bench, board: Board, line: str) -> None:
    bench.wait(0.3)
    for level in (True, False):
        board.move(line, level, bench.clock.now)
        bench.wait(0.06)


def shown(view: View) -> tuple[str, str]:
    assert isinstance(view, Refusal), view
    return view.title, view.text


def test_a_key_of_the_board_plays_as_one_of_the_box(bench: Bench, board: Board) -> None:
    bench.key("1")
    for line in ("die-2", "die-1", "die-1"):
        tap(bench, board, line)
    assert isinstance(bench.view, Dice)
    assert [entry.answer for entry in bench.console.table.current.entries][-2:] == ["o-v-o", "open"]


def test_a_key_held_on_the_board_is_not_let_go_by_the_box(bench: Bench, board: Board) -> None:
    bench.key("1", "2")
    bench.wait(0.3)
    board.move("back", True, bench.clock.now)
    bench.wait(0.6)
    menu = bench.view
    board.move("back", False, bench.clock.now)
    bench.wait(0.1)
    assert bench.view == menu
    bench.hold("back", 0.06)
    bench.hold("back", 0.6)
    assert type(bench.view) is type(menu)


def test_the_table_is_told_that_presses_were_missed(bench: Bench, board: Board) -> None:
    bench.wait(1)
    board.report(Gap(4, bench.clock.now))
    bench.settle()
    assert shown(bench.view)[0] == "Presses lost"


def test_what_the_table_need_not_know_shows_nothing(bench: Bench, board: Board) -> None:
    before = bench.view
    board.report(Connected("1.0.0", bench.clock.now))
    board.report(Gap(None, bench.clock.now))
    bench.wait(1)
    assert bench.view == before


def test_a_seats_lamp_is_lit_on_the_board_as_on_the_box(bench: Bench, board: Board) -> None:
    assert board.lit == bench.console.lamps()
    bench.key("1", "1")
    bench.wait(1)
    states = bench.console.lamps()
    assert {key: board.lit[key] for key in states} == states
    assert set(states.values()) != {"off"}


def test_a_port_that_cannot_be_is_refused_before_the_game(tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_text('[input_board]\nport = "telnet9://there"\n[panel]\nserve = false\n')
    with pytest.raises(ConfigError, match='expected "auto" or the path of a device'):
        play(Options(fallback=tmp_path / "journal.db", config=file))


def test_a_tray_is_watched_by_a_process_of_its_own() -> None:
    config = parse('[tray]\ncamera = "rpicam"\nrpicam = ["--gain", "2"]\nkeep = true\n')
    (source,) = configured(config, Path("/box/journal.db"))
    words = parser().parse_args(source.command[source.command.index("tray") :])
    assert (source.source, words.camera, words.rpicam, words.sure) == ("tray", "rpicam", ["--gain", "2"], False)
    assert (words.keep, words.calibration) == (Path("/box/tray/throws"), Path("/box/tray/calibration.json"))


def test_an_entry_names_the_picture_of_its_throw(bench: Bench) -> None:
    reader = bench.reader()
    bench.key("1", "2", "1", "1")
    bench.wait(0.5)
    reader.throw(5, 4, sure=False, certainty=[990, 950], picture="ab" * 32)
    bench.settle()
    assert not isinstance(bench.view, Ruling)
    bench.key("select")
    assert isinstance(bench.view, Ruling)
    (entry,) = [each for each in bench.console.table.current.entries if each.answer == [5, 4]]
    assert [face["picture"] for face in entry.extra["faces"]] == ["ab" * 32] * 2
    assert {face["source"] for face in entry.extra["faces"]} == {"dice-reader"}


def test_a_station_plays_with_the_program_that_is_configured(bench: Bench, tmp_path: Path) -> None:
    """And ends it: nothing of it runs when the parts are closed."""
    script = tmp_path / "reader.sh"
    script.write_text('echo $$ >"$1"\necho \'{"throw": 1, "faces": [5, 4], "sure": true}\'\nsleep 60\n')
    with ExitStack() as parts:
        bench.key("1", "2", "1", "1")
        bench.wait(0.5)
        config = Config(reader=OwnReader(("sh", str(script), str(tmp_path / "pid"))))
        plug_in(parts, bench.loop, config, tmp_path / "journal.db", terminal=True)
        while not isinstance(bench.view, Ruling):
            item = bench.inbox.get(30)
            assert item is not None
            bench.loop.step(item, bench.clock.now)
    entry = bench.console.table.current.entries[-1]
    assert (entry.answer, entry.source) == ([5, 4], "dice-reader")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.timed
def test_no_key_waits_for_a_reader_that_floods(bench: Bench, tmp_path: Path) -> None:
    """From the edge to what the console makes of it, while a program writes throws as fast as it can."""
    script = 'n=0; while :; do n=$((n+1)); echo "{\\"throw\\": $n, \\"faces\\": [5], \\"sure\\": true}"; done'
    waits: list[float] = []
    with ExitStack() as parts:
        bench.key("1", "2", "1", "1")
        config = Config(reader=OwnReader(("bash", "-c", script)))
        plug_in(parts, bench.loop, config, tmp_path / "journal.db", terminal=True)
        thrown = 0
        while thrown < 60:
            item = bench.inbox.get(30)
            assert item is not None
            thrown += getattr(item, "func", None) == bench.loop._take_peripheral
            bench.loop.step(item, bench.clock.now)
            bench.clock.now += 0.01
            pressed = time.monotonic()
            bench.inbox.put(Edge("die-1", thrown % 2 == 0, bench.clock.now))
            bench.settle()
            waits.append(time.monotonic() - pressed)
    assert sorted(waits)[-2] < 0.05
