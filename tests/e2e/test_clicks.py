"""Whole games played by clicking alone, at a real station: on the answers, and on the seat buttons at a hand-over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By

from referee import games
from referee.journal import Journal
from referee.session.replay import judged_again
from tests.e2e.conftest import REACTION
from tests.web.clicking import MOST, Click, Clicker, Offer
from tests.web.recorded import answers, whole_game

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

    from tests.e2e.conftest import Player, Station

SIZES = {
    "battle-of-the-ring": (1280, 720),
    "war-of-the-ring": (390, 740),
    "riddle-of-the-ring": (768, 1024),
    "middle-earth-the-wizards": (844, 390),
}
"""Each book on a screen of its own: a laptop, a phone, a tablet, a phone on its side."""
LOOK = """
const text = (node, selector) => (node.querySelector(selector)?.textContent ?? "").replaceAll("\u2212", "-");
const buttons = [...document.querySelectorAll("#asked .buttons button")];
return {
  glass: document.getElementById("glass").getAttribute("aria-label"),
  offers: buttons.map((each) => [each.dataset.button, text(each, ".text"), !each.matches(".not-now")]),
  blinking: [...document.querySelectorAll('#seats [data-lamp="blink"]')].map((each) => each.dataset.key),
  log: [...document.querySelectorAll("#log li.answer")]
    .map((line) => [Number(text(line, ".seq")), text(line, ".what")]),
};
"""
"""A script that reads the page, and touches nothing."""
HIDDEN = """
const place = document.getElementById("asked").getBoundingClientRect();
const { top, bottom } = arguments[0].getBoundingClientRect();
return Math.ceil(Math.max(0, bottom - place.bottom)) - Math.ceil(Math.max(0, place.top - top));
"""
"""A script that tells how far an answer is scrolled out of sight: pixels below, negative above."""
HIT = """
const { left, top, width, height } = arguments[0].getBoundingClientRect();
return arguments[0].contains(document.elementFromPoint(left + width / 2, top + height / 2));
"""
"""A script that tells whether a click on the middle of a button comes to it."""


class Page(NamedTuple):
    """What stands on the page at one moment; ``log``: the answers in it, by the numbers of their entries."""

    glass: str
    offers: list[Offer]
    blinking: list[str]
    log: dict[int, str]


def look(player: Player) -> Page:
    seen: dict[str, Any] = player.driver.execute_script(LOOK)
    # The page has numbers in their order, the box has them in its own, by which they are named.
    offers = sorted(seen["offers"], key=lambda each: int(each[0]) if each[0].lstrip("-").isdigit() else 99)
    return Page(seen["glass"], [Offer(*each) for each in offers], seen["blinking"], dict(seen["log"]))


def click(player: Player, name: str) -> None:
    """Press a button with the mouse, once there has been time to see it."""
    place = f'#seats [data-key="{name}"]' if name.startswith("seat-") else f'#asked [data-button="{name}"]'
    button = player.driver.find_element(By.CSS_SELECTOR, place)
    ActionChains(player.driver).scroll_to_element(button).perform()
    if not name.startswith("seat-"):
        origin = ScrollOrigin.from_element(player.driver.find_element(By.ID, "asked"))
        if hidden := player.driver.execute_script(HIDDEN, button):
            ActionChains(player.driver).scroll_from_origin(origin, 0, hidden).perform()
        player.until(lambda: not player.driver.execute_script(HIDDEN, button))
    ActionChains(player.driver, duration=20).move_to_element(button).pause(REACTION).perform()
    assert player.driver.execute_script(HIT, button), f"{place} is covered by something"
    ActionChains(player.driver, duration=0).click_and_hold().pause(0.08).release().perform()


def changed(player: Player, before: Page, options: WebElement) -> bool:
    """Whether the page has come to another question, or shows the same one otherwise."""
    return player.driver.find_element(By.CSS_SELECTOR, "#asked fieldset") != options or look(player) != before


def played(player: Player, game: str) -> Iterator[Click]:
    """Click through a game from the shelf until the shelf is back."""
    clicker = Clicker(game)
    page = look(player)
    for _ in range(MOST):
        before, options = page, player.driver.find_element(By.CSS_SELECTOR, "#asked fieldset")
        name = clicker.choose(page.offers, page.blinking)
        click(player, name)
        player.until(lambda: changed(player, before, options))  # noqa: B023 - it is called at once
        page = look(player)
        words = next((each.text for each in before.offers if each.id == name), "")
        yield Click(words, tuple(text for seq, text in page.log.items() if seq not in before.log))
        if words == "Shelf":  # the end of the game offers it
            return
    raise AssertionError(f"{game} is not over after {MOST} clicks: {page.glass}")


@pytest.fixture
def sized(player: Player, game: str) -> Iterator[Player]:
    """Somebody at the screen this book is played on."""
    width, height = SIZES[game]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    player.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    yield player
    player.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.long
@pytest.mark.parametrize("game", SIZES)
def test_a_whole_game_is_clicked_through_and_is_in_the_journal(sized: Player, station: Station, game: str) -> None:
    clicks = list(played(sized, game))
    assert station.stop() == 0
    with Journal(station.journal, write=False) as journal:
        (recorded,) = journal.games()
        session = judged_again(games.load(game), journal.entries(recorded.game))
    assert recorded.over
    assert answers(session) == tuple(answer for each in clicks for answer in each.answers)
    assert clicks == list(whole_game(game).clicks), "each click answers what it says"
    assert len(answers(session)) > 20
