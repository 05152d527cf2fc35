"""Dice on a cable that restart at any byte while the port stays open: no throw is lost in silence, none doubled."""

from __future__ import annotations

import random

import pytest

from hardware.events import Doubt, Thrown
from hardware.line.presence import Connected
from hardware.line.serial_dice import DiceTalk
from tests.hardware.line.test_serial_dice import checked


class Peer:
    """Dice that number their throws, or do not; with `alike` all throws show the same."""

    def __init__(self, kind: str, seed: int, *, alike: bool) -> None:
        self._kind = kind
        self._chance = random.Random(0 if alike else seed)
        self._alike = alike
        self._number = 0

    def throw(self) -> tuple[int, bytes]:
        """Return what one throw shows, and the bytes that tell it."""
        face = 5 if self._alike else self._chance.randint(1, 6)
        number, self._number = self._number, self._number + 1
        if self._kind == "faces":
            return face, b"%d A7\n" % face
        rolling = [f"{number} rolling"] if self._kind == "rolling" else []
        return face, checked(*rolling, f"{number} A7={face}/990 B2=4/1000")

    def restart(self) -> None:
        self._number = 0


class Line:
    """What the station hears of them, byte by byte, in virtual time."""

    def __init__(self) -> None:
        self.heard: list[object] = []
        self._dice = DiceTalk(self.heard.append, self.heard.append, {"A7"}.__contains__)
        self._now = 0.0
        self._dice.opened(0.0)

    def send(self, data: bytes) -> None:
        for byte in data:
            self._now += 0.0001
            self._dice.received(bytes([byte]), self._now)

    def rest(self, seconds: float) -> None:
        self._now += seconds
        self._dice.due(self._now)

    @property
    def told(self) -> list[int | None]:
        """What each throw that was told begins with, certain or in doubt."""
        return [event.dice[0].face for event in self.heard if isinstance(event, (Thrown, Doubt))]

    @property
    def doubted(self) -> bool:
        return any(not isinstance(event, (Thrown, Connected)) for event in self.heard)


@pytest.mark.parametrize("alike", [False, True], ids=["any", "alike"])
@pytest.mark.parametrize("banner", [b"", b"boot\r\n", b"\r\n\xffrst:0x1 (POWERON)\n"])
@pytest.mark.parametrize("kind", ["rolling", "numbered", "faces"])
@pytest.mark.parametrize("pause", [0.6, 2.0])
def test_dice_that_restart_at_any_byte_lose_and_double_nothing(
    kind: str, banner: bytes, alike: bool, pause: float
) -> None:
    """P2: each throw of which a byte was sent is told once and in order, or that one is missing is told."""
    for before in (0, 2, 11):
        cut = 0
        while True:
            peer, line, thrown = Peer(kind, before, alike=alike), Line(), []
            for number in range(before + 4):
                face, data = peer.throw()
                sent = data[:cut] if number == before else data
                thrown += [face] if sent else []
                line.send(sent)
                if number == before:
                    whole = cut > len(data)
                    peer.restart()
                    line.rest(pause)
                    line.send(banner)
                    line.rest(pause)
                else:
                    line.rest(2.0)
            line.rest(11.0)
            lost = len(thrown) - len(line.told)
            where = (before, cut, line.heard)
            # Half a line and what follows at once are one line that cannot be read.
            assert line.told == (thrown[:before] + thrown[before + lost :] if lost else thrown), where
            assert 0 <= lost <= 2, where
            assert line.doubted or not lost, where
            if whole:
                break
            cut += 1
