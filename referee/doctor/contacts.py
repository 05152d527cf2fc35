"""What the raw edges of one push say about a contact. Pure: events in, findings out.

Whether a push counts once is not judged here a second time: the edges go through `hardware.keys.debounce`, as in
play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.events import Chatter, Edge, InputEvent, Press, Turn
from hardware.keys.debounce import Keys
from hardware.keys.quadrature import ENCODER, ENCODER_LINES, KNOB
from hardware.pins import DETENTS_PER_CYCLE, Pins
from referee.doctor.findings import Finding, fail, ok, warn

APART = 0.020
"""Seconds without an edge after which a contact has stopped bouncing: four times what a good key needs."""

FAIR_BOUNCE = 0.005
"""Seconds a good tact switch bounces at most."""

MOST_EDGES = 60
"""Edges of one push; a key that bounces badly makes 20 as it closes and 20 as it opens."""

SHOWN_EDGES = 12

QUIET_WIRES = (
    "look for a loose wire at the encoder's A, B and GND; keep them away from the buzzer's; long ones want 10 kOhm "
    "to 3.3 V each"
)


@dataclass(frozen=True)
class Bounce:
    """One push: number of edges, and for how many seconds the contact bounced as it closed and as it opened."""

    edges: int
    closing: float
    opening: float
    trace: str


def bounce(edges: Sequence[Edge]) -> Bounce:
    """Measure the edges of one line, in order of time. ``trace`` shows them: ms since the first, + closed, - open."""
    bursts: list[list[Edge]] = []
    for edge in edges:
        if bursts and edge.at - bursts[-1][-1].at < APART:
            bursts[-1].append(edge)
        else:
            bursts.append([edge])
    spans = [(burst[-1].level, burst[-1].at - burst[0].at) for burst in bursts]
    closing = max((span for level, span in spans if level), default=0.0)
    opening = max((span for level, span in spans if not level), default=0.0)
    shown = [f"{'+' if edge.level else '-'}{(edge.at - edges[0].at) * 1000:.1f}" for edge in edges[:SHOWN_EDGES]]
    more = [f"and {len(edges) - SHOWN_EDGES} more"] if len(edges) > SHOWN_EDGES else []
    return Bounce(len(edges), closing, opening, " ".join([*shown, *more]))


def key(line: str, pin: int, events: Sequence[InputEvent]) -> list[Finding]:
    """Judge the push of a key that was asked for. Empty: nothing came at all, which the caller knows more about."""
    edges = [event for event in events if isinstance(event, Edge) and event.line == line]
    others = sorted({event.line for event in events if isinstance(event, Edge) and event.line != line})
    if not edges:
        return [_swapped(line, pin, others)] if others else []
    findings = [_contact(line, pin, edges)]
    if others:
        findings.append(
            fail(
                f"key {line}",
                f"{', '.join(others)} moved together with {line}",
                f"look for wires or solder that connect {line} (GPIO {pin}) and {', '.join(others)}",
            )
        )
    return findings


def silent(line: str, pin: int, *, closed: bool) -> Finding:
    """Return what to say of a key from which nothing came."""
    if closed:
        return stuck(line, pin)
    return fail(
        f"key {line}",
        f"nothing came from {line}",
        f"check the wire from GPIO {pin} to the key, the key's other leg to GND, and that the key is the right way "
        "round (a tact switch turned by 90 degrees is always closed or always open)",
    )


def stuck(line: str, pin: int) -> Finding:
    """Return what to say of a contact that is closed though nobody touches it."""
    return fail(
        f"key {line}",
        f"{line} is closed all the time",
        f"free the cap; if that fails, disconnect the wire from GPIO {pin}: still closed means a short on the Pi",
    )


def restless(line: str, pin: int, edges: Sequence[Edge]) -> Finding:
    """Return what to say of a contact that moves though nobody touches it."""
    seen = bounce(edges)
    return fail(
        f"key {line}",
        f"{line} opens and closes by itself: {seen.edges} edges, {seen.trace}",
        f"look for a loose wire at GPIO {pin}; keep it away from the buzzer's; if it is long, add 10 kOhm to 3.3 V",
    )


def _swapped(line: str, pin: int, others: list[str]) -> Finding:
    return fail(
        f"key {line}",
        f"{line} was asked for, but {', '.join(others)} answered",
        f"if the right key was pressed, its wire must go to GPIO {pin}, or the pin map must be changed",
    )


def _contact(line: str, pin: int, edges: Sequence[Edge]) -> Finding:
    seen = bounce(edges)
    part = f"key {line}"
    measured = (
        f"{line}: {seen.edges} edges, bounced {seen.closing * 1000:.1f} ms closing and "
        f"{seen.opening * 1000:.1f} ms opening [{seen.trace}]"
    )
    keys = Keys()
    events = [event for edge in edges for event in (*keys.due(edge.at), *keys.feed(edge))]
    presses = sum(isinstance(event, Press) for event in events)
    replace = f"replace the key at GPIO {pin}; clean or solder its legs again first"
    if seen.edges > MOST_EDGES:
        return fail(part, f"{measured}: the contact chatters", replace)
    if edges[-1].level:
        return fail(part, f"{measured}: it did not open again", f"free the cap of {line}")
    if presses > 1:
        return fail(part, f"{measured}: one press counts as {presses}", replace)
    if max(seen.closing, seen.opening) > FAIR_BOUNCE:
        return warn(part, f"{measured}: more than a good key", replace)
    return ok(part, measured)


def knob(pins: Pins, detents: int, clockwise: Sequence[InputEvent], back: Sequence[InputEvent]) -> Finding:
    """Judge so many detents clockwise and as many back."""
    forth, there = (sum(event.steps for event in events if isinstance(event, Turn)) for events in (clockwise, back))
    counted = f"{detents} detents clockwise and back were counted as {forth} and {there}"
    faults = [event.key for event in (*clockwise, *back) if isinstance(event, Chatter) and event.key in KNOB]
    alone = next((fault for fault in faults if fault in ENCODER_LINES), None)
    if alone is not None:
        still, wire = (("B", pins.encoder[1]), ("A", pins.encoder[0]))[ENCODER_LINES.index(alone)]
        return fail(
            ENCODER, f"{still} of the encoder does not move", f"check its wire from GPIO {wire} to the encoder"
        )
    if faults:
        return fail(ENCODER, f"{counted}, and its contacts move by themselves", QUIET_WIRES)
    if (forth, there) == (detents, -detents):
        return ok(ENCODER, counted)
    if forth == there == 0:
        return fail(ENCODER, counted, "check the encoder's A, B and the pin between them, which goes to GND")
    if forth == -there:
        true = abs(pins.detents_per_cycle * detents / forth)
        if forth < 0 and abs(forth) == detents:
            todo = "swap a and b under [encoder] in the pin map, or their wires"
            return fail(ENCODER, counted, todo)
        if true != pins.detents_per_cycle and true in DETENTS_PER_CYCLE:
            todo = f"set detents_per_cycle = {true:.0f} under [encoder] in the pin map"
            return fail(ENCODER, counted, todo)
    if forth * there > 0:
        return fail(ENCODER, counted, "look for wires or solder that connect A and B of the encoder")
    return warn(ENCODER, counted, "turn slowly and try again; if this persists, check the wires of A and B")


def restless_knob(events: Sequence[InputEvent]) -> Finding | None:
    """Return what to say of an encoder that moves though nobody touches it, None if it does not."""
    if any(isinstance(event, Turn) or (isinstance(event, Chatter) and event.key in KNOB) for event in events):
        return fail(ENCODER, "the encoder's contacts move by themselves", QUIET_WIRES)
    return None
