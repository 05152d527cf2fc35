"""One headless Chromium for every test of a process that needs a browser.

A conftest that imports `page_of_browser` has the fixture ``browser``.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from functools import cache

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

from tests.components import CHROMEDRIVER, CHROMIUM

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)


def started(*more: str, logs: str = "browser") -> Chrome:
    """Return a browser process that records that log; the caller ends it. Raises AssertionError."""
    assert CHROMIUM, "chromium is not installed"
    assert CHROMEDRIVER, "chromedriver is not installed"
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*ARGUMENTS, *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {logs: "ALL"} if logs else {})
    return Chrome(options=options, service=ChromeService(CHROMEDRIVER))


@cache
def _shared() -> Chrome:
    driver = started()
    atexit.register(driver.quit)
    return driver


@pytest.fixture(name="browser")
def page_of_browser() -> Iterator[Chrome]:
    """A page of its own in the browser, desktop size; emulation and logs do not outlive the test."""
    chromium = _shared()
    chromium.switch_to.new_window("tab")
    chromium.get_log("browser")  # type: ignore[no-untyped-call]
    yield chromium
    chromium.close()
    chromium.switch_to.window(chromium.window_handles[0])
