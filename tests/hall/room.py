"""The pages of a hall in a real browser, as somebody at them sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.hall.process import Hall
from tests.web.page import painted

PATIENCE = 10.0
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1920, 1080)}


class Room:
    """A hall with the example, and a browser that looks at it."""

    def __init__(self, driver: Chrome, hall: Hall) -> None:
        self.driver = driver
        self.hall = hall
        self.own, self.public = (f"http://127.0.0.1:{port}/" for port in (hall.own, hall.public))
        driver.get(f"{self.own}login")
        name, _, value = hall.cookie.partition("=")
        driver.add_cookie({"name": name, "value": value, "httpOnly": True, "sameSite": "Strict"})

    def open(self, url: str, size: str = "desk") -> None:
        width, height = SIZES[size]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get(url)
        painted(self.driver)

    def until(self, holds: Callable[[], Any]) -> None:
        WebDriverWait(self.driver, PATIENCE, 0.02, ignored_exceptions=(Exception,)).until(lambda _: holds())

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str = "main") -> str:
        return str(self.find(selector).text)

    def press_to(self, label: str) -> None:
        """Go to a button with the Tab key and press it with Enter."""
        for _ in range(40):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            if self.run("return document.activeElement.textContent").startswith(label):
                self.driver.switch_to.active_element.send_keys(Keys.ENTER)
                return
        raise AssertionError(f"no key leads to {label}")

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def do(self, path: str, do: str, **fields: str) -> None:
        """Do something in another tab."""
        assert self.hall.ask(self.hall.own, "POST", path, do=do, **fields).status == 303

    def publish(self, players: Iterable[str]) -> None:
        """Publish round 1 of a new event in which these play War of the Ring."""
        self.do("/setup", "preset", preset="war-of-the-ring")
        self.do("/players", "add", list="\n".join(players))
        self.do("/players", "check-in-all")
        self.do("/setup", "open-stage", format="swiss", match="one game", sides="assigned")
        self.do("/round", "draft")
        self.do("/round", "publish", round="1")
