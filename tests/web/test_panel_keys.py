"""Keys of the panel in a real browser: what hands can do there reaches the box."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver import Keys

from referee.web.hub import PanelClick, PanelHold, PanelRelease, PanelTurn
from tests.web.conftest import button_of, card_of, table_of
from tests.web.page import Page

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


def test_die_keys_and_seats_act_while_they_are_down(page: Page, hub: FakeHub) -> None:
    for key in ("die-1", "die-6", "seat-2"):
        page.hands().click_and_hold(page.key(key)).perform()
        assert hub.clicked() == key
        assert page.all(f".down[data-key='{key}']")
        # Let go somewhere else: it was this key all the same.
        page.hands().move_to_element(page.find("#title")).release().perform()
        page.until(lambda: not page.all(".down"))
        assert hub.no_more_acts()


def test_a_hold_begins_when_it_is_no_click_any_more_and_ends_where_the_mouse_is_let_go(
    page: Page, hub: FakeHub
) -> None:
    for key in ("select", "back"):
        page.hands().click_and_hold(page.key(key)).perform()
        assert hub.next_act() == PanelHold(key)
        assert page.all(f".down[data-key='{key}']")
        assert hub.no_more_acts()
        page.hands().move_to_element(page.find("#title")).release().perform()
        assert hub.next_act() == PanelRelease(key)
        assert hub.no_more_acts()


SHORT_PRESS = """
const [button, ms] = arguments, at = { bubbles: true, pointerId: 1, button: 0 };
button.setPointerCapture = () => {};
const down = new PointerEvent("pointerdown", at);
// The page hears of it later than it happened.
Object.defineProperty(down, "timeStamp", { value: performance.now() - ms });
button.dispatchEvent(down);
button.dispatchEvent(new PointerEvent("pointerup", at));
"""


@pytest.mark.parametrize("milliseconds", [0, 25, 48, 110])
def test_a_click_on_a_seat_counts_however_short_it_is(page: Page, hub: FakeHub, milliseconds: int) -> None:
    """G2: a tap of 25 to 48 ms on a trackpad was swallowed."""
    page.run(SHORT_PRESS, page.key("seat-2"), milliseconds)
    assert hub.clicked() == "seat-2"
    assert hub.no_more_acts()


def test_a_short_press_is_one_click_that_says_how_long_it_was(page: Page, hub: FakeHub) -> None:
    for key in ("select", "back"):
        page.run(SHORT_PRESS, page.key(key), 100)
        act = hub.next_act()
        assert isinstance(act, PanelClick)
        assert act.key == key
        assert 99 <= act.ms < 300
        assert hub.no_more_acts()


def test_the_keyboard_presses(page: Page, hub: FakeHub) -> None:
    faces = {str(face): f"die-{face}" for face in range(1, 7)}
    others = {Keys.NUMPAD3: "die-3", Keys.ENTER: "select", Keys.BACKSPACE: "back", Keys.ESCAPE: "back"}
    for stroke, key in {**faces, **others, "q": "seat-1", "r": "seat-4"}.items():
        page.hands().key_down(stroke).pause(0.1).key_up(stroke).perform()
        assert hub.pressed() == key, stroke
        assert hub.no_more_acts()


def test_arrows_turn_the_encoder(page: Page, hub: FakeHub) -> None:
    for stroke, steps in ((Keys.LEFT, -1), (Keys.UP, -1), (Keys.RIGHT, 1), (Keys.DOWN, 1)):
        page.hands().send_keys(stroke).perform()
        assert hub.next_act() == PanelTurn(steps)
        assert hub.no_more_acts()


def turned(hub: FakeHub, steps: int) -> bool:
    """Whether the next turns make up ``steps``; detents close together may travel in one message."""
    total = 0
    while total != steps:
        act = hub.next_act()
        assert isinstance(act, PanelTurn)
        total += act.steps
    return True


def test_the_box_can_be_played_with_tab_and_space_alone(page: Page, hub: FakeHub) -> None:
    reached: list[str | None] = []
    while "back" not in reached:
        page.hands().send_keys(Keys.TAB).perform()
        focused = page.driver.switch_to.active_element
        reached.append(focused.get_attribute("data-key") or focused.get_attribute("data-turn"))
        if reached[-1] == "die-4":
            outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            page.hands().send_keys(Keys.SPACE).perform()
            assert hub.clicked() == "die-4"
        if reached[-1] == "select":
            # On a key of the box, Enter presses that key and not Select.
            page.hands().send_keys(Keys.ENTER).perform()
            assert hub.pressed() == "select"
        if reached[-1] == "-1":
            page.hands().send_keys(Keys.ENTER).perform()
            assert hub.next_act() == PanelTurn(-1)
    wanted = ["seat-1", "seat-4", *(f"die-{face}" for face in range(1, 7)), "-1", "select", "1", "back"]
    assert [stop for stop in reached if stop in wanted] == wanted
    assert hub.no_more_acts()


@pytest.mark.long
def test_leaving_the_window_lets_every_key_go(page: Page, hub: FakeHub) -> None:
    page.hands().key_down(Keys.BACKSPACE).perform()
    assert hub.next_act() == PanelHold("back")
    page.run("dispatchEvent(new Event('blur'))")
    assert hub.next_act() == PanelRelease("back")
    page.hands().key_up(Keys.BACKSPACE).perform()
    assert hub.no_more_acts()
    assert not page.all("button.down")


def test_whoever_answers_by_keyboard_is_never_without_a_place(page: Page, hub: FakeHub) -> None:
    focused = "return document.activeElement.dataset.button ?? document.activeElement.id"
    hub.publish(table_of(screen=2, report=True, card=card_of(button_of("select", "To the shelf"), kind="idle")))
    page.until(lambda: page.all(".report"))
    page.run("arguments[0].focus()", page.find(".report"))
    hub.publish(table_of(screen=3, card=card_of(button_of("orc", "Orc"), button_of("elf", "Elf"))))
    page.until(lambda: page.run(focused) == "asked-head")
    page.hands().send_keys(Keys.TAB, Keys.TAB).perform()
    assert page.run(focused) == "elf"
    hub.publish(table_of(screen=3, card=card_of(button_of("orc", "Orcs"), button_of("elf", "Elves"))))
    page.until(lambda: "Elves" in page.text("#asked"))
    assert page.run(focused) == "elf", "the same question, told anew"
    hub.publish(table_of(screen=4, card=card_of(button_of("orc", "Orc"), button_of("elf", "Elf"))))
    page.until(lambda: page.run(focused) == "asked-head")  # so that Enter answers nothing that was not read
    hub.publish(table_of(screen=5, card=card_of()))
    page.until(lambda: page.run(focused) == "asked-head")
    assert page.run("return getComputedStyle(document.querySelector('.stage')).outlineStyle") == "solid"
    page.find("#title").click()
    hub.publish(table_of(screen=6, card=card_of(button_of("orc", "Orc"))))
    page.until(lambda: page.all("[data-button=orc]"))
    assert page.run("return document.activeElement === document.body")
