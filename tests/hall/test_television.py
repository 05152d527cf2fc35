"""The hall's television in a real browser: legible from afar, upright or across, and nothing cut off."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from referee.hall.desk import Names
from referee.hall.pages import public as pages
from referee.hall.pages.render import Pages
from referee.tournament import Pairing
from tests.hall.process import running
from tests.hall.room import Room
from tests.web.page import painted

SCREEN_MM = 1439  # width of the television that is assumed: 65 inches, 16:9
DISTANCE_MM = 10_000
ARC_MINUTES = 16  # least height of a capital letter, as seen (ISO 9241-303)


def test_a_television_is_legible_at_ten_metres_and_shows_all_it_has(room: Room) -> None:
    for page in (1, 2, 3):
        room.open(f"{room.public}tv?page={page}&hold=1")
        letters = room.run(
            "const pen = document.createElement('canvas').getContext('2d');"
            "return [...document.querySelectorAll('h1, li span, li b, p')].map((each) => {"
            "pen.font = getComputedStyle(each).font; return pen.measureText('H').actualBoundingBoxAscent; })"
        )
        assert letters
        seen = math.degrees(math.atan(min(letters) / 1920 * SCREEN_MM / DISTANCE_MM)) * 60
        assert seen >= ARC_MINUTES
        cut = room.run(
            "return [...document.querySelectorAll('main *')].some((each) => "
            "each.getBoundingClientRect().bottom > innerHeight || each.getBoundingClientRect().right > innerWidth)"
        )
        assert not cut


LONG_NAMES = (
    "Wilhelmina Wolfeschlegelsteinhausen-Bergerdorff",
    "東京都千代田区丸の内一丁目中央郵便局長山田太郎",
    "MMMMMMMMMMMMMMMM",
    *(f"Maximilian Brandybuck the {n}th" for n in range(1, 16)),
)


@pytest.mark.long
def test_a_television_cuts_no_name_off(browser: Chrome, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(browser, hall)
        room.publish(LONG_NAMES)
        shown: set[str] = set()
        for page in range(1, 9):
            room.open(f"{room.public}tv?page={page}&hold=1")
            shown.update(room.run("return [...document.querySelectorAll('li span')].map((each) => each.textContent)"))
            cut = room.run(
                "return [...document.querySelectorAll('main *')].filter((each) => {"
                "const { right, bottom } = each.getBoundingClientRect();"
                "return bottom > innerHeight || right > innerWidth || each.scrollWidth > each.clientWidth + 1"
                " && getComputedStyle(each).display !== 'inline'; }).map((each) => each.textContent)"
            )
            assert cut == [], page
        assert shown == set(LONG_NAMES)


class Longest(Names):
    """Names as long as the list of players takes them."""

    def __init__(self) -> None:
        """They lie nowhere."""

    def player(self, number: int) -> str:
        return ("Wilhelmina Wolfeschlegelsteinhausen-Bergerdorff of Bruchtal", "M" * 30 + " " + "東" * 14)[number % 2]

    event = "The event"


BOTH = [{"seat": seat, "faces": (6, 5, 4, 3, 2, 6, 5, 4, 3, 2)} for seat in ("Shadow", "Free Peoples")]
RULINGS: tuple[dict[str, Any], ...] = (
    {
        "ruling": "Units left: 10 against 10",
        "dice": BOTH,
        "over": "",
        "place": ["Battle 12", "Round 3", "Casualties"],
    },
    {
        "ruling": "Free Peoples lost the whole Army",
        "dice": [],
        "thrown": "Units left: 10 against 10",
        "thrown_dice": BOTH,
        "over": "Shadow won",
        "place": [],
    },
)
"""The longest that the rulebooks have, and the most dice."""
TELEVISIONS = ((1920, 1080), (1280, 720), (1080, 1920))


@pytest.mark.parametrize("game", RULINGS, ids=lambda game: game["ruling"])
def test_a_television_cuts_nothing_of_a_ruling_off_and_is_legible_upright_too(
    browser: Chrome, tmp_path: Path, game: dict[str, Any]
) -> None:
    state = {"thrown": "", "thrown_dice": [], **game}
    shown = pages.Screen("table", "Table 199", pairing=Pairing(199, (1, 2)), game=state)
    values = {
        "number": 9,
        "pages": 9,
        "seconds": 8,
        "following": "/tv",
        "hold": True,
        "example": True,
        "doubt": False,
    }
    page = Pages(Longest()).render("tv.html", screen=shown, now=0, acts=0, **values)
    style = Path(pages.__file__).with_name("files") / "tv.css"
    (tmp_path / "tv.html").write_text(page.replace("/files/tv.css", style.as_uri()), encoding="utf-8")
    for width, height in TELEVISIONS:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get((tmp_path / "tv.html").as_uri())
        painted(browser)
        letters, outside, over = browser.execute_script(RULED)
        assert (
            math.degrees(math.atan(min(letters) / max(width, height) * SCREEN_MM / DISTANCE_MM)) * 60 >= ARC_MINUTES
        )
        assert (outside, over) == ([], []), (width, height)
    throws = [throw["faces"] for throw in game["dice"] or game["thrown_dice"]]
    assert [int(die) for die in browser.execute_script(DICE)] == [face for faces in throws for face in faces]


DICE = "return [...document.querySelectorAll('.dice b')].map((die) => die.textContent)"
RULED = """\
const pen = document.createElement('canvas').getContext('2d');
const shown = [...document.querySelectorAll('main h1, main p, main b')];
const letters = shown.map((each) => {
  pen.font = getComputedStyle(each).font;
  return pen.measureText('H').actualBoundingBoxAscent;
});
const outside = shown.filter((each) => {
  const { left, right, bottom } = each.getBoundingClientRect();
  return left < 0 || right > innerWidth || bottom > innerHeight
    || each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 9;
});
const lines = [...document.querySelectorAll('main > *')].map((each) => each.getBoundingClientRect());
const foot = document.querySelector('footer').getBoundingClientRect();
outside.push(...[...document.querySelectorAll('.dice > *')].filter((each) => {
  const { left, right, bottom } = each.getBoundingClientRect();
  return bottom > foot.top + foot.height / 4 && left < foot.right && foot.left < right;
}));
const over = lines.slice(1).filter(({ top }, at) => top < lines[at].bottom - 1);
return [letters, outside.map((each) => each.textContent), over.map(({ top }) => top)];"""
"""How high letters are, what is cut off, and what lies over another line."""


@pytest.mark.long
def test_a_television_keeps_its_page_until_the_hall_is_back(room: Room, tmp_path: Path) -> None:
    with running("--example", state=tmp_path) as hall:
        port = hall.public
        room.open(f"http://127.0.0.1:{port}/tv")
        room.run("window.asked = 0; const ask = window.fetch; window.fetch = (...all) => (asked += 1, ask(...all));")
    room.until(lambda: room.run("return window.asked >= 2"))  # nobody answers any more
    assert "your table" in room.text("h1")
    with running("--example", "--public-port", str(port), state=tmp_path):
        room.until(lambda: "page=2" in room.driver.current_url or "page=1" in room.driver.current_url)
    room.driver.get_log("browser")  # type: ignore[no-untyped-call]


def test_a_sheet_of_slips_holds_four(room: Room) -> None:
    room.open(room.own + "print/slips")
    room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    height = room.run("return document.querySelector('.paper-slip').getBoundingClientRect().height")
    hidden = room.run("return getComputedStyle(document.querySelector('nav')).display")
    room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert hidden == "none"
    assert 4 * height <= (297 - 2 * 14) / 25.4 * 96  # A4 less its margins, in CSS pixels
    fits = "return [...document.querySelectorAll('.paper-slip')].every((s) => s.scrollHeight <= s.clientHeight + 1)"
    assert room.run(fits)
