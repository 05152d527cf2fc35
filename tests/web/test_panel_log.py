"""The panel's log: reasons, what was undone, where dice came from, and each line once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selenium.webdriver.common.by import By

from tests.web.conftest import entry_of
from tests.web.page import Page

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


def test_the_log_gives_its_reasons_and_keeps_what_was_undone(page: Page, hub: FakeHub) -> None:
    ruling = entry_of(2, text="Gondor out", kind="ruling", why=["5 + 4 = 9: in D"], rules=["BR-45", "BR-49"])
    hub.publish({"type": "log", "entries": [entry_of(1), ruling]})
    page.until(lambda: len(page.all("#log li")) == 2)
    newest = page.all("#log li")[-1]
    assert "Gondor out" in newest.text
    assert "in D" not in newest.text
    newest.find_element(By.TAG_NAME, "summary").click()
    assert newest.find_element(By.CSS_SELECTOR, ".reasons").text.split("\n") == ["5 + 4 = 9: in D", "BR-45", "BR-49"]

    hub.publish({"type": "log", "entries": [entry_of(1), ruling | {"undone": True}, entry_of(3, kind="undo")]})
    page.until(lambda: page.all("#log li.undone"))
    assert len(page.all("#log li")) == 2  # the line that is struck through says it
    undone = page.all("#log li")[1]
    assert undone.find_element(By.TAG_NAME, "s").text == "Gondor out"
    assert undone.find_element(By.CSS_SELECTOR, ".tag.undone").text == "undone"
    assert page.text("#ruling .quiet") == "Sauron: Entry 3"
    # It was open, and stays open though it changed.
    assert "5 + 4 = 9: in D" in undone.text


def test_news_of_the_log_adds_to_the_lines_before_and_leaves_them_alone(page: Page, hub: FakeHub) -> None:
    hub.publish({"type": "log", "since": 0, "entries": [entry_of(n, why=["because"]) for n in range(3)]})
    page.until(lambda: len(page.all("#log li")) == 3)
    page.run("for (const line of document.querySelectorAll('#log li')) line.seen = true")
    hub.publish({"type": "log", "since": 3, "entries": [entry_of(3)]})
    page.until(lambda: len(page.all("#log li")) == 4)
    hub.publish({"type": "log", "since": 2, "entries": [entry_of(2, undone=True), entry_of(3), entry_of(4)]})
    page.until(lambda: len(page.all("#log li")) == 5)
    assert [each.text for each in page.all("#log .seq")] == ["0", "1", "2", "3", "4"]
    assert len(page.all("#log li.undone")) == 1
    assert (
        page.run("return [...document.querySelectorAll('#log li')].map(({ seen }) => Boolean(seen))")[:2]
        == [True] * 2
    )
    hub.publish({"type": "log", "since": 5, "entries": [entry_of(n) for n in range(5, 250)]})
    page.until(lambda: page.text("#log li:last-child .seq") == "249")
    assert len(page.all("#log li")) == 200
    hub.publish({"type": "log", "since": 0, "entries": [entry_of(0)]})
    page.until(lambda: len(page.all("#log li")) == 1)
