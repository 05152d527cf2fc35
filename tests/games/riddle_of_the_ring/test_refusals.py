"""Refusals that need a session or a rare position, and what a card that says otherwise can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import NotNow
from referee.games import load
from referee.session import Session, Submission

Make = Callable[..., Any]


# -- who and when ----------------------------------------------------------------------------------------------


def foreign(session: Session, answer: Any, seat: str) -> str:
    before = session.state()
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission(answer, seat=seat))
    assert session.state() == before
    return refusal.value.code


def in_battle(players: int = 2) -> Session:
    session = Session(load("riddle-of-the-ring"))
    session.answer(players)
    for bundle, answers in (("usual", ("move",)), ("with-br1", ("battle",))):
        session.bundle(bundle)
        session.sequence(answers)
    return session


def test_RR_X01_another_seat_is_not_heard() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.answer(2)
    session.bundle("usual")
    assert foreign(session, "end-turn", "br1") == "RR-X01"


def test_RR_X21_nobody_lays_a_force_before_the_other_has_answered() -> None:
    session = in_battle()
    assert foreign(session, "evil-army", "br1") == "RR-X21"
    session.answer(Submission("good-army", seat="frodo"))
    assert foreign(session, "good-army", "frodo") == "RR-X21"
    session.answer(Submission("evil-army", seat="br1"))
    assert foreign(session, "neutral-army", "br1") == "RR-X21"


def test_RR_X01_a_third_player_is_out_of_turn_in_a_battle() -> None:
    session = in_battle(3)
    assert foreign(session, "evil-army", "sam") == "RR-X01"
    session.answer("good-city")
    assert foreign(session, "good-army", "sam") == "RR-X01"
    session.answer("evil-army")
    session.answer("good-city")
    assert foreign(session, "b", "sam") == "RR-X01"
    assert foreign(session, "b", "br1") == "RR-X21"
    session.answer("back")
    session.answer("good-card")
    assert foreign(session, 3, "sam") == "RR-X01"
    assert foreign(session, 3, "br1") == "RR-X21"


def test_RR_X21_after_the_end() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.answer(2)
    session.bundle("usual")
    session.sequence(("game-over", "frodo"))
    assert foreign(session, "force", "frodo") == "RR-X21"


@pytest.mark.parametrize(
    ("set_by_judge", "code"),
    [
        ({}, "RR-X06"),
        ({"fe.br1": "no-cards"}, "RR-X06"),
        ({"fe.br1": "no-cards", "fe.br2": "no-cards"}, "RR-X07"),
        ({"fe.br1": "done", "battled.br1": True, "fe.br2": "no-cards"}, "RR-X07"),
        ({"battled.br1": True, "battled.br2": True}, "RR-X08"),
        ({"in_halls.br1": True, "battled.br2": True}, "RR-X08"),
        ({"in_halls.br1": True, "in_halls.br2": True}, "RR-X20"),
    ],
)
def test_a_battle_nobody_can_be_attacked_in_is_not_begun(table: Make, set_by_judge: Any, code: str) -> None:
    """Of the reasons at this stop the menu names the one most easily put right."""
    t = table().stop("br1", "br2", exchange="not-yet")
    for path, value in set_by_judge.items():
        t.judge(path, value)
    assert t.refused("battle") == code
    assert t.barred()["battle"] == code


def test_the_only_player_who_can_be_attacked_is_not_asked_for(table: Make) -> None:
    t = table().stop("br1", "sam").judge("battled.sam", True).answer("battle")
    assert (t.key, t.play.ask.head, t.play.ask.tag) == ("battle.attack", "Frodo 0-0", "v BR1")
    assert t.answer("back").key == "turn.menu"


def test_a_hand_out_of_reach_costs_nothing(table: Make) -> None:
    t = table().answer("clairvoyance", "elf-ring", "two-hands")
    assert t.refused("too-far") == "RR-X19"
    t.answer("sam", "hand")
    assert t.refused("too-far") == "RR-X19"
    t.answer("no-more")
    assert t.game.pp_used == 1


def test_an_elf_ring_asks_for_its_target_even_if_only_one(table: Make) -> None:
    """Naming a player says that he is near; a card that reaches everybody names the only one by itself."""
    t = table("frodo", "br1").answer("clairvoyance", "elf-ring")
    assert (t.key, t.play.ask.text, t.open()) == ("clairvoyance.target", "Whose hand? Near players only", ["br1"])
    assert t.answer("back", "clairvoyance", "palantir").key == "clairvoyance.resist"


def test_no_pair_of_forces_is_offered_that_would_pass_five_points(table: Make) -> None:
    t = table().attack("br1").answer("good-army")
    t.judge("battle.att_total", 5).judge("battle.def_total", 3)
    assert "ring-city" in t.bundles()
    t.judge("battle.att_total", 6).judge("battle.def_total", 4)
    assert not t.bundles()


def test_two_hands_lack_the_power_play_before_the_second_player() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.answer(2)
    session.bundle("usual")
    session.correct("pp_used", 1)
    session.sequence(("clairvoyance", "elf-ring"))
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission("two-hands", mode="override"))  # nor can a card give what there is nobody for
    assert refusal.value.code == "RR-X02"
    session.correct("pp_used", 0)
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission("two-hands", mode="override"))
    assert refusal.value.code == "RR-X09"


def test_RR_X14_each_city_once_a_battle(table: Make) -> None:
    t = table().attack("br1").answer("good-city", "evil-city")
    assert t.play.ask.text == "City A is used. Which city is this?"
    assert t.refused("a") == "RR-X14"
    t.answer("b", "good-city")
    assert t.play.ask.text == "Cities A, B are used. Which city is this?"
    assert (t.refused("a"), t.refused("b"), t.refused("d")) == ("RR-X14", "RR-X14", "RR-X21")
    assert t.answer("c").score == "2-1"


def test_every_printed_number_of_battle_points_can_be_laid(table: Make) -> None:
    t = table().attack("br1").answer("good-card")
    assert (t.key, t.refused(1), t.refused(6)) == ("battle.points", "out-of-range", "out-of-range")
    assert t.answer(3).score == "3-0"
    t.answer("evil-card")
    assert (t.refused(4), t.refused(5)) == ("RR-X13", "RR-X13")
    assert t.answer(3).score == "3-3"
    assert t.answer("good-card").score == "5-3"  # 2 is all that is left below the ceiling: it is not asked
    t.answer("surrender", "taken")
    assert t.last().why[3:] == ("Frodo discards 1 Good card of 3, 1 Good card of 2", "BR1 discards 1 Evil card of 3")


def test_a_card_that_says_otherwise_opens_what_is_barred(table: Make) -> None:
    t = table().stop("br1", exchange="no-cards").judge("pp_used", 2)
    t.answer("battle", "br1", override=True)
    t.answer("strider").answer("own-character", "evil-army")
    t.answer("evil-army", override=True)
    assert (t.score, t.game.pp_used, t.game.left) == ("3-2", 3, 0)
    t.answer("mouth-of-sauron", override=True)
    assert t.score == "3-4"
    assert t.answer("good-army").score == "4-4"
    t.answer("stop")
    assert t.last().result == "tie"


def test_each_side_is_asked_and_told_in_its_own_words() -> None:
    session = in_battle()
    assert session.prompt is not None
    assert "attacks" in session.prompt.text
    session.answer(Submission("good-army", seat="frodo"))
    assert "matches" in session.prompt.text
    session.sequence(("surrender", "taken"))
    assert session.last_ruling is not None
    assert (session.last_ruling.data["attacker"], session.last_ruling.data["defender"]) == ("frodo", "br1")


def test_a_single_ruling_and_a_game_being_set_up_say_so() -> None:
    book = load("riddle-of-the-ring")
    assert Session(book).place == ("Setup",)
    assert {Session(book, None, name).place for name in book.rulings} == {("Ruling",)}
