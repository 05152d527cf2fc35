"""The station as people start it: a process of its own, its panel in a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.browsing import page_of_browser  # noqa: F401 - a fixture
from tests.web.page import painted

PATIENCE = 15
"""Seconds a test waits for what must come."""

AGAIN = 5
"""Seconds without an answer after which somebody presses once more."""

REACTION = 0.22
"""Seconds between seeing a screen and pressing: what the guard against late presses takes a player to need."""

SURPRISED = 0.65
"""The same for a screen that came by itself."""

STROKES = {"select": Keys.ENTER, "back": Keys.BACKSPACE, "left": Keys.ARROW_LEFT, "right": Keys.ARROW_RIGHT}


class Station:
    """A running ``referee play``."""

    def __init__(self, journal: Path, *options: str, ruling_seconds: int = 0, more: str = "") -> None:
        """``more``: further lines of the configuration."""
        self.journal = journal
        command = [sys.executable, "-m", "referee", "play", "--no-browser", "--port", "0"]
        config = journal.with_suffix(".toml")
        config.write_text(f"[table]\nruling_seconds = {ruling_seconds}\n{more}")
        command += ["--config", str(config)]
        self.process = subprocess.Popen(
            [*command, "--journal", str(journal), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert match, line + self.process.stdout.read()
        self.url = match[0]

    def stop(self) -> int:
        """Ask it to end; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.rest = self.process.stdout.read()
        self.process.stdout.close()
        return code


class Player:
    """Somebody at the panel: reads what is said of the glass, and presses keys after it has changed."""

    def __init__(self, driver: Chrome, url: str) -> None:
        self.driver = driver
        self.open(url)

    def open(self, url: str) -> None:
        self.driver.get(url)
        self.until(lambda: self.text("#link") == "Connected" and self.glass)
        painted(self.driver)

    def until(self, holds: Callable[[], object]) -> None:
        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(lambda _: holds())

    def text(self, selector: str) -> str:
        return str(self.driver.find_element(By.CSS_SELECTOR, selector).text)

    @property
    def glass(self) -> str:
        """What a screen reader says of the glass."""
        return str(self.driver.find_element(By.ID, "glass").get_attribute("aria-label")).removeprefix("Glass: ")

    def press(self, *names: str, hold: float = 0.05, reaction: float = REACTION) -> None:
        """Press keys one after another, waiting for the glass to change after each.

        Whoever sees nothing happen presses once more: the browser may not yet have given the page its keys.
        """
        for name in names:
            before = self.glass
            stroke = STROKES.get(name, name)
            for patience in (AGAIN, PATIENCE):
                hands = ActionChains(self.driver, duration=0).pause(reaction)
                hands.key_down(stroke).pause(hold).key_up(stroke).perform()
                if self.changes(before, patience):
                    break
            else:
                raise AssertionError(f"{name} changed nothing on the glass: {before}")

    def changes(self, before: str, patience: float) -> bool:
        """Whether the glass says something else within so many seconds."""
        wait = WebDriverWait(self.driver, patience, poll_frequency=0.02)
        with suppress(TimeoutException):
            return bool(wait.until(lambda _: self.glass != before))
        return False

    def choose(self, label: str) -> None:
        """Press the key under which this stands, reading on and turning pages until it is there."""
        self.go_on()
        for _ in range(6):
            match = re.search(rf"(\d) {re.escape(label)}(?: \(|\.|$)", self.glass)
            if match:
                self.press(match[1])
                return
            assert "6 more" in self.glass, f"{label!r} is not in {self.glass!r}"
            self.press("6")
        raise AssertionError(f"{label!r} stands on no page")

    def go_on(self) -> None:
        """Read what is told and begin the turn, up to the next question."""
        for _ in range(8):
            if re.search(r"\. 1 |roll|, from \d", self.glass):
                return
            self.press("select")
        raise AssertionError(f"no question after {self.glass!r}")

    def pass_on(self) -> None:
        """End the phase: the pass lies one detent before the default."""
        self.press("left", "select")

    def bundle(self) -> None:
        """Hold Select: everything placed, nothing special, the same again."""
        self.press("select", hold=0.6)

    def read(self, text: str) -> None:
        """Wait until the glass says this."""
        self.until(lambda: text in self.glass)


@pytest.fixture
def ruling_seconds() -> int:
    """How long rulings stay: until a press, since a browser on a busy machine may be slow."""
    return 0


@pytest.fixture
def station(tmp_path: Path, ruling_seconds: int) -> Iterator[Station]:
    running = Station(tmp_path / "journal.db", ruling_seconds=ruling_seconds)
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.fixture
def player(station: Station, browser: Chrome) -> Player:
    return Player(browser, station.url)
