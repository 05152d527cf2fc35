"""The drive protocol: lines through the production loop, with a journal on the disk behind it.

What a reply claims is compared with the prompt that was shown before and with the rows of the journal, read through a
connection of its own.
"""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from referee import games
from referee.drive import drive
from referee.files.jsonl import DEPTH, LIMIT
from referee.journal import Journal
from referee.rulebook import Range
from referee.session import Session, resume
from tests.fuzz.seam import FOLDER, Changed, Tally, expect, idle
from tests.fuzz.shapes import fuzzed
from tests.journal.reference import answer

BESIDE = {"answer": {"n", "seat", "override", "reroll"}, "bundle": {"n", "seat"}}
COMMANDS = ("answer", "bundle", "undo", "correct", "concede", "pause", "odds", "state", "about")
VALID, HUGE, DIGEST = 0.06, 0.0005, 48
"""Shares of lines that are valid and too long; lines between two looks at the whole state."""
ENDS = (b'{"type":"prompt"', b'{"type":"over"')


class Player:
    """Both ends of the pipe: writes fuzzed lines, reads what comes back, and holds it against the journal."""

    def __init__(self, chance: random.Random, session: Session, journal: Path, count: int, tally: Tally) -> None:
        self.chance = chance
        self.tally = tally
        self.session = session
        self.left = count
        self._file = sqlite3.connect(journal)
        self._replies: list[bytes] = []
        self._stood = b""
        self._sent: bytes | None = None
        self._waiting = b""
        self._version, self._rows = -1, 0
        self._rows = self._count()
        self._state = ""
        self._since = 0

    def close(self) -> None:
        self._file.close()

    # -- the stream

    def readline(self, size: int, /) -> bytes:
        """Give the loop the next piece of a line; before a new one, judge what the last brought."""
        if not self._waiting:
            self._judge()
            if not self.left:
                return b""
            self.left -= 1
            self.tally.inputs += 1
            self._sent = self._next()
            self._waiting = self._sent.replace(b"\n", b" ") + b"\n"
        piece, self._waiting = self._waiting[:size], self._waiting[size:]
        return piece

    def write(self, data: bytes, /) -> None:
        expect(data.endswith(b"\n") and data.count(b"\n") == 1, "what came back is no line", self._sent)
        self._replies.append(data)

    def flush(self) -> None:
        """Every message is flushed; there is nothing to do."""

    # -- what is sent

    def _next(self) -> bytes:
        roll = self.chance.random()
        if roll < HUGE:
            return b'{"answer":"' + b"x" * (LIMIT + self.chance.randrange(-20, 70_000)) + b'"}'
        if roll < VALID:
            return json.dumps(self._valid()).encode()
        return fuzzed(self.chance, self._valid)

    def _valid(self) -> dict[str, Any]:
        """Return a command that is likely to be taken."""
        prompt, chance = self.session.prompt, self.chance
        roll = chance.random()
        if self.session.paused:
            return {"pause": False}
        if prompt is None:
            return {"undo": 1}
        message: dict[str, Any]
        if roll < 0.08:
            message = {chance.choice(("odds", "state", "about")): True}
        elif roll < 0.12:
            message = {"undo": chance.randint(1, 3)}
        elif roll < 0.15 and self.session.game.correctable:
            path = chance.choice(sorted(self.session.game.correctable))
            limits = self.session.game.correctable[path]
            low = limits.low if isinstance(limits, Range) else limits.values[0]
            message = {"correct": {path: low}}
        elif roll < 0.16:
            message = {"pause": True}
        elif roll < 0.165 and self.session.seats():
            message = {"concede": chance.choice(list(self.session.seats()))}
        elif roll < 0.3 and prompt.bundles:
            message = {"bundle": chance.choice(prompt.bundles).id}
        else:
            message = {"answer": answer(prompt, chance)}
            if chance.random() < 0.3:
                message["seat"] = prompt.seat
        if chance.random() < 0.5:
            message["n"] = self.session.n
        return message

    # -- what comes back

    def _judge(self) -> None:
        replies, self._replies = self._replies, []
        line, self._sent = self._sent, None
        expect(replies and replies[-1].startswith(ENDS), "what came back ends with neither prompt nor over", line)
        if line is None:
            self._stood, self._state = replies[-1], self._digest()
            return
        first = json.loads(replies[0])
        rows = self._count()
        if first["type"] == "refused":
            expect(first["text"] and first["code"] and first["n"] == self.session.n, "a refusal says nothing", line)
            self.tally.same(
                rows == self._rows and replies[-1] == self._stood, "what was refused changed something", line
            )
            self.tally.refused += 1
        elif first["type"] in ("odds", "state", "about"):
            self.tally.same(rows == self._rows and replies[-1] == self._stood, "a question changed something", line)
            self.tally.accepted += 1
        else:
            self._accepted(line, replies, rows)
        self._since += 1
        if self._since >= DIGEST:
            self.tally.same(self._digest() == self._state, "lines that were refused changed the state", line)
            self._since = 0

    def _accepted(self, line: bytes, replies: list[bytes], rows: int) -> None:
        """Hold what was taken against the prompt that stood, and against what the journal holds now."""
        sent, prompt = strictly(line), json.loads(self._stood)
        command = next(name for name in COMMANDS if name in sent)
        idle(set(sent) - {command} <= BESIDE.get(command, {"n"}), "an unknown member was passed over", line)
        idle(sent.get("n", prompt.get("n")) == prompt.get("n"), "a late line was taken", line)
        expect(rows > self._rows, "what was taken is not in the journal", line)
        written = self._newest(rows - self._rows)
        kinds = {"answer": "answer", "bundle": "answer", "undo": "void", "correct": "correct", "concede": "concede"}
        kind = kinds.get(command) or ("pause" if sent[command] else "unpause")
        expect({row[0] for row in written} == {kind}, f"the journal holds {written}", line)
        if command == "answer":
            holds, earlier = json.loads(written[0][1]), prompt.get("stands", [])
            # A sum that names dice which stand from before an undo is entered as those dice, a tally by its name.
            same = holds == sent["answer"] or (holds == earlier and sum(earlier) == sent["answer"])
            same = same or holds == {prompt.get("tally"): sent["answer"]}
            expect(len(written) == 1 and same, f"the journal holds {written}", line)
            idle(fits(prompt, sent), "an answer was taken that the prompt does not offer", line)
        self.tally.accepted += 1
        self._stood, self._rows, self._state, self._since = replies[-1], rows, self._digest(), 0

    def _digest(self) -> str:
        return json.dumps(self.session.state(), sort_keys=True, default=str)

    def _count(self) -> int:
        """Return how many entries the file holds; they are counted when SQLite says that it was written."""
        version = self._file.execute("PRAGMA data_version").fetchone()[0]
        if version == self._version:
            return self._rows
        self._version = version
        return int(self._file.execute("SELECT count(*) FROM entries").fetchone()[0])

    def _newest(self, count: int) -> list[Any]:
        game = self.session.game_id
        sql = "SELECT kind, answer FROM entries WHERE game = ? ORDER BY seq DESC LIMIT ?"
        return self._file.execute(sql, (game, count)).fetchall()[::-1]


def strictly(line: bytes) -> dict[str, Any]:
    """Read a line as the protocol's page says it must be, or raise Changed: it should have been refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        idle(len(dict(pairs)) == len(pairs), "a name that was given twice was taken", line)
        return dict(pairs)

    try:
        text = line.decode("utf-8")
        value = json.loads(text, object_pairs_hook=once)
        json.dumps(value, allow_nan=False).encode()
    except ValueError as fault:
        raise Changed(f"what is no JSON was taken: {fault}", line) from None
    idle(len(line) <= LIMIT, "a line that is too long was taken", line)
    idle(isinstance(value, dict) and sum(name in value for name in COMMANDS) == 1, "two commands or none", line)
    idle(depth(value) <= DEPTH, "a deep value was taken", line)
    return dict(value)


def depth(value: Any) -> int:
    """Return how deep a value is nested."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max((depth(each) for each in inner), default=0)


def fits(prompt: dict[str, Any], sent: dict[str, Any]) -> bool:
    """Whether an answer is one that the prompt offered, by what the prompt said."""
    value, kind = sent["answer"], prompt["kind"]
    if value == "back":
        return bool(prompt.get("back"))
    ids = [option["id"] for option in prompt.get("options", ())]
    ids += [each["id"] for each in prompt.get("barred", ()) if sent.get("override") and "id" in each]
    if kind == "choose":
        return value in ids
    if kind == "pick":
        return isinstance(value, list) and all(each in ids for each in value)
    if kind == "count":
        return type(value) is int and (bool(sent.get("override")) or prompt["low"] <= value <= prompt["high"])
    if isinstance(value, list):
        faces = all(type(face) is int and 1 <= face <= 6 for face in value)
        return faces and prompt["low"] <= len(value) <= prompt["dice"]
    if prompt.get("tally"):
        count = value.get(prompt["tally"]) if isinstance(value, dict) and len(value) == 1 else value
        return type(count) is int and 0 <= count <= prompt["dice"]
    return type(value) is int and bool(prompt.get("total")) and prompt["dice"] <= value <= 6 * prompt["dice"]


def part(chance: random.Random, count: int, tally: Tally) -> None:
    """Play a game or a ruling of some book with a fuzzed line for each move."""
    book = chance.choice(games.books())
    rulings = [*book.rulings] + ([None] if book.play else [])
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        path = Path(folder) / "journal.db"
        with Journal(path) as journal:
            session = Session(book, {}, chance.choice(rulings), journal=journal, repeat=chance.random() < 0.5)
            player = Player(chance, session, path, count, tally)
            try:
                drive(session, player, player)
            finally:
                player.close()
            resumed = resume(book, journal, session.game_id or 0)
            expect(resumed.state() == session.state(), "what was journalled comes out otherwise", b"")
