"""The figures of the pocket, in Chromium with the network cut, as JSON: ``python -m tests.firmware.pocket.figures``.

``--panel`` measures the presses on the panel of a simulated box alone, which is what they are compared with.

``cold_s``, ``warm_s``  from opening the page to its first question: the first time, and with the server gone
``cold_of_bare``        cold, beside a page that only starts Pyodide, in the same run
``press_ms``            from a press to the changed page; ``panel_press_ms``: on the panel of a simulated box
``tab_mib``             proportional memory of the tab's process after all presses
``games``               for each book and size: presses, whether it came to its end, whether the same answers lead to
                        the same question here, and how many pictures the glass showed that the station shows, too,
                        bit for bit, when it is pressed in the same way (``pictures``), and how many not (``other``)
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from io import BytesIO
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from firmware.pocket.build import main as build
from referee import games
from referee.journal.export import Export, read, replay
from tests.e2e.conftest import REACTION, Station
from tests.firmware.pocket.test_site import Site, Visitor
from tests.station.test_pocket import Page

SIZES = ((360, 740), (1280, 800))
BARE = """
import { loadPyodide } from "./PYTHON/pyodide.mjs";
await loadPyodide({ indexURL: new URL("./PYTHON/", import.meta.url).href });
document.title = "started";
"""
PRESSED = """
const [number, done] = arguments;
const asked = document.getElementById("asked");
const begun = performance.now();
const watch = new MutationObserver(() => requestAnimationFrame(() => {
  watch.disconnect();
  done(performance.now() - begun);
}));
watch.observe(asked, { childList: true, subtree: true, characterData: true });
setTimeout(() => { watch.disconnect(); done(-1); }, 700);
[...asked.querySelectorAll("button:not([disabled])")][number].click();
"""

LISTEN = """
const done = arguments[arguments.length - 1];
const script = document.querySelector('script[src$="pocket.js"]').src;
import(script.replace("pocket.js", "link.js")).then(({ Link }) => {
  const link = Link.only, heard = link.listener.message, sends = link.send.bind(link);
  window.did = [];
  link.listener.message = (message) => {
    if (message.type === "glass") window.did.push({ at: performance.now(), bits: message.bits });
    heard(message);
  };
  link.send = (message) => {
    window.did.push({ at: performance.now(), message });
    return sends(message);
  };
  done();
});
"""
"""Write down from now on what is sent and what the glass shows."""


class Twin:
    """The station of the pocket in this Python, pressed as the browser is; its box throws what that one threw."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._thrown: list[tuple[int, ...]] = []
        self._page = Page(folder, [], dice=lambda *_: self._thrown.pop(0))
        self._page.wait(1)
        self._at = 0.0
        self._seen = ""

    def follow(self, did: list[dict[str, Any]], exported: Export) -> tuple[int, int]:
        """Do what was done; return how often the glass showed the same before the next press, and how often not."""
        self._thrown = [tuple(each.answer) for each in exported.entries if each.source.startswith("box-dice")]
        same = []
        for each in did:
            if "bits" in each:
                self._seen = each["bits"]
                continue
            self._page.wait((each["at"] - (self._at or each["at"])) / 1000)
            self._at = each["at"]
            if self._seen:
                same.append(self._page.told["glass"]["bits"] == self._seen)
            self._page.say(**each["message"])
        return sum(same), len(same) - sum(same)


def _opened(visitor: Visitor, url: str) -> float:
    begun = time.monotonic()
    visitor.open(url)
    return time.monotonic() - begun


def _bare(site: Site, folder: Path) -> float:
    """Return how long Pyodide takes to start in a browser that has never seen it, s."""
    (python,) = (path.name for path in site.place.glob("python-*"))
    (site.place / "bare.js").write_text(BARE.replace("PYTHON", python), "utf-8")
    (site.place / "bare.html").write_text('<title>-</title><script type="module" src="bare.js"></script>', "utf-8")
    visitor = Visitor(folder)
    begun = time.monotonic()
    visitor.chrome.get(f"{site.url}bare.html")
    while visitor.chrome.title != "started":
        time.sleep(0.01)
    visitor.chrome.quit()
    return time.monotonic() - begun


def _memory(visitor: Visitor) -> float:
    """Return the proportional memory of the largest process of the browser's pages, MiB."""
    sizes = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if b"--type=renderer" in path.read_bytes() and str(visitor.profile).encode() in path.read_bytes():
            text = (path.parent / "smaps_rollup").read_text("ascii")
            sizes.append(int(text.partition("\nPss:")[2].split()[0]) / 1024)
    return max(sizes, default=0.0)


def _pressed(visitor: Visitor, book: str, most: int, choose: random.Random) -> tuple[list[float], bool]:
    """Play a whole game by random presses; return how long each took, ms, and whether it came to its end."""
    title = games.load(book).title
    for name in ("Shelf", title, "New game", "Start"):
        visitor.choose(name)
    times: list[float] = []
    over = False
    while len(times) < most and not over:
        buttons = visitor.seen()["buttons"]
        if not buttons:
            time.sleep(0.05)
            continue
        time.sleep(REACTION)  # what comes sooner does not count
        took = visitor.chrome.execute_async_script(PRESSED, choose.randrange(len(buttons)))
        if took > 0:
            times.append(took)
        over = any(each.startswith("Rematch") for each in visitor.seen()["buttons"])
    return times, over


def _played(
    visitor: Visitor, twin: Twin, book: str, most: int, choose: random.Random
) -> tuple[dict[str, Any], list[float]]:
    """Play a whole game by random presses; return what came of it, and how long each press took, ms."""
    times, _ = _pressed(visitor, book, most, choose)
    exported = read(BytesIO(str(visitor.ask("export")).encode()))
    session = replay(exported, games.load)
    result = {
        "book": book,
        "presses": len(times),
        "entries": len(exported.entries),
        "over": session.over is not None,
        "same": (session.prompt is None or session.prompt.text != "") and session.last == exported.entries[-1],
        "errors": visitor.errors(),
    }
    did = visitor.chrome.execute_script("return window.did.splice(0)")
    result["pictures"], result["other"] = twin.follow(did, exported)
    return result, times


def _at(visitor: Visitor, size: tuple[int, int]) -> None:
    """Show the page at this size, with the shelf on the table."""
    emulated = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500}
    visitor.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", emulated)
    visitor.chrome.execute_script("document.querySelector('[data-way=shelf]')?.click()")


def _shares(times: list[float]) -> dict[str, float]:
    return {"median": round(median(times), 1), "p99": round(quantiles(times, n=100)[98], 1)}


def measure_panel(most: int, seed: int, folder: Path) -> dict[str, Any]:
    """Return how long presses take on the panel of a simulated box."""
    station = Station(folder / "box.db")
    visitor = Visitor(folder / "box")
    choose, times = random.Random(seed), list[float]()
    try:
        visitor.open(station.url)
        for number, book in enumerate(games.SHELF):
            _at(visitor, SIZES[number % 2])
            times += _pressed(visitor, book, most, choose)[0]
    finally:
        visitor.chrome.quit()
        station.stop()
    return {"panel_press_ms": _shares(times), "panel_presses": len(times)}


def measure(most: int, seed: int, folder: Path) -> dict[str, Any]:
    """Return all figures."""
    build(folder / "site")
    site = Site(folder / "site")
    visitor = Visitor(folder / "profile")
    cold = _opened(visitor, site.url)
    visitor.chrome.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    bare = _bare(site, folder / "bare")
    site.cut()
    warm = [_opened(visitor, site.url) for _ in range(3)]
    visitor.chrome.execute_async_script(LISTEN)
    twin, choose = Twin(folder / "twin"), random.Random(seed)
    played, times = [], list[float]()
    for number, book in enumerate(games.SHELF):
        width, height = SIZES[number % 2]
        for size in ((width, height), SIZES[1 - number % 2]):
            _at(visitor, size)
            result, took = _played(visitor, twin, book, most, choose)
            played.append({"size": f"{size[0]}x{size[1]}", **result})
            times += took
    memory = _memory(visitor)
    visitor.chrome.quit()
    return {
        "cold_s": round(cold, 2),
        "warm_s": round(median(warm), 2),
        "cold_of_bare": round(cold / bare, 2),
        "press_ms": _shares(times),
        "presses": len(times),
        **measure_panel(most, seed, folder),
        "tab_mib": round(memory, 1),
        "games": played,
    }


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--most", type=int, default=400, help="presses a game")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--panel", action="store_true", help="the panel of a simulated box alone")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measured = measure_panel if given.panel else measure
        print(json.dumps(measured(given.most, given.seed, Path(scratch)), indent=1))
