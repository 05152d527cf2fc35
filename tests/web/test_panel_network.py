"""Being let in, in a real browser: the code is typed, the box is asked, and the panel opens as far as it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from referee.web.passes import Passes
from referee.web.server import Address
from tests.web.conftest import NAME
from tests.web.page import PATIENCE, painted

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


class Visitor:
    """Somebody with a browser that the box does not know."""

    def __init__(self, driver: Chrome, hub: FakeHub, port: int) -> None:
        self.driver = driver
        self.hub = hub
        driver.get(f"http://{NAME}:{port}/")

    def text(self, selector: str) -> str:
        return str(self.driver.find_element(By.CSS_SELECTOR, selector).text)

    def until(self, selector: str, text: str) -> None:
        wait = WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05, ignored_exceptions=[Exception])
        wait.until(lambda _: text in self.text(selector))

    def type(self, code: str) -> None:
        self.driver.find_element(By.ID, "code").send_keys(code, Keys.ENTER)


@pytest.fixture
def visitor(browser: Chrome, hub: FakeHub, network: Address) -> Iterator[Visitor]:
    yield Visitor(browser, hub, network.port)
    browser.delete_all_cookies()


def test_a_browser_is_let_in_watches_and_is_put_out_again(visitor: Visitor, hub: FakeHub, passes: Passes) -> None:
    visitor.type(f"{hub.code[:3]} {hub.code[3:]}")
    visitor.until("#says", "choose at the box")
    hub.visitor().answer("watch")
    visitor.until("#link", "watching")
    assert visitor.driver.execute_script("return document.cookie") == ""
    painted(visitor.driver)
    ActionChains(visitor.driver).send_keys("1").perform()
    visitor.until("#notice", "can only watch")
    assert hub.no_more_acts()
    passes.revoke()
    ActionChains(visitor.driver).send_keys("1").perform()
    visitor.until("label[for=code]", "Code on the box")
    assert hub.no_more_acts()


@pytest.mark.long
def test_a_wrong_code_can_be_tried_again_and_a_refusal_is_said(visitor: Visitor, hub: FakeHub) -> None:
    visitor.type("000000")
    visitor.until("#says", "Wrong code.")
    visitor.type(hub.code)
    visitor.until("#says", "choose at the box")
    hub.visitor().answer("")
    visitor.until("#says", "did not let this browser in")  # heard without a press
    assert visitor.driver.find_element(By.ID, "code").is_displayed()
    assert all(entry["level"] != "SEVERE" or "status of 4" in entry["message"] for entry in logs(visitor))


def logs(visitor: Visitor) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = visitor.driver.get_log("browser")  # type: ignore[no-untyped-call]
    return entries
