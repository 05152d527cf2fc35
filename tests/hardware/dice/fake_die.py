"""A die that exists as bytes only: what it says and answers, as the firmware of the two makes does. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from hardware.dice import godice, pixels


class FakeDie:
    """A die on the table. ``asleep``: it does not advertise, and neither does it while it is ``held`` by a phone.

    ``notify``: takes what it says while somebody is connected and listens; None: nobody is.
    """

    def __init__(self, address: str, kind: Literal["pixels", "godice"] = "pixels", *, percent: int = 80) -> None:
        self.address = address
        self.kind = kind
        self.percent = percent
        self.asleep = self.held = False
        self.certainty = 998
        self.face = 1
        self.written: list[bytes] = []
        self.notify: Callable[[bytes], None] | None = None

    @property
    def label(self) -> str:
        """The name it advertises."""
        return "Pixel" if self.kind == "pixels" else "GoDice_ABC"

    @property
    def manufacturer(self) -> dict[int, bytes]:
        """What it advertises, by company."""
        data = bytes((6, 0x21, 1, self.face - 1, self.percent))
        return {pixels.COMPANY: data} if self.kind == "pixels" else {}

    @property
    def uuids(self) -> tuple[str, str, str]:
        """Service, characteristic to notify and to write."""
        if self.kind == "pixels":
            return pixels.SERVICE, pixels.NOTIFY, pixels.WRITE
        return godice.SERVICE, godice.NOTIFY, godice.WRITE

    @property
    def reachable(self) -> bool:
        """Whether it advertises."""
        return not (self.asleep or self.held)

    def say(self, data: bytes) -> None:
        """Notify whoever is connected, if somebody is."""
        if self.notify is not None:
            self.notify(data)

    def take(self, data: bytes) -> None:
        """Answer what was written as the firmware does."""
        self.written.append(data)
        if self.kind == "pixels" and data == b"\x17":
            self.say(bytes((3, 5, self.face - 1)))
        elif self.kind == "pixels" and data[:1] == b"\x1a":
            level = self.certainty.to_bytes(4, "little")
            self.say(b"\x04" + bytes(6) + level + bytes(4) + bytes((1, self.face - 1)))
        elif data == b"\x21":
            self.say(bytes((0x22, self.percent, 0)))
        elif data == b"\x03":
            self.say(b"Bat" + bytes((self.percent,)))

    def roll(self) -> None:
        """Begin to roll."""
        self.say(b"\x03\x03\x00" if self.kind == "pixels" else b"R")

    def land(self, face: int) -> None:
        """Lie still; without a roll before it was turned over."""
        self.face = face
        x, y, z = (64 * each for each in godice._AXES[face])
        stable = b"S" + bytes((x % 256, y % 256, z % 256))
        self.say(bytes((3, 1, face - 1)) if self.kind == "pixels" else stable)

    def lean(self) -> None:
        """Lie on something."""
        self.say(b"\x03\x04\x00" if self.kind == "pixels" else b"TS\x20\x20\x20")
