"""An SSD1306 display controller that takes the bytes of the I2C bus and yields what is on the glass.

Commands, addressing and scan directions are those of the SSD1306 datasheet, revision 1.1, sections 8 to 10.
The glass is a 128x64 panel mounted as nearly all modules are: it stands upright when segments are remapped
(A1) and the COM scan is reversed (C8). Bytes the datasheet does not define raise ControllerFault; so do
hardware scrolling, zoom and fading, which are not modelled.
"""

import errno
import random
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Protocol

from PIL import Image, ImageChops

from hardware.errors import ControllerFault
from hardware.packing import PAGE, unpack

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // PAGE

HORIZONTAL, VERTICAL, PAGEWISE = 0, 1, 2
PUMP_ON = 0x14
I2C_SMBUS_BLOCK_MAX = 32
_ALTERNATIVE_COMS = 0x12

# Commands with parameters: how many, and the values each may take.
_BYTE = range(256)
_PARAMETERS: dict[int, tuple[Container[int], ...]] = {
    0x20: (range(3),),
    0x21: (range(WIDTH), range(WIDTH)),
    0x22: (range(PAGES), range(PAGES)),
    0x81: (_BYTE,),
    0x8D: ((0x10, 0x14),),
    0xA8: (range(15, 64),),
    0xD3: (range(64),),
    0xD5: (_BYTE,),
    0xD9: (_BYTE,),
    0xDA: ((0x02, 0x12, 0x22, 0x32),),
    # 0x40 is not in the datasheet's table, but every module's reference code sends it.
    0xDB: ((0x00, 0x20, 0x30, 0x40),),
}
_FLAGS = {
    0xA0: ("_remapped", False),
    0xA1: ("_remapped", True),
    0xA4: ("_all_on", False),
    0xA5: ("_all_on", True),
    0xA6: ("_inverted", False),
    0xA7: ("_inverted", True),
    0xAE: ("_on", False),
    0xAF: ("_on", True),
    0xC0: ("_reversed", False),
    0xC8: ("_reversed", True),
}
# Stop scrolling, and no operation.
_WITHOUT_EFFECT = (0x2E, 0xE3)


class WriteMessage(Protocol):
    """What smbus2 makes of one write transfer: an address and the bytes after it."""

    addr: int

    def __iter__(self) -> Iterator[int]:
        """Yield the bytes."""


class SimulatedSsd1306:
    """The controller, and the I2C bus it hangs on: `i2c_rdwr` and `write_i2c_block_data` as smbus2 has them.

    `transfers` and `bytes_sent` count what crossed the bus, the address byte of every transfer included.
    `on_change` is called after each transfer. A fresh or power-cycled controller is dark and holds noise.
    """

    def __init__(self, *, address: int = 0x3C, on_change: Callable[[], None] | None = None, seed: int = 0) -> None:
        self.address = address
        self.on_change = on_change
        self.absent = False
        self.transfers = 0
        self.bytes_sent = 0
        self.closed = False
        self._chance = random.Random(seed)  # noqa: S311
        self._failures: list[tuple[int, int, int]] = []
        self.power_cycle()

    def power_cycle(self) -> None:
        """Take the supply away and give it back: every register at reset, the memory full of noise."""
        self._memory = bytearray(self._chance.randbytes(WIDTH * PAGES))
        self._pending: list[int] = []
        self._torn = False
        self._mode = PAGEWISE
        self._columns = (0, WIDTH - 1)
        self._pages = (0, PAGES - 1)
        self._column = self._page = 0
        self._start_line = self._offset = 0
        self._multiplex = HEIGHT
        self._coms = _ALTERNATIVE_COMS
        self._remapped = self._reversed = False
        self._on = self._pump = self._inverted = self._all_on = False
        self.contrast = 0x7F

    def fail_next(self, error: int, *, after: int = 0, taken: int = 0) -> None:
        """Let one transfer fail with an errno: the one after the next `after`, cut off after `taken` bytes."""
        self._failures.append((self.transfers + after, error, taken))

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Take one SMBus block write: the register byte is the SSD1306's control byte."""
        if len(data) > I2C_SMBUS_BLOCK_MAX:
            raise ControllerFault(f"a block of {len(data)} bytes: SMBus takes at most {I2C_SMBUS_BLOCK_MAX}")
        self._transfer(address, [register, *data])

    def i2c_rdwr(self, *messages: WriteMessage) -> None:
        """Take write messages, one transfer each."""
        for message in messages:
            self._transfer(message.addr, list(message))

    def close(self) -> None:
        """Close the bus; the controller stays as it is."""
        self.closed = True

    @property
    def memory(self) -> bytes:
        """The display memory, page after page."""
        return bytes(self._memory)

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and its charge pump feeds it."""
        return self._on and self._pump

    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""
        black = Image.new("1", (WIDTH, HEIGHT))
        if not self.lit:
            return black
        shown = Image.new("1", (WIDTH, HEIGHT), 1) if self._all_on else self._scanned()
        if self._inverted:
            shown = ImageChops.invert(shown)
        if self._multiplex < HEIGHT:
            shown.paste(0, (0, self._multiplex, WIDTH, HEIGHT))
        return shown if self._reversed else shown.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def _scanned(self) -> Image.Image:
        image = unpack(bytes(self._memory), (WIDTH, HEIGHT))
        image = ImageChops.offset(image, 0, -(self._start_line + self._offset) % HEIGHT)
        if self._coms & 0x10:
            return image
        # The panel's rows are wired alternately; driven in sequence, the halves of the picture interleave.
        combed = Image.new("1", (WIDTH, HEIGHT))
        for row in range(HEIGHT):
            source = row // 2 + (row % 2) * HEIGHT // 2
            combed.paste(image.crop((0, source, WIDTH, source + 1)), (0, row))
        return combed

    def _transfer(self, address: int, payload: list[int]) -> None:
        if self.closed:
            raise OSError(errno.EBADF, "the bus is closed")
        number = self.transfers
        self.transfers += 1
        if self.absent or address != self.address:
            self.bytes_sent += 1
            raise OSError(errno.EREMOTEIO, "no device acknowledged its address")
        failure = next((f for f in self._failures if f[0] == number), None)
        if failure is not None:
            self._failures.remove(failure)
            payload = payload[: failure[2]]
        self.bytes_sent += 1 + len(payload)
        if payload:
            self._decode(payload)
        if self.on_change is not None:
            self.on_change()
        if failure is not None:
            # The next bytes complete the command that was cut off, whatever they were meant to be.
            self._torn = bool(self._pending)
            raise OSError(failure[1], "the bus failed")

    def _decode(self, payload: list[int]) -> None:
        at = 0
        while at < len(payload):
            control = payload[at]
            if control & 0x3F:
                raise ControllerFault(f"control byte 0x{control:02X}: expected 0x00, 0x40, 0x80 or 0xC0")
            end = at + 2 if control & 0x80 else len(payload)
            if control & 0x40:
                self._write(payload[at + 1 : end])
            else:
                for byte in payload[at + 1 : end]:
                    self._take(byte)
            at = end

    def _take(self, byte: int) -> None:
        if not self._pending:
            self._torn = False
        self._pending.append(byte)
        command, *values = self._pending
        expected = _PARAMETERS.get(command, ())
        if values and values[-1] not in expected[len(values) - 1]:
            self._pending = []
            if self._torn:
                return
            raise ControllerFault(f"command 0x{command:02X} does not take 0x{byte:02X} as parameter {len(values)}")
        if len(values) == len(expected):
            self._pending = []
            if not (self._torn and values):
                self._execute(command, values)

    def _execute(self, command: int, values: list[int]) -> None:
        if command in _PARAMETERS:
            self._set(command, values)
        elif command <= 0x0F:
            self._column = (self._column & 0x70) | command
        elif command <= 0x17:
            self._column = (self._column & 0x0F) | (command & 0x07) << 4
        elif 0x40 <= command <= 0x7F:
            self._start_line = command & 0x3F
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 0x07
        elif command in _FLAGS:
            name, value = _FLAGS[command]
            setattr(self, name, value)
        elif command not in _WITHOUT_EFFECT:
            raise ControllerFault(f"unknown command 0x{command:02X}")

    def _set(self, command: int, values: list[int]) -> None:
        match command:
            case 0x20:
                self._mode = values[0]
            case 0x21:
                self._columns = self._range(command, values)
                self._column = values[0]
            case 0x22:
                self._pages = self._range(command, values)
                self._page = values[0]
            case 0x81:
                self.contrast = values[0]
            case 0x8D:
                self._pump = values[0] == PUMP_ON
            case 0xA8:
                self._multiplex = values[0] + 1
            case 0xD3:
                self._offset = values[0]
            case 0xDA:
                self._coms = values[0]

    @staticmethod
    def _range(command: int, values: list[int]) -> tuple[int, int]:
        first, last = values
        if first > last:
            raise ControllerFault(
                f"command 0x{command:02X} sets the range {first} to {last}: it ends before it begins"
            )
        return first, last

    def _write(self, data: list[int]) -> None:
        if self._pending and not self._torn:
            raise ControllerFault(f"data in the middle of command 0x{self._pending[0]:02X}")
        for byte in data:
            column = self._column if self._remapped else WIDTH - 1 - self._column
            self._memory[self._page * WIDTH + column] = byte
            self._advance()

    def _advance(self) -> None:
        if self._mode == PAGEWISE:
            self._column = (self._column + 1) % WIDTH
        elif self._mode == HORIZONTAL:
            self._column, carried = _step(self._column, self._columns)
            if carried:
                self._page, _ = _step(self._page, self._pages)
        else:
            self._page, carried = _step(self._page, self._pages)
            if carried:
                self._column, _ = _step(self._column, self._columns)


def _step(value: int, limits: tuple[int, int]) -> tuple[int, bool]:
    return (limits[0], True) if value == limits[1] else (value + 1, False)
