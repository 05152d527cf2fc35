"""Switches, the single ruling, presses, and what is said on the glass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games import load

Make = Callable[..., Any]
BOOK = load("battle-of-the-ring")


def test_evil_pact_lets_the_nazgul_help_saruman_and_his_man_orcs(ring: Make) -> None:
    for pact, helped in ((False, False), (True, True)):
        t = ring(evil_pact=pact).judge("on_board.gandalf", 0).to("saruman", "attack").answer("saruman", "rohan")
        assert (t.key == "attack.column") is helped


@pytest.mark.parametrize("name", ["crowns[harad]", "crowns-harad"])
def test_two_crowns_in_harad(ring: Make, name: str) -> None:
    t = ring(**{name: 2}).to("sauron", "building", 4).answer("orc", "harad", "yes", "orc", "harad", "yes", "orc")
    assert t.refused("harad") == "BR-X05"


def test_a_single_ruling_is_column_position_and_dice(ring: Make) -> None:
    t = ring("attack")
    assert t.play.seat == "table"
    t.answer("o-v-o", "fortress-or-river", [5, 4])
    assert t.play.over is not None
    assert len(t.play.moves) == 3
    assert (t.result, t.last().need, t.last().headline) == ("defender-eliminated", "9+ kills", "Defender out")


def test_a_single_ruling_by_pieces(ring: Make) -> None:
    t = ring("attack").answer("by-pieces")
    assert t.refused("ring-bearer") == "BR-X12"
    t.answer("army-of-the-dead", "orc", "attacker", "open", 7)
    assert (t.last().data["column"], t.result, t.last().headline) == ("e-v-o", "defender-eliminated", "Orc out")
    pair = ring("attack", players=2).answer("by-pieces", "orc")
    assert pair.refused("man-orc") == "BR-X11"


def test_same_again_up_to_the_dice(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    assert t.bundles() == {}
    t.attack("orc", "gondor", "both", "cair-andros", 4, 5)
    assert t.bundles() == {"same-again": ("orc", "gondor", "both", "cair-andros")}
    t.send("same-again")
    assert t.key == "attack.dice"
    t.answer([6, 6]).judge("on_board.gondor", 0)
    assert t.bundles() == {}


def test_the_setup_is_one_press(ring: Make) -> None:
    t = ring(placed=False)
    t.send("all-placed")
    assert (t.game.phase, t.game.seat) == ("first-movement", "sauron")


def test_a_quiet_phase_is_one_press(ring: Make) -> None:
    t = ring()
    for _ in range(30):
        phase = (t.game.round, t.game.seat, t.game.phase)
        t.send("quiet") if "quiet" in t.bundles() else t.answer("done")
        assert (t.game.round, t.game.seat, t.game.phase) != phase


def test_building_as_before_is_one_press(ring: Make) -> None:
    t = ring().to("alliance", "building", 2)
    assert "as-before" not in t.bundles()
    t.answer("gondor", "minas-tirith", "yes", "rohan", "edoras", "yes").to("alliance", "building", 3)
    t.send("as-before")
    assert (t.board["gondor"], t.board["rohan"]) == (10, 8)
    t.to("alliance", "building", 4)
    assert "as-before" not in t.bundles(), "the eighth Rohan is the last piece"


def test_what_the_dice_screen_and_the_ruling_say(ring: Make) -> None:
    t = ring().to("saruman", "attack").answer("man-orc", "gondor", "none", "fortress-or-river")
    roll = t.play.ask
    assert (roll.head, roll.tag, roll.need, roll.need_note) == ("Man-Orc→Gondor", "1/2", "9+", "kills")
    assert roll.foot == ("fort/river", "dies: 2-3")
    assert [chance.out_of_36 for chance in t.play.odds()] == ["3/36", "10/36", "23/36"]
    t.answer([5, 4])
    ruling = t.last()
    assert (ruling.headline, ruling.foot, ruling.need) == ("Gondor out", "Gondor 8→7", "9+ kills")
    assert ruling.why == (
        "Ordinary attacks Ordinary, no helper",
        "Defender: fortress or river",
        "D 9-12, A 2-3",
        "5+4=9: defender out",
        "Odds D 10/36, A 3/36",
        "Man-Orc 10",
        "Gondor 8→7",
    )
    assert ruling.data["faces"] == [5, 4]
    assert ruling.data["sets"] == {"attacker": [2, 3], "defender": [9, 10, 11, 12]}
    assert ruling.data["pools"] == {"before": {"man-orc": 10, "gondor": 8}, "after": {"man-orc": 10, "gondor": 7}}
    t.attack("man-orc", "gondor", "none", "open", 5)
    assert (t.last().headline, t.last().foot, t.last().changed) == ("No effect", "2nd of 10", False)


RULE_IDS = "\n".join(
    f"BR-{n}"
    for low, high in ((1, 8), (10, 17), (20, 32), (40, 49), (50, 60), (70, 73))
    for n in range(low, high + 1)
)
