"""KiCad's files, written from the parts and the tracks; the order list."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from uuid import NAMESPACE_URL, uuid5

from firmware.board.parts import BOTTOM, GND, KEY, LEFT, RIGHT, SOCKET, TOP, V3, V5, Part
from firmware.board.route import CLEARANCE, DRILL, EDGE, VIA, Track, width

NAME = "carrier"
LAYERS = {
    0: "F.Cu", 31: "B.Cu", 36: "B.SilkS", 37: "F.SilkS", 38: "B.Mask", 39: "F.Mask", 44: "Edge.Cuts", 46: "B.CrtYd",
    47: "F.CrtYd", 48: "B.Fab", 49: "F.Fab",
}  # fmt: skip
NOTES = {"Electronic referee: carrier board": (-20, 38), "Pi below, its sockets at this edge": (-9, 58.3)}
"""What is printed on the front beside the parts."""


def _id(*name: object) -> str:
    return str(uuid5(NAMESPACE_URL, f"electronic-referee/board/{'/'.join(map(str, name))}"))


def _at(x: float, y: float) -> str:
    """Return a place on KiCad's sheet, whose y goes down."""
    return f"{100 + x:g} {100 - y:g}"


def nets(parts: Iterable[Part]) -> list[str]:
    """Return all nets, ground first, and those that KiCad gives to pins that are free."""
    found = {_net(part, pad.number) for part in parts for pad in part.kind.pads if pad.number}
    return sorted(found, key=lambda net: (net != GND, net))


def _net(part: Part, number: str) -> str:
    free = f"unconnected-({part.ref}-Pad{number})" if number else ""
    return part.nets.get(number, "") or free


# -- the board


def board(parts: Sequence[Part], tracks: Iterable[Track]) -> str:
    """Return the layout as a .kicad_pcb, whose pour of ground is yet to be filled."""
    numbers = {net: number for number, net in enumerate(nets(parts), 1)}
    corners = ((LEFT, BOTTOM), (RIGHT, BOTTOM), (RIGHT, TOP), (LEFT, TOP))
    lines = [
        '(kicad_pcb (version 20221018) (generator "electronic-referee")',
        "(general (thickness 1.6)) (paper A4)",
        f"(layers {' '.join(_layer(number, name) for number, name in LAYERS.items())})",
        "(setup (pad_to_mask_clearance 0.05))",
        '(net 0 "")',
        *(f'(net {number} "{net}")' for net, number in numbers.items()),
        *(_footprint(part, numbers) for part in parts),
        *(_words(part.label, (part.box[0] + part.box[2]) / 2, part.box[3] + 0.9, back=part.back) for part in parts),
        *(_words(text, *place) for text, place in NOTES.items()),
        *(_track(each, numbers[each.net], number) for number, each in enumerate(tracks)),
        *(
            f"(gr_line (start {_at(*corners[n - 1])}) (end {_at(*corners[n])}) (stroke (width 0.1) (type solid)) "
            f'(layer "Edge.Cuts") (tstamp {_id("edge", n)}))'
            for n in range(4)
        ),
        f'(zone (net {numbers[GND]}) (net_name "{GND}") (layers "F.Cu" "B.Cu") (tstamp {_id("pour")})',
        "(hatch edge 0.5)",
        f"(connect_pads (clearance {CLEARANCE})) (min_thickness 0.25)",
        "(fill yes (thermal_gap 0.3) (thermal_bridge_width 0.4))",
        f"(polygon (pts {' '.join(f'(xy {_at(*each)})' for each in corners)})))",
        ")",
    ]
    return "\n".join(filter(None, lines)) + "\n"


def _layer(number: int, name: str) -> str:
    return f'({number} "{name}" {"signal" if name.endswith("Cu") else "user"})'


def _footprint(part: Part, numbers: dict[str, int]) -> str:
    side, mirror = ("B", " (justify mirror)") if part.back else ("F", "")
    flip = -1 if part.back else 1
    left, top, right, bottom = part.kind.body
    hole = all(not pad.number for pad in part.kind.pads)
    lines = [
        f'(footprint "{part.kind.footprint}" (layer "{side}.Cu") (tstamp {_id(part.ref)})',
        f"(at {_at(part.x, part.y)} {part.turn})",
        f'(path "/{_id("symbol", part.ref)}")' if not hole else "",
        "(attr through_hole)" if not hole else "(attr board_only exclude_from_pos_files exclude_from_bom)",
        *(
            f'(fp_text {kind} "{text}" (at 0 0) (layer "{side}.Fab") hide (effects (font (size 0.8 0.8)){mirror}))'
            for kind, text in (("reference", part.ref), ("value", part.kind.value))
        ),
    ]
    for layer, inset in ((f"{side}.CrtYd", 0.0), (f"{side}.SilkS", 0.1)):
        if layer.endswith("CrtYd") or (part.label and part.kind is not KEY):  # a key's legs cross its outline
            lines.append(
                f"(fp_rect (start {left + inset:g} {flip * (top + inset):g}) "
                f"(end {right - inset:g} {flip * (bottom - inset):g}) "
                f'(stroke (width 0.1) (type solid)) (fill none) (layer "{layer}") (tstamp {_id(part.ref, layer)}))'
            )
    for number, pad in enumerate(part.kind.pads):
        net = _net(part, pad.number)
        drill = f"oval {pad.drill[0]:g} {pad.drill[1]:g}" if len(pad.drill) > 1 else f"{pad.drill[0]:g}"
        kind = "thru_hole" if pad.number else "np_thru_hole"
        on = f' (net {numbers[net]} "{net}")' if net else ""
        lines.append(
            f'(pad "{pad.number}" {kind} {pad.shape} (at {pad.x:g} {flip * pad.y:g} {part.turn}) '
            f'(size {pad.width:g} {pad.height:g}) (drill {drill}) (layers "*.Cu" "*.Mask"){on} '
            f"(tstamp {_id(part.ref, number)}))"
        )
    return "\n".join(filter(None, lines)) + ")"


def _words(text: str, x: float, y: float, *, back: bool = False) -> str:
    layer, mirror = ("B.SilkS", " (justify mirror)") if back else ("F.SilkS", "")
    return text and (
        f'(gr_text "{text}" (at {_at(x, y)}) (layer "{layer}") (tstamp {_id("words", x, y)}) '
        f"(effects (font (size 0.8 0.8) (thickness 0.12)){mirror}))"
    )


def _track(track: Track, net: int, number: int) -> str:
    if track.side is None:
        return (
            f'(via (at {_at(*track.start)}) (size {VIA}) (drill {DRILL}) (layers "F.Cu" "B.Cu") (net {net}) '
            f"(tstamp {_id('via', number)}))"
        )
    return (
        f"(segment (start {_at(*track.start)}) (end {_at(*track.end)}) (width {width(track.net)}) "
        f'(layer "{"B.Cu" if track.side else "F.Cu"}") (net {net}) (tstamp {_id("track", number)}))'
    )


# -- the schematic


def schematic(parts: Sequence[Part]) -> str:
    """Return the schematic as a .kicad_sch: a symbol a part, and a label on every pin that is used."""
    sheet, library, drawn = _id("sheet"), [], []
    x, y = 50.8, 38.1
    for part in parts:
        numbers = list(dict.fromkeys(pad.number for pad in part.kind.pads if pad.number))
        if not numbers:
            continue
        if y + 2.54 * len(numbers) > 270:
            x, y = x + 76.2, 38.1
        library.append(_library(part, numbers))
        drawn += [_symbol(part, numbers, x, y, sheet)]
        for row, number in enumerate(numbers):
            at, id_ = f"{x - 5.08:g} {y + 2.54 * row:g}", _id("end", part.ref, number)
            net = (
                f'global_label "{part.nets.get(number, "")}" (shape passive) (at {at} 180) (effects (justify right))'
            )
            drawn.append(f"({net if part.nets.get(number) else f'no_connect (at {at})'} (uuid {id_}))")
        y += 2.54 * len(numbers) + 10.16
    head = f'(kicad_sch (version 20230121) (generator "electronic-referee") (uuid {sheet}) (paper "A3")'
    return "\n".join([head, "(lib_symbols", *library, ")", *drawn, '(sheet_instances (path "/" (page "1"))))', ""])


def _library(part: Part, numbers: Sequence[str]) -> str:
    pins = "\n".join(
        f'(pin {_type(part, number)} line (at -5.08 {-2.54 * row:g} 0) (length 2.54) (name "~") (number "{number}"))'
        for row, number in enumerate(numbers)
    )
    return (
        f'(symbol "referee:{part.ref}" (in_bom yes) (on_board yes) '
        f'(property "Reference" "{part.ref.rstrip("0123456789")}" (at 0 0 0)) (property "Value" "" (at 0 0 0)) '
        f'(symbol "{part.ref}_0_1" (rectangle (start -2.54 2.54) (end 7.62 {-2.54 * len(numbers):g}) '
        f"(stroke (width 0.2) (type default)) (fill (type none))) {pins}))"
    )


def _type(part: Part, number: str) -> str:
    """Return what a pin is to the electrical rules: the Pi supplies the others, each supply from one of its pins."""
    net = part.nets.get(number)
    if net not in (V3, V5, GND):
        return "passive"
    if part.kind is not SOCKET:
        return "power_in"
    return "power_out" if number == next(pin for pin, each in part.nets.items() if each == net) else "passive"


def _symbol(part: Part, numbers: Iterable[str], x: float, y: float, sheet: str) -> str:
    texts = (("Reference", part.ref, -2.54, ""), ("Value", part.kind.value, 5.08, ""))
    lines = [
        f'(symbol (lib_id "referee:{part.ref}") (at {x:g} {y:g} 0) (unit 1) (in_bom yes) (on_board yes)',
        f"(uuid {_id('symbol', part.ref)})",
        *(
            f'(property "{name}" "{text}" (at {x + right:g} {y - 3.81:g} 0) (effects (justify left){hide}))'
            for name, text, right, hide in (*texts, ("Footprint", part.kind.footprint, 0, " hide"))
        ),
        *(f'(pin "{number}" (uuid {_id("pin", part.ref, number)}))' for number in numbers),
        f'(instances (project "{NAME}" (path "/{sheet}" (reference "{part.ref}") (unit 1)))))',
    ]
    return "\n".join(lines)


# -- what goes with them


def project() -> str:
    """Return the project with its rules, as a .kicad_pro."""
    rules = {
        "min_clearance": 0.15, "min_track_width": 0.2, "min_via_diameter": VIA, "min_through_hole_diameter": DRILL,
        "min_hole_to_hole": 0.25, "min_copper_edge_clearance": EDGE - 0.1, "min_hole_clearance": 0.2,
        "min_via_annular_width": 0.13, "min_resolved_spokes": 1,
    }  # fmt: skip
    netclass = {
        "name": "Default", "clearance": 0.15, "track_width": 0.25, "via_diameter": VIA, "via_drill": DRILL,
    }  # fmt: skip
    # Symbols and footprints are in the files themselves, drawn by this program; no library has them.
    ignored = {"lib_footprint_issues": "ignore", "lib_footprint_mismatch": "ignore"}
    value = {
        "board": {"design_settings": {"rules": rules, "rule_severities": ignored}},
        "erc": {"rule_severities": {"lib_symbol_issues": "ignore", "footprint_link_issues": "ignore"}},
        "net_settings": {"classes": [netclass], "meta": {"version": 3}},
        "meta": {"filename": f"{NAME}.kicad_pro", "version": 1},
    }
    return json.dumps(value, indent=2) + "\n"


def orders(parts: Iterable[Part]) -> str:
    """Return what is to be ordered, with two sources each, as CSV."""
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(("count", "part", "on the board", "one source", "another", "footprint"))
    bought = sorted((part for part in parts if part.kind.value), key=lambda part: part.kind.value)
    for _, each in groupby(bought, key=lambda part: part.kind.value):
        same = list(each)
        kind = same[0].kind
        writer.writerow((len(same), kind.value, " ".join(part.ref for part in same), *kind.order, kind.footprint))
    return table.getvalue()
