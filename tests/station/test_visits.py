"""A browser that wants in, on the glass of a whole station: code, question, and what keys and time make of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from zxingcpp import read_barcodes

from referee.console.cards.throw import DiceCard
from referee.console.cards.visit import CodeCard
from referee.console.views import Confirm, Grid, Idle, Refusal, Rows
from referee.games import load
from referee.session import Session
from referee.station.card_news import card_news
from referee.station.door import Door
from referee.station.inbox import Learned
from referee.testing.station import Bench
from referee.web.hub import PanelTap, Visit
from referee.web.passes import Passes

PATIENCE = 30
"""Seconds until a code must be drawn, which takes milliseconds."""


@pytest.fixture
def answers() -> list[str]:
    return []


@pytest.fixture
def knock(bench: Bench, answers: list[str]) -> Callable[..., None]:
    hub = bench.hub

    def knocks(code: str = "", who: str = "192.168.178.201", wish: str = "watch", watch_only: bool = False) -> None:
        hub.visit(Visit(who, code, bench.clock.now + 120, answers.append, wish, watch_only))
        bench.settle()

    return knocks


def seen(bench: Bench) -> object:
    return bench.view


def dice(bench: Bench) -> None:
    """Two dice are asked, and one is keyed."""
    bench.key("1", "2", "1", "2", "5")
    assert isinstance(bench.console.top, DiceCard)


@pytest.mark.parametrize("key", ["1", "select", "back", "seat-1"])
def test_any_key_takes_the_code_away_and_does_nothing_else(
    bench: Bench, knock: Callable[..., None], answers: list[str], key: str
) -> None:
    dice(bench)
    below, entries = bench.view, bench.console.table.current.entries
    knock("482913")
    assert bench.view == Idle("482 913", "192.168.178.201", "code to watch", "key: no")
    bench.key(key)
    assert bench.view == below
    assert bench.console.table.current.entries == entries
    assert answers == [""]
    bench.wait(300)
    assert answers == [""]


def test_the_knob_takes_it_away_too(bench: Bench, knock: Callable[..., None], answers: list[str]) -> None:
    knock("482913")
    bench.wait(1)
    bench.turn(1)
    assert answers == [""]


def test_a_code_that_is_not_typed_goes_by_itself_after_two_minutes(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    dice(bench)
    below = bench.view
    knock("482913", "[2001:db8::1234:5678:9abc]")
    bench.wait(119)
    assert isinstance(bench.console.top, CodeCard)
    bench.wait(2)
    assert bench.view == below
    assert answers == []


def test_a_press_made_for_the_question_below_is_not_taken_for_the_card(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    dice(bench)
    bench.wait(1)
    knock("482913")
    bench.wait(0.1)
    bench.hold("die-4", 0.06)
    assert isinstance(bench.console.top, CodeCard)
    assert answers == []


def test_it_came_by_itself_though_a_key_comes_up_at_that_moment(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    dice(bench)
    bench.wait(1)
    bench.simulated.press("seat-1")
    bench.wait(0.05)
    bench.simulated.release("seat-1")
    bench.settle()
    bench.clock.now += 0.007  # the contact has rested, and nobody has looked yet
    knock("482913")
    bench.wait(0.4)
    bench.simulated.tap("die-4")
    bench.wait(0.1)
    assert isinstance(bench.console.top, CodeCard)
    assert answers == []


def test_the_box_says_what_the_browser_may_do(bench: Bench, knock: Callable[..., None], answers: list[str]) -> None:
    bench.console.table.use(Session(load("battle-of-the-ring")))
    knock("482913")
    knock()
    view = bench.view
    assert isinstance(view, (Grid, Rows))
    names = [cell.text for cell in view.cells]
    assert (names[0], names[-1]) == ("Watch", "Judge")
    seats = list(bench.console.table.current.seats().values())
    assert names[1:-1] == seats
    bench.key("3", "1", "select")
    assert isinstance(seen(bench), Confirm)
    assert answers == []
    bench.wait(1)
    bench.hold("select", 1.1)
    assert answers == ["seat-2"]
    assert not isinstance(seen(bench), (Confirm, Rows, Grid))
    bench.wait(300)
    assert answers == ["seat-2"]


def test_at_an_event_the_box_offers_to_let_it_watch_and_nothing_else(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    knock(watch_only=True)
    view = bench.view
    assert isinstance(view, (Grid, Rows))
    assert [cell.text for cell in view.cells] == ["Watch"]
    bench.key("select")
    bench.wait(1)
    bench.hold("select", 1.1)
    assert answers == ["watch"]


def test_without_a_game_seats_are_numbered_and_select_lets_it_only_watch(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    knock()
    view = bench.view
    assert isinstance(view, (Grid, Rows))
    assert [cell.text for cell in view.cells] == ["Watch", "Seat 1", "Seat 2", "Seat 3", "Seat 4", "Judge"]
    bench.key("select")
    bench.wait(1)
    bench.hold("select", 1.1)
    assert answers == ["watch"]


@pytest.mark.parametrize(("wish", "role"), [("watch", "watch"), ("play", "seat-1"), ("judge", "judge")])
def test_what_a_browser_wishes_is_said_and_lit_and_the_table_still_has_to_hold(
    bench: Bench, knock: Callable[..., None], answers: list[str], wish: str, role: str
) -> None:
    bench.console.table.use(Session(load("battle-of-the-ring")))
    knock("482913", wish=wish)
    assert bench.view == Idle("482 913", "192.168.178.201", f"code to {wish}", "key: no")
    knock(wish=wish)
    bench.key("select")
    assert isinstance(bench.view, Confirm)
    assert answers == []
    bench.wait(1)
    bench.hold("select", 1.1)
    assert answers == [role]
    assert bench.misfits == []


def test_nobody_but_judges_sees_code_and_question(bench: Bench, knock: Callable[..., None]) -> None:
    dice(bench)
    hub = bench.hub
    hub.subscribe(lambda message: None)
    bench.settle()

    def seen_by(*, judge: bool) -> tuple[str, str]:
        by_type = {message["type"]: message for message in hub.snapshot(judge=judge)}
        return by_type["glass"]["bits"], by_type["table"]["spoken"]

    asked = seen_by(judge=True)
    assert seen_by(judge=False) == asked
    covers: set[tuple[str, str]] = set()
    for knocks in (("482913",), ("135790", "10.9.8.7"), ()):
        knock(*knocks)
        bench.wait(0.5)
        assert seen_by(judge=True) not in (asked, *covers)
        covers.add(seen_by(judge=False))
    bench.key("1")  # the role is to be confirmed
    covers.add(seen_by(judge=False))
    ((_, words),) = covers
    assert words == "Panel. A browser asks for access. Answer at the box or as a judge."
    bench.inbox.visit(None)
    bench.inbox.announce()  # the glass still shows what it showed
    bench.settle()
    bench.wait(1)
    assert seen_by(judge=False) == seen_by(judge=True) == asked


def test_no_browser_reads_a_code_aloud_to_the_room(bench: Bench, knock: Callable[..., None]) -> None:
    hub = bench.hub
    hub.subscribe(lambda message: None)
    knock("482913")
    bench.wait(0.5)
    told = [{message["type"]: message for message in hub.snapshot(judge=judge)}["table"] for judge in (True, False)]
    assert {table["aloud"] for table in told} == {"A browser asks for access. Answer at the box or as a judge."}
    assert "482 913" in told[0]["spoken"], "a judge can read it off the glass"


def for_judges(bench: Bench) -> bool:
    """Whether browsers of players are shut out from what is on the glass."""
    leave = bench.hub.subscribe(lambda message: None)
    bench.settle()
    (lamps,) = [message for message in bench.hub.snapshot() if message["type"] == "lamps"]
    leave()
    return bool(lamps["judges"])


def test_a_visitor_who_vanishes_after_typing_the_code_freezes_seats_no_longer_than_his_question_lasts(
    bench: Bench, knock: Callable[..., None]
) -> None:
    dice(bench)
    assert not for_judges(bench)
    knock("482913")
    bench.wait(1)
    assert not for_judges(bench), "whose turn it is may put the code away and play on"
    knock()
    bench.wait(118)
    assert for_judges(bench)
    bench.wait(3)
    assert not for_judges(bench)


def test_what_a_judge_left_open_is_not_for_players(bench: Bench) -> None:
    dice(bench)
    bench.hold("back", 0.6)
    bench.wait(1)
    assert for_judges(bench)
    bench.key("3")  # the log, over the menu
    bench.wait(1)
    assert for_judges(bench)
    bench.key("back", "back")
    bench.wait(1)
    assert not for_judges(bench)


def test_back_lets_it_be_nothing(bench: Bench, knock: Callable[..., None], answers: list[str]) -> None:
    knock()
    bench.key("back")
    assert answers == [""]


def test_the_question_goes_with_its_confirmation_when_the_time_is_up(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    dice(bench)
    below = bench.view
    knock()
    bench.key("1")
    assert isinstance(seen(bench), Confirm)
    bench.wait(121)
    assert bench.view == below
    assert answers == []


def test_what_the_browser_was_withdrawn_for_leaves_the_glass_and_a_fault_on_it_stays(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    dice(bench)
    knock("482913")
    bench.console.fault("Display lost", "unplugged", bench.clock.now)
    fault = bench.view
    bench.inbox.visit(None)
    bench.settle()
    assert bench.view == fault
    bench.key("select")
    assert isinstance(bench.console.top, DiceCard)
    assert answers == []


@pytest.fixture
def visitors(tmp_path: Path) -> Passes:
    return Passes(tmp_path / "panel.json")


@pytest.fixture
def visited(tmp_path: Path, visitors: Passes) -> Iterator[Bench]:
    """A box that knows who was let in."""
    with Bench(tmp_path / "visited.db", visitors=Door(visitors, lambda _: None)) as bench:
        yield bench


def test_the_judge_puts_every_browser_out(visited: Bench, visitors: Passes) -> None:
    """A pass that was lost is taken back by the keys of the box, in a game and without one."""
    bench = visited
    dice(bench)
    asked, entries = bench.view, bench.console.table.current.entries
    tokens = [visitors.issue("judge", "192.168.178.201"), visitors.issue("watch", "192.168.178.17")]
    bench.hold("back", 0.6)
    bench.key("5", "5", "3")
    assert bench.view == Confirm("Panel", "Disconnect 2 browsers")
    bench.key("select")
    assert len(visitors.listed()) == 2, "a short press must not"
    bench.wait(0.5)
    bench.hold("select", 1.2)
    assert [visitors.role(token) for token in tokens] == ["", ""]
    assert bench.view == asked
    assert bench.console.table.current.entries == entries
    bench.hold("back", 0.6)
    bench.key("5", "5", "3")
    assert isinstance(bench.view, Refusal)
    assert bench.view.text == "No browser let in"
    assert bench.misfits == []


def test_browsers_are_put_out_from_the_shelf_too(visited: Bench, visitors: Passes) -> None:
    bench = visited
    shelf = bench.view
    bench.wait(1)
    visitors.issue("seat-1", "192.168.178.201")
    bench.hold("back", 0.6)
    bench.key("3")
    assert bench.view == Confirm("Panel", "Disconnect the browser")
    bench.wait(0.5)
    bench.hold("select", 1.2)
    assert visitors.listed() == []
    assert bench.view == shelf
    assert bench.misfits == []


def test_a_phone_reads_the_way_to_the_panel_off_the_glass(tmp_path: Path, visitors: Passes) -> None:
    """The code is drawn beside the loop; meanwhile the address stands there, and the keys go on."""
    drawn: SimpleQueue[Learned] = SimpleQueue()
    door = Door(visitors, drawn.put)
    with Bench(tmp_path / "joined.db", visitors=door) as bench:
        shelf = bench.view
        bench.wait(1)
        bench.hold("back", 0.6)
        bench.key("2")
        assert bench.view == Refusal("Not now", "Not on a network", "menu", "any key")
        bench.key("back", "back")
        door.reached_at(lambda: "http://192.168.178.201:8080")
        bench.wait(0.5)
        bench.hold("back", 0.6)
        bench.key("2")
        assert bench.text == "Join. 192.168.178.201:8080"
        bench.inbox.put(drawn.get(timeout=PATIENCE))
        bench.settle()
        glass = bench.glass.convert("L")
        assert [code.text for code in read_barcodes(glass)] == ["HTTP://192.168.178.201:8080"]
        assert bench.misfits == []
        bench.key("select", "back")
        assert bench.view == shelf


def test_without_a_panel_there_is_nothing_to_join(bench: Bench) -> None:
    dice(bench)
    bench.hold("back", 0.6)
    bench.key("5", "5", "2")
    assert isinstance(bench.view, Refusal)
    assert bench.view.text == "The panel is off"


def test_a_judge_at_the_panel_reads_what_a_browser_asks_for_and_can_refuse_it(
    bench: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    bench.console.table.use(Session(load("battle-of-the-ring")))
    knock("482913", wish="judge")
    card = card_news(bench.view, bench.console.top.buttons)
    assert (card["title"], card["text"]) == ("482 913", "192.168.178.201 asks to judge; type this code there")
    assert card["buttons"][0]["text"] == "Refuse"
    knock(wish="judge")
    card = card_news(bench.view, bench.console.top.buttons)
    assert (card["title"], card["text"]) == ("192.168.178.201", "Asks to judge. What may it do?")
    assert [button["text"] for button in card["buttons"] if button["note"] == "asked for"] == ["Judge"]
    assert card["buttons"][-1]["text"] == "Refuse"
    assert answers == []
    bench.wait(1)
    bench.hub.act(PanelTap(bench.console.screen, card["buttons"][-1]["id"], held=False), "panel")
    bench.settle()
    assert answers == [""]
