"""What the displays differ in: how each controller is begun, addressed, dimmed and switched off.

luma.oled knows how the panels are initialised, and is asked; where it sends what a controller's datasheet
does not define, that is put right here. Datasheets: SSD1306 rev. 1.5, SSD1309 rev. 1.1, SH1106 v2.3,
SSD1322 rev. 1.2.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from PIL import Image

from hardware.glass.buses import Transfer
from hardware.glass.packing import PAGE, pack, pack_grey
from hardware.glass.windows import Layout, Window

DISPLAY_OFF = 0xAE
NO_OPERATION = 0xE3

I2C_TRANSFER = 2
"""Address and control byte in front of every I2C transfer (SSD1306 datasheet, 8.1.5)."""

SH1106_COLUMNS = 132
SH1106_OFFSET = 2
"""The glass shows the middle 128 columns of an SH1106; on some modules the first 128 (rm-hull/luma.oled#376)."""

SSD1322_OFFSET = 28
"""The 256 columns of the glass are the middle ones of the SSD1322's 480, four of them a column address."""


class Panel(NamedTuple):
    """One kind of display on one kind of bus.

    `start`     the transfers that initialise it; None stands where the first picture belongs, before it is lit
    `resync`    what completes a command that was cut off, and does nothing otherwise
    `address`   the transfers that address a window, before its data
    `contrast`  the transfers that set the brightness
    """

    controller: str
    bus: str
    size: tuple[int, int]
    layout: Layout
    pack: Callable[[Image.Image], bytes]
    start: tuple[Transfer | None, ...]
    resync: tuple[Transfer, ...]
    address: Callable[[Window], tuple[Transfer, ...]]
    contrast: Callable[[int], tuple[Transfer, ...]]


class _Kind(NamedTuple):
    """What a controller needs whatever bus it is on; `commands` is what addressing a window costs, in bytes."""

    size: tuple[int, int]
    buses: tuple[str, ...]
    layout: Callable[[int], Layout]
    commands: int
    pack: Callable[[Image.Image], bytes]
    address: Callable[[Window], tuple[Transfer, ...]]
    contrast: Callable[[int], tuple[Transfer, ...]]
    amend: Mapping[bytes, bytes]


def panel(controller: str, bus: str, column_offset: int = SH1106_OFFSET) -> Panel:
    """Return the panel of a controller on "i2c" or "spi". Raises KeyError or ValueError if there is none.

    `column_offset`: the first column of an SH1106 that is on its glass.
    """
    kind = KINDS[controller]
    if bus not in kind.buses:
        raise ValueError(f"{controller} on {bus}: expected {' or '.join(kind.buses)}")
    overhead = kind.commands + (2 * I2C_TRANSFER if bus == "i2c" else 0)
    resync = (Transfer(False, bytes([NO_OPERATION] * 2)),)
    return Panel(
        controller=controller,
        bus=bus,
        size=kind.size,
        layout=kind.layout(overhead),
        pack=kind.pack,
        start=tuple(_amended(transfer, kind.amend) for transfer in _asked(controller, kind.size)),
        # The D/C line separates commands from parameters on an SSD1322, so no command can be left incomplete.
        resync=() if controller == "ssd1322" else resync,
        address=partial(_pointer, offset=column_offset) if controller == "sh1106" else kind.address,
        contrast=kind.contrast,
    )


class _Transcript:
    """A luma interface without a panel: records what luma sends, so that it can be sent again after a fault."""

    def __init__(self) -> None:
        self.transfers: list[Transfer | None] = []

    def command(self, *cmd: int) -> None:
        self.transfers.append(Transfer(False, bytes(cmd)))

    def data(self, data: Sequence[int]) -> None:
        self.transfers.append(Transfer(True, bytes(data)))

    def cleanup(self) -> None:
        pass


def _asked(controller: str, size: tuple[int, int]) -> list[Transfer | None]:
    """Return luma's own initialisation of a panel, None where it sends its blank frame.

    luma is asked once, away from any bus: each of its devices registers an exit hook, so making a new one
    after every fault would pile them up, and one made while the panel is missing never comes into being.
    """
    transcript = _Transcript()
    unblanked = {"clear": lambda _: transcript.transfers.append(None)}
    from luma.oled import device as lumas  # a tenth of the start's time; who only reads a pin map needs none of it

    kind: Any = type(controller, (getattr(lumas, controller),), unblanked)
    kind(transcript, width=size[0], height=size[1]).persist = True
    return transcript.transfers


def _amended(transfer: Transfer | None, amend: Mapping[bytes, bytes]) -> Transfer | None:
    if transfer is None or transfer.data:
        return transfer
    payload = transfer.payload
    for sent, meant in amend.items():
        payload = payload.replace(sent, meant)
    return Transfer(False, payload)


def _paged(columns: int, pages: int, *, one_line: bool = False) -> Callable[[int], Layout]:
    return partial(Layout, columns, pages, (1, PAGE), 1, one_line=one_line)


def _ranges(window: Window) -> tuple[Transfer, ...]:
    """SSD1306 datasheet, 10.1.4 and 10.1.5: column range, page range."""
    left, top, right, bottom = window.left, window.top, window.right - 1, window.bottom - 1
    return (Transfer(False, bytes([0x21, left, right, 0x22, top, bottom])),)


def _pointer(window: Window, offset: int = SH1106_OFFSET) -> tuple[Transfer, ...]:
    """SH1106 datasheet, commands 1, 2 and 13: page, lower and higher four bits of the column."""
    column = window.left + offset
    return (Transfer(False, bytes([0xB0 | window.top, column & 0x0F, 0x10 | column >> 4])),)


def _rows(window: Window) -> tuple[Transfer, ...]:
    """SSD1322 datasheet, 10.1.2 to 10.1.4: column range, row range, write; parameters are sent as data."""
    columns = bytes([SSD1322_OFFSET + window.left, SSD1322_OFFSET + window.right - 1])
    rows = bytes([window.top, window.bottom - 1])
    ranges = (Transfer(False, b"\x15"), Transfer(True, columns), Transfer(False, b"\x75"), Transfer(True, rows))
    return (*ranges, Transfer(False, b"\x5c"))


def _bright(level: int) -> tuple[Transfer, ...]:
    return (Transfer(False, bytes([0x81, level])),)


def _bright_grey(level: int) -> tuple[Transfer, ...]:
    return Transfer(False, b"\xc1"), Transfer(True, bytes([level]))


_SSD1306 = _Kind((128, 64), ("i2c", "spi"), _paged(128, 8), 6, pack, _ranges, _bright, {})

KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "ssd1306": _SSD1306,
        # It has no charge pump to be switched on, and 78% of VCC is the level its datasheet resets to; luma
        # sends it the SSD1306's commands.
        "ssd1309": _SSD1306._replace(amend={b"\x8d\x14": b"", b"\xdb\x40": b"\xdb\x34"}),
        # It has no memory modes (0x20), and its pump is AD; luma sends it the SSD1306's.
        "sh1106": _Kind(
            (128, 64),
            ("i2c", "spi"),
            _paged(128, 8, one_line=True),
            3,
            pack,
            _pointer,
            _bright,
            {b"\xae\x20\x10": b"\xae\x10", b"\x8d\x14": b"\xad\x8b"},
        ),
        "ssd1322": _Kind(
            (256, 64), ("spi",), partial(Layout, 64, 64, (4, 1), 2), 7, pack_grey, _rows, _bright_grey, {}
        ),
    }
)
"""The displays that can be driven."""

CONTROLLERS = tuple(KINDS)


def buses(controller: str) -> tuple[str, ...]:
    """Return the buses a controller can be on."""
    return KINDS[controller].buses
