"""The big screen in a real browser: what fills it, whether it is legible from afar, and that nobody presses there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from referee.web.server import Address
from tests.web.conftest import button_of, card_of, clock_of, entry_of, table_of
from tests.web.page import Page, unjoined

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub

DIAGONAL_MM = 1265
"""Of the picture of a 50-inch screen."""
DISTANCE_MM = 5000
READABLE = 16.0, 11.9
"""Minutes of arc that a capital must fill to be read with ease (ISO 9241-303, 5.5.4), and one of many counters."""
CAPITAL = 0.7
"""Height of a capital in shares of the font size."""
SIZES = [(1280, 720), (1920, 1080), (2560, 1440), (3840, 2160), (1080, 1920), (768, 1024), (1280, 960)]

RULING = {
    "headline": "Gondor out",
    "faces": [5, 4],
    "total": "9",
    "need": "9+ kills",
    "changed": "Gondor 8→7",
    "to_do": [],
    "why": ["5+4=9: defender out", "Defender: fortress or river"],
    "rules": ["BR-45"],
}
SMALLEST = """
const sizes = [], many = arguments[0];
for (const node of document.querySelectorAll("body *")) {
  if (Boolean(node.closest(".pools.many")) !== many) continue;
  const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const style = getComputedStyle(node);
  if (own && node.offsetParent && !node.closest(".unseen, noscript")) sizes.push(parseFloat(style.fontSize));
}
return Math.min(...sizes, 1e6);
"""
OVERFLOW = """
return ["header", "main", "footer"].flatMap((name) => {
  const place = document.querySelector(name), room = place.getBoundingClientRect();
  return [...place.querySelectorAll("*")].filter((node) => {
    const box = node.getBoundingClientRect(), bottom = Math.min(room.bottom, innerHeight) + 1;
    if (!box.width || !box.height || node.closest("svg, .unseen, #where span:not(:last-child)")) return false;
    if (box.left < -1 || box.right > innerWidth + 1 || box.top < room.top - 1 || box.bottom > bottom) return true;
    if (node.matches("#where, img") || getComputedStyle(node).overflow === "visible") return false;
    return node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
  });
}).map((node) => `${node.className || node.tagName} ${node.textContent}`);
"""
"""What is cut off, or lies on something else."""


class Screen(Page):
    """The big screen across the room."""

    def open(self) -> None:
        self.driver.get(f"{self.address.url}tv")
        self.until(lambda: self.text("#title") != "Electronic referee")

    def shows(self) -> str:
        return str(self.run("return document.body.dataset.page"))


@pytest.fixture
def screen(browser: Chrome, address: Address, hub: FakeHub) -> Iterator[Screen]:
    del hub
    yield Screen(browser, address)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def at(screen: Screen, width: int, height: int) -> None:
    screen.command(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
    )


def ruled(**changes: Any) -> dict[str, Any]:
    card = card_of(button_of("select", "Go on", key="Select"), kind="ruling", title="Ruling", text="")
    return table_of(card=card, ruling=RULING | changes, prompt=None, odds=[])


GAMES = {
    "Battle of the Ring": "The whole game. Single rulings: attack",
    "War of the Ring": "Its battles, one after another. Single rulings: battle, roll",
    "Riddle of the Ring": "The whole game. Single rulings: battle, riddle",
    "Middle-earth: The Wizards": "Attacks, strikes and checks one by one. Single rulings: strike, body check",
}
STATES = {
    "ruling": ruled(),
    "a long one": ruled(
        headline="Saruman, Gandalf and Aragorn out",
        to_do=["Discard all cards laid", "Take the Ring"],
        rules=[f"BR-X{number}" for number in range(10, 16)],
    ),
    "hand-over": table_of(
        odds=[],
        card=card_of(
            button_of("select", "Begin", key="your button or Select"),
            kind="idle",
            title="Sauron",
            text="1st Movement",
        )
        | {"whose": "Sauron (Anna)"},
    ),
    "odds": table_of(),
    "question": table_of(
        odds=[], card=card_of(title="Free Peoples", text="Does the attacker go on with another round?")
    ),
    "a long question with odds": table_of(
        odds=[*table_of()["odds"], {"id": "both", "text": "Both out", "chance": "", "share": 0.0004}],
        card=card_of(kind="refusal", title="Not now", text="Enter 0 to 5 hits, or 5 faces from 1 to 6; not 3, 4"),
    ),
    "over": table_of(
        where=["Game over"],
        turn="",
        odds=[],
        over="A character who bore the Ring stood on hex M of Mordor while it held no enemy.",
        card=card_of(button_of("select", "To the shelf", key="Select"), kind="idle", title="Frodo", text="wins"),
    ),
    "many counters": table_of(
        odds=[],
        pools=[{"id": str(n), "name": "Crown's Elites", "side": "", "value": n, "cap": 30} for n in range(13)],
        card=card_of(title="Leave", text="Back to the shelf. The game is saved. Hold Select for 1 second."),
    ),
    "a long way": table_of(where=["Round 2", "1st Movement", "Movement Phase", "Permission to enter"]),
    "shelf": table_of(
        n=0,
        where=[],
        odds=[],
        pools=[],
        card=card_of(
            *(button_of(name, name, note=note) for name, note in GAMES.items()), title="Referee", text="which game?"
        ),
    ),
}


def readable(screen: Screen, width: int, height: int) -> bool:
    """Return whether all that stands there can be read at that distance."""
    sizes = [CAPITAL * float(screen.run(SMALLEST, many)) for many in (False, True)]
    angles = [math.atan(size / math.hypot(width, height) * DIAGONAL_MM / DISTANCE_MM) for size in sizes]
    return all(math.degrees(angle) * 60 >= least for angle, least in zip(angles, READABLE, strict=True))


def test_it_can_be_read_across_the_room_and_nothing_is_cut_off(screen: Screen, hub: FakeHub) -> None:
    for state, table in STATES.items():
        hub.publish(table)
        words = table["ruling"]["headline"] if table["ruling"] else table["over"] or table["card"]["text"]
        screen.until(lambda words=words: words in screen.text("#stage"))  # type: ignore[misc]
        for width, height in SIZES:
            at(screen, width, height)
            screen.until(lambda: screen.run(OVERFLOW) == [])
            assert readable(screen, width, height), (state, width)


LONGEST = "Wolfgang Hohenlohe-Würzburg"[:24], "東京都千代田区丸の内一丁目中央郵便局長山田太郎様方々"[:24]
"""Names of as many letters as the box takes, narrow and wide ones."""
FOUR_CLOCKS = (
    clock_of(
        ("Rohan and the Elves", 3_600_000, "runs"),
        ("Saruman", -4_590_000, "down"),
        ("Sauron", 0, ""),
        ("Gondor", 9, ""),
    ),
    {"type": "round", "round": 12, "ms": 0, "runs": True, "about": True},
)
SEEN = (
    "return [...document.querySelectorAll('{}')].filter((each) => each.checkVisibility())"
    ".map((each) => each.textContent)"
)
"""A script that returns the texts that are on the page at one moment: it may be drawn anew between two questions."""
CROWDED = {
    "points of characters": table_of(
        odds=[],
        where=["Turn 1", "Attack", "Strikes of the card"],
        title="Middle-earth: The Wizards",
        pools=[
            {"id": str(n), "name": f"Character {n}: corruption points", "side": "", "value": n, "cap": 30}
            for n in range(17)
        ],
        card=card_of(title="Attack", text="Prowess of a strike?")
        | {"seat": f"Free Peoples ({LONGEST[1]})", "whose": f"Free Peoples ({LONGEST[0]})"},
        ruling=RULING | {"headline": "Saruman, Gandalf, Aragorn and the Witch-king out", "why": [LONGEST[0] * 4] * 6},
    ),
    "a page of the log": table_of(
        card=card_of(title="Log, page 1 of 31", text="Whose piece is on hex R? Saruman\n" * 5)
    ),
}


@pytest.mark.parametrize("name", LONGEST)
def test_no_page_is_cut_off_by_four_clocks_and_the_longest_names(screen: Screen, hub: FakeHub, name: str) -> None:
    entries = [entry_of(n, seat=f"Free Peoples ({name})", text="Casualties: 2 hits, what goes?") for n in range(1, 9)]
    hub.publish(
        {"type": "log", "entries": [*entries, entry_of(9, kind="ruling", text="Units left: 10 against 14 " * 3)]}
    )
    for message in FOUR_CLOCKS:
        hub.publish(message)
    for state, table in CROWDED.items():
        hub.publish(table)
        hurried(screen)
        shown: set[str] = set()
        counted: set[str] = set()
        for _ in range(9):
            shown.add(screen.shows())
            if screen.shows() == "counters":
                counted.update(screen.run(SEEN.format(".pools .value")))
            for width, height in SIZES:
                at(screen, width, height)
                screen.until(lambda: screen.run(OVERFLOW) == [])
                assert readable(screen, width, height), (state, width)
            screen.run("soon()")
        assert {"asked", "counters", "story"} <= shown, state
        assert counted >= {str(pool["value"]) for pool in table["pools"]}, state
        assert len(screen.run(SEEN.format("#clocks time"))) == len(screen.all("#clocks time"))


def test_the_ruling_fills_it_with_its_dice_and_then_the_question_comes(screen: Screen, hub: FakeHub) -> None:
    hurried(screen)
    still(screen)
    hub.publish(ruled())
    screen.until(lambda: screen.text(".headline") == "Gondor out")
    assert screen.shows() == "ruled"
    assert len(screen.all(".throw svg")) == 2
    assert screen.text(".throw .sum") == "= 9"
    assert lines(screen, ".moved") == ["Gondor 8→7"]
    assert lines(screen, ".why") == RULING["why"]
    assert screen.text("#rules") == "BR-45"
    hub.publish(ruled(to_do=["Take the army off"]))
    screen.until(lambda: lines(screen, ".to-do") == ["Take the army off"])
    hub.publish(table_of(n=8, ruling=RULING | {"to_do": ["Take the army off"]}))
    screen.until(lambda: screen.run("return window.soon()") and screen.shows() == "asked")
    assert [row.text.split("\n")[0] for row in screen.all(".odds li")] == ["Gondor out", "No effect", "Man-Orc out"]


BEGINS = """
return [".headline", ".throw", ".moved", ".why"].map((each) => {
  const [rise] = document.querySelector(each).getAnimations();
  return rise ? rise.effect.getTiming().delay : 0;
});
"""
"""After how many milliseconds the parts of a ruling begin to be seen."""


def test_a_result_and_its_dice_come_before_its_reasons(screen: Screen, hub: FakeHub) -> None:
    screen.open()
    hub.publish(ruled())
    screen.until(lambda: screen.all(".why"))
    assert screen.run(BEGINS) == [0, 0, 1000, 2000]


def still(screen: Screen) -> None:
    screen.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])


def lines(screen: Screen, selector: str) -> list[str]:
    """Return the lines of a list that are in sight."""
    return [unjoined(line.text) for line in screen.all(f"{selector} li") if line.is_displayed()]


def now(screen: Screen) -> str:
    """What stands below each page."""
    return " ".join(screen.text("#now").split())


@pytest.mark.parametrize(
    ("buttons", "told"),
    [
        (
            [button_of("select", "Go on", key="Select"), button_of("again", "Same again", key="hold Select")],
            "Select Go on",
        ),
        ([button_of("select", "Begin", key="your button or Select")], "your button or Select Begin"),
        ([button_of(str(n), str(n), key=str(n)) for n in range(1, 7)], "1 to 6"),
        ([button_of("0", "Yes", key="1")], "1"),
        ([button_of(str(n), str(n), key=str(n + 1) if n < 5 else "") for n in range(8)], "1 to 6"),
        ([button_of(str(n), str(n), key=str(n + 1) if n < 5 else f"6 {n - 4}") for n in range(8)], "1 to 6"),
        (
            [button_of("0", "Nobody", key="1"), button_of("1", "Orc", key="2"), button_of("2", "Back", key="Select")],
            "1 to 2 or Select Back",
        ),
        ([button_of("0", "Yes", key="1"), button_of("1", "Back")], "1 or turn, Select"),
        ([button_of("0", "7"), button_of("1", "8")], "turn, Select"),
        (
            [button_of("do", "Yes", key="hold Select"), button_of("back", "No", key="Back")],
            "hold Select Yes or Back No",
        ),
        ([], ""),
    ],
)
def test_it_says_what_to_press(screen: Screen, hub: FakeHub, buttons: list[dict[str, Any]], told: str) -> None:
    hub.publish(table_of(turn="", card=card_of(*buttons, kind="grid")))
    screen.until(lambda: now(screen) == told)


def test_whose_turn_it_is_what_is_asked_and_what_to_press_stand_on_every_page(screen: Screen, hub: FakeHub) -> None:
    hurried(screen)
    hub.publish({"type": "log", "entries": [entry_of(3, kind="ruling", text="Gondor out")]})
    hub.publish(ruled())
    screen.until(lambda: screen.shows() == "ruled" and now(screen) == "Turn: Sauron (Anna) Select Go on")
    asks = card_of(*(button_of(str(n), "Orc", key=str(n)) for n in range(1, 4)), kind="grid", text="Who attacks?")
    hub.publish(table_of(n=8, ruling=RULING, card=asks | {"seat": "Gondor (Ben)"}))
    screen.until(lambda: now(screen) == "Gondor (Ben): Who attacks? 1 to 3")
    assert screen.shows() == "ruled", "the ruling is still read"
    told: dict[str, str] = {}
    for _ in range(6):
        screen.run("soon()")
        told[screen.shows()] = now(screen)
    assert told.pop("asked") == "1 to 3", "the stage says the rest"
    assert told == dict.fromkeys(("ruled", "counters", "story"), "Gondor (Ben): Who attacks? 1 to 3")


def test_the_end_says_why(screen: Screen, hub: FakeHub) -> None:
    hub.publish(STATES["over"])
    screen.until(lambda: screen.text(".headline") == "Frodo wins")
    assert screen.text("#stage .why") == STATES["over"]["over"]
    assert now(screen) == "Select To the shelf"


def test_the_game_is_told_by_its_rounds(screen: Screen, hub: FakeHub) -> None:
    first, second = ["Round 1", "Sauron", "Attack"], ["Round 2", "Saruman", "Movement"]
    answers = [entry_of(n, text=f"Whose piece? {n}", place=first) for n in range(2, 6)]
    entries = [
        entry_of(1, kind="start", text="Battle of the Ring"),
        *answers,
        entry_of(5, kind="ruling", text="Gondor out", place=first),
        entry_of(6, kind="ruling", text="Taken back", place=first, undone=True),
        entry_of(7, kind="undo", text="Undone: Taken back", place=second),
        entry_of(8, kind="ruling", text="Man-Orc out", place=first[:2]),
        entry_of(9, text="Moves done", place=second),
        entry_of(10, kind="ruling", text="Elf hidden", place=second),
    ]
    hurried(screen)
    hub.publish({"type": "log", "entries": entries})
    hub.publish(table_of(pools=[]))
    screen.until(lambda: screen.run("return soon()") and screen.shows() == "story")
    assert [
        [[step.text for step in group.find_elements(By.CSS_SELECTOR, selector)] for selector in ("h2 span", "li")]
        for group in screen.all(".round")
    ] == [
        [["Round 1", "Sauron"], ["Gondor out", "Man-Orc out"]],
        [["Round 2", "Saruman"], ["Sauron: Moves done", "Elf hidden"]],
    ]


@pytest.mark.long
def test_pages_turn_by_themselves_until_something_happens(screen: Screen, hub: FakeHub) -> None:
    hurried(screen)
    hub.publish({"type": "log", "entries": [entry_of(3, kind="ruling", text="Gondor out")]})
    hub.publish(table_of(ruling=RULING))
    seen = set()

    def all_seen() -> bool:
        screen.run("window.soon()")
        seen.add(screen.shows())
        return seen == {"asked", "ruled", "counters", "story"}

    screen.until(all_seen)
    assert screen.text("#latest") == "Gondor out"
    hub.publish(table_of(n=8, ruling=RULING, card=card_of(text="Who attacks?")))
    screen.until(lambda: screen.shows() == "asked" and "Who attacks?" in screen.text("#stage"))


SOON = """
const wait = window.setTimeout;
let passed = 0;
let waiting = null;
performance.now = () => passed;
window.setTimeout = (call, ms, ...rest) => (ms > 4500 ? ((waiting = [call, ms]), 0) : wait(call, ms, ...rest));
window.waits = () => waiting?.[1] ?? 0;
window.soon = () => {
  const [call, ms] = waiting ?? [() => {}, 0];
  waiting = null;
  passed += ms;
  call();
  return true;
};
"""
"""Time passes only when a test says so: `soon` goes on to when the page does something by itself."""


def hurried(screen: Screen) -> None:
    """Open the page with time in the test's hands."""
    script = screen.command("Page.addScriptToEvaluateOnNewDocument", source=SOON)
    screen.open()
    screen.command("Page.removeScriptToEvaluateOnNewDocument", **script)


@pytest.mark.long
def test_a_ruling_stays_until_it_can_have_been_read_from_afar(screen: Screen, hub: FakeHub) -> None:
    hurried(screen)
    hub.publish(ruled())
    screen.until(lambda: screen.shows() == "ruled")
    hub.publish(table_of(n=8, ruling=RULING))
    screen.until(lambda: screen.run("return waits()") < 19000)
    assert screen.shows() == "ruled"
    assert screen.run("return waits()") > 3000
    hub.publish(table_of(n=7, ruling=None, card=card_of(text="The throw is taken back")))
    screen.until(lambda: "taken back" in screen.text("#stage"))


def test_there_is_nothing_to_press_and_no_press_is_sent(screen: Screen, hub: FakeHub) -> None:
    hub.publish(table_of())
    assert screen.all("button, a, input, [tabindex]") == []
    screen.hands().send_keys("1", Keys.ENTER, Keys.BACKSPACE, Keys.SPACE).click().perform()
    assert hub.no_more_acts()
