"""Boxes of an event, in a process of their own: ``python -m tests.hall.event.boxes ADDRESS FOLDER...``.

Each is a whole station but for its panel, on virtual time, so that it plays as fast as it can; its uplink is the
real one. Commands come as lines of JSON (``box``, ``do``), and what happens goes out so. It ends with its input.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee.config import Config
from referee.journal import seal
from referee.station.inbox import Compare, FromHall, TakeOver
from referee.station.uplink import StationUplink
from referee.testing.station import Bench
from referee.testing.tables import PlayingBox

THINK: Final = 0.7
"""How long whoever plays thinks, s of virtual time."""
BATTLES: Final = 12
"""Presses after which a game is brought to its end."""


@dataclass
class Pipe:
    """What the process hears and says. ``wake``: there is something new for a box, or a command."""

    commands: queue.SimpleQueue[dict[str, Any]] = field(default_factory=queue.SimpleQueue)
    wake: threading.Event = field(default_factory=threading.Event)
    over: bool = False

    def listen(self) -> None:
        for line in sys.stdin:
            self.commands.put(json.loads(line))
            self.wake.set()
        self.over = True
        self.wake.set()


class EventBox(PlayingBox):
    """One box.

    ``stops``  whether it stops in the middle of its next battle; ``stopped``: whether it has
    ``challenges``  whether its players challenge the result once nothing is to be read any more
    """

    def __init__(self, number: int, folder: Path, address: str, pipe: Pipe) -> None:
        bench = Bench(folder / "journal.db", Config())
        super().__init__(bench, sum(folder.name.encode()), BATTLES)
        self.stops = self.stopped = self.challenges = False
        self.uplink = StationUplink(address, bench.journal, self._heard)
        self._number = number
        self._wake = pipe.wake
        self._digits: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._receipts: set[str] = set()
        self._taken = False
        self.say(key=seal.signer(folder).public)

    def say(self, **what: object) -> None:
        sys.stdout.write(json.dumps({"box": self._number, **what}) + "\n")
        sys.stdout.flush()

    def _heard(self, item: FromHall) -> None:
        """On the uplink's thread."""
        self.bench.inbox.put(item)
        if isinstance(item, Compare) and item.digits:
            self._digits.put(item.digits)
        self._taken |= isinstance(item, TakeOver)
        self._wake.set()

    def do(self, what: str) -> None:
        """Do what was commanded."""
        if what == "pair":
            self.uplink.catch_up()
            self.uplink.start()
        elif what == "challenge":
            self.challenges = True
        else:
            self.stops, self.stopped = what == "stop", False
            self._battles = sys.maxsize if self.stops else BATTLES  # no game ends before its battle

    def step(self) -> bool:
        """Press what is due, if anything; return whether there was something."""
        bench, console = self.bench, self.bench.console
        bench.wait(THINK)
        if not self._digits.empty():
            self.say(digits=self._digits.get())
            bench.wait(1.0)
            bench.hold("select", 1.1)
            return True
        session, prompt = console.table.session, bench.prompt
        if self._taken and session is not None and prompt is not None:
            self._taken = False
            self.say(took=[prompt.ask, prompt.seat, prompt.n])
        if self.stops and session is not None and prompt is not None and prompt.kind == "roll":
            assert session.game_id is not None
            self.stops, self.stopped = False, True
            self.say(battle=[prompt.ask, prompt.seat, prompt.n], head=bench.journal.head(session.game_id)[1])
        idle = session is None and not console.event.slip_due and not console.top.select
        if idle and self.challenges:
            self.challenge()
            return True
        if self.stopped or idle:
            return False
        due = console.event.slip_due
        self.press()
        bench.settle()
        if due and not console.event.slip_due:
            self.say(slip=console.event.seating.round if console.event.seating else 0)
        return True

    def challenge(self) -> None:
        """Say at the box that the result is wrong: Back held, Challenge, Select held."""
        self.challenges = False
        self.bench.hold("back", 0.5)
        self.bench.key("4")
        self.bench.wait(1.0)
        self.bench.hold("select", 1.1)

    def receipt(self) -> None:
        """Say what the hall countersigned, once."""
        signed = self.bench.console.event.countersignature
        if signed and signed not in self._receipts:
            self._receipts.add(signed)
            self.say(receipt=signed, signed=json.loads(signed)["round"])


def main(address: str, folders: list[str]) -> None:
    """Play until the input ends."""
    pipe = Pipe()
    with ExitStack() as stack:
        boxes = []
        for number, folder in enumerate(map(Path, folders)):
            box = EventBox(number, folder, address, pipe)
            stack.enter_context(closing(box.bench))
            boxes.append(box)
        threading.Thread(target=pipe.listen, daemon=True).start()
        while not pipe.over:
            pipe.wake.clear()
            while not pipe.commands.empty():
                command = pipe.commands.get()
                boxes[command["box"]].do(command["do"])
            busy = [box.step() for box in boxes]
            for box in boxes:
                box.receipt()
            if not any(busy):
                pipe.wake.wait()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
