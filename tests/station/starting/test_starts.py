"""A station that falls over goes on in its safe mode; one that falls over there, too, ends."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from hardware.simulated.box import SimulatedBox
from referee.station.loop import Loop
from referee.station.main import Options, play


def test_a_station_that_falls_over_goes_on_in_safe_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun: list[bool] = []
    ready: list[str | None] = []

    def stop(address: str | None) -> None:
        ready.append(address)
        os.kill(os.getpid(), signal.SIGTERM)

    def falls(loop: Loop) -> None:
        begun.append(loop.console.table.shelf.__class__.__name__ == "SafeMode")
        if not begun[-1]:
            raise IndexError("tuple index out of range")
        opened(loop)

    opened = Loop.open
    monkeypatch.setattr(Loop, "open", falls)
    play(Options(fallback=tmp_path / "journal.db", panel=False, ready=stop), SimulatedBox())
    assert (begun, ready) == ([False, True], [None])
    assert "IndexError: tuple index out of range" in caplog.text


def test_a_safe_mode_that_falls_over_ends_the_station(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Loop) -> None:
        raise IndexError("tuple index out of range")

    monkeypatch.setattr(Loop, "open", broken)
    with pytest.raises(IndexError):
        play(Options(fallback=tmp_path / "journal.db", panel=False), SimulatedBox())


@pytest.mark.parametrize("ended", [SystemExit(0), KeyboardInterrupt()])
@pytest.mark.parametrize("where", ["referee.journal.lock.mark", "os.fsync"])
def test_a_start_ended_while_it_opens_the_journal_just_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: BaseException, where: str
) -> None:
    def asked(*_: object) -> None:
        raise ended

    with monkeypatch.context() as patch:
        patch.setattr(where, asked)
        with pytest.raises(type(ended)):
            play(Options(fallback=tmp_path / "journal.db", panel=False))
