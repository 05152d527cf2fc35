"""Every refusal code, which one is shown when several fit, and what a card that says otherwise can do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import NotNow, Refused
from referee.games import load
from referee.rulebook import BACK, Choose, Count, Pick
from referee.session import Session, Submission

Make = Callable[..., Any]
CODES = {f"RR-X{n:02}" for n in range(1, 22)}


def spent(t: Any) -> Any:
    return t.judge("pp_used", 2)


# -- who and when ----------------------------------------------------------------------------------------------


def foreign(session: Session, answer: Any, seat: str) -> str:
    before = session.state()
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission(answer, seat=seat))
    assert session.state() == before
    return refusal.value.code


def in_battle(players: str = "players-2") -> Session:
    session = Session(load("riddle-of-the-ring"))
    for bundle, answers in ((players, ("move",)), ("with-br1", ("battle",))):
        session.bundle(bundle)
        session.sequence(answers)
    return session


def test_RR_X01_another_seat_is_not_heard() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.bundle("players-2")
    assert foreign(session, "end-turn", "br1") == "RR-X01"


def test_RR_X21_nobody_lays_a_force_before_the_other_has_answered() -> None:
    session = in_battle()
    assert foreign(session, "evil-army", "br1") == "RR-X21"
    session.answer(Submission("good-army", seat="frodo"))
    assert foreign(session, "good-army", "frodo") == "RR-X21"
    session.answer(Submission("evil-army", seat="br1"))
    assert foreign(session, "neutral-army", "br1") == "RR-X21"


def test_RR_X01_a_third_player_is_out_of_turn_in_a_battle_of_others() -> None:
    session = in_battle("players-3")
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


def test_RR_X21_the_pass_of_the_other_side_is_out_of_sequence(table: Make) -> None:
    t = table().attack("br1")
    assert t.refused("surrender") == "RR-X21"
    t.answer("good-army")
    assert t.refused("stop") == "RR-X21"


def test_RR_X21_no_card_is_laid_twice(table: Make) -> None:
    t = table().attack("br1").answer("the-ring")
    assert t.refused("the-ring") == "RR-X21"
    t.answer("own-character", "own-character")  # each side has one of its own
    assert t.refused("own-character") == "RR-X21"


def test_RR_X21_after_the_end() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.bundle("players-2")
    session.sequence(("game-over", "frodo"))
    assert foreign(session, "force", "frodo") == "RR-X21"


# -- opening a Power Play: X20 (the user), X02, X05 ------------------------------------------------------------


@pytest.mark.parametrize("kind", ["clairvoyance", "riddle", "take-card", "battle"])
def test_the_halls_bar_a_power_play_before_anything_else(table: Make, kind: str) -> None:
    t = spent(table()).judge("in_halls.frodo", True)
    assert t.refused(kind) == "RR-X20"


@pytest.mark.parametrize("kind", ["clairvoyance", "riddle", "take-card", "battle"])
def test_no_power_play_is_left_before_no_move_was_made(table: Make, kind: str) -> None:
    assert spent(table()).refused(kind) == "RR-X02"


def test_who_is_in_the_halls_neither_moves_nor_plays(table: Make) -> None:
    t = table().judge("in_halls.frodo", True)
    assert t.open() == ["left-halls", "end-turn", "game-over"]
    assert t.refused("move") == "RR-X20"


# -- the target: X18 or X09, X20, then for a battle X08, X07, X06 ----------------------------------------------

AIMED = [
    pytest.param(("clairvoyance", "spy"), id="clairvoyance"),
    pytest.param(("riddle",), id="riddle"),
    pytest.param(("take-card", "gollum"), id="gollum"),
    pytest.param(("take-card", "bilbo"), id="bilbo"),
    pytest.param(("take-card", "character", "pippin"), id="draw"),
]


@pytest.mark.parametrize("way", AIMED)
def test_RR_X09_comes_before_RR_X20(table: Make, way: tuple[str, ...]) -> None:
    t = table().answer(*way).judge("in_halls.sam", True)
    assert t.refused("frodo") == "RR-X09"
    assert t.refused("merry") == "RR-X09"
    assert t.refused("sam") == "RR-X20"
    t.judge("in_halls.frodo", True)
    assert t.refused("frodo") == "RR-X09"
    assert t.answer("back").game.pp_used == 0


def test_RR_X18_comes_before_RR_X20(table: Make) -> None:
    t = table().answer("take-card", "character", "frodo")
    assert t.refused("give") == "RR-X18"
    t.answer("back", "take-card", "character", "pippin")
    assert t.refused("give") == "RR-X18"
    t.answer("back", "take-card", "gollum")
    assert t.refused("give") == "RR-X21"
    t.answer("back").judge("in_halls.sam", True).answer("take-card", "character", "sam")
    assert t.refused("give") == "RR-X20"


def test_a_battle_names_the_first_of_its_reasons(table: Make) -> None:
    t = table().stop("br1", exchange="no-cards").judge("battled.br1", True)
    assert t.refused("battle") == "RR-X08"
    t.answer("battle", override=True)
    assert t.refused("frodo") == "RR-X09"
    assert t.refused("br1") == "RR-X08"
    assert t.judge("in_halls.br1", True).refused("br1") == "RR-X20"
    assert t.judge("in_halls.br1", False).judge("battled.br1", False).refused("br1") == "RR-X07"
    assert t.judge("fe.br1", "unset").refused("br1") == "RR-X06"
    assert t.refused("br2") == "RR-X06"


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


def test_RR_X20_comes_before_RR_X19(table: Make) -> None:
    t = table().judge("in_halls.sam", True).answer("clairvoyance", "elf-ring")
    assert t.refused("sam") == "RR-X20"
    assert t.refused("too-far") == "RR-X19"


def test_a_second_hand_is_refused_before_its_target_is_looked_at(table: Make) -> None:
    t = table().answer("clairvoyance", "wizard", "two-hands", "br1").judge("in_halls.sam", True)
    t.judge("pp_used", 2)
    assert t.refused("sam") == "RR-X02"
    assert t.refused("frodo") == "RR-X02"
    assert t.judge("pp_used", 1).refused("sam") == "RR-X20"


def test_a_hand_out_of_reach_costs_nothing_and_does_not_stop_the_other(table: Make) -> None:
    t = table().answer("clairvoyance", "elf-ring", "two-hands")
    assert t.refused("too-far") == "RR-X19"
    t.answer("sam", "hand")
    assert t.refused("too-far") == "RR-X19"
    t.answer("no-more")
    assert t.game.pp_used == 1


def test_an_elf_ring_asks_for_its_target_even_if_there_is_one_only(table: Make) -> None:
    """Naming a player says that he is near; a card that reaches everybody names the only one by itself."""
    t = table("frodo", "br1").answer("clairvoyance", "elf-ring")
    assert (t.key, t.play.ask.text, t.open()) == ("clairvoyance.target", "Whose hand? Near players only", ["br1"])
    assert t.answer("back", "clairvoyance", "palantir").key == "clairvoyance.resist"


def test_the_hand_just_seen_is_not_the_second_hand(table: Make) -> None:
    t = table().answer("clairvoyance", "spy", "two-hands", "br1")
    assert t.refused("br1") == "RR-X21"
    assert t.open() == ["sam", "br2", "no-more"]
    assert t.answer("br2").game.pp_used == 2
    again = table().answer("clairvoyance", "spy", "br1", "clairvoyance", "spy", "br1")
    assert again.game.pp_used == 2  # another look is another attempt


def test_no_pair_of_forces_is_offered_that_would_pass_five_points(table: Make) -> None:
    t = table().attack("br1").answer("good-army")
    t.judge("battle.att_total", 5).judge("battle.def_total", 3)
    assert "ring-city" in t.bundles()
    t.judge("battle.att_total", 6).judge("battle.def_total", 4)
    assert not t.bundles()


def test_two_hands_lack_the_power_play_before_the_second_player() -> None:
    session = Session(load("riddle-of-the-ring"))
    session.bundle("players-2")
    session.correct("pp_used", 1)
    session.sequence(("clairvoyance", "elf-ring"))
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission("two-hands", mode="override"))  # nor can a card give what there is nobody for
    assert refusal.value.code == "RR-X02"
    session.correct("pp_used", 0)
    with pytest.raises(NotNow) as refusal:
        session.answer(Submission("two-hands", mode="override"))
    assert refusal.value.code == "RR-X09"


def test_two_hands_need_two_players_outside_the_halls(table: Make) -> None:
    t = table().judge("in_halls.sam", True).judge("in_halls.br2", True).answer("clairvoyance", "elf-ring")
    assert t.refused("two-hands") == "RR-X20"


def test_the_riddlers_hand_comes_before_the_targets(table: Make) -> None:
    t = table().judge("in_halls.sam", True).answer("riddle")
    assert t.refused("only-card") == "RR-X17"
    assert t.refused("sam") == "RR-X20"
    t.answer("br1")
    assert t.refused(0) == "RR-X16"


# -- a force: X21, X11, X10, X14, X12, X13 ---------------------------------------------------------------------


def at(t: Any, rounds: int, attack: str, match: str) -> Any:
    for _ in range(rounds):
        t.answer(attack, match)
    return t


def test_the_wrong_kind_comes_before_the_ceiling(table: Make) -> None:
    t = at(table("br1", "frodo").attack("frodo"), 4, "evil-army", "good-army")
    assert t.refused("strider") == "RR-X10"
    assert t.refused("good-city") == "RR-X10"
    assert t.refused("neutral-city") == "RR-X14"
    assert t.refused("no-points") == "RR-X11"
    assert t.refused("mouth-of-sauron") == "RR-X12"


def test_the_wrong_kind_comes_before_the_attackers_total(table: Make) -> None:
    t = table().attack("br1").answer("good-army")
    assert t.refused("strider") == "RR-X10"
    assert t.refused("mouth-of-sauron") == "RR-X13"


@pytest.mark.parametrize(
    ("attacker", "defender", "attack", "match"),
    [
        ("frodo", "br1", "good", "evil"),
        ("frodo", "sam", "evil", "good"),
        ("br1", "frodo", "evil", "good"),
        ("br1", "br2", "good", "evil"),
    ],
)
def test_each_side_has_its_kinds(table: Make, attacker: str, defender: str, attack: str, match: str) -> None:
    t = table(attacker, defender).attack(defender)
    other = {"good": "evil", "evil": "good"}
    two = {"good": "strider", "evil": "mouth-of-sauron"}
    own = ["own-character"] if attacker[:2] == "br" and attack == "evil" else []
    own += ["own-character"] if attacker[:2] != "br" and attack == "good" else []
    usual = [f"{attack}-army", "neutral-army", f"{attack}-city", two[attack], "stop"]
    assert t.open() == [*usual, "the-ring", *own, f"{attack}-card"]
    for force in ("army", "city", "card"):
        assert t.refused(f"{other[attack]}-{force}") == "RR-X10"
    t.answer("neutral-army")
    assert t.open() == [f"{match}-army", "neutral-army", f"{match}-city", "surrender", "the-ring", "own-character"]
    assert t.refused(f"{other[match]}-army") == "RR-X10"


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


def test_a_card_of_more_points_than_fit_is_barred(table: Make) -> None:
    t = at(table().attack("br1"), 4, "good-army", "evil-army")
    assert t.refused("good-card") == "RR-X12"
    assert t.answer("good-army").refused("evil-card") == "RR-X12"
    assert table().attack("br1").answer("good-army").refused("evil-card") == "RR-X13"


# -- everything together ---------------------------------------------------------------------------------------


def wrong(ask: Any) -> list[Any]:
    """Return everything that is barred, and some answers that are none."""
    junk: list[Any] = [None, 7.5, "frodo baggins", [], ["frodo", "frodo"], {}, -1, 31]
    if isinstance(ask, Choose):
        return [entry.option.id for entry in ask.barred()] + junk
    if isinstance(ask, Pick):
        return [[entry.option.id] for entry in ask.barred()] + [j for j in junk if j != []]
    assert isinstance(ask, Count)
    return [n for n in range(ask.low, ask.high + 1) if ask.bar(n)] + junk


def right(ask: Any, chance: random.Random) -> Any:
    if isinstance(ask, Choose):
        ids = [option.id for option in ask.options()]
        if "game-over" in ids and len(ids) > 1:
            ids.remove("game-over")
        if "battle" in ids and chance.random() < 0.5:
            return "battle"
        return chance.choice(ids) if ids else BACK
    if isinstance(ask, Pick):
        ids = [option.id for option in ask.options()]
        return chance.sample(ids, chance.randint(0, len(ids)))
    return chance.choice([number for number in range(ask.low, min(ask.high, 8) + 1) if ask.bar(number) is None])


@pytest.mark.parametrize("overshoot", [False, pytest.param(True, marks=pytest.mark.long)])
def test_whatever_is_refused_changes_nothing_and_every_code_turns_up(table: Make, overshoot: bool) -> None:
    seen = set()
    for seed in range(7):
        chance = random.Random(seed)
        t = table("frodo", "br1", *(("sam",) if seed % 2 else ()), overshoot=overshoot)
        for _ in range(250):
            if t.play.ask is None:
                break
            for answer in wrong(t.play.ask):
                seen.add(t.refused(answer))
            t.answer(right(t.play.ask, chance))
    by_seat = {"RR-X01"}  # only a session knows whose button was pressed
    exact = {"RR-X13"} if overshoot else set()
    assert CODES - by_seat - exact - seen == set()


def test_a_card_that_says_otherwise_opens_what_is_barred(table: Make) -> None:
    t = spent(table().stop("br1", exchange="no-cards"))
    t.answer("battle", "br1", override=True)
    t.answer("strider").answer("own-character", "evil-army")
    t.answer("evil-army", override=True)
    assert (t.score, t.game.pp_used, t.game.left) == ("3-2", 3, 0)
    t.answer("mouth-of-sauron", override=True)
    assert t.score == "3-4"
    assert t.answer("good-army").score == "4-4"
    t.answer("stop")
    assert t.last().result == "tie"


@pytest.mark.parametrize("answer", ["frodo", "merry"])
def test_no_card_aims_at_nobody(table: Make, answer: str) -> None:
    t = table().answer("riddle")
    with pytest.raises(Refused) as refusal:
        t.answer(answer, override=True)
    assert refusal.value.code == "RR-X09"


def test_refusal_codes_are_those_of_the_book() -> None:
    book = load("riddle-of-the-ring")
    assert (book.foreign, book.closed) == ("RR-X01", "RR-X21")


def test_each_side_is_asked_and_told_in_its_own_words() -> None:
    session = in_battle()
    assert session.prompt is not None
    assert "attacks" in session.prompt.text
    session.answer(Submission("good-army", seat="frodo"))
    assert "matches" in session.prompt.text
    session.sequence(("surrender", "taken"))
    assert session.last_ruling is not None
    assert (session.last_ruling.data["attacker"], session.last_ruling.data["defender"]) == ("frodo", "br1")


def test_a_single_ruling_says_so_and_a_game_that_it_is_being_set_up() -> None:
    book = load("riddle-of-the-ring")
    assert Session(book).place == ("Setup",)
    assert {Session(book, None, name).place for name in book.rulings} == {("Ruling",)}
