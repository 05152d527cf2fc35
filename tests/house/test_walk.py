"""A press is followed through the house, past every stop that the architecture page names."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

from referee.console.views import Ruling
from referee.station.virtual.bench import Bench

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
MOST_CALLS = 2500
"""Calls, of Python and of C, between the edge's way out of the inbox and the frame for the display's thread."""


def stops() -> list[str]:
    """Return the functions the page names, in its order."""
    (walk,) = re.findall(r"^## A press.*?(?=^## )", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [name for name in re.findall(r"`([\w.]+:[\w.]+)`", walk) if not name.endswith(":GpioInputs")]


@pytest.fixture
def throw(tmp_path: Path) -> Iterator[Bench]:
    """A box that waits for the second die of an attack."""
    with Bench(tmp_path / "journal.db") as bench:
        bench.hub.subscribe(lambda message: None)
        bench.key("1", "2", "1", "1", "5")
        bench.wait(1)
        yield bench


def followed(deed: Callable[[], None]) -> tuple[list[str], int]:
    """Return every function of ours that was entered, by module and qualified name, and how many calls there were."""
    entered: list[str] = []
    names: dict[CodeType, str] = {}
    calls = 0

    def follow(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")
        if event == "call" and frame.f_code not in names:
            names[frame.f_code] = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"
        if event == "call":
            entered.append(names[frame.f_code])

    sys.setprofile(follow)
    try:
        deed()
    finally:
        sys.setprofile(None)
    return entered, calls


def test_a_press_meets_each_stop_once_and_in_order(throw: Bench) -> None:
    def press() -> None:
        throw.simulated.press("die-4")
        edge = throw.inbox.get(0)
        throw.loop.step(edge, throw.clock.now)
        throw.loop.step(throw.inbox.get(0), throw.clock.now)  # the display's thread reports it shown

    entered, _ = followed(press)
    assert isinstance(throw.view, Ruling)
    wanted = stops()
    assert len(wanted) >= 15
    twice = {"referee.station.loop:Loop.step", "referee.station.loop:Inbox.put"}  # the edge, then its picture
    for stop in wanted:
        assert entered.count(stop) == (2 if stop in twice else 1), stop
    first = [entered.index(stop) for stop in wanted]
    assert first == sorted(first), [wanted[i] for i in range(1, len(first)) if first[i] < first[i - 1]]


def test_a_press_is_worked_on_in_few_calls(throw: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    throw.simulated.press("die-4")
    edge = throw.inbox.get(0)
    monkeypatch.setattr(throw.screen, "put", lambda frame: None)  # the bus is counted elsewhere
    _, calls = followed(lambda: throw.loop.step(edge, throw.clock.now))
    assert calls <= MOST_CALLS
