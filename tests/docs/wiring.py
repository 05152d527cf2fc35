"""The wiring diagram of the reference build, made from its pin map: the source that WireViz draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hardware.events import DIE_KEYS, SEAT_KEYS
from hardware.pins import I2C_PINS, I2cWiring, Pins

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number -> pin of the 40-pin header (Raspberry Pi documentation, "GPIO and the 40-pin header")."""

POWER_3V3, POWER_5V = 1, 2
GROUND = {"display": 6, "driver": 9, "back": 14, "encoder": 20, "die keys": 30, "seats": 39}
"""Which ground pin of the header each part takes: the nearest that is free."""

DRIVER = "ULN2003A"
CHANNELS = 7
DRIVER_GROUND, DRIVER_COMMON = 8, 9
"""Pins of its case, as those of its channels: inputs are 1 to 7, outputs 16 down to 10 (datasheet SLRS027)."""

COLOURS = ("YE", "GN", "BU", "WH", "GY", "VT", "BN")
SUPPLIES = {"GND": "BK", "3.3 V": "RD", "5 V": "OG"}


class Wire(NamedTuple):
    """One wire: pin of the header and its label, label of the pin at the other end, and its number there if any."""

    pin: int
    label: str
    end: str
    number: int | None = None


class Part(NamedTuple):
    """Something with pins of its own, and the wires from the Pi to it."""

    name: str
    kind: str
    wires: tuple[Wire, ...]


class Driven(NamedTuple):
    """Something the driver switches: a channel of it, its GPIO, and what hangs there."""

    channel: int
    gpio: int
    part: str


def parts(pins: Pins) -> Iterator[Part]:
    """Yield every part that is wired to the Pi itself."""
    yield Part("Display", pins.display.controller.upper(), tuple(_display(pins)))
    keys = [_gpio(pins.keys[key], key) for key in DIE_KEYS]
    yield Part("Die keys", "6 keys, 2 wide and 3 high", (*keys, _ground("die keys")))
    a, b = pins.encoder
    knob = (_gpio(a, "A"), _gpio(b, "B"), _gpio(pins.keys["select"], "push (Select)"), _ground("encoder"))
    yield Part("Encoder", "rotary encoder with push", knob)
    yield Part("Back", "key", (_gpio(pins.keys["back"], "back"), _ground("back")))
    seats = [_gpio(pins.keys[key], key) for key in SEAT_KEYS if key in pins.keys]
    yield Part("Seat buttons", "lit buttons, their switches", (*seats, _ground("seats")))
    inputs = [_gpio(each.gpio, f"IN {each.channel}")._replace(number=each.channel) for each in driven(pins)]
    ground = _ground("driver")._replace(number=DRIVER_GROUND)
    yield Part(DRIVER, "driver", (*inputs, ground, Wire(POWER_5V, "5 V", "COM", DRIVER_COMMON)))


def driven(pins: Pins) -> Iterator[Driven]:
    """Yield what hangs on the driver, channel by channel: lamps, then the buzzer."""
    outputs = [*((pins.lamps[name], f"lamp of {name}") for name in pins.lamps), (pins.buzzer, "buzzer")]
    if len(outputs) > CHANNELS:
        raise ValueError(f"{len(outputs)} lamps and buzzers: expected at most {CHANNELS}, the channels of a {DRIVER}")
    for channel, (gpio, part) in enumerate(outputs, 1):
        yield Driven(channel, gpio, part)


def _display(pins: Pins) -> Iterator[Wire]:
    wires = pins.display.wires
    yield Wire(POWER_3V3, "3.3 V", "VCC")
    yield _ground("display")
    assert isinstance(wires, I2cWiring)  # of the reference build
    data, clock = I2C_PINS[wires.bus]
    yield _gpio(clock, "SCL")
    yield _gpio(data, "SDA")


def _gpio(number: int, end: str) -> Wire:
    return Wire(HEADER[number], f"GPIO {number}", end)


def _ground(part: str) -> Wire:
    return Wire(GROUND[part], "GND", "GND")


def yaml(pins: Pins) -> str:
    """Return the source of the diagram, a WireViz document."""
    wired = list(parts(pins))
    out = list(driven(pins))
    used = sorted({(wire.pin, wire.label) for part in wired for wire in part.wires})
    lines = [
        "# Made from hardware/pins.toml by `python -m tests.docs.pins`; drawn by WireViz.",
        "connectors:",
        *_connector("Raspberry Pi", "40-pin header", used),
    ]
    for part in wired:
        ends = [(number, wire.end) for number, wire in _numbered(part)]
        if part.name == DRIVER:
            ends += [(_output(each), f"OUT {each.channel}") for each in out]
        lines += _connector(part.name, part.kind, ends)
    loads = [*((each.channel, each.part) for each in out), (len(out) + 1, "+ of all")]
    lines += _connector("Lamps and buzzer", "5 V", loads)
    lines.append("cables:")
    for part in wired:
        lines += _cable(f"to {part.name}", [wire.label for wire in part.wires])
    lines += _cable("switched", [each.part for each in out])
    lines += _cable("supply", ["5 V"])
    lines.append("connections:")
    for part in wired:
        start = ("Raspberry Pi", [wire.pin for wire in part.wires])
        lines += _connection(start, f"to {part.name}", (part.name, [number for number, _ in _numbered(part)]))
    channels = [each.channel for each in out]
    lines += _connection((DRIVER, [_output(each) for each in out]), "switched", ("Lamps and buzzer", channels))
    lines += _connection((DRIVER, [DRIVER_COMMON]), "supply", ("Lamps and buzzer", [len(out) + 1]))
    return "\n".join(lines) + "\n"


def _numbered(part: Part) -> list[tuple[int, Wire]]:
    return [(wire.number or i, wire) for i, wire in enumerate(part.wires, 1)]


def _output(each: Driven) -> int:
    return 17 - each.channel


def _connector(name: str, kind: str, pins: Sequence[tuple[int, str]]) -> Iterator[str]:
    yield f"  {name}:"
    yield f'    type: "{kind}"'
    yield f"    pins: [{', '.join(str(number) for number, _ in pins)}]"
    yield "    pinlabels: [" + ", ".join(f'"{label}"' for _, label in pins) + "]"


def _cable(name: str, labels: Sequence[str]) -> Iterator[str]:
    """Yield a bundle: supplies have their own colours, the others follow one another."""
    rest = iter(COLOURS)
    colours = [SUPPLIES[label] if label in SUPPLIES else next(rest) for label in labels]
    yield f"  {name}:"
    yield f"    colors: [{', '.join(colours)}]"
    yield "    category: bundle"


def _connection(start: tuple[str, Sequence[int]], cable: str, end: tuple[str, Sequence[int]]) -> Iterator[str]:
    yield "  -"
    for name, pins in (start, (cable, range(1, len(start[1]) + 1)), end):
        yield f"    - {name}: [{', '.join(map(str, pins))}]"
