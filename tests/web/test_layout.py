"""Where things stand on the panel: nothing moves in a game, and what is needed is in reach on every screen."""

from __future__ import annotations

import pytest

from tests.web.conftest import button_of, card_of, entry_of, lamps_of, table_of
from tests.web.page import LINES_OF_IDS, unjoined
from tests.web.playback import EVENING, GAME, SIZES, Playback
from tests.web.recorded import recorded, whole_game
from tests.web.states import GAMES, state, states

REACHED = """
const [selector] = arguments;
return [...document.querySelectorAll(selector)].filter((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
}).map((each) => each.textContent);
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
const shown = ".stage, .band, .box, .card, #asked button, .controls button, .foot button, .seats .name, header > *";
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


@pytest.mark.parametrize("role", ["watch", "seat-1", "judge"])
def test_nothing_moves_when_the_page_opens_and_a_game_begins(playback: Playback, role: str) -> None:
    shelf, *game = whole_game(GAME).batches[:6]
    greeting = [{"type": "join", "address": "http://192.168.178.20:8080"}, {"type": "role", "role": role}]
    for name, size in ((name, size) for name, size in SIZES.items() if size[1] >= 300):
        playback.size(*size)
        playback.load()
        playback.tell([[*greeting, *shelf], *game])
        assert playback.moved() == [], name


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
        assert len(lines) == 2 * len(reasons) + 2, name
        assert set(lines) <= {0, 1}, name
    for place in ("#asked .why li", "#log .reasons p:not(.rules)"):
        assert [unjoined(str(line.get_property("innerText"))) for line in playback.all(place)] == reasons


WIDER = """
return [document.documentElement, ...document.querySelectorAll(".stage, #asked, .buttons .text, #pools, #log")]
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


def test_a_seat_sees_which_button_is_its_own_and_whether_it_is_asked(playback: Playback) -> None:
    playback.load()
    playback.tell([state("question"), [{"type": "role", "role": "seat-2"}], [lamps_of(Sauron="off", Saruman="off")]])
    shown = "return getComputedStyle(document.querySelector('.stage .buttons button')).borderStyle"
    for lamp, edge, said in (("on", "solid", ""), ("off", "dashed", "Not your turn"), ("blink", "solid", "")):
        playback.moved()
        playback.tell([[lamps_of(Sauron="on", Saruman=lamp)]])
        assert playback.run(shown) == edge, lamp
        assert playback.text("#turn") == said
        assert playback.moved() == []
        mine = playback.run("return [...document.querySelectorAll('[data-mine]')].map((each) => each.dataset.key)")
        assert mine == ["seat-2"]
    playback.tell([[lamps_of(Sauron="on", Saruman="on") | {"judges": True}]])
    assert playback.text("#turn") == "Waiting for a judge"
    playback.tell([[{"type": "role", "role": "judge"}]])
    assert playback.run(shown) == "solid"
    assert playback.text("#turn") == ""


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
