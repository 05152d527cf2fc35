"""The station in one thread, without devices and files: what runs in the Python of a browser (firmware/pocket).

The page's worker makes one `Pocket` of the lines it has kept, passes on what the page says, and lets time pass when
that is due. It is the same loop, console and panel as on a box; only the glass is a picture that is never sent, and
the journal is in memory: each stroke is a line, and counts when the worker has kept that.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from sqlite3 import connect
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from referee import games
from referee.config import Config
from referee.console.cards.shelf import book_page
from referee.console.console import Console
from referee.console.shelf import BoxDice
from referee.errors import JournalDamaged, JournalError, Refused, StationError
from referee.files.players import beside, file_of
from referee.files.qr import svg
from referee.journal import Journal
from referee.journal.database import Database, T, make_tables
from referee.journal.export import export, read, replay
from referee.journal.handover import pack, unpack
from referee.rulebook import Book
from referee.session import Entry
from referee.session.chain import canonical, walk
from referee.station.loop import Inbox, Loop
from referee.station.panel import Publisher, StationHub
from referee.station.picture import SlowDisk
from referee.station.screen import Alive, DisplayReport, Frame, Screen, Shown
from referee.station.shelf import StationShelf, throw
from referee.web.hub import Message, PanelName, PanelVoice, Ping, parse

if TYPE_CHECKING:
    from hardware.box import Box

SOURCE: Final = "panel"
"""What the journal names for what is pressed on the page."""

GLASS: Final = (128, 64)

FULL: Final = "This browser's storage is full. Free some space, then press again."

_PART: Final = 1000
"""Letters of a game in one QR code: more would be too fine for the camera of a phone."""

Keep = Callable[[str], object]
"""Keeps one line for good before it returns. Raises OSError where that fails; then nothing of the line is kept."""


def add(wheel: str) -> None:
    """Put the rulebooks of a wheel on the shelf, before the shelf is read. Raises StationError where it has none."""
    sys.path.append(wheel)
    importlib.invalidate_caches()
    own = set(games.SHELF)
    if not any(book.id not in own for book in games.books()):
        why = "; ".join(each.why for each in games.left_out()) or "it names none (entry points: referee.rulebooks)"
        raise StationError(f"{wheel.lstrip('/')} brings no rulebook that can be used: {why}")


class _Memory(Database):
    """A database that nobody else can open, and that is gone with the page."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = connect(":memory:", isolation_level=None, check_same_thread=False)
        make_tables(self.connection)

    def close(self) -> None:
        self.connection.close()

    def commit(self, work: Callable[[], T], *, many: bool) -> T:
        del many  # what the page does not keep is taken back, a single line too
        self.connection.execute("BEGIN")
        try:
            result = work()
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")
        return result


class KeptJournal(Journal):
    """A journal in memory. Each stroke is a line, a JSON list of the records of an export, kept before it counts."""

    def __init__(self, path: Path, lines: Iterable[str], keep: Keep) -> None:
        """``lines``: those that were kept. Raises JournalDamaged where their chains do not hold."""
        self._db = _Memory(path)
        self.path = path
        self._last = None
        self._keep: Keep = lambda _: None
        kept: dict[int, list[Any]] = {}
        for number, line in enumerate(lines, 1):
            try:
                for record in json.loads(line):
                    kept.setdefault(record["game"], []).append(record)
            except (ValueError, TypeError, KeyError, RecursionError) as fault:
                raise JournalDamaged(f"line {number} is not a line of a journal") from fault
        for game in sorted(kept):
            entries = [chained.entry for chained in walk(game, kept[game])]
            if self._begin(entries[0].answer["book"], entries) != game:
                raise JournalDamaged(f"the game before game {game} is missing")
        self._keep = keep

    def _insert(self, game: int, entries: Sequence[Entry], tail: tuple[int, str] | None) -> Any:
        last = super()._insert(game, entries, tail)
        try:
            self._keep(canonical([*self.records(game, entries[0].seq, last.seq)]))
        except OSError as fault:
            raise JournalError(f"the browser keeps nothing more: {fault}", FULL) from fault
        return last


class _Glass(Screen):
    """Shows every frame at once: the page draws what the panel is told."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._report = lambda _: None

    def start(self, report: Callable[[DisplayReport], None]) -> None:
        self._report = report

    def put(self, frame: Frame) -> None:
        self._report(Shown(frame.screen, self._clock(), frame.number))

    def ask(self) -> None:
        self._report(Alive())

    def settle(self) -> bool:
        return False

    def expect(self, frame: Frame, seconds: float) -> None: ...
    def contrast(self, level: int) -> None: ...
    def stop(self) -> None: ...


def _no_box() -> Box:
    """Return a box without keys, lamps and buzzer: the page has them."""
    nothing = lambda *_: None  # noqa: E731
    inputs = SimpleNamespace(open=nothing, level=lambda _: False, close=nothing)
    return cast(
        "Box", SimpleNamespace(inputs=inputs, lamps=SimpleNamespace(names=()), buzzer=SimpleNamespace(play=nothing))
    )


class Pocket:
    """One game at a time, in one thread.

    ``send`` takes each list of messages for the page as JSON (`referee.web.hub`).
    """

    def __init__(
        self,
        kept: Iterable[str],
        keep: Keep,
        send: Callable[[str], object],
        folder: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        dice: Callable[[int, int], tuple[int, ...]] = throw,
    ) -> None:
        """``kept``: the lines of every `Keep` so far; ``folder``: where names of players may be written meanwhile.

        Raises JournalDamaged where those lines do not hold together.
        """
        self._keep, self._send, self._clock = keep, send, clock
        lines = [*kept]
        names = [line for line in lines if line.startswith("{")]
        self.journal = KeptJournal(folder / "referee.db", (line for line in lines if line not in names), keep)
        self._names = beside(self.journal.path)
        self._names_file = file_of(self.journal.path)
        self._named = names[-1] if names else ""
        if names:
            self._names_file.write_text(names[-1], encoding="utf-8")
        shelf = StationShelf(self.journal, wall=wall, clock=clock)
        config = Config()
        glass = _Glass(clock)
        own = BoxDice(config.table.dice, dice)
        self.console = Console(shelf, own, session=shelf.latest(), config=config)
        self._loop = Loop(
            _no_box(), self.console, config, inbox=Inbox(), screen=glass, slow=SlowDisk(glass, GLASS), clock=clock
        )
        self._hub = StationHub(self._loop, players=self._names)
        Publisher(self._hub, self._loop, simulated=True)
        self._loop.open()
        self._hub.subscribe(self._say)
        self._unwatch: Callable[[], None] = lambda: None
        self.pass_time()

    def hear(self, text: str) -> float | None:
        """Take a message of the page; return as `pass_time` does. What is refused is said to the page."""
        try:
            message = parse(text)
        except Refused as error:
            self._say([{"type": "error", "text": error.text}])
            return self.pass_time()
        if isinstance(message, Ping):
            self._say([{"type": "pong"}])
        elif isinstance(message, PanelVoice):
            self._hub.voice(SOURCE, speaks=message.speaks)
        elif isinstance(message, PanelName):
            self._hub.name(message.key, message.name)
        else:
            self._hub.act(message, SOURCE)
        return self.pass_time()

    def pass_time(self) -> float | None:
        """Do what is due; return in how many seconds to call this again, None: not before something is heard."""
        self._loop.step(None, self._clock())
        while (item := self._loop.inbox.get(0)) is not None:
            self._loop.step(item, self._clock())
        self._keep_names()
        now = self._clock()
        due = self._loop.deadline(now)
        return None if due is None else max(0.0, due - now)

    def recorded(self, *, anonymous: bool = False) -> tuple[Book, Sequence[Entry], str, Mapping[str, str]]:
        """Return what `referee.report.tell` takes of the game on the table. Raises StationError if none has begun."""
        game = self._game()
        row = self.journal.game(game)
        players = {} if anonymous else self._names.names(game)
        return games.load(row.book), self.journal.entries(game), row.head, players

    def export(self) -> str:
        """Return the game on the table as `referee export` writes it. Raises StationError where none has begun."""
        game = self._game()
        return "".join(f"{line}\n" for line in export(self.journal, game, self._names.names(game)))

    def take(self, text: str) -> float | None:
        """Go on with a game of an export; return as `pass_time` does.

        Raises Malformed, JournalDamaged, UnknownGame or Diverged with nothing changed.
        """
        exported = read(BytesIO(text.encode()))
        replay(exported, games.load)
        return self._adopt(exported.entries)

    def codes(self, address: str) -> str:
        """Return QR codes that hand the game on the table to the referee at an address: a JSON list of SVG, in order.

        Raises StationError where no game has begun.
        """
        text = pack(*self.recorded()[:2])
        parts = [text[at : at + _PART] for at in range(0, len(text), _PART)]
        check = hashlib.sha256(text.encode()).hexdigest()[:8]
        links = (f"{address}#take={check}.{n}.{len(parts)}.{part}" for n, part in enumerate(parts, 1))
        return json.dumps([svg(link, f"Code {n} of {len(parts)}") for n, link in enumerate(links, 1)])

    def take_codes(self, text: str) -> float | None:
        """Go on with a game whose codes were read, their parts put together; return as `pass_time` does.

        Raises as `referee.journal.handover.unpack`, with nothing changed.
        """
        return self._adopt(unpack(text, games.load))

    def link(self) -> str:
        """Return what of an address opens this game, or this single ruling, on the shelf of another referee.

        Raises StationError where no game has begun.
        """
        start = self.recorded()[1][0].answer
        return f"#play={start['book']}/{start['ruling'] or 'play'}"

    def play(self, link: str) -> float | None:
        """Open what `link` names, as somebody does at the shelf; return as `pass_time` does.

        Raises StationError while a game is on the table, or where this shelf has no such thing; UnknownGame.
        """
        if self.console.table.session is not None:
            raise StationError("A game is on the table. Leave it, then open the link again.")
        name, _, what = link.removeprefix("#play=").partition("/")
        page = book_page(self.console.context, games.load(name))
        item = next((each for each in page.deal.items if each.id == what), None)
        if what and item is None:
            raise StationError(f"{name} has no {what}")
        self.console.learn(lambda: page.take(item) if item else self.console.stage.push(page))
        return self.pass_time()

    def watch(self, tell: Callable[[str], None]) -> None:
        """Tell a big screen all there is, as JSON, and what is new from now on; answers in secret are not told."""
        self._unwatch()
        self._unwatch = self._hub.subscribe(lambda news: tell(json.dumps(news)), judge=False)
        tell(json.dumps(self._hub.snapshot(judge=False)))

    def _adopt(self, entries: Sequence[Entry]) -> float | None:
        self._loop.take_over(lambda: str(self.journal.adopt(entries)))
        return self.pass_time()

    def _keep_names(self) -> None:
        """Keep the names of players where they have changed: a line that is no list, the last of which counts."""
        if not self._names_file.exists():
            return
        named = " ".join(self._names_file.read_text(encoding="utf-8").split())
        if named != self._named:
            self._keep(named)
            self._named = named

    def _game(self) -> int:
        session = self.console.table.session
        if session is None or session.game_id is None:
            raise StationError("no game is on the table")
        return session.game_id

    def _say(self, messages: Sequence[Message]) -> None:
        self._send(json.dumps(messages))
