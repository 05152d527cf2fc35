"""The book as a whole: rules cited, switches, battle after battle, the dice alone, bundles."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from referee.games import load
from referee.games.war_of_the_ring.casualties import ends, forced, outcomes, take
from referee.games.war_of_the_ring.casualties import replace as replace_elite
from referee.games.war_of_the_ring.state import Army
from referee.rulebook import Choose, Count, Play, Reminder, Roll, cited

Make = Callable[..., Any]
CHAPTER = {
    f"WR-{number}" for first, last in ((1, 14), (20, 26), (30, 40), (50, 58)) for number in range(first, last + 1)
}


def random_answer(play: Play, rng: random.Random) -> Any:
    ask = play.ask
    if isinstance(ask, Choose):
        return rng.choice([option.id for option in ask.options() if option.id != "game-over"])
    if isinstance(ask, Count):
        return rng.choice([v for v in range(ask.low, ask.high + 1) if ask.bar(v) is None])
    assert isinstance(ask, Roll)
    return [rng.randint(1, 6) for _ in range(ask.dice)]


def test_every_rule_has_a_line_and_is_cited_where_it_matters() -> None:
    book = load("war-of-the-ring")
    assert set(book.rules) == CHAPTER
    rng, met = random.Random(1), set(cited())
    play = Play(book)
    for _ in range(6000):
        assert play.ask is not None
        met |= {play.ask.rule, *(rule for rule, _ in play.ask.notes)}
        for event in play.answer(random_answer(play, rng)):
            met |= {event.rule} if isinstance(event, Reminder) else set(event.rules)
    assert not CHAPTER - met


def test_battle_after_battle_until_the_game_is_over(war: Make) -> None:
    t = war(ruling=None)
    t.answer("free-peoples", "field", 1, 0, 0, 1, 0, 0).hit(1)
    assert (t.result, t.key, t.game.place()) == ("defender-eliminated", "battle.attacker", ("Battle 2", "Armies"))
    assert t.game.by_hand == {"attacker": 0, "defender": 0}
    t.answer("game-over")
    assert t.play.over.reason == "declared"


def test_back_drops_a_battle_that_is_being_declared(war: Make) -> None:
    t = war(ruling=None)
    state = pickle.dumps(t.game)
    t.answer("free-peoples", "by-hand", 6, 4, "city", 3, "back")
    assert t.key == "battle.attacker"
    assert pickle.dumps(t.game) == state


def test_back_drops_a_card_that_is_being_entered(war: Make) -> None:
    t = war((5, 0, 0)).answer("card", "none", "modifier", "own-both", 1, "attack-before", "back")
    assert t.key == "cards.attacker"
    assert not t.bundles()
    assert (t.attacker.own_combat, t.game.draft, t.game.effects) == (0, [], [])
    t.answer("none")
    assert t.play.ask.need == "5+"


def test_the_defender_declares_before_he_sees_the_attackers_card(war: Make) -> None:
    t = war((5, 0, 0)).answer("card")
    assert (t.key, t.play.seat) == ("cards.defender", "free-peoples")
    t.answer("card")
    assert (t.key, t.play.seat) == ("card.effect", "shadow")
    t.answer("back")
    assert t.key == "cards.attacker"
    t.answer("none")
    assert (t.key, t.play.seat) == ("card.effect", "free-peoples")


def test_a_number_by_hand_goes_before_the_table(war: Make) -> None:
    t = war().answer("shadow", "by-hand", 4, 6, "city", 3, 0, 0, 3, 0, 0, "none", "none", (4, 4, 3))
    assert t.attacker.hits == 2
    t.answer((5, 5, 6))
    assert t.rulings[0].data["defender"]["hits"] == 1


def test_an_assaults_length_can_be_left_to_the_players(war: Make) -> None:
    t = war((2, 0, 0), (3, 0, 0), "siege", siege_pub=False).hit(0)
    assert t.key == "round.cease"
    t.answer("on")
    assert (t.game.round, t.key) == (2, "cards.attacker")
    assert t.left("attacker") == (2, 0)


@pytest.mark.parametrize(
    ("effects", "needs"),
    [
        (("number", "own-combat", 4), ("4+", "4+")),
        (("number", "own-both", 4), ("4+", "4+")),
        (("number", "own-reroll", 4), ("5+", "4+")),
        (("number", "own-combat", 4, "number", "own-reroll", 6), ("4+", "6")),
        (("number", "own-reroll", 6, "number", "own-combat", 4), ("4+", "6")),
        (("number", "own-combat", 4, "modifier", "own-combat", -1), ("5+", "4+")),
    ],
)
def test_the_reroll_needs_what_the_combat_roll_needed_unless_a_card_names_it(
    war: Make, effects: tuple[Any, ...], needs: tuple[str, str]
) -> None:
    t = war((2, 0, 2)).cards(effects)
    combat = t.play.ask.need
    t.answer((1, 1), (1,) * 5)
    assert (combat, t.play.ask.need) == needs


def test_the_enemys_card_changes_the_number_of_both_rolls_as_well(war: Make) -> None:
    t = war((2, 0, 2)).cards(None, ("number", "enemy-combat", 6)).answer((5, 5), (1,) * 5)
    assert (t.attacker.hits, t.play.ask.need) == (0, "6")


def test_automatic_hits_are_no_dice(war: Make) -> None:
    t = (
        war((1, 0, 3), (5, 0, 0))
        .cards(
            (
                "hits",
                2,
            )
        )
        .answer((6,), (1,) * 5)
    )
    assert t.rulings[0].data["attacker"]["hits"] == 3
    assert t.left() == (2, 0)


def test_card_attacks_after_the_casualties_need_both_armies(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0)).cards(("attack-after",)).hit(1)
    assert t.key == "attack.dice"
    t.answer(2, 5, (6, 6))
    assert t.left() == (2, 0)
    battle = war((5, 0, 0), (1, 0, 0)).cards(("attack-after",)).hit(1)
    assert battle.result == "defender-eliminated"


def test_an_army_wiped_out_before_the_roll_ends_the_battle(war: Make) -> None:
    t = war((5, 0, 0), (1, 0, 3)).cards(("attack-before",)).answer(3, 5, (6, 1, 1))
    assert t.result == "defender-eliminated"
    assert t.reminders == ["WR-39", "WR-57", "WR-5"]


def test_modifiers_are_gone_with_the_round(war: Make) -> None:
    t = (
        war((5, 0, 2))
        .cards(
            (
                "modifier",
                "own-both",
                1,
                "forfeit",
            )
        )
        .answer(1)
        .answer((1,) * 5, (1,) * 5, (1,))
    )
    assert t.play.ask.notes[-1][0] == "WR-5"
    t.send("next-round")
    assert (t.game.round, t.attacker.own_combat, t.attacker.uncancelled, t.key) == (2, 0, 2, "combat.roll")


def test_next_round_in_one_press_pays_for_a_siege(war: Make) -> None:
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).send("next-round")
    assert (t.left("attacker"), t.game.round, t.key) == ((3, 0), 2, "combat.roll")
    assert t.hit(0).result == "attacker-ceased"


def test_next_round_in_one_press_stays_out_of_a_stronghold(war: Make) -> None:
    t = war((3, 0, 0), (3, 0, 0), "stronghold").answer("fight").hit(0).send("next-round")
    assert (t.game.round, t.key) == (2, "combat.roll")


def test_the_dice_alone(war: Make) -> None:
    t = war(ruling="roll").send("plain").answer(5, 3, (1, 3, 5, 5, 6), (2, 5))
    assert (t.result, t.rulings[0].headline, t.rulings[0].data["faces"]) == ("hits", "4 hits", [1, 3, 5, 5, 6, 2, 5])
    t = war(ruling="roll").answer(5, 1, "combat", 2, 1, (4, 3), (4,))
    assert t.rulings[0].data["hits"] == 1


@pytest.mark.parametrize("regulars", range(5))
@pytest.mark.parametrize("elites", range(5))
@pytest.mark.parametrize("due", range(1, 8))
def test_each_outcome_offered_is_one_that_can_be_reached(regulars: int, elites: int, due: int) -> None:
    if not regulars + elites or forced(regulars, elites, due):
        return
    offered = outcomes(Army(regulars, elites, due=due))
    assert [each.id for each in outcomes(Army(regulars, elites, due=due), spared=True)] == [
        each.id for each in reversed(offered)
    ]
    assert 1 <= len(offered) <= 6
    reached = set()
    for bundle in offered:
        army, left = Army(regulars, elites, due=due), list(bundle.answers)
        while army.due and army.units:
            choice = forced(army.regulars, army.elites, army.due) or left.pop(0)
            if choice == "reduce":
                assert left.pop(0) == "yes"
                army.due -= 1
                replace_elite(army, "yes")
            else:
                take(army, choice)
        assert not left
        assert bundle.id == f"r{army.regulars}-e{army.elites}"
        reached.add((army.regulars, army.elites))
    assert reached == set(ends(regulars, elites, due)) == brute(regulars, elites, due)


def brute(regulars: int, elites: int, due: int) -> set[tuple[int, int]]:
    """Return every end of every way to take so many hits, every Elite being replaceable."""
    if not due or not regulars + elites:
        return {(regulars, elites)}
    reached: set[tuple[int, int]] = set()
    if regulars:
        reached |= brute(regulars - 1, elites, due - 1)
    if elites:
        reached |= brute(regulars + 1, elites - 1, due - 1)
        if due > 1:
            reached |= brute(regulars, elites - 1, due - 2)
    return reached


def test_never_more_than_six_outcomes_for_ten_units() -> None:
    most = max(
        len(ends(units - elites, elites, due))
        for units in range(1, 11)
        for elites in range(units + 1)
        for due in range(1, 11)
    )
    assert most == 6


def test_conceding_gives_the_game_to_the_other_side(war: Make) -> None:
    t = war((5, 0, 0), ruling=None)
    t.play.concede("shadow")
    assert t.play.over.winners == ("free-peoples",)


def test_a_judge_may_correct_while_a_roll_stands(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0)).answer("none", "none").judge("armies.attacker.own_combat", 1)
    t.answer((4, 4, 4, 1, 1))
    assert t.attacker.hits == 3


def test_a_card_attack_after_the_casualties_is_told_after_the_round(war: Make) -> None:
    t = war((3, 0, 0), (2, 0, 0)).cards(("attack-after",)).answer((5, 1, 1), (1, 1))
    assert t.result == "round-fought"
    assert t.rulings[-1].why[-2:] == (
        "FP takes 1 hit: 1 Regular lost; 1 Regular left",
        "FP losses are out of the game",
    )
    t.answer(2, 5, (6, 6))
    assert [ruling.result for ruling in t.rulings] == ["round-fought", "card-attack", "defender-eliminated"]


def test_cards_are_discarded_when_a_battle_ends_in_their_round(war: Make) -> None:
    assert war((3, 0, 0), (3, 0, 0)).cards(None, ("retreat",)).answer("retreat").reminders[-1] == "WR-5"
    assert "WR-5" not in war((3, 0, 0), (3, 0, 0)).hit(3).reminders


def test_a_level_0_character_stays_behind_however_the_defender_retreats(war: Make) -> None:
    assert "WR-55" in war((3, 0, 0), (3, 0, 0)).cards(None, ("retreat",)).answer("retreat").reminders
    assert "WR-55" in war((3, 0, 0), (3, 0, 0)).hit(0).answer("on", "retreat").reminders


def test_only_the_defender_retreats_by_a_card(war: Make) -> None:
    t = war((3, 0, 0), (3, 0, 0)).answer("card", "none")
    assert t.refused("retreat") == "WR-X14"
    t.answer("back", "none")
    assert t.key == "combat.roll"


@pytest.mark.parametrize(
    ("units", "texts"),
    [(5, []), (6, ["1 unit too many: a Stronghold holds five"]), (7, ["2 units too many: a Stronghold holds five"])],
)
def test_how_many_units_are_too_many_for_a_stronghold(war: Make, units: int, texts: list[str]) -> None:
    t = war((3, 0, 0), (units - 2, 2, 0), "stronghold").answer("siege")
    assert [event.text for event in t.events if isinstance(event, Reminder) and event.rule == "WR-54"] == texts


def test_where_losses_go_is_said_even_where_nothing_was_to_choose(war: Make) -> None:
    assert war((3, 0, 0), (3, 0, 0)).hit(1, 1).rulings[0].why[-2:] == (
        "Shadow losses go back to reinforcements",
        "FP losses are out of the game",
    )
    assert not any("losses" in line for line in war((3, 0, 0), (3, 0, 0)).hit(0).rulings[0].why)


def test_a_throw_is_told_by_its_faces_or_its_hits_whatever_the_keys_mean(war: Make) -> None:
    for entry in ("hits", "faces"):
        t = war((3, 0, 1), (3, 0, 0), dice_entry=entry).answer("none", "none")
        assert (t.play.ask.tally, t.play.ask.by_tally) == ("hits", entry == "hits")
        assert t.refused({"hits": 4}) == "WR-X01"
        t.answer({"hits": 2}, (1, 6, 1), {"hits": 1})
        data = t.rulings[0].data
        assert (data["attacker"]["hits"], data["attacker"]["faces"]) == (3, [])
        assert (data["defender"]["hits"], data["defender"]["faces"]) == (1, [1, 6, 1])
        assert t.rulings[0].why[:2] == ("Shadow: 3 dice, needs 5+: 2 hits", "Shadow again: 1 die, needs 5+: 1 hit")


def test_no_more_hits_than_dice_in_a_reroll(war: Make) -> None:
    t = war((3, 0, 1), (3, 0, 0)).answer("none", "none", {"hits": 0}, {"hits": 0})
    assert t.refused({"hits": 2}) == "WR-X03"


def test_the_number_of_leaders_stands_for_their_own_rule(war: Callable[..., Any]) -> None:
    t = war().answer("shadow", "field")
    rules = {}
    for number in (3, 0, 0):
        rules[t.key] = t.play.ask.rule
        t.answer(number)
    assert rules == {"army.regulars": "WR-20", "army.elites": "WR-20", "army.leadership": "WR-22"}
