"""The pages in a real browser: forms are taken, pages hear of changes, nothing sticks out, all is legible."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from referee.hall.names import Names
from referee.hall.pages import tv
from referee.hall.pages.render import Pages
from referee.tournament import Pairing
from tests.hall.printed import SCALE, Sheets
from tests.hall.process import Hall, running
from tests.hall.tablet import Staff
from tests.web.judged import COLOURS, coloured, load_axe, uncoloured, violations
from tests.web.page import painted

PATIENCE = 10.0
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1920, 1080)}
PAGES = (
    "",
    "setup",
    "players?player=3",
    "round",
    "standings?one=1&other=2",
    "floor",
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
SCREEN_MM = 1439
"""Width of the television that is assumed: 65 inches, 16:9."""
DISTANCE_MM = 10_000
ARC_MINUTES = 16
"""Least height of a capital letter, as seen (ISO 9241-303)."""


class Room:
    """A hall with the example, and a browser that looks at it."""

    def __init__(self, driver: Chrome, hall: Hall) -> None:
        self.driver = driver
        self.hall = hall
        self.own, self.public = (f"http://127.0.0.1:{port}/" for port in (hall.own, hall.public))
        driver.get(f"{self.own}login")
        name, _, value = hall.cookie.partition("=")
        driver.add_cookie({"name": name, "value": value, "httpOnly": True, "sameSite": "Strict"})

    def open(self, url: str, size: str = "desk") -> None:
        width, height = SIZES[size]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get(url)
        painted(self.driver)

    def until(self, holds: Callable[[], Any]) -> None:
        WebDriverWait(self.driver, PATIENCE, 0.02, ignored_exceptions=(Exception,)).until(lambda _: holds())

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str = "main") -> str:
        return str(self.find(selector).text)

    def press_to(self, label: str) -> None:
        """Go to a button with the Tab key and press it with Enter."""
        for _ in range(40):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            if self.run("return document.activeElement.textContent").startswith(label):
                self.driver.switch_to.active_element.send_keys(Keys.ENTER)
                return
        raise AssertionError(f"no key leads to {label}")

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def do(self, path: str, do: str, **fields: str) -> None:
        """Do something in another tab."""
        assert self.hall.ask(self.hall.own, "POST", path, do=do, **fields).status == 303


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with running("--example", "--staff-port", "0", state=tmp_path_factory.mktemp("state")) as started:
        yield started


@pytest.fixture
def room(browser: Chrome, hall: Hall) -> Room:
    return Room(browser, hall)


@pytest.fixture
def axe() -> None:
    """Left out where axe-core is missing."""


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
def test_light_or_dark_is_chosen_once_for_all_pages_of_a_browser(room: Room) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    room.open(f"{room.own}?theme=light")
    light = room.run(ground)
    room.find("#theme").click()
    assert room.text("#theme") == "Dark"
    dark = room.run(ground)
    assert dark != light
    room.open(f"{room.own}round")
    assert (room.text("#theme"), room.run(ground)) == ("Dark", dark)
    room.open(f"{room.own}print/slips")
    assert room.run(ground) == "rgb(255, 255, 255)", "paper is white"
    room.run("localStorage.removeItem('referee.theme')")


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


def test_the_matches_of_a_player_fit_a_phone_and_the_clock_fills_a_television_that_stands_upright(
    browser: Chrome, tmp_path: Path
) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(browser, hall)
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.do("/players", "add", list="Maximilian Ferdinand Brandybuck-Gamwich of Buckland East\nBo")
        room.do("/players", "check-in-all")
        room.do("/setup", "open-stage", format="swiss", match="one game", sides="none")
        room.do("/round", "draft")
        room.do("/round", "publish", round="1")
        room.do("/round", "start", round="1")
        room.do("/round", "result", key="1", round="1", table="1", game1="1:1")
        room.open(f"{room.public}player?number=2", "phone")
        assert "won" in room.text(".matches")
        wide = "return [...document.querySelectorAll('main, main *')].filter((each) => each.scrollWidth > innerWidth"
        assert room.run(f"{wide} || /auto|scroll/.test(getComputedStyle(each).overflowX)).length") == 0
        metrics = {"width": 768, "height": 1024, "deviceScaleFactor": 1, "mobile": False}
        room.open(f"{room.public}tv?page=2&hold=1")
        room.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        painted(room.driver)
        digits = (
            "const range = document.createRange(); range.selectNodeContents(document.querySelector('.clock p'));"
            "const { top, bottom, left, right } = range.getBoundingClientRect();"
            "return [(top + bottom) / 2, left, right]"
        )
        middle, left, right = room.run(digits)
        assert 0.4 * 1024 < middle < 0.6 * 1024
        assert 0 < left < right < 768


def test_seat_clocks_are_chosen_on_a_phone(browser: Chrome, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(browser, hall)
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.open(room.own + "setup", "phone")
        room.find("details summary").click()
        assert room.run("return document.documentElement.scrollWidth <= innerWidth")
        assert room.run(SMALL) == []
        for name, choice in (("use", "start"), ("mode", "fischer"), ("flag", "freeze")):
            room.find(f"#settings-{name} option[value={choice}]").click()
        for name, text, refused in (("periods", "90 min/40, 30 min", "extra"), ("extra", "30 s", "")):
            field = room.find(f"#settings-{name}")
            field.clear()
            field.send_keys(text, Keys.ENTER)
            if refused:
                room.until(lambda: room.run("return document.activeElement.matches('#settings-extra[aria-invalid]')"))
                said = room.text("#settings-extra-error")
                assert said == "expected a time above 0, up to 24 h, for fischer"
                assert room.run("return document.documentElement.scrollWidth <= innerWidth")
        room.until(lambda: "The settings are saved" in room.text("body"))
        chosen = "return document.querySelector('#settings-periods').value"
        assert room.run(chosen) == "90 min/40, 30 min"


@pytest.mark.long
def test_players_are_entered_and_a_round_is_published_with_the_keys_alone(room: Room, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(room.driver, hall)
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.open(room.own + "players")
        room.find("#add-list").send_keys("Anna", Keys.ENTER, "Bo, Rohan", Keys.TAB, Keys.ENTER)
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
    room.open(room.own + "floor")
    room.do("/floor", "call", table="3")
    room.until(lambda: "Table 3, since" in room.text())
    room.find("#call-table").send_keys("5")
    room.do("/floor", "call", table="4")
    room.until(lambda: "Something has changed" in room.text())
    assert room.find("#call-table").get_attribute("value") == "5"
    assert "Table 4, since" not in room.text()
    room.find("#news a").click()
    room.until(lambda: "Table 4, since" in room.text())


def test_the_board_changes_in_place_and_what_has_the_focus_keeps_it(room: Room) -> None:
    room.open(room.own + "board", "tablet")
    room.run("window.stays = true; document.getElementById('table-7').focus()")
    room.do("/floor", "call", table="7")
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


def test_a_page_looks_again_when_a_time_is_over_though_nothing_has_happened(browser: Chrome, tmp_path: Path) -> None:
    with running("--example", state=tmp_path) as hall:
        room = Room(browser, hall)
        room.do("/round", "start", round="1")
        for url in (room.own, f"{room.own}round", f"{room.own}board", room.public):
            room.open(url)
            assert "0:00" not in room.text()
            room.run("document.querySelector('[data-again]').id = 'now'")
            assert room.run("return Boolean(document.getElementById('now'))"), "the moment has not come"
            room.run("document.getElementById('now').dataset.again = '0'")
            room.until(lambda: room.run("return document.querySelector('[data-again]')?.id === ''"))


def test_a_refusal_stands_beside_its_field_and_has_the_focus(room: Room) -> None:
    room.open(room.own + "players?player=3")
    rating = room.find("#change-3-rating")
    rating.clear()
    rating.send_keys("many", Keys.ENTER)
    room.until(lambda: room.run("return document.activeElement.matches('#change-3-rating[aria-invalid]')"))
    described = room.find("#change-3-rating").get_attribute("aria-describedby")
    assert room.text(f"#{described}") == "expected a whole number up to 9999, got 'many'"
    assert room.find("#change-3-rating").get_attribute("value") == "many"


def judging(room: Room, lines: ExitStack) -> Staff:
    """A judge's tablet is let in, and shows the floor."""
    staff = Staff(room.hall, lines)
    room.driver.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": True})
    room.open(staff.url, "tablet")
    room.find("#code").send_keys(staff.code("judge"), Keys.ENTER)
    room.until(lambda: room.text("h1") == "Floor")
    return staff


def take_back_the_pass(room: Room) -> None:
    """At the desk, of the tablet that was let in last."""
    page = room.hall.ask(room.hall.own, "GET", "/staff").read().decode()
    room.do("/staff", "revoke", **{"pass": re.findall(r'name="pass" value="(.*?)"', page)[-1]})


@pytest.mark.long
def test_a_judges_tablet_hears_calls_rules_with_the_keys_alone_and_is_let_out(room: Room) -> None:
    with ExitStack() as lines:
        staff = judging(room, lines)
        for page in ("round", "board", "standings", "floor"):
            room.open(staff.url + page, "tablet")
            assert room.run("return document.documentElement.scrollWidth <= innerWidth"), page
            assert room.run(SMALL) == [], page
        room.do("/floor", "call", table="6")
        room.until(lambda: re.search(r"Table 6, since \d+:\d+, waits 0:\d\d", room.text()))
        room.press_to("Claim")
        room.until(lambda: "judge 1" in room.text("article"))
        take_back_the_pass(room)
        room.until(lambda: room.find("#code"))
        assert [line["message"] for line in room.driver.get_log("browser")] == []  # type: ignore[no-untyped-call]


@pytest.mark.long
def test_a_tablet_whose_pass_is_gone_before_it_listens_is_let_out(room: Room) -> None:
    with ExitStack() as lines:
        staff = judging(room, lines)
        blocked = {"urls": ["*/news"]}
        room.driver.execute_cdp_cmd("Network.enable", {})
        room.driver.execute_cdp_cmd("Network.setBlockedURLs", blocked)  # its stream does not begin
        room.open(staff.url + "floor", "tablet")
        take_back_the_pass(room)
        room.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        room.until(lambda: room.find("#code"))


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


@pytest.mark.parametrize(("width", "height"), [(1080, 1920), (768, 1024), (390, 844)])
def test_a_list_has_its_whole_title_and_all_its_lines_on_an_upright_screen(
    room: Room, width: int, height: int
) -> None:
    for page in (1, 3):
        room.open(f"{room.public}tv?page={page}&hold=1")
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        room.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        painted(room.driver)
        letter, wide, bottom = room.run(TITLED)
        assert math.degrees(math.atan(letter / height * SCREEN_MM / DISTANCE_MM)) * 60 >= ARC_MINUTES
        assert wide <= 0, room.text("h1")
        assert bottom <= height


TITLED = """\
const title = document.querySelector('h1'), pen = document.createElement('canvas').getContext('2d');
pen.font = getComputedStyle(title).font;
const bottoms = [...document.querySelectorAll('main *')].map((each) => each.getBoundingClientRect().bottom);
const letter = pen.measureText('H').actualBoundingBoxAscent;
return [letter, title.scrollWidth - title.clientWidth, Math.max(...bottoms)];"""
"""How high the letters of a title are, how much of it sticks out, and how far down the page goes."""


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
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.do("/players", "add", list="\n".join(LONG_NAMES))
        room.do("/players", "check-in-all")
        room.do("/setup", "open-stage", format="swiss", match="one game", sides="assigned")
        room.do("/round", "draft")
        room.do("/round", "publish", round="1")
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
    {"ruling": "Free Peoples went into the Stronghold", "dice": [], "over": "", "place": ["Battle 12", "Round 3"]},
    {
        "ruling": "Shadow: 10 hits",
        "dice": [{"seat": "", "faces": BOTH[0]["faces"]}],
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
    shown = tv.Screen("table", "Table 199", pairing=Pairing(199, (1, 2)), game=game)
    values = {"number": 9, "pages": 9, "seconds": 8, "following": "/tv", "hold": True, "example": True}
    page = Pages(Longest()).render("tv.html", screen=shown, now=0, acts=0, **values)
    style = Path(tv.__file__).with_name("files") / "tv.css"
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
const over = lines.slice(1).filter(({ top }, at) => top < lines[at].bottom - 1);
return [letters, outside.map((each) => each.textContent), over.map(({ top }) => top)];"""
"""How high letters are, what is cut off, and what lies over another line."""


@pytest.mark.long
def test_a_television_keeps_its_page_until_the_hall_is_back(room: Room, tmp_path: Path) -> None:
    with running("--example", state=tmp_path) as hall:
        port = hall.public
        room.open(f"http://127.0.0.1:{port}/tv?seconds=1")
        room.run("window.asked = 0; const ask = window.fetch; window.fetch = (...all) => (asked += 1, ask(...all));")
    room.until(lambda: room.run("return window.asked >= 2"))  # nobody answers any more
    assert "your table" in room.text("h1")
    with running("--example", "--public-port", str(port), state=tmp_path):
        room.until(lambda: "page=2" in room.driver.current_url or "page=1" in room.driver.current_url)
    room.driver.get_log("browser")  # type: ignore[no-untyped-call]


A4 = round((210 - 2 * 14) / 25.4 * 96)
"""Width of a sheet less its margins, in CSS pixels."""


def test_paper_is_as_wide_as_its_sheet_also_with_the_most_rounds(room: Room) -> None:
    try:
        for page in ("paper", "pairings", "standings"):
            room.open(f"{room.own}print/{page}")
            metrics = {"width": A4, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
            room.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            room.run(
                "for (const row of document.querySelectorAll('.grid tr'))"
                "for (let more = 5; more <= 9; more += 1) row.lastElementChild.before(row.children[3].cloneNode())"
            )
            assert room.run("return document.documentElement.scrollWidth") <= A4, page
            room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
            room.open(f"{room.own}print/{page}", "phone")
            assert room.run("return document.documentElement.scrollWidth <= innerWidth"), page
    finally:
        room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


SIXTY_FOUR = ("Maximilian Ferdinand Brandybuck-Gamwich of Buckland East", *(f"Player{n}." for n in range(2, 65)))


def test_sheets_of_a4_have_all_that_is_to_be_printed_and_no_slip_is_split(browser: Chrome, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(browser, hall)
        room.do("/setup", "preset", preset="war-of-the-ring")
        room.do("/players", "add", list="\n".join(SIXTY_FOUR))
        room.do("/players", "check-in-all")
        room.do("/setup", "open-stage", format="swiss", match="one game", sides="assigned")
        room.do("/round", "draft")
        room.do("/round", "publish", round="1")
        room.do("/round", "start", round="1")

        def printed(page: str) -> list[str]:
            room.open(f"{room.own}print/{page}")
            answer = room.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
            pdf = b64decode(answer["data"])
            sizes = {(round(float(wide)), round(float(high))) for wide, high in re.findall(BOX, pdf)}
            assert sizes == {(595, 842)}, "points of A4"
            sheets = Sheets(pdf)
            assert sheets.scales == pytest.approx([SCALE] * len(sheets.texts)), "as large as it was meant"
            return sheets.texts

        names = ["".join(name.split()) for name in SIXTY_FOUR]
        by_name, more, by_table = printed("pairings")
        assert [sum(name in text for text in (by_name, more)) for name in names] == [1] * 64
        assert [name for name in names if name not in by_table] == []
        assert all(text.startswith("NameTable") for text in (by_name.partition("Byname")[2], more))
        slips = printed("slips")
        assert len(slips) == 8
        for sheet, text in enumerate(slips):
            tables = [f"Table{number}Event,round1" for number in range(4 * sheet + 1, 4 * sheet + 5)]
            assert text.startswith(tables[0])
            parts = re.split("|".join(tables), text)[1:]
            assert len(parts) == 4
            for part in parts:
                assert sum(name in part for name in names) == 2
                assert part.endswith("rulings,penalties(ajudge):")
        assert [sum(name in text for text in printed("standings")) for name in names] == [1] * 64
        assert len(printed("standings")) == 2
        *_, first, last = printed("paper")
        assert [sum(name in text for text in (first, last)) for name in names] == [1] * 64


BOX = rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]"


def edges(room: Room) -> tuple[int, int]:
    """Return how dark the standings are at their left and right edge, under the last line: 0 is as the page."""
    with Image.open(BytesIO(room.find(".scroll").screenshot_as_png)) as picture:
        grey = picture.convert("L")
        line = grey.tobytes()[-12 * grey.width :][: grey.width]
        ground = max(grey.tobytes())
        return ground - line[1], ground - line[-2]


def test_standings_on_a_phone_show_at_which_side_there_is_more(room: Room) -> None:
    coloured(room.driver, "light")
    try:
        room.open(f"{room.public}standings", "phone")
        assert room.run("const all = document.querySelector('.scroll'); return all.scrollWidth > all.clientWidth")
        left, right = edges(room)
        assert left < 20 < right
        room.run("document.querySelector('.scroll').scrollLeft = 10000")
        left, right = edges(room)
        assert right < 20 < left
    finally:
        uncoloured(room.driver)


def test_all_pages_stand_in_a_line_on_a_tablet(room: Room) -> None:
    metrics = {"width": 768, "height": 1024, "deviceScaleFactor": 1, "mobile": False}
    tops = "return [...document.querySelectorAll('header nav a')].map((each) => each.offsetTop)"
    room.open(room.own, "tablet")
    room.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    room.until(lambda: len(set(room.run(tops))) == 1)


def test_the_record_says_in_one_line_when_something_was_done(room: Room) -> None:
    room.open(room.own + "record", "tablet")
    lines = "return [...document.querySelectorAll('#done ~ div td:nth-child(2)')].map((each) => each.innerText)"
    height = "return document.querySelector('#done ~ div td:nth-child(2)').getClientRects()[0].height"
    assert len(room.run(lines)) > 3
    assert room.run(height) < 60  # one line with its padding; two or three are 70 and more


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
