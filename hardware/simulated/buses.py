"""I2C, SPI and serial lines without a Raspberry Pi: smbus2, spidev and pyserial that keep what crosses them.

Parts answer what a test, or a recording, says. Displays of luma are seen where they are told what to show.
"""

from __future__ import annotations

import errno
import json
import re
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Self

from PIL import Image, ImageChops

from hardware.errors import HardwareError


class Transfer(NamedTuple):
    """What crossed a bus at once. ``where``: "i2c-1 0x3c", "spi-0.0", "/dev/ttyUSB0"; bytes sent, and the answer."""

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
        self._changed = threading.Condition()
        self._before: list[Callable[[], None]] = []

    def answers(self, where: str, *answers: bytes) -> None:
        """Say what a part answers next, on a serial line what comes in now: ``where`` as in `Transfer`.

        On a bus, what is longer than asked for is cut. Raises ValueError for what is no part.
        """
        self._answers[_place(where)].extend(answers)
        self._notify()

    def unplug(self, where: str) -> None:
        """Pull the cable of a part: each transfer then fails, until `plug`. Raises ValueError for what is no part."""
        self._unplugged.add(_place(where))
        self._notify()

    def plug(self, where: str) -> None:
        """Put the cable back."""
        self._unplugged.discard(_place(where))

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

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
        self.check(where, OSError)
        answer = b""
        if count:
            if not self._answers[where]:
                raise OSError(
                    errno.EREMOTEIO, f"{where}: expected an answer to be read; buses.answers(...) says which"
                )
            answer = self._answers[where].popleft()[:count].ljust(count, b"\0")
        self.transfers.append(Transfer(where, bytes(sent), answer))
        return answer

    def check(self, where: str, fault: type[OSError]) -> None:
        """Raise this fault where the cable is pulled."""
        if where in self._unplugged:
            raise fault(errno.EREMOTEIO, f"nothing answers at {where}")

    def incoming(self, where: str) -> int:
        """Return how many bytes have come in on a serial line and wait to be read."""
        return sum(map(len, self._answers[where]))

    def receive(self, where: str, count: int, seconds: float | None) -> bytes:
        """Wait until so many bytes have come in, for so long or without a limit; return those there are."""
        with self._changed:
            self._changed.wait_for(lambda: where in self._unplugged or self.incoming(where) >= count, seconds)
        came = b"".join(self._answers.pop(where, ()))
        if came[count:]:
            self._answers[where].append(came[count:])
        if came[:count]:
            self.transfers.append(Transfer(where, b"", came[:count]))
        return came[:count]

    def install(self, output: Callable[[int, bool], object]) -> None:
        """Be smbus2 and spidev in this process, and RPi.GPIO for luma's SPI, until `remove`; see displays of luma."""
        from luma.oled.device import device  # noqa: PLC0415

        gpio = _module("RPi.GPIO", BCM=11, OUT=0, IN=1, HIGH=1, LOW=0, output=output)
        for name in ("setmode", "setwarnings", "setup", "cleanup"):
            setattr(gpio, name, lambda *_, **__: None)
        modules = {"spidev": _module("spidev", SpiDev=type("SpiDev", (_Spi,), {"buses": self}))}
        modules |= {"RPi": _module("RPi", GPIO=gpio), "RPi.GPIO": gpio}
        before = {name: sys.modules.get(name) for name in modules}
        sys.modules.update(modules)
        began, screens = device.__init__, self.screens

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
            for name, module in before.items():
                sys.modules.pop(name)
                if module is not None:
                    sys.modules[name] = module

        self._before.append(remove)
        import smbus2  # noqa: PLC0415 - who uses no bus does not pay for it

        self._stand_in(smbus2.SMBus, _I2c)

    def install_serial(self) -> None:
        """Be every serial port of pyserial in this process, until `remove`."""
        import serial  # noqa: PLC0415

        self._stand_in(serial.Serial, _Serial)

    def _stand_in(self, library: type, ours: type) -> None:
        """Replace methods of a class: a program may have imported it already."""
        methods = {name: each for name, each in vars(ours).items() if callable(each) or isinstance(each, property)}
        real = {name: vars(library).get(name) for name in (*methods, "buses")}

        def put(members: dict[str, Any]) -> None:
            for name, value in members.items():
                if value is None:
                    delattr(library, name)
                else:
                    setattr(library, name, value)

        put({**methods, "buses": self})
        self._before.append(lambda: put(real))

    def remove(self) -> None:
        """Take all of it away."""
        while self._before:
            self._before.pop()()


def _place(where: str) -> str:
    """Return a part by its one name.

    >>> _place("i2c-1 0x3C"), _place("/dev/ttyUSB0")
    ('i2c-1 0x3c', '/dev/ttyUSB0')
    """
    if i2c := re.fullmatch(r"(i2c-\d+) 0x([0-9a-fA-F]{1,2})", where):
        return f"{i2c[1]} 0x{int(i2c[2], 16):02x}"
    if not re.fullmatch(r"spi-\d+\.\d+|COM\d+|.*/.*", where):
        raise ValueError(f"expected a part, as 'i2c-1 0x3c', 'spi-0.0' or '/dev/ttyUSB0'; got {where!r}")
    return where


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


class _Serial:
    """serial.Serial, whose names these are; its settings and readline are pyserial's own."""

    buses: Buses
    port: str
    is_open: bool
    timeout: float | None

    def open(self) -> None:
        from serial import SerialException  # noqa: PLC0415

        self.buses.check(self.port, SerialException)
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def _check(self) -> None:
        from serial import PortNotOpenError, SerialException  # noqa: PLC0415

        if not self.is_open:
            raise PortNotOpenError
        self.buses.check(self.port, SerialException)

    @property
    def in_waiting(self) -> int:
        self._check()
        return self.buses.incoming(self.port)

    @property
    def out_waiting(self) -> int:
        return 0

    def read(self, size: int = 1) -> bytes:
        self._check()
        came = self.buses.receive(self.port, size, self.timeout)
        self._check()
        return came

    def write(self, data: Iterable[int]) -> int:
        self._check()
        sent = bytes(data)
        self.buses.transfers.append(Transfer(self.port, sent, b""))
        return len(sent)

    def flush(self) -> None:
        self._check()

    def reset_input_buffer(self) -> None:
        self._check()
        self.buses.receive(self.port, self.buses.incoming(self.port), 0)

    def send_break(self, duration: float = 0.25) -> None:  # noqa: ARG002
        self._check()

    reset_output_buffer = _reconfigure_port = _update_rts_state = _update_dtr_state = _update_break_state = flush
