"""Letting a browser in, on a whole station: the code while the table shows it, the question, and what ends them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest
from zxingcpp import read_barcodes

from referee.console.cards.people import JoinCard
from referee.console.cards.throw import DiceCard
from referee.console.views import Confirm, Grid, Refusal, Rows
from referee.games import load
from referee.session import Session
from referee.station.news import card_news
from referee.station.virtual.bench import Bench
from referee.station.visitors import Door
from referee.web.hub import PanelTap, Visit
from referee.web.passes import Passes

ADDRESS = "http://192.168.178.201:8080"


@pytest.fixture
def answers() -> list[str]:
    return []


@pytest.fixture
def visitors(tmp_path: Path) -> Passes:
    return Passes(tmp_path / "panel.json")


@pytest.fixture
def visited(tmp_path: Path, visitors: Passes) -> Iterator[Bench]:
    """A box that a phone can reach."""
    door = Door(visitors)
    door.reached_at(lambda: ADDRESS)
    with Bench(tmp_path / "visited.db", visitors=door) as bench:
        yield bench


@pytest.fixture
def knock(visited: Bench, answers: list[str]) -> Callable[..., None]:
    """A browser has typed the code."""

    def knocks(wish: str = "watch", watch_only: bool = False) -> None:
        visit = Visit("192.168.178.17", visited.clock.now + 120, answers.append, wish, watch_only)
        visited.hub.visit(visit)
        visited.settle()

    return knocks


def join(bench: Bench) -> str:
    """Open the page that lets browsers in, in a game or without one; return its code."""
    in_game = bench.console.table.session is not None
    bench.wait(0.7)
    bench.hold("back", 0.6)
    bench.key(*(("5", "5", "2") if in_game else ("2",)))
    assert isinstance(bench.console.stage.top, JoinCard)
    return bench.hub.invitation()


def seen(bench: Bench) -> object:
    return bench.view


def dice(bench: Bench) -> None:
    """Two dice are asked, and one is keyed."""
    bench.key("1", "2", "1", "2", "5")
    assert isinstance(bench.console.stage.top, DiceCard)


def test_a_code_is_good_only_while_it_lies_on_the_glass(visited: Bench) -> None:
    assert visited.hub.invitation() == ""
    code = join(visited)
    assert len(code) == 6
    assert visited.text == f"{code[:3]} {code[3:]}. 192.168.178.201:8080"
    visited.key("back")
    assert visited.hub.invitation() == ""
    visited.key("back")
    assert join(visited) != code


def test_nothing_from_the_network_takes_a_key_from_the_table(
    visited: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    """L1: visits that nobody at the table asked for, every 0.2 s for 8 s: each press at the box counts."""
    bench = visited
    bench.play("battle-of-the-ring", "attack")
    bench.key("1", "1", "5", "4", "select")
    for key in islice(cycle(("1", "1", "5", "4", "select")), 23):
        knock("watch")
        before = bench.view
        bench.wait(0.3)
        knock("judge")
        bench.hold(key if key == "select" else f"die-{key}", 0.06)
        assert bench.view != before, key
    knock("play")
    bench.hold("back", 0.6)
    assert bench.text.startswith("Menu")
    assert answers == [""] * 47
    assert "seat" not in bench.sounds


def test_the_table_says_what_the_browser_may_do(
    visited: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    bench = visited
    bench.console.table.use(Session(load("battle-of-the-ring")))
    bench.settle()
    code = join(bench)
    knock()
    view = bench.view
    assert isinstance(view, (Grid, Rows))
    names = [cell.text for cell in view.cells]
    assert (names[0], names[-1]) == ("Watch", "Judge")
    assert names[1:-1] == list(bench.console.table.current.seats().values())
    bench.key("3", "1", "select")
    assert isinstance(seen(bench), Confirm)
    assert answers == []
    bench.wait(1)
    bench.hold("select", 1.1)
    assert answers == ["seat-2"]
    assert isinstance(bench.console.stage.top, JoinCard), "the next one may come"
    assert bench.hub.invitation() not in ("", code)
    bench.wait(300)
    assert answers == ["seat-2"]


def test_at_an_event_the_table_may_let_it_watch_and_no_more(
    visited: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    join(visited)
    knock(watch_only=True)
    view = visited.view
    assert isinstance(view, (Grid, Rows))
    assert [cell.text for cell in view.cells] == ["Watch"]
    visited.key("select")
    visited.wait(1)
    visited.hold("select", 1.1)
    assert answers == ["watch"]


@pytest.mark.parametrize(("wish", "role"), [("watch", "watch"), ("play", "seat-1"), ("judge", "judge")])
def test_what_it_wishes_is_lit_and_the_table_still_has_to_hold(
    visited: Bench, knock: Callable[..., None], answers: list[str], wish: str, role: str
) -> None:
    bench = visited
    bench.console.table.use(Session(load("battle-of-the-ring")))
    bench.settle()
    join(bench)
    knock(wish)
    bench.key("select")
    assert isinstance(bench.view, Confirm)
    assert answers == []
    bench.wait(1)
    bench.hold("select", 1.1)
    assert answers == [role]
    assert bench.misfits == []


def test_nobody_but_judges_sees_code_and_question(visited: Bench, knock: Callable[..., None]) -> None:
    bench = visited
    dice(bench)
    hub = bench.hub
    hub.subscribe(lambda message: None)
    bench.settle()

    def seen_by(*, judge: bool) -> tuple[str, str, str]:
        by_type = {message["type"]: message for message in hub.snapshot(judge=judge)}
        return by_type["glass"]["bits"], by_type["table"]["spoken"], by_type["table"]["aloud"]

    asked = seen_by(judge=True)
    assert seen_by(judge=False) == asked
    code = join(bench)
    bench.wait(0.5)
    covers = {seen_by(judge=False)}
    assert f"{code[:3]} {code[3:]}" in seen_by(judge=True)[1], "a judge can read it off the glass"
    assert code[:3] not in seen_by(judge=True)[2], "and no browser reads it to the room"
    knock()
    bench.wait(0.7)
    covers.add(seen_by(judge=False))
    bench.key("1")  # the role is to be confirmed
    covers.add(seen_by(judge=False))
    ((_, words, _),) = covers
    assert words == "Panel. The table lets a browser in. The code is on the box."
    while bench.console.stage:
        bench.key("back")
    bench.wait(1)
    assert seen_by(judge=False) == seen_by(judge=True) == asked


def test_back_lets_it_be_nothing(visited: Bench, knock: Callable[..., None], answers: list[str]) -> None:
    join(visited)
    knock()
    visited.wait(0.7)
    visited.key("back")
    assert answers == [""]
    assert isinstance(visited.console.stage.top, JoinCard)


def test_the_question_goes_when_its_time_is_up(
    visited: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    code = join(visited)
    knock()
    visited.wait(0.7)
    visited.key("1")
    assert isinstance(seen(visited), Confirm)
    visited.wait(121)
    assert isinstance(visited.console.stage.top, JoinCard)
    assert visited.hub.invitation() not in ("", code)
    assert answers == []


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
    assert bench.view.text == "No browser connected"
    assert bench.misfits == []


def test_a_phone_reads_the_way_in_off_the_glass(tmp_path: Path, visitors: Passes) -> None:
    door = Door(visitors)
    with Bench(tmp_path / "joined.db", visitors=door) as bench:
        shelf = bench.view
        bench.wait(1)
        bench.hold("back", 0.6)
        bench.key("2")
        assert bench.view == Refusal("Not now", "Not on a network", "menu", "any key")
        bench.key("back", "back")
        door.reached_at(lambda: ADDRESS)
        code = join(bench)
        assert bench.text == f"{code[:3]} {code[3:]}. 192.168.178.201:8080"
        glass = bench.glass.convert("L")
        assert [each.text for each in read_barcodes(glass)] == [f"{ADDRESS}/{code}".upper()]
        assert bench.misfits == []
        bench.key("select", "back")
        assert bench.view == shelf


def test_without_a_panel_there_is_nothing_to_join(bench: Bench) -> None:
    dice(bench)
    bench.hold("back", 0.6)
    bench.key("5", "5", "2")
    assert isinstance(bench.view, Refusal)
    assert bench.view.text == "The panel is off"


def test_a_judge_at_the_panel_refuses_a_browser(
    visited: Bench, knock: Callable[..., None], answers: list[str]
) -> None:
    bench = visited
    bench.console.table.use(Session(load("battle-of-the-ring")))
    bench.settle()
    join(bench)
    knock("judge")
    card = card_news(bench.view, bench.console.stage.top.buttons)
    assert (card["title"], card["text"]) == ("192.168.178.17", "Wants to judge. Allow what?")
    assert [button["text"] for button in card["buttons"] if button["note"] == "asked for"] == ["Judge"]
    assert card["buttons"][-1]["text"] == "Refuse"
    assert answers == []
    bench.wait(1)
    bench.hub.act(PanelTap(bench.console.stage.screen, card["buttons"][-1]["id"], held=False), "panel")
    bench.settle()
    assert answers == [""]
