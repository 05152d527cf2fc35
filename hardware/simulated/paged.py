"""Paged 1-bit display controllers: SSD1306, SSD1309 and SH1106, each a strict reading of its datasheet.

The glass is a 128x64 panel mounted as nearly all modules are: it stands upright when segments are remapped
(A1) and the COM scan is reversed (C8). Sources: SSD1306 rev. 1.1, SSD1309 rev. 1.1, SH1106 v2.3, the command
tables of each and what they say of addressing and scan directions.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from PIL import Image, ImageChops

from hardware.errors import ControllerFault
from hardware.glass.packing import PAGE, unpack
from hardware.simulated.chip import BYTE, Chip, Parameters, ordered, step

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // PAGE

HORIZONTAL, VERTICAL, PAGEWISE = 0, 1, 2
PUMP_ON = 0x14
UNLOCKED = 0x12
_ALTERNATIVE_COMS = 0x12
_NO_OPERATION = 0xE3
_STOP_SCROLLING = 0x2E

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


class Paged(Chip):
    """What the paged controllers share: the way from memory to glass."""

    size = (WIDTH, HEIGHT)

    def _reset(self) -> None:
        self._column = self._page = 0
        self._start_line = self._offset = 0
        self._multiplex = HEIGHT
        self._coms = _ALTERNATIVE_COMS
        self._remapped = self._reversed = False
        self._on = self._inverted = self._all_on = False

    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""
        black = Image.new("1", self.size)
        if not self.lit:
            return black
        shown = Image.new("1", self.size, 1) if self._all_on else self._scanned()
        if self._inverted:
            shown = ImageChops.invert(shown)
        if self._multiplex < HEIGHT:
            shown.paste(0, (0, self._multiplex, WIDTH, HEIGHT))
        return shown if self._reversed else shown.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def _scanned(self) -> Image.Image:
        image = ImageChops.offset(self._columns_on_glass(), 0, -(self._start_line + self._offset) % HEIGHT)
        if self._coms & 0x10:
            return image
        # The panel's rows are wired alternately; driven in sequence, the halves of the picture interleave.
        combed = Image.new("1", self.size)
        for row in range(HEIGHT):
            source = row // 2 + (row % 2) * HEIGHT // 2
            combed.paste(image.crop((0, source, WIDTH, source + 1)), (0, row))
        return combed

    def _columns_on_glass(self) -> Image.Image:
        return unpack(self.memory, self.size)

    def _shared(self, command: int, values: Sequence[int]) -> bool:
        """Execute a command that all paged controllers have."""
        if command <= 0x0F:
            self._column = (self._column & 0xF0) | command
        elif 0x40 <= command <= 0x7F:
            self._start_line = command & 0x3F
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 0x07
        elif command in _FLAGS:
            name, value = _FLAGS[command]
            setattr(self, name, value)
        elif command == 0x81:
            self.contrast = values[0]
        elif command == 0xA8:
            self._multiplex = values[0] + 1
        elif command == 0xD3:
            self._offset = values[0]
        elif command == 0xDA:
            self._coms = values[0]
        else:
            return command in (0xD5, 0xD9, 0xDB, _NO_OPERATION)
        return True


class Ssd1306(Paged):
    """The controller of 0.96" modules, with its own charge pump."""

    memory_size = WIDTH * PAGES
    parameters: ClassVar[Parameters] = {
        0x20: (range(3),),
        0x21: (range(WIDTH), range(WIDTH)),
        0x22: (range(PAGES), range(PAGES)),
        0x81: (BYTE,),
        0x8D: ((0x10, 0x14),),
        0xA8: (range(15, 64),),
        0xD3: (range(64),),
        0xD5: (BYTE,),
        0xD9: (BYTE,),
        0xDA: ((0x02, 0x12, 0x22, 0x32),),
        # 0x40 is not in the datasheet's table, but every module's reference code sends it.
        0xDB: ((0x00, 0x20, 0x30, 0x40),),
    }

    def _reset(self) -> None:
        super()._reset()
        self._mode = PAGEWISE
        self._columns = (0, WIDTH - 1)
        self._pages = (0, PAGES - 1)
        self._pump = False

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and its charge pump feeds it."""
        return self._on and self._pump

    def _execute(self, command: int, values: list[int]) -> None:
        if 0x10 <= command <= 0x17:
            self._column = (self._column & 0x0F) | (command & 0x07) << 4
        elif command == 0x20:
            self._mode = values[0]
        elif command == 0x21:
            self._columns = ordered(command, values)
            self._column = values[0]
        elif command == 0x22:
            self._pages = ordered(command, values)
            self._page = values[0]
        elif not self._own(command, values) and not self._shared(command, values):
            raise ControllerFault(f"unknown command 0x{command:02X}")

    def _own(self, command: int, values: list[int]) -> bool:
        if command == 0x8D:
            self._pump = values[0] == PUMP_ON
        return command in (0x8D, _STOP_SCROLLING)

    def _store(self, data: Sequence[int]) -> None:
        for byte in data:
            column = self._column if self._remapped else WIDTH - 1 - self._column
            self._memory[self._page * WIDTH + column] = byte
            self._advance()

    def _advance(self) -> None:
        if self._mode == PAGEWISE:
            self._column = (self._column + 1) % WIDTH
        elif self._mode == HORIZONTAL:
            self._column, carried = step(self._column, self._columns)
            if carried:
                self._page, _ = step(self._page, self._pages)
        else:
            self._page, carried = step(self._page, self._pages)
            if carried:
                self._column, _ = step(self._column, self._columns)


class Ssd1309(Ssd1306):
    """The controller of 2.42" modules: fed from outside, with a lock on its commands."""

    parameters: ClassVar[Parameters] = {
        **{command: values for command, values in Ssd1306.parameters.items() if command != 0x8D},
        0xDB: ((0x00, 0x34, 0x3C),),
        0xFD: ((0x12, 0x16),),
    }

    def _reset(self) -> None:
        super()._reset()
        self._locked = False

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on."""
        return self._on

    def _execute(self, command: int, values: list[int]) -> None:
        if not self._locked or command == 0xFD:
            super()._execute(command, values)

    def _own(self, command: int, values: list[int]) -> bool:
        if command == 0xFD:
            self._locked = values[0] != UNLOCKED
        return command in (0xFD, _STOP_SCROLLING)


class Sh1106(Paged):
    """The controller of 1.3" modules: 132 columns, of which the glass shows the middle ones, and no windows."""

    COLUMNS = 132
    LEFT = (COLUMNS - WIDTH) // 2
    memory_size = COLUMNS * PAGES
    parameters: ClassVar[Parameters] = {
        0x81: (BYTE,),
        0xA8: (range(64),),
        0xAD: ((0x8A, 0x8B),),
        0xD3: (range(64),),
        0xD5: (BYTE,),
        0xD9: (BYTE,),
        0xDA: ((0x02, 0x12),),
        0xDB: (BYTE,),
    }

    def _reset(self) -> None:
        super()._reset()
        self._pump = True

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and its DC-DC converter feeds it."""
        return self._on and self._pump

    def _columns_on_glass(self) -> Image.Image:
        image = unpack(self.memory, (self.COLUMNS, HEIGHT))
        if not self._remapped:  # it affects reading the memory, not writing
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return image.crop((self.LEFT, 0, self.LEFT + WIDTH, HEIGHT))

    def _execute(self, command: int, values: list[int]) -> None:
        if 0x10 <= command <= 0x1F:
            self._column = (self._column & 0x0F) | (command & 0x0F) << 4
        elif command == 0xAD:
            self._pump = values[0] == 0x8B
        elif not self._shared(command, values) and not 0x30 <= command <= 0x33:
            raise ControllerFault(f"unknown command 0x{command:02X}")

    def _store(self, data: Sequence[int]) -> None:
        """The pointer stops behind the last column; more data is an error of the sender."""
        for byte in data:
            if self._column >= self.COLUMNS:
                raise ControllerFault(f"data for column {self._column} of {self.COLUMNS}")
            self._memory[self._page * self.COLUMNS + self._column] = byte
            self._column += 1


PAGED_CHIPS: Mapping[str, type[Paged]] = MappingProxyType({"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106})
"""The paged controllers by name."""
