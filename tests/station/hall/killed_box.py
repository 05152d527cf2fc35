"""A box to be killed by `kills`: it plays all the time. ``python -m tests.station.hall.killed_box FOLDER PORT CERT``.

What was answered it notes in files beside its journal, before it does anything else.
"""

from __future__ import annotations

import argparse
import random
import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.station.hall import link
from referee.station.hall.line import Answer
from referee.station.hall.outbox import Part
from referee.station.hall.talk import Call, Talk


class _Noted(Talk):
    """Notes what was answered, and when each answered call was asked and taken.

    A hall or line that is back between two calls is never seen to be gone: the second call makes another connection.
    """

    folder: Path
    asked = 0.0

    def next(self, now: float) -> Call | None:
        self.asked = time.monotonic()
        return super().next(now)

    def take(self, call: Call, answer: Answer | None, now: float) -> None:
        known = dict(self.kept.answered)
        super().take(call, answer, now)
        with (self.folder / "answered").open("a") as file:
            if isinstance(call.about, Part) and answer is not None and answer.status == 200 and call.about.entries:
                file.write(f"{call.about.game} {answer.body['last']} {answer.body['hash']}\n")
            for act in self.kept.answered.keys() - known.keys():
                file.write(f"act {act}\n")
        if self.up:
            with (self.folder / "lines").open("a") as file:
                file.write(f"{self.asked:.3f} {time.monotonic():.3f}\n")


def live(folder: Path, port: int, certificate: str, token: str, *, play: bool) -> None:
    """Play until killed; or, where there is nothing to play, until the hall has everything."""
    chance = random.Random()
    _Noted.folder = folder
    setattr(link, "Talk", _Noted)  # noqa: B010 - it is not exported
    with Journal(folder / "journal.db") as journal:
        talks = link.Link(f"127.0.0.1:{port}", certificate, token, journal, lambda _: None)
        if not journal.games():
            _begin(journal, chance)
        talks.start(Mock())  # no loop
        pause = threading.Event()
        while play or not _done(talks):
            if play:
                _play(journal, chance)
            talks.tell({"number": journal.games()[-1].game})
            pause.wait(0.05)
        talks.stop()


def _done(talks: link.Link) -> bool:
    talk = talks._talk
    if talk is None or not talk.up or talk.board == {}:
        return False
    chains = talk.outbox._chains.values()
    said = all(act.id in talk.kept.answered for act in talk.outbox.acts)
    return bool(chains) and said and all(chain.has == chain.last for chain in chains)


def _begin(journal: Journal, chance: random.Random) -> None:
    answer: dict[str, Any] = {"book": "skirmish", "ruling": None, "settings": {}, "lot": chance.getrandbits(52)}
    journal.begin("skirmish", Entry(0, "start", "1", answer=answer))


def _play(journal: Journal, chance: random.Random) -> None:
    if chance.random() < 0.002:
        _begin(journal, chance)
    games = [each.game for each in journal.games() if not each.notes]
    game = games[-1] if chance.random() < 0.95 else chance.choice(games)
    if chance.random() < 0.03:
        Notes(journal, game).add({chance.choice(["call", "slip"]): {"table": 7, "lot": chance.getrandbits(52)}})
        return
    first = journal.head(game)[0] + 1
    rolls = range(first, first + chance.randint(1, 3))
    journal.append(game, [Entry(seq, "answer", "1", answer=[chance.randint(1, 6)]) for seq in rolls])


def main() -> None:
    """Play until killed. ``--rest``: play nothing, and end once the hall has everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("certificate")
    parser.add_argument("token")
    parser.add_argument("--rest", action="store_true")
    options = parser.parse_args()
    live(options.folder, options.port, options.certificate, options.token, play=not options.rest)


if __name__ == "__main__":
    main()
