"""The site of the pocket in Chromium: it opens, keeps, and needs no network.

``python -m tests.firmware.pocket.test_site --kills 200 --seed 7`` kills the browser as often.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium.webdriver import Chrome
from zxingcpp import read_barcodes

from firmware.pocket.build import main as build
from firmware.pocket.serve import server
from referee import games
from referee.journal.export import read, replay
from tests.browsing import started

pytestmark = pytest.mark.long

PATIENCE = 90.0
"""Seconds: Python starts in 2 to 3 on a quiet machine."""

TABLE = """
const asked = document.getElementById("asked-head").textContent + document.getElementById("asked").textContent;
const text = (id) => document.getElementById(id)?.textContent;
return {link: document.body.dataset.link, drawer: text("drawer"), says: text("pocket-says"), asked,
    buttons: [...document.querySelectorAll("#asked button:not([disabled])")].map((each) => each.textContent)};
"""
ASK = """
const done = arguments[arguments.length - 1];
const script = document.querySelector('script[src$="pocket.js"]').src;
import(script.replace("pocket.js", "link.js")).then(({ Link }) => Link.only.ask(...arguments[0]))
    .then(done, (error) => done(String(error)));
"""
STORED = """
const done = arguments[arguments.length - 1];
navigator.storage.getDirectory().then((folder) => folder.getFileHandle("journal.jsonl"))
    .then((file) => file.getFile()).then((file) => file.text()).then(done);
"""


class Site:
    """The site on a port of the loopback, which can be cut off and come back."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.port = 0
        self.begin()

    def begin(self) -> None:
        self.server: ThreadingHTTPServer = server(self.place, self.port)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def cut(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


class Visitor:
    """A person at a browser with a profile that lasts."""

    def __init__(self, profile: Path) -> None:
        self.profile = profile
        self.chrome: Chrome = started(f"--user-data-dir={profile}")

    def open(self, url: str) -> None:
        self.chrome.get(url)
        self.until(lambda seen: seen["link"] == "open" and seen["buttons"])

    def seen(self) -> dict[str, Any]:
        found: dict[str, Any] = self.chrome.execute_script(TABLE)
        return found

    def until(self, holds: Callable[[dict[str, Any]], object], patience: float = PATIENCE) -> dict[str, Any]:
        end = time.monotonic() + patience
        while not holds(seen := self.seen()):
            assert time.monotonic() < end, seen
            time.sleep(0.02)
        return seen

    def press(self, number: int) -> dict[str, Any]:
        """Press a button of the question; return what is there when that has changed."""
        before = self.seen()
        self.chrome.execute_script(
            "[...document.querySelectorAll('#asked button:not([disabled])')][arguments[0]].click()", number
        )
        with contextlib.suppress(AssertionError):
            return self.until(lambda seen: seen["asked"] != before["asked"] and seen["buttons"], 2.0)
        return self.seen()

    def choose(self, name: str) -> None:
        """Press the button of that name, if there is one, until it is gone: what comes too early does not count."""
        while numbers := [n for n, each in enumerate(self.seen()["buttons"]) if each.startswith(name)]:
            self.press(numbers[0])

    def click(self, name: str) -> None:
        """Press a button of the drawer."""
        self.chrome.execute_script(
            "[...document.querySelectorAll('#drawer button')].find((e) => e.textContent === arguments[0]).click()",
            name,
        )

    def picture(self) -> Image.Image:
        return Image.open(BytesIO(self.chrome.get_screenshot_as_png())).convert("L")

    def wait(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.05)

    def ask(self, *what: object) -> Any:
        return self.chrome.execute_async_script(ASK, what)

    def stored(self) -> list[str]:
        """Return the lines that the store holds."""
        return str(self.chrome.execute_async_script(STORED)).splitlines()

    def kill(self) -> None:
        """Kill the browser and all its processes, as when a phone's battery is empty."""
        driver = self.chrome.service.process
        children = [int(each) for each in _children(driver.pid)]
        for process in (*children, driver.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        driver.wait()
        (self.profile / "SingletonLock").unlink(missing_ok=True)

    def errors(self) -> list[str]:
        logged = self.chrome.get_log("browser")  # type: ignore[no-untyped-call]
        return [each["message"] for each in logged if each["level"] == "SEVERE"]


def _children(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield from _children(child)
            yield child


@pytest.fixture(scope="module")
def site(pyodide: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    place = tmp_path_factory.mktemp("site")
    assert build(place) == 0
    serving = Site(place)
    yield serving
    serving.cut()


@pytest.fixture
def visitor(browser: object, memory: Path) -> Iterator[Visitor]:
    person = Visitor(memory)
    yield person
    person.chrome.quit()


def played(visitor: Visitor, presses: int, choose: random.Random) -> None:
    for _ in range(presses):
        visitor.press(choose.randrange(len(visitor.seen()["buttons"])))


def test_a_game_is_played_kept_and_judged_elsewhere(site: Site, visitor: Visitor) -> None:
    """Random answers in the browser; its export comes out the same here; cut off, the same question is asked."""
    visitor.open(site.url)
    visitor.press(0)
    played(visitor, 25, random.Random(3))
    exported = read(BytesIO(str(visitor.ask("export")).encode()))
    assert len(exported.entries) > 8
    assert replay(exported, games.load).n >= len(exported.entries) - 1
    assert "<h1" in visitor.ask("report")
    visitor.chrome.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    site.cut()
    try:
        visitor.open(site.url)
        again = read(BytesIO(str(visitor.ask("export")).encode()))
    finally:
        site.begin()
    assert again.head == exported.head
    assert visitor.errors() == []


SPY = """\
from referee.rulebook import Book, Choose, Game, Options

def reached():
    found = []
    import js, gc
    for name in ("fetch", "indexedDB", "XMLHttpRequest", "WebSocket", "Worker", "caches", "BroadcastChannel"):
        if hasattr(js, name):
            found.append(name)
    for name in ("storage", "locks", "serviceWorker"):
        if hasattr(js.navigator, name):
            found.append(name)
    try:
        import pyodide.code
        pyodide.code.run_js("1")
        found.append("eval")
    except Exception:
        pass
    from referee.journal import Journal
    kept = [each for each in gc.get_objects() if isinstance(each, Journal)]
    found += [str(len(each.games())) for each in kept if len(each.games()) > 1]
    return " ".join(found) or "nothing"

def play(game):
    while True:
        yield Choose("spy.look", f"Reached: {reached()}?", Options([("on", "Go on"), ("off", "Stop")]))

BOOK = Book(id="spy", title="Spy", edition="1", start=lambda settings: Game(), play=play, rules={})
"""


def wheel(folder: Path, name: str, module: str, entry: str, version: str = "1.0") -> Path:
    """Return a wheel of pure Python with one module."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", module)
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/entry_points.txt", entry)
        archive.writestr(f"{about}/RECORD", "")
    return path


def test_a_game_of_others_is_locked_in(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    visitor.open(site.url)
    visitor.press(0)
    played(visitor, 6, random.Random(5))
    before, kept = visitor.seen(), visitor.stored()
    spy = wheel(tmp_path, "spy", SPY, "[referee.rulebooks]\nspy = spy:BOOK\n")
    add = visitor.chrome.find_element("css selector", "input[accept='.whl']")
    add.send_keys(str(spy))
    visitor.until(lambda seen: any("Spy" in each for each in seen["buttons"]))
    for name in ("Spy", "New game", "Start"):
        visitor.choose(name)
    assert "Reached: nothing?" in visitor.until(lambda seen: "Reached" in seen["asked"])["asked"]
    visitor.press(0)
    assert visitor.stored() == kept
    visitor.chrome.execute_script(
        "[...document.querySelectorAll('#drawer button')].find((each) => each.textContent.startsWith('Back')).click()"
    )
    again = visitor.until(lambda seen: seen["link"] == "open" and seen["asked"] == before["asked"])
    assert again["buttons"] == before["buttons"]
    assert visitor.stored() == kept


def test_a_new_version_of_a_game_goes_on_with_its_games(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    visitor.open(site.url)
    for version in ("1.0", "1.1"):
        entry = "[referee.rulebooks]\nspy = spy:BOOK\n"
        add = visitor.chrome.find_element("css selector", "input[accept='.whl']")
        add.send_keys(str(wheel(tmp_path, "spy", SPY, entry, version)))
        opened = f"Remove spy-{version}"
        visitor.until(lambda seen, opened=opened: opened in seen["drawer"] and seen["buttons"])  # type: ignore[misc]
        if version == "1.0":
            for name in ("Spy", "New game", "Start"):
                visitor.choose(name)
        assert "Reached: nothing?" in visitor.until(lambda seen: "Reached" in seen["asked"])["asked"]
    assert "Open spy-1.0" in visitor.seen()["drawer"], "the one before stays, should the new one not do"


def test_a_wheel_without_a_rulebook_is_told_in_one_sentence(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    visitor.open(site.url)
    add = visitor.chrome.find_element("css selector", "input[accept='.whl']")
    add.send_keys(str(wheel(tmp_path, "empty", "", "")))
    seen = visitor.until(lambda seen: "brings no rulebook" in seen["says"])
    assert seen["says"].startswith("empty-1.0-py3-none-any.whl")


def test_one_tab_at_a_time_writes(site: Site, visitor: Visitor) -> None:
    visitor.open(site.url)
    first = visitor.chrome.current_window_handle
    visitor.chrome.switch_to.new_window("tab")
    visitor.chrome.get(site.url)
    visitor.until(lambda seen: "another tab" in seen["says"])
    second = visitor.chrome.current_window_handle
    visitor.chrome.switch_to.window(first)
    visitor.chrome.close()
    visitor.chrome.switch_to.window(second)
    assert visitor.until(lambda seen: seen["link"] == "open" and seen["buttons"])["says"] == ""


def test_a_game_goes_to_another_phone_by_a_code(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    """The code is read off the screen, as a camera does, and opened in a browser that has never seen this game."""
    visitor.open(site.url)
    visitor.press(0)
    played(visitor, 12, random.Random(4))
    visitor.click("Hand this game to another phone")
    visitor.wait(lambda: read_barcodes(visitor.picture()))
    links = [found.text for found in read_barcodes(visitor.picture())]
    assert visitor.errors() == []
    other = Visitor(tmp_path / "other")
    try:
        other.chrome.get(links[0])
        asked = visitor.seen()["asked"]
        other.until(lambda seen: seen["asked"] == asked)
        assert "#" not in other.chrome.current_url
    finally:
        other.chrome.quit()


def test_codes_in_any_order_are_told_until_all_are_here(site: Site, visitor: Visitor) -> None:
    visitor.open(site.url)
    visitor.chrome.get(f"{site.url}#take=abc.2.2.xyz")
    assert visitor.until(lambda seen: seen["says"])["says"] == "Code 2 of 2 is read. Scan code 1 next."
    before = visitor.seen()["asked"]
    visitor.chrome.get(f"{site.url}#take=abc.1.2.xyz")
    visitor.until(lambda seen: "not a whole game" in seen["says"])
    assert visitor.seen()["asked"] == before


def test_a_link_opens_a_single_ruling(site: Site, visitor: Visitor) -> None:
    visitor.chrome.get(f"{site.url}#play=battle-of-the-ring/attack")
    visitor.until(lambda seen: seen["link"] == "open" and "attack" in seen["asked"].lower())
    visitor.until(lambda _: "#" not in visitor.chrome.current_url)
    assert visitor.ask("link") == "#play=battle-of-the-ring/attack"
    visitor.chrome.get(f"{site.url}#play=war-of-the-ring")
    visitor.until(lambda seen: seen["says"] == "A game is on the table. Leave it, then open the link again.")


def test_a_big_screen_follows_in_a_second_window(site: Site, visitor: Visitor) -> None:
    visitor.open(site.url)
    visitor.press(0)
    visitor.click("Big screen")
    table, screen = visitor.chrome.window_handles
    visitor.chrome.switch_to.window(screen)
    shown = "return [document.body.dataset.link, document.getElementById('stage').textContent]"
    visitor.wait(lambda: visitor.chrome.execute_script(shown)[0] == "open")
    before = visitor.chrome.execute_script(shown)[1]
    visitor.chrome.switch_to.window(table)
    visitor.press(0)
    visitor.chrome.switch_to.window(screen)
    visitor.wait(lambda: visitor.chrome.execute_script(shown)[1] != before)
    assert visitor.errors() == []


def test_a_browser_without_a_store_is_told_in_one_sentence(site: Site, visitor: Visitor) -> None:
    (worker,) = site.place.glob("*/worker.js")
    source = worker.read_text("utf-8")
    worker.write_text(f"delete FileSystemFileHandle.prototype.createSyncAccessHandle;\n{source}", "utf-8")
    try:
        visitor.chrome.get(site.url)
        seen = visitor.until(lambda seen: "cannot keep" in seen["says"])
    finally:
        worker.write_text(source, "utf-8")
    assert seen["link"] == "lost"


def kills(site: Site, count: int, seed: int, profile: Path) -> int:
    """Kill the browser at random moments of play; return how many answers were shown. Raises AssertionError."""
    choose = random.Random(seed)
    shown = 0
    kept: list[str] = []
    for _ in range(count):
        visitor = Visitor(profile)
        visitor.open(site.url)  # which checks every chain: nothing is doubled or changed
        lines = visitor.stored()
        assert lines[: len(kept)] == kept, f"{len(kept)} strokes were shown, {len(lines)} are kept"
        for _ in range(choose.randrange(2, 7)):
            visitor.press(choose.randrange(len(visitor.seen()["buttons"])))
            shown += 1
        kept = visitor.stored()
        visitor.chrome.execute_script(
            "[...document.querySelectorAll('#asked button:not([disabled])')].at(arguments[0])?.click()",
            choose.randrange(3),
        )
        time.sleep(choose.random() * 0.05)
        visitor.kill()
    return shown


def test_what_was_shown_outlives_a_killed_browser(site: Site, browser: object, memory: Path) -> None:
    assert kills(site, 4, 1, memory) >= 8


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "site")
        counted = kills(Site(Path(folder) / "site"), given.kills, given.seed, Path(folder) / "profile")
    print(json.dumps({"kills": given.kills, "answers_shown": counted, "lost": 0, "doubled": 0}))
