"""The panel and the big screen without a box: what browsers are told is handed to the page by the test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.web.page import Page, painted
from tests.web.recorded import Batch

GAME = "battle-of-the-ring"
EVENING = 100
"""Gestures of a recording: menus, refusals, and what is taken back among them."""
SIZES = {
    "phone": (390, 740),
    "small phone": (320, 640),
    "phone on its side": (844, 390),
    "small phone on its side": (568, 320),
    "1280x800 at 200 %": (640, 400),
    "1920x1080 at 200 %": (960, 540),
    "tablet": (768, 1024),
    "laptop": (1280, 720),
    "desk": (1920, 1080),
    "large": (2560, 1440),
    "1280x1024 at 400 %": (320, 256),
}
BOX = """
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    super();
    window.connection = this;
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }
  send(text) { if (JSON.parse(text).type === "ping") setTimeout(() => tell([{ type: "pong" }])); }
  close() { this.readyState = 3; this.dispatchEvent(new CloseEvent("close")); }
};
window.tell = (batch) => {
  connection.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(batch) }));
};
window.frame = () => new Promise((done) => requestAnimationFrame(done));
window.moved = [];
const named = (node) => {
  const place = node?.nodeType === 3 ? node.parentElement : node;
  return place ? `${place.parentElement?.id} ${place.id || place.className || place.nodeName}` : "gone";
};
const box = ({ x, y, width, height }) => `${x},${y} ${width}x${height}`;
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const what = sources.map((each) => `${named(each.node)}: ${box(each.previousRect)} to ${box(each.currentRect)}`);
    moved.push({ value, what });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
"""A stand-in for the connection, and a record of everything on the page that moved without being asked to."""

PLAY = """
const [batches, done] = arguments;
(async () => {
  for (const batch of batches) {
    tell(batch);
    await frame();
  }
  await frame();
  await frame();
  done(batches.length);
})();
"""


class Playback(Page):
    """A page that is told what a test wants, at the seam where the connection to the box is."""

    def load(self, path: str = "") -> None:
        """Open a page of the box and put the test in the connection's place."""
        script = self.command("Page.addScriptToEvaluateOnNewDocument", source=BOX)
        self.driver.get(self.address.url + path)
        self.command("Page.removeScriptToEvaluateOnNewDocument", **script)
        self.driver.set_script_timeout(120)

    def size(self, width: int, height: int, *, scale: float = 1, mobile: bool = False) -> None:
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile
        )
        painted(self.driver)  # what watches its own size does so in a frame

    def tell(self, batches: Iterable[Batch | list[Mapping[str, Any]]]) -> None:
        """Tell these one after another, each in a frame of its own."""
        told = json.loads(json.dumps(list(batches)))
        assert self.driver.execute_async_script(PLAY, told) == len(told)

    def moved(self) -> list[str]:
        """What has moved since the last look, each with where it was and is."""
        shifts = self.run("const all = moved; moved = []; return all")
        return [what for shift in shifts for what in shift["what"] or [f"{shift['value']} of the page"]]
