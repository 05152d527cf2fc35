"""A real browser for tests that need one: headless Chromium, one process a run, a clean page a test.

Where Chromium or its driver is missing, such tests are left out and the summary says so; with CI=true they
fail instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
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

left_out = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if (CHROMIUM and DRIVER) or os.environ.get("CI") == "true":
        return
    without = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    items[:] = [item for item in items if item not in without]
    config.hook.pytest_deselected(items=without)
    config.stash[left_out] = len(without)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    count = config.stash.get(left_out, 0)
    if count:
        terminalreporter.write_line(f"{count} browser tests left out: chromium or chromedriver is not installed")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """The browser process, with its console and its network traffic recorded."""
    assert CHROMIUM, "chromium is not installed"
    assert DRIVER, "chromedriver is not installed"
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Chrome) -> Iterator[Chrome]:
    """A page of its own in the browser, desktop size; emulation and logs do not outlive the test."""
    chromium.switch_to.new_window("tab")
    for log in ("browser", "performance"):
        chromium.get_log(log)  # type: ignore[no-untyped-call]
    yield chromium
    chromium.close()
    chromium.switch_to.window(chromium.window_handles[0])
