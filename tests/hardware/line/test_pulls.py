"""Pulled cables, reboots and noise on the line: no press is lost or doubled unnoticed. Same seed, same run."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hardware.line.wire import DATA, GAP, GONE, Event, Link

TROUBLES = 50
"""Between two judgements."""
ROUNDS = 100


def mutate(chance: Random, frame: bytes) -> bytes:
    """Change a frame as a line does that fails."""
    data, at, length = bytearray(frame), chance.randrange(len(frame)), chance.randint(1, 8)
    match chance.randrange(4):
        case 0:
            data[at] ^= chance.randint(1, 255)
        case 1:
            data[at : at + length] = chance.randbytes(length)
        case 2:
            del data[at : at + length]
        case _:
            data[at:at] = data[at : at + length]
    return bytes(data)


@dataclass
class End:
    """One end through all its restarts: what it sent, and what its application was told.

    ``accepted``: the runs of both ends, as each press was accepted; presses are numbered from 1.
    """

    link: Link
    told: list[tuple[str, int]] = field(default_factory=list)
    accepted: dict[int, tuple[int, int]] = field(default_factory=dict)
    presses: int = 0
    runs: int = 1
    alive: bool = True

    def tell(self, events: list[Event]) -> None:
        """Note the number of a press, how many are missing, or -1 where nobody knows that."""
        for event in events:
            count = -1 if event.count is None else event.count
            self.told.append((event.kind, int(event.text) if event.kind == DATA else count))

    @property
    def pair(self) -> tuple[int, int]:
        return self.link.me, self.link.peer

    def send(self, now: int) -> None:
        self.presses += 1
        if self.alive and self.link.send(str(self.presses), now):
            self.accepted[self.presses] = self.pair


class World:
    """A host, a board, the cable between them, and a virtual clock in ms."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.now = 0
        self.ends = self.host, self.board = End(self._link()), End(self._link())
        self.flight: list[list[tuple[int, bytes]]] = [[], []]  # to the host, to the board
        self.deaf = [False, False]
        self.plugged, self.noise = True, 0.0

    def _link(self) -> Link:
        return Link(self.chance.randrange(1, 1 << 24), "1.0.0", self.now)

    def run(self, milliseconds: int) -> None:
        """Let time pass: bytes arrive, deadlines are met."""
        end = self.now + milliseconds
        while True:
            self._send()
            times = [way[0][0] for way, deaf in zip(self.flight, self.deaf, strict=True) if way and not deaf]
            times += [at for one in self.ends if one.alive and (at := one.link.deadline()) is not None]
            at = max(min(times, default=end + 1), self.now)
            if at > end:
                break
            self.now = at
            for one, way, deaf in zip(self.ends, self.flight, self.deaf, strict=True):
                while way and way[0][0] <= at and not deaf:
                    data = way.pop(0)[1]
                    if one.alive:
                        one.tell(one.link.receive(data, at))
            for one in self.ends:
                if one.alive:
                    one.tell(one.link.due(at))
        self.now = end

    def _send(self) -> None:
        for one, way in zip(self.ends, reversed(self.flight), strict=True):
            for frame in one.link.outgoing() if one.alive else ():
                if self.plugged and self.chance.random() >= self.noise / 2:
                    spoilt = self.chance.random() < self.noise
                    data = mutate(self.chance, frame) if spoilt else frame
                    way.append((self.now + self.chance.randint(1, 4), data))

    def busy(self, milliseconds: int) -> None:
        """Let time pass while keys are pressed and lamps switched."""
        for _ in range(self.chance.randrange(4)):
            part = self.chance.randrange(milliseconds + 1)
            milliseconds -= part
            self.run(part)
            self.board.send(self.now)
            if self.chance.getrandbits(1):
                self.host.send(self.now)
        self.run(milliseconds)

    def cut(self) -> None:
        """Interrupt the line: of the bytes on the way some still arrive, the last frame in part."""
        for one, way in zip(self.ends, self.flight, strict=True):
            data = b"".join(chunk for _, chunk in way)
            way.clear()
            if one.alive and data:
                one.tell(one.link.receive(data[: self.chance.randrange(len(data) + 1)], self.now))

    def trouble(self) -> None:
        """One thing goes wrong, and sometimes the next before the line has recovered.

        A cable is pulled, which the host's port may notice, and without which the board may have no power; one end
        starts again; noise; or one end, or both, hears nothing for a while, and all of it later.
        """
        kind = self.chance.choice(("cable", "power", "reboot", "restart", "noise", "stall"))
        if kind in ("cable", "power", "reboot"):
            self.cut()
        self.plugged = kind not in ("cable", "power")
        noticed = not self.plugged and self.chance.random() < 0.5
        if noticed:
            self.host.tell(self.host.link.cut())
        dead = {"power": self.board, "reboot": self.board, "restart": self.host}.get(kind)
        if dead is not None:
            dead.alive = False
        if kind == "restart":  # what the board sent meanwhile may still lie in the port's buffer
            self.deaf[0] = self.chance.random() < 0.5
        elif kind == "stall":
            self.deaf = list(self.chance.choice(((True, False), (False, True), (True, True))))
        elif kind == "noise":
            self.noise = self.chance.choice((0.1, 0.5, 0.9))
        self.busy(self.chance.choice((1, 60, 400, GONE + 100, 2500)))
        self.plugged, self.noise, self.deaf = True, 0.0, [False, False]
        if dead is not None:
            dead.alive, dead.link, dead.runs = True, self._link(), dead.runs + 1
            dead.told.append(("restart", 0))
        if noticed:
            self.host.link.reopen(self.now)
        for _ in range(self.chance.choice((0, 1, 4))):
            self.busy(self.chance.choice((3, 30, 300)))


def judge(sender: End, receiver: End) -> None:
    """Compare what was sent with what was told, place by place.

    An accepted press may be missing only if one end has restarted since, and a refused one only if announced.
    """
    last, announced, restarted = 0, 0, False
    for kind, value in [*receiver.told, (DATA, sender.presses + 1)]:
        if kind == GAP and value >= 0:
            announced += value
        elif kind in (GAP, "restart"):
            restarted = True
        elif kind == DATA:
            assert value > last, f"press {value} came after {last}: doubled or out of order"
            assert value > sender.presses or value in sender.accepted, f"press {value} was refused, and told"
            pair, missing = sender.accepted.get(value, sender.pair), range(last + 1, value)
            lost = [number for number in missing if sender.accepted.get(number) == pair]
            assert not lost, f"presses {lost} were accepted and lost, though nobody restarted"
            assert restarted or len(missing) == announced, f"{missing} are missing, {announced} were announced"
            last, announced, restarted = value, 0, False
    assert receiver.told.count((GAP, -1)) <= sender.runs + receiver.runs, "more gaps of unknown size than starts"


def test_pulled_cables_lose_and_double_nothing() -> None:
    told = restarts = 0
    for seed in range(ROUNDS):
        world = World(seed)
        world.busy(50)
        for _ in range(TROUBLES):
            world.trouble()
        world.run(3 * GONE)
        for one in world.ends:
            assert one.link.up, f"seed {seed}: the line did not recover"
            one.send(world.now)
        world.run(GONE)
        for sender, receiver in (world.ends, world.ends[::-1]):
            judge(sender, receiver)
            assert receiver.told[-1] == (DATA, sender.presses), f"seed {seed}: the last press did not arrive"
            told += sum(kind == DATA for kind, _ in receiver.told)
            restarts += sender.runs - 1
    assert restarts > 10 * ROUNDS
    assert told > 50 * ROUNDS
