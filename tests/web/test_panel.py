"""The panel in a real browser: what the box says is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver import Keys

from referee.web.hub import PanelHold, PanelRelease, PanelTap
from referee.web.server import WebServer
from tests.web.conftest import button_of, card_of, entry_of, glass_of, lamps_of, table_of
from tests.web.page import Page, painted

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub

LIT_PIXELS = """
const glass = document.getElementById("glass");
const scale = glass.width / arguments[0];
const image = glass.getContext("2d").getImageData(0, 0, glass.width, glass.height).data;
const lit = [];
for (let y = 0; y < arguments[1]; y += 1)
  for (let x = 0; x < arguments[0]; x += 1)
    if (image[((y * scale) * glass.width + x * scale) * 4 + 3] > 200) lit.push([x, y]);
return lit;
"""
BY_PIXELS = """
const { width, clientWidth } = document.getElementById("glass");
return Math.abs(width - clientWidth * 1.5);
"""


@pytest.mark.long
def test_the_glass_shows_the_very_pixels_at_any_size(page: Page, hub: FakeHub) -> None:
    drawn = [(0, 0), (127, 0), (0, 63), (127, 63), (64, 31), (8, 7), (7, 8)]
    hub.publish(glass_of(*drawn))
    want = sorted([x, y] for x, y in drawn)
    for width in (1600, 1000, 500, 320):
        page.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1.5, mobile=False
        )
        painted(page.driver)  # a canvas follows its new size a frame later
        page.until(lambda: sorted(page.run(LIT_PIXELS, 128, 64)) == want)
        page.until(lambda: page.run(BY_PIXELS) <= 1)  # the ratio of the screen may be told a moment later
        assert page.run("return document.getElementById('glass').width") % 128 == 0


def test_lamps_say_in_words_what_they_show(page: Page, hub: FakeHub) -> None:
    hub.publish(lamps_of(Sauron="blink", Gondor="on", Rohan="off"))
    page.until(lambda: len(page.all("#seats button")) == 3)
    names = [seat.accessible_name for seat in page.all("#seats button")]
    assert names == ["Sauron lamp blinks", "Gondor lamp lit", "Rohan lamp dark"]
    assert [word.text for word in page.all("#seats .says")] == ["lamp blinks", "lamp lit", "lamp dark"]


def test_each_screen_is_announced_once_and_no_detent_repeats_it(page: Page, hub: FakeHub) -> None:
    live = page.find("[aria-live='polite']")
    assert live.get_attribute("textContent") == table_of()["aloud"]
    page.run(
        """
        window.said = [];
        new MutationObserver((changes) => changes.forEach((change) =>
            change.addedNodes.forEach((node) => window.said.push(node.textContent))))
            .observe(arguments[0], {childList: true});""",
        live,
    )
    detent = table_of(spoken="Man-Orc attacks Gondor. lit 2", n=8)
    same_again = table_of(screen=2)
    for table in (table_of(), detent, same_again, table_of(screen=3, spoken="Gondor out", aloud="Gondor out.")):
        hub.publish(table)
        hub.publish({"type": "sound", "name": f"after {len(table)}", "pattern": [1]})
        page.until(lambda: page.find("#caption").get_property("textContent"))
        page.run("document.getElementById('caption').textContent = ''")
    assert page.run("return window.said") == [table_of()["aloud"], "Gondor out."]
    assert page.find("#glass").get_attribute("aria-label") == "Glass: Gondor out"


def test_where_the_game_stands_pools_odds_and_dice(page: Page, hub: FakeHub) -> None:
    assert [step.get_property("textContent") for step in page.all("#where li")] == ["Round 2", "Sauron", "Attack"]
    assert page.driver.title == "Attack · Battle of the Ring"
    rows = [["Gondor out", "10/36", "28 %"], ["No effect", "23/36", "64 %"], ["Man-Orc out", "3/36", "8.3 %"]]
    assert [row.text.split("\n") for row in page.all("#odds li")] == rows
    assert shares(page, "#odds") == pytest.approx([10 / 36, 23 / 36, 3 / 36], abs=0.01)
    assert [row.text.split("\n") for row in page.all("#pools li")] == [["Orc", "25"], ["Elf", "0"]]
    assert [face.text for face in page.all("#dice .count")] == [
        f"face {face}:\n{count}" for face, count in enumerate([3, 1, 0, 2, 5, 4], 1)
    ]
    outcome = {"id": "out", "text": "FP out", "chance": "", "share": 0.75}
    hub.publish(table_of(odds=[outcome], odds_of="outcome", assumes="Nobody retreats"))
    page.until(lambda: [row.text for row in page.all(".outlook li")] == ["FP out 75 %"])
    assert "Nobody retreats" in str(page.find("#pools").get_property("textContent"))
    sure, hardly = (
        outcome | {"id": text, "text": text, "share": share} for text, share in (("A", 0.9997), ("B", 0.0003))
    )
    hub.publish(table_of(odds=[sure, hardly]))
    page.until(lambda: len(page.all("#odds .bars li")) == 2)
    assert [row.text.split("\n")[-1] for row in page.all("#odds li")] == [">99.9 %", "<0.1 %"]  # G8: never 100 %
    hub.publish(table_of(odds=[], pools=[], dice={"faces": [0] * 6}, prompt=None))
    page.until(lambda: page.text("#odds") == "")
    assert not page.find(".counters").is_displayed(), "no empty cards"


def shares(page: Page, place: str) -> list[float]:
    """How far each bar is filled, as it is drawn."""
    filled = page.run(
        """return [...document.querySelectorAll(arguments[0] + " .bar")].map((bar) =>
            bar.firstChild.getBoundingClientRect().width / bar.getBoundingClientRect().width)""",
        place,
    )
    return [float(share) for share in filled]


def test_every_button_says_its_key_and_why_it_cannot_be_had(page: Page, hub: FakeHub) -> None:
    buttons = [
        button_of("0", "Elf", key="1"),
        button_of("1", "Hobbit", key="2", why_not="No Hobbit army stands there"),
        button_of("2", "Nobody", chosen=True),
    ]
    hub.publish(table_of(card=card_of(*buttons, title="Saruman", text="Who defends?")))
    page.until(lambda: page.text("#asked .says") == "Who defends?")
    assert page.text("#asked .heads") == "Sauron (Anna) · Saruman"
    shown = [button.text.split("\n") for button in page.all("#asked button")]
    assert shown == [["Elf", "1"], ["Hobbit", "2", "No Hobbit army stands there"], ["Nobody"]]
    pressed = [button.get_attribute("aria-pressed") for button in page.all("#asked button")]
    assert pressed == [None, None, "true"]


def test_a_button_sends_what_was_on_the_screen(page: Page, hub: FakeHub) -> None:
    buttons = [button_of("0", "Elf"), button_of("box-rolls", "The box rolls", held=True)]
    hub.publish(table_of(screen=17, card=card_of(*buttons)))
    page.until(lambda: len(page.all("#asked button")) == 2)
    page.all("#asked button")[0].click()
    assert hub.next_act() == PanelTap(17, "0", held=False)
    page.all("#asked button")[1].send_keys(Keys.ENTER)
    assert hub.next_act() == PanelTap(17, "box-rolls", held=True)
    # Another question: no answer to it has the focus, so that the next Enter sends none.
    hub.publish(table_of(screen=18, card=card_of(*buttons, text="Once more")))
    page.until(lambda: "Once more" in page.text("#asked"))
    page.until(lambda: page.run("return document.activeElement.id") == "asked-head")


def test_a_ruling_stands_there_whole_until_the_next(page: Page, hub: FakeHub) -> None:
    assert page.text("#ruling") == "So far\nNothing has been ruled yet."
    ruling = {
        "headline": "Gondor out",
        "faces": [5, 4],
        "total": "9",
        "need": "9+ kills",
        "changed": "Gondor 8→7",
        "to_do": ["Take the army off"],
        "why": ["5+4=9: defender out", "Odds 10/36"],
        "rules": ["BR-45", "BR-49"],
    }
    hub.publish(table_of(ruling=ruling))
    page.until(lambda: page.all("#ruling .headline"))
    assert page.text("#ruling .kick") == "Last ruling"
    page.find("#ruling summary").click()
    told = page.text("#ruling")
    for line in ("Gondor out", "= 9", "9+ kills", "Take the army off", "Gondor 8→7", "5+4=9: defender out"):
        assert line in told
    assert page.text("#ruling .throw .unseen") == "Dice 5 and 4"
    assert len(page.all("#ruling .throw svg")) == 2
    assert [rule.text for rule in page.all("#ruling .rules code")] == ["BR-45", "BR-49"]
    assert not page.all("#asked .because *"), "the reasons are not those of the question"
    page.find("#ruling summary").send_keys(Keys.ESCAPE)
    assert not page.find("#ruling .why").is_displayed()
    assert hub.no_more_acts()
    card = card_of(button_of("select", "Go on"), kind="ruling", title="Ruling", text="Gondor out")
    hub.publish(table_of(screen=2, ruling=ruling, card=card))
    page.until(lambda: page.all("#ruling.fresh"))
    assert [each.get_attribute("textContent") for each in page.all(".because > *")] == [
        "Gondor 8→7",
        "Take the army off",
        "5+4=9: defender outOdds 10/36",
    ]
    hub.publish(table_of(ruling=None))
    page.until(lambda: "Nothing has been ruled" in page.text("#ruling"))


def test_what_the_box_says_is_text_and_never_markup(page: Page, hub: FakeHub) -> None:
    evil = "<img src=x onerror=alert(1)>"
    hub.publish({"type": "log", "entries": [entry_of(1, text=evil, why=[evil], rules=[evil])]})
    hub.publish(lamps_of(**{evil: "on"}))
    hub.publish(
        table_of(title=evil, where=[evil], spoken=evil, odds=[{"id": "x", "text": evil, "chance": "1/1", "share": 1}])
    )
    page.until(lambda: page.text("#title") == evil)
    assert not page.all("img")


@pytest.mark.long
def test_a_lost_line_is_shown_and_healed_and_no_press_waits_for_it(
    page: Page, hub: FakeHub, server: WebServer
) -> None:
    page.hands().key_down(Keys.BACKSPACE).perform()
    assert hub.next_act() == PanelHold("back")
    server.stop()
    assert hub.next_act() == PanelRelease("back")
    page.until(lambda: page.text("#link") == "Disconnected, reconnecting…")
    assert page.find(".veil").is_displayed()
    page.key("die-1").click()
    hub.publish(table_of(title="Later"))
    again = WebServer(hub, port=page.address.port)
    again.start()
    try:
        page.until(lambda: page.text("#link") == "Connected")
        page.until(lambda: page.text("#title") == "Later")
        assert not page.find(".veil").is_displayed()
        page.hands().key_up(Keys.BACKSPACE).send_keys("2").perform()
        assert hub.clicked() == "die-2"
        assert hub.no_more_acts()
    finally:
        again.stop()


def test_a_name_is_typed_without_pressing_a_key_of_the_box(page: Page, hub: FakeHub) -> None:
    page.find("#fold").click()
    page.find("#names summary").click()
    field = page.find("#player-seat-1")
    assert field.accessible_name == "Sauron"
    field.send_keys("Anna 2", Keys.ENTER)
    page.until(lambda: hub.named == [("seat-1", "Anna 2")])
    assert hub.no_more_acts()
    lamps = lamps_of(Sauron="blink", Saruman="off")
    lamps["seats"][0]["player"] = "Anna 2"
    hub.publish(lamps)
    page.until(lambda: [page.text(f"#seats {part}") for part in (".name", ".player")] == ["Sauron", "Anna 2"])
    assert " ".join(page.key("seat-1").accessible_name.split()) == "Sauron Anna 2 lamp blinks"


def test_a_name_that_the_box_refuses_is_marked_until_one_is_saved(page: Page, hub: FakeHub) -> None:
    page.find("#fold").click()
    page.find("#names summary").click()
    field = page.find("#player-seat-1")
    field.send_keys("Anna\u3164", Keys.ENTER)  # a letter that nobody sees
    page.until(lambda: page.text("#notice"))
    assert field.get_attribute("aria-invalid") == "true"
    assert [each.text for each in page.all(".unsaved")] == ["✕ not saved", "", "", ""]
    hub.publish(lamps_of(Sauron="on", Saruman="off"))
    page.until(lambda: page.text("#seats .says") == "lamp lit")
    assert (page.text(".unsaved"), field.get_attribute("value")) == ("✕ not saved", "Anna\u3164")
    field.send_keys(Keys.BACKSPACE, Keys.ENTER)
    page.until(lambda: hub.named == [("seat-1", "Anna")])
    lamps = lamps_of(Sauron="on", Saruman="off")
    lamps["seats"][0]["player"] = "Anna"
    hub.publish(lamps)
    page.until(lambda: not page.text(".unsaved"))
    assert field.get_attribute("aria-invalid") is None


def test_whose_button_it_is_and_what_a_game_referees_are_told(page: Page, hub: FakeHub) -> None:
    hub.publish(
        table_of(
            card=card_of(button_of("select", "Begin", key="your button or Select"), kind="idle", text="Attack")
            | {"whose": "Sauron"}
        )
    )
    page.until(lambda: page.text("#asked .whose") == "Sauron, press your button")
    assert " ".join(page.text("#asked .buttons").split()) == "Begin your button or Select"
    hub.publish(table_of(card=card_of(button_of("0", "Battle", note="The whole game"), kind="rows", title="Referee")))
    page.until(lambda: page.text("#asked .buttons small") == "The whole game")
    assert not page.all("#asked .whose")


def test_the_report_of_a_finished_game_is_downloaded_once_it_is_written(page: Page, hub: FakeHub) -> None:
    assert not page.all(".report")
    page.run("""window.taken = [];
        HTMLAnchorElement.prototype.click = function () { taken.push(this.getAttribute("href"), this.download); };
        window.setTimeout = (call) => { window.again = call; };""")
    hub.reported = hub.anonymous = b""
    hub.publish(table_of(report=True))
    page.until(lambda: page.all(".report"))
    page.find(".report").click()
    page.until(lambda: page.text("#report .quiet") == "Writing the report…")
    hub.reported = b"<!doctype html>"
    page.run("window.again()")
    page.until(lambda: page.run("return window.taken"))
    assert page.run("return window.taken") == ["report.html", ""], "the answer names the file"
    assert page.text("#report .quiet") == ""
    page.find("#report .check").click()
    page.find(".report").click()
    page.until(lambda: page.text("#report .quiet") == "Writing the report…")
    hub.anonymous = b"<!doctype html>"
    page.run("window.again()")
    page.until(lambda: page.run("return window.taken[2]") == "report.html?anonymous")


def test_a_list_keeps_the_rows_that_have_every_word(page: Page) -> None:
    page.driver.get(f"{page.address.url}rules")
    shown = (
        "return [...document.querySelectorAll('h2, tr')].filter((e) => e.checkVisibility()).map((e) => e.innerText)"
    )
    assert page.text("#found") == "2 of 2"
    page.find("#words").send_keys("riddle rr")
    assert (page.run(shown), page.text("#found")) == (["Riddle & ring", "RR-1\t<b>rules</b>"], "1 of 2")
    page.find("#words").send_keys(" anna")
    assert (page.run(shown), page.text("#found")) == ([], "Nothing found.")


def test_no_complaint_in_the_console_and_nothing_from_outside(page: Page, hub: FakeHub) -> None:
    page.key("die-1").click()
    hub.publish({"type": "sound", "name": "key", "pattern": [10]})
    hub.publish({"type": "a kind of a later version"})
    hub.publish({"type": "log", "entries": [entry_of(1, why=["because"])]})
    page.until(lambda: page.all("#log li"))
    own = page.address.url
    log = page.driver.get_log("browser")  # type: ignore[no-untyped-call]
    assert [line for line in log if own in line["message"]] == []  # pages of earlier tests may still be leaving
    urls = page.run("return performance.getEntries().map((each) => each.name).filter((name) => name.includes(':'))")
    assert f"{own}main.js" in urls
    assert [url for url in urls if not url.startswith(own)] == []
