"""I2C and SPI without a Raspberry Pi, for anybody's program: smbus2 and spidev that keep what crosses them.

Parts answer what a test, or a recording, says. Displays of luma are seen where they are told what to show.
"""

from __future__ import annotations

import errno
import json
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Self

from PIL import Image, ImageChops

from hardware.errors import HardwareError


class Transfer(NamedTuple):
    """What crossed a bus at once. ``where``: "i2c-1 0x3c", "spi-0.0"; the bytes that were sent, and the answer."""

    where: str
    sent: bytes
    answer: bytes


class Unlike(HardwareError, AssertionError):
    """A display shows another picture than expected; its text draws both."""


class Screen:
    """A display of luma: ``name`` of its class, ``image`` it shows, None before the first; each has a ``number``."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.image: Image.Image | None = None

    def like(self, file: str | Path) -> None:
        """Compare it with a picture file. Raises Unlike with both drawn as text.

        Where there is no such file, it is written, and Unlike says so: look at it, and keep it.
        """
        path, image = Path(file), self.image
        if image is None:
            raise Unlike(f"{self.name} has shown nothing yet")
        if not path.exists():
            image.save(path)
            raise Unlike(f"{path} was not there: it now has what {self.name} shows. Look at it, and keep it")
        with Image.open(path) as wanted:
            if (
                wanted.size != image.size
                or ImageChops.difference(wanted.convert("RGB"), image.convert("RGB")).getbbox()
            ):
                drawn = _drawn(image, wanted)
                raise Unlike(f"{self.name} does not show {path} (█ both, + not in the file, - only there)\n{drawn}")


def _drawn(image: Image.Image, wanted: Image.Image) -> str:
    """Return two pictures in one text, a letter for each pixel."""
    now, then = (each.convert("L").point(lambda light: 255 if light > 127 else 0) for each in (image, wanted))
    width, height = (max(sizes) for sizes in zip(now.size, then.size, strict=True))
    lit = [
        [x < each.width and y < each.height and each.getpixel((x, y)) for each in (now, then)]
        for y in range(height)
        for x in range(width)
    ]
    letters = ["█" if new and old else "+" if new else "-" if old else "·" for new, old in lit]
    return "\n".join("".join(letters[at : at + width]) for at in range(0, len(letters), width))


class Buses:
    """All buses of a program. ``transfers``: what crossed them; ``screens``: luma's displays, as they were made."""

    def __init__(self, kept: int | None = None) -> None:
        """``kept``: how many of the latest transfers are remembered; None: all."""
        self.transfers: deque[Transfer] = deque(maxlen=kept)
        self.screens: list[Screen] = []
        self._answers: dict[str, deque[bytes]] = defaultdict(deque)
        self._unplugged: set[str] = set()
        self._before: list[Callable[[], None]] = []

    def answers(self, where: str, *answers: bytes) -> None:
        """Say what a part answers next: ``where`` as in `Transfer`. What is longer than asked for is cut."""
        self._answers[where].extend(answers)

    def unplug(self, where: str) -> None:
        """Pull the cable of a part: each transfer then fails, until `plug`."""
        self._unplugged.add(where)

    def plug(self, where: str) -> None:
        """Put the cable back."""
        self._unplugged.discard(where)

    def save(self, file: str | Path) -> None:
        """Write all transfers as lines of JSON, bytes in hexadecimal digits."""
        lines = [json.dumps([each.where, each.sent.hex(), each.answer.hex()]) for each in self.transfers]
        Path(file).write_text("".join(f"{line}\n" for line in lines), "ascii")

    def replay(self, file: str | Path) -> None:
        """Let the parts answer as they did when these transfers were saved. Raises ValueError for no such file."""
        for line in Path(file).read_text("ascii").splitlines():
            where, _, answer = json.loads(line)
            if answer:
                self._answers[where].append(bytes.fromhex(answer))

    def transfer(self, where: str, sent: Iterable[int], count: int = 0) -> bytes:
        """Send, and receive so many bytes. Raises OSError where nothing answers."""
        if where in self._unplugged:
            raise OSError(errno.EREMOTEIO, f"nothing answers at {where}")
        answer = b""
        if count:
            if not self._answers[where]:
                raise OSError(
                    errno.EREMOTEIO, f"{where}: expected an answer to be read; buses.answers(...) says which"
                )
            answer = self._answers[where].popleft()[:count].ljust(count, b"\0")
        self.transfers.append(Transfer(where, bytes(sent), answer))
        return answer

    def install(self, output: Callable[[int, bool], object]) -> None:
        """Be smbus2 and spidev in this process, and RPi.GPIO for luma's SPI, until `remove`; see displays of luma."""
        import smbus2  # noqa: PLC0415 - who uses no bus does not pay for it
        from luma.oled.device import device  # noqa: PLC0415

        gpio = _module("RPi.GPIO", BCM=11, OUT=0, IN=1, HIGH=1, LOW=0, output=output)
        for name in ("setmode", "setwarnings", "setup", "cleanup"):
            setattr(gpio, name, lambda *_, **__: None)
        modules = {"spidev": _module("spidev", SpiDev=type("SpiDev", (_Spi,), {"buses": self}))}
        modules |= {"RPi": _module("RPi", GPIO=gpio), "RPi.GPIO": gpio}
        before = {name: sys.modules.get(name) for name in modules}
        sys.modules.update(modules)
        # A program may have imported the class already, so its methods are replaced.
        bus, began = smbus2.SMBus, device.__init__
        methods = {name: value for name, value in vars(_I2c).items() if callable(value)}
        real = {name: vars(bus).get(name) for name in methods}
        for name, value in (methods | {"buses": self}).items():
            setattr(bus, name, value)
        screens = self.screens

        def begin(each: Any, *given: Any, **named: Any) -> None:
            began(each, *given, **named)
            screen, show = Screen(type(each).__name__, len(screens)), each.display
            screens.append(screen)

            def display(image: Image.Image) -> None:
                screen.image = image.copy()
                show(image)

            each.display = display

        device.__init__ = begin

        def remove() -> None:
            device.__init__ = began
            for name, value in {**real, "buses": None}.items():
                if value is None:
                    delattr(bus, name)
                else:
                    setattr(bus, name, value)
            for name, module in before.items():
                sys.modules.pop(name)
                if module is not None:
                    sys.modules[name] = module

        self._before.append(remove)

    def remove(self) -> None:
        """Take all of it away."""
        while self._before:
            self._before.pop()()


def _module(name: str, **members: object) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module


class _I2c:
    """smbus2.SMBus, whose names these are."""

    buses: Buses

    def __init__(self, bus: int | None = None, force: bool = False) -> None:  # noqa: FBT001, FBT002, ARG002
        self.bus = bus or 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...
    def open(self, bus: int) -> None:
        self.bus = bus

    def close(self) -> None: ...

    def _transfer(self, address: int, sent: Iterable[int], count: int = 0) -> bytes:
        return self.buses.transfer(f"i2c-{self.bus} 0x{address:02x}", sent, count)

    def write_quick(self, address: int, **_: object) -> None:
        self._transfer(address, ())

    def write_byte(self, address: int, value: int, **_: object) -> None:
        self._transfer(address, (value,))

    def write_byte_data(self, address: int, register: int, value: int, **_: object) -> None:
        self._transfer(address, (register, value))

    def write_word_data(self, address: int, register: int, value: int, **_: object) -> None:
        self._transfer(address, (register, *value.to_bytes(2, "little")))

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int], **_: object) -> None:
        self._transfer(address, (register, *data))

    def read_byte(self, address: int, **_: object) -> int:
        return self._transfer(address, (), 1)[0]

    def read_byte_data(self, address: int, register: int, **_: object) -> int:
        return self._transfer(address, (register,), 1)[0]

    def read_word_data(self, address: int, register: int, **_: object) -> int:
        return int.from_bytes(self._transfer(address, (register,), 2), "little")

    def read_i2c_block_data(self, address: int, register: int, length: int, **_: object) -> list[int]:
        return [*self._transfer(address, (register,), length)]

    def i2c_rdwr(self, *messages: Any) -> None:
        for message in messages:
            if message.flags & 1:  # I2C_M_RD
                for at, byte in enumerate(self._transfer(message.addr, (), message.len)):
                    message.buf[at] = bytes((byte,))
            else:
                self._transfer(message.addr, message)


class _Spi:
    """spidev.SpiDev, whose names these are."""

    buses: Buses

    def __init__(self, bus: int = 0, device: int = 0) -> None:
        self.max_speed_hz = self.mode = self.bits_per_word = 0
        self.where = f"spi-{bus}.{device}"

    def open(self, bus: int, device: int) -> None:
        self.where = f"spi-{bus}.{device}"

    def close(self) -> None: ...

    def xfer2(self, values: Iterable[int], *_: object) -> list[int]:
        sent = bytes(values)
        return [*self.buses.transfer(self.where, sent, len(sent))]

    xfer = xfer2

    def readbytes(self, count: int) -> list[int]:
        return [*self.buses.transfer(self.where, (), count)]

    def writebytes(self, values: Iterable[int]) -> None:
        self.buses.transfer(self.where, values)

    writebytes2 = writebytes
