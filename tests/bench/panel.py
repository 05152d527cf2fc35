"""The panel's figures: ``python -m tests.bench.panel`` prints them as JSON, each with its limit; 1 if one is missed.

A station on real threads, its web server, and Chromium on the loopback: how soon a page is painted; how much it loads
early and late in a game, files with their heads, and what the WebSocket tells a fresh browser; and how long a press
in the browser takes beside one on a pin of the same run, from its key event to the change of the page, as scripts
and screen readers see it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from selenium.webdriver import Chrome
from selenium.webdriver.support.wait import WebDriverWait

from referee import games
from referee.console.grammar import FIRST
from referee.session import Session
from referee.station.shelf import StationShelf
from referee.web.server import WebServer
from tests.bench.latency import ATTACK, BETWEEN, Live, ruling_desk
from tests.bench.replay import longest
from tests.bench.spread import limit, missed, spread
from tests.browsing import started
from tests.components import MEMORY

LOADS = 7
PATIENCE = 20.0
"""Seconds until what must come has come."""
KEYS = {"select": "Enter"} | {f"die-{face}": str(face) for face in range(1, 7)}

PRESS = """
const [key, done] = arguments;
const stroke = (type) => dispatchEvent(new KeyboardEvent(type, { key, code: key, bubbles: true }));
const begun = performance.now();
const seen = new MutationObserver(() => {
  seen.disconnect();
  done(performance.now() - begun);
});
seen.observe(document.getElementById("glass"), { attributeFilter: ["aria-label"] });
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
    """A browser; ``records``: what comes over the line, which costs it time."""
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


def pressing(driver: Chrome, live: Live, rounds: int) -> tuple[list[float], list[float]]:
    """Return ms from a press in the browser to the changed page, and from an edge to the glass.

    One round is played in the browser, the next on the pins.
    """
    changes, glasses = [], []
    for number in range(2 * rounds):
        time.sleep(FIRST)  # after a press on the box a browser has to wait
        for key in ATTACK:
            time.sleep(BETWEEN)
            if number % 2:
                glasses.append(live.press(key)[0] * 1000)
            else:
                changes.append(float(driver.execute_async_script(PRESS, KEYS[key])))
    return changes, glasses


def late(shelf: StationShelf) -> Session:
    """Return a game that has gone on for `LATE` answers."""
    session = shelf.begin(games.load(GAME), {}, None, "keys")
    for answer in longest(GAME)[:LATE]:
        session.answer(answer)
    return session


@contextmanager
def serving(begin: Callable[[StationShelf], Session]) -> Iterator[tuple[Live, str]]:
    """A station whose panel is served, and its address."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, ExitStack() as parts:
        live = Live(Path(folder), begin=begin, panel=True)
        parts.callback(live.close)
        server = WebServer(live.hub, port=0)
        address = server.start()
        parts.callback(server.stop)
        yield live, address.url


def loading(begin: Callable[[StationShelf], Session]) -> dict[str, Any]:
    """Return the figures of loading the panel in this game."""
    with serving(begin) as (_, url), chromium(records=True) as driver:
        return Loading.of(driver, url).figures()


def measure(rounds: int) -> dict[str, Any]:
    """Return all figures."""
    with serving(ruling_desk) as (live, url), chromium(records=False) as driver:
        load(driver, url)
        page, glass = map(spread, pressing(driver, live, rounds))
    return {
        "ruling_desk": loading(ruling_desk),
        "late_in_a_game": loading(late),
        "press_to_changed_page_ms": page,
        "edge_to_glass_ms": glass,
        "p99_of_press_to_changed_page_of_edge_to_glass": limit(page["p99"] / glass["p99"], most=3),
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
