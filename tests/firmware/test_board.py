"""The carrier board: its pins are those of the map, its files agree, its tracks keep apart, and it fits the case."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from firmware.board import __main__ as command
from firmware.board import files
from firmware.board.parts import (
    BOTTOM,
    BUZZER_AT,
    ENCODER_AT,
    GND,
    KEYS,
    LEFT,
    PI_SCREWS,
    RIGHT,
    SPACERS,
    TOP,
    V3,
    V5,
    Pad,
    Part,
    header,
    parts,
)
from firmware.board.route import VIA, Track, Unroutable, route, width
from hardware.pins import REFERENCE, Pins, from_mapping, load
from tests.components import FOOTPRINTS
from tests.docs import wiring

ROOT = Path(__file__).parents[2]
LEAST = 0.15
"""Millimetres between the copper of two nets."""


@cache
def every() -> tuple[Part, ...]:
    return tuple(parts(load()))


@cache
def tracks() -> tuple[Track, ...]:
    return tuple(route(every()))


def on_spi() -> Pins:
    document = tomllib.loads(REFERENCE.read_text())
    document["display"] = {"controller": "ssd1322", "interface": "spi", "bus": 0, "select": 0, "dc": 14, "reset": 15}
    return from_mapping(document)


def eight_seats() -> Pins:
    """Of the pins that are left, one is too few: seat 8 has no lamp, and the display has no SPI."""
    document = tomllib.loads(REFERENCE.read_text())
    document["keys"] |= {"seat-5": 8, "seat-6": 10, "seat-7": 11, "seat-8": 1}
    document["lamps"] |= {"seat-5": 14, "seat-6": 15, "seat-7": 0}
    return from_mapping(document)


# -- nets


def test_every_pin_of_the_map_is_on_its_net() -> None:
    """The wiring diagram has a table of its own of the header's pins."""
    pins, names = load(), {"A": "encoder-a", "B": "encoder-b", "push (Select)": "select", "SCL": "scl", "SDA": "sda"}
    names |= {"VCC": V3, "COM": V5}
    lamps = {f"IN {each.channel}": each.part.replace("lamp of ", "lamp-") for each in wiring.driven(pins)}
    wires = [wire for part in wiring.parts(pins) for wire in part.wires]
    assert len(wires) == 29
    for wire in wires:
        assert header(pins)[str(wire.pin)] == (names | lamps).get(wire.end, wire.end)


def test_each_part_is_on_the_nets_it_is_for() -> None:
    nets = {part.ref: part.nets for part in every()}
    assert [nets[f"SW{n}"] for n in range(1, 8)] == [
        {"1": key, "2": GND} for key in (*(f"die-{n}" for n in range(1, 7)), "back")
    ]
    assert nets["SW9"] == {"A": "encoder-a", "B": "encoder-b", "C": GND, "S1": "select", "S2": GND, "MP": GND}
    for seat in range(1, 5):
        assert nets[f"J{seat + 10}"] == {"1": GND, "2": f"seat-{seat}", "3": f"lamp-seat-{seat}-", "4": V5}
        assert (nets["U1"][str(seat)], nets["U1"][str(19 - seat)]) == (f"lamp-seat-{seat}", f"lamp-seat-{seat}-")
    pulled = {net for array in ("RN1", "RN2") for pin, net in nets[array].items() if pin != "1"}
    assert pulled == {*load().keys, "encoder-a", "encoder-b"}
    assert (nets["Q1"], nets["D1"]["1"]) == ({"1": "buzzer-", "2": "buzzer-base", "3": GND}, V5)


def test_a_display_on_spi_has_its_own_pins() -> None:
    nets = {part.ref: part.nets for part in parts(on_spi())}
    assert "J2" not in nets
    assert [nets["J3"][str(n)] for n in range(1, 8)] == [GND, V3, "sclk", "mosi", "reset", "dc", "ce0"]
    assert {pin: net for pin, net in nets["J1"].items() if net in nets["J3"].values() and net not in (GND, V3)} == {
        "8": "dc", "10": "reset", "19": "mosi", "23": "sclk", "24": "ce0",
    }  # fmt: skip


def parsed(text: str) -> Any:
    """Return an S-expression as lists."""
    stack: list[list[Any]] = [[]]
    for word in re.findall(r'"[^"]*"|[()]|[^\s()]+', text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word.strip('"'))
    assert len(stack) == 1
    return stack[0][0]


def named(value: list[Any], name: str) -> Iterator[list[Any]]:
    yield from (each for each in value if isinstance(each, list) and each[0] == name)


def test_schematic_and_layout_have_the_same_nets() -> None:
    layout = parsed(files.board(every(), ()))
    on_board: dict[tuple[str, str], str] = {}
    for footprint in named(layout, "footprint"):
        (ref,) = (text[2] for text in named(footprint, "fp_text") if text[1] == "reference")
        for pad in named(footprint, "pad"):
            for _, _, net in named(pad, "net"):
                if not net.startswith("unconnected"):
                    on_board[ref, pad[1]] = net
    sheet = parsed(files.schematic(every()))
    labels = {
        tuple(map(float, at[1:3])): label[1] for label in named(sheet, "global_label") for at in named(label, "at")
    }
    (library,) = named(sheet, "lib_symbols")
    symbols = {symbol[1]: symbol for symbol in named(library, "symbol")}
    drawn = {}
    for symbol in named(sheet, "symbol"):
        ((_, kind),), ((_, x, y, _),) = named(symbol, "lib_id"), named(symbol, "at")
        (ref,) = (each[2] for each in named(symbol, "property") if each[1] == "Reference")
        for unit in named(symbols[kind], "symbol"):
            for pin in named(unit, "pin"):
                ((_, right, up, _),), ((_, number, *_),) = named(pin, "at"), named(pin, "number")
                end = round(float(x) + float(right), 3), round(float(y) - float(up), 3)
                if end in labels:
                    drawn[ref, number] = labels[end]
    assert drawn == on_board
    assert len(drawn) > 120


def test_every_part_can_be_ordered_from_two_makers() -> None:
    rows = [*csv.DictReader(files.orders(every()).splitlines())]
    assert sum(int(row["count"]) for row in rows) == sum(bool(part.kind.value) for part in every())
    assert all(row["one source"] and row["another"] for row in rows)


# -- places


def test_no_part_is_on_another_or_off_the_board() -> None:
    apart(every())


def apart(board: Sequence[Part]) -> None:
    for part in board:
        left, low, right, high = part.box
        assert LEFT <= left < right <= RIGHT, part.ref
        assert BOTTOM <= low < high <= TOP, part.ref
    for one, other in combinations(board, 2):
        a, b = one.box, other.box
        if one.back == other.back:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (one.ref, other.ref)
        for part, _, (left, low, right, high) in ((one, a, b), (other, b, a)):
            for _, x, y, _ in part.pads():
                assert not (left < x < right and low < y < high), (one.ref, other.ref)


def test_the_pi_fits_the_socket_and_the_screws() -> None:
    """Its holes are 58 mm apart, and the header is in the middle of them (Raspberry Pi's mechanical drawings)."""
    socket = next(part for part in every() if part.ref == "J1")
    places = {pad.number: (x, y) for pad, x, y, _ in socket.pads()}
    middle = [sum(place[axis] for place in places.values()) / 40 for axis in (0, 1)]
    assert middle == pytest.approx([-8, 7.6])
    # Turned by half, its sockets away from the players: pin 1 right and inside, pin 2 at the edge.
    assert places["1"] == pytest.approx((-8 + 19 * 1.27, 7.6 + 1.27))
    assert places["2"] == pytest.approx((-8 + 19 * 1.27, 7.6 - 1.27))
    assert places["40"] == pytest.approx((-8 - 19 * 1.27, 7.6 - 1.27))
    assert {(x - middle[0], y - 7.6) for x, y in PI_SCREWS} == {(x, y) for x in (-29, 29) for y in (0, 23, 49)}


def case() -> dict[str, Any]:
    """Return the numbers of the model of the case."""
    text = (ROOT / "firmware" / "case" / "case.scad").read_text("utf-8")
    found = re.findall(r"^(\w+) = (\[.*\]|[\d.-]+);", text, re.MULTILINE)
    return {name: tomllib.loads(f"v = {value}")["v"] for name, value in found if "for" not in value}


def test_the_board_fits_the_case() -> None:
    of = case()
    wall, (wide, deep), post = of["wall"] + 0.5, of["size"], of["post"]
    assert max(-LEFT, RIGHT) < wide / 2 - 2 * post
    assert deep / 2 - wall > TOP
    assert of["seats_y"] + of["seat_hole"] / 2 + 2 < BOTTOM
    columns, rows = of["key_pitch"]
    right, up = of["keys_at"]
    grid = [[right + columns * column / 2, up + rows * row] for row in (1, 0, -1) for column in (-1, 1)]
    assert [list(KEYS[f"die-{n}"]) for n in range(1, 7)] == grid
    assert [*KEYS["back"]] == of["back_at"]
    assert ([*ENCODER_AT], [*BUZZER_AT]) == (of["encoder_at"], of["buzzer_at"])
    assert [[*place] for place in SPACERS] == of["spacers_at"]
    # Below the display nothing is soldered that stands up.
    across, height = of["module_holes"]
    x, y = of["display_at"]
    for part in every():
        left, low, far, high = part.box
        if not part.back and part.kind.value:
            assert far < x - across / 2 or left > x + across / 2 or high < y - height / 2 or low > y + height / 2, (
                part.ref
            )


# -- copper


def between(one: Track, other: Track) -> float:
    """Return how far the middles of two straight tracks are apart."""

    def crossed() -> bool:
        def side(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
            return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

        a, b, c, d = one.start, one.end, other.start, other.end
        return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0

    if crossed():
        return 0
    ends = ((one, other.start), (one, other.end), (other, one.start), (other, one.end))
    return min(away(track, end) for track, end in ends)


def away(track: Track, place: tuple[float, float]) -> float:
    (a, b), (c, d) = track.start, track.end
    long = (c - a) ** 2 + (d - b) ** 2
    along = min(1, max(0, ((place[0] - a) * (c - a) + (place[1] - b) * (d - b)) / long)) if long else 0
    return hypot(a + along * (c - a) - place[0], b + along * (d - b) - place[1])


def half(track: Track) -> float:
    return VIA / 2 if track.side is None else width(track.net) / 2


def to_pad(track: Track, pad: Pad, x: float, y: float) -> float:
    steps = max(1, round(hypot(track.end[0] - track.start[0], track.end[1] - track.start[1]) / 0.02))
    along = (
        [start + (end - start) * step / steps for start, end in zip(track.start, track.end, strict=True)]
        for step in range(steps + 1)
    )
    return min(pad.distance(at[0] - x, at[1] - y) for at in along)


@pytest.mark.long
def test_tracks_of_different_nets_keep_apart() -> None:
    for one, other in combinations(tracks(), 2):
        if one.net != other.net and (one.side == other.side or None in (one.side, other.side)):
            assert between(one, other) >= half(one) + half(other) + LEAST - 1e-6, (one, other)
    pads = [pad for part in every() for pad in part.pads()]
    for track in tracks():
        for pad, x, y, net in pads:
            if net != track.net and away(track, (x, y)) < 5:
                assert to_pad(track, pad, x, y) >= half(track) + LEAST - 1e-6, (track, pad)
        for x, y in (track.start, track.end):
            assert min(x - LEFT, RIGHT - x, y - BOTTOM, TOP - y) >= half(track) + 0.3


@pytest.mark.long
def test_every_net_is_connected_by_its_tracks() -> None:
    for net in {net for part in every() for net in part.nets.values() if net}:
        own = [track for track in tracks() if track.net == net]
        places = [(x, y) for part in every() for _, x, y, on in part.pads() if on == net]
        pads = [Track(net, None, place, place) for place in places]  # like a via, it is on both sides
        joined, left = [pads.pop()], [*pads, *own]
        for one in joined:
            touching = [
                each
                for each in left
                if (each.side == one.side or None in (each.side, one.side)) and between(one, each) < 1e-6
            ]
            joined += touching
            left = [each for each in left if each not in touching]
        assert not left, net


@pytest.mark.long
@pytest.mark.parametrize("pins", [on_spi(), eight_seats()], ids=["spi", "eight seats"])
def test_boards_for_other_maps_are_routed_too(pins: Pins) -> None:
    other = [*parts(pins)]
    apart(other)
    assert route(other)


def test_a_net_with_no_way_to_it_is_named() -> None:
    walled = [part for part in every() if part.ref in ("J1", "SW1")]
    fence = [Part(f"H{n}", every()[-1].kind, 20 + n, 49.5) for n in range(-1, 38)]
    fence += [Part(f"H{n + 99}", every()[-1].kind, 19, 32 + n) for n in range(18)]
    fence += [Part(f"H{n + 199}", every()[-1].kind, 20 + n, 31.5) for n in range(38)]
    with pytest.raises(Unroutable, match=r"die-1|GND"):
        route([*walled, *fence])


# -- KiCad


@pytest.mark.long
def test_kicad_finds_no_fault(kicad_cli: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == "0 faults and warnings\n"
    with ZipFile(tmp_path / "gerbers.zip") as archive:
        ends = sorted(Path(name).suffix for name in archive.namelist())
    assert ends == [".drl", ".gbl", ".gbo", ".gbrjob", ".gbs", ".gm1", ".gtl", ".gto", ".gts"]
    assert (tmp_path / "top.png").stat().st_size > 10_000


@pytest.mark.usefixtures("kicad_footprints")
def test_pads_are_those_of_kicads_libraries() -> None:
    for kind in {part.kind.footprint: part.kind for part in every()}.values():
        library, _, name = kind.footprint.partition(":")
        theirs = parsed((FOOTPRINTS / f"{library}.pretty" / f"{name}.kicad_mod").read_text("utf-8"))
        pads = []
        for pad in named(theirs, "pad"):
            ((_, x, y, *_),), ((_, *size),), ((_, *drill),) = (
                named(pad, "at"),
                named(pad, "size"),
                named(pad, "drill"),
            )
            shape = pad[3].replace("roundrect", "rect")
            pads.append((pad[1], float(x), float(y), *map(float, size), tuple(map(float, drill[-2:])), shape))
        first = next(pad for pad in kind.pads if pad.number == pads[0][0])
        dx, dy = pads[0][1] - first.x, pads[0][2] - first.y
        ours = [(pad.number, pad.x + dx, pad.y + dy, *pad[3:]) for pad in kind.pads]
        assert sorted(map(_rounded, ours)) == sorted(map(_rounded, pads)), kind.footprint


def _rounded(pad: tuple[Any, ...]) -> tuple[Any, ...]:
    return pad[0], round(pad[1], 3), round(pad[2], 3), *pad[3:]
