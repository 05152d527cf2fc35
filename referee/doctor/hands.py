"""The part of the examination that needs hands and eyes: keys, lamps, knob, buzzer and glass."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from gpiozero.exc import GPIOZeroError
from PIL import Image, ImageDraw

from hardware.box import Box
from hardware.errors import HardwareError
from hardware.events import Chatter, Edge, InputEvent, Press
from hardware.glass.panels import SH1106_OFFSET
from hardware.keys.debounce import Debouncer
from hardware.keys.quadrature import ENCODER
from hardware.pins import Pins
from hardware.ports import Display
from referee.console.drawing.screens import SIZES, SMALL, draw
from referee.console.sounds import RHYTHMS
from referee.console.views import Notice
from referee.doctor import contacts
from referee.doctor.findings import Finding, fail, ok, warn

PATIENCE = 20.0
"""Seconds to wait for somebody to do what was asked."""

QUIET = 0.25
"""Seconds without an event after which a push is over."""

LONGEST_PUSH = 5.0
WATCH = 1.0
"""Seconds in which nobody touches the box."""

LOOK = 0.5
"""Seconds a lamp is lit where nobody is asked about it."""

PAUSE = 3.0
"""Seconds without a press after which somebody who was to press often has finished."""

DETENTS = 4
TIMES = 20
"""Presses of each key, and detents of the knob, where they are counted."""
FAULTS = (HardwareError, GPIOZeroError, OSError)


class Guide(Protocol):
    """Tells whoever sits at the box what to do."""

    def ask(self, what: str, text: str) -> None:
        """Ask for a key by name, "nothing", "clockwise", "counterclockwise", or "yes": a question."""


class Teller:
    """Says it on stderr, so that stdout holds nothing but findings, and on the glass where there is one."""

    def __init__(self, display: Display | None) -> None:
        self._display = display

    def ask(self, what: str, text: str) -> None:
        """See `Guide`."""
        print(f"  -> {text}", file=sys.stderr, flush=True)  # noqa: T201
        if self._display is None or what == "yes":  # what is asked about may be the glass itself
            return
        size = self._display.size if self._display.size in SIZES else SMALL
        try:
            self._display.show(draw(Notice("Doctor", text), size)[0])
        except HardwareError:
            self._display = None  # the checks have said so already


class Ear:
    """Events of the inputs in the order they came."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.queue: queue.SimpleQueue[InputEvent] = queue.SimpleQueue()

    def next(self, until: float) -> InputEvent | None:
        """Wait for the next event until a time; None if none came."""
        try:
            return self.queue.get(timeout=max(0.0, until - self.clock()))
        except queue.Empty:
            return None

    def watch(self, seconds: float) -> list[InputEvent]:
        """Return all that comes within so many seconds."""
        until = self.clock() + seconds
        events = []
        while (event := self.next(until)) is not None:
            events.append(event)
        return events

    def push(self, patience: float) -> list[InputEvent]:
        """Return all that comes from the first event on until the box is left alone again; nothing after patience."""
        first = self.next(self.clock() + patience)
        if first is None:
            return []
        events, down = [first], _down((), first)
        end = self.clock() + LONGEST_PUSH
        while (event := self.next(end if down else min(end, self.clock() + QUIET))) is not None:
            events.append(event)
            down = _down(down, event)
        return events


def _down(down: Sequence[str], event: InputEvent) -> tuple[str, ...]:
    if not isinstance(event, Edge):
        return tuple(down)
    return (*(line for line in down if line != event.line), *([event.line] if event.level else []))


class Hands:
    """Examines an open box with somebody's help (``asking``), or shows everything once without any."""

    def __init__(
        self,
        box: Box,
        pins: Pins,
        ear: Ear,
        guide: Guide,
        *,
        asking: bool,
        counting: bool = False,
    ) -> None:
        """``counting``: each key is pressed `TIMES`, too, and the presses are counted as the box counts them."""
        self._counting = counting
        self._box = box
        self._pins = pins
        self._ear = ear
        self._guide = guide
        self._asking = asking
        self._dead: set[str] = set()

    def examine(self) -> Iterator[Finding]:
        """Yield what is found, part by part. The box stays open."""
        try:
            self._box.inputs.open(self._ear.queue.put)
        except FAULTS as error:
            yield fail("keys", f"the inputs cannot be opened: {error}", "see gpio and gpio-lines above")
            self._dead.update(self._pins.keys)
        else:
            yield from self._untouched()
            if self._asking:
                yield from self._keys()
                if self._counting:
                    yield from self._presses()
                if ENCODER not in self._dead:
                    yield self._knob()
        yield from self._lamps()
        yield from self._buzzer()
        yield from self._glass()

    # -- inputs

    def _untouched(self) -> Iterator[Finding]:
        """Look for contacts that are closed, or move, while nobody touches them."""
        self._guide.ask("nothing", "Do not touch the box")
        before = self._ear.watch(WATCH)  # what moves now may still be a hand, but no hand chatters
        events = self._ear.watch(WATCH)
        for line, pin in self._pins.keys.items():
            edges = [event for event in events if isinstance(event, Edge) and event.line == line]
            if self._box.inputs.level(line):
                self._dead.add(line)
                yield contacts.stuck(line, pin)
            elif edges:
                self._dead.add(line)
                yield contacts.restless(line, pin, edges)
        knob = contacts.restless_knob([*(event for event in before if isinstance(event, Chatter)), *events])
        if knob is not None:
            self._dead.add(ENCODER)
            yield knob
        if not self._dead:
            yield ok("keys", "no contact closes or changes while nobody touches the box")

    def _keys(self) -> Iterator[Finding]:
        for line, pin in self._pins.keys.items():
            if line in self._dead:
                continue
            lamp = line if line in self._box.lamps.names else None
            self._light(lamp, lit=True)
            self._guide.ask(line, f"Press {name(line)}{', the one that is lit' if lamp else ''}")
            findings = contacts.key(line, pin, self._ear.push(PATIENCE))
            if not findings:
                findings = [contacts.silent(line, pin, closed=self._box.inputs.level(line))]
            if any(finding.level == "fail" for finding in findings):
                self._dead.add(line)
            self._light(lamp, lit=False)
            yield from findings

    def _presses(self) -> Iterator[Finding]:
        for line, pin in self._pins.keys.items():
            if line in self._dead:
                continue
            self._guide.ask(f"{TIMES} {line}", f"Press {name(line)} {TIMES} times, as fast as you like")
            presses = self._pressed(line)
            text = f"{presses} of {TIMES} presses of {name(line)} counted"
            todo = f"try again; if presses are lost, check its solder joints and the wire to GPIO {pin}"
            yield ok(f"presses {line}", text) if presses == TIMES else warn(f"presses {line}", text, todo)

    def _pressed(self, line: str) -> int:
        """Return how often a key was pressed until it was left alone."""
        debouncer = Debouncer()
        presses = 0
        while events := self._ear.push(PATIENCE if not presses else PAUSE):
            for event in events:
                if isinstance(event, Edge) and event.line == line:
                    counted = [*debouncer.due(event.at), *debouncer.feed(event)]
                    presses += sum(isinstance(each, Press) for each in counted)
            if presses >= TIMES:
                break
        return presses

    def _knob(self) -> Finding:
        detents = TIMES if self._counting else DETENTS
        self._guide.ask("clockwise", f"Turn the knob clockwise by {detents} clicks")
        clockwise = self._ear.push(PATIENCE)
        self._guide.ask("counterclockwise", f"Turn it back by {detents} clicks")
        return contacts.knob(self._pins, detents, clockwise, self._ear.push(PATIENCE))

    # -- outputs

    def _lamps(self) -> Iterator[Finding]:
        for lamp in self._box.lamps.names:
            pin = self._pins.lamps[lamp]
            yield self._shown(
                f"lamp {lamp}",
                f"the lamp of {name(lamp)}",
                partial(self._switch, lamp, lit=True),
                f"check the lamp's polarity, its resistor and transistor, and the wire to GPIO {pin}",
            )
            self._light(lamp, lit=False)

    def _buzzer(self) -> Iterator[Finding]:
        yield self._shown(
            "buzzer",
            "the buzzer",
            lambda: self._box.buzzer.play(RHYTHMS["change"]),
            f"check its polarity, its transistor and GPIO {self._pins.buzzer}; it must be an active buzzer",
        )

    def _glass(self) -> Iterator[Finding]:
        size, wiring = self._box.display.size, self._pins.display
        todo = "check the display's wires; dead pixels or lines mean a broken module"
        lit = self._shown(
            "glass", "every pixel of the glass", lambda: self._box.display.show(Image.new("1", size, 1)), todo
        )
        yield lit
        if lit.level == "fail":
            return
        todo = "check controller and rotate under [display] in the pin map"
        if wiring.controller == "sh1106":
            other = 0 if wiring.column_offset else SH1106_OFFSET
            todo = f"if its left or right side is missing, set column_offset = {other} under [display] in the pin map"
        what = "a frame that touches all four edges of the glass"
        yield self._shown("frame", what, lambda: self._box.display.show(frame(size)), todo)

    def _shown(self, part: str, what: str, switch: Callable[[], None], todo: str) -> Finding:
        """Switch something on, and ask whether it can be seen or heard."""
        try:
            switch()
        except FAULTS as error:
            return fail(part, f"{what} cannot be switched: {error}", todo)
        if not self._asking or {"select", "back"} & self._dead:
            self._ear.watch(LOOK)
            return ok(part, f"{what} was switched on, but nobody was asked")
        return self._confirmed(part, what, todo)

    def _confirmed(self, part: str, what: str, todo: str) -> Finding:
        verb = "Do you hear" if part == "buzzer" else "Do you see"
        answer = self._answer(f"{verb} {what}?")
        if answer is None:
            return warn(part, f"{what} was switched on, but nobody confirmed that it works", "run the doctor again")
        return ok(part, f"{what} works") if answer else fail(part, f"{what} was not seen or heard", todo)

    def _answer(self, question: str) -> bool | None:
        """Return what somebody says to a question; None: nothing."""
        self._guide.ask("yes", f"{question} Select: yes. Back: no")
        for event in self._ear.push(PATIENCE):
            if isinstance(event, Edge) and event.line in ("select", "back"):
                return event.line == "select"
        return None

    def _light(self, lamp: str | None, *, lit: bool) -> None:
        """Switch a lamp; one that cannot be switched is found out by `_lamps`."""
        if lamp is not None:
            try:
                self._switch(lamp, lit=lit)
            except FAULTS:
                return

    def _switch(self, lamp: str, *, lit: bool) -> None:
        self._box.lamps.set(lamp, "on" if lit else "off")


def frame(size: tuple[int, int]) -> Image.Image:
    """Return a frame along the edges of a glass."""
    image = Image.new("1", size)
    ImageDraw.Draw(image).rectangle((0, 0, size[0] - 1, size[1] - 1), outline=1)
    return image


def name(line: str) -> str:
    """Return what a player calls a key."""
    kind, _, number = line.partition("-")
    if kind == "die":
        return f"die key {number}"
    if kind == "seat":
        return f"the button of seat {number}"
    return {"select": "the knob (Select)", "back": "Back"}.get(line, line)
