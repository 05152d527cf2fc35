"""The unit, its helpers and the boot configuration: what systemd itself says of them, and that they fit the code."""

from __future__ import annotations

import configparser
import re
import subprocess
from pathlib import Path

import pytest

from hardware.line.port_names import PICO
from hardware.pins import load
from referee.cli.exits import CONFIG, USAGE
from referee.config import Config
from referee.config import load as load_config
from referee.web.browsers import MAX_BROWSERS, MAX_OF_BOX
from referee.web.limits import MAX_PASSING
from referee.web.server import BACKLOG

PI = Path(__file__).parents[2] / "firmware" / "pi"
UNIT = PI / "referee.service"
TRAY = PI.with_name("deb") / "tray"
MOST_EXPOSURE = 2.0
EVERYTHING_ELSE = 100
"""Files a station has open beside the panel's connections: some 40, and room for what a library opens briefly."""
SMALLEST_PI = 512
"""MiB of a Raspberry Pi Zero 2 W."""


class Parsed(configparser.RawConfigParser):
    """A unit file: keys keep their case, and may come twice."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


@pytest.fixture
def service() -> configparser.SectionProxy:
    parsed = Parsed(strict=False, comment_prefixes=("#",))
    parsed.read(UNIT)
    return parsed["Service"]


@pytest.fixture(params=["", "tray"])
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The unit as it is installed, without and with what the tray's package adds."""
    path = tmp_path / "referee.service"
    path.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text()))
    if request.param:
        added = tmp_path / "referee.service.d" / "tray.conf"
        added.parent.mkdir()
        added.write_text((TRAY / "service.conf").read_text())
    return path


def test_the_service_is_exposed_no_more_than_it_must(systemd_analyze: str, unit: Path) -> None:
    command = [systemd_analyze, "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSURE * 10:.0f}"]
    done = subprocess.run([*command, unit], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    match = re.search(r"exposure level for referee\.service: (\d+\.\d)", done.stdout)
    assert match is not None
    assert float(match[1]) <= MOST_EXPOSURE


def test_systemd_knows_every_word_of_the_unit(systemd_analyze: str, unit: Path) -> None:
    done = subprocess.run([systemd_analyze, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    complaints = [line for line in done.stderr.splitlines() if "referee.service" in line]
    assert (done.returncode, complaints) == (0, [])


def test_the_service_is_watched_and_started_again(service: configparser.SectionProxy) -> None:
    assert service["Type"] == "notify"
    assert service["NotifyAccess"] == "main"
    assert 5 <= int(service["WatchdogSec"]) <= 60
    assert service["Restart"] == "on-failure"
    codes = [int(code) for code in service["RestartPreventExitStatus"].split()]
    assert codes == [USAGE, CONFIG], "a wrong configuration is not started for ever"


def test_the_service_cannot_take_the_pi_with_it(service: configparser.SectionProxy) -> None:
    """The panel's connections, those just accepted and everything else fit under the limit on files."""
    files = int(service["LimitNOFILE"])
    lines = MAX_BROWSERS + MAX_OF_BOX
    assert lines + MAX_PASSING + BACKLOG + EVERYTHING_ELSE <= files
    memory = [int(service[name].removesuffix("M")) for name in ("MemoryHigh", "MemoryMax")]
    assert memory == sorted(memory)
    assert memory[-1] <= SMALLEST_PI / 2


def test_the_kinds_of_device_are_known_before_the_service_starts() -> None:
    """systemd looks a kind of device up when the service starts; a driver loaded later would be refused."""
    modules = {line for line in (PI / "modules.conf").read_text().splitlines() if line and line[0] != "#"}
    assert modules == {"i2c-dev", "cdc_acm", "usbserial", "snd"}
    assert "After=systemd-modules-load.service\n" in UNIT.read_text()


def test_the_tray_s_package_lets_the_service_use_cameras() -> None:
    """By USB `video4linux` is enough; rpicam-vid looks for `media` and has pictures in memory of `dma_heap`."""
    added = (TRAY / "service.conf").read_text()
    kinds = re.findall(r"(?m)^DeviceAllow=char-(\w+) rw$", added)
    assert kinds == ["video4linux", "media", "dma_heap"]
    assert "SupplementaryGroups=video\n" in added
    assert "\nvideodev\n" in (TRAY / "modules.conf").read_text(), "a camera may be plugged in later"
    assert 'SUBSYSTEM=="dma_heap", GROUP="video"' in (TRAY / "camera.rules").read_text()
    assert "\nm referee video\n" in (TRAY / "sysusers.conf").read_text()
    station, tray = (int(re.findall(r"(?m)^MemoryMax=(\d+)M$", text)[0]) for text in (UNIT.read_text(), added))
    assert tray - station >= 96, "the tray takes some 100 MiB beside the station"


def test_the_station_s_user_is_in_the_groups_of_the_unit(service: configparser.SectionProxy) -> None:
    lines = [line.split() for line in (PI / "sysusers.conf").read_text().splitlines() if line and line[0] != "#"]
    assert [words[1] for words in lines if words[0] == "u"] == [service["User"]]
    joined = {words[2] for words in lines if words[0] == "m" and words[1] == service["User"]}
    assert joined == set(service["SupplementaryGroups"].split())
    assert {words[1] for words in lines if words[0] == "g"} == joined, "a group that does not exist stops the service"


@pytest.fixture
def rules() -> list[str]:
    return [line for line in (PI / "referee.rules").read_text().splitlines() if line and line[0] != "#"]


def test_the_station_s_groups_are_given_pins_and_buses(rules: list[str], service: configparser.SectionProxy) -> None:
    """Debian, unlike Raspberry Pi OS, leaves them to root."""
    given = {}
    for rule in rules:
        if match := re.match(r'SUBSYSTEM=="([\w-]+)", .*GROUP="(\w+)", MODE="0660"', rule):
            given[match[1]] = match[2]
    assert {"gpio": "gpio", "i2c-dev": "i2c", "spidev": "spi"}.items() <= given.items()
    assert set(given.values()) <= set(service["SupplementaryGroups"].split())


def test_the_udev_rules_mean_the_board_the_code_looks_for(rules: list[str]) -> None:
    for rule in [rule for rule in rules if "idVendor" in rule]:
        vendor, product = (re.search(rf'{name}}}=="(\w+)"', rule) for name in ("idVendor", "idProduct"))
        assert vendor is not None
        assert product is not None
        assert (int(vendor[1], 16), int(product[1], 16)) == PICO
    assert any('SUBSYSTEM=="usb"' in rule and 'ENV{ID_MM_DEVICE_IGNORE}="1"' in rule for rule in rules)
    assert any('SYMLINK+="referee-input"' in rule and 'GROUP="dialout"' in rule for rule in rules)


def test_the_boot_configuration_fits_the_pin_map() -> None:
    text = (PI / "config.txt").read_text()
    assert "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n" in text
    low = re.search(r"^gpio=([\d,]+)=op,dl$", text, re.MULTILINE)
    assert low is not None
    pins = load()
    assert sorted(map(int, low[1].split(","))) == sorted([*pins.lamps.values(), pins.buzzer])


def test_the_settings_that_are_installed_are_settings() -> None:
    config = load_config(PI / "referee.toml")
    assert config.panel.open_browser is False
    assert config.table == Config().table
