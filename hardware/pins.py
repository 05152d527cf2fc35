"""The pin map of a box: read from TOML, checked before anything is opened."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hardware.errors import BadPinMap
from hardware.events import DIE_KEYS, KEYS, SEAT_KEYS
from hardware.glass.panels import CONTROLLERS, SH1106_COLUMNS, SH1106_OFFSET, buses

REFERENCE = Path(__file__).with_name("pins.toml")
"""The map of the reference build."""

HIGHEST_GPIO = 27
"""BCM number on the 40-pin header."""

DETENTS_PER_CYCLE = (1, 2, 4)
"""Of encoders as they are sold: 24 detents and 24 pulses a turn, 24 and 12, 24 and 6."""

I2C_PINS = {0: (0, 1), 1: (2, 3)}
"""Data and clock of each I2C bus; other buses are on no header pins, or on pins an overlay chooses."""

_I2C_PARAMETERS = {0: "i2c_vc", 1: "i2c_arm"}
_I2C_OVERLAYS = range(2, 7)
"""How the buses are switched on: the file overlays/README of raspberrypi/firmware."""

HIGHEST_I2C = 255
"""An adapter on an overlay (i2c-gpio) can have any number; older kernels knew 256 (I2C_MINORS in i2c-dev.c)."""

SPI_PINS = {0: ((11, 10), (8, 7)), 1: ((21, 20), (18, 17, 16))}
"""Clock and data of each SPI bus, and its chip selects. Those of the others differ from board to board."""

_TABLES: dict[str, tuple[str, ...]] = {
    "keys": KEYS,
    "encoder": ("a", "b", "detents_per_cycle"),
    "lamps": SEAT_KEYS,
    "buzzer": ("pin",),
    "display": ("controller", "interface", "rotate", "column_offset", "bus", "address", "select", "dc", "reset"),
}
_INTERFACES = {"i2c": ("bus", "address"), "spi": ("bus", "select", "dc", "reset")}


@dataclass(frozen=True, slots=True)
class I2cWiring:
    """The display's I2C bus and its address there."""

    bus: int
    address: int

    @property
    def device(self) -> str:
        """The bus's device file."""
        return f"/dev/i2c-{self.bus}"

    @property
    def setting(self) -> str:
        """The line of config.txt that switches the bus on, at 400 kHz where it can be chosen."""
        if self.bus in _I2C_PARAMETERS:
            name = _I2C_PARAMETERS[self.bus]
            return f"dtparam={name}=on,{name}_baudrate=400000"
        if self.bus in _I2C_OVERLAYS:
            return f"dtoverlay=i2c{self.bus},baudrate=400000"
        return f"dtoverlay=i2c-gpio,bus={self.bus}"


@dataclass(frozen=True, slots=True)
class SpiWiring:
    """The display's SPI bus and chip select, and the BCM pins of its D/C and reset lines."""

    bus: int
    select: int
    dc: int
    reset: int

    @property
    def device(self) -> str:
        """The chip select's device file."""
        return f"/dev/spidev{self.bus}.{self.select}"

    @property
    def setting(self) -> str:
        """The lines of config.txt that switch the bus on."""
        overlay = f"dtoverlay=spi{self.bus}-{self.select + 1}cs"
        return f"dtparam=spi=on and {overlay},no_miso" if self.bus == 0 else overlay


@dataclass(frozen=True, slots=True)
class DisplayWiring:
    """Which controller the glass has, how it is wired, and whether the module is mounted upside down."""

    controller: str
    wires: I2cWiring | SpiWiring
    upside_down: bool = False
    column_offset: int = SH1106_OFFSET
    """The first column of an SH1106 that is on its glass; the other controllers have none beside it."""

    @property
    def interface(self) -> str:
        """The kind of bus: "i2c" or "spi"."""
        return "i2c" if isinstance(self.wires, I2cWiring) else "spi"


@dataclass(frozen=True, slots=True)
class Pins:
    """Which BCM pin each part of a box is wired to. Build it with `load` or `from_mapping`, which check it."""

    keys: Mapping[str, int]
    encoder: tuple[int, int]
    detents_per_cycle: int
    lamps: Mapping[str, int]
    buzzer: int
    display: DisplayWiring


def load(path: Path = REFERENCE, read: Callable[[Path], str] = Path.read_text) -> Pins:
    """Read and check a pin map. Raises BadPinMap; its message begins with the path.

    ``read``: returns the text of a file, and raises OSError or ValueError.
    """
    try:
        return from_mapping(tomllib.loads(read(path)))
    except tomllib.TOMLDecodeError as error:
        raise BadPinMap(f"{path}: not valid TOML: {error}") from error
    except BadPinMap as error:
        raise BadPinMap(f"{path}: {error}") from error
    except OSError as error:
        raise BadPinMap(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # not UTF-8, too many digits, too deep
        raise BadPinMap(f"{path}: cannot be read: {error}") from error


def from_mapping(document: Mapping[str, object]) -> Pins:
    """Check the tables keys, encoder, lamps, buzzer and display. Raises BadPinMap."""
    keys, encoder, lamps, buzzer, display = (_Table(document, name) for name in _TABLES)
    for name in document:
        if name not in _TABLES:
            raise BadPinMap(f"unknown table [{name}]: expected {_listed(_TABLES)}")
    for key in (*DIE_KEYS, "select", "back"):
        keys.gpio(key)
    pins = Pins(
        keys=keys.gpios(),
        encoder=(encoder.gpio("a"), encoder.gpio("b")),
        detents_per_cycle=encoder.choice("detents_per_cycle", DETENTS_PER_CYCLE),
        lamps=lamps.gpios(),
        buzzer=buzzer.gpio("pin"),
        display=_display(display),
    )
    _refuse_double_use(pins)
    return pins


class _Table:
    """A table of the map, with no entry that it does not know."""

    def __init__(self, document: Mapping[str, object], name: str) -> None:
        table = document.get(name)
        if not isinstance(table, Mapping):
            raise BadPinMap(f"table [{name}] is missing: expected {_listed(_TABLES[name])} in it")
        self.name = name
        self.entries: Mapping[str, object] = table
        self.expect(_TABLES[name], "is unknown")

    def expect(self, known: tuple[str, ...], why: str) -> None:
        for entry in self.entries:
            if entry not in known:
                raise BadPinMap(f'[{self.name}] "{entry}" {why}: expected {_listed(known)}')

    def number(self, entry: str, low: int, high: int) -> int:
        value = self.entries.get(entry)
        if value is None:
            raise BadPinMap(f'[{self.name}] lacks "{entry}"')
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadPinMap(f'[{self.name}] "{entry}" is {value!r}: expected a whole number from {low} to {high}')
        return value

    def choice(self, entry: str, choices: tuple[Any, ...], default: object = None) -> Any:
        value = self.entries.get(entry, default)
        if type(value) is not type(choices[0]) or value not in choices:
            raise BadPinMap(f'[{self.name}] "{entry}" is {value!r}: expected {_listed(choices)}')
        return value

    def gpio(self, entry: str, low: int = 0) -> int:
        """Return a BCM number of the 40-pin header."""
        return self.number(entry, low, HIGHEST_GPIO)

    def gpios(self) -> Mapping[str, int]:
        return MappingProxyType({entry: self.gpio(entry) for entry in self.entries})


def _display(table: _Table) -> DisplayWiring:
    controller = table.choice("controller", CONTROLLERS)
    # Where the map does not say: as most modules are bought, with the cable at the top.
    interface = table.choice("interface", tuple(_INTERFACES), "i2c")
    upside_down = table.choice("rotate", (0, 180), 0) == 180
    if interface not in buses(controller):
        raise BadPinMap(
            f'[display] "interface" is {interface!r}: a display with the controller "{controller}" '
            f"is driven on {_listed(buses(controller))} only"
        )
    shifted = ("column_offset",) if controller == "sh1106" else ()
    known = ("controller", "interface", "rotate", *shifted, *_INTERFACES[interface])
    table.expect(known, f'does not belong to the controller "{controller}" on "{interface}"')
    offset = SH1106_OFFSET
    if "column_offset" in table.entries:
        offset = table.number("column_offset", 0, SH1106_COLUMNS - 128)
    return DisplayWiring(controller, _wires(table, interface), upside_down=upside_down, column_offset=offset)


def _wires(table: _Table, interface: str) -> I2cWiring | SpiWiring:
    if interface == "i2c":
        return I2cWiring(table.number("bus", 0, HIGHEST_I2C), table.number("address", 0x08, 0x77))
    bus = table.choice("bus", tuple(SPI_PINS))
    select = table.number("select", 0, len(SPI_PINS[bus][1]) - 1)
    return SpiWiring(bus, select, table.gpio("dc", 1), table.gpio("reset"))  # luma takes 0 for none


def _refuse_double_use(pins: Pins) -> None:
    wires = pins.display.wires
    if isinstance(wires, I2cWiring):
        lines: tuple[int, ...] = I2C_PINS.get(wires.bus, ())
        wired = []
    else:
        (clock, data), selects = SPI_PINS[wires.bus]
        lines = (clock, data, selects[wires.select])
        wired = [('[display] "dc"', wires.dc), ('[display] "reset"', wires.reset)]
    users = dict.fromkeys(lines, f"bus {wires.bus} of [display]")
    wired += [(f'[keys] "{key}"', pin) for key, pin in pins.keys.items()]
    wired += [('[encoder] "a"', pins.encoder[0]), ('[encoder] "b"', pins.encoder[1])]
    wired += [(f'[lamps] "{name}"', pin) for name, pin in pins.lamps.items()]
    wired.append(('[buzzer] "pin"', pins.buzzer))
    for user, pin in wired:
        if pin in users:
            raise BadPinMap(f"GPIO {pin} is wired twice: to {users[pin]} and to {user}")
        users[pin] = user


def _listed(names: Mapping[str, object] | tuple[Any, ...]) -> str:
    return ", ".join(f'"{name}"' if isinstance(name, str) else str(name) for name in names)
