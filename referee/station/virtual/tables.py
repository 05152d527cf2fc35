"""Simulated boxes that play an event's games by themselves, slowly enough to be watched.

``python -m referee.station.virtual.tables ADDRESS FOLDER...``: a box for each folder, which was added to the hall at
that address. Each is a whole station but for its panel; whoever plays presses what the glass offers, at random. It
ends with its standard input.
"""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

from referee.config import ClockSettings, Config
from referee.console.buttons import Button
from referee.console.cards.seating import SlipCard
from referee.session import ms
from referee.station.hall.link import Board, Link
from referee.station.virtual.bench import Bench
from referee.web.hub import PanelTap

STEP: Final = 0.1
"""How often the boxes go on, s."""
PAUSE: Final = (1.5, 4.0)
"""How long whoever plays thinks, s."""
BATTLES: Final = 60
"""Presses after which a game is brought to its end."""
CALLS: Final = 400
"""A table calls for a judge once in so many presses."""
AFTERWARDS: Final = ("Rematch", "Swap sides", "Report")
"""What the end of a game offers, and nobody at an event wants: the slip comes first."""
BEGIN: Final = ("War of the Ring", "New game", "Start")
"""What is pressed to begin a game."""


class PlayingBox:
    """A box that plays at the time of day: what its journal says is when people could watch it."""

    def __init__(self, bench: Bench, seed: int, tell: Callable[[Mapping[str, Any]], None]) -> None:
        """``seed``: of what is pressed; ``tell``: takes how the board stands, for the hall."""
        self.bench = bench
        self.random = random.Random(seed)  # noqa: S311 - players who can be repeated, no secret
        self._presses = 0
        self._due = 0.0
        bench.clock.step(time.time() - bench.clock.wall())
        self._late = late = time.monotonic() - bench.clock.now

        def told(board: Mapping[str, Any]) -> None:
            tell({**board, "at": board["at"] + ms(late)} if "at" in board else board)

        self._board = Board(bench.console, told)

    def follow(self) -> None:
        """Let so much time pass as has passed, and press what is due; what that took is made up for the next time."""
        seconds = max(0.0, time.monotonic() - self._late - self.bench.clock.now)
        self.bench.wait(seconds)
        self._due -= seconds
        if self._due <= 0:
            self._due = self.random.uniform(*PAUSE)
            self.press()
        self._board.publish()

    def press(self) -> None:
        """Press something that is offered."""
        bench, console = self.bench, self.bench.console
        self._presses += 1
        bench.faces = tuple(self.random.randint(1, 6) for _ in range(10))
        top, session = console.stage.top, console.table.session
        if isinstance(top, SlipCard):
            bench.key(top.wakes)
        elif session is not None and self.random.randrange(CALLS) == 0:
            bench.inbox.put(lambda: console.learn(console.event.call_judge))
            bench.settle()
        elif session is None and top.select:
            bench.key("select")  # the seating was read
        else:
            self._tap([each for each in top.buttons if each.bar is None])

    def _tap(self, buttons: Sequence[Button]) -> None:
        """Tap what is chosen of these; without a game what begins one, as long as the match has no slip."""
        console = self.bench.console
        if console.table.session is None:
            self._presses = 0
            buttons = [each for each in buttons if each.text in BEGIN and console.event.slip_due]
        if buttons:
            button = self._chosen(buttons)
            self.bench.hub.act(PanelTap(console.stage.screen, button.id, held=True), "keys")

    def _chosen(self, buttons: Sequence[Button]) -> Button:
        """Return what is pressed: neither the way out nor the end of the game while it is young, else just those."""
        prompt = self.bench.prompt
        ends = (
            {option.text for option in prompt.among if option.id == prompt.passing} if prompt is not None else set()
        )
        buttons = [each for each in buttons if each.text not in AFTERWARDS]
        young = self._presses < BATTLES
        wanted = [each for each in buttons if (each.text not in ends) == young]
        return self.random.choice(wanted or list(buttons))


def main(address: str, folders: Sequence[str]) -> None:
    """Play until the standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the hall, too, which ends the input
    over = threading.Event()
    with ExitStack() as stack:
        boxes = []
        for seed, folder in enumerate(folders):
            path = Path(folder) / "journal.db"
            bench = stack.enter_context(closing(Bench(path, Config(clock=ClockSettings(use="start")))))
            link = Link(address, "", "", bench.journal, bench.inbox.put)
            boxes.append(PlayingBox(bench, seed, link.tell))
            link.start(bench.loop, live=False)
            stack.callback(link.stop)
        threading.Thread(target=_wait, args=(over,), daemon=True).start()
        while not over.wait(STEP):
            for box in boxes:
                box.follow()


def _wait(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
