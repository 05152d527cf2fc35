"""Start and stop of a whole station in this process."""

from __future__ import annotations

import os
import queue
import signal
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.box import Box, open_real
from hardware.pins import DisplayWiring, I2cWiring, Pins
from hardware.simulated.box import SimulatedBox
from referee.config import Config
from referee.console.views import Refusal
from referee.errors import JournalBusy, StationError
from referee.journal import Journal
from referee.station.main import Options, play, run
from referee.station.virtual.bench import Bench
from referee.station.visitors import Door
from referee.station.wiring import Panel
from referee.web.passes import Passes


def end(address: str | None) -> None:
    """End the station as systemd does."""
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("panel", [False, True])
def test_a_signal_leaves_a_dark_glass_and_dark_lamps(tmp_path: Path, number: signal.Signals, panel: bool) -> None:
    seen: list[tuple[bool, bool]] = []

    def ready(address: str | None) -> None:
        seen.append((address is not None, box.glass().getbbox() is not None))
        os.kill(os.getpid(), number)

    box = SimulatedBox()
    play(Options(fallback=tmp_path / "j.db", panel=panel, port=0, browser=False, ready=ready), box)
    assert seen == [(panel, True)], "the first picture is there before the panel"
    assert box.glass().getbbox() is None
    assert not any(box.lamps().values())
    assert not box.sounding


def test_a_simulated_box_whose_port_is_taken_says_so_and_ends(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(StationError, match=rf"Another program uses port {port}\. .*--port"):
            play(Options(fallback=tmp_path / "j.db", port=port, browser=False, ready=end))
    with Journal(tmp_path / "j.db"):
        pass  # given back


@pytest.mark.parametrize(
    ("host", "why"), [("", "Port {port} cannot be opened."), ("192.0.2.9", "{host} is not this box.")]
)
def test_a_box_that_cannot_serve_its_panel_says_so_and_plays_on(bench: Bench, host: str, why: str) -> None:
    passes, ready = Passes(), queue.SimpleQueue[str | None]()
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        config = replace(Config().panel, host=host or "127.0.0.1", port=port, open_browser=False)
        door = Door(passes)
        panel = Panel(bench.hub, config, passes, door, bench.loop, ready.put, needed=False)
        panel.stop()
    bench.settle()
    assert bench.view == Refusal(
        "No panel", f"{why.format(host=host, port=port)} The box plays on without it.", hint="any key"
    )
    assert ready.get_nowait() is None


@pytest.mark.parametrize("host", ["192.0.2.9", "no-such-host.invalid"])
def test_a_panel_whose_host_is_wrong_is_told_the_host(tmp_path: Path, host: str) -> None:
    config = tmp_path / "referee.toml"
    config.write_text(f'[panel]\nhost = "{host}"\nopen_browser = false\n')
    with pytest.raises(StationError, match=f"host is {host}: expected an address of this computer") as fault:
        play(Options(fallback=tmp_path / "j.db", config=config, port=0, ready=end))
    assert "port" not in str(fault.value)
    with Journal(tmp_path / "j.db"):
        pass  # given back


def test_without_a_box_it_says_what_is_missing_and_of_play(tmp_path: Path) -> None:
    """Nothing replaced but the number of the bus: there is no bus 9 anywhere."""

    def opened(pins: Pins, **more: Any) -> Box:
        return open_real(replace(pins, display=DisplayWiring("ssd1309", I2cWiring(9, 0x3C))), **more)

    said = r"there is no /dev/i2c-9: on a Raspberry Pi .*\. `referee play` runs a simulated box$"
    with pytest.raises(StationError, match=said):
        run(Options(fallback=tmp_path / "j.db"), opened=opened, left=lambda *_: None)


def test_a_second_station_is_told_where_the_first_is(tmp_path: Path) -> None:
    told: list[str] = []

    def ready(address: str | None) -> None:
        assert address
        with pytest.raises(JournalBusy) as busy:
            Journal(tmp_path / "j.db")
        told.extend((address, str(busy.value)))
        end(address)

    play(Options(fallback=tmp_path / "j.db", port=0, browser=False, ready=ready))
    assert told[0] in told[1]


def test_a_journal_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StationError, match="cannot be used"):
        play(Options(fallback=tmp_path / "file" / "j.db", panel=False, ready=end))


def test_the_command_line_names_the_journal_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "referee.toml").write_text(f'[journal]\npath = "{tmp_path}/file.db"\n')
    config = tmp_path / "referee.toml"
    play(Options(fallback=tmp_path / "d.db", journal=tmp_path / "named.db", config=config, panel=False, ready=end))
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["named.db"]
    play(Options(fallback=tmp_path / "d.db", config=config, panel=False, ready=end))
    assert (tmp_path / "file.db").exists()
