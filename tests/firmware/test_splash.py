"""The splash of a card, compiled and run: the bytes that it really sends, on the product's own controllers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.simulated.chip import Chip
from hardware.simulated.paged import Sh1106, Ssd1306, Ssd1309
from referee.station.main import SIZE, greeting
from tests.firmware.splash import CONTROLLERS, HEADER, header

SOURCE = HEADER.with_name("splash.c")
CHIPS: dict[str, type[Chip]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}


@pytest.fixture(scope="module")
def programs(gcc: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The splash as it is flashed, and what stands in the place of the bus."""
    folder = tmp_path_factory.mktemp("splash")
    strict = ["-std=gnu11", "-Os", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([gcc, *strict, "-o", folder / "splash", SOURCE], check=True)
    bus = Path(__file__).with_name("i2c.c")
    subprocess.run([gcc, *strict, "-shared", "-fPIC", "-o", folder / "i2c.so", bus, "-ldl"], check=True)
    return folder


def sent(programs: Path, *arguments: str, device: str = "/dev/i2c-1") -> tuple[int, list[bytes]]:
    """Run it; return its exit code and the transfers."""
    out = programs / "bytes"
    out.write_bytes(b"")
    environment = os.environ | {"LD_PRELOAD": str(programs / "i2c.so"), "I2C_DEVICE": device, "I2C_BYTES": str(out)}
    done = subprocess.run([programs / "splash", *arguments], env=environment, check=False)
    return done.returncode, list(_transfers(out.read_bytes()))


def _transfers(data: bytes) -> Iterator[bytes]:
    while data:
        length = int.from_bytes(data[:2], "big")
        yield data[2 : 2 + length]
        data = data[2 + length :]


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("torn", [False, True])
def test_the_greeting_is_on_the_glass(programs: Path, controller: str, torn: bool) -> None:
    """Even after a transfer that a restart cut off: the controller waits for a parameter then."""
    chip = CHIPS[controller](seed=7)
    if torn:
        chip.take(0x81)
        chip.cut()
    code, transfers = sent(programs, controller)
    assert code == 0
    for transfer in transfers:
        control, payload = transfer[0], transfer[1:]
        if control == 0x40:
            chip.write(payload)
        else:
            assert control == 0x00
            for byte in payload:
                chip.take(byte)
    assert chip.lit
    assert chip.glass().tobytes() == greeting(SIZE).tobytes()


def test_the_reference_build_needs_no_arguments_and_another_wiring_may_be_named(programs: Path) -> None:
    reference = sent(programs, "ssd1309")
    assert sent(programs) == reference
    assert sent(programs, "ssd1309", "/dev/i2c-3", "0x3C", device="/dev/i2c-3") == reference


@pytest.mark.parametrize("arguments", [("ssd1322",), ("ssd1309", "/dev/i2c-9"), ("ssd1309", "/dev/i2c-1", "0x3D")])
def test_where_no_display_answers_it_ends_with_1(programs: Path, arguments: tuple[str, ...]) -> None:
    assert sent(programs, *arguments) == (1, [])


def test_what_it_sends_is_made_of_the_greeting() -> None:
    assert HEADER.read_text() == header(), "python -m tests.firmware.splash makes it again"
