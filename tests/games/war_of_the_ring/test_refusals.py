"""Which refusal is shown when several fit, what overriding does, and that no refusal changes anything."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.rulebook import Choose, Count, Play, Roll

Make = Callable[..., Any]
CODES = {f"WR-X{number:02d}" for number in range(1, 17)}


def test_X02_comes_before_X01_and_X03(war: Make) -> None:
    t = war((3, 0, 2)).answer("none", "none")
    assert t.refused((7, 1)) == "WR-X02"
    assert t.refused((1, 1)) == "WR-X01"
    t.answer((1, 1, 1), (1,) * 5)
    assert t.refused((7, 1, 1)) == "WR-X02"
    assert t.refused((1, 1, 1)) == "WR-X03"


@pytest.mark.parametrize("dice", [(), (6,), (6, 6)])
def test_fewer_rerolls_are_fine(war: Make, dice: tuple[int, ...]) -> None:
    t = war((3, 0, 2)).answer("none", "none", (1, 1, 1), (1,) * 5, dice)
    assert t.rulings[0].data["attacker"]["hits"] == len(dice)


def test_X04_comes_before_X05_and_X06(war: Make) -> None:
    t = war((5, 0, 0), (2, 1, 0)).hit(2).judge("armies.defender.elites", 0)
    assert t.refused("remove") == "WR-X04"
    assert t.refused("reduce") == "WR-X04"
    assert t.refused("stop") == "WR-X06"


def test_X15_comes_before_the_defender_is_asked(war: Make) -> None:
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).judge("armies.attacker.elites", 0)
    assert t.play.seat == "shadow"
    assert t.refused("on") == "WR-X15"
    assert not t.bundles()
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).answer("on")
    assert t.refused("no") == "WR-X15"
    assert t.answer("back").key == "round.cease"
    assert t.left("attacker") == (2, 1)


def test_X09_comes_before_X07(war: Make) -> None:
    t = war((3, 1, 0), (3, 0, 0)).hit(0).answer("on").judge("ground", "siege")
    assert t.key == "round.retreat"
    assert t.refused("siege") == "WR-X09"
    assert t.refused("retreat") == "WR-X07"
    assert t.refused("no-region") == "WR-X08"


def test_X11_comes_before_X14_and_X16(war: Make) -> None:
    t = war((3, 0, 0)).hit(0)
    assert t.refused("card") == "WR-X11"
    assert t.refused("re-roll") == "WR-X14"


def test_a_stronghold_takes_in_only_at_the_start_of_a_round(war: Make) -> None:
    t = war((3, 0, 0), (5, 0, 0), "stronghold").answer("fight")
    assert t.refused("siege") == "WR-X14"
    t.hit(0).answer("on")
    assert t.refused("siege") == "WR-X14"
    assert t.send("inside").result == "into-siege"


def test_more_than_five_dice_only_if_the_card_says_so(war: Make) -> None:
    t = war((5, 0, 0), (9, 0, 0)).cards(("attack-before",))
    assert t.refused(7) == "WR-X01"
    t.answer(7, override=True).answer(5, (6, 6, 1, 1, 1))
    assert t.play.ask.dice == 2
    t.answer((6, 1))
    assert t.left() == (6, 0)
    assert t.rulings[-1].data["faces"] == [6, 6, 1, 1, 1, 6, 1]


def test_a_besieged_army_does_not_leave_by_a_card_either(war: Make) -> None:
    t = war((5, 0, 0), (3, 0, 0), "siege").answer("none", "card")
    assert t.refused("retreat") == "WR-X07"
    t.answer("retreat", override=True).answer("done")
    assert t.refused("no-region") == "WR-X08"
    assert t.answer("retreat").result == "defender-retreated"


@pytest.mark.parametrize(
    ("set_up", "entry", "then"),
    [
        (lambda war: war((5, 0, 0), (2, 1, 0)).hit(2).answer("regular"), "remove", (1, 0)),
        (lambda war: war((5, 0, 0), (2, 1, 0)).hit(2), "stop", (2, 1)),
        (lambda war: war((5, 1, 0), (2, 1, 0), "siege").hit(0).judge("armies.attacker.elites", 0), "on", (2, 1)),
        (lambda war: war((5, 1, 0), (2, 1, 0), "siege").answer("none", "card"), "retreat", (2, 1)),
    ],
    ids=["X05", "X06", "X15", "X07"],
)
def test_the_card_says_otherwise(war: Make, set_up: Any, entry: str, then: tuple[int, int]) -> None:
    t = set_up(war)
    t.refused(entry)
    t.answer(entry, override=True)
    assert t.left() == then


def test_no_card_makes_a_figure_appear(war: Make) -> None:
    t = war((5, 0, 0), (0, 2, 0)).hit(2)
    with pytest.raises(Refused, match="WR-X04"):
        t.play.answer("regular", override=True)


def wrong_entries(play: Play, rng: random.Random) -> list[Any]:
    ask = play.ask
    if isinstance(ask, Choose):
        return [*(entry.option.id for entry in ask.barred()), "nothing", 3]
    if isinstance(ask, Count):
        return [v for v in range(ask.low - 1, ask.high + 2) if not ask.low <= v <= ask.high or ask.bar(v)]
    assert isinstance(ask, Roll)
    return [(1,) * (ask.dice + 1), (0,) * ask.dice, (7,), [], "x"] if ask.low else [(1,) * (ask.dice + 1), (9,)]


def some_answer(play: Play, rng: random.Random) -> Any:
    ask = play.ask
    if isinstance(ask, Choose):
        open_ = [option.id for option in ask.options()]
        return rng.choice([i for i in open_ if i not in ("cease", "game-over")] or open_)
    if isinstance(ask, Count):
        return rng.choice([v for v in range(ask.low, ask.high + 1) if ask.bar(v) is None])
    assert isinstance(ask, Roll)
    return [rng.randint(1, 6) for _ in range(ask.dice)]


@pytest.mark.parametrize("entry", ["faces", "hits"])
def test_refusals_of_random_battles_change_nothing(entry: str) -> None:
    rng, met = random.Random(3), set()
    play = Play(load("war-of-the-ring"), {"dice_entry": entry})
    for _ in range(2000):
        for wrong in wrong_entries(play, rng):
            before, asked = copy.deepcopy(play.game), play.ask
            with pytest.raises(Refused) as refusal:
                play.answer(wrong)
            met.add(refusal.value.code)
            assert play.game == before
            assert play.ask is asked
        if not rng.randrange(200):
            play = Play(load("war-of-the-ring"), {"dice_entry": entry})
        play.answer(some_answer(play, rng))
    dice = {"WR-X02", "WR-X03"} if entry == "hits" else set()
    assert met >= CODES - dice
