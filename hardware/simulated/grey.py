"""The SSD1322 of 256x64 modules: sixteen greys, commands told from parameters by the D/C line.

Its commands and addressing are those of its datasheet, revision 1.2, sections 8 to 10, as far as the driver uses
them. Of its 480 columns the glass shows 256, from column address 28 on; it stands upright with the nibbles remapped
and the COM scan reversed, as the modules' makers begin it. A register the driver never changes takes only the value
that suits the panel.
"""

from collections.abc import Sequence
from typing import ClassVar

from PIL import Image

from hardware.errors import ControllerFault
from hardware.glass.packing import unpack_grey
from hardware.simulated.chip import BYTE, Chip, Parameters, ordered, step

WIDTH, HEIGHT = 256, 64
ADDRESSES, ROWS = 120, 128
LEFT = 28
CELL = 2
"""Bytes behind a column address: four pixels of four bits."""

_ROW = ADDRESSES * CELL
_WRITE = 0x5C
_FLAGS = {0xA4: ("_shown", False), 0xA6: ("_shown", True), 0xAE: ("_on", False), 0xAF: ("_on", True)}
_WITHOUT_EFFECT = (0xA9, 0xB9)
"""The end of a partial display, and the linear grey table: both as after a reset."""


class Ssd1322(Chip):
    """See the module. A pixel of at least half brightness counts as lit."""

    size = (WIDTH, HEIGHT)
    memory_size = _ROW * ROWS
    parameters: ClassVar[Parameters] = {
        0x15: (range(ADDRESSES), range(ADDRESSES)),
        0x75: (range(ROWS), range(ROWS)),
        0xA0: ((0x14,), (0x11,)),  # nibbles remapped, COM scan reversed, two COMs
        0xA1: ((0,),),  # start line
        0xA2: ((0,),),  # display offset
        0xAB: ((1,),),  # internal supply
        0xB1: (BYTE,),
        0xB3: (BYTE,),
        0xB4: ((0xA0,), (0xFD,)),
        0xB5: ((0,),),
        0xB6: (range(16),),
        0xBB: (range(32),),
        0xBE: (range(8),),
        0xC1: (BYTE,),
        0xC7: (range(16),),
        0xCA: ((HEIGHT - 1,),),  # multiplex ratio
        0xD1: ((0x82,), (0x20,)),
        0xFD: ((0x12,),),  # unlocked
    }

    def _reset(self) -> None:
        self._columns, self._rows = (0, ADDRESSES - 1), (0, ROWS - 1)
        self._column = self._half = self._row = 0
        self._on = self._writing = self._upright = False
        self._shown = True

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on."""
        return self._on

    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""
        if not (self._on and self._shown):
            return Image.new("1", self.size)
        first = LEFT * CELL
        rows = [self.memory[at + first : at + first + WIDTH // 2] for at in range(0, HEIGHT * _ROW, _ROW)]
        image = unpack_grey(b"".join(rows), self.size)
        return image if self._upright else image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def take(self, byte: int) -> None:
        """Take a byte sent with the D/C line low: it begins a command, and ends what was under way."""
        if self._pending and not self._torn:
            raise ControllerFault(f"command 0x{byte:02X} in the middle of command 0x{self._pending[0]:02X}")
        self._torn = self._writing = False
        self._pending = [byte]
        if byte not in self.parameters:
            self._pending = []
            self._execute(byte, [])

    def write(self, data: Sequence[int]) -> None:
        """Take bytes sent with the D/C line high: parameters of the command before, or data."""
        for at, byte in enumerate(data):
            if not self._pending:
                if not self._writing:
                    raise ControllerFault(f"0x{byte:02X} sent as data without a command to take it")
                self._store(data[at:])
                return
            self._parameter(byte)

    def _parameter(self, byte: int) -> None:
        command, *values = self._pending
        expected = self.parameters[command]
        if byte not in expected[len(values)]:
            self._pending = []
            raise ControllerFault(
                f"command 0x{command:02X} does not take 0x{byte:02X} as parameter {len(values) + 1}"
            )
        self._pending.append(byte)
        if len(values) + 1 == len(expected):
            self._pending = []
            self._execute(command, [*values, byte])

    def _execute(self, command: int, values: list[int]) -> None:
        if command in _FLAGS:
            name, value = _FLAGS[command]
            setattr(self, name, value)
        elif command == _WRITE:
            self._writing = True
        elif command == 0x15:
            self._columns = ordered(command, values)
            self._column, self._half = values[0], 0
        elif command == 0x75:
            self._rows = ordered(command, values)
            self._row = values[0]
        elif command == 0xA0:
            self._upright = True
        elif command == 0xC1:
            (self.contrast,) = values
        elif not values and command not in _WITHOUT_EFFECT:
            raise ControllerFault(f"unknown command 0x{command:02X}")

    def _store(self, data: Sequence[int]) -> None:
        for byte in data:
            self._memory[self._row * _ROW + self._column * CELL + self._half] = byte
            self._half ^= 1
            if not self._half:
                self._column, carried = step(self._column, self._columns)
                if carried:
                    self._row, _ = step(self._row, self._rows)
