"""Simulated display controllers: SSD1306, SSD1309, SH1106 and SSD1322, as far as the driver uses them.

A controller knows no bus: it is handed command bytes and data as the bus tells them apart. What the driver has no use
for is not modelled: it raises ControllerFault, as do bytes the datasheet does not define, and a register the driver
never changes takes only the value that suits the panel. Sources: the command tables of SSD1306 rev. 1.1, SSD1309
rev. 1.1, SH1106 v2.3 and SSD1322 rev. 1.2, and what they say of addressing and scan directions.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, TypeAlias

from PIL import Image

from hardware.errors import ControllerFault
from hardware.glass.packing import PAGE, unpack, unpack_grey

BYTE = range(256)

Parameters: TypeAlias = Mapping[int, tuple[Container[int], ...]]
"""Commands with parameters: how many, and the values each may take."""


class Chip(ABC):
    """A display controller and its glass. Fresh or power-cycled it is dark and its memory full of noise.

    ``row``: bytes of a line of its memory; ``flags``: commands that switch something, with what they switch.
    """

    size: ClassVar[tuple[int, int]]
    row: ClassVar[int]
    rows: ClassVar[int]
    parameters: ClassVar[Parameters]
    flags: ClassVar[Mapping[int, tuple[str, bool]]]
    without_effect: ClassVar[tuple[int, ...]]
    """What is as after a reset already."""
    brightness: ClassVar[int]

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self.power_cycle()

    def power_cycle(self) -> None:
        """Take the supply away and give it back: every register at reset, the memory full of noise."""
        self._memory = bytearray(self._chance.randbytes(self.row * self.rows))
        self.reset()

    def reset(self) -> None:
        """Pull the reset line: every register as after power-on, the memory as it was."""
        self._pending: list[int] = []
        self.contrast = 0x7F
        self._column = self._line = 0
        self._on = self._remapped = self._upright = False
        self._shown = True

    @property
    def memory(self) -> bytes:
        """The display memory."""
        return bytes(self._memory)

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and fed."""
        return self._on

    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""
        if not (self.lit and self._shown):
            return Image.new("1", self.size)
        image = self._image()
        return image if self._upright else image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    @abstractmethod
    def _image(self) -> Image.Image:
        """Return the part of the memory that is behind the glass."""

    def cut(self) -> None:
        """Interrupt a transfer: the next bytes complete the interrupted command."""
        self._torn = bool(self._pending)

    def take(self, byte: int) -> None:
        """Take one byte of a command. Raises ControllerFault."""
        if self._pending:
            self._parameter(byte)
        else:
            self._begin(byte)

    def write(self, data: Sequence[int]) -> None:
        """Take data. Raises ControllerFault in the middle of a command."""
        if self._pending and not self._torn:
            raise ControllerFault(f"data in the middle of command 0x{self._pending[0]:02X}")
        self._store(data)

    def _begin(self, command: int) -> None:
        self._torn = False
        if self.parameters.get(command):
            self._pending = [command]
        else:
            self._execute(command, [])

    def _parameter(self, byte: int) -> None:
        """Take the next parameter; a command that was torn apart has no effect."""
        command, *values = self._pending
        expected, torn = self.parameters[command], self._torn
        if byte not in expected[len(values)]:
            self._pending = []
            if not torn:
                raise ControllerFault(
                    f"command 0x{command:02X} does not take 0x{byte:02X} as parameter {len(values) + 1}"
                )
        elif len(values) + 1 < len(expected):
            self._pending.append(byte)
        else:
            self._pending = []
            if not torn:
                self._execute(command, [*values, byte])

    def _execute(self, command: int, values: list[int]) -> None:
        """Execute a complete command. Raises ControllerFault if there is no such command."""
        if command in self.flags:
            setattr(self, *self.flags[command])
        elif command == self.brightness:
            (self.contrast,) = values
        elif not values and command not in self.without_effect:
            raise ControllerFault(f"unknown command 0x{command:02X}")

    @abstractmethod
    def _store(self, data: Sequence[int]) -> None:
        """Put data where the pointer is."""


class Windowed(Chip):
    """A controller that fills windows of its memory, line after line, and begins anew when one is full.

    ``columns``, ``lines``: the commands that set a window's bounds; ``cell``: bytes of a column.
    """

    columns: ClassVar[int]
    lines: ClassVar[int]
    cell: ClassVar[int] = 1

    def reset(self) -> None:
        """Pull the reset line."""
        super().reset()
        self._across, self._down = (0, self.row - 1), (0, self.rows - 1)

    def _execute(self, command: int, values: list[int]) -> None:
        if command not in (self.columns, self.lines):
            super()._execute(command, values)
            return
        first, last = values
        if first > last:
            raise ControllerFault(f"command 0x{command:02X} sets the range {first} to {last}")
        if command == self.columns:
            self._across = first * self.cell, last * self.cell + self.cell - 1
            self._column = self._across[0]
        else:
            self._down = first, last
            self._line = first

    def _store(self, data: Sequence[int]) -> None:
        for byte in data:
            self._memory[self._line * self.row + self._place()] = byte
            if self._column < self._across[1]:
                self._column += 1
                continue
            self._column = self._across[0]
            self._line = self._line + 1 if self._line < self._down[1] else self._down[0]

    def _place(self) -> int:
        """Return where in a line of the memory the pointer's column is."""
        return self._column


_FLAGS = {0xA1: ("_remapped", True), 0xC8: ("_upright", True), 0xAE: ("_on", False), 0xAF: ("_on", True)}
"""The glass stands upright, as on nearly all modules, when segments are remapped and the COM scan is reversed."""
_PAGED: Parameters = MappingProxyType(
    {
        0x81: (BYTE,),
        0xA8: ((63,),),  # multiplex ratio
        0xD3: ((0,),),  # display offset
        0xD5: (BYTE,),  # clock
        0xD9: (BYTE,),  # pre-charge
        0xDA: ((0x12,),),  # COM pins, alternative
    }
)
_IDLE = (0x40, 0xA4, 0xA6, 0xE3)
"""Start line 0, show the memory, not inverted, no operation."""


class Ssd1309(Windowed):
    """The controller of 2.42" modules, fed from outside."""

    size = (128, 64)
    row, rows = 128, 64 // PAGE
    columns, lines, brightness = 0x21, 0x22, 0x81
    flags, without_effect = _FLAGS, _IDLE
    parameters: ClassVar[Parameters] = {
        **_PAGED,
        0x20: ((0x00,),),  # horizontal addressing
        0x21: (range(128), range(128)),
        0x22: (range(8), range(8)),
        0xDB: ((0x34,),),
    }

    def reset(self) -> None:
        """Pull the reset line."""
        super().reset()
        self._windows = self._pump = False

    def _image(self) -> Image.Image:
        return unpack(self.memory, self.size)

    def _execute(self, command: int, values: list[int]) -> None:
        self._windows |= command == 0x20
        self._pump |= command == 0x8D
        super()._execute(command, values)

    def _store(self, data: Sequence[int]) -> None:
        if not self._windows:
            raise ControllerFault("data in the page addressing mode, in which there are no windows")
        super()._store(data)

    def _place(self) -> int:
        return self._column if self._remapped else self.row - 1 - self._column


class Ssd1306(Ssd1309):
    """The controller of 0.96" modules, with its own charge pump."""

    parameters: ClassVar[Parameters] = {
        **Ssd1309.parameters,
        0x8D: ((0x14,),),
        # Not in the datasheet's table, but every module's reference code sends it.
        0xDB: ((0x40,),),
    }

    @property
    def lit(self) -> bool:
        """Whether the panel is switched on and its charge pump feeds it."""
        return self._on and self._pump


class Sh1106(Chip):
    """The controller of 1.3" modules: 132 columns, of which the glass shows 128, and no windows.

    `left` is the first of them: on most modules they are the middle ones.
    """

    size = (128, 64)
    row, rows = 132, 64 // PAGE
    left = 2
    brightness, flags, without_effect = 0x81, _FLAGS, _IDLE
    parameters: ClassVar[Parameters] = {
        **_PAGED,
        0xAD: ((0x8B,),),  # DC-DC converter on, as after a reset
        0xDB: (BYTE,),
    }

    def _image(self) -> Image.Image:
        image = unpack(self.memory, (self.row, 64))
        if not self._remapped:  # it affects reading the memory, not writing
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return image.crop((self.left, 0, self.left + 128, 64))

    def _execute(self, command: int, values: list[int]) -> None:
        if command <= 0x0F:
            self._column = (self._column & 0xF0) | command
        elif command <= 0x1F:
            self._column = (self._column & 0x0F) | (command & 0x0F) << 4
        elif 0xB0 <= command <= 0xB7:
            self._line = command & 0x07
        else:
            super()._execute(command, values)

    def _store(self, data: Sequence[int]) -> None:
        """The pointer stops behind the last column; more data is an error of the sender."""
        for byte in data:
            if self._column >= self.row:
                raise ControllerFault(f"data for column {self._column} of {self.row}")
            self._memory[self._line * self.row + self._column] = byte
            self._column += 1


class Ssd1322(Windowed):
    """The controller of 256x64 modules: sixteen greys, commands told from parameters by the D/C line.

    Of its 480 columns, four to an address, the glass shows 256, from address 28 on. A pixel of at least half
    brightness counts as lit.
    """

    size = (256, 64)
    row, rows, cell = 240, 128, 2
    columns, lines, brightness = 0x15, 0x75, 0xC1
    flags: ClassVar[Mapping[int, tuple[str, bool]]] = {
        0xA4: ("_shown", False),
        0xA6: ("_shown", True),
        0xAE: ("_on", False),
        0xAF: ("_on", True),
        0x5C: ("_writing", True),
        0xA0: ("_upright", True),
    }
    without_effect = (0xA9, 0xB9)
    """The end of a partial display, and the linear grey table."""
    parameters: ClassVar[Parameters] = {
        0x15: (range(120), range(120)),
        0x75: (range(128), range(128)),
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
        0xCA: ((63,),),  # multiplex ratio
        0xD1: ((0x82,), (0x20,)),
        0xFD: ((0x12,),),  # unlocked
    }

    def reset(self) -> None:
        """Pull the reset line."""
        super().reset()
        self._writing = False

    def _image(self) -> Image.Image:
        first = 28 * self.cell
        lines = [self.memory[at + first : at + first + 128] for at in range(0, 64 * self.row, self.row)]
        return unpack_grey(b"".join(lines), self.size)

    def take(self, byte: int) -> None:
        """Take a byte sent with the D/C line low: it begins a command, and ends what was under way."""
        if self._pending and not self._torn:
            raise ControllerFault(f"command 0x{byte:02X} in the middle of command 0x{self._pending[0]:02X}")
        self._pending, self._writing = [], False
        self._begin(byte)

    def write(self, data: Sequence[int]) -> None:
        """Take bytes sent with the D/C line high: parameters of the command before, or data."""
        for at, byte in enumerate(data):
            if self._pending:
                self._parameter(byte)
            elif self._writing:
                self._store(data[at:])
                return
            else:
                raise ControllerFault(f"0x{byte:02X} sent as data without a command to take it")


CHIPS: Mapping[str, type[Chip]] = MappingProxyType(
    {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106, "ssd1322": Ssd1322}
)
"""The simulated controllers by name: all that can be driven."""
