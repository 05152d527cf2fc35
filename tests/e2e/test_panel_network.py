"""A browser of the network at a running station: let in at the box, watching, put out by the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from tests.e2e.conftest import SURPRISED, Player, Station
from tests.web.page import painted

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

NAME = "referee.localhost"  # the loopback to Chromium, a stranger's name to the station


@pytest.fixture
def open_station(tmp_path: Path) -> Iterator[Station]:
    (tmp_path / "referee.toml").write_text(f'[panel]\nhost = "0.0.0.0"\nnames = ["{NAME}"]\n')
    running = Station(tmp_path / "journal.db", "--config", str(tmp_path / "referee.toml"))
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.mark.long
def test_a_stranger_is_let_in_to_watch_and_put_out_again(open_station: Station, browser: Chrome) -> None:
    judge = Player(browser, open_station.url)
    at_the_box = browser.current_window_handle
    browser.switch_to.new_window("tab")
    visitor = browser.current_window_handle

    def find(selector: str) -> WebElement:
        return browser.find_element(By.CSS_SELECTOR, selector)

    browser.switch_to.window(at_the_box)
    judge.press("back", hold=0.6)
    judge.press("2", reaction=SURPRISED)
    judge.until(lambda: re.search(r"\d{3} \d{3}\. ", judge.glass))
    code = re.search(r"\d{3} \d{3}", judge.glass)
    assert code
    browser.switch_to.window(visitor)
    browser.get(open_station.url.replace("127.0.0.1", NAME))
    find("#code").send_keys(code[0], Keys.ENTER)
    judge.until(lambda: "choose at the box" in judge.text("#says"))
    browser.switch_to.window(at_the_box)
    judge.read("1 Watch")
    judge.press("1", reaction=SURPRISED)
    judge.press("select", hold=1.2)
    browser.switch_to.window(visitor)
    judge.until(lambda: browser.find_elements(By.ID, "link") and judge.text("#link").endswith("watching"))
    before = judge.glass
    painted(browser)
    find("body").send_keys("1")
    judge.until(lambda: "can only watch" in judge.text("#notice"))
    assert judge.glass == before
    command = [sys.executable, "-m", "referee", "panel", "--journal", str(open_station.journal), "--revoke", "all"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert "watch" in done.stdout
    browser.switch_to.window(at_the_box)
    judge.press("back")
    browser.switch_to.window(visitor)
    judge.until(lambda: browser.find_elements(By.ID, "form"))
    browser.delete_all_cookies()
    browser.close()
    browser.switch_to.window(at_the_box)
    assert open_station.stop() == 0
    assert code[0].replace(" ", "") not in open_station.rest.replace(" ", "")
    assert "was let in to the panel: watch" in open_station.rest
