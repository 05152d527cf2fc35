"""The few things a box is made of. Every back end of a port passes the same contract test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from hardware.events import DiceEvent, InputEvent

if TYPE_CHECKING:
    from PIL import Image

Area: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are the first ones outside, as in Pillow."""

Sink: TypeAlias = Callable[[InputEvent], None]
"""Takes input events on the thread that saw them; it should only put them into a queue."""

LampState: TypeAlias = Literal["off", "on", "blink"]
LAMP_STATES: tuple[LampState, ...] = ("off", "on", "blink")


@runtime_checkable
class Inputs(Protocol):
    """Keys and encoder."""

    def open(self, sink: Sink) -> None:
        """Start reporting. A key that is already down is reported as an edge at once.

        An exception of `sink` is logged and concerns that one event only.
        """

    def level(self, line: str) -> bool:
        """Whether the contact of `line` is closed now. Raises UnknownLine."""

    def close(self) -> None:
        """Stop reporting and give back all lines together; may be called twice."""


class DiceSource(Protocol):
    """Self-reading dice, as their reader reports them."""

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Start reporting; `sink` as for `Inputs`. Each throw is reported once, and none is left out in silence."""

    def close(self) -> None:
        """Stop reporting; may be called twice."""


class Display(Protocol):
    """A 1-bit glass."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def show(self, image: Image.Image, first: Sequence[Area] = ()) -> None:
        """Put `image` (mode "1", of the display's size) on the glass.

        Of the areas `first` the first one that changed goes before the rest, then what lies nearest to it.

        Raises BadImage (nothing was sent) or DisplayLost (the next call starts from scratch).
        """

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255. Raises BadImage or DisplayLost."""

    def renew(self) -> None:
        """Let the next picture begin from scratch, in case the display lost its power unnoticed."""

    def close(self) -> None:
        """Leave the glass dark; may be called twice, and tolerates a missing display."""


@runtime_checkable
class Lamps(Protocol):
    """The lamps of the seats, named as their keys."""

    @property
    def names(self) -> tuple[str, ...]:
        """The lamps this box has."""

    def set(self, name: str, state: LampState) -> None:
        """Switch a lamp. Raises UnknownLine or BadPattern."""

    def close(self) -> None:
        """Leave all lamps dark; may be called twice."""


class Buzzer(Protocol):
    """One sounder without pitch."""

    def play(self, pattern: Sequence[int]) -> None:
        """Sound `pattern`, milliseconds on, off, on, ... in place of what sounds now; () is silence.

        Raises BadPattern.
        """

    def close(self) -> None:
        """Be silent for good; may be called twice."""
