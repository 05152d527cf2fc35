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

REQUIRED_KEYS = (*DIE_KEYS, "select", "back")

LOWEST_GPIO, HIGHEST_GPIO = 0, 27
"""BCM numbers on the 40-pin header."""

DETENTS_PER_CYCLE = (1, 2, 4)
"""Of encoders as they are sold: 24 detents and 24 pulses a turn, 24 and 12, 24 and 6."""

ROTATIONS = (0, 180)

I2C_PINS = {0: (0, 1), 1: (2, 3)}
"""Data and clock of each I2C bus; other buses are on no header pins, or on pins an overlay chooses."""

_I2C_PARAMETERS = {0: "i2c_vc", 1: "i2c_arm"}
_I2C_OVERLAYS = range(2, 7)
"""How the buses are switched on: the file overlays/README of raspberrypi/firmware."""

HIGHEST_I2C = 255
"""An adapter on an overlay (i2c-gpio) can have any number; older kernels knew 256 (I2C_MINORS in i2c-dev.c)."""

SPI_PINS = {0: ((11, 10), (8, 7)), 1: ((21, 20), (18, 17, 16))}
"""Clock and data of each SPI bus, and its chip selects. Those of the others differ from board to board."""

_SPI_SELECTS = (2, 3, 3, 2, 2, 2, 2)
"""Chip selects of SPI 0 to 6, by the overlays spi0-2cs, spi1-3cs ... spi6-2cs."""

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
    tables = {name: _table(document, name) for name in _TABLES}
    for name in document:
        if name not in _TABLES:
            raise BadPinMap(f"unknown table [{name}]: expected {_listed(_TABLES)}")
    for key in REQUIRED_KEYS:
        if key not in tables["keys"]:
            raise BadPinMap(f'[keys] lacks "{key}"')
    pins = Pins(
        keys=_gpios(tables, "keys"),
        encoder=(_gpio(tables, "encoder", "a"), _gpio(tables, "encoder", "b")),
        detents_per_cycle=_choice(tables, "encoder", "detents_per_cycle", DETENTS_PER_CYCLE),
        lamps=_gpios(tables, "lamps"),
        buzzer=_gpio(tables, "buzzer", "pin"),
        display=_display(tables),
    )
    _refuse_double_use(pins)
    return pins


def _table(document: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = document.get(name)
    if not isinstance(table, Mapping):
        raise BadPinMap(f"table [{name}] is missing: expected {_listed(_TABLES[name])} in it")
    for entry in table:
        if entry not in _TABLES[name]:
            raise BadPinMap(f'[{name}] has an unknown entry "{entry}": expected {_listed(_TABLES[name])}')
    return table


def _number(tables: Mapping[str, Mapping[str, object]], table: str, entry: str, low: int, high: int) -> int:
    value = tables[table].get(entry)
    if value is None:
        raise BadPinMap(f'[{table}] lacks "{entry}"')
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadPinMap(f'[{table}] "{entry}" is {value!r}: expected a whole number from {low} to {high}')
    return value


def _choice(
    tables: Mapping[str, Mapping[str, object]],
    table: str,
    entry: str,
    choices: tuple[Any, ...],
    default: object = None,
) -> Any:
    value = tables[table].get(entry, default)
    if type(value) is not type(choices[0]) or value not in choices:
        raise BadPinMap(f'[{table}] "{entry}" is {value!r}: expected {_listed(choices)}')
    return value


def _gpio(tables: Mapping[str, Mapping[str, object]], table: str, entry: str) -> int:
    return _number(tables, table, entry, LOWEST_GPIO, HIGHEST_GPIO)


def _gpios(tables: Mapping[str, Mapping[str, object]], table: str) -> Mapping[str, int]:
    return MappingProxyType({entry: _gpio(tables, table, entry) for entry in tables[table]})


def _display(tables: Mapping[str, Mapping[str, object]]) -> DisplayWiring:
    table = tables["display"]
    controller = _choice(tables, "display", "controller", CONTROLLERS)
    # Where the map does not say: as most modules are bought, with the cable at the top.
    interface = _choice(tables, "display", "interface", tuple(_INTERFACES), "i2c")
    rotate = _choice(tables, "display", "rotate", ROTATIONS, 0)
    if interface not in buses(controller):
        raise BadPinMap(
            f'[display] "interface" is {interface!r}: a display with the controller "{controller}" '
            f"is driven on {_listed(buses(controller))} only"
        )
    offset = SH1106_OFFSET
    if "column_offset" in table:
        if controller != "sh1106":
            raise BadPinMap(f'[display] "column_offset" belongs to the controller "sh1106", not to "{controller}"')
        offset = _number(tables, "display", "column_offset", 0, SH1106_COLUMNS - 128)
    for entry in table:
        if entry not in ("controller", "column_offset", "interface", "rotate", *_INTERFACES[interface]):
            raise BadPinMap(
                f'[display] "{entry}" does not belong to a display on "{interface}": '
                f"expected {_listed(_INTERFACES[interface])}"
            )
    return DisplayWiring(controller, _wires(tables, interface), upside_down=rotate == 180, column_offset=offset)


def _wires(tables: Mapping[str, Mapping[str, object]], interface: str) -> I2cWiring | SpiWiring:
    if interface == "i2c":
        bus = _number(tables, "display", "bus", 0, HIGHEST_I2C)
        return I2cWiring(bus, _number(tables, "display", "address", 0x08, 0x77))
    bus = _number(tables, "display", "bus", 0, len(_SPI_SELECTS) - 1)
    return SpiWiring(
        bus,
        _number(tables, "display", "select", 0, _SPI_SELECTS[bus] - 1),
        _number(tables, "display", "dc", 1, HIGHEST_GPIO),  # luma takes 0 for none
        _gpio(tables, "display", "reset"),
    )


def _refuse_double_use(pins: Pins) -> None:
    users: dict[int, str] = {}
    wires = pins.display.wires
    if isinstance(wires, I2cWiring):
        users = dict.fromkeys(I2C_PINS.get(wires.bus, ()), f"bus {wires.bus} of [display]")
        wired = []
    else:
        if wires.bus in SPI_PINS:
            lines, selects = SPI_PINS[wires.bus]
            users = dict.fromkeys((*lines, selects[wires.select]), f"bus {wires.bus} of [display]")
        wired = [('[display] "dc"', wires.dc), ('[display] "reset"', wires.reset)]
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
