"""The station of a browser's own Python: what it keeps, what it shows, and how its games come and go."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any

import pytest

from referee import games
from referee.errors import JournalDamaged, Malformed, StationError, UnknownGame
from referee.journal.export import read, replay
from referee.journal.handover import pack, unpack
from referee.report import page as report
from referee.report import tell
from referee.station.picture import picture_of
from referee.station.pocket import FULL, Pocket
from referee.station.virtual.bench import Bench, Clock
from referee.web.hub import parse

FACES = (3, 4, 1, 6, 2, 5)


class Page:
    """A page of the pocket: its store outlives it. ``told``: the newest message of each kind."""

    def __init__(
        self,
        folder: Path,
        store: list[str],
        clock: Clock | None = None,
        dice: Callable[[int, int], tuple[int, ...]] = lambda dice, _: FACES[:dice],
    ) -> None:
        self.store = store
        self.full = False
        self.told: dict[str, Any] = {}
        self.clock = clock or Clock()
        self.pocket = Pocket(
            [*store],
            self.keep,
            self.send,
            folder,
            clock=self.clock,
            wall=self.clock.wall,
            dice=dice,
        )

    def keep(self, line: str) -> None:
        if self.full:
            raise OSError("the disk is full")
        self.store.append(line)

    def send(self, text: str) -> None:
        for message in json.loads(text):
            self.told[message["type"]] = message

    def say(self, **message: object) -> None:
        self.pocket.hear(json.dumps(message))

    def wait(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while (due := self.pocket.pass_time()) is not None and self.clock.now + due <= end:
            self.clock.now += max(due, 1e-6)
        self.clock.now = end

    @property
    def asked(self) -> tuple[int, str]:
        """Number and text of the pending question."""
        prompt = self.pocket.console.table.prompt
        assert prompt is not None
        return prompt.n, prompt.text.text if hasattr(prompt.text, "text") else str(prompt.text)

    def tap(self, button: str) -> None:
        self.wait(0.5)
        self.say(type="tap", screen=self.told["table"]["screen"], button=button, held=False)

    def choose(self, text: str) -> None:
        """Press the button with this text."""
        buttons = self.told["table"]["card"]["buttons"]
        (button,) = (each["id"] for each in buttons if each["text"] == text)
        self.tap(button)

    def begin(self) -> None:
        """Begin Battle of the Ring, and answer its first questions as they come."""
        self.choose("Battle of the Ring")
        for _ in range(12):
            self.tap(next(each["id"] for each in self.told["table"]["card"]["buttons"] if not each["why_not"]))


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close what is in memory as a page does that goes."""
    opened: list[Connection] = []

    def connected(*arguments: Any, **more: Any) -> Connection:
        opened.append(connect(*arguments, **more))
        return opened[-1]

    monkeypatch.setattr("referee.station.pocket.connect", connected)
    yield
    for each in opened:
        each.close()


@pytest.fixture
def store() -> list[str]:
    return []


@pytest.fixture
def page(tmp_path: Path, store: list[str]) -> Page:
    return Page(tmp_path, store)


def test_a_killed_page_goes_on_at_the_same_question(page: Page, store: list[str], tmp_path: Path) -> None:
    page.begin()
    assert len(store) > 5
    after = Page(tmp_path, store)
    assert after.asked == page.asked
    assert after.told["log"]["entries"][-1] == page.told["log"]["entries"][-1]


def test_what_cannot_be_kept_does_not_count(page: Page, store: list[str], tmp_path: Path) -> None:
    page.begin()
    asked, kept = page.asked, [*store]
    page.full = True
    page.tap(next(each["id"] for each in page.told["table"]["card"]["buttons"] if not each["why_not"]))
    assert FULL.split(".")[0] in page.told["table"]["spoken"]
    assert store == kept
    assert page.asked == Page(tmp_path, store).asked == asked


@pytest.mark.parametrize("broken", ["[{", "7", "[7]", "[{}]", '[{"game":1}]'])
def test_lines_that_are_none_are_refused(broken: str, page: Page, store: list[str], tmp_path: Path) -> None:
    page.begin()
    with pytest.raises(JournalDamaged):
        Page(tmp_path, [*store, broken])


def test_a_changed_or_missing_line_is_refused(page: Page, store: list[str], tmp_path: Path) -> None:
    page.begin()
    with pytest.raises(JournalDamaged, match="entry 3"):
        Page(tmp_path, [*store[:3], *store[4:]])
    with pytest.raises(JournalDamaged, match="entry 2"):
        Page(tmp_path, [*store[:2], store[2].replace('"wall":', '"wall":1'), *store[3:]])


def test_an_export_is_judged_as_one_of_a_box(page: Page) -> None:
    page.begin()
    exported = read(BytesIO(page.pocket.export().encode()))
    assert replay(exported, games.load).n == page.asked[0]


def test_a_game_of_another_page_goes_on_here(page: Page, tmp_path: Path) -> None:
    page.begin()
    (tmp_path / "other").mkdir()
    other = Page(tmp_path / "other", [])
    other.pocket.take(page.pocket.export())
    assert other.asked == Page(tmp_path / "other", other.store).asked == page.asked


def test_a_changed_export_is_refused_and_changes_nothing(page: Page) -> None:
    page.begin()
    kept, exported = [*page.store], page.pocket.export()
    with pytest.raises(JournalDamaged):
        page.pocket.take(exported.replace('"seq":3', '"seq":4', 1))
    assert page.store == kept


def handed_over(page: Page, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what the codes of a game hold."""
    monkeypatch.setattr("referee.station.pocket.svg", lambda link, _: link)
    found = []
    for number, link in enumerate(codes := json.loads(page.pocket.codes("https://example.org/")), 1):
        address, _, data = link.partition("#take=")
        assert address == "https://example.org/"
        _, at, of, part = data.split(".")
        assert (int(at), int(of)) == (number, len(codes))
        found.append(part)
    return "".join(found)


def test_a_game_goes_to_another_phone_by_codes(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.begin()
    page.tap("undo")
    assert page.pocket.recorded()[1][-1].kind == "void"
    (tmp_path / "other").mkdir()
    other = Page(tmp_path / "other", [])
    text = handed_over(page, monkeypatch)
    other.pocket.take_codes(text)
    assert other.asked == page.asked
    assert other.pocket.link() == page.pocket.link() == "#play=battle-of-the-ring/play"
    kept = [*other.store]
    for broken in ("", text[:-9], text[1:], "A" * 60):
        with pytest.raises(Malformed):
            other.pocket.take_codes(broken)
    assert other.store == kept


def test_a_link_leads_to_a_game_or_a_ruling(page: Page, tmp_path: Path) -> None:
    with pytest.raises(UnknownGame):
        page.pocket.play("#play=chess")
    with pytest.raises(StationError, match="no siege"):
        page.pocket.play("#play=battle-of-the-ring/siege")
    page.pocket.play("#play=war-of-the-ring")
    assert page.told["table"]["card"]["title"] == "War of the Ring"
    page.pocket.play("#play=battle-of-the-ring/attack")
    assert page.pocket.link() == "#play=battle-of-the-ring/attack"
    before = [*page.store]
    with pytest.raises(StationError, match="on the table"):
        page.pocket.play("#play=war-of-the-ring")
    assert page.store == before


def test_a_long_game_needs_few_codes(page: Page) -> None:
    choose = random.Random(8)
    page.choose("War of the Ring")
    while len(page.store) < 400:
        buttons = [each for each in page.told["table"]["card"]["buttons"] if not each["why_not"]]
        page.tap(choose.choice(buttons)["id"])
    assert len(json.loads(page.pocket.codes("https://example.org/referee/"))) <= 4
    book, entries, _, _ = page.pocket.recorded()
    assert [each.answer for each in unpack(pack(book, entries), games.load)] == [each.answer for each in entries]


def test_a_big_screen_is_told_all_but_secrets(page: Page) -> None:
    page.begin()
    told: dict[str, Any] = {}
    page.pocket.watch(lambda text: told.update({each["type"]: each for each in json.loads(text)}))
    assert told["table"]["title"] == "Battle of the Ring"
    n = told["table"]["n"]
    page.tap(next(each["id"] for each in page.told["table"]["card"]["buttons"] if not each["why_not"]))
    page.wait(1)
    assert told["table"] == page.told["table"]
    assert told["table"]["screen"] != n
    assert told["log"]["entries"][-1] == page.told["log"]["entries"][-1]


def test_names_outlive_the_page(page: Page, store: list[str], tmp_path: Path) -> None:
    page.begin()
    page.say(type="name", key="seat-1", name="Ada")
    (tmp_path / "later").mkdir()
    later = Page(tmp_path / "later", store)
    assert next(seat["player"] for seat in later.told["lamps"]["seats"]) == "Ada"


def test_a_report_needs_a_game(page: Page) -> None:
    with pytest.raises(StationError, match="no game"):
        page.pocket.recorded()
    page.begin()
    assert "<h1" in report(tell(*page.pocket.recorded()), picture_of)


def test_what_is_no_message_is_refused(page: Page) -> None:
    page.say(type="dance")
    assert "expected" in page.told["error"]["text"]
    page.say(type="ping")
    assert page.told["pong"]


@pytest.mark.parametrize("seed", range(4))
def test_it_shows_what_a_box_shows(seed: int, tmp_path: Path) -> None:
    """The same presses at the same times: the same pictures, bit for bit, and the same record."""
    choose = random.Random(seed)
    clock = Clock()
    page = Page(tmp_path, [], clock)
    shown: dict[str, Any] = {}
    with Bench(tmp_path / "box.db") as bench:
        bench.hub.subscribe(lambda messages: shown.update({str(each["type"]): each for each in messages}))
        bench.settle()
        bench.faces = FACES
        for _ in range(150):
            table = page.told["table"]
            buttons = [each for each in table["card"]["buttons"] if not each["why_not"]]
            ways = [{"id": way["id"], "held": way["held"]} for way in table["ways"]]
            button = choose.choice(buttons * 4 + ways)
            tap = {"type": "tap", "screen": table["screen"], "button": button["id"], "held": button["held"]}
            page.say(**tap)
            gesture = parse(json.dumps(tap))
            bench.hub.act(gesture, "panel")  # type: ignore[arg-type]
            bench.settle()
            page.wait(0.7)
            bench.wait(0.7)
            assert page.told["glass"]["bits"] == shown["glass"]["bits"]
            assert page.told["table"] == json.loads(json.dumps(shown["table"]))
    assert page.store
