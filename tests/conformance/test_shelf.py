"""What every game on the shelf must keep, whatever the players do.

``REFEREE_CONFORMANCE`` is the number of random answers a run gets together (default 300).
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Any

import pytest

from referee.console.cards.asks import deal
from referee.errors import Malformed, Refused
from referee.games import SHELF, load
from referee.rulebook import Book, Reminder
from referee.session.prompt import read_prompt

ANSWERS = int(os.environ.get("REFEREE_CONFORMANCE", "300"))
Table = Callable[[str, str | None, dict[str, Any], int], Any]


def variants(book: Book) -> list[dict[str, Any]]:
    """Return the default settings, and those with every single switch turned."""
    turned = [{switch.name: value} for switch in book.switches for value in switch.values[1:]]
    return [{}, *turned]


def runs(*, all_settings: bool = True) -> list[Any]:
    """Return every game and ruling with every setting, as parameters of a test."""
    found = []
    for game in SHELF:
        book = load(game)
        procedures = [*([None] if book.play else []), *book.rulings]
        for ruling, settings in product(procedures, variants(book) if all_settings else [{}]):
            words = ",".join(f"{k}={v}" for k, v in settings.items())
            found.append(pytest.param(game, ruling, settings, id=f"{game}:{ruling or 'play'}:{words or 'default'}"))
    return found


RUNS = runs()


def tables(table: Table, game: str, ruling: str | None, settings: dict[str, Any], start: int) -> Iterator[Any]:
    """Yield one random table after another until they have had their answers together."""
    answered = 0
    for seed in count(start):
        t = table(game, ruling, settings, seed)
        yield t
        answered += t.answered
        if answered >= ANSWERS:
            return


def steps(t: Any) -> Iterator[Any]:
    """Yield until the run is over or has had its answers."""
    while t.play.ask is not None and t.answered < ANSWERS:
        yield t.play
        t.answered += 1


@pytest.mark.parametrize(("game", "ruling", "settings"), RUNS)
def test_legal_answers_never_end_in_a_crash_or_a_dead_end_and_undo_returns_every_step(
    table: Table, game: str, ruling: str | None, settings: dict[str, Any]
) -> None:
    for t in tables(table, game, ruling, settings, 0):
        for play in steps(t):
            play.answer(t.legal())
            t.note()
        while len(t.play.moves):
            t.seen.pop()
            t.play.rewind(len(t.play.moves) - 1)
            state, question = t.seen[-1]
            assert t.play.game == state
            assert t.question() == question


@pytest.mark.parametrize(("game", "ruling", "settings"), RUNS)
def test_a_refused_answer_changes_nothing(
    table: Table, game: str, ruling: str | None, settings: dict[str, Any]
) -> None:
    refused = 0
    for t in tables(table, game, ruling, settings, 11000):
        for play in steps(t):
            state, question = t.snapshot()
            asked, moves = play.ask, list(play.moves)
            for answer in t.wrong():
                with pytest.raises(Refused) as refusal:
                    play.answer(answer)
                assert refusal.value.code
                assert refusal.value.text
                refused += 1
            with pytest.raises(Malformed):
                play.correct("no.such.field", 1)
            assert play.ask is asked
            assert play.moves == moves
            assert play.game == state
            assert t.question() == question
            play.answer(t.legal())
    assert refused


@pytest.mark.parametrize(("game", "ruling", "settings"), RUNS)
def test_overrides_corrections_and_concessions_never_break_a_game(
    table: Table, game: str, ruling: str | None, settings: dict[str, Any]
) -> None:
    for t in tables(table, game, ruling, settings, 1000):
        for play in steps(t):
            chance = t.random.random()
            change = t.correction()
            forced = t.override()
            if chance < 0.15 and change is not None:
                play.correct(*change)
            elif chance < 0.5 and forced is not None:
                play.answer(forced, override=True)
            elif chance > 0.995 and play.game.seats():
                seats = [s for s in play.game.seats() if s not in play.game.conceded]
                play.concede(t.random.choice(seats))
            else:
                play.answer(t.legal())
            for path, limits in play.game.correctable.items():
                limits.check(path, play.game.read(path))
            assert all(0 <= pool.value <= pool.cap for pool in play.game.pools())
            assert all(seat == "table" or seat in play.game.seats() for seat in [play.seat])
            t.note()
        while len(t.play.moves):
            t.seen.pop()
            t.play.rewind(len(t.play.moves) - 1)
            assert t.play.game == t.seen[-1][0]
            assert t.question() == t.seen[-1][1]


@pytest.mark.parametrize(("game", "ruling", "settings"), RUNS)
def test_every_bundle_offered_can_be_sent(
    table: Table, game: str, ruling: str | None, settings: dict[str, Any]
) -> None:
    for t in tables(table, game, ruling, settings, 7000):
        for play in steps(t):
            here = len(play.moves)
            for bundle in play.ask.bundles():
                for answer in bundle.answers:
                    play.answer(answer)
                play.rewind(here)
            play.answer(t.legal())


@pytest.mark.parametrize(("game", "ruling", "settings"), runs(all_settings=False))
def test_one_select_at_a_new_question_ends_nothing(
    table: Table, game: str, ruling: str | None, settings: dict[str, Any]
) -> None:
    """What is lit when a question appears never ends a whole game; where it is the pass, the turn goes on with it."""
    tried = 0
    for t in tables(table, game, ruling, settings, 19000):
        for play in steps(t):
            prompt = read_prompt(play, 1, None)
            if prompt is not None and prompt.kind == "choose":
                lit = deal(prompt).lit
                assert lit is not None
                if lit.bar is None and not lit.extra:
                    tried += 1
                    here, turn = len(play.moves), (play.game.seat, play.game.place()[:-1])
                    play.answer(lit.id)
                    assert ruling or play.over is None, prompt.ask
                    assert lit.id != prompt.passing or (play.game.seat, play.game.place()[:-1]) == turn, prompt.ask
                    play.rewind(here)
            play.answer(t.legal())
    assert tried or ruling  # a single ruling can be nothing but dice


@pytest.mark.parametrize(("game", "ruling", "settings"), RUNS)
def test_everything_shown_is_plain_and_short(
    table: Table, game: str, ruling: str | None, settings: dict[str, Any]
) -> None:
    book = load(game)
    for t in tables(table, game, ruling, settings, 23000):
        for play in steps(t):
            assert play.ask.text
            assert not play.ask.rule or not book.rules or play.ask.rule in book.rules
            for event in play.answer(t.legal()):
                if isinstance(event, Reminder):
                    assert event.text
                    continue
                assert event.headline
                assert all(isinstance(line, str) and line for line in event.why)
                assert not book.rules or set(event.rules) <= set(book.rules)
                plain(event.data)
            plain(play.game.as_json())
            pickle.loads(pickle.dumps(play.game))


def plain(value: Any) -> None:
    """Fail unless a value can be written as JSON."""
    if isinstance(value, dict):
        assert all(isinstance(key, str) for key in value)
        for each in value.values():
            plain(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            plain(each)
    else:
        assert value is None or isinstance(value, (bool, int, float, str)), repr(value)


SCRIPT = """
import json, random, sys
from referee.games import SHELF, load
from referee.rulebook import Choose, Count, Pick, Play, Roll
for game in SHELF:
    book = load(game)
    for ruling in [*([None] if book.play else []), *book.rulings]:
        play, rng = Play(book, {}, ruling), random.Random(5)
        for _ in range(200):
            ask = play.ask
            if ask is None:
                break
            if isinstance(ask, Choose):
                play.answer(rng.choice([o.id for o in ask.options()] or ["back"]))
            elif isinstance(ask, Pick):
                play.answer([o.id for o in ask.options()][: ask.low])
            elif isinstance(ask, Count):
                play.answer(rng.choice([v for v in range(ask.low, ask.high + 1) if ask.bar(v) is None]))
            elif isinstance(ask, Roll):
                play.answer([rng.randint(1, 6) for _ in range(ask.dice)])
        print(game, ruling, json.dumps(play.game.as_json()), play.ask and play.ask.key, play.over)
"""


def test_the_same_answers_give_the_same_state_whatever_the_hash_seed() -> None:
    said = []
    for seed in ("1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True)
        said.append(done.stdout)
    assert said[0] == said[1]
    assert said[0].count("\n") >= len(SHELF)


@pytest.mark.parametrize("game", SHELF)
def test_a_book_says_what_it_is(game: str) -> None:
    book = load(game)
    assert book.id == game
    assert book.title
    assert book.edition
    assert book.play or book.rulings
    assert all(switch.values and switch.text for switch in book.switches)
    for switch in book.switches:
        for value in switch.values:
            assert book.settings({switch.name: value})[switch.name] == value
            assert book.settings({switch.name: str(value).lower()})[switch.name] == value
