"""Writes what the splash of a card sends: ``python -m tests.firmware.splash``.

The picture is the station's own greeting, packed and addressed as the station does it, so that nothing changes on the
glass when the station begins.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hardware.glass.panels import panel
from hardware.glass.windows import Window
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
        "/* Made by `python -m tests.firmware.splash`. */\n"
        f"#define PAGE 0x{PAGE:02X}\n"
        f"static const unsigned char picture[{PAGES}][{SIZE[0] + 1}] = {{\n{rows}}};\n"
        f"{scripts}"
        "static const struct { const char *controller; const unsigned char *transfers; } scripts[] = {\n"
        f"{table}}};\n"
    )


def _bytes(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


if __name__ == "__main__":
    HEADER.write_text(header())
    sys.stdout.write(f"{HEADER}\n")
