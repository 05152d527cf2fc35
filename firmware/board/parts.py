"""The carrier board's parts: where each of them is, and which net each of its pads is on, from the pin map.

Places are those of the case's lid (firmware/case/case.scad): millimetres from its middle, y away from the players,
seen from above. The Pi hangs below the board, its sockets at the back wall. Pads are those of KiCad's libraries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from typing import Final, NamedTuple

from gpiozero.pins.mock import MockFactory

from hardware.events import DIE_KEYS, SEAT_KEYS
from hardware.pins import I2C_PINS, SPI_PINS, I2cWiring, Pins

LEFT, BOTTOM, RIGHT, TOP = -40.5, -29.0, 57.0, 60.0
"""The board's edges; left of it are the high sockets of a Pi 3 or 4, for network and USB."""

GRID: Final = 0.635
"""Tracks run on this grid, on which pin 1 of the header is: between its pads there is room for one."""

HEADER: Final = (16.13, 8.87)
"""Pin 1. The header's middle is also that of the Pi's screws."""

GND, V3, V5 = "GND", "+3V3", "+5V"


class Pad(NamedTuple):
    """One pad: its number, "" for a hole without copper; place from the part's own origin, y down; sizes, mm."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: tuple[float, ...]
    shape: str = "circle"

    def distance(self, x: float, y: float) -> float:
        """Return how far a point is from its copper, or from the edge of its hole; 0 inside. Ovals lie flat."""
        if self.shape == "rect":
            return hypot(max(0.0, abs(x) - self.width / 2), max(0.0, abs(y) - self.height / 2))
        straight = (self.width - self.height) / 2
        return max(0.0, hypot(max(0.0, abs(x) - straight), y) - self.height / 2)


@dataclass(frozen=True)
class Kind:
    """A kind of part: its footprint in KiCad's libraries, pads, body with margin, and two makers' numbers."""

    footprint: str
    pads: tuple[Pad, ...]
    body: tuple[float, float, float, float]
    value: str = ""
    order: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Part:
    """A part on the board. ``nets``: of its pads by number; one that is left out is connected to nothing."""

    ref: str
    kind: Kind
    x: float
    y: float
    nets: dict[str, str] = field(default_factory=dict)
    turn: int = 0
    back: bool = False
    label: str = ""

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of it is on the board; its own y is down, the board's is up."""
        turn = radians(self.turn)
        y = -y if self.back else y
        return (
            round(self.x + x * cos(turn) + y * sin(turn), 4),
            round(self.y - (-x * sin(turn) + y * cos(turn)), 4),
        )

    @property
    def box(self) -> tuple[float, float, float, float]:
        """What its body takes of the board, with a margin: left, low, right, high."""
        (a, b), (c, d) = self.place(*self.kind.body[:2]), self.place(*self.kind.body[2:])
        return min(a, c), min(b, d), max(a, c), max(b, d)

    def pads(self) -> Iterator[tuple[Pad, float, float, str]]:
        """Yield its pads as they lie on the board, with their places and nets."""
        for pad in self.kind.pads:
            flat = pad if self.turn % 180 == 0 else pad._replace(width=pad.height, height=pad.width)
            yield flat, *self.place(pad.x, pad.y), self.nets.get(pad.number, "")


def _row(count: int, pitch: float, size: float, drill: float) -> tuple[Pad, ...]:
    return tuple(Pad(str(n + 1), 0, n * pitch, size, size, (drill,), "circle" if n else "rect") for n in range(count))


def _flat(*pads: Pad) -> tuple[Pad, ...]:
    """Return a row that lies flat instead of standing."""
    return tuple(pad._replace(x=pad.y, y=pad.x) for pad in pads)


def _hole(footprint: str, drill: float, head: float) -> Kind:
    return Kind(footprint, (Pad("", 0, 0, drill, drill, (drill,)),), (-head, -head, head, head))


def _pins(count: int) -> Kind:
    row = f"1x{count:02}_P2.54mm_Vertical"
    orders = (f"Harwin M20-999{count:02}46", f"Samtec TSW-1{count:02}-07-F-S")
    return Kind(
        f"Connector_PinHeader_2.54mm:PinHeader_{row}", _row(count, 2.54, 1.7, 1.0),
        (-1.77, -1.77, 1.77, 2.54 * count - 0.77), f"pin header, {count} pins", orders,
    )  # fmt: skip


SOCKET: Final = Kind(
    "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
    tuple(
        Pad(str(2 * n + column + 1), -2.54 * column, 2.54 * n, 1.7, 1.7, (1.0,), "circle" if n or column else "rect")
        for n in range(20)
        for column in (0, 1)
    ),
    (-4.34, -1.8, 1.76, 50.0), "socket, 2x20 pins, 8.5 mm", ("Samtec SSW-120-01-T-D", "Harwin M20-7832046"),
)  # fmt: skip
KEY: Final = Kind(
    "Button_Switch_THT:SW_PUSH-12mm",
    tuple(Pad(n, x, y, 3.2, 1.9, (1.3,), "oval") for n, y in (("1", -2.5), ("2", 2.5)) for x in (-6.25, 6.25)),
    (-7.75, -7.25, 7.75, 7.25), "key, 12 mm, 7.3 mm high, with cap", ("Omron B3F-4055", "E-Switch TL1100 series"),
)  # fmt: skip
ENCODER: Final = Kind(
    "Rotary_Encoder:RotaryEncoder_Alps_EC11E-Switch_Vertical_H20mm",
    (
        Pad("A", -7.5, -2.5, 2, 2, (1.0,), "rect"), Pad("C", -7.5, 0, 2, 2, (1.0,)),
        Pad("B", -7.5, 2.5, 2, 2, (1.0,)), Pad("S1", 7, 2.5, 2, 2, (1.0,)), Pad("S2", 7, -2.5, 2, 2, (1.0,)),
        Pad("MP", 0, -5.6, 3.2, 2, (2.8, 1.5), "rect"), Pad("MP", 0, 5.6, 3.2, 2, (2.8, 1.5), "rect"),
    ),
    (-9, -7.1, 8.5, 7.1), "encoder with push, 1 detent a cycle",
    ("Bourns PEC11R-4220F-S0024", "Alps Alpine EC11E series"),
)  # fmt: skip
DRIVER: Final = Kind(
    "Package_DIP:DIP-18_W7.62mm",
    tuple(
        Pad(str(n + 1), 0 if n < 9 else 7.62, 2.54 * (n if n < 9 else 17 - n), 1.6, 1.6, (0.8,),
            "circle" if n else "rect")
        for n in range(18)
    ),
    (-1.06, -1.52, 8.67, 21.84), "ULN2803A", ("TI ULN2803AN", "Toshiba ULN2803APG"),
)  # fmt: skip
PULL_UPS: Final = Kind(
    "Resistor_THT:R_Array_SIP9", _flat(*_row(9, 2.54, 1.6, 0.8)), (-1.6, -1.56, 21.92, 1.56), "8 x 10 kOhm, bussed",
    ("Bourns 4609X-101-103LF", "Vishay CSC09A0110K0G"),
)  # fmt: skip
BUZZER: Final = Kind(
    "Buzzer_Beeper:Buzzer_12x9.5RM7.6",
    (Pad("1", -3.8, 0, 2, 2, (1.0,), "rect"), Pad("2", 3.8, 0, 2, 2, (1.0,))),
    (-6.25, -6.25, 6.25, 6.25), "buzzer, active, 5 V", ("Same Sky CEM-1205C", "TMB12A05, several makers"),
)  # fmt: skip
TRANSISTOR: Final = Kind(
    "Package_TO_SOT_THT:TO-92_Inline_Wide", _flat(*_row(3, 2.54, 1.5, 0.8)), (-1.01, -2.73, 6.09, 2.01), "BC337",
    ("onsemi BC33725TA", "Diotec BC337-25"),
)  # fmt: skip
DIODE: Final = Kind(
    "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal", _flat(*_row(2, 7.62, 1.6, 0.8)), (-1.05, -1.25, 8.67, 1.25),
    "1N4148", ("onsemi 1N4148", "Vishay 1N4148-TAP"),
)  # fmt: skip
RESISTOR = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
RESISTORS: Final = {
    value: Kind(
        RESISTOR, tuple(pad._replace(shape="circle") for pad in _flat(*_row(2, 7.62, 1.6, 0.8))),
        (-1.05, -1.5, 8.67, 1.5), value, orders,
    )
    for value, orders in (
        ("1 kOhm", ("Yageo MFR-25FBF52-1K", "Vishay MRS25000C1001FCT00")),
        ("10 kOhm", ("Yageo MFR-25FBF52-10K", "Vishay MRS25000C1002FCT00")),
    )
}  # fmt: skip
CAPACITOR: Final = Kind(
    "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm",
    tuple(pad._replace(shape="circle") for pad in _flat(*_row(2, 5, 1.6, 0.8))), (-1.05, -1.5, 6.05, 1.5), "100 nF",
    ("Kemet C320C104K5R5TA", "Vishay K104K15X7RF5TL2"),
)  # fmt: skip
M3 = _hole("MountingHole:MountingHole_3.2mm_M3", 3.2, 3.45)
M25 = _hole("MountingHole:MountingHole_2.7mm_M2.5", 2.7, 2.95)
TIE = _hole("MountingHole:MountingHole_2.2mm_M2", 2.2, 1.35)

SPACERS: Final = ((-28.0, 52.5), (-37.0, -2.0), (38.0, 30.0), (38.0, 8.0), (53.5, -14.0))
"""Holes for the spacers of 8 mm that carry the board below the lid."""
PI_SCREWS: Final = tuple((x, y) for x in (-37.0, 21.0) for y in (7.6, 30.6, 56.6))
"""Of a Zero 23 mm from the header, of a Pi 3 or 4 49 mm."""
KEYS: Final[Mapping[str, tuple[float, float]]] = {
    f"die-{n + 1}": (38 + 20 * (n % 2 - 0.5), 19 - 22 * (n // 2 - 1)) for n in range(6)
} | {"back": (-6, -13)}
ENCODER_AT: Final = (-26.0, -13.0)
BUZZER_AT: Final = (10.0, 42.0)
SEAT_PITCH: Final = 18 * GRID


def snapped(x: float, y: float) -> tuple[float, float]:
    """Return the point of the grid that is nearest."""
    return (
        round(HEADER[0] + GRID * round((x - HEADER[0]) / GRID), 4),
        round(HEADER[1] + GRID * round((y - HEADER[1]) / GRID), 4),
    )


def header(pins: Pins) -> dict[str, str]:
    """Return the nets of the header by the numbers of its pins; what nothing uses is left out."""
    wires = pins.display.wires
    (clock, data), selects = SPI_PINS[0]
    nets = dict(zip((clock, data, selects[0]), ("sclk", "mosi", "ce0"), strict=True))
    if isinstance(wires, I2cWiring):
        nets |= dict(zip(I2C_PINS.get(wires.bus, ()), ("sda", "scl"), strict=False))
    else:
        nets |= {wires.reset: "reset", wires.dc: "dc"}
    nets |= {gpio: key for key, gpio in pins.keys.items()} | {gpio: f"lamp-{key}" for key, gpio in pins.lamps.items()}
    nets |= dict(zip((*pins.encoder, pins.buzzer), ("encoder-a", "encoder-b", "buzzer"), strict=True))
    names = {f"GPIO{gpio}": net for gpio, net in nets.items()} | {"3V3": V3, "5V": V5, "GND": GND}
    printed = MockFactory(revision="a02082").board_info.headers["J8"].pins
    return {str(number): names[pin.name] for number, pin in sorted(printed.items()) if pin.name in names}


def parts(pins: Pins) -> Iterator[Part]:
    """Yield every part of the board."""
    nets = header(pins)
    yield Part("J1", SOCKET, *HEADER, nets, turn=90, back=True, label="Raspberry Pi")
    for number, (key, place) in enumerate(KEYS.items(), 1):
        yield Part(f"SW{number}", KEY, *place, {"1": key, "2": GND}, label=key)
    knob = {"A": "encoder-a", "B": "encoder-b", "C": GND, "S1": "select", "S2": GND, "MP": GND}
    yield Part("SW9", ENCODER, *ENCODER_AT, knob, label="select")
    seats = [seat for seat in SEAT_KEYS if seat in pins.keys]
    lamps = {seat: f"lamp-{seat}-" if seat in pins.lamps else "" for seat in seats}
    inputs = {str(n + 1): f"lamp-{seat}" for n, seat in enumerate(seats) if lamps[seat]}
    outputs = {str(18 - n): lamps[seat] for n, seat in enumerate(seats) if lamps[seat]}
    yield Part("U1", DRIVER, *snapped(7, 2.1), {**inputs, **outputs, "9": GND, "10": V5}, label="ULN2803A")
    for number, seat in enumerate(seats):
        left, up = snapped(-37.5 + SEAT_PITCH * number, -23.2)
        four = {"1": GND, "2": seat, "3": lamps[seat], "4": V5 if lamps[seat] else ""}
        yield Part(f"J{number + 11}", _pins(4), left, up, four, turn=90, label=f"{seat} G K - +")
        for hole in range(2):
            yield Part(f"H{2 * number + hole + 21}", TIE, left + 1.27 + 5.08 * hole, -27.2)
    pulled = [*DIE_KEYS, "back", "select", "encoder-a", "encoder-b", *seats][:16]  # two arrays of eight
    for number in range(2):
        eight = {str(n + 2): net for n, net in enumerate(pulled[8 * number : 8 * number + 8])}
        yield Part(
            f"RN{number + 1}", PULL_UPS, *snapped(15 - 6 * number, 32.4), {"1": V3, **eight}, turn=270, label="10k"
        )
    display = {"1": GND, "2": V3}
    if "scl" in nets.values():
        four = display | {"3": "scl", "4": "sda"}
        yield Part("J2", _pins(4), *snapped(-20, 54), four, turn=90, label="I2C GND 3V3 SCL SDA")
    if {"sclk", "mosi", "ce0"} <= {*nets.values()}:
        dc, reset = ("scl", "sda") if "scl" in nets.values() else ("dc", "reset")
        seven = display | {"3": "sclk", "4": "mosi", "5": reset, "6": dc, "7": "ce0"}
        yield Part("J3", _pins(7), *snapped(-4, 54), seven, turn=90, label="SPI GND 3V3 SCK SDA RES DC CS")
    yield Part("C1", CAPACITOR, *snapped(-14, 48.5), {"1": V3, "2": GND}, label="100n")
    yield Part("C2", CAPACITOR, *snapped(23, -16), {"1": V5, "2": GND}, label="100n")
    yield Part("BZ1", BUZZER, *BUZZER_AT, {"1": V5, "2": "buzzer-"}, label="+ buzzer")
    yield Part("Q1", TRANSISTOR, *snapped(28, 53), {"1": "buzzer-", "2": "buzzer-base", "3": GND}, label="C BC337 E")
    yield Part("R1", RESISTORS["1 kOhm"], *snapped(36, 56), {"1": "buzzer-base", "2": "buzzer"}, label="1k")
    yield Part("R2", RESISTORS["10 kOhm"], *snapped(36, 51.5), {"1": GND, "2": "buzzer"}, label="10k")
    yield Part("D1", DIODE, *snapped(47, 53.5), {"1": V5, "2": "buzzer-"}, label="K 1N4148")
    for number, place in enumerate((*SPACERS, *PI_SCREWS), 1):
        yield Part(f"H{number}", M3 if place in SPACERS else M25, *place)
    for number in range(2):
        yield Part(f"H{12 + number}", TIE, -30 + 5.08 * number, 57.8)
