"""What a box says to the hall, and when: without sockets, threads or clocks. Calls out, answers in.

All that it must not lose is in the journal. `Talk.next` says which call is due, `Talk.take` gets its answer, or None
where there was none. A line is down from the first call that was not answered until one is.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from referee.errors import Malformed
from referee.session import ms
from referee.session.wish import Continues, Have, Wish
from referee.station.hall.kept import Membership, revision
from referee.station.hall.line import Answer
from referee.station.hall.outbox import Outbox, Part
from referee.station.hall.spare import Taken, Taking, adopted
from referee.station.news import counted_on

EVERY: Final = 4.0
"""How often the hall hears how the board stands, s. This, and not the long poll, finds a line that is dead."""
SOON: Final = 0.25  # least time between two of these, s: what changes faster nobody reads
LIMIT: Final = 3.0  # how long a call may take, s. So a dead line is found after `EVERY` + `LIMIT`
WAIT: Final = 25  # how long the hall holds a long poll, s
PAUSES: Final = (0.2, 0.4, 0.6)  # how long a line that is down is left alone, s, longer each time
AGAIN: Final = 4  # what was said last is said again to a hall that was restored: so many
REFUSED: Final = 30.0  # how long a box waits whose token does not hold, s

RECORD: Final = "referee-record"
DOUBT: Final = "referee-doubt"
COPIED: Final = "referee-copied"
"""Headers of an answer: the newest of the hall's record; that it may be an old copy; that this card was copied."""
SEEN: Final = "Referee-Seen"
DOUBTED: Final = "Referee-Doubted"
"""Headers of a call: the newest record that this box has seen, and the last one from a hall in doubt."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call. ``about``: of entries, the part; of an act, its id; of what is fetched, the game."""

    what: Literal["state", "entries", "act", "fetch"]
    method: str
    path: str
    body: bytes
    about: Part | str = ""


@dataclass(slots=True)
class News:
    """What people at the table are to know, once.

    ``refused``  what was said to the desk and not taken: its kind and why; ``waits``: why it is not taken yet
    ``other``    the hall has other entries of a game: this journal was set back, or copied
    ``taken``    the game of another box that this one goes on with, whole
    """

    refused: list[tuple[str, str]] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    other: bool = False
    taken: Taken | None = None


@dataclass(slots=True)
class Talk:
    """One box.

    ``keep``    makes a membership durable
    ``chance``  returns a random number from 0 to 1: two hundred boxes do not come back at the same moment
    ``up``      whether the last call was answered; ``heard``: when one was, s
    ``doubt``   whether the hall may be an old copy; ``known``: whether it takes the token
    ``copied``  whether a second box uses a copy of this card; ``run``: by which the hall tells them apart
    ``board``   how the board stands, as the loop said last
    """

    outbox: Outbox
    kept: Membership
    keep: Callable[[Membership], None]
    chance: Callable[[], float]
    up: bool = False
    heard: float = float("-inf")
    doubt: bool = False
    known: bool = True
    copied: bool = False
    run: str = field(default_factory=lambda: secrets.token_hex(8))
    board: Mapping[str, Any] = field(default_factory=dict)
    news: News = field(default_factory=News)
    _told: Mapping[str, Any] | None = None
    _state_at: float = float("-inf")
    _after: float = float("-inf")
    _failures: int = 0
    _early: set[str] = field(default_factory=set)
    _written: bool = True
    _sent: float = float("-inf")
    _total: int = -1
    _taking: Taking | None = None

    def headers(self) -> dict[str, str]:
        """Return what every call carries."""
        pairs = {SEEN: self.kept.seen, DOUBTED: self.kept.doubted}
        return {"Authorization": f"Bearer {self.kept.token}", **{name: each for name, each in pairs.items() if each}}

    def wrote(self) -> None:
        """Something was written to the journal, or may have been."""
        self._written = True

    def due(self) -> float:
        """Return when to ask for the next call at the latest, s."""
        if not self.up:
            return self._after
        return max(self._after, self._state_at + (SOON if self.board != self._told else EVERY))

    def next(self, now: float) -> Call | None:
        """Return the call that is due, None for none. Raises JournalError."""
        if now < self._after:
            return None
        if not self.up or now >= self.due():
            self._state_at, self._told, self._written = now, self.board, True
            return Call("state", "POST", "/api/state", self._state(now))
        if self._written:
            self._written = False
            self.outbox.look()
        known = self.kept.answered.keys() | self._early
        act = next((each for each in self.outbox.acts if each.id not in known), None)
        if act is not None and not self.doubt:
            return Call("act", "POST", "/api/acts", act.body, act.id)
        want = self._taking.next() if self._taking is not None else None
        if want is not None:
            return Call("fetch", "GET", f"/api/games/{want[0]}/entries?after={want[1]}", b"", want[0])
        part = self.outbox.next()
        if part is not None:
            return Call("entries", "PUT", f"/api/games/{part.game}/entries?after={part.after}", part.body, part)
        return None

    def _state(self, now: float) -> bytes:
        """Return how the board stands, with the game by its name: the hash of its entry 0."""
        number = self.board.get("number")
        game = self.outbox.name(number) if isinstance(number, int) else ""
        about = {"game": game, "other": self.outbox.others, "run": self.run}
        return json.dumps({**counted_on(self.board, ms(now)), **about}).encode()

    def take(self, call: Call, answer: Answer | None, now: float) -> None:
        """Take the answer to a call, None for none. Raises JournalError."""
        if answer is None:
            if call.what == "entries":
                self.outbox.slower()
            self.down(now)
            return
        self.see(answer, now)
        failures = self._failures
        try:
            if call.what == "act":
                self._taken(str(call.about), answer, now)
            elif call.what == "entries":
                self._had(call, answer, now)
            elif call.what == "fetch":
                self._fetched(str(call.about), answer, now)
            elif answer.status != 204:
                self._later(answer, now)
        except Malformed:
            self.down(now)
        if self._failures == failures:
            self._failures = 0

    def down(self, now: float) -> None:
        """The hall does not answer, or not as it should: leave it alone for a while, and begin with the state."""
        self.up = False
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        self._after = now + pause * (0.5 + self.chance() / 2)

    def see(self, answer: Answer, now: float) -> None:
        """Take what every answer carries. Raises JournalError."""
        if answer.status in (200, 204, 304, 409):
            self.up, self.heard = True, now
        record, was = answer.headers.get(RECORD, ""), self.doubt
        self.doubt = answer.headers.get(DOUBT, "") == "yes"
        self.copied = answer.headers.get(COPIED, "") == "yes"
        seen, doubted = self.kept.seen, self.kept.doubted
        if self.doubt:
            doubted = record or doubted
        elif revision(record) > max(0, revision(seen)):
            seen = record
        if (seen, doubted) != (self.kept.seen, self.kept.doubted):
            self._keep(replace(self.kept, seen=seen, doubted=doubted))
        if was and not self.doubt:
            self.again()
        elif self.doubt and not was:
            self.outbox.ask()  # of entries nobody doubts: the chain says whose they are

    def again(self) -> None:
        """Ask what the hall has, and say again what was said last: it was restored. Done once is done once."""
        self.outbox.ask()
        done = [each for each, at in self.kept.answered.items() if at > 0][-AGAIN:]
        self._keep(
            replace(self.kept, answered={each: at for each, at in self.kept.answered.items() if each not in done})
        )

    def wish(self, answer: Answer, asked: float, now: float) -> Wish | None:
        """Take the answer to a long poll that was asked for then; None where nothing is new. Raises JournalError.

        Raises Malformed for what no hall says.
        """
        self.see(answer, now)
        if answer.status == 304:
            return None
        if answer.status != 200:
            self._later(answer, now)
            return None
        wish = Wish.from_json(answer.body)
        self._early.clear()
        if wish.have is not None:
            self._have(wish.have)
        if wish.continues is not None and not self.doubt:
            self._continue(wish.continues)
        lacks = wish.total < self.outbox.total and wish.total != self._total
        if lacks and asked > self._sent and self.outbox.next() is None:
            self._total = wish.total  # asked once: what it lacks may be what was kept beside
            self.again()
        return None if self.doubt else wish  # what an old copy wishes is over

    def _taken(self, act: str, answer: Answer, now: float) -> None:
        if answer.status not in (200, 400):
            self._later(answer, now)
            return
        done, at, why = (answer.body.get(name) for name in ("done", "revision", "why"))
        kind = next(each.kind for each in self.outbox.acts if each.id == act)
        if done is False and answer.body.get("later") is True:  # said again when the hall wishes something new
            self._early.add(act)
            self.news.waits.append(str(why or "")[:200])
            return
        if answer.status == 400:
            done = False  # a hall that cannot read it never will, and what follows must not wait for it
        if done is not True and done is not False:
            raise Malformed("done: expected true or false")
        self._keep(
            replace(self.kept, answered={**self.kept.answered, act: at if done and isinstance(at, int) else 0})
        )
        if not done:
            self.news.refused.append((kind, str(why or "")[:200]))

    def _had(self, call: Call, answer: Answer, now: float) -> None:
        if answer.status not in (200, 409):
            self._later(answer, now)
            return
        assert isinstance(call.about, Part)
        self._sent = now
        have = Have.from_json({**answer.body, "game": call.about.game})
        if answer.status == 200:
            self.outbox.faster()
        elif call.about.entries and have.last == call.about.after:
            raise Malformed("expected that what follows is taken")
        self._have(have)

    def _have(self, have: Have) -> None:
        before = self.outbox.others
        if not self.outbox.take(have) and have.game not in before:
            self.news.other = True

    def _continue(self, wanted: Continues) -> None:
        """Go on with the game of another box, unless this one has it already."""
        if self._taking is None or self._taking.wanted.number != wanted.number:
            done = adopted(self.outbox.journal, wanted.number, wanted.game.game) is not None
            self._taking = None if done else Taking(wanted)

    def _fetched(self, game: str, answer: Answer, now: float) -> None:
        if answer.status != 200 or self._taking is None:
            self._later(answer, now)
            return
        self._taking.take(game, answer.body.get("entries"))
        if self._taking.next() is None:
            self.news.taken = self._taking.taken()

    def _later(self, answer: Answer, now: float) -> None:
        """Take an answer that is none to what was said."""
        self.known = self.known and answer.status != 401
        self.down(now)
        if answer.status in (401, 403):
            self._after = now + REFUSED * (0.5 + self.chance() / 2)

    def _keep(self, kept: Membership) -> None:
        self.kept = kept
        self.keep(kept)

    def take_news(self) -> News:
        """Return what people are to know, once."""
        news, self.news = self.news, News()
        return news
