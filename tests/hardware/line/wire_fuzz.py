"""What pulled cables, reboots and noise do to the two ends of a line. Same seed, same run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from hardware.line.wire import DATA, GAP, GONE, Event, Link


class Broken(AssertionError):
    """A property of the line does not hold."""


def mutate(chance: Random, frame: bytes) -> bytes:
    """Change a frame in one of the ways in which a line fails, or in one in which a program does."""
    data = bytearray(frame)
    bits = chance.getrandbits
    at = bits(16) % len(data)
    kind = bits(3)
    if kind == 0:  # one to four flipped bits
        for _ in range(1 + bits(2)):
            data[bits(16) % len(data)] ^= 1 << bits(3)
    elif kind == 1:  # a byte that is another digit or letter
        data[at] = b"0123456789abcdef $*.?ADGHh-"[bits(16) % 27]
    elif kind == 2:  # a burst of anything
        length = 1 + bits(3)
        data[at : at + length] = bits(8 * length).to_bytes(length, "big")
    elif kind == 3:  # lost bytes
        del data[at : at + 1 + bits(3)]
    elif kind == 4:  # doubled bytes
        data[at:at] = data[at : at + 1 + bits(3)]
    elif kind == 5:  # cut short, the next one follows at once
        data[at:] = frame[bits(16) % len(frame) :]
    elif kind == 6:  # two digits exchanged
        to = bits(16) % len(data)
        data[at], data[to] = data[to], data[at]
    else:  # noise in between
        length = 1 + bits(4)
        data[at:at] = bits(8 * length).to_bytes(length, "big")
    return bytes(data)


# ---------------------------------------------------------------------- pulled cables


@dataclass
class End:
    """One end through all its restarts: what it sent, and what its application was told."""

    link: Link
    events: list[tuple[str, int]] = field(default_factory=list)
    accepted: dict[int, tuple[int, int]] = field(default_factory=dict)
    labels: int = 0
    runs: int = 1
    alive: bool = True

    def tell(self, events: list[Event]) -> None:
        """Note what its application is told: the number of a press, how many are missing (-1: nobody knows)."""
        for event in events:
            count = -1 if event.count is None else event.count
            self.events.append((event.kind, int(event.text) if event.kind == DATA else count))

    @property
    def pair(self) -> tuple[int, int]:
        """Its run, and the run of the other end that it speaks to."""
        return self.link.me, self.link.peer

    def send(self, now: int) -> None:
        """Press the next key. Presses are numbered from 1; each accepted one is noted with the pair of runs."""
        self.labels += 1
        if self.alive and self.link.send(str(self.labels), now):
            self.accepted[self.labels] = self.pair


class World:
    """Two ends, a cable and a virtual clock in milliseconds."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.now = 0
        self.host = End(self._link())
        self.board = End(self._link())
        self.flight: list[list[tuple[int, bytes]]] = [[], []]
        self.plugged = True
        self.noise = 0.0
        self.deaf = [False, False]

    def _link(self) -> Link:
        return Link(self.chance.randrange(1, 1 << 24), "1.0.0", self.now)

    def run(self, milliseconds: int) -> None:
        """Let time pass: bytes arrive, deadlines are met."""
        end = self.now + milliseconds
        while True:
            self._move()
            times = [chunk[0][0] for way, chunk in enumerate(self.flight) if chunk and not self.deaf[way]]
            times += [at for e in (self.host, self.board) if e.alive and (at := e.link.deadline()) is not None]
            at = max(min(times, default=end + 1), self.now)
            if at > end:
                break
            self.now = at
            self._arrive()
            for one in (self.host, self.board):
                if one.alive:
                    one.tell(one.link.due(self.now))
        self.now = end

    def _move(self) -> None:
        for way, one in ((0, self.host), (1, self.board)):
            if not one.alive:
                continue
            for frame in one.link.outgoing():
                if self.plugged and not (self.noise and self.chance.random() < self.noise / 2):
                    self.flight[way].append((self.now + self.chance.getrandbits(2) + 1, self._spoilt(frame)))

    def _spoilt(self, frame: bytes) -> bytes:
        return frame if self.chance.random() >= self.noise else mutate(self.chance, frame)

    def _arrive(self) -> None:
        for way, one in ((0, self.board), (1, self.host)):
            if self.deaf[way]:
                continue
            late = self.flight[way]
            while late and late[0][0] <= self.now:
                data = late.pop(0)[1]
                if one.alive:
                    one.tell(one.link.receive(data, self.now))

    # -- what goes wrong

    def cut(self) -> None:
        """Take the plug out: of the bytes on the way some still arrive, the last frame in part."""
        self.plugged = False
        for way, one in ((0, self.board), (1, self.host)):
            data = b"".join(chunk for _, chunk in self.flight[way])
            self.flight[way].clear()
            if one.alive and data:
                one.tell(one.link.receive(data[: self.chance.randrange(len(data) + 1)], self.now))

    def pull(self, *, power: bool, noticed: bool) -> None:
        """Pull the cable and plug it in again; `power`: the board dies without it; `noticed`: the port fails."""
        self.cut()
        if noticed:
            self.host.tell(self.host.link.cut())
        if power:
            self.board.alive = False
        self.busy(self.chance.choice((5, 60, 300, GONE + 100, 2500)))
        if power:
            self._boot(self.board)
        self.plugged = True
        if noticed:
            self.host.link.reopen(self.now)

    def reboot(self) -> None:
        """The board starts again with the cable in place."""
        self.cut()
        self.plugged = True
        self.board.alive = False
        self.busy(self.chance.choice((1, 40, 400, 1500)))
        self._boot(self.board)

    def restart(self) -> None:
        """The daemon starts again; what the board sent meanwhile may still lie in the port's buffer."""
        self.host.alive = False
        stale = self.chance.random() < 0.5
        way = self.flight[1]
        remaining = list(way)
        self.deaf[1] = True
        self.busy(self.chance.choice((1, 100, 700, 2000)))
        self.deaf[1] = False
        if not stale:
            way.clear()
        elif remaining and way[:1] != remaining[:1]:
            raise Broken("the simulation lost what lay in the buffer")
        self._boot(self.host)

    def storm(self) -> None:
        """Noise on the line; half of what is sent is lost, a part of the rest mutated."""
        self.noise = self.chance.choice((0.1, 0.5, 0.9))
        self.busy(self.chance.choice((100, 700, 3000)))
        self.noise = 0.0

    def stall(self) -> None:
        """One end, or both, hears nothing for a while; it all arrives later."""
        ways = self.chance.choice(((0,), (1,), (0, 1)))
        for way in ways:
            self.deaf[way] = True
        self.busy(self.chance.choice((50, 300, 900, 2500)))
        for way in ways:
            self.deaf[way] = False

    def _boot(self, one: End) -> None:
        one.alive = True
        one.link = self._link()
        one.runs += 1
        one.events.append(("restart", 0))

    def busy(self, milliseconds: int) -> None:
        """Let time pass while keys are pressed and lamps switched."""
        for _ in range(self.chance.getrandbits(2)):
            part = self.chance.randrange(milliseconds + 1)
            milliseconds -= part
            self.run(part)
            self.board.send(self.now)
            if self.chance.getrandbits(1):
                self.host.send(self.now)
        self.run(milliseconds)

    def trouble(self) -> None:
        """One thing goes wrong, and sometimes the next before the line has recovered."""
        kind = self.chance.randrange(8)
        if kind < 4:
            self.pull(power=kind in (0, 1), noticed=kind in (0, 2))
        elif kind == 4:
            self.reboot()
        elif kind == 5:
            self.restart()
        elif kind == 6:
            self.storm()
        else:
            self.stall()
        for _ in range(self.chance.choice((0, 1, 4))):
            self.busy(self.chance.choice((3, 30, 300)))


def _account(sender: End, missing: range, pair: tuple[int, int], announced: int | None) -> None:
    """Judge what is missing before a press told in the runs `pair`; `announced`: None if somebody restarted.

    An accepted press may be missing only if one end has restarted since, and a refused one only if announced.
    """
    if lost := [n for n in missing if sender.accepted.get(n) == pair]:
        raise Broken(f"presses {lost} were accepted and lost, though nobody restarted")
    if announced is not None and len(missing) != announced:
        raise Broken(f"presses {missing} are missing, {announced} were announced")


def judge(sender: End, receiver: End) -> None:
    """Compare what was sent with what was told, place by place. Raises Broken."""
    last, counted, restarted, unknowns = 0, 0, False, 0
    for kind, value in [*receiver.events, (DATA, sender.labels + 1)]:
        if kind == GAP and value >= 0:
            counted += value
        elif kind in (GAP, "restart"):
            restarted = True
            unknowns += kind == GAP
        elif kind == DATA:
            if value <= last:
                raise Broken(f"press {value} came after {last}: doubled or out of order")
            if value <= sender.labels and value not in sender.accepted:
                raise Broken(f"press {value} was refused, and told all the same")
            pair = sender.accepted.get(value, sender.pair)
            _account(sender, range(last + 1, value), pair, None if restarted else counted)
            last, counted, restarted = value, 0, False
    if unknowns > sender.runs + receiver.runs:
        raise Broken(f"{unknowns} gaps of unknown size for {sender.runs + receiver.runs} starts")


def pulls(count: int, seed: int = 1) -> Counter[str]:
    """Let `count` things go wrong, judging every fifty; return what was counted. Raises Broken."""
    seen: Counter[str] = Counter()
    for part in range(0, count, 50):
        world = World(seed * 1_000_003 + part)
        world.busy(50)
        for _ in range(min(50, count - part)):
            world.trouble()
        world.run(3 * GONE)
        for one in (world.board, world.host):
            if not one.link.up:
                raise Broken(f"seed {seed}, part {part}: the line did not recover")
            one.send(world.now)
        world.run(GONE)
        seen["pulls"] += min(50, count - part)
        try:
            judge(world.board, world.host)
            judge(world.host, world.board)
        except Broken as broken:
            raise Broken(f"seed {seed}, part {part}: {broken}") from broken
        for sender, receiver in ((world.board, world.host), (world.host, world.board)):
            if receiver.events[-1] != (DATA, sender.labels):
                raise Broken(f"seed {seed}, part {part}: the last press did not arrive, but {receiver.events[-1]}")
        delivered = sum(kind == DATA for kind, _ in world.host.events)
        seen["pressed"] += world.board.labels
        seen["told"] += delivered
        seen["missed"] += world.board.labels - delivered
        seen["restarts"] += world.board.runs + world.host.runs - 2
    return seen
