"""Panel, big screen and pairing as axe-core judges them: every state, in light, dark and forced colours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from referee.web.server import Address
from tests.web.conftest import NAME
from tests.web.judged import COLOURS, coloured, load_axe, uncoloured, violations
from tests.web.playback import Playback
from tests.web.recorded import Batch
from tests.web.states import GAMES, state, states

SIZES = {"phone": (390, 740), "laptop": (1280, 720), "desk": (1920, 1080)}
WHO = ("watch", "a dark seat", "judge")
"""Who looks at the panel."""
SMALL = """
const targets = "button, a[href], summary, input:not([type=radio], [type=checkbox]), label:has(input)";
return [...document.querySelectorAll(targets)]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".skip"))
  .filter((each) => each.offsetWidth < 44 || each.offsetHeight < 44)
  .map((each) => `${each.outerHTML} ${each.offsetWidth}x${each.offsetHeight}`);
"""
"""What is hard to hit with a finger; what is ticked is hit by its label."""
PALER = """
axe.setup(document.body);
const { getForegroundColor, getBackgroundColor, getContrast } = axe.commons.color;
const words = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
const pale = [...document.querySelectorAll(arguments[0])]
  .filter((node) => words(node) && !node.closest(".unseen, h2") && node.checkVisibility({ visibilityProperty: true }))
  .map((node) => [node.outerHTML, getContrast(getBackgroundColor(node), getForegroundColor(node)) ?? 0]);
axe.teardown();
return pale.filter(([, contrast]) => contrast < 4.5).map(([html, contrast]) => `${contrast.toFixed(2)}: ${html}`);
"""
"""Words that are hard to read; axe-core itself passes over those of disabled buttons."""


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


def seen_by(who: str, told: Batch) -> Batch:
    """Return what a browser of this role is told; the lamp of a seat that is not asked is dark."""
    lamps = next(message for message in told if message["type"] == "lamps")
    if who != "a dark seat":
        return [*told, {"type": "role", "role": who}]
    dark = {**lamps, "seats": [seat | {"state": "off"} for seat in lamps["seats"]]}
    return [*told, dark, {"type": "role", "role": "seat-1"}]


def test_the_panel_of_a_game_breaks_no_rule(axe: Judged) -> None:
    axe.size(*SIZES["phone"])
    axe.load()
    for name, colours in (("barred option", "dark"), ("ruling", "forced, light"), ("many options", "light")):
        axe.coloured(colours)
        for who in WHO:
            axe.tell([seen_by(who, state(name))])
            assert axe.violations() == [], (name, who)
            assert axe.run(SMALL) == [], (name, who)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_who_may_not_press_reads_answers_keys_and_lamps(axe: Judged, colours: str) -> None:
    axe.size(390, 1600)  # axe-core knows no ground of what is scrolled out of sight
    axe.load()
    axe.coloured(colours)
    flat = {"a dark seat": "#asked *, .controls *", "watch": "#asked *, .controls *, .seats *"}
    for who, places in flat.items():
        for name in ("question", "roll"):
            axe.tell([seen_by(who, state(name))])
            assert axe.run(PALER, places) == [], (name, who)
    axe.run("document.body.dataset.link = 'lost'")
    assert axe.run(PALER, flat["watch"]) == []
    assert axe.violations() == []


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
            for who in WHO if not path else WHO[:1]:
                axe.tell([seen_by(who, told)])
                assert axe.violations() == [], (game, name, who)
                assert axe.run(SMALL) == [], (game, name, who)


REFUSED = """
const [text, seconds, done] = arguments;
window.fetch = async () => new Response(JSON.stringify({ state: "out", text, seconds }), { status: 429 });
document.getElementById("code").value = "123456";
document.querySelector("#form button").click();
const says = document.getElementById("says");
new MutationObserver(() => done(says.textContent)).observe(says, { childList: true });
"""
STEP = "document.querySelector('.pair').dataset.state = arguments[0]"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", ["", "ask"])
@pytest.mark.long
def test_pairing_breaks_no_rule(axe: Judged, network: Address, path: str, size: str) -> None:
    axe.size(*SIZES[size])
    axe.driver.get(f"http://{NAME}:{network.port}/{path}")
    load_axe(axe.driver)
    assert axe.find("#leave").is_displayed() is (path == "ask")
    for colours in COLOURS:
        axe.coloured(colours)
        for step in ("role", "out"):
            axe.run(STEP, step)
            assert axe.violations() == [], (colours, step)
            assert axe.run(SMALL) == [], (colours, step)
        said = axe.driver.execute_async_script(REFUSED, "Too many codes were tried.", 15)
        assert "Try again in 15 s." in said
        assert axe.violations() == [], (colours, "refused")
        assert axe.run(SMALL) == [], (colours, "refused")
