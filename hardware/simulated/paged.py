"""Paged 1-bit display controllers: SSD1306, SSD1309 and SH1106, as far as the driver uses them.

The glass is a 128x64 panel mounted as nearly all modules are: it stands upright when segments are remapped
(A1) and the COM scan is reversed (C8). Sources: SSD1306 rev. 1.1, SSD1309 rev. 1.1, SH1106 v2.3, the command
tables of each and what they say of addressing and scan directions. A register the driver never changes takes
only the value that suits the panel.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from PIL import Image

from hardware.errors import ControllerFault
from hardware.glass.packing import PAGE, unpack
from hardware.simulated.chip import BYTE, Chip, Parameters, ordered, step

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // PAGE

_FLAGS = {0xA1: ("_remapped", True), 0xC8: ("_upright", True), 0xAE: ("_on", False), 0xAF: ("_on", True)}

_WITHOUT_EFFECT = (0x40, 0xA4, 0xA6, 0xE3)
"""Start line 0, show the memory, not inverted: all as after a reset; and no operation."""

_SHARED: Parameters = MappingProxyType(
    {
        0x81: (BYTE,),
        0xA8: ((HEIGHT - 1,),),  # multiplex ratio
        0xD3: ((0,),),  # display offset
        0xD5: (BYTE,),  # clock
        0xD9: (BYTE,),  # pre-charge
        0xDA: ((0x12,),),  # COM pins, alternative
    }
)


class Paged(Chip):
    """What the paged controllers share: the way from memory to glass."""

    size = (WIDTH, HEIGHT)

    def _reset(self) -> None:
        self._column = self._page = 0
        self._remapped = self._upright = self._on = False

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and fed."""
        return self._on

    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""
        if not self.lit:
            return Image.new("1", self.size)
        image = self._columns_on_glass()
        return image if self._upright else image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def _columns_on_glass(self) -> Image.Image:
        return unpack(self.memory, self.size)

    def _execute(self, command: int, values: list[int]) -> None:
        if command in _FLAGS:
            name, value = _FLAGS[command]
            setattr(self, name, value)
        elif command == 0x81:
            (self.contrast,) = values
        elif not values and command not in _WITHOUT_EFFECT:
            raise ControllerFault(f"unknown command 0x{command:02X}")


class Ssd1309(Paged):
    """The controller of 2.42" modules, fed from outside; the driver fills windows of its memory."""

    memory_size = WIDTH * PAGES
    parameters: ClassVar[Parameters] = {
        **_SHARED,
        0x20: ((0x00,),),  # horizontal addressing
        0x21: (range(WIDTH), range(WIDTH)),
        0x22: (range(PAGES), range(PAGES)),
        0xDB: ((0x34,),),
    }

    def _reset(self) -> None:
        super()._reset()
        self._windowed = False
        self._columns = (0, WIDTH - 1)
        self._pages = (0, PAGES - 1)

    def _execute(self, command: int, values: list[int]) -> None:
        if command == 0x20:
            self._windowed = True
        elif command == 0x21:
            self._columns = ordered(command, values)
            self._column = values[0]
        elif command == 0x22:
            self._pages = ordered(command, values)
            self._page = values[0]
        else:
            super()._execute(command, values)

    def _store(self, data: Sequence[int]) -> None:
        """Fill the window, line after line, and begin it again when it is full."""
        if not self._windowed:
            raise ControllerFault("data in the page addressing mode, in which there are no windows")
        for byte in data:
            column = self._column if self._remapped else WIDTH - 1 - self._column
            self._memory[self._page * WIDTH + column] = byte
            self._column, carried = step(self._column, self._columns)
            if carried:
                self._page, _ = step(self._page, self._pages)


class Ssd1306(Ssd1309):
    """The controller of 0.96" modules, with its own charge pump."""

    parameters: ClassVar[Parameters] = {
        **Ssd1309.parameters,
        0x8D: ((0x14,),),
        # Not in the datasheet's table, but every module's reference code sends it.
        0xDB: ((0x40,),),
    }

    def _reset(self) -> None:
        super()._reset()
        self._pump = False

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and its charge pump feeds it."""
        return self._on and self._pump

    def _execute(self, command: int, values: list[int]) -> None:
        if command == 0x8D:
            self._pump = True
        else:
            super()._execute(command, values)


class Sh1106(Paged):
    """The controller of 1.3" modules: 132 columns, of which the glass shows 128, and no windows.

    `left` is the first of them: on most modules they are the middle ones.
    """

    COLUMNS = 132
    left = (COLUMNS - WIDTH) // 2
    memory_size = COLUMNS * PAGES
    parameters: ClassVar[Parameters] = {
        **_SHARED,
        0xAD: ((0x8B,),),  # DC-DC converter on, as after a reset
        0xDB: (BYTE,),
    }

    def _columns_on_glass(self) -> Image.Image:
        image = unpack(self.memory, (self.COLUMNS, HEIGHT))
        if not self._remapped:  # it affects reading the memory, not writing
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return image.crop((self.left, 0, self.left + WIDTH, HEIGHT))

    def _execute(self, command: int, values: list[int]) -> None:
        if command <= 0x0F:
            self._column = (self._column & 0xF0) | command
        elif command <= 0x1F:
            self._column = (self._column & 0x0F) | (command & 0x0F) << 4
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 0x07
        else:
            super()._execute(command, values)

    def _store(self, data: Sequence[int]) -> None:
        """The pointer stops behind the last column; more data is an error of the sender."""
        for byte in data:
            if self._column >= self.COLUMNS:
                raise ControllerFault(f"data for column {self._column} of {self.COLUMNS}")
            self._memory[self._page * self.COLUMNS + self._column] = byte
            self._column += 1


PAGED_CHIPS: Mapping[str, type[Paged]] = MappingProxyType({"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106})
"""The paged controllers by name."""
