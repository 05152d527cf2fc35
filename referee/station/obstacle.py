"""What keeps a station from starting, for people who have nothing but a glass."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Final, TypeAlias

from PIL import Image

from hardware.errors import (
    BadPinMap,
    BoxNotFound,
    DisplayMissing,
    HardwareError,
    PinsBusy,
    PinsForbidden,
    UnknownBoard,
    WrongChip,
)
from hardware.pins import Pins
from referee.console.drawing.screens import draw, fitting_size, legible, problems
from referee.console.views import Refusal
from referee.errors import ConfigError, RefereeError
from referee.files.plain import plain

_logger = logging.getLogger(__name__)

Leave: TypeAlias = Callable[[Pins, Callable[[tuple[int, int]], Image.Image]], None]
"""Leaves on the glass what is drawn for its size; see `hardware.box.leave_picture`."""

AGAIN: Final = "Retrying"
"""What the box does after it has told why it does not start; for wrong settings it waits until it is restarted."""

_PIN: Final = re.compile(r"GPIO \d+ \([\w-]+\)")
_LINE: Final = re.compile(r"^[^:]*:(\d+): |\(at line (\d+), column \d+\)")
_FOLDERS: Final = re.compile(r"^[^:]*:\d+: |^[^:]*/(?=[^/:]+:)|; got .*$| ?\(at line \d+, column \d+\)", re.DOTALL)
"""What of a fault of the settings the glass has no room for."""

_BOX: Final[tuple[tuple[type[HardwareError], str, str], ...]] = (
    (PinsBusy, "Pin in use", "{pin} is used by another program. Stop it."),
    (WrongChip, "Wrong pins", "{pin}: this is not a Raspberry Pi header."),
    (UnknownBoard, "Which board?", "The board does not say which Raspberry Pi it is."),
    (PinsForbidden, "Pins refused", "No permission: add the service's user to group gpio."),
    (DisplayMissing, "No display", "It does not answer. Check its wires."),
    (BoxNotFound, "No pins", "The pins cannot be used. See journalctl."),
)
"""What is wrong with a box, the first that fits: a title, and what to do."""


def obstacle(error: BaseException) -> Refusal:
    """Return what is on the glass after a start that ended with an error; all of it fits."""
    chain = _chain(error)
    settings = next((each for each in chain if isinstance(each, (ConfigError, BadPinMap))), None)
    if settings is not None:
        line, expected = parted(str(settings))
        return _fitting(Refusal(f"Settings, line {line}" if line else "Settings wrong", expected))
    box = next((each for each in chain if isinstance(each, BoxNotFound)), None)
    if box is not None:
        title, text = next((title, text) for kind, title, text in _BOX if isinstance(box, kind))
        pin = _PIN.search(str(box))
        return _fitting(Refusal(title, text.format(pin=pin[0] if pin else "GPIO"), hint=AGAIN))
    if isinstance(error, RefereeError):
        return _fitting(Refusal("Cannot start", str(error), hint=AGAIN))
    return _fitting(Refusal("Program fault", f"{type(error).__name__}: {error}", hint=AGAIN))


def parted(fault: str) -> tuple[str, str]:
    """Return the line of a fault in a file of settings, "" if it has none, and what was expected there.

    >>> parted("/etc/referee/referee.toml:3: table.dice: expected a rule; got 1")
    ('3', 'table.dice: expected a rule')
    """
    line = _LINE.search(fault)
    return (line[1] or line[2]) if line else "", _FOLDERS.sub("", fault)


def leave_word(error: Exception, pins: Pins, leave: Leave) -> None:
    """Leave on the glass why the station ends."""
    view = obstacle(error)
    try:
        leave(pins, lambda size: draw(view, fitting_size(size))[0])
    except HardwareError as fault:
        if str(fault) not in str(error):
            _logger.error("the glass cannot say so: %s", fault)


def _chain(error: BaseException | None) -> list[BaseException]:
    chain = []
    while error is not None:
        chain.append(error)
        error = error.__cause__
    return chain


def _fitting(view: Refusal) -> Refusal:
    """Return a view that the glass can show; of a text that is too long, its beginning."""
    text = legible(" ".join(plain(view.text).split()))
    words = text.split(" ")
    for count in range(len(words), 0, -1):
        shorter = Refusal(view.title, " ".join(words[:count]) + (" …" if count < len(words) else ""), hint=view.hint)
        if not problems(shorter):
            return shorter
    return Refusal(view.title, "See journalctl.", hint=view.hint)
