"""The clocks on the panel: in its head, by themselves, at any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.conftest import clock_of
from tests.web.page import Page

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


def times(page: Page) -> list[str]:
    return list(page.run("return [...document.querySelectorAll('#clocks time')].map((node) => node.innerText)"))


def test_clocks_stand_in_the_head_and_count_by_themselves(page: Page, hub: FakeHub) -> None:
    assert not page.find("#clocks").is_displayed()
    page.run("window.now = 0; performance.now = () => window.now")
    hub.publish(clock_of(("Free Peoples", 3_600_000, "runs"), ("Shadow", -12_000, "down"), first="Shadow"))
    page.until(lambda: times(page) == ["1:00:00", "-0:12"])
    assert page.text("#clocks .runs") == "Free Peoples\n1:00:00\nruns"
    assert page.text("#clocks .down .says") == "flag down, first"
    page.run("window.now = 61500")
    page.until(lambda: times(page) == ["58:59", "-0:12"])
    page.run("window.now = 3600000")
    page.until(lambda: times(page) == ["0:00", "-0:12"])
    hub.publish(clock_of(("Free Peoples", 30_000, "runs"), ("Shadow", 30_000, "runs"), shared=2))
    page.until(lambda: times(page) == ["0:30", "0:30"])
    page.run("window.now = 3610000")
    page.until(lambda: times(page) == ["0:25", "0:25"])
    hub.publish(clock_of(("Free Peoples", 30_000, "runs"), ("Shadow", 999, "")))
    page.until(lambda: times(page) == ["0:30", "0:01"])
    hub.publish({"type": "round", "round": 3, "ms": 61_000, "runs": True})
    page.until(lambda: times(page) == ["0:30", "0:01", "1:01"])
    hub.publish({"type": "clock", "seats": []})
    page.until(lambda: page.text("#clocks") == "Round 3\n1:01")
    page.run("window.now += 61000")
    page.until(lambda: times(page) == ["time called"])
    hub.publish({"type": "round", "round": 3, "ms": 5_000, "runs": False})
    page.until(lambda: page.text("#clocks") == "Round 3\n0:05\npaused")
    hub.publish({"type": "round", "round": 0, "ms": 0, "runs": False})
    page.until(lambda: not page.find("#clocks").is_displayed())


def test_a_page_that_is_opened_later_counts_on_from_what_has_passed_since(page: Page, hub: FakeHub) -> None:
    hub.publish(clock_of(("Free Peoples", 60_000, "runs"), ("Shadow", 60_000, ""), ago=7_000))
    hub.publish({"type": "round", "round": 3, "ms": 14_780_000, "runs": True, "ago": 20_000})
    page.run("performance.now = () => 0")
    page.load()
    page.until(lambda: len(times(page)) == 3)
    free, shadow, round_ = times(page)
    assert shadow == "1:00"
    assert "0:43" <= free <= "0:53"  # a slow machine has up to ten seconds
    assert "4:05:50" <= round_ <= "4:06:00"
    hub.publish(clock_of(("Free Peoples", 60_000, "runs"), ("Shadow", 60_000, ""), ago=7_000, shared=2))
    page.until(lambda: times(page)[0] > free)
