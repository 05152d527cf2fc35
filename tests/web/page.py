"""The panel in a real browser, as somebody at it sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from referee.web.server import Address

PATIENCE = 10.0
"""Seconds until something on the page must have happened."""


def painted(driver: Chrome) -> None:
    """Wait until the page has been on the screen: Chromium drops what is pressed before."""
    driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


LINES_OF_IDS = """
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (walk.nextNode()) {
  const words = walk.currentNode;
  if (!words.parentElement.closest(".why li, .reasons p, .rules code")) continue;
  for (const id of words.data.matchAll(/[A-Z]{2}-\\u2060?X?[0-9]+/g)) {
    const range = document.createRange();
    range.setStart(words, id.index);
    range.setEnd(words, id.index + id[0].length);
    found.push(new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size);
  }
}
return found;
"""
"""A script that returns in how many lines the id of each rule stands."""


def unjoined(text: str) -> str:
    """Return a text without the joiners that keep ids of rules in one line."""
    return text.replace("\u2060", "")


class Page:
    """The panel as somebody at it sees it."""

    def __init__(self, driver: Chrome, address: Address) -> None:
        self.driver = driver
        self.address = address
        self.load()

    def load(self) -> None:
        self.open()

    def open(self) -> None:
        self.driver.get(self.address.url)
        self.until(lambda: self.text("#link") == "Connected")
        self.until(lambda: self.text("#title") != "Electronic referee")
        painted(self.driver)

    def until(self, holds: Callable[[], Any]) -> None:
        wait = WebDriverWait(self.driver, PATIENCE, 0.02, [StaleElementReferenceException])
        wait.until(lambda _: holds())

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def key(self, name: str) -> WebElement:
        return self.find(f'[data-key="{name}"]')

    def text(self, selector: str) -> str:
        return unjoined(str(self.find(selector).text))

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def hands(self) -> ActionChains:
        return ActionChains(self.driver, duration=20)

    def command(self, name: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)
