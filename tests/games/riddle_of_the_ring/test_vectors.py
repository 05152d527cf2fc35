"""The vectors of the specification, each by its id. Players unless stated: Frodo, BR1, Sam, BR2."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import NotNow
from referee.games import load
from referee.journal import Journal
from referee.journal.export import export
from referee.rulebook import Ruling
from referee.session import Session, Submission

Make = Callable[..., Any]


def test_RR_T01_no_battle_before_the_first_stop(table: Make) -> None:
    t = table()
    assert t.refused("battle") == "RR-X05"


def test_RR_T02_no_battle_without_friendly_exchange(table: Make) -> None:
    t = table().stop("br1", exchange="not-yet")
    assert t.refused("battle") == "RR-X06"


def test_RR_T03_no_battle_after_an_exchange_without_cards(table: Make) -> None:
    t = table().stop("br1", exchange="no-cards")
    assert t.refused("battle") == "RR-X07"
    assert t.game.pp_used == 0


def test_RR_T04_an_unmatched_force_wins(table: Make) -> None:
    t = table().attack("br1").answer("good-army")
    assert t.score == "1-0"
    assert t.answer("evil-army").score == "1-1"
    assert t.answer("neutral-army").score == "2-1"
    t.answer("surrender")
    assert t.key == "battle.spoils"
    assert not t.game.in_halls["br1"]
    t.answer("taken")
    won = t.last()
    assert (won.result, won.headline, won.data["total"]) == ("win", "BR1 to Halls", "2-1")
    assert won.data["discard"] == [["attacker", "good-army"], ["defender", "evil-army"], ["attacker", "neutral-army"]]
    assert won.data["return"] == []
    assert won.to_do == ("Discard all cards laid",)
    assert t.game.in_halls["br1"]
    assert t.game.pp_used == 1


def test_RR_T05_T06_a_hobbit_attacks_a_hobbit_with_evil(table: Make) -> None:
    t = table().attack("sam")
    assert t.refused("good-army") == "RR-X10"
    assert t.refused("own-character") == "RR-X10"
    assert t.answer("evil-army").score == "1-0"


def test_RR_T07_a_rider_attacks_a_hobbit_with_evil_or_neutral(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo")
    assert t.refused("good-army") == "RR-X10"
    assert t.answer("neutral-army").score == "1-0"


def test_RR_T08_a_hobbit_defends_without_evil(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo").answer("evil-army")
    assert t.refused("evil-army") == "RR-X10"


def test_RR_T09_five_matched_ends_in_a_tie(table: Make) -> None:
    t = table().attack("br1")
    for _ in range(5):
        t.answer("good-army", "evil-army")
    assert t.key == "turn.menu"
    tie = t.last()
    assert (tie.result, tie.data["total"]) == ("tie", "5-5")
    assert len(tie.data["discard"]) == 10
    assert not any(t.game.in_halls.values())


def test_RR_T10_nobody_passes_five(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo")
    for _ in range(4):
        t.answer("evil-army", "good-army")
    assert t.refused("mouth-of-sauron") == "RR-X12"
    assert {"stop", "evil-army"} <= set(t.open())
    assert t.answer("stop").last().result == "tie"


def test_RR_T11_the_defender_matches_exactly(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo").answer("evil-army")
    assert t.refused("strider") == "RR-X13"


def test_RR_T11_with_overshoot_the_surplus_counts_for_later(table: Make) -> None:
    t = table("br1", "frodo", overshoot=True).attack("frodo").answer("evil-army", "strider")
    assert t.score == "1-2"
    assert t.key == "battle.attack"
    assert t.answer("evil-army").score == "2-2"
    assert t.key == "battle.attack"
    assert t.answer("stop").last().result == "tie"


def test_RR_T12_cities(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo")
    assert t.refused("neutral-city") == "RR-X14"
    assert t.refused("far-city") == "RR-X14"
    assert t.answer("evil-city").score == "1-0"
    assert t.answer("good-army").score == "1-1"
    t.answer("evil-city")
    assert t.refused("a") == "RR-X14"
    assert t.open() == ["b"]
    assert t.answer("back").key == "battle.attack"
    assert t.score == "1-1"


def test_RR_T13_no_third_power_play(table: Make) -> None:
    t = table().answer("clairvoyance", "spy", "sam", "riddle", "sam", 4, "wrong")
    t.stop("br1")
    assert t.refused("battle") == "RR-X02"


def test_RR_T14_nobody_is_attacked_twice(table: Make) -> None:
    fought = table().attack("br1").answer("good-army", "evil-army", "stop")
    assert fought.stop("br1").refused("battle") == "RR-X08"
    assert "riddle" in fought.open()
    fought.stop("br1", "br2", "sam").answer("battle")
    assert fought.refused("br1") == "RR-X08"
    assert fought.open() == ["sam", "br2"]
    assert fought.game.left == 1


def test_RR_T15_two_hands_take_two_power_plays(table: Make) -> None:
    t = table().answer("clairvoyance", "spy", "sam", "clairvoyance", "elf-ring")
    assert t.refused("two-hands") == "RR-X02"
    t.answer("br1", "hand")
    assert t.game.pp_used == 2


def test_RR_T16_nobody_resists_a_spy(table: Make) -> None:
    t = table().answer("clairvoyance", "spy", "sam")
    assert t.refused("resists") == "RR-X15"
    assert t.game.pp_used == 1


def test_RR_T17_who_resists_shows_a_card_and_spends_the_play(table: Make) -> None:
    t = table().answer("clairvoyance", "palantir", "sam")
    assert t.play.seat == "sam"
    assert t.answer("resists").last().result == "resisted"
    assert t.last().to_do == ("Sam shows Frodo", "one card, in secret")
    assert t.game.pp_used == 1


@pytest.mark.parametrize("card", ["palantir", "elf-ring"])
def test_RR_T17_nothing_anywhere_tells_which_card_resisted(card: str, tmp_path: Path) -> None:
    """Neither question, ruling, log, state nor export names a card that can resist, before an undo or after it."""
    with Journal(tmp_path / "journal.db") as journal:
        session = Session(load("riddle-of-the-ring"), journal=journal)
        session.answer(4)
        session.bundle("usual")
        session.sequence(("clairvoyance", card, "sam"))
        asked = session.prompt
        assert asked is not None
        session.answer(Submission("resists", seat="sam"))
        session.undo(1)
        outcome = session.answer(Submission("resists", seat="sam"))
        lines = [json.loads(line) for line in export(journal, 1)]
    (ruling,) = outcome.events
    assert isinstance(ruling, Ruling)
    shown = [ruling.result, ruling.headline, *ruling.to_do, *ruling.why, ruling.data]
    written = json.dumps(
        [lines, shown, session.state()["entry"], asked.as_json()["options"], asked.as_json()["barred"]]
    )
    assert '"resists"' in written
    assert not re.search(r'"the-ring|The Ring|own[- ]c|other-card', written)


def test_RR_T18_there_is_one_way_to_resist(table: Make) -> None:
    t = table().answer("clairvoyance", "palantir", "sam")
    assert t.open() == ["hand", "resists"]
    assert (t.play.ask.rule, t.play.ask.notes) == ("RR-11", ("RR-12",))


@pytest.mark.parametrize(("hand", "guesses"), [(5, 3), (4, 3), (3, 2), (2, 1), (1, 1)])
def test_RR_T19_guesses_by_hand_size(table: Make, hand: int, guesses: int) -> None:
    t = table().answer("riddle", "br1", hand)
    assert t.play.ask.head == f"{guesses} guess{'es' * (guesses > 1)}"


def test_RR_T19_an_empty_hand_cannot_be_riddled(table: Make) -> None:
    t = table().answer("riddle", "br1")
    assert t.refused(0) == "RR-X16"
    assert t.game.pp_used == 0


def test_RR_T20_the_riddle_is_the_only_card(table: Make) -> None:
    assert table().refused("only-card") == "RR-X17"
    t = table().answer("riddle")
    assert t.refused("only-card") == "RR-X17"
    assert t.answer("back").key == "turn.menu"
    assert t.game.pp_used == 0


def test_RR_T21_guesses_are_counted_anew(table: Make) -> None:
    t = table().answer("riddle", "br1", 4, "right")
    assert t.play.ask.head == "2 guesses"
    t.answer("wrong")
    assert t.last().result == "wrong"
    assert t.last().to_do == ("1 random card goes", "from Frodo to BR1")
    assert t.key == "turn.menu"
    assert t.game.pp_used == 1


def test_RR_T22_shelob_visits_everybody_once(table: Make) -> None:
    t = table().answer("take-card", "shelob", "ordinary", "stays", "no-cards")
    assert t.last().data["hit"] == {"br1": "ordinary", "sam": "stays", "br2": "no-cards"}
    assert t.last().headline == "1 discarded"
    assert t.game.pp_used == 1


def test_RR_T23_a_card_is_given_to_a_player_only(table: Make) -> None:
    t = table().answer("take-card", "character", "merry")
    assert t.key == "take.target"
    assert t.refused("give") == "RR-X18"
    t.answer("br1", "taken")
    assert t.game.pp_used == 1
    assert t.last().to_do == ("Discard Merry's card",)


def test_only_a_card_that_draws_rests_on_its_discarding(table: Make) -> None:
    draws = table().answer("take-card", "character", "br1", "draw", "sam", "taken")
    assert draws.last().rules == ("RR-34", "RR-35", "A-RR15")
    gives = table().answer("take-card", "character", "br1", "give", "taken")
    assert gives.last().rules == ("RR-34", "RR-35")
    assert gives.last().to_do == ("Give BR1 the card",)


def test_RR_T24_retained_cards_go_back(table: Make) -> None:
    t = table().attack("br1").answer("own-character", "evil-army", "the-ring", "evil-army", "good-army")
    assert t.score == "3-2"
    t.answer("surrender", "taken")
    won = t.last().data
    assert won["return"] == [["attacker", "own-character"], ["attacker", "the-ring"]]
    assert won["discard"] == [["defender", "evil-army"], ["defender", "evil-army"], ["attacker", "good-army"]]
    assert [force[2] for force in won["forces"] if force[1] == "the-ring"] == ["neutral"]


def test_RR_T25_a_new_stop_needs_a_new_exchange(table: Make) -> None:
    assert table().stop("br1").stop().refused("battle") == "RR-X06"


@pytest.mark.parametrize("other", ["clairvoyance", "riddle", "take-card", "battle", "move", "end-turn"])
def test_RR_T26_nothing_interrupts_a_power_play(table: Make, other: str) -> None:
    t = table().answer("riddle", "sam", 4)
    assert t.refused(other) == "RR-X03"


def test_RR_T27_gollum_and_bilbo_cost_even_in_vain(table: Make) -> None:
    t = table().answer("take-card", "gollum", "br1", "no")
    assert t.game.pp_used == 1
    t.answer("take-card", "bilbo", "sam", "no")
    assert t.game.pp_used == 2
    assert t.last().headline == "No Gollum"


def test_RR_T28_the_attacker_settles_for_a_tie(table: Make) -> None:
    t = table().attack("br1").answer("good-army", "evil-army")
    assert t.play.seat == "frodo"
    t.answer("stop")
    assert t.last().result == "tie"
    assert t.game.pp_used == 1
    assert t.key == "turn.menu"
    assert t.refused("force") == "RR-X21"


def test_RR_T29_only_the_player_whose_turn_it_is(table: Make) -> None:
    session = Session(load("riddle-of-the-ring"))
    session.answer(2)
    session.bundle("usual")
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission("take-card", seat="br1"))
    assert refusal.value.code == "RR-X01"


@pytest.mark.parametrize("other", ["clairvoyance", "riddle", "take-card", "battle", "move", "end-turn"])
def test_RR_T30_nothing_in_the_middle_of_a_move(table: Make, other: str) -> None:
    t = table().answer("move")
    assert t.refused(other) == "RR-X04"


def test_RR_T31_not_aimed_at_oneself(table: Make) -> None:
    t = table().answer("take-card", "gollum")
    assert t.refused("frodo") == "RR-X09"


def test_RR_T32_a_boat_is_no_force(table: Make) -> None:
    t = table().attack("br1")
    assert t.refused("no-points") == "RR-X11"
    assert t.refused("other-character") == "RR-X11"


def test_RR_T33_an_exchange_put_off_bars_only_the_battle(table: Make) -> None:
    t = table().stop("br1", exchange="not-yet")
    assert t.reminders == ["A-RR19"]
    t.answer("clairvoyance", "spy", "br1")
    assert t.game.pp_used == 1
    assert t.refused("battle") == "RR-X06"
    t.answer("friendly-exchange", "done", "battle", "good-army")
    assert t.score == "1-0"


def test_RR_T34_a_city_serves_one_side(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo").answer("evil-city")
    assert t.refused("evil-city") == "RR-X10"
    assert t.refused("strider") == "RR-X13"


def test_RR_T35_the_ceiling_comes_before_the_attackers_total(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo")
    for _ in range(4):
        t.answer("evil-army", "good-army")
    t.answer("evil-army")
    assert t.score == "5-4"
    assert t.refused("strider") == "RR-X12"


def test_RR_T36_one_city_has_one_kind_and_serves_once(table: Make) -> None:
    t = table("br1", "frodo").attack("frodo").answer("evil-army", "good-city", "evil-city")
    assert t.refused("a") == "RR-X14"
    assert t.game.battle.forces[-1].city == "a"
    t.answer("b")
    assert (t.score, [force.city for force in t.game.battle.forces]) == ("2-1", ["", "a", "b"])
