"""Panel, big screen and pairing as axe-core judges them: every state, in light, dark and forced colours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from referee.web.server import Address
from tests.web.conftest import NAME
from tests.web.judged import COLOURS, coloured, load_axe, uncoloured, violations
from tests.web.playback import Playback
from tests.web.states import GAMES, state, states

SIZES = {"phone": (390, 740), "desk": (1920, 1080)}
SMALL = """
return [...document.querySelectorAll("button, a[href], summary, input:not([type=radio]), label:has(input)")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".skip, #log *"))
  .filter((each) => each.offsetWidth < 44 || each.offsetHeight < 44)
  .map((each) => `${each.outerHTML} ${each.offsetWidth}x${each.offsetHeight}`);
"""
"""What is hard to hit with a finger. A line of the log is as wide as the log."""
PALE = """
const shown = (selector) => {
  const node = document.querySelector(selector);
  const style = getComputedStyle(node);
  return [style.backgroundColor, style.backgroundImage, style.fill].join(" ");
};
return [shown(".bezel"), shown(".fill"), shown(".bar"), shown("#die-keys .die")];
"""


@pytest.fixture
def axe(browser: Chrome, address: Address) -> Iterator[Judged]:
    page = Judged(browser, address)
    yield page
    page.command("Emulation.clearDeviceMetricsOverride")
    uncoloured(browser)


class Judged(Playback):
    """A page with axe-core in it."""

    def load(self, path: str = "") -> None:
        super().load(path)
        load_axe(self.driver)

    def coloured(self, colours: str) -> None:
        coloured(self.driver, colours)

    def violations(self) -> list[str]:
        return violations(self.driver)


def test_the_panel_of_a_game_breaks_no_rule(axe: Judged) -> None:
    axe.size(*SIZES["phone"])
    axe.load()
    for name, colours in (("barred option", "dark"), ("ruling", "forced, light")):
        axe.coloured(colours)
        axe.tell([state(name)])
        assert axe.violations() == [], name
        assert axe.run(SMALL) == [], name


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("path", ["", "tv"])
def test_no_page_breaks_a_rule_in_any_state(axe: Judged, path: str, colours: str, size: str) -> None:
    axe.coloured(colours)
    axe.size(*SIZES[size])
    axe.load(path)
    for game in GAMES:
        for name, told in states(game).items():
            axe.tell([told])
            assert axe.violations() == [], (game, name)
            assert axe.run(SMALL) == [], (game, name)


@pytest.mark.long
def test_forced_colours_keep_the_glass_dark_and_the_bars_apart(axe: Judged) -> None:
    axe.coloured("forced, light")
    axe.load()
    axe.tell([state("roll")])
    glass, fill, bar, die = axe.run(PALE)
    assert "rgb(5, 6, 7)" in glass
    assert fill.split(" ")[0] != bar.split(" ")[0]
    assert "rgb(42, 31, 18)" in die
    assert axe.run("return getComputedStyle(document.querySelector('.bar')).borderTopStyle") == "solid"


@pytest.mark.long
def test_pairing_breaks_no_rule(axe: Judged, network: Address) -> None:
    axe.driver.get(f"http://{NAME}:{network.port}/")
    load_axe(axe.driver)
    for colours in COLOURS:
        axe.coloured(colours)
        for step in ("out", "code"):
            axe.run("document.querySelector('.pair').dataset.state = arguments[0]", step)
            assert axe.violations() == [], (colours, step)
            assert axe.run(SMALL) == [], (colours, step)
