"""A healthy machine gets no complaint; each fault gets its own, with what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.header import Chip
from hardware.line.presence import Disconnected
from referee.config import Config, InputBoardPort
from referee.doctor.examination import look
from referee.doctor.findings import Finding
from referee.doctor.host import Host
from referee.journal import Journal

if TYPE_CHECKING:
    from tests.doctor.conftest import Machine

JOURNAL = Path("/var/lib/referee/journal.db")


def looked(machine: Machine) -> list[Finding]:
    return [*look(machine, machine.box.pins, JOURNAL, Config(input_board=machine.configured))]


def complaints(machine: Machine) -> list[Finding]:
    return [finding for finding in looked(machine) if finding.level != "ok"]


def test_a_healthy_machine_gets_no_complaint(machine: Machine) -> None:
    machine.plug()
    findings = looked(machine)
    assert [finding.text for finding in findings if finding.level != "ok"] == []
    parts = {finding.part for finding in findings}
    assert parts >= {"machine", "pin-factory", "power", "i2c-speed"}
    assert parts >= {"display", "gpio", "gpio-lines", "disk", "commit", "throttling", "heat"}


Fault = Callable[["Machine"], object]


@pytest.mark.parametrize(
    ("fault", "part", "level", "text", "todo"),
    [
        (lambda m: m.files.pop("/proc/device-tree/model"), "machine", "warn", "not a Raspberry Pi", "of the box"),
        (lambda m: m.packages.update(lgpio=None), "pin-factory", "fail", "lgpio is not", "install the"),
        (lambda m: m.devices.pop("/dev/i2c-1"), "i2c", "fail", "no I2C bus 1", "dtparam=i2c_arm=on"),
        (
            lambda m: setattr(m.box.controller, "absent", True),
            "display",
            "fail",
            "0x3C on I2C bus 1",
            "SDA on GPIO 2",
        ),
        (lambda m: setattr(m.box.controller, "address", 0x3D), "display", "fail", "one does at 0x3D", "0x3D"),
        (lambda m: setattr(m, "bus_hangs", True), "display", "fail", "Connection timed out", "SDA and SCL"),
        (lambda m: m.devices.clear(), "gpio", "fail", "no GPIO chip", "Raspberry Pi"),
        (
            lambda m: m.consumers.update({9: "spi0 CS0"}),
            "gpio-lines",
            "fail",
            'GPIO 9 (buzzer) is used by "spi0',
            "spi0-",
        ),
        (lambda m: m.consumers.update({4: "onewire@4"}), "gpio-lines", "fail", "GPIO 4 (key back)", "w1-gpio"),
        (
            lambda m: m.consumers.update({5: "lg", 6: "lg"}),
            "gpio-lines",
            "fail",
            "are used by",
            "systemctl stop referee",
        ),
        (lambda m: setattr(m, "read_only", True), "journal", "fail", "Read-only file system", "journal"),
        (lambda m: setattr(m, "busy", True), "journal", "warn", "a station is running", "stop referee"),
        (
            lambda m: m.devices.update({str(JOURNAL): "denied"}),
            "journal-file",
            "fail",
            "cannot be written by pi",
            "sudo chown pi",
        ),
        (lambda m: setattr(m, "commit", 0.045), "commit", "warn", "45.0 ms", "A1 or A2"),
        (lambda m: setattr(m, "commit", 0.25), "commit", "fail", "250.0 ms", "A1 or A2"),
        (lambda m: setattr(m, "bytes_free", 5 * 2**20), "disk", "fail", "5 MiB", "apt clean"),
        (lambda m: setattr(m, "bytes_free", 90 * 2**20), "disk", "warn", "90 MiB", "apt clean"),
        (lambda m: m.commands.clear(), "power", "warn", "does not report", "raspi-utils"),
        (
            lambda m: m.files.update({"/sys/class/thermal/thermal_zone0/temp": b"83500\n"}),
            "heat",
            "warn",
            "84",
            "cooling",
        ),
    ],
)
def test_each_fault_is_named_with_what_to_do(
    machine: Machine, fault: Fault, part: str, level: str, text: str, todo: str
) -> None:
    fault(machine)
    findings = [finding for finding in complaints(machine) if finding.part == part]
    assert [(finding.level, text in finding.text, todo in finding.todo) for finding in findings] == [
        (level, True, True)
    ]


@pytest.mark.parametrize(
    ("hertz", "level", "frame"), [(100_000, "warn", 93.1), (400_000, "ok", 23.3), (1_000_000, "warn", 9.3)]
)
def test_the_speed_of_the_bus_is_read_off_the_device_tree(
    machine: Machine, hertz: int, level: str, frame: float
) -> None:
    machine.files["/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"] = hertz.to_bytes(4, "big")
    (findings,) = [f for f in looked(machine) if f.part == "i2c-speed"]
    assert (findings.level, f"{hertz // 1000} kHz" in findings.text) == (level, True)
    assert f"takes {frame:.0f} ms" in findings.text or hertz > 400_000


def test_a_missing_group_is_not_one_that_waits_for_a_login(machine: Machine) -> None:
    machine.plug()
    machine.leave("gpio")
    machine.leave("i2c", listed=True)
    machine.devices.update({"/dev/gpiochip0": "denied", "/dev/i2c-1": "denied"})
    findings = {finding.part: finding for finding in complaints(machine) if finding.level == "fail"}
    assert "sudo usermod -aG gpio pi" in findings["gpio"].todo
    assert "log out and in again" in findings["i2c"].todo
    assert "usermod" not in findings["i2c"].todo
    assert len(complaints(machine)) == len(findings), "each is told once (F7)"


def test_an_unknown_group_is_not_asked_for(machine: Machine) -> None:
    machine.devices["/dev/gpiochip0"] = "denied"
    machine.user = machine.user.__class__("me", frozenset(), frozenset(), frozenset({"me"}))
    (finding,) = [f for f in complaints(machine) if f.part == "gpio"]
    assert "has no group gpio" in finding.todo


@pytest.mark.parametrize(
    ("state", "power", "throttling"),
    [
        (0x00000, "ok", "ok"),
        (0x10000, "warn", "ok"),
        (0x50005, "fail", "warn"),
        (0x80008, "ok", "warn"),
        (0x20000, "ok", "warn"),
    ],
)
def test_the_bits_of_the_firmware_are_read_as_they_are_meant(
    machine: Machine, state: int, power: str, throttling: str
) -> None:
    machine.commands[("vcgencmd", "get_throttled")] = f"throttled={state:#x}\n"
    levels = {f.part: f.level for f in looked(machine)}
    assert (levels["power"], levels["throttling"]) == (power, throttling)
    machine.commands.pop(("vcgencmd", "get_throttled"))
    machine.files["/sys/devices/platform/soc/soc:firmware/get_throttled"] = f"{state:x}\n".encode()
    assert {f.part: f.level for f in looked(machine)} == levels


@pytest.mark.parametrize(
    ("mounts", "level", "text"),
    [
        (b"tmpfs / tmpfs rw 0 0\n", "warn", "lost in a power cut"),
        (b"/dev/mmcblk0p2 / ext4 rw,nobarrier 0 0\n", "fail", "without barriers"),
        (b"overlay / overlay rw 0 0\n/dev/sda1 /var/lib/referee ext4 rw 0 0\n", None, ""),
        (b"/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /var/lib/ref tmpfs rw 0 0\n", None, ""),
    ],
)
def test_a_file_system_that_forgets_is_named(machine: Machine, mounts: bytes, level: str | None, text: str) -> None:
    machine.files["/proc/self/mounts"] = mounts
    findings = [f for f in complaints(machine) if f.part == "journal"]
    assert [(f.level, text in f.text) for f in findings] == ([(level, True)] if level else [])


def test_a_card_that_went_read_only_is_said_with_its_mount(machine: Machine) -> None:
    machine.files["/proc/self/mounts"] = b"/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n"
    machine.read_only = True
    (findings,) = [f for f in complaints(machine) if f.part == "journal"]
    assert "remount,rw /" in findings.todo


def test_the_header_of_a_pi_5_is_found_among_its_chips(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    real = machine.chip
    chips = {"/dev/gpiochip0": Chip("gpio-brcmstb@107d508500", real("").lines), "/dev/gpiochip4": real("")}
    machine.devices["/dev/gpiochip4"] = "ok"
    monkeypatch.setattr(machine, "chip", chips.__getitem__)
    (findings,) = [f for f in looked(machine) if f.part == "gpio"]
    assert (findings.level, "/dev/gpiochip4" in findings.text) == ("ok", True)


def board(machine: Machine) -> list[tuple[str, str, str]]:
    findings = looked(machine)
    return [(f.level, f.text, f.todo) for f in findings if f.part == "input-board"]


def test_an_input_board_is_no_must(machine: Machine) -> None:
    machine.configured = InputBoardPort()
    assert [level for level, _, _ in board(machine)] == ["ok"]


def test_the_configured_input_board_is_greeted(machine: Machine) -> None:
    machine.configured = InputBoardPort("/dev/referee-input")
    ((level, text, todo),) = board(machine)
    assert (level, "there is no /dev/referee-input" in text, 'port = "auto"' in todo) == ("fail", True, True)
    machine.devices["/dev/referee-input"] = "ok"
    assert [level for level, _, _ in board(machine)] == ["ok"]
    assert machine.greeted == machine.configured
    machine.configured = InputBoardPort("auto")
    ((level, _, todo),) = board(machine)
    assert (level, "connect it" in todo) == ("warn", True)
    machine.plug()
    assert [level for level, _, _ in board(machine)] == ["ok"]
    assert machine.greeted == machine.configured


@pytest.mark.parametrize("greeting", [None, Disconnected("its firmware 0.1 speaks protocol 0, not 1", 0.0)])
def test_a_plugged_input_board_that_does_not_answer_is_a_fault(
    machine: Machine, greeting: Disconnected | None
) -> None:
    machine.plug()
    machine.greeting = greeting
    ((level, text, todo),) = board(machine)
    assert (level, "make deploy-input-board" in todo) == ("fail", True)
    assert (greeting.why if greeting else "no answer") in text


def test_an_input_board_that_may_not_be_used_is_not_greeted(machine: Machine) -> None:
    machine.plug()
    machine.leave("dialout")
    machine.devices["/dev/ttyACM0"] = "denied"
    ((level, _, todo),) = board(machine)
    assert (level, "usermod -aG dialout pi" in todo) == ("fail", True)


def test_a_display_on_spi_is_looked_for_on_spi(on_spi: Machine) -> None:
    assert complaints(on_spi) == []
    parts = {finding.part for finding in looked(on_spi)}
    assert "spi" in parts
    assert "i2c-speed" not in parts
    on_spi.consumers[14] = "ttyS0"
    assert ["D/C of the display" in f.text for f in complaints(on_spi)] == [True]
    on_spi.consumers.clear()
    on_spi.devices["/dev/spidev0.0"] = "denied"
    assert [f.part for f in complaints(on_spi)] == ["spi"]
    del on_spi.devices["/dev/spidev0.0"]
    assert ["dtparam=spi=on" in f.todo for f in complaints(on_spi)] == [True]


class TestHost:
    """The probe of this machine: what it tells of files, locks and disks is so."""

    def test_a_commit_is_timed_and_leaves_nothing_behind(self, tmp_path: Path) -> None:
        seconds = Host().fsyncs(tmp_path, 3)
        assert len(seconds) == 3
        assert min(seconds) > 0
        assert [*tmp_path.iterdir()] == []
        with pytest.raises(OSError, match="No such file"):
            Host().fsyncs(tmp_path / "none", 1)
        assert Host().free(tmp_path) > 0

    def test_a_journal_in_use_is_noticed(self, tmp_path: Path) -> None:
        path = tmp_path / "journal.db"
        assert not Host().locked(path)
        with Journal(path):
            assert Host().locked(path)
        assert not Host().locked(path)
        with Journal(path):
            pass
