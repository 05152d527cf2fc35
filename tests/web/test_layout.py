"""Where things stand on the panel: nothing moves in a game, and the keys are in reach on every screen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import button_of, card_of, clock_of, entry_of, lamps_of, table_of
from tests.web.page import LINES_OF_IDS, unjoined
from tests.web.playback import EVENING, GAME, SIZES, Playback
from tests.web.recorded import Batch, recorded, whole_game
from tests.web.states import GAMES, state, states

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


CUT = """
const place = document.querySelector(arguments[0]);
const range = document.createRange();
range.selectNodeContents(place);
const { bottom, right } = place.getBoundingClientRect();
const last = [...range.getClientRects()].at(-1);
return last.bottom > bottom + 2 || last.right > right + 1;
"""


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


STANDS = """
const shown = "#box, #box button, #box .card, .table > .card, .seats .name, header > *";
return [...document.querySelectorAll(shown)].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  const name = each.id || each.dataset.key || each.dataset.button || each.className;
  return `${name}: ${[x + scrollX, y + scrollY, width, height].map(Math.round)}`;
});
"""


@pytest.mark.parametrize("size", ["phone", "tablet", "laptop"])
def test_seats_stand_where_they_stood_once_players_are_named(playback: Playback, size: str) -> None:
    """G1: the other seats' buttons vanished from every open page."""
    playback.size(*SIZES[size])
    playback.load()
    playback.tell([state("question")])
    seats = [{"key": f"seat-{n}", "name": name, "state": "on"} for n, name in enumerate(("Sauron", "Saruman"), 1)]
    for named in ({}, {"seat-2": "Anna"}, {"seat-1": "Ben", "seat-2": "Anna"}, {}):
        told = {
            "type": "lamps",
            "judges": False,
            "seats": [{**each, "player": named.get(each["key"], "")} for each in seats],
        }
        playback.tell([[told]])
        sizes = playback.run(
            "return [...document.querySelectorAll('.seats button')].map((b) => [b.offsetWidth, b.offsetHeight])"
        )
        assert len(sizes) == 2
        assert all(width >= 44 and height >= 44 for width, height in sizes), (named, sizes)
        assert sizes[0] == sizes[1]


@pytest.mark.long
@pytest.mark.parametrize("size", ["phone", "phone on its side", "tablet", "laptop", "desk"])
def test_a_page_that_has_heard_everything_looks_like_one_that_is_opened_now(playback: Playback, size: str) -> None:
    """G1: whatever came before."""
    playback.size(*SIZES[size])
    playback.load()
    told = {(game, name): each for game in GAMES for name, each in states(game).items()}
    there = {}
    for name, batch in told.items():
        playback.tell([batch])
        there[name] = playback.run(STANDS)
    for name, batch in told.items():
        playback.load()
        playback.tell([batch])
        assert there[name] == playback.run(STANDS), name


APART = """
const keys = [...document.querySelectorAll("#box :is(.controls, .seats) button")];
const boxes = keys.map((each) => each.getBoundingClientRect());
const apart = (one, other) => one.right <= other.left + 1 || one.bottom <= other.top + 1;
const clear = (one, n) => boxes.slice(n + 1).every((other) => apart(one, other) || apart(other, one));
return boxes.every(clear) && boxes.every(({ width, height }) => width >= 44 && height >= 44);
"""
TABLES = (
    ("Sauron", "Saruman"),
    ("Sauron", "Saruman", "Alliance"),
    ("Free Peoples", "Saruman", "Black Rider 1", "Rohan"),
    tuple(f"Player {number}" for number in range(1, 9)),
)


@pytest.mark.parametrize("names", TABLES, ids=len)
def test_a_small_phone_on_its_side_has_every_key_in_reach(playback: Playback, names: tuple[str, ...]) -> None:
    playback.size(*SIZES["small phone on its side"])
    playback.load()
    playback.tell([state("question"), [lamps_of(**dict.fromkeys(names, "on"))]])
    assert playback.run(REACHED, "#glass, .now, .controls button, .seats button") == []
    assert playback.run(CLIPPED) == []
    assert playback.run(APART)


@pytest.mark.long
@pytest.mark.parametrize("size", ["phone", "tablet", "laptop", "desk"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_moves_from_the_shelf_to_the_end_of_a_game(playback: Playback, game: str, size: str) -> None:
    playback.size(*SIZES[size])
    playback.load()
    playback.tell(whole_game(game).batches)
    assert playback.moved() == []


@pytest.mark.parametrize("role", ["watch", "seat-1", "judge"])
def test_nothing_moves_when_the_page_opens_and_a_game_begins(playback: Playback, role: str) -> None:
    shelf, *game = whole_game(GAME).batches[:6]
    greeting = [{"type": "join", "address": "http://192.168.178.20:8080"}, {"type": "role", "role": role}]
    for name, size in SIZES.items():
        playback.size(*size)
        playback.load()
        playback.tell([[*greeting, *shelf], *game])
        assert playback.moved() == [], name


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
            assert playback.run(REACHED, "#glass, .now, .controls button, .seats button") == [], name
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


COVERED = """
const box = (each) => each.getBoundingClientRect();
const apart = (one, other) => one.right <= other.left || one.bottom <= other.top;
const meet = (one, other) => !apart(one, other) && !apart(other, one);
return [...document.querySelectorAll("#asked button")].filter((button) => {
  const [text, kbd] = [button.querySelector(".text"), button.querySelector("kbd")];
  const words = document.createRange();
  words.selectNodeContents(text);
  return kbd?.checkVisibility() && [...words.getClientRects()].some((line) => meet(line, box(kbd)));
}).map((each) => each.textContent);
"""


def asked(*buttons: dict[str, Any]) -> Batch:
    """Return a question with these answers."""
    return [table_of(card=card_of(*buttons, kind="grid", title="Company", text="Prowess?"))]


def test_no_key_lies_on_the_words_of_its_answer(playback: Playback) -> None:
    numbers = asked(*(button_of(f"{n}", f"{n}", key=f"{n - 5}" if 5 < n < 11 else "") for n in range(16)))
    playback.load()
    for what, told in (("numbers", numbers), *((name, state(name)) for name in ("roll", "many options", "question"))):
        playback.tell([told])
        for name, size in SIZES.items():
            playback.size(*size)
            assert playback.run(COVERED) == [], (what, name)


HEADS = """
const lines = (place) => {
  const words = document.createRange();
  words.selectNodeContents(place);
  return new Set([...words.getClientRects()].map(({ top }) => top)).size;
};
return [...document.querySelectorAll(".asked .who")].map(lines);
"""
"""A script that returns in how many lines each of those stands who is asked, and what about."""


def test_what_a_roll_is_about_stands_in_one_line(playback: Playback) -> None:
    playback.load()
    playback.tell([state("roll")])
    for name, size in SIZES.items():
        playback.size(*size)
        assert playback.run(HEADS) == [1, 1], name


def test_the_id_of_a_rule_is_never_broken_over_two_lines(playback: Playback) -> None:
    reasons = [f"The defender is {'quite ' * times}safe (ME-X63)." for times in range(8)]
    ruling = {"headline": "Safe", "faces": [], "total": "", "need": "", "changed": "", "to_do": []}
    ruling |= {"why": reasons, "rules": ["ME-X63"]}
    told = table_of(card=card_of(kind="ruling", text="Safe"), ruling=ruling)
    playback.load()
    playback.tell([[told, {"type": "log", "since": 0, "entries": [entry_of(1, why=reasons, rules=["ME-X63"])]}]])
    playback.run("document.querySelector('.log details').open = true")
    for name, size in SIZES.items():
        playback.size(*size)
        lines = playback.run(LINES_OF_IDS)
        assert len(lines) == 3 * len(reasons) + 2, name
        assert set(lines) == {1}, name
    for place in ("#asked .why li", "#ruling .why li", "#log .reasons p:not(.rules)"):
        assert [unjoined(str(line.get_property("innerText"))) for line in playback.all(place)] == reasons


WIDER = """
return [document.documentElement, ...document.querySelectorAll(".scrolls, .asked, .buttons .text, .latest")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.id || each.className);
"""
"""A script that returns what is wider than its room."""


def test_a_long_name_is_broken_where_it_does_not_fit(playback: Playback) -> None:
    who = f"Sauron ({'Maximilianealexandrakonst'[:24]})"
    card = card_of(button_of("0", f"{who} rolls"), text=f"Give it to {who}") | {"seat": who, "whose": who}
    reasons = {"why": [f"{who} rolled 5."], "rules": [], "to_do": [f"{who} removes one"], "changed": f"{who} has 5"}
    ruling = {"headline": f"{who} wins", "faces": [], "total": "", "need": f"for {who}", **reasons}
    odds = [{"id": "wins", "text": f"{who} wins", "chance": "10/36", "share": 10 / 36}]
    log = {"type": "log", "since": 0, "entries": [entry_of(1, seat=who, text=f"Who attacks? {who}")]}
    playback.load()
    for told in (card, card | {"kind": "ruling"}):
        playback.tell([[table_of(card=told, ruling=ruling, odds=odds), log]])
        for name, size in SIZES.items():
            playback.size(*size)
            assert playback.run(WIDER) == [], name


LATEST = """
const { top, bottom } = document.getElementById("latest").getBoundingClientRect();
return [...document.querySelectorAll("#latest span")].map((part) => {
  const [first] = part.getClientRects();
  return [part.textContent, first.top >= top - 1 && first.top + 10 < bottom];
});
"""


def test_what_was_entered_last_is_told_from_its_beginning_and_with_its_answer(playback: Playback) -> None:
    seat, question = "Free Peoples (Maximilian Alexander)", "2 hits to take: is a Regular of the Nation there?"
    entry = entry_of(1, seat=seat, text=f"{question} Yes, casualties first")
    playback.load()
    playback.tell([state("question"), [{"type": "log", "since": 0, "entries": [entry]}]])
    for size in ((390, 844), (768, 1024), (1280, 800), (1920, 1080)):
        playback.size(*size)
        parts = [[f"Last: {seat}: {question}", True], ["Yes, casualties first", True]]
        assert playback.run(LATEST) == parts, size


UNSEEN_STEPS = """
const place = document.getElementById("where").getBoundingClientRect();
return [...document.querySelectorAll("#where li")].filter((step) => {
  const { top, bottom } = step.getBoundingClientRect();
  return top < place.top - 1 || bottom > place.bottom + 1 || step.scrollWidth > step.clientWidth + 1;
}).map((step) => step.textContent);
"""


def test_a_computer_shows_the_whole_way(playback: Playback) -> None:
    playback.load()
    for where in (
        ["Round 2", "Man-Orc", "Attack Phase", "Position and dice"],
        ["Turn 3", "Company 1", "Company", "Menu", "Corruption check", "Dice"],
        ["Round 1", "Black Rider 1", "After moving", "Turn", "Battle", "Rounds", "Force"],
    ):
        playback.tell([[table_of(where=where, title="Middle-earth: The Wizards")]])
        for size in ((1280, 800), (1440, 900), (1920, 1080)):
            playback.size(*size)
            assert playback.run(UNSEEN_STEPS) == [], size


GAPS = """
const boxes = [...document.querySelectorAll(arguments[0])].map((each) => each.getBoundingClientRect());
return boxes.slice(1).map(({ top }, n) => top - boxes[n].bottom);
"""
"""A script that returns how many pixels there are between each of these and the next."""


def test_what_is_no_part_of_it_stands_apart_from_what_is_above_it(playback: Playback) -> None:
    playback.load()
    log = card_of(kind="log", title="Log, page 1 of 3", text="No builds in round 1\nShire\nWho attacks? Man-Orc")
    playback.tell([[table_of(card=log, odds_of="outcome", assumes="Nobody ceases.")]])
    for name, size in SIZES.items():
        playback.size(*size)
        lines = playback.run(GAPS, ".asked .says")
        assert len(lines) == 2, name
        assert min(lines) > 3, name
        assert min(playback.run(GAPS, "#odds > *")) > 6, name


SHOWN = """
const box = (each) => each.getBoundingClientRect();
const [place, report] = [box(document.getElementById("asked")), box(document.getElementById("report"))];
const end = report.height ? Math.min(report.top, place.bottom) : place.bottom;
return [...document.querySelectorAll("#asked .buttons button")].map((each) => box(each).bottom <= end + 1);
"""
"""A script that returns of each answer whether it is in sight."""


@pytest.mark.long
def test_the_end_of_a_game_shows_its_way_on_and_its_report(playback: Playback) -> None:
    playback.load()
    playback.tell([state("end")])
    sizes = {name: SIZES[name] for name in ("phone", "phone on its side", "tablet", "laptop", "desk")}
    for name, size in (*sizes.items(), ("tall phone", (390, 844)), ("short phone", (320, 568))):
        playback.size(*size)
        answers = playback.run(SHOWN)
        assert answers[0], name
        assert all(answers) or size[0] == 320 or name == "phone on its side", name
        assert playback.run(REACHED, "#report button, #report label") == [], name


def test_a_phone_shows_the_whole_menu(playback: Playback) -> None:
    playback.size(390, 844)
    playback.load()
    playback.tell([state("menu")])
    assert len(playback.all("#asked small")) > 1
    assert all(playback.run(SHOWN))


@pytest.mark.parametrize("size", [*SIZES.values(), (320, 568)], ids=str)
def test_a_long_step_is_read_to_its_end(playback: Playback, size: tuple[int, int]) -> None:
    playback.size(*size)
    playback.load()
    where = ["Turn 12", "Black Rider 1", "The Ring Bearer's destination"]
    playback.tell([[table_of(where=where, title="Middle-earth: The Wizards"), {"type": "role", "role": "watch"}]])
    assert playback.run(CLIPPED) == []
    assert not playback.run(CUT, "#where")


def test_every_seat_of_five_and_more_shows_its_lamp(playback: Playback) -> None:
    seats = {"Frodo": "on", "Black Rider 1": "blink", "Merry": "off", "Sam": "off", "Black Rider 2": "off"}
    playback.load()
    for names in (seats, seats | {"Pippin": "off"}, {f"Black Rider {number}": "on" for number in range(1, 9)}):
        playback.tell([state("question"), [lamps_of(**names)]])
        for name, size in SIZES.items():
            playback.size(*size)
            sizes = playback.run(
                "return [...document.querySelectorAll('#seats :is(.name, .says)')]"
                ".map((each) => parseFloat(getComputedStyle(each).fontSize))"
            )
            assert min(sizes) >= 12, name
            lamps = playback.all("#seats .lamp")
            assert [lamp.size["width"] >= 12 for lamp in lamps] == [True] * len(names), name
            assert playback.run(CLIPPED) == [], name


UNREADABLE = """
const box = (each) => each.getBoundingClientRect();
const words = (place) => {
  const range = document.createRange();
  range.selectNodeContents(place);
  const { left, right } = box(place.classList.contains("player") ? place : range);
  return { ...box(range).toJSON(), left, right };
};
const before = (one, other) => one.right <= other.left + 1 || one.bottom <= other.top + 2;
const apart = (one, other) => before(one, other) || before(other, one);
const inside = ({ left, right, top, bottom }, all) =>
  left >= all.left && right <= all.right && top >= all.top - 1 && bottom <= all.bottom + 1;
const isWrapped = (each) => each.matches(".says > *") && box(each).top >= box(each.parentElement).bottom - 1;
const isShown = (each) =>
  each.checkVisibility() && getComputedStyle(each).clipPath === "none" && !isWrapped(each);
return [...document.querySelectorAll("#seats button")].flatMap((button) => {
  const shown = [...button.querySelectorAll(".name, .player, .state, .lamp, kbd")].filter(isShown);
  const boxes = shown.map((each) => each.matches(".lamp, kbd") ? box(each) : words(each));
  const outside = shown.filter((_, n) => !inside(boxes[n], box(button)));
  const covered = shown.filter((_, n) => !boxes.slice(n + 1).every((other) => apart(boxes[n], other)));
  const small = shown.filter((each) => !each.matches("kbd") && parseFloat(getComputedStyle(each).fontSize) < 12);
  const gone = shown.filter((each) => each.matches(".player") && each.clientWidth < Math.min(each.scrollWidth, 28));
  return [...outside, ...covered, ...small, ...gone].map((each) => `${button.textContent}: ${each.className}`);
});
"""
"""A script that returns what cannot be read on the buttons of the seats."""
PLAYERS = (
    "Maximiliane",
    "Ann",
    "Maximilianealexandrakons",
    "אברהם בן יוסף הלוי מגליל",
    "Wilhelmina van der Berg",
    "Bo",
    "Zoë",
    "",
)
FEW = ("Free Peoples", "Black Rider 1", "Saruman", "Alliance")
MANY = ("Black Rider 1", "Frodo", "Pippin", "Black Rider 2", "Black Rider 3", "Merry", "Black Rider 4", "Sam")


@pytest.mark.parametrize("count", range(2, 9))
def test_seat_player_and_lamp_are_read_on_every_button(playback: Playback, count: int) -> None:
    names = (FEW if count <= len(FEW) else MANY)[:count]
    lamps = lamps_of(**{name: ("blink", "on", "off")[n % 3] for n, name in enumerate(names)})
    for seat, player in zip(lamps["seats"], PLAYERS, strict=False):
        seat["player"] = player
    playback.load()
    playback.tell([state("question"), [lamps]])
    for name, size in (*SIZES.items(), ("upright phone", (390, 844)), ("computer", (1280, 800))):
        playback.size(*size)
        assert playback.run(UNREADABLE) == [], name
        assert playback.run(CLIPPED) == [], name


HIDDEN = """
const { scrollHeight, clientHeight } = document.getElementById(arguments[0]);
return scrollHeight - clientHeight;
"""
"""A script that returns how many pixels of a card's height are not seen."""


@pytest.mark.long
def test_a_wide_screen_shows_all_counters_at_once(playback: Playback) -> None:
    playback.load()
    for game in GAMES:
        tables = [message for batch in recorded(game, EVENING) for message in batch if message["type"] == "table"]
        playback.tell([[max(tables, key=lambda table: len(table["pools"]))]])
        for size in ((1280, 800), SIZES["desk"], SIZES["large"]):
            playback.size(*size)
            assert playback.run(HIDDEN, "pools") == 0, (game, size)


@pytest.mark.long
def test_a_computer_shows_all_of_the_last_ruling(playback: Playback) -> None:
    playback.load()
    for game in GAMES:
        tables = [message for batch in whole_game(game).batches for message in batch if message["type"] == "table"]
        for odds, sizes in ((False, ((1280, 900), SIZES["desk"], SIZES["large"])), (True, ((1280, 900),))):
            told = [table for table in tables if table["ruling"] and bool(table["odds"]) is odds]
            for table in sorted(told, key=lambda table: len("".join(table["ruling"]["why"])))[-3:]:
                playback.tell([[table]])
                for size in sizes:
                    playback.size(*size)
                    assert playback.run(HIDDEN, "ruling") == 0, (game, odds, size)


@pytest.mark.long
def test_a_computer_shows_all_of_ten_answers(playback: Playback) -> None:
    playback.size(1280, 800)
    playback.load()
    shown = []
    for game in GAMES:
        told = [message for batch in whole_game(game).batches for message in batch if message["type"] == "table"]
        questions = {table["card"]["text"]: table for table in told if 7 <= len(table["card"]["buttons"]) <= 10}
        for text, table in questions.items():
            playback.tell([[table]])
            assert all(playback.run(SHOWN)), text
            shown += [button["text"] for button in table["card"]["buttons"]]
    assert "Moves done" in shown


IN_SIGHT = """
const [done] = arguments;
const box = (each) => each.getBoundingClientRect();
frame().then(frame).then(() => {
  const [lit, list] = [box(document.querySelector("#asked [aria-current]")), box(document.getElementById("asked"))];
  done(lit.top >= list.top && lit.bottom <= list.bottom);
});
"""


def test_what_the_encoder_comes_to_is_in_sight_and_moves_nothing(playback: Playback) -> None:
    told = state("many options")
    table = next(message for message in told if message["type"] == "table")
    playback.size(*SIZES["phone"])
    playback.load()
    playback.tell([told])
    playback.moved()
    buttons = table["card"]["buttons"]
    for button in (buttons[1], buttons[len(buttons) // 2], buttons[-1], buttons[0]):
        playback.tell([[{**table, "card": {**table["card"], "lit": button["id"]}}]])
        assert playback.driver.execute_async_script(IN_SIGHT), button["text"]
        assert playback.run("return scrollY") == 0
    assert playback.moved() == []


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


def test_who_one_is_can_be_read_on_a_phone(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question")])
    for name, size in SIZES.items():
        playback.size(*size)
        for role, said in (("watch", "watching"), ("judge", "judge"), ("seat-2", "Saruman")):
            playback.tell([[{"type": "role", "role": role}]])
            assert playback.run("return document.getElementById('link').textContent") == f"Connected: {said}"
            assert playback.run(CLIPPED) == [], (name, role)


def test_a_seat_sees_which_button_is_its_own_and_whether_it_is_asked(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question"), [{"type": "role", "role": "seat-2"}]])
    shown = "return getComputedStyle(document.querySelector('.now .buttons button')).borderStyle"
    for lamp, edge, said in (("on", "solid", ""), ("off", "dashed", "Not your turn"), ("blink", "solid", "")):
        playback.moved()
        playback.tell([[lamps_of(Sauron="on", Saruman=lamp)]])
        assert playback.run(shown) == edge, lamp
        assert playback.text("#turn") == said
        assert playback.moved() == []
        mine = playback.run("return [...document.querySelectorAll('[data-mine]')].map((each) => each.dataset.key)")
        assert mine == ["seat-2"]
    playback.tell([[lamps_of(Sauron="on", Saruman="on") | {"judges": True}]])
    assert playback.text("#turn") == "A judge is asked"
    playback.tell([[{"type": "role", "role": "judge"}]])
    assert playback.run(shown) == "solid"
    assert playback.text("#turn") == ""


def test_what_was_answered_last_ends_in_sight(playback: Playback) -> None:
    text = "Character 3 taps. Resource: what does it change? 0"
    entry = {"seq": 1, "seat": "Defender", "text": text, "why": [], "rules": [], "kind": "answer", "undone": False}
    playback.load()
    playback.tell([state("question"), [{"type": "log", "since": 0, "entries": [entry]}]])
    for name, size in SIZES.items():
        playback.size(*size)
        if playback.find("#latest").is_displayed():
            assert not playback.run(CUT, "#latest"), name


def test_what_is_opened_under_the_keys_takes_no_room_from_the_question(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question"), [{"type": "join", "address": "http://192.168.178.20:8080"}]])
    for name in ("phone", "small phone", "tablet", "laptop"):
        playback.size(*SIZES[name])
        height = "return document.querySelector('.now').getBoundingClientRect().height"
        folded = playback.run(height)
        playback.run("for (const each of document.querySelectorAll('.foot details')) each.open = true")
        assert playback.run(height) == folded, name
        playback.run("for (const each of document.querySelectorAll('.foot details')) each.open = false")


CLIPPED_TIMES = """
const right = (each) => each.getBoundingClientRect().right;
const times = [...document.querySelectorAll("#clocks time")];
return times.filter((time) => right(time) > right(time.parentElement)).length;
"""


@pytest.mark.parametrize("clocks", [2, 3, 4])
def test_the_clocks_of_a_table_leave_its_keys_in_reach(playback: Playback, clocks: int) -> None:
    times = [
        ("Free Peoples", 3_599_000, "runs"),
        ("Shadow", 3_661_000, ""),
        ("Rohan", 0, "down"),
        ("Gondor", 9000, ""),
    ]
    playback.load()
    playback.tell([state("question"), [clock_of(*times[:clocks])]])
    for name in ("phone", "tablet", "laptop", "desk"):
        playback.size(*SIZES[name])
        assert playback.run(REACHED, "#glass, .now, .controls button, .seats button, #clocks time") == [], name
        assert playback.run(CLIPPED_TIMES) == 0, name


def test_who_watches_passes_the_keys_by_and_sees_the_way_to_a_seat(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question"), [{"type": "role", "role": "watch"}]])
    pressed = "return document.querySelectorAll('fieldset button:enabled').length"
    assert playback.run(pressed) == 0
    for name in ("phone", "small phone", "phone on its side", "tablet", "laptop", "desk"):
        playback.size(*SIZES[name])
        assert playback.run(REACHED, "#more") == [], name
    playback.tell([[{"type": "role", "role": "seat-1"}]])
    assert playback.run(pressed) > 10
    assert playback.run("return document.getElementById('more').closest('.foot') !== null")


def test_a_list_that_is_cut_off_fades_until_its_end_is_seen(playback: Playback) -> None:
    def fades() -> bool:
        look = "done(document.getElementById('asked').matches('[data-more]'))"
        done: bool = playback.driver.execute_async_script(
            f"const [done] = arguments; frame().then(frame).then(frame).then(() => {look})"
        )
        return done

    playback.size(*SIZES["phone"])
    playback.load()
    playback.tell([state("many options")])
    assert fades()
    playback.run("const place = document.getElementById('asked'); place.scrollTop = place.scrollHeight")
    assert not fades()
    playback.size(*SIZES["large"])
    playback.tell([state("ruling")])
    assert not fades()
