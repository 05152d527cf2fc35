"""Players, not roles: whose turn it is, who attacks, what each has won, and what belongs to a character for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.rulebook import whole

Make = Callable[..., Any]
A, B = "character-1", "character-2"
ONE, TWO, THREE = (f"player-{n}" for n in (1, 2, 3))
PAIR = ((4, 7),) * 2


def counters(t: Any) -> dict[str, int]:
    return {whole(pool.name): pool.value for pool in t.game.pools()}


# -- turns


def test_roles_change_with_the_turn(wizards: Make) -> None:
    t = wizards(company=PAIR).status(A, "tapped")
    assert (t.game.player, t.game.attacking) == (ONE, TWO)
    t.answer("new-turn")
    assert (t.key, t.play.seat, t.game.player, t.game.attacking) == ("company.add", TWO, TWO, ONE)
    t.answer("5/8", "done", 2).attack(1, 9).answer("assign")
    assert (t.key, t.play.seat) == ("strike.attacker", ONE)
    assert (t.answer("tap").play.seat, t.answer(2).play.seat, t.answer(2).key) == (TWO, ONE, "menu")
    t.answer("new-turn")
    assert (t.key, t.play.seat, t.who(A).status) == ("turn.untap", ONE, "tapped")
    t.answer("yes")
    assert (t.key, t.who(A).status, t.game.place()[:2]) == ("menu", "untapped", ("Turn 3", "Player 1"))


def test_of_several_opponents_one_is_named(wizards: Make) -> None:
    t = wizards(company=PAIR, players=3).answer("attack")
    assert (t.key, t.play.ask.default, t.open()) == ("attack.by", TWO, [TWO, THREE])
    t.answer(THREE, "creature", "2", "7", "0", "assign", A)
    assert (t.key, t.play.seat) == ("strike.attacker", THREE)


def test_who_gives_up_while_an_attacker_is_named_is_none(wizards: Make) -> None:
    t = wizards(company=PAIR, players=4).answer("attack")
    t.play.concede(THREE)
    assert (t.key, t.open()) == ("attack.by", [TWO, "player-4"])


# -- who is out


@pytest.mark.parametrize("players", [2, 3])
def test_a_lost_wizard_takes_out_its_player(wizards: Make, players: int) -> None:
    """A-ME16: the others play on, and the attack under way is dropped."""
    t = wizards(players=players).answer("wizard", "6", "9", "4/7", "done", 3).cp(A, 9)
    t.answer("attack", *([TWO] if players > 2 else []), "creature", "1", "7", "0", "check", A, 2)
    assert t.result == "game-lost"
    if players == 2:
        assert t.play.over.winners == (TWO,)
        return
    assert (t.key, t.play.seat, t.game.attacking, t.game.attack) == ("company.add", TWO, THREE, None)
    t.answer("4/7", "done", 2, "new-turn", "new-turn")
    assert (t.key, t.game.player, t.game.attacking) == ("menu", TWO, THREE)


def test_who_gives_up_on_their_turn_ends_it(wizards: Make) -> None:
    t = wizards(company=PAIR, players=3).answer("attack", TWO, "creature", "2", "7", "0", "assign", A, "none")
    assert t.play.seat == ONE
    t.play.concede(ONE)
    assert (t.key, t.play.seat, t.game.attack, t.game.strike) == ("company.add", TWO, None, None)


# -- marshalling points (ME-31, ME-32)


def test_a_defeated_creature_gives_the_points_on_its_card(wizards: Make) -> None:
    t = wizards(company=PAIR).attack(1, 7).answer("assign", A, "tap", 12)
    assert (t.key, t.play.seat, t.play.ask.default) == ("attack.points", ONE, "1")
    t.answer("3")
    assert whole(t.last().foot) == "Player 1 gets 3 and has 3 marshalling points now"
    assert counters(t)["Player 1: marshalling points"] == 3
    t.attack(1, 7).answer("assign", B, "tap", 12)
    assert t.play.ask.default == "3"  # such a creature gave so many before
    t.answer("3").judge("marshalling.player-2", 4)
    assert t.game.marshalling == {ONE: 6, TWO: 4}


# -- what belongs to a character


def test_a_second_check_begins_with_what_was_kept(wizards: Make) -> None:
    t = wizards(company=PAIR).answer("card", A, "3", "check", "modifier", "+2", "hazard", "-1", A, 12)
    assert (t.who(A).modifier, t.last().data["modifier"]) == (2, 1)  # what a hazard added does not last
    t.answer("check", A)
    assert (t.key, t.play.ask.default) == ("check.kept", "kept")
    assert whole(t.play.ask.among.words("kept")) == "3 corruption points and plus 2, as kept"
    t.answer("kept", 12)
    assert (t.last().data["cp"], t.last().data["modifier"]) == (3, 2)
    t.answer("check", "modifier", "+1", A, "kept", 12)
    assert (t.who(A).modifier, t.last().data["modifier"]) == (2, 3)
    t.answer("check", A, "plain", 12)
    assert (t.who(A).modifier, t.last().data["modifier"], t.answer("check", A).key) == (0, 0, "check.dice")


@pytest.mark.parametrize(("strike", "thrown"), [(False, 9), (False, 2), (True, 12)])
def test_followers_are_named_when_their_controller_goes(wizards: Make, strike: bool, thrown: int) -> None:
    """ME-64, ME-65: they are not discarded."""
    t = wizards().answer("4/8", "named", "balin", "named", "bofur", "follower", "named", "sam", "1", "9", "follower")
    t.answer("done")
    assert t.play.ask.default == 4  # three and a half: a follower counts like everybody
    t.answer(4)
    assert [c.follows for c in t.game.members] == ["", "", "balin", "balin"]
    if strike:
        t.attack(1, 15).answer("assign", "balin", "tap", 2, thrown)
        assert "Bofur and Sam are nobody's follower now" in map(whole, t.ruling("eliminated").why)
    else:
        t.cp("balin", 10).answer("check", "balin", thrown)
        assert any("but not Bofur and Sam" in whole(line) for line in t.last().why)
    assert [(c.id, c.follows) for c in t.game.members] == [(A, ""), ("bofur", ""), ("sam", "")]


def test_names_without_printed_values_ask_for_them(wizards: Make) -> None:
    t = wizards().answer("named", "gandalf")
    assert (t.key, t.play.ask.default, t.answer("6").play.ask.default) == ("company.prowess", "6", "9")
    t.answer("9", "named", "frodo", "1", "9", "done")
    gandalf, frodo = t.game.members
    assert (gandalf.wizard, frodo.hobbit, frodo.wizard, t.game.proposed_limit) == (True, True, False, 2)
