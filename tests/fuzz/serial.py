"""The serial line: bytes into the daemon's end of it, the production decoder and link behind."""

from __future__ import annotations

import random

from hardware.events import Edge
from hardware.line.input_board import BoardTalk
from hardware.line.wire import LONGEST, encode
from tests.fuzz.seam import Tally, expect, idle
from tests.hardware.line.wire_fuzz import BOARD, HOST, mutate

RUN = 500
"""Inputs between two intact frames, which must be taken."""


def frames(sequence: int, label: int, *, closed: bool) -> list[bytes]:
    """Return valid frames of each kind, each of which would have an effect; the first is the edge that comes next."""
    tag = (3 * BOARD + HOST) & 0xFFFFFF
    edge = f"D {tag:06x} {sequence:04x} {label % 997} die-{label // 2 % 6 + 1}"
    bodies = [f"{edge} {int(key)}" for key in (closed, not closed)]
    bodies += [f"G {tag:06x} {sequence:04x} 0 {label % 99 + 1}", f"? {tag:06x}"]
    bodies += [f"H {BOARD:06x} {HOST:06x} 0000 1 1.0.0", f"H {BOARD ^ label:06x} {HOST:06x} 0000 1 1.0.0"]
    return [encode(body) for body in bodies]


def foreign(chance: random.Random, sequence: int) -> bytes:
    """Return a frame that is whole and means nothing: another session's, of an unknown kind, or with odd fields."""
    tag = (3 * BOARD + HOST) & 0xFFFFFF
    other = (tag + 1 + chance.randrange(0xFFFFFE)) & 0xFFFFFF
    return encode(
        chance.choice(
            (
                f"D {other:06x} {sequence:04x} 0 die-1 1",
                f"A {other:06x} {sequence:04x}",
                f"{chance.choice('BCEFIZhd0~')} {tag:06x} {sequence:04x} 0 die-1 1",
                f"D {tag:06x} {sequence:04x} die-1 1",
                f"D {tag:06x} {sequence:04X}g 0 die-1 1",
                f"D {tag:06x} {sequence:04x} -1 die-1 1",
                f"D {tag:06x} {sequence:04x} 99999999 die-1 1",
                f"G {tag:06x} {sequence:04x} 0 x{chance.randrange(99)}",
                f"H {BOARD:06x} {HOST:06x} 0000 1",
                f"H {HOST:06x} {HOST:06x} 0000 1 echo",
                f"? {tag:06x} {chance.randrange(9)}",
            )
        )
    )


def part(chance: random.Random, count: int, tally: Tally) -> None:
    """Feed mutated frames, foreign ones and noise; between them an intact edge, which must come through once."""
    reports: list[object] = []
    talk = BoardTalk(HOST, reports.append, reports.append, 0.0)
    talk.opened(0.0)
    talk.received(encode(f"h {BOARD:06x} {HOST:06x} 0000 1 1.0.0"), 0.0)
    talk.outgoing()
    reports.clear()
    passed = done = 0
    tail = b""  # what stands before the next line; the two together must not be an intact frame by chance
    while done < count:
        intact = frames((passed + 1) & 0xFFFF, passed, closed=passed % 2 == 0)
        down = dict(talk.down)
        for _ in range(min(RUN, count - done)):
            roll = chance.getrandbits(5)
            line = mutate(chance, intact[chance.getrandbits(16) % 6], intact[chance.getrandbits(16) % 6])
            if roll == 0:
                line = chance.randbytes(chance.getrandbits(8))
            elif roll < 3:
                line = b"\n" + foreign(chance, (passed + 1) & 0xFFFF)
            while any(frame[:-1] in tail + line for frame in intact):
                line = mutate(chance, intact[0], intact[1])
            tail = (tail + line).rpartition(b"\n")[2][-LONGEST:]
            tally.inputs += 1
            talk.received(line, 0.0)
            if reports or talk.outgoing():
                idle(holds=False, why=f"it was taken: {reports}", after=line)
            tally.refused += 1
            done += 1
        tally.same(talk.down == down, "the keys changed", line)
        expect(len(talk._link._buffer) <= LONGEST, "what was not understood is kept", line)
        tally.inputs += 1
        talk.received(b"\n" + intact[0], 0.0)
        edges = [(each.line, each.level) for each in reports if isinstance(each, Edge)]
        wanted = (f"die-{passed // 2 % 6 + 1}", passed % 2 == 0)
        expect(edges == [wanted] and len(reports) == 1, f"expected {wanted}, told {reports}", intact[0])
        expect(len(talk.outgoing()) == 1, "the intact frame was not acknowledged", intact[0])
        passed += 1
        tally.accepted += 1
        reports.clear()
        tail = b""
