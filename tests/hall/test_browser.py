"""The pages in a real browser: forms are taken, pages hear of changes, nothing sticks out."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from tests.hall.process import running
from tests.hall.room import SIZES, Room
from tests.hall.tablet import Staff
from tests.web.judged import COLOURS, coloured, load_axe, uncoloured, violations

PAGES = (
    "",
    "setup",
    "players?player=3",
    "round",
    "standings?one=1&other=2",
    "judges",
    "board",
    "table?table=1",
    "record",
    "print/slips",
    "staff",
)
SMALL = """\
const wanted = 'button, select, nav a, main input:not([type=hidden], [type=checkbox])';
const seen = [...document.querySelectorAll(wanted)].filter((each) => each.offsetParent);
return seen.filter((each) => each.offsetHeight < 44).map((each) => each.outerHTML);"""
"""What is hard to hit with a finger."""


@pytest.mark.long
@pytest.mark.parametrize("colours", COLOURS)
def test_no_page_breaks_a_rule_of_accessibility(room: Room, axe: None, colours: str) -> None:
    del axe
    coloured(room.driver, colours)
    try:
        for url in (*(room.own + page for page in PAGES), room.public, f"{room.public}standings", f"{room.public}tv"):
            room.open(url)
            load_axe(room.driver)
            assert violations(room.driver) == [], url
    finally:
        uncoloured(room.driver)


@pytest.mark.long
def test_nothing_sticks_out_of_any_page_and_nothing_is_blocked(room: Room) -> None:
    urls = [
        *(room.own + page for page in PAGES),
        room.public,
        *(room.public + page for page in ("standings", "staff", "player?number=3")),
    ]
    for size in SIZES:
        for url in urls:
            room.open(url, size)
            assert room.run("return document.documentElement.scrollWidth <= innerWidth"), (url, size)
            small = room.run(SMALL)
            assert small == [], (url, size)
    assert [line["message"] for line in room.driver.get_log("browser")] == []  # type: ignore[no-untyped-call]


def test_a_long_name_keeps_forms_on_a_phone(browser: Chrome, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), "--box-port", "0", state=tmp_path) as hall:
        room = Room(browser, hall)
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.do("/players", "add", list="Maximilian Ferdinand Brandybuck-Gamwich of Buckland East\nBo")
        room.do("/players", "check-in-all")
        room.do("/setup", "open-stage", format="swiss", match="one game", sides="none")
        room.do("/round", "draft")
        room.do("/round", "publish", round="1")
        for page in ("round", "standings"):
            room.open(room.own + page, "phone")
            room.run("for (const fold of document.querySelectorAll('details')) fold.open = true")
            every = "[...document.querySelectorAll('main :is(select, input, button)')]"
            right = f"return Math.max(...{every}.map((each) => each.getBoundingClientRect().right))"
            assert room.run(right) <= SIZES["phone"][0], page


@pytest.mark.long
def test_players_are_entered_and_a_round_is_published_with_the_keys_alone(room: Room, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(room.driver, hall)
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.open(room.own + "players")
        room.find("#add-list").send_keys("Anna", Keys.ENTER, "Bo, 1650", Keys.TAB, Keys.ENTER)
        room.until(lambda: "2 players are entered" in room.text())
        room.do("/players", "check-in-all")
        room.do("/setup", "open-stage", format="swiss", match="one game", sides="assigned")
        room.open(room.own + "round")
        room.press_to("Draft the next round")
        room.until(lambda: "Nothing is amiss" in room.text())
        room.press_to("Publish round 1")
        room.until(lambda: "published" in room.text(".state"))


@pytest.mark.long
def test_a_page_shows_what_is_done_elsewhere_unless_somebody_is_filling_in_a_form(room: Room) -> None:
    room.open(room.own + "judges")
    room.do("/judges", "call", table="3")
    room.until(lambda: "Table 3, since" in room.text())
    room.find("#call-table").send_keys("5")
    room.do("/judges", "call", table="4")
    room.until(lambda: "Something has changed" in room.text())
    assert room.find("#call-table").get_attribute("value") == "5"
    assert "Table 4, since" not in room.text()
    room.find("#news a").click()
    room.until(lambda: "Table 4, since" in room.text())


def test_the_board_changes_in_place_and_what_has_the_focus_keeps_it(room: Room) -> None:
    room.open(room.own + "board", "tablet")
    room.run("window.stays = true; document.getElementById('table-7').focus()")
    room.do("/judges", "call", table="7")
    room.until(lambda: "table 7" in room.text("#calling") and "Calls since" in room.text("#t7"))
    assert room.run("return window.stays && document.activeElement.id") == "table-7"
    room.driver.switch_to.active_element.send_keys(Keys.ENTER)
    room.until(lambda: room.text("h1") == "Table 7" and "Calls since" in room.text("#table"))
    assert [line["message"] for line in room.driver.get_log("browser")] == []  # type: ignore[no-untyped-call]


@pytest.mark.long
def test_a_phone_hears_that_a_round_has_started(room: Room) -> None:
    room.open(room.public, "phone")
    assert "has not started" in room.text()
    room.do("/round", "start", round="1")
    room.until(lambda: "is being played" in room.text() and "3:59:" in room.text(".big"))


def test_a_refusal_stands_beside_its_field_and_has_the_focus(room: Room) -> None:
    room.open(room.own + "players?player=3")
    rating = room.find("#change-3-rating")
    rating.clear()
    rating.send_keys("many", Keys.ENTER)
    room.until(lambda: room.run("return document.activeElement.matches('#change-3-rating[aria-invalid]')"))
    described = room.find("#change-3-rating").get_attribute("aria-describedby")
    assert room.text(f"#{described}") == "Expected a whole number up to 9999, got 'many'"
    assert room.find("#change-3-rating").get_attribute("value") == "many"


def judging(room: Room, lines: ExitStack) -> Staff:
    """A judge's tablet is let in, and shows the floor."""
    staff = Staff(room.hall, lines)
    room.driver.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": True})
    room.open(staff.url, "tablet")
    room.find("#code").send_keys(staff.code("judge"), Keys.ENTER)
    room.until(lambda: room.text("h1") == "Judges")
    return staff


def take_back_the_pass(room: Room) -> None:
    """At the desk, of the tablet that was let in last."""
    page = room.hall.ask(room.hall.own, "GET", "/staff").read().decode()
    room.do("/staff", "revoke", **{"pass": re.findall(r'name="pass" value="(.*?)"', page)[-1]})


@pytest.mark.long
def test_a_judges_tablet_hears_calls_rules_with_the_keys_alone_and_is_let_out(room: Room) -> None:
    with ExitStack() as lines:
        staff = judging(room, lines)
        for page in ("round", "board", "standings", "judges"):
            room.open(staff.url + page, "tablet")
            assert room.run("return document.documentElement.scrollWidth <= innerWidth"), page
            assert room.run(SMALL) == [], page
        room.do("/judges", "call", table="6")
        room.until(lambda: re.search(r"Table 6, since \d+:\d+, waits 0:\d\d", room.text()))
        room.press_to("Claim")
        room.until(lambda: "judge 1" in room.text("article"))
        take_back_the_pass(room)
        room.until(lambda: room.find("#code"))
        assert [line["message"] for line in room.driver.get_log("browser")] == []  # type: ignore[no-untyped-call]
