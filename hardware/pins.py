"""The pin map of a box: read from TOML, checked before anything is opened."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from hardware.errors import BadPinMap
from hardware.events import DIE_KEYS, KEYS, SEAT_KEYS

REFERENCE = Path(__file__).with_name("pins.toml")
"""The map of the reference build."""

CONTROLLERS = ("ssd1306", "ssd1309")
REQUIRED_KEYS = (*DIE_KEYS, "select", "back")

LOWEST_GPIO, HIGHEST_GPIO = 0, 27
"""BCM numbers on the 40-pin header."""

_BUS_PINS = {0: (0, 1), 1: (2, 3)}
_TABLES: dict[str, tuple[str, ...]] = {
    "keys": KEYS,
    "encoder": ("a", "b", "detents_per_cycle"),
    "lamps": SEAT_KEYS,
    "buzzer": ("pin",),
    "display": ("controller", "bus", "address"),
}


@dataclass(frozen=True, slots=True)
class Pins:
    """Which BCM pin each part of a box is wired to. Build it with `load` or `from_mapping`, which check it."""

    keys: Mapping[str, int]
    encoder: tuple[int, int]
    detents_per_cycle: int
    lamps: Mapping[str, int]
    buzzer: int
    controller: str
    bus: int
    address: int


def load(path: Path = REFERENCE) -> Pins:
    """Read and check a pin map. Raises BadPinMap; its message begins with the path."""
    try:
        with path.open("rb") as file:
            return from_mapping(tomllib.load(file))
    except OSError as error:
        raise BadPinMap(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPinMap(f"{path}: not valid TOML: {error}") from error
    except BadPinMap as error:
        raise BadPinMap(f"{path}: {error}") from error


def from_mapping(document: Mapping[str, object]) -> Pins:
    """Check the tables keys, encoder, lamps, buzzer and display. Raises BadPinMap."""
    tables = {name: _table(document, name) for name in _TABLES}
    for name in document:
        if name not in _TABLES:
            raise BadPinMap(f"unknown table [{name}]: expected {_listed(_TABLES)}")
    for key in REQUIRED_KEYS:
        if key not in tables["keys"]:
            raise BadPinMap(f'[keys] lacks "{key}"')
    bus = _number(tables, "display", "bus", 0, 9)
    pins = Pins(
        keys=_gpios(tables, "keys"),
        encoder=(_gpio(tables, "encoder", "a"), _gpio(tables, "encoder", "b")),
        detents_per_cycle=_number(tables, "encoder", "detents_per_cycle", 1, 2),
        lamps=_gpios(tables, "lamps"),
        buzzer=_gpio(tables, "buzzer", "pin"),
        controller=_controller(tables["display"]),
        bus=bus,
        address=_number(tables, "display", "address", 0x08, 0x77),
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


def _gpio(tables: Mapping[str, Mapping[str, object]], table: str, entry: str) -> int:
    return _number(tables, table, entry, LOWEST_GPIO, HIGHEST_GPIO)


def _gpios(tables: Mapping[str, Mapping[str, object]], table: str) -> Mapping[str, int]:
    return MappingProxyType({entry: _gpio(tables, table, entry) for entry in tables[table]})


def _controller(table: Mapping[str, object]) -> str:
    value = table.get("controller")
    if not isinstance(value, str) or value not in CONTROLLERS:
        raise BadPinMap(f'[display] "controller" is {value!r}: expected {_listed(CONTROLLERS)}')
    return value


def _refuse_double_use(pins: Pins) -> None:
    users = dict.fromkeys(_BUS_PINS.get(pins.bus, ()), f"bus {pins.bus} of [display]")
    wired = [(f'[keys] "{key}"', pin) for key, pin in pins.keys.items()]
    wired += [('[encoder] "a"', pins.encoder[0]), ('[encoder] "b"', pins.encoder[1])]
    wired += [(f'[lamps] "{name}"', pin) for name, pin in pins.lamps.items()]
    wired.append(('[buzzer] "pin"', pins.buzzer))
    for user, pin in wired:
        if pin in users:
            raise BadPinMap(f"GPIO {pin} is wired twice: to {users[pin]} and to {user}")
        users[pin] = user


def _listed(names: Mapping[str, object] | tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in names)
