"""A game as somebody plays it who does not see the page: what is announced, what Tab comes to, and Enter.

The page is the real one, over the real server; behind it stands a box on virtual time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys

from referee.console.grammar import UNBIDDEN
from referee.station.virtual.bench import Bench
from referee.web.server import WebServer
from tests.web.page import Page, painted, unjoined

LISTEN = """
window.announced = [...document.querySelectorAll("#spoken span")].map((each) => each.textContent);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) announced.push(node.textContent);
}).observe(document.querySelector("#spoken"), { childList: true, subtree: true, characterData: true });
"""
COUNTED = "Gondor goes from 8 to 7."
REACH = 80
"""Tab stops after which a button is not on the page."""


class Reader(Page):
    """Knows of the page what Chromium tells assistive technology, and presses Tab and Enter."""

    def __init__(self, driver: Chrome, server: WebServer, bench: Bench) -> None:
        self.bench = bench
        super().__init__(driver, server.start())
        self.run(LISTEN)

    def open(self) -> None:
        self.driver.get(self.address.url)
        self.until(lambda: self.run("return document.querySelector('#spoken').textContent"))
        painted(self.driver)

    def until(self, holds: Any) -> None:
        def happens() -> Any:
            self.bench.settle()
            return holds()

        super().until(happens)

    def heard(self) -> list[str]:
        """Return what was announced since the last time."""
        return [str(words) for words in self.run("const heard = announced; announced = []; return heard")]

    def tree(self) -> dict[str, dict[str, Any]]:
        return {node["nodeId"]: node for node in self.command("Accessibility.getFullAXTree")["nodes"]}

    def within(self, role: str, name: str) -> Iterator[tuple[str, str]]:
        """Yield role and name of all that is told of a part of the page."""
        tree = self.tree()
        (top,) = (key for key, node in tree.items() if described(node) == (role, name))
        rest = [top]
        while rest:
            node = tree[rest.pop(0)]
            rest[:0] = node.get("childIds", [])
            if not node["ignored"]:
                yield described(node)

    def answers(self) -> list[str]:
        return [name for role, name in self.within("region", "Now") if role == "button"]

    def focused(self) -> str:
        return str(self.driver.switch_to.active_element.accessible_name)

    def answer(self, name: str) -> None:
        """Go to the answer that begins so by Tab, and press it once there has been time to hear of it."""
        (name,) = (each for each in self.answers() if f"{each} ".startswith(f"{name} "))
        for _ in range(REACH):
            if self.focused() == name:
                break
            self.hands().send_keys(Keys.TAB).perform()
        assert self.focused() == name
        self.bench.wait(UNBIDDEN)
        before = self.bench.console.stage.screen, self.bench.view
        self.hands().send_keys(Keys.ENTER).perform()
        self.until(lambda: (self.bench.console.stage.screen, self.bench.view) != before)
        self.shown()

    def shown(self) -> None:
        """Wait until the page has what is on the glass."""
        self.until(lambda: self.find("#glass").get_attribute("aria-label") == f"Glass: {self.bench.text}")


def described(node: dict[str, Any]) -> tuple[str, str]:
    return str(node.get("role", {}).get("value", "")), unjoined(str(node.get("name", {}).get("value", "")))


@pytest.fixture
def reader(browser: Chrome, tmp_path: Path) -> Iterator[Reader]:
    with Bench(tmp_path / "journal.db") as bench:
        server = WebServer(bench.hub, port=0)
        yield Reader(browser, server, bench)
        server.stop()


def played(reader: Reader, *answers: str) -> list[tuple[str, str]]:
    """Return what was announced before each answer, as one text, with the answer; last what was announced then."""
    transcript = []
    for name in answers:
        transcript.append((" ".join(reader.heard()), name))
        reader.answer(name)
    return [*transcript, (" ".join(reader.heard()), "")]


@pytest.mark.long
def test_a_whole_game_is_played_by_ear(reader: Reader) -> None:
    game = [
        ("Referee. Which game?", "Battle of the Ring"),
        ("Battle of the Ring.", "New game"),
        ("New game. By which rules?", "Players: 3"),
        ("", "Start"),  # the answer that was pressed says "Players: 2" now, and has the focus
        ("Setup. Has Sauron placed 25 Orcs and Nazgûl?", "All pieces"),
        ("No builds in round 1.", "Continue"),
        ("Evil: press your button. 1st Movement.", "Begin"),
        ("Evil. Move freely. Did any of these happen?", "Moves done, all else as before"),
        ("Evil. Who attacks?", "Orc"),
        ("Evil. Orc attacks whom?", "Gondor"),
        (
            "Evil. Orc attacks Gondor. Who has a helper adjacent? (Nazgûl, Gandalf, Aragorn).",
            "No helper, open ground",
        ),
        ("Evil. Orc attacks Gondor. Roll 2 dice.", "4"),
        ("", "4"),
        (f"Gondor is out. The dice show 4 and 4. The total is 8. A throw of 8 or more kills. {COUNTED}", "Continue"),
        ("Evil. Who attacks?", "No more attacks"),
        ("Evil. Move freely. Did any of these happen?", "Ring captured"),
        ("Evil. Who captures the Ring?", "Nazgûl"),
        ("Nazgûl takes the Ring. Remove both pieces. Place your Bearer.", "Continue"),
        ("If the Ring was on hex R and leaves it, Sauron now says whose the Shire is.", "Continue"),
        ("Evil. Ring. Escape: how many hexes?", "3"),
        ("Evil. Ring. Where to?", "Barad-dûr: Evil wins"),
        ("Evil wins.", "Continue"),
    ]
    assert played(reader, *(answer for _, answer in game)) == [*game, ("Evil wins.", "")]
