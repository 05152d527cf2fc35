"""Starts in a row that came to nothing are counted; the file that counts them can be anything and does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.simulated.box import SimulatedBox
from referee.station.loop import Loop
from referee.station.main import Options, play
from referee.station.start import STOOD
from referee.station.starts import FAILED, Starts
from tests.station.starting.begun import BegunBench


def counted(journal: Path) -> tuple[int, str]:
    starts = Starts(journal)
    return starts.failed, starts.why


@pytest.mark.parametrize("how", ["stood", "answered", "ended"])
def test_a_start_that_came_to_something_is_forgotten(memory: Path, how: str) -> None:
    path = memory / "journal.db"
    for _ in range(FAILED - 1):
        BegunBench(path).kill()
    bench = BegunBench(path)
    if how == "ended":
        bench.__exit__(None, None, None)
    else:
        if how == "stood":
            bench.wait(STOOD + 1)
        else:
            bench.key("1", "2", "1")
            assert bench.console.table.current.n == 2
        bench.kill()
    assert not Starts(path).path.exists()


def test_the_watchdog_is_quicker_than_a_start_succeeds() -> None:
    unit = (Path(__file__).parents[3] / "firmware" / "pi" / "referee.service").read_text(encoding="utf-8")
    (seconds,) = [int(line.split("=")[1]) for line in unit.splitlines() if line.startswith("WatchdogSec=")]
    assert seconds < STOOD, "a station that hangs at once would be counted as one that stood"
    assert "StartLimitIntervalSec=0\n" in unit, "systemd must not give up before the safe mode"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"failed":"3"}',
        '{"failed":-1}',
        "\x00" * 60,
        "[" * 5000,
        '{"failed":true}',
    ],
)
def test_a_damaged_file_counts_as_none_and_is_written_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "journal.db"
    Starts(path).path.write_text(text, encoding="utf-8")
    starts = Starts(path)
    assert starts.failed == 0
    starts.begin()
    assert counted(path) == (1, "")


def test_what_ended_a_start_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    with BegunBench(path) as bench:
        bench.key("1", "2", "1")

    def broken(self: Loop) -> None:
        raise IndexError("tuple index out of range")

    monkeypatch.setattr(Loop, "open", broken)
    with pytest.raises(IndexError):
        play(Options(fallback=path, panel=False), SimulatedBox())
    assert counted(path) == (1, "IndexError: tuple index out of range")


@pytest.mark.parametrize("ended", [SystemExit(0), KeyboardInterrupt()])
def test_a_start_ended_while_it_opens_the_journal_is_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: BaseException
) -> None:
    def asked(*_: object) -> None:
        raise ended

    path = tmp_path / "journal.db"
    with monkeypatch.context() as patch:
        patch.setattr("referee.journal.lock.mark", asked)
        with pytest.raises(type(ended)):
            play(Options(fallback=path, panel=False))
    assert counted(path) == (0, "")
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", asked)
        with pytest.raises(type(ended)):
            play(Options(fallback=path, panel=False))
    assert not [*tmp_path.glob("journal.db.starts*")]
