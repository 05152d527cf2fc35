"""What a station's uplink says, as the station takes it."""

from __future__ import annotations

import queue

from referee.station.inbox import FromHall
from referee.testing.station import Bench
from tests.hall.process import PATIENCE


class Listening:
    """A station and what its uplink puts into ``words``."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.words: queue.Queue[FromHall] = queue.Queue()

    def hear(self, kind: type[FromHall]) -> FromHall:
        """Let the station take what the hall says until it has said such a thing; return that."""
        while True:
            word = self.words.get(timeout=PATIENCE)
            self.bench.inbox.put(word)
            self.bench.settle()
            if isinstance(word, kind):
                return word
