"""Whatever keeps a station from starting: on the glass, and which exit code.

The pins and the bus are a machine's; everything above them is the station that is installed.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gpiozero import OutputDevice
from gpiozero.exc import PinUnknownPi

from hardware.box import leave_picture, open_real
from hardware.glass.buses import I2cWire, Wire
from hardware.pins import load
from hardware.simulated.bus import SimulatedI2c
from hardware.simulated.controllers import Ssd1309
from hardware.simulated.pins import factory
from referee.cli.exits import CONFIG, STATION
from referee.cli.main import main
from referee.console.drawing.screens import draw, problems
from referee.errors import RefereeError
from referee.station.main import Options, run
from referee.station.obstacle import obstacle
from referee.station.start import report_card
from referee.station.virtual.bench import Bench


class LgpioError(Exception):
    """Stands for lgpio's own, which has no base but Exception."""


class Machine:
    """A Raspberry Pi where one is touched: the pin factory and the I2C bus."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chip = SimulatedI2c(Ssd1309(), address=0x3C)
        self.pins = factory()
        self.gpio: Callable[[], Any] = lambda: self.pins
        self.options = Options(fallback=folder / "journal.db", panel=False, ready=self._ready)

    def bus(self, number: int, address: int) -> Wire:
        self.chip.closed = False
        return I2cWire(self.chip, address=address)

    def run(self) -> None:
        machine: dict[str, Any] = {"gpio": self.gpio, "bus": self.bus}
        run(self.options, opened=partial(open_real, **machine), left=partial(leave_picture, **machine))

    def setting(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        self.options = Options(**{**vars(self.options), "config": self.folder / "referee.toml"})

    def refuse(self, number: int, words: str) -> None:
        given = self.pins.pin

        def pin(name: Any) -> Any:
            if name == number:
                raise LgpioError(words)
            return given(name)

        self.pins.pin = pin

    @staticmethod
    def _ready(address: str | None) -> None:
        os.kill(os.getpid(), signal.SIGTERM)


def taken(machine: Machine) -> None:
    machine.refuse(load().buzzer, "GPIO busy")


def taken_key(machine: Machine) -> None:
    machine.refuse(5, "GPIO busy")


def expander(machine: Machine) -> None:
    machine.refuse(load().encoder[0], "bad GPIO number")


def fails(error: Exception, machine: Machine) -> None:
    def gpio() -> Any:
        raise error

    machine.gpio = gpio


def wrong_setting(machine: Machine) -> None:
    machine.setting("referee.toml", "[table]\n\ndice = 1\n")


def no_toml(machine: Machine) -> None:
    machine.setting("referee.toml", "[table\ndice = 1\n")


def wrong_pins(machine: Machine) -> None:
    machine.setting("pins.toml", "[keys]\ndie-1 = 99\n")
    machine.setting("referee.toml", f'[pins]\npath = "{machine.folder}/pins.toml"\n')


FAULTS: dict[str, tuple[Callable[[Machine], None], str]] = {
    "another program has the buzzer's pin": (
        taken,
        "Pin in use. GPIO 9 (buzzer) is used by another program. Stop it. Retrying",
    ),
    "another program has a key's pin": (
        taken_key,
        "Pin in use. GPIO 5 (die-1) is used by another program. Stop it. Retrying",
    ),
    "the GPIO chip is another one": (
        expander,
        "Wrong pins. GPIO 17 (encoder-a): this is not a Raspberry Pi header. Retrying",
    ),
    "the board has no revision": (
        partial(fails, PinUnknownPi("unable to locate Pi revision")),
        "Which board? The board does not say which Raspberry Pi it is. Retrying",
    ),
    "the pins cannot be used": (
        partial(fails, PermissionError(errno.EACCES, "Permission denied")),
        "No pins. The pins cannot be used. See journalctl. Retrying",
    ),
    "a setting is wrong": (wrong_setting, 'Settings, line 3. table.dice: expected "either", "physical" or "box"'),
    "the settings are not TOML": (
        no_toml,
        "Settings, line 1. referee.toml: not TOML: Expected ']' at the end of a table declaration",
    ),
    "the pin map is wrong": (
        wrong_pins,
        'Settings wrong. pins.toml: table [encoder] is missing: expected "a", "b", …',
    ),
    "a part of the program is missing": (
        partial(fails, ImportError("No module named 'luma'")),
        "Program fault. ImportError: No module named 'luma'. Retrying",
    ),
}
"""What keeps a station from starting: how it comes about, and what the glass says."""


def start(machine: Machine) -> Exception:
    """Run it; return what keeps it from starting."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which is what the test is about
        machine.run()
    return caught.value


@pytest.mark.parametrize("fault", FAULTS)
def test_what_keeps_a_station_from_starting_is_on_the_glass(fault: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    cause, said = FAULTS[fault]
    cause(machine)
    error = start(machine)
    view = obstacle(error)
    assert problems(view) == []
    assert machine.chip.glass().tobytes() == draw(view)[0].tobytes(), "and it stays there"
    assert machine.chip.closed
    assert view.speech().spoken == said
    assert isinstance(error, RefereeError | ImportError)


def test_a_missing_display_is_named(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.chip.absent = True
    assert "no display answers at address 0x3C" in str(start(machine))


def test_the_next_start_draws_over_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    other = OutputDevice(load().buzzer, pin_factory=machine.pins)
    assert "GPIO 9 (buzzer)" in str(start(machine))
    assert machine.chip.glass().getbbox() is not None
    other.close()
    machine.run()
    assert machine.chip.glass().getbbox() is None, "it was ended when it was ready, and left the glass dark"


@pytest.mark.parametrize(("arguments", "code"), [(["--config", "wrong.toml"], CONFIG), ([], STATION)])
def test_exit_codes_are_none_that_systemd_misreads(
    arguments: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without a box. The codes 3 to 7 have other names there, and so has everything from 200 on."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.toml").write_text("[table]\ndice = 1\n")
    assert main(["run", "--no-panel", "--journal", "j.db", *arguments]) == code
    assert code not in range(3, 8)
    assert code < 200


def test_what_is_wrong_with_a_card_is_on_the_glass(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    problems = tmp_path / "problems"
    report_card(bench.console, problems, bench.clock.now)
    assert caplog.text == "", "a box without a card"
    problems.write_text(
        "referee.txt:9: wifi.country: expected the country in two capitals: \"DE\"; got 'Germany'\n"
        "referee.txt:12: box.hostname: expected letters\n"
        "referee.txt: expected a file of at most 65536 bytes\n"
    )
    report_card(bench.console, problems, bench.clock.now)
    bench.loop.step(None, bench.clock.now)
    seen = []
    for _ in range(3):
        seen.append(bench.view.speech().spoken)
        bench.key("select")
    assert seen == [
        'Card, line 9. wifi.country: expected the country in two capitals: "DE". any key',
        "Card, line 12. box.hostname: expected letters. any key",
        "Card. referee.txt: expected a file of at most 65536 bytes. any key",
    ]
    assert "not used: referee.txt:9" in caplog.text
