"""Where things stand on the panel: nothing moves in a game, and the keys are in reach on every screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from referee.web.server import Address
from tests.web.playback import Playback
from tests.web.recorded import recorded
from tests.web.states import GAMES, state, states

GAME = "battle-of-the-ring"
EVENING = 100
"""Gestures of a recording: menus, refusals, and what is taken back among them."""
SIZES = {
    "phone": (390, 740),
    "small phone": (320, 640),
    "phone on its side": (844, 390),
    "small phone on its side": (568, 320),
    "1280x800 at 200 %": (640, 400),
    "1920x1080 at 200 %": (960, 540),
    "tablet": (768, 1024),
    "laptop": (1280, 720),
    "desk": (1920, 1080),
    "large": (2560, 1440),
    "1280x1024 at 400 %": (320, 256),
}
REACHED = """
const [selector] = arguments;
return [...document.querySelectorAll(selector)].filter((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
}).map((each) => each.textContent);
"""
CLIPPED = """
const whole = "#title, #box button, #box .name, #link, .card h2, .chance, .headline, #where li";
return [...document.querySelectorAll(whole)]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .filter((each) => each.clientWidth && !each.matches("#where li:not(:last-child)"))
  .map((each) => each.textContent);
"""


@pytest.fixture
def playback(browser: Chrome, address: Address) -> Iterator[Playback]:
    page = Playback(browser, address)
    yield page
    page.command("Emulation.clearDeviceMetricsOverride")


def evening(playback: Playback, size: str, *games: str, gestures: int) -> None:
    """Play these games back on a screen of this size; nothing may move, whatever moved it."""
    playback.size(*SIZES[size])
    playback.load()
    for game in games:
        beginning, *rest = recorded(game, gestures)
        playback.tell([beginning])
        playback.moved()
        playback.tell(rest)
        assert playback.moved() == [], (size, game)


def test_nothing_moves_while_a_game_is_played_on_a_phone(playback: Playback) -> None:
    evening(playback, "phone", GAME, gestures=100)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_in_any_game_on_any_screen(playback: Playback, size: str) -> None:
    evening(playback, size, *GAMES, gestures=EVENING)


@pytest.mark.long
def test_every_screen_shows_question_and_keys_without_scrolling(playback: Playback) -> None:
    question = state("question")
    playback.load()
    for name, size in SIZES.items():
        playback.size(*size)
        playback.tell([question])
        assert playback.run("return document.documentElement.scrollWidth <= innerWidth"), name
        assert playback.run("return document.querySelector('#asked').getBoundingClientRect().height >= 110"), name
        if "400 %" not in name:
            assert playback.run(REACHED, "#glass, .now, .controls button") == [], name
        if size[1] >= 390:
            assert playback.run(REACHED, ".seats button") == [], name
        assert playback.run(CLIPPED) == [], name
        question_ends, keys_begin = playback.run(
            "return [document.querySelector('.asked').getBoundingClientRect().bottom,"
            "document.querySelector('.die-keys').getBoundingClientRect().top]"
        )
        if size[0] < 500:
            assert question_ends < keys_begin, name


MEASURED = """
const [batch, done] = arguments;
let measured = 0;
for (const name of ["scrollHeight", "clientHeight"]) {
  const own = Object.getOwnPropertyDescriptor(Element.prototype, name);
  Object.defineProperty(Element.prototype, name, { ...own, get() { measured += 1; return own.get.call(this); } });
}
tell(batch);
const shown = document.querySelector(".asked").textContent;
Promise.resolve().then(() => {  // after all that heard of the change
  const before = measured;
  frame().then(frame).then(() => done([shown, before, measured]));
});
"""


@pytest.mark.long
def test_what_is_told_is_on_the_page_before_the_page_is_laid_out(playback: Playback) -> None:
    playback.size(*SIZES["laptop"])
    playback.load()
    asked, ruled = (list(state(name)) for name in ("question", "ruling"))
    playback.tell([asked])
    shown, before, measured = playback.driver.execute_async_script(MEASURED, ruled)
    card = next(message["card"] for message in ruled if message["type"] == "table")
    assert shown == f"{card['title']} {card['text']}"
    assert before == 0
    assert measured > 0, "cards and log are looked at once there is a frame"


LINES = """
const lines = ({ firstChild }) => {
  const range = document.createRange();
  range.selectNodeContents(firstChild);
  return range.getClientRects().length;
};
return [...document.querySelectorAll(".buttons.few .text")].filter((text) => text.textContent.length <= 2).map(lines);
"""


@pytest.mark.long
def test_a_number_stands_in_one_line_of_its_button(playback: Playback) -> None:
    playback.load()
    playback.tell([state("many options")])
    for name, size in SIZES.items():
        playback.size(*size)
        lines = playback.run(LINES)
        assert len(lines) > 10, name
        assert set(lines) == {1}, name
        assert playback.run(CLIPPED) == [], name


@pytest.mark.long
def test_no_name_and_no_button_is_cut_off_in_any_game(playback: Playback) -> None:
    playback.load()
    for game in GAMES:
        playback.tell([states(game)["menu"]])
        for name, size in SIZES.items():
            playback.size(*size)
            assert playback.run(CLIPPED) == [], (game, name)


TOP = "return document.querySelector(arguments[0]).getBoundingClientRect().top"


@pytest.mark.long
def test_a_ruling_is_read_beside_the_keys_without_scrolling(playback: Playback) -> None:
    ruled = state("ruling")
    ruling = next(message["ruling"] for message in ruled if message["type"] == "table")
    playback.load()
    playback.tell([ruled])
    assert ruling["headline"] in playback.text("#asked")
    for name in ("phone", "tablet", "laptop", "desk"):
        playback.size(*SIZES[name])
        assert all(line in playback.text("#asked") for line in ruling["why"]), name
        assert playback.run(TOP, ".because") < SIZES[name][1] - 60, name


USED = """
const boxes = [...document.querySelectorAll(".box, .table .card")].map((each) => each.getBoundingClientRect());
const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
return [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom)), area];
"""


@pytest.mark.long
def test_a_wide_screen_is_used(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question")])
    for name in ("desk", "large"):
        width, height = SIZES[name]
        playback.size(width, height)
        right, bottom, area = playback.run(USED)
        assert right > 0.97 * width, name
        assert 0.95 * height < bottom <= height, name
        assert area > 0.85 * width * height, name
