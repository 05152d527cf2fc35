"""Ports by their names, found again under another number, and opened by nobody else."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware.errors import BadPort, PortNotFound
from hardware.line.port_names import find_pico, finder, plainly
from hardware.line.serial_port import SerialPort
from tests.hardware.line.test_serial_port import Talk

pytestmark = pytest.mark.usefixtures("terminal")


def test_the_board_is_the_only_one_with_its_usb_ids() -> None:
    other = SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None)
    one, two = (SimpleNamespace(device=f"/dev/ttyACM{i}", vid=0x2E8A, pid=0x0005) for i in range(2))
    assert find_pico(lambda: [other, one]) == "/dev/ttyACM0"
    with pytest.raises(PortNotFound, match="no input board with USB 2e8a:0005"):
        find_pico(lambda: [other])
    with pytest.raises(PortNotFound, match="name the port of one, /dev/ttyACM0, /dev/ttyACM1"):
        find_pico(lambda: [one, two])


def test_port_that_cannot_be_is_refused_when_it_is_named() -> None:
    for port in ("telnet9://there", "ttyACM0", "a\0b", ""):
        with pytest.raises(BadPort) as refused:
            finder(port)
        assert str(refused.value) == f'expected "auto" or the path of a device, got "{port}"'
    assert finder("/dev/null")() == "/dev/null"


def test_an_adapter_is_found_again_under_another_number(tmp_path: Path) -> None:
    """P6: what was ttyUSB0 comes back as ttyUSB1, while another adapter is at ttyUSB0."""
    by_id, first, second = tmp_path / "by-id", tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"
    ours, other = by_id / "usb-FTDI_A50285BI", by_id / "usb-Prolific_PL2303"
    first.touch()
    find = finder(str(first), by_id=by_id)
    assert find() == str(first), "nobody says which device it is"
    by_id.mkdir()
    ours.symlink_to(first)
    assert find() == str(ours)
    ours.unlink()
    other.symlink_to(first)
    with pytest.raises(PortNotFound) as refused:
        find()
    assert str(refused.value) == f"{ours} is not plugged in; there: {other}"
    second.touch()
    ours.symlink_to(second)
    assert find() == str(ours)


READER = "import os, sys; fd = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print(fd, flush=True); sys.stdin.read()"


@pytest.fixture
def read_by_another() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Let another program open a port."""
    readers: list[subprocess.Popen[str]] = []

    def read(path: str) -> subprocess.Popen[str]:
        reader = subprocess.Popen(
            [sys.executable, "-c", READER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        readers.append(reader)
        assert reader.stdout is not None
        reader.stdout.readline()
        return reader

    yield read
    for reader in readers:
        reader.communicate()


def test_a_port_that_another_program_reads_is_not_shared(
    read_by_another: Callable[[str], subprocess.Popen[str]],
) -> None:
    """P6: the other one was there first, without any lock; it is named, with what to do."""
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    reader = read_by_another(path)
    talk = Talk()
    port = SerialPort(lambda: path, talk, name="port")
    port.step(ready=False)
    assert talk.calls.get_nowait() == f"lost: {path}: python (process {reader.pid}) reads it, too: end that".replace(
        "python", Path(f"/proc/{reader.pid}/comm").read_text().strip()
    )
    assert talk.advice == "Close the program that uses its port."
    assert not any(fcntl.ioctl(slave, TIOCGEXCL, bytes(4))), "nobody is kept from a port that was given up"
    reader.communicate()
    port.step(ready=False)
    assert talk.calls.get_nowait() == "opened"
    port.close()
    for fd in (master, slave):
        os.close(fd)


TIOCGEXCL = 0x80045440
"""From asm-generic/ioctls.h: whether the kernel refuses others."""


def test_the_kernel_refuses_others_while_a_port_is_open() -> None:
    """P6: all but those that may do anything."""
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    port = SerialPort(lambda: path, Talk(), name="port")

    def exclusive() -> bool:
        return any(fcntl.ioctl(slave, TIOCGEXCL, bytes(4)))

    assert not exclusive()
    port.step(ready=False)
    assert exclusive()
    port.start()
    port.close()
    assert not exclusive()
    for fd in (master, slave):
        os.close(fd)


@pytest.mark.parametrize(
    ("number", "why", "advice"),
    [
        (16, "/dev/x: another program uses it", "Close the program that uses its port."),
        (
            13,
            "/dev/x: permission denied: its user has to be in the group dialout",
            "Add its user to the group dialout.",
        ),
        (5, "/dev/x: Input/output error", "Check its cable."),
    ],
)
def test_a_fault_of_a_port_names_its_cure(number: int, why: str, advice: str) -> None:
    assert plainly(OSError(number, "x"), "/dev/x") == (why, advice)
