"""The splash of a card, compiled and run: the bytes that it really sends, on the product's own controllers.

``python -m tests.firmware.test_splash`` makes what it sends: the station's own greeting, packed and addressed as the
station does it, so that nothing changes on the glass when the station begins.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from hardware.glass.panels import panel
from hardware.glass.windows import Window
from hardware.simulated.controllers import CHIPS
from referee.station.main import SIZE, greeting

HEADER: Final = Path(__file__).parents[2] / "firmware" / "card" / "splash.h"
CONTROLLERS: Final = ("ssd1306", "ssd1309", "sh1106")
PAGES: Final = 8
PAGE: Final = 0x80
"""What the number of a page is marked with in a script."""

_COMMANDS, _MEMORY = 0x00, 0x40


def script(controller: str) -> Iterator[int]:
    """Yield the transfers that light a controller with the picture: see splash.c."""
    kind = panel(controller, "i2c")
    for transfer in (*kind.resync, *kind.start):
        if transfer is not None:
            yield from (len(transfer.payload) + 1, _COMMANDS, *transfer.payload)
            continue
        for page in range(PAGES):
            for address in kind.address(Window(0, page, SIZE[0], page + 1)):
                yield from (len(address.payload) + 1, _COMMANDS, *address.payload)
            yield PAGE | page
    yield 0


def header() -> str:
    """Return the header."""
    memory = panel("ssd1309", "i2c").pack(greeting(SIZE))
    pages = [(_MEMORY, *memory[page * SIZE[0] : (page + 1) * SIZE[0]]) for page in range(PAGES)]
    rows = "".join(f"    {{ {_bytes(page)} }},\n" for page in pages)
    scripts = "".join(
        f"static const unsigned char {name}[] = {{ {_bytes(script(name))} }};\n" for name in CONTROLLERS
    )
    table = "".join(f'    {{ "{name}", {name} }},\n' for name in CONTROLLERS)
    return (
        "/* Made by `python -m tests.firmware.test_splash`. */\n"
        f"#define PAGE 0x{PAGE:02X}\n"
        f"static const unsigned char picture[{PAGES}][{SIZE[0] + 1}] = {{\n{rows}}};\n"
        f"{scripts}"
        "static const struct { const char *controller; const unsigned char *transfers; } scripts[] = {\n"
        f"{table}}};\n"
    )


def _bytes(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


SOURCE = HEADER.with_name("splash.c")


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


def test_the_reference_build_needs_no_arguments(programs: Path) -> None:
    reference = sent(programs, "ssd1309")
    assert sent(programs) == reference
    assert sent(programs, "ssd1309", "/dev/i2c-3", "0x3C", device="/dev/i2c-3") == reference


@pytest.mark.parametrize("arguments", [("ssd1322",), ("ssd1309", "/dev/i2c-9"), ("ssd1309", "/dev/i2c-1", "0x3D")])
def test_where_no_display_answers_it_ends_with_1(programs: Path, arguments: tuple[str, ...]) -> None:
    assert sent(programs, *arguments) == (1, [])


def test_what_it_sends_is_made_of_the_greeting() -> None:
    assert HEADER.read_text() == header(), "python -m tests.firmware.test_splash makes it again"


if __name__ == "__main__":
    HEADER.write_text(header())
