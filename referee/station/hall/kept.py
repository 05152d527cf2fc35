"""What a box at an event keeps in files beside its journal: which hall it belongs to, and what that wished last.

The membership is for its owner only: the token speaks for this box. Of the players the wish has numbers and no names,
for those could not be erased from a card for certain. A box that starts without its hall goes on with both.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from referee.clock.round import RoundNews
from referee.errors import JournalError, Malformed
from referee.files import bounded, durable
from referee.session import ms
from referee.session.wish import Time, Wish

FILE: Final = "hall.json"
ACTS: Final = 64  # answers to what this table said that are remembered


@dataclass(frozen=True, slots=True)
class Membership:
    """``certificate``: SHA-256 of that of the hall, in hex; ``token``: of this box.

    ``since``    the first game of the journal that is the event's business
    ``seen``     the newest record that a hall has shown, as it was said: revision, head, proof; "" before
    ``doubted``  the last one that came from a hall in doubt, "" if none did
    ``answered`` what this table said, by its id: the revision of what it did at the hall, 0 where it did nothing
    """

    certificate: str
    token: str
    since: int
    seen: str = ""
    doubted: str = ""
    answered: Mapping[str, int] = field(default_factory=dict)


def revision(pair: str) -> int:
    """Return the revision of a pair as the hall says it, -1 of none.

    >>> revision("17 3f0c 9ae1"), revision("")
    (17, -1)
    """
    number = pair.partition(" ")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else -1


def read_membership(folder: Path) -> Membership | None:
    """Return what is kept beside a journal, None where nothing is. Raises JournalError."""
    path = folder / FILE
    try:
        value = json.loads(bounded.text(path))
        kept = Membership(**value)
        texts = kept.certificate, kept.token, kept.seen, kept.doubted
        sound = all(isinstance(each, str) for each in texts) and type(kept.since) is int
        if not sound or not isinstance(kept.answered, dict):
            raise ValueError("expected certificate, token and since")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as fault:
        raise JournalError(f"{path} cannot be read; remove it and add the box again: {fault}") from fault
    return kept


def write_membership(folder: Path, kept: Membership) -> None:
    """Keep it, durable. Raises JournalError."""
    newest = dict(list(kept.answered.items())[-ACTS:])
    text = json.dumps(asdict(kept) | {"answered": newest}, indent=1) + "\n"
    try:
        durable.replace(folder / FILE, text, 0o600)
    except OSError as fault:
        raise JournalError(f"{folder / FILE}: cannot be saved: {fault.strerror}") from fault


TABLE_FILE: Final = "table.json"
STALE: Final = 12 * 3600.0  # after so long, s, it is another day, and nothing of it holds
NO_TIME: Final = Time(0, 0, 0, runs=False, then="")

_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class TableMemory:
    """See the module. It belongs to the hall's thread, and raises nothing: a table does not wait for it.

    ``hall``   SHA-256 of its certificate; what another one said is forgotten
    ``clock``  monotonic time, s; ``wall``: the time of day, s since 1970
    """

    folder: Path
    hall: str
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time

    def hear(self, wish: Wish, at: float) -> None:
        """Remember a wish. ``at``: when it was said, monotonic, s."""
        players = tuple(each._replace(name=f"No. {each.number}") for each in wish.seating.players)
        nameless = wish._replace(seating=wish.seating._replace(players=players))
        value = {"hall": self.hall, "wall": self.wall() - (self.clock() - at), "wish": nameless.as_json()}
        try:
            durable.replace(self.folder / TABLE_FILE, json.dumps(value, indent=1))
        except OSError as fault:
            _logger.warning("%s cannot be saved: %s", self.folder / TABLE_FILE, fault.strerror)

    def recall(self) -> tuple[Wish, RoundNews] | None:
        """Return what the hall wished when the station ended, and about how much is left of the round; None: nothing.

        A clock on the wall that nothing sets stands still in the dark, so there may be less.
        """
        try:
            value = json.loads(bounded.text(self.folder / TABLE_FILE))
            dark = max(0.0, self.wall() - float(value["wall"]))
            if value["hall"] != self.hall or dark > STALE:
                return None
            wish = Wish.from_json(value["wish"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, RecursionError, Malformed) as fault:
            _logger.warning(
                "%s cannot be read, so this table waits for the hall: %s", self.folder / TABLE_FILE, fault
            )
            return None
        called = wish.time is not None and wish.time.left <= 0
        if wish.time is not None and wish.time.runs:
            wish = wish._replace(time=wish.time._replace(left=wish.time.left - ms(dark)))
        return wish, round_news(wish, self.clock())._replace(about=True, called=called)


def round_news(wish: Wish, at: float) -> RoundNews:
    """Return how the clock of the round stood when that was wished, monotonic, s; of round 0 where none runs."""
    return RoundNews(*(wish.time or NO_TIME), ms(at))
