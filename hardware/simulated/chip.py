"""What simulated display controllers have in common: commands with parameters, decoded byte by byte.

A controller knows no bus: it is handed command bytes and data as the bus tells them apart. What the driver has
no use for is not modelled: it raises ControllerFault, as do bytes the datasheet does not define.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from typing import ClassVar, TypeAlias

from PIL import Image

from hardware.errors import ControllerFault

BYTE = range(256)

Parameters: TypeAlias = Mapping[int, tuple[Container[int], ...]]
"""Commands with parameters: how many, and the values each may take."""


class Chip(ABC):
    """A display controller and its glass. Fresh or power-cycled it is dark and its memory full of noise."""

    size: ClassVar[tuple[int, int]]
    memory_size: ClassVar[int]
    parameters: ClassVar[Parameters]

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self.power_cycle()

    def power_cycle(self) -> None:
        """Take the supply away and give it back: every register at reset, the memory full of noise."""
        self._memory = bytearray(self._chance.randbytes(self.memory_size))
        self.reset()

    def reset(self) -> None:
        """Pull the reset line: every register as after power-on, the memory as it was."""
        self._pending: list[int] = []
        self.contrast = 0x7F
        self._reset()

    @abstractmethod
    def _reset(self) -> None:
        """Set the registers."""

    @property
    def memory(self) -> bytes:
        """The display memory."""
        return bytes(self._memory)

    @property
    @abstractmethod
    def lit(self) -> bool:
        """Whether the panel is switched on and fed."""

    @abstractmethod
    def glass(self) -> Image.Image:
        """What an eye sees, as an image of mode "1"."""

    def cut(self) -> None:
        """Interrupt a transfer: the next bytes complete the interrupted command."""
        self._torn = bool(self._pending)

    def take(self, byte: int) -> None:
        """Take one byte of a command. Raises ControllerFault."""
        if not self._pending:
            self._torn = False
        self._pending.append(byte)
        command, *values = self._pending
        expected = self.parameters.get(command, ())
        if values and values[-1] not in expected[len(values) - 1]:
            self._pending = []
            if self._torn:
                return
            raise ControllerFault(f"command 0x{command:02X} does not take 0x{byte:02X} as parameter {len(values)}")
        if len(values) == len(expected):
            self._pending = []
            if not self._torn:
                self._execute(command, values)

    def write(self, data: Sequence[int]) -> None:
        """Take data. Raises ControllerFault in the middle of a command."""
        if self._pending and not self._torn:
            raise ControllerFault(f"data in the middle of command 0x{self._pending[0]:02X}")
        self._store(data)

    @abstractmethod
    def _execute(self, command: int, values: list[int]) -> None:
        """Execute a complete command. Raises ControllerFault if there is no such command."""

    @abstractmethod
    def _store(self, data: Sequence[int]) -> None:
        """Put data where the pointer is."""


def step(value: int, limits: tuple[int, int]) -> tuple[int, bool]:
    """Return the pointer's next value within its range, and whether it wrapped around."""
    return (limits[0], True) if value == limits[1] else (value + 1, False)


def ordered(command: int, values: Sequence[int]) -> tuple[int, int]:
    """Return a range given by two parameters. Raises ControllerFault if it ends before it begins."""
    first, last = values
    if first > last:
        raise ControllerFault(f"command 0x{command:02X} sets the range {first} to {last}: it ends before it begins")
    return first, last
