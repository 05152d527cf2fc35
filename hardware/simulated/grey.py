"""The SSD1322 of 256x64 modules: sixteen greys, commands told from parameters by the D/C line.

Its commands, addressing and remapping are those of its datasheet, revision 1.2, sections 8 to 10. Of its 480
columns the glass shows 256, from column address 28 on; it stands upright with the nibbles remapped and the
COM scan reversed, as the modules' makers begin it.
"""

from collections.abc import Sequence
from typing import ClassVar

from PIL import Image, ImageChops

from hardware.errors import ControllerFault
from hardware.glass.packing import unpack_grey
from hardware.simulated.chip import BYTE, Chip, Parameters, ordered, step

WIDTH, HEIGHT = 256, 64
ADDRESSES, ROWS = 120, 128
LEFT = 28
CELL = 2
"""Bytes behind a column address: four pixels of four bits."""

_ROW = ADDRESSES * CELL
_MIRRORED, _NIBBLES, _REVERSED = 0x02, 0x04, 0x10
_DUAL_COM = 0x10
_WRITE = 0x5C
_SHOWN = {0xA4: "off", 0xA5: "on", 0xA6: "normal", 0xA7: "inverse"}
_SWITCHES = {0xAE: False, 0xAF: True}
# Grey tables, and the end of a partial display.
_WITHOUT_EFFECT = (0x00, 0xA9, 0xB9)


class Ssd1322(Chip):
    """See the module. A pixel of at least half brightness counts as lit."""

    size = (WIDTH, HEIGHT)
    memory_size = _ROW * ROWS
    parameters: ClassVar[Parameters] = {
        0x15: (range(ADDRESSES), range(ADDRESSES)),
        0x75: (range(ROWS), range(ROWS)),
        # Addresses counted upwards (bit 0) and COMs split into odd and even (bit 5) are not modelled.
        0xA0: ((0x00, 0x02, 0x04, 0x06, 0x10, 0x12, 0x14, 0x16), (0x01, 0x11)),
        0xA1: (range(ROWS),),
        0xA2: (range(ROWS),),
        0xAB: ((0x00, 0x01),),
        0xB1: (BYTE,),
        0xB3: (BYTE,),
        0xB4: ((0xA0, 0xA2), (0xB5, 0xFD)),
        0xB5: (range(16),),
        0xB6: (range(16),),
        0xBB: (range(32),),
        0xBE: (range(8),),
        0xC1: (BYTE,),
        0xC7: (range(16),),
        0xCA: (range(15, 128),),
        0xD1: ((0x82, 0xA2), (0x20,)),
        0xFD: ((0x12, 0x16),),
    }

    def _reset(self) -> None:
        self._columns, self._rows = (0, ADDRESSES - 1), (0, ROWS - 1)
        self._column, self._half, self._row = 0, 0, 0
        self._remap, self._coms = 0x00, 0x01
        self._start_line = self._offset = 0
        self._multiplex = ROWS
        self._shown = "normal"
        self._on = self._writing = self._locked = False
        self._internal_supply = True
        self._master = 0x0F

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on."""
        return self._on

    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""
        if not self._on or self._shown == "off":
            return Image.new("1", self.size)
        if self._shown == "on":
            return Image.new("1", self.size, 1)
        first = LEFT * CELL
        rows = [self.memory[at + first : at + first + WIDTH // 2] for at in range(0, ROWS * _ROW, _ROW)]
        whole = unpack_grey(b"".join(rows), (WIDTH, ROWS))
        shown = ImageChops.offset(whole, 0, -(self._start_line + self._offset) % ROWS).crop((0, 0, WIDTH, HEIGHT))
        if self._shown == "inverse":
            shown = ImageChops.invert(shown)
        if self._multiplex < HEIGHT:
            shown.paste(0, (0, self._multiplex, WIDTH, HEIGHT))
        if not self._coms & _DUAL_COM:  # every second row of the glass is wired to the other side
            shown.paste(0, (0, HEIGHT // 2, WIDTH, HEIGHT))
        return shown if self._remap & _REVERSED else shown.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

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
        if command == 0xFD:
            self._locked = values[0] == 0x16
        elif self._locked:
            return
        elif command in _SHOWN:
            self._shown = _SHOWN[command]
        elif command in _SWITCHES:
            self._on = _SWITCHES[command]
        elif command == _WRITE:
            self._writing = True
        elif values:
            self._set(command, values)
        elif command not in _WITHOUT_EFFECT:
            raise ControllerFault(f"unknown command 0x{command:02X}")

    def _set(self, command: int, values: list[int]) -> None:
        match command:
            case 0x15:
                self._columns = ordered(command, values)
                self._column, self._half = values[0], 0
            case 0x75:
                self._rows = ordered(command, values)
                self._row = values[0]
            case 0xA0:
                self._remap, self._coms = values
            case 0xA1:
                self._start_line = values[0]
            case 0xA2:
                self._offset = values[0]
            case 0xC1:
                self.contrast = values[0]
            case 0xCA:
                self._multiplex = values[0] + 1

    def _store(self, data: Sequence[int]) -> None:
        for byte in data:
            column, half, value = self._column, self._half, byte
            if self._remap & _MIRRORED:
                column = ADDRESSES - 1 - column
            if not self._remap & _NIBBLES:
                half, value = 1 - half, byte >> 4 | (byte & 0x0F) << 4
            self._memory[self._row * _ROW + column * CELL + half] = value
            self._half ^= 1
            if not self._half:
                self._column, carried = step(self._column, self._columns)
                if carried:
                    self._row, _ = step(self._row, self._rows)
