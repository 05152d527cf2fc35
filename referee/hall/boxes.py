"""The boxes of an event: which may speak, the code that adds one, what each board shows, what people must know."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, select, update

from referee.errors import NotNow
from referee.hall.desk import Desk
from referee.hall.games import Games
from referee.hall.store import BOXES, CODES, Store
from referee.hall.wishes import at_table, published, table_of
from referee.session.board import is_board
from referee.session.wish import short
from referee.tournament.words import named_tables

KEYS: Final = 6  # die keys of a code
VALID: Final = 600_000  # how long a code holds, ms
TRIES: Final = 5  # wrong codes of one address, until another code is shown
MOST_TRIES: Final = 100  # of all addresses, until none holds: a stranger with many hits one once in 467 times
SILENT: Final = 8.0
"""Seconds without a word after which a box counts as silent: it tells how its board stands every 4 s, within 3 s."""
GONE: Final = 60.0  # after so long, s, it is not connected
RUNS: Final = 8  # runs of a box that are remembered
SHOWN: Final = 8  # digits of a box's name that people see
MOST_EARLY: Final = 1000  # slips and challenges that wait, of all tables
REFUSED: Final = 20  # refusals that the page of the boxes lists


def hashed(secret: str) -> str:
    """Return what the store keeps of a token: its hash. It names the box."""
    return sha256(secret.encode()).hexdigest()


def fresh() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(32)


class Tokens:
    """Tokens of boxes; a box is named by the hash of its own."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        """``now``: the time of day, ms since 1970 UTC."""
        self._store = store
        self._now = now
        self.known: set[str] = set()  # boxes that are let in, as far as they have spoken
        self.wrong = Counter[str]()  # wrong tries since a code was offered, by address

    def offer(self) -> str:
        """Make the code that adds one box, in the place of any before. Raises StoreAway."""
        code = "".join(str(secrets.randbelow(6) + 1) for _ in range(KEYS))
        row = {"event": self._store.event, "code": code, "until": self._now() + VALID, "tries": MOST_TRIES}

        def work(db: Connection) -> None:
            self._withdraw(db)
            self._store.insert(db, CODES, [row])

        self._store.write(work).result()
        self.wrong.clear()
        return code

    def _withdraw(self, db: Connection) -> None:
        db.execute(delete(CODES).where(CODES.c.event == self._store.event))

    def code(self) -> tuple[str, int]:
        """Return the code that holds, and until when, ms since 1970 UTC; "" and 0: none does. Raises StoreAway."""
        query = select(CODES.c.code, CODES.c.until).where(
            CODES.c.event == self._store.event, CODES.c.until > self._now()
        )
        row = self._store.read(lambda db: db.execute(query).one_or_none())
        return ("", 0) if row is None else (row.code, row.until)

    def add(self, code: str, address: str) -> Future[str]:
        """Add a box that says the code; return its token. The future raises NotNow after a try that counts.

        So many wrong tries of an ``address`` keep nobody else out.
        """
        token = fresh()

        def work(db: Connection) -> str | NotNow:
            offered = db.execute(select(CODES).where(CODES.c.event == self._store.event)).one_or_none()
            if offered is None or self._now() > offered.until:
                return NotNow("no-code", "No code is valid. Ask the desk for one")
            left, right = TRIES - self.wrong[address], secrets.compare_digest(offered.code, code)
            if left and not right:
                self.wrong[address] += 1
                db.execute(update(CODES).where(CODES.c.event == self._store.event).values(tries=offered.tries - 1))
                if offered.tries > 1 and left > 1:
                    return NotNow("wrong-code", f"Wrong code. Tries left: {left - 1}")
                if offered.tries == 1:
                    self._withdraw(db)
            if not (left and right):
                return NotNow("no-code", "Wrong code, five times. Ask the desk for another")
            self._withdraw(db)
            self._admit(db, [hashed(token)])
            return token

        return self._store.write(work)

    def admit(self, boxes: list[str]) -> None:
        """Let boxes in by the hashes of their tokens. Raises StoreAway."""
        self._store.write(lambda db: self._admit(db, boxes)).result()

    def _admit(self, db: Connection, boxes: list[str]) -> None:
        rows = [{"event": self._store.event, "box": box, "allowed": 1, "state": "{}"} for box in boxes]
        if rows:
            self._store.insert(db, BOXES, rows)

    def bar(self, box: str) -> None:
        """Let a box in no more. Raises StoreAway."""
        of = BOXES.c.event == self._store.event, BOXES.c.box == box
        self._store.write(lambda db: db.execute(update(BOXES).where(*of).values(allowed=0))).result()
        self.known.discard(box)

    def find(self, box: str) -> str:
        """Return a box that is let in, "" for another. Raises StoreAway."""
        if box not in self.known:
            self.known.update(self.boxes(box))
        return box if box in self.known else ""

    def boxes(self, box: str = "") -> list[str]:
        """Return the boxes that are let in, or only that one if it is. Raises StoreAway."""
        of = [BOXES.c.event == self._store.event, BOXES.c.allowed == 1, *([BOXES.c.box == box] if box else [])]
        query = select(BOXES.c.box).where(*of).order_by(BOXES.c.box)
        return list(self._store.read(lambda db: db.execute(query).scalars().all()))


class Match(NamedTuple):
    """A match: the number of its round, and those of its players, the lowest first."""

    round: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a box said last. ``at``: when, ms since 1970 UTC, 0: never; ``told``: as `POST /api/state` has it."""

    at: int = 0
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def run(self) -> str:
        """Which run of the station said it, "" where none is named."""
        run = self.told.get("run")
        return run if isinstance(run, str) and re.fullmatch("[0-9a-f]{16}", run) else ""

    @property
    def game(self) -> str:
        """Hash of entry 0 of the game on its board, "" for none."""
        game = self.told.get("game")
        return game if isinstance(game, str) and re.fullmatch("[0-9a-f]{64}", game) else ""

    @property
    def board(self) -> Mapping[str, Any]:
        """How its game stands, as `referee.session.board.state_of` says; {} without one, or of nonsense."""
        board = self.told.get("board")
        return board if is_board(board) else {}

    @property
    def match(self) -> Match | None:
        """Which match its game is of, None: of none."""
        said = self.told.get("match")
        number, players = (said.get(name) for name in ("round", "players")) if isinstance(said, dict) else (0, ())
        if type(number) is not int or not isinstance(players, list) or not all(type(each) is int for each in players):
            return None
        return Match(number, tuple(sorted(players)))

    def state(self, now: int) -> str:
        """How the box is doing at a time of day, ms, in a word."""
        silent = (now - self.at) / 1000
        return "not connected" if silent > GONE else "silent" if silent > SILENT else "connected"


class Boxes:
    """What boxes said last. Written by the event loop's thread.

    ``address``: host and port, for `[hall] address` of a box; ``certificate``: SHA-256 of the hall's, in hex
    ``changes``: counts what pages may show otherwise; ``listeners``: are called then
    ``doubted``: whether this record may be an old copy
    """

    def __init__(self, desk: Desk, address: str, certificate: str) -> None:
        self.desk, self.address, self.certificate = desk, address, certificate
        self.tokens = Tokens(desk.store, desk.now)
        self.games = Games(desk.store)
        self.changes = 0
        self.doubted = False
        self._shown: dict[str, Shown] = {}
        self._doing: Mapping[str, str] = {}
        self.listeners: list[Callable[[], None]] = []
        self._early: dict[str, tuple[str, str]] = {}
        self._runs: dict[str, list[str]] = {}
        self._twice: dict[str, int] = {}

    def hear(self, box: str, told: Mapping[str, Any]) -> Future[Any] | None:
        """Take what a board shows; the future ends when other halls of the event can see it, None: there are none."""
        shown, before = Shown(self.desk.now(), told), self.shown(box)
        self._take(box, shown)
        if before.told != told or before.state(shown.at) != "connected":
            self.changed()
        if self.desk.alone:
            return None
        of = BOXES.c.event == self.desk.store.event, BOXES.c.box == box
        text = json.dumps({"at": shown.at, "told": told})
        return self.desk.store.write(lambda db: db.execute(update(BOXES).where(*of).values(state=text)))

    def look(self) -> None:
        """See which boxes have fallen silent, and what other halls have heard. Raises StoreAway."""
        if not self.desk.alone:
            columns = BOXES.c.box, BOXES.c.allowed, BOXES.c.state
            query = select(*columns).where(BOXES.c.event == self.desk.store.event)
            for box, allowed, state in self.desk.store.read(lambda db: db.execute(query).all()):
                if not allowed:
                    self.tokens.known.discard(box)
                value = json.loads(state)
                if value.get("at", 0) > self.shown(box).at:
                    self._take(box, Shown(value["at"], value["told"]))
                    self.changed()
        doubted = bool(self.desk.ledger.doubts)
        doing = {box: f"{each.state(self.desk.now())} {self.copied(box)}" for box, each in self._shown.items()}
        if (doubted, doing) != (self.doubted, self._doing):
            self.doubted, self._doing = doubted, doing
            self.changed()

    def _take(self, box: str, shown: Shown) -> None:
        """Take what a box said; a run that speaks after another that came later is that of a second box."""
        runs = self._runs.setdefault(box, [])
        if shown.run in runs[:-1]:
            self._twice[box] = shown.at
        if shown.run and shown.run not in runs[-1:]:
            self._runs[box] = [*(each for each in runs if each != shown.run), shown.run][-RUNS:]
        self._shown[box] = shown

    def copied(self, box: str) -> bool:
        """Whether two boxes use one card: it was copied."""
        return (self.desk.now() - self._twice.get(box, 0)) / 1000 < GONE

    def shown(self, box: str) -> Shown:
        """Return what a box said last."""
        return self._shown.get(box, Shown())

    def seen(self, box: str) -> Shown:
        """Return the same; without a game if that is not of the match at its table."""
        shown, pairing = self.shown(box), at_table(self.desk.event, table_of(self.desk.event, box))
        round_ = published(self.desk.event)
        match = None if round_ is None or pairing is None else Match(round_.number, tuple(sorted(pairing.players)))
        return shown if match is not None and shown.match == match else Shown(shown.at)

    def changed(self) -> None:
        """Pages may show something else now."""
        self.changes += 1
        for each in self.listeners:
            each()

    def wait(self, note: str, who: str = "", why: str = "") -> None:
        """What a table said waits, by its note; "": it waits no more."""
        before = self._early.pop(note, None)
        if who and len(self._early) < MOST_EARLY:
            self._early[note] = (who, why)
        if before != self._early.get(note):
            self.changed()

    def view(self) -> dict[str, Any]:
        """Return what the page of the boxes shows. Raises StoreAway."""
        tables, now = {box: table for table, box in self.desk.event.boxes.items()}, self.desk.now()
        count = self.desk.store.read(self.games.totals)
        boxes = [
            {"key": box, "name": box[:SHOWN], "table": tables.get(box, 0), "state": self.shown(box).state(now),
             "entries": count.get(box, 0), "other": bool(self.shown(box).told.get("other")),
             "copied": self.copied(box)}
            for box in self.tokens.boxes()
        ]  # fmt: skip
        code, until = self.tokens.code()
        return {
            "boxes": sorted(boxes, key=lambda each: (each["table"] == 0, each["table"], each["key"])),
            "newest": len(self.desk.acts) + self.changes,
            "address": self.address,
            "certificate": self.certificate,
            "short": short(self.certificate),
            "code": code,
            "until": until,
            "locked": [address for address, tries in tuple(self.tokens.wrong.items()) if tries >= TRIES],
            "early": list(self._early.values()),
            "refused": self.desk.ledger.refused(REFUSED),
        }

    def warning(self) -> str:
        """Return what whoever runs the event must know on every page, "" for nothing. Raises StoreAway."""
        doubt = self._in_doubt()
        if doubt:
            return doubt
        twice = [box for box in tuple(self._twice) if self.copied(box)]
        if twice:
            table = table_of(self.desk.event, twice[0])
            where = f"table {table}" if table else f"box {twice[0][:SHOWN]}"
            return f"Two boxes use the card of {where}: revoke its access on Boxes, then add each again."
        if self._early:
            return "A result from a table waits for the desk: see Boxes, What waits."
        others = sorted(table for table, box in self.desk.event.boxes.items() if self.shown(box).told.get("other"))
        if others:
            where = named_tables(others)
            return (
                f"The journal at {where} was restored or copied: the hall does not have its game. Enter its result."
            )
        return ""

    def _in_doubt(self) -> str:
        """Return what is said of a record that lacks what a box has seen, "" where it lacks nothing."""
        doubts = self.desk.ledger.doubts
        if not doubts:
            return ""
        newest = doubts[0]
        since = time.strftime("%H:%M", time.localtime(min(each.since for each in doubts) / 1000))
        table = table_of(self.desk.event, newest.box)
        who = f"Table {table}" if table else f"Box {newest.box[:SHOWN]}" if newest.box else "This hall itself"
        missing = newest.revision - self.desk.ledger.state.revision
        acts = f"{missing} more acts than this hall has" if missing > 0 else "other acts"
        return f"Nothing can be done here since {since}: this may be an old copy. {who} has seen {acts}."

    def box(self, name: str) -> str:
        """Return a box that is let in. Raises NotNow for another."""
        if not self.tokens.find(name):
            raise NotNow("no-such-box", "This box was not added, or has lost its access")
        return name
