"""The panel's figures: ``python -m tests.bench.panel`` prints them as JSON, each with its limit; 1 if one is missed.

A station on real threads, its web server, and Chromium on the loopback: what a page at rest does, how soon a page is
painted and how much it loads, how long a press in the browser takes beside one on a pin of the same run, and what
watchers cost the loop.

What a page loads is counted as it came over the line: files with their heads, and what the WebSocket tells a fresh
browser. Late in a game that is most of it, for the log is long.

A press in the browser is measured from its key event to the change of the page, as scripts and screen readers see it.
When that is painted is told beside it and has no limit: a browser paints 60 times a second, so that a painted change
is up to 16.7 ms late whoever made it, and 8.3 ms on average.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, NamedTuple

from selenium.webdriver import Chrome
from selenium.webdriver.support.wait import WebDriverWait
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from referee import games
from referee.session import Session
from referee.station.shelf import StationShelf
from referee.web.identity import COOKIE
from referee.web.passes import Passes
from referee.web.server import Address, WebServer
from tests.bench.latency import ATTACK, BETWEEN, Live
from tests.bench.replay import longest
from tests.bench.spread import limit, missed, spread
from tests.browsing import started
from tests.components import MEMORY
from tests.web.conftest import NAME
from tests.web.visitor import named, receive

LOADS = 7
REST = 15.0
"""Seconds a page is left alone: three heartbeats."""
PATIENCE = 20.0
"""Seconds until what must come has come."""
QUIET = 3.0
"""Seconds without a new picture after which a page is at rest."""
WATCHERS = 16
SCREENS = 4
KEYS = {"select": "Enter"} | {f"die-{face}": str(face) for face in range(1, 7)}

PRESS = """
const [key, done] = arguments;
const stroke = (type) => dispatchEvent(new KeyboardEvent(type, { key, code: key, bubbles: true }));
const begun = performance.now();
const seen = new MutationObserver(() => {
  seen.disconnect();
  const changed = performance.now() - begun;
  requestAnimationFrame(() => setTimeout(() => done([changed, performance.now() - begun])));
});
seen.observe(document.getElementById("spoken"), { childList: true });
stroke("keydown");
stroke("keyup");
"""
BARE = "data:text/html,<p>Bare"
PAINTED = "return performance.getEntriesByName('first-contentful-paint').length"
READY = f"""
{PAINTED}
  && document.getElementById("link").textContent === "Connected"
  && document.getElementById("title").textContent !== "Electronic referee";
"""
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
GAME = "battle-of-the-ring"
LATE = 400
"""Answers after which a game is late: the log that browsers are told is as long as it gets."""


@contextmanager
def chromium(*, records: bool) -> Iterator[Chrome]:
    """A browser; ``records``: its frames of the WebSocket and each new picture of the page, which costs it time."""
    driver = started(logs="performance" if records else "")
    try:
        yield driver
    finally:
        driver.quit()


def load(driver: Chrome, url: str) -> None:
    """Open the panel, and return once it is painted and shows what it was told."""
    driver.get(url)
    WebDriverWait(driver, PATIENCE).until(lambda _: driver.execute_script(READY))


class Loading(NamedTuple):
    """A page loaded `LOADS` times with an empty cache.

    ``paints``  ms to its first paint; ``bare``: to that of a page of one word, loaded just before
    ``files``   bytes of files; ``told``: of the WebSocket
    """

    paints: list[float]
    bare: list[float]
    files: list[float]
    told: list[float]

    @classmethod
    def of(cls, driver: Chrome, url: str) -> Loading:
        """Load it; ``driver`` must record."""
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        loading = cls([], [], [], [])
        for _ in range(LOADS):
            driver.get(BARE)
            WebDriverWait(driver, PATIENCE).until(lambda _: driver.execute_script(PAINTED))
            loading.bare.append(driver.execute_script(PAINT))
            events(driver)
            load(driver, url)
            loading.paints.append(driver.execute_script(PAINT))
            sizes = Counter(files=0, told=0)
            for event in events(driver):
                sizes += received(event)
            loading.files.append(sizes["files"])
            loading.told.append(sizes["told"])
        return loading

    def figures(self) -> dict[str, Any]:
        """Return the figures; what is held to a limit is the largest in all."""
        return {
            "first_paint_ms": limit(spread(self.paints)["median"], most=300),
            "first_paint_of_a_bare_page_ms": spread(self.bare)["median"],
            "files_kB": max(self.files) / 1000,
            "websocket_kB": max(self.told) / 1000,
            "loaded_kB": limit(max(map(sum, zip(self.files, self.told, strict=True))) / 1000, most=150),
        }


def events(driver: Chrome) -> Iterator[dict[str, Any]]:
    """Return what the browser has recorded since this was asked last."""
    log = driver.get_log("performance")  # type: ignore[no-untyped-call]
    return (json.loads(entry["message"])["message"] for entry in log)


def received(event: dict[str, Any]) -> Counter[str]:
    """Return how many bytes came over the line with an event, by what they are of; heads count."""
    told = event["params"]
    if event["method"] == "Network.loadingFinished":
        return Counter(files=round(told["encodedDataLength"]))
    if event["method"] == "Network.webSocketHandshakeResponseReceived":
        return Counter(told=len(told["response"]["headersText"]))
    if event["method"] == "Network.webSocketFrameReceived":
        size = len(told["response"]["payloadData"].encode())
        return Counter(told=size + (2 if size < 126 else 4 if size < 65536 else 10))  # RFC 6455, 5.2
    return Counter()


class Recording:
    """What a page does, out of the browser's log.

    A browser that records a page may send a picture once more after it was acknowledged, though nothing was painted.
    A picture counts that is not as the one before; one that is, is counted as repeated. What a page is laid out and
    styled for is counted by the browser itself.
    """

    def __init__(self, driver: Chrome) -> None:
        self._driver = driver
        self._picture = ""
        driver.execute_cdp_cmd("Performance.enable", {})
        driver.execute_cdp_cmd("Page.startScreencast", {"format": "png"})

    def done_within(self, seconds: float) -> Counter[str]:
        """Return what the page does in so many seconds: it is this time that is measured."""
        before = self._layouts()
        time.sleep(seconds)
        return self.done() + Counter(layouts=self._layouts() - before)

    def pictured(self) -> Counter[str] | Literal[False]:
        """Return what the page has done, as soon as there is a new picture of it."""
        done = self.done()
        return done if done["pictures"] else False

    def done(self) -> Counter[str]:
        """Return what it has done since this was asked last: pictures, heartbeats and other messages."""
        done: Counter[str] = Counter()
        for message in events(self._driver):
            if message["method"] == "Page.screencastFrame":
                done["repeated" if message["params"]["data"] == self._picture else "pictures"] += 1
                self._picture = message["params"]["data"]
                session = message["params"]["sessionId"]
                self._driver.execute_cdp_cmd("Page.screencastFrameAck", {"sessionId": session})
            elif message["method"] in ("Network.webSocketFrameReceived", "Network.webSocketFrameSent"):
                payload = message["params"]["response"]["payloadData"]
                said = json.loads(payload) if payload[:1] in ("{", "[") else []
                kinds = {each["type"] for each in (said if isinstance(said, list) else [said])}
                done["heartbeats" if kinds <= {"ping", "pong"} else "messages"] += 1
        return done

    def stop(self) -> None:
        """Take no more pictures."""
        self._driver.execute_cdp_cmd("Page.stopScreencast", {})

    def _layouts(self) -> int:
        metrics = self._driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return sum(int(each["value"]) for each in metrics if each["name"] in ("LayoutCount", "RecalcStyleCount"))


def at_rest(driver: Chrome) -> tuple[Counter[str], Counter[str]]:
    """Return what a page does that is left alone, and then when a word on it is changed."""
    recording = Recording(driver)
    WebDriverWait(driver, PATIENCE).until(lambda _: recording.pictured())
    WebDriverWait(driver, PATIENCE).until(lambda _: not recording.done_within(QUIET)["pictures"])
    rest = recording.done_within(REST)
    driver.execute_script("document.getElementById('title').textContent += '.'")
    changed = WebDriverWait(driver, PATIENCE).until(lambda _: recording.pictured())
    recording.stop()
    return rest, changed


def pressing(driver: Chrome, live: Live, rounds: int) -> tuple[list[float], list[float], list[float]]:
    """Return ms from a press in the browser to the changed and to the painted page, and from an edge to the glass.

    One round is played in the browser, the next on the pins.
    """
    changes, paints, glasses = [], [], []
    for number in range(2 * rounds):
        for key in ATTACK:
            time.sleep(BETWEEN)
            if number % 2:
                glasses.append(live.press(key)[0] * 1000)
            else:
                changed, painted = driver.execute_async_script(PRESS, KEYS[key])
                changes.append(float(changed))
                paints.append(float(painted))
    return changes, paints, glasses


@contextmanager
def watching(address: Address, passes: Passes, watchers: int, screens: int) -> Iterator[None]:
    """Connections that read all they are sent: ``watchers`` of the network, ``screens`` at the box.

    They are a process of their own: Python runs one thread of a process at a time, and the loop is not to wait for
    phones. What a fresh connection is told has come to all of them before the first press.
    """
    tokens = [*(passes.issue("watch", "bench") for _ in range(watchers)), *("" for _ in range(screens))]
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=watch, args=(address.port, tokens, there))
    process.start()
    try:
        assert here.poll(PATIENCE), "the watchers did not come in"
        here.recv()
        yield
    finally:
        process.terminate()
        process.join()


def watch(port: int, tokens: list[str], ready: Connection) -> None:
    """Read all that each of these passes is sent, "" for a browser at the box, until killed."""
    lines: list[ClientConnection] = []
    for token in tokens:
        host = f"{NAME if token else '127.0.0.1'}:{port}"
        line = connect(
            f"ws://127.0.0.1:{port}/ws",
            origin=Origin(f"http://{host}"),
            additional_headers={"Cookie": f"{COOKIE}={token}"},
            create_connection=named(host),
        )
        lines.append(line)
    for line in lines:
        receive(line, "log")
        threading.Thread(target=_read, args=(line,), daemon=True).start()
    ready.send(None)
    threading.Event().wait()


def _read(line: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        for _ in line:
            pass


def costs(live: Live, rounds: int) -> list[float]:
    """Return ms of processor that the loop took for each press, and for what it told browsers of it."""
    clock = time.pthread_getcpuclockid(live.thread)
    spent = []
    time.sleep(BETWEEN)  # whoever pressed last, hands keep their pace
    for _ in range(rounds):
        for key in ATTACK:
            before = time.clock_gettime(clock)
            live.press(key)
            time.sleep(BETWEEN)
            spent.append((time.clock_gettime(clock) - before) * 1000)
    return spent


def usual(spent: list[float]) -> float:
    """Return ms for a press, by the median of each key of an attack: keys differ by more than watchers cost."""
    return statistics.mean(statistics.median(spent[number :: len(ATTACK)]) for number in range(len(ATTACK)))


def late(shelf: StationShelf) -> Session:
    """Return a game that has gone on for `LATE` answers."""
    session = shelf.begin(games.load(GAME), {}, None, "keys")
    for answer in longest(GAME)[:LATE]:
        session.answer(answer)
    return session


def loading_late() -> Loading:
    """Load the panel late in a game."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, ExitStack() as parts:
        live = Live(Path(folder), begin=late, panel=True)
        parts.callback(live.close)
        server = WebServer(live.hub, port=0)
        address = server.start()
        parts.callback(server.stop)
        return Loading.of(parts.enter_context(chromium(records=True)), address.url)


def measure(rounds: int) -> dict[str, Any]:
    """Return all figures."""
    long = loading_late()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as parts:
        live = Live(Path(folder), panel=True)
        parts.callback(live.close)
        passes = Passes(Path(folder) / "panel.json")
        server = WebServer(live.hub, port=0, names=[NAME], passes=passes)
        address = server.start()
        parts.callback(server.stop)
        with chromium(records=True) as driver:
            fresh = Loading.of(driver, address.url)
            rest, changed = at_rest(driver)
        with chromium(records=False) as driver:
            load(driver, address.url)
            changes, painted, glasses = pressing(driver, live, rounds)
        one: list[float] = []
        many: list[float] = []
        for _ in range(4):  # in turns, for the machine is not the same all the time
            for spent, watchers, screens in ((one, 1, 0), (many, WATCHERS, SCREENS)):
                with watching(address, passes, watchers, screens):
                    spent.extend(costs(live, max(1, rounds // 4)))
                passes.revoke()
        page, glass = spread(changes), spread(glasses)
        more = usual(many) / usual(one) - 1
        return {
            "at_rest_s": REST,
            "at_rest_pictures": limit(rest["pictures"], most=0),
            "at_rest_repeated_pictures": rest["repeated"],
            "at_rest_layouts": limit(rest["layouts"], most=0),
            "at_rest_messages": limit(rest["messages"], most=0),
            "at_rest_heartbeats": rest["heartbeats"],
            "pictures_when_a_word_changes": limit(changed["pictures"], least=1),
            "ruling_desk": fresh.figures(),
            "late_in_a_game": long.figures(),
            "press_to_changed_page_ms": page,
            "press_to_painted_page_ms": spread(painted),
            "edge_to_glass_ms": glass,
            "p99_of_press_to_changed_page_of_edge_to_glass": limit(page["p99"] / glass["p99"], most=3),
            "loop_ms_a_press_with_one_watcher": spread(one),
            f"loop_ms_a_press_with_{WATCHERS}_watchers_and_{SCREENS}_screens": spread(many),
            "more_loop_time_for_watchers": limit(more, most=0.05),
        }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="rounds of five presses (default: 20)")
    figures = measure(parser.parse_args().rounds)
    print(json.dumps(figures, indent=2))
    over = missed(figures)
    for each in over:
        print(f"missed: {each}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
