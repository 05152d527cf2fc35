"""F3: players answer in secret at one box: glass, panel, television and voice show who is in, never what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.station.panel import Publisher
from referee.station.virtual.bench import Bench
from tests.session.bidding import BOOK


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    said: list[tuple[str, object]] = []
    with Bench(tmp_path / "journal.db", say=lambda text, done: said.append((text, done))) as bench:
        bench.said = said  # type: ignore[attr-defined]
        bench.hub.subscribe(lambda message: None)
        bench.console.table.begin(BOOK, {}, None)
        bench.settle()
        bench.key("1")
        yield bench
        assert bench.misfits == []


def seen(bench: Bench, *, judge: bool) -> str:
    """Return what a browser has been told last."""
    bench.wait(0.5)
    messages = bench.hub.snapshot(judge=judge)
    return json.dumps([each for each in messages if each["type"] != "log"])


def test_each_seat_presses_its_button_and_the_others_see_who_is_in(bench: Bench) -> None:
    assert bench.text.startswith("North. answers in secret. look away. 0/3 in")
    assert bench.lamps == {"seat-1": "blink", "seat-2": "off", "seat-3": "off"}
    bench.key("seat-1")
    assert bench.lamps == {"seat-1": "on", "seat-2": "off", "seat-3": "off"}
    assert bench.console.secret == "north"
    bench.key("3")
    assert bench.text.startswith("South. answers in secret. look away. 1/3 in")
    bench.key("seat-2", "1", "seat-3", "5")
    assert bench.text.startswith("West has it")
    (told,) = [
        line.text for line in bench.console.table.current.log() if line.kind == "told" and line.seat == "north"
    ]
    assert told == "How many coins? 3"


def test_another_seat_is_turned_to_and_one_that_is_in_answers_anew(bench: Bench) -> None:
    bench.turn(2)
    assert bench.text.startswith("West. answers in secret")
    bench.key("select", "2")
    bench.turn(-1)
    assert bench.text.startswith("West. in: answer again?")
    bench.key("seat-3", "5", "select", "1", "select", "1")
    session = bench.console.table.current
    assert session.last_ruling is not None
    assert session.last_ruling.data["bids"] == {"north": 1, "south": 1, "west": 5}


def test_back_closes_the_question_and_the_menu_closes_it_before_it_opens(bench: Bench) -> None:
    bench.key("seat-1", "back")
    assert bench.text.startswith("North. answers in secret")
    assert bench.console.table.current.n == 2
    bench.key("seat-1")
    bench.wait(1)
    bench.hold("back", 0.6)
    assert bench.console.secret == ""
    assert bench.text.startswith("Menu")
    card = next(each for each in bench.console.stage.top.buttons if each.text == "Card")
    assert card.bar is not None  # all would see what a card allows: it is not chosen in the menu


@pytest.mark.parametrize("judge", [True, False])
def test_no_browser_sees_what_is_keyed_in_secret(bench: Bench, *, judge: bool) -> None:
    publisher: Publisher = bench.hub.announce.__self__  # type: ignore[attr-defined]
    publisher._simulated = False  # the keys are those of a real box
    before = seen(bench, judge=judge)
    bench.key("seat-1")
    hidden = [seen(bench, judge=judge)]
    bench.turn(3)
    hidden.append(seen(bench, judge=judge))
    bench.key("4")  # barred: the glass says why
    assert bench.text.startswith("Not now. Nobody bids 4")
    hidden.append(seen(bench, judge=judge))
    glasses = {json.dumps(next(m for m in json.loads(each) if m["type"] == "glass")) for each in (before, *hidden)}
    assert len(glasses) == 1  # the picture of who is asked, whatever is keyed
    assert "Nobody bids" not in "".join(json.dumps(m | {"prompt": 0}) for each in hidden for m in json.loads(each))
    tables = [next(m for m in json.loads(each) if m["type"] == "table") for each in hidden]
    assert {table["card"]["text"] + table["spoken"] + table["aloud"] for table in tables} == {
        tables[0]["card"]["text"] + tables[0]["spoken"] + tables[0]["aloud"]
    }
    assert all(table["card"]["buttons"] == [] for table in tables)


def test_a_voice_reads_no_question_in_secret(bench: Bench) -> None:
    bench.key("seat-1")
    bench.turn(3)
    bench.key("4")
    bench.wait(2)
    assert "Nobody bids" not in str(bench.said)  # type: ignore[attr-defined]
