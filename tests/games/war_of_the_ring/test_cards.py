"""Combat cards as real decks have them: hits by what the dice showed, limits of dice, cards that cancel a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Malformed, NotNow
from referee.rulebook import whole

Make = Callable[..., Any]


def test_no_select_ends_a_battle_of_cards_that_leave_no_dice(war: Make) -> None:
    """E1: automatic hits, and a limit of dice: nothing is rolled, so *That is all* may end it and is not lit."""
    t = war((2, 0, 0), (2, 0, 0)).answer("card", "none", "hits", 2)
    assert (t.key, t.play.ask.default) == ("card.effect", "done")
    t.answer("dice", "enemy-combat", 0)
    assert (t.key, t.play.ask.default) == ("card.effect", "modifier")
    assert t.answer("dice", "own-combat", 0, "done").left() == (0, 0)


def test_a_refused_number_of_hits_says_what_can_be_keyed(war: Make) -> None:
    t = war((1, 0, 1), (1, 0, 0)).answer("none", "none", (1,), (1,))
    with pytest.raises(NotNow, match="up to 1 face from 1 to 6; not 5"):
        t.answer(5)


def test_a_card_tells_what_has_been_entered_of_it(war: Make) -> None:
    t = war((2, 0, 0), (2, 0, 0)).answer("card", "none", "hits", 2)
    assert (t.play.ask.text, whole(t.play.ask.head)) == ("What else does the card do?", "Shadow card: Automatic hits")


def test_WR_T40_more_hits_are_asked_after_the_dice(war: Make) -> None:
    """W1: where the own dice missed, the card gives nothing."""
    t = war((2, 0, 0), (2, 0, 0)).cards(None, ("more-hits",)).answer((5, 1), (1, 1))
    assert (t.key, t.play.seat, t.play.ask.tag) == ("card.more-hits", "free-peoples", "adds to 0")
    t.answer(0)
    assert (t.left("attacker"), t.left()) == ((2, 0), (1, 0))


def test_WR_T41_more_hits_count_in_the_same_step(war: Make) -> None:
    """W1: both Armies die, so the hits of the dice do not end the battle before the card's."""
    t = war((2, 0, 0), (2, 0, 0)).cards(None, ("more-hits",)).answer((5, 5), (5, 1), 1)
    assert (t.result, t.left("attacker"), t.left()) == ("both-eliminated", (0, 0), (0, 0))
    mine = t.rulings[0].data
    assert (mine["attacker"]["hits"], mine["defender"]["hits"]) == (2, 2)
    assert "FP: 1 hit more by card" in t.rulings[0].why


def test_WR_T42_two_hits_together_take_an_elite(war: Make) -> None:
    """W1: one hit of the dice and one of the card are two hits like any others."""
    t = war((2, 0, 0), (0, 2, 0)).cards(("more-hits",)).answer((5, 1), (1, 1), 1)
    assert (t.key, t.play.ask.head) == ("casualty", "FP 2 hits")
    assert t.answer("remove").left() == (0, 1)


def test_WR_T43_a_miss_that_becomes_a_hit_is_one_hit(war: Make) -> None:
    """W1: at most the dice that missed; where none did, nothing is asked."""
    t = war((2, 0, 0), (5, 0, 0)).cards(("misses",)).answer((6, 3), (1,) * 5)
    assert (t.key, t.play.ask.high, t.play.ask.unit) == ("card.misses", 1, "of 1")
    assert t.refused(2) == "out-of-range"
    t.answer(1)
    assert t.rulings[0].data["attacker"]["hits"] == 2
    assert "Shadow: 1 miss turned into a hit" in t.rulings[0].why
    none = war((1, 0, 0), (5, 0, 0)).cards(("misses",)).answer((6,), (1,) * 5)
    assert none.rulings[0].data["attacker"]["hits"] == 1


@pytest.mark.parametrize(
    ("attacker", "card", "losses", "dice"),
    [
        ((1, 0, 0), ("dice", "enemy-combat", 2), (), 1),
        ((4, 0, 0), ("losses", "enemy-before", "dice", "enemy-combat", 3), (2,), 2),
        ((3, 0, 0), ("fewer-dice", "enemy-combat", 2), (), 1),
        ((8, 0, 0), ("fewer-dice", "enemy-combat", 2), (), 3),
        ((8, 0, 0), ("dice", "enemy-combat", 3, "dice", "enemy-combat", 4), (), 3),
        ((8, 0, 0), ("dice", "enemy-combat", 2, "fewer-dice", "enemy-combat", 1), (), 2),
    ],
)
def test_WR_T44_the_army_is_the_limit_of_its_dice(
    war: Make, attacker: tuple[int, int, int], card: tuple[Any, ...], losses: tuple[int, ...], dice: int
) -> None:
    """W3: what a card says limits what the Army would roll; the odds are of the same dice."""
    t = war(attacker, (5, 0, 0)).cards(None, card).answer(*losses)
    assert (t.key, t.play.ask.dice, len(t.play.odds())) == ("combat.roll", dice, dice + 1)


def test_WR_T45_an_attack_without_dice(war: Make) -> None:
    """W2: no Elite is left to attack; nobody rolls, the ruling says so, and the battle goes on."""
    t = war((5, 0, 0), (5, 0, 0)).cards(("attack-after",)).hit(0)
    assert t.key == "attack.dice"
    t.answer(0)
    assert (t.key, t.last().result, t.last().changed) == ("round.cease", "card-attack", False)
    assert t.last().why == ("Shadow card: no dice, nobody rolls",)
    assert t.play.game.attack is None


def test_WR_T46_a_card_withdraws_into_the_stronghold(war: Make) -> None:
    """W4: as after WR-54."""
    t = war((4, 0, 0), (3, 0, 0), "stronghold").answer("fight").cards(None, ("retreat",))
    assert t.open() == ["retreat", "stay", "siege"]
    t.answer("siege")
    assert (t.result, t.play.over is not None) == ("into-siege", True)
    assert {"WR-57", "WR-58"} <= set(t.reminders)
    field = war((4, 0, 0), (3, 0, 0)).cards(None, ("retreat",))
    assert field.refused("siege") == "WR-X09"


def test_WR_T47_initiative_0_comes_first(war: Make) -> None:
    """W5."""
    t = war((5, 0, 0), (5, 0, 0)).cards(("attack-before",), ("retreat",))
    assert (t.play.ask.low, t.play.ask.default) == (0, 1)
    assert t.answer(0, 1).key == "attack.dice"
    assert war((5, 0, 0), (5, 0, 0)).cards(("attack-before",), ("retreat",)).answer(1, 0).key == "card.retreat"


def test_forfeited_leadership_takes_dice_from_the_enemy(war: Make) -> None:
    """W5: the cause is asked, what follows is not."""
    t = war((5, 0, 3), (4, 0, 0)).cards(("forfeit-dice",))
    assert (t.key, t.play.ask.unit) == ("card.forfeit", "of 3")
    assert t.refused(4) == "WR-X10"
    t.answer(2, (1,) * 5)
    assert (t.play.ask.dice, t.attacker.uncancelled) == (2, 1)


def test_a_cancelled_card_does_nothing_any_more(war: Make) -> None:
    """W5: neither what waits for its moment nor what holds for the round; the other card's effects stay."""
    foe = ("modifier", "own-combat", 1, "number", "enemy-combat", 6, "hits", 2, "attack-after", "cancel-hits")
    t = war((5, 0, 0), (5, 0, 0)).cards(
        ("cancel-card", "modifier", "enemy-combat", -1, "number", "own-combat", 4), foe
    )
    assert (t.key, t.play.ask.need) == ("combat.roll", "4+")
    t.answer((4, 1, 1, 1, 1))
    assert t.play.ask.need == "6"
    t.answer((6, 1, 1, 1, 1))
    assert (t.key, t.left("attacker"), t.left()) == ("round.cease", (4, 0), (4, 0))
    assert "FP: card cancelled" in t.rulings[0].why
    assert t.answer("cease").reminders[-1] == "WR-5"  # it is discarded with the other


def test_initiative_says_of_which_effect(war: Make) -> None:
    """E7: a card with two effects of a kind."""
    both = ("losses", "own-before", "losses", "enemy-before", "attack-before", "attack-before")
    t = war((5, 0, 0), (5, 0, 0)).cards(both, ("retreat",))
    asked = []
    while t.key == "card.initiative":
        asked.append((t.play.ask.text, str(t.play.ask.unit)))
        t.answer(1)
    assert asked == [
        ("Initiative of: An Army takes losses: own, before the Combat roll?", "Losses own"),
        ("Initiative of: An Army takes losses: enemy, before the Combat roll?", "Losses enemy"),
        ("Initiative of: Attack before the Combat roll, no. 1 of them?", "Attack 1"),
        ("Initiative of: Attack before the Combat roll, no. 2 of them?", "Attack 2"),
        ("Initiative of: Retreat before the Combat roll?", "Retreat"),
    ]


@pytest.mark.parametrize(
    ("answers", "path", "why"),
    [(((1,) * 5, (1,) * 5), "extra_hits", "nothing called"), (((1,) * 5, (1,) * 5), "due", "no losses to take")],
)
def test_a_correction_that_would_change_nothing_is_refused(
    war: Make, answers: tuple[Any, ...], path: str, why: str
) -> None:
    """W5: hits that are set once the losses have been taken."""
    t = war((5, 0, 0), (5, 0, 0)).answer("none", "none", *answers)
    before = t.play.game.as_json()
    with pytest.raises(Malformed, match=why) as refused:
        t.play.correct(f"armies.attacker.{path}", 1)
    assert (refused.value.code, t.play.game.as_json()) == ("correction", before)


def test_a_keys_meaning_stays_while_a_card_is_entered(war: Make) -> None:
    t = war((5, 0, 2)).answer("card", "none")
    first = [option.id for option in t.play.ask.among]
    assert t.play.ask.default == "modifier"
    t.answer("forfeit")
    assert ([option.id for option in t.play.ask.among], t.play.ask.default) == (first, "done")
    assert t.play.ask.passing is None  # a passing default would leave its cell
