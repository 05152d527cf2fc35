"""What browsers are told in a game of each rulebook, recorded at a simulated box on virtual time."""

from __future__ import annotations

import functools
import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from referee.config import Config, TableSettings
from referee.console.grammar import UNBIDDEN
from referee.rulebook import whole
from referee.session import Session
from referee.station.news import log_message
from referee.station.virtual.bench import Bench
from referee.web.hub import PanelClick, PanelTap
from tests.bench.hands import Hands
from tests.components import MEMORY
from tests.web.clicking import MOST, Click, Clicker, Offer

Batch = list[Mapping[str, Any]]
"""What is told at one moment."""

SLIPS = 0.12
"""Share of gestures that lead to the menu, the log, the odds, a refusal."""


def tap(bench: Bench, chance: random.Random) -> bool:
    """Answer by a button of the panel, one that can be had where there is one; return whether there is any."""
    bench.wait(UNBIDDEN)
    buttons = bench.console.stage.top.buttons
    if not buttons:
        return False
    button = chance.choice([each for each in buttons if each.bar is None] or buttons)
    bench.hub.act(PanelTap(bench.console.stage.screen, button.id, button.held), "panel")
    bench.settle()
    return True


@functools.cache
def recorded(game: str, gestures: int) -> tuple[Batch, ...]:
    """Return what is told from the shelf on through so many gestures; a game that is over is followed by another."""
    batches: list[Batch] = []
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Bench(Path(folder) / "journal.db") as bench:
        news: Batch = []
        bench.hub.subscribe(news.extend)
        chance = random.Random(f"{game}, watched")
        hands = Hands(bench, chance, stray=1.0, think=0.0)
        for gesture in range(gestures):
            session = bench.console.table.session
            if gesture and (session is None or session.over is not None):
                bench.play(game)
            elif gesture and (chance.random() < SLIPS or not tap(bench, chance)):
                hands.act()
            bench.wait(UNBIDDEN)
            batches.append(list(news))
            news.clear()
    return tuple(batches)


class WholeGame(NamedTuple):
    """A game that was clicked through, from the shelf to the end and back to the shelf.

    ``batches``: what is told before the first click, and after each
    """

    batches: tuple[Batch, ...]
    clicks: tuple[Click, ...]


@functools.cache
def whole_game(game: str) -> WholeGame:
    """Return a game as the box takes the clicks of `Clicker`. Raises AssertionError where it does not end."""
    batches: list[Batch] = []
    clicks: list[Click] = []
    news: Batch = []
    config = Config(TableSettings(ruling_seconds=0))
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Bench(Path(folder) / "journal.db", config) as bench:
        bench.hub.subscribe(news.extend)
        clicker = Clicker(game)
        while len(clicks) < MOST:
            bench.wait(UNBIDDEN)
            batches.append(list(news))
            news.clear()
            clicks.append(_click(bench, clicker))
            if bench.console.table.session is None and len(bench.journal.games()) == 1:
                return WholeGame((*batches, news), tuple(clicks))
    raise AssertionError(f"{game} is not over after {MOST} clicks")


def answers(session: Session | None) -> tuple[str, ...]:
    """Return the answers of a game in the words in which a page has them."""
    return tuple(line["text"] for line in log_message(session, {})["entries"] if line["kind"] == "answer")


def _click(bench: Bench, clicker: Clicker) -> Click:
    table, buttons = bench.console.table, {each.id: each for each in bench.console.stage.top.buttons}
    offers = [Offer(each.id, whole(each.text), each.bar is None) for each in buttons.values()]
    name = clicker.choose(offers, [key for key, state in bench.lamps.items() if state == "blink"])
    button, before = buttons.get(name), len(answers(table.session))
    bench.hub.act(
        PanelTap(bench.console.stage.screen, name, button.held) if button else PanelClick(name, 100), "panel"
    )
    bench.settle()
    return Click(whole(button.text) if button else "", answers(table.session)[before:])
