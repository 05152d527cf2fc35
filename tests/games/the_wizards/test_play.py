"""Random tables: nothing breaks, a refusal changes nothing, bundles are accepted, every rule is cited."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.games.the_wizards.state import WizardsGame
from referee.games.the_wizards.tables import RULES
from referee.rulebook import Ask, Choose, Count, OneOf, Play, Reminder, Roll, Ruling, cited

BOOK = load("middle-earth-the-wizards")
IDS = [
    *(f"ME-{n}" for n in (*range(1, 7), *range(10, 15), *range(20, 26), *range(30, 35))),
    *(f"ME-{n}" for n in (*range(50, 55), *range(60, 68))),
]


def some_answer(play: Play, chance: random.Random) -> Any:
    ask = play.ask
    if isinstance(ask, Choose):
        going = [o.id for o in ask.options() if o.id not in ("over", "leaves")]
        return chance.choice(going) if going else dropped(play)
    if isinstance(ask, Count):
        numbers = [n for n in range(ask.low, min(ask.high, 6) + 1) if ask.bar(n) is None]
        return chance.choice(numbers) if numbers else dropped(play)
    assert isinstance(ask, Roll)
    return [chance.randint(1, 6), chance.randint(1, 6)]


def dropped(play: Play) -> str:
    """Nothing is open here, so there must be a way back."""
    assert play.may_drop
    return "back"


def sound(game: WizardsGame) -> None:
    """Nothing counted is out of its range."""
    assert game.hazards >= 0
    assert game.company.limit >= 0
    for company in game.companies:
        ids = [c.id for c in company.members]
        assert len(set(ids)) == len(ids)
        assert all(c.status in ("untapped", "tapped", "wounded") and c.cp >= 0 for c in company.members)
    if game.attack is not None:
        assert game.attack.excess >= 0
        assert len(game.attack.results) <= max(game.attack.strikes, 0) or not game.attack.locked
    if game.strike is not None:
        assert 0 <= game.strike.stage <= 4
        assert game.strike.excess >= 0
        assert game.strike.target in [c.id for c in game.members]


def wrong_answers(play: Play) -> list[Any]:
    ask = play.ask
    assert ask is not None
    wrong: list[Any] = [None, "nothing-of-the-kind", 99, -1, [1, 2, 3], [0, 7], True, 2.5, ["x"]]
    if isinstance(ask, Choose):
        wrong += [entry.option.id for entry in ask.barred()]
    if isinstance(ask, Count):
        wrong += [n for n in range(ask.low, ask.high + 1) if ask.bar(n) is not None]
        wrong.remove(99)
    return wrong


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("ruling", [None, *BOOK.rulings])
def test_a_refusal_changes_nothing(seed: int, ruling: str | None) -> None:
    chance = random.Random(seed)
    play = Play(BOOK, {"force_excess": bool(seed % 2)}, ruling)
    for _ in range(150):
        if play.ask is None:
            play = Play(BOOK, {}, ruling)
        before, asked, moves = copy.deepcopy(play.game), play.ask, len(play.moves)
        for wrong in wrong_answers(play):
            with pytest.raises(Refused) as refusal:
                play.answer(wrong)
            assert re.fullmatch(r"ME-X\d\d|malformed|no-such-option|out-of-range", refusal.value.code)
        assert (play.game, play.ask, len(play.moves)) == (before, asked, moves)
        play.answer(some_answer(play, chance))
        assert isinstance(play.game, WizardsGame)
        sound(play.game)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 12))])
def test_no_card_breaks_the_game(seed: int) -> None:
    """Whatever is barred and not firm can be taken; the judge sets things at random; back at every question."""
    chance = random.Random(1000 + seed)
    play = Play(BOOK, {"force_excess": bool(seed % 2)})
    for _ in range(600):
        game = play.game
        assert isinstance(game, WizardsGame)
        ask = play.ask
        assert ask is not None
        if chance.random() < 0.1:
            path, limits = chance.choice(list(game.correctable.items()))
            values = limits.values if isinstance(limits, OneOf) else (limits.low, limits.high)
            play.correct(path, chance.choice(values))
        barred = [entry for entry in ask.barred() if not entry.bar.firm] if isinstance(ask, Choose) else []
        if isinstance(ask, Count) and chance.random() < 0.3:
            number = chance.randint(ask.low, ask.high)
            play.answer(number, override=ask.bar(number) is not None)
        elif barred and chance.random() < 0.4:
            play.answer(chance.choice(barred).option.id, override=True)
        elif play.may_drop and chance.random() < 0.05:
            play.answer("back")
        else:
            play.answer(some_answer(play, chance))
        for bundle in play.ask.bundles() if play.ask else ():
            again = copy.deepcopy(play.moves)
            for answer in bundle.answers:
                play.answer(answer)
            play.rewind(len(again))
        assert play.ask is not None
        assert pickle.loads(pickle.dumps(play.game)) == play.game
        assert json.loads(json.dumps(play.game.as_json()))["turn"] >= 1
        assert all(pool.value >= 0 for pool in play.game.pools())
        play.odds()
        assert can_be_answered(play.ask)


def can_be_answered(ask: Ask) -> bool:
    """Whether what the encoder begins at is an answer to the question."""
    if isinstance(ask, Choose) and ask.default is not None:
        return ask.default in {o.id for o in ask.among} | {b.id for b in ask.bundles()}
    if isinstance(ask, Count) and ask.default is not None:
        return ask.low <= ask.default <= ask.high
    return True


@pytest.mark.parametrize("seed", range(4))
def test_the_same_moves_give_the_same_game(seed: int) -> None:
    chance = random.Random(77 + seed)
    play = Play(BOOK)
    events: list[Any] = []
    for _ in range(400):
        events += play.answer(some_answer(play, chance))
    again = Play(BOOK)
    events_again = [event for move in play.moves for event in again.repeat(move)]
    assert again.game == play.game
    rulings = [(e.result, e.headline, e.data, e.why) for e in events if isinstance(e, Ruling)]
    assert rulings == [(e.result, e.headline, e.data, e.why) for e in events_again if isinstance(e, Ruling)]
    for back in (399, 260, 120, 3):
        play.rewind(back)
        other = Play(BOOK)
        for move in again.moves[:back]:
            other.repeat(move)
        assert play.game == other.game
        assert (play.ask.key, play.seat) == (other.ask.key, other.seat)  # type: ignore[union-attr]


def test_every_rule_is_told_and_cited() -> None:
    assert list(RULES) == IDS
    assert all(len(line) <= 90 for line in RULES.values())
    assert [rule for rule in RULES if rule not in cited()] == []


def test_what_is_asked_and_ruled_cites_rules_that_exist() -> None:
    chance = random.Random(5)
    play = Play(BOOK)
    for _ in range(2000):
        assert play.ask is not None
        assert play.ask.rule in RULES, play.ask.key
        assert all(rule in RULES for rule, _ in play.ask.notes)
        for event in play.answer(some_answer(play, chance)):
            rules = (event.rule,) if isinstance(event, Reminder) else event.rules
            assert rules
            assert all(rule in RULES for rule in rules)
