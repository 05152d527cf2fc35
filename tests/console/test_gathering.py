"""Whatever dice and hands do: no face counts twice, none counts unseen, and none is lost."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from hardware.events import DOUBTS
from referee.console.gathering import Fallen, Gathering, Rolls
from referee.session import Origin, Prompt, Unused

DICE = st.builds(
    lambda face, die, doubt: Fallen(None if doubt == "cocked" else face, Origin("tray", die), doubt=doubt),
    st.integers(1, 6),
    st.sampled_from(["", "A", "B", "C"]),
    st.sampled_from(["", "", "", *DOUBTS]),
)
THROW = st.lists(DICE, min_size=1, max_size=3, unique_by=lambda die: die.origin.die or id(die))
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), THROW),
        st.tuples(st.just("propose"), THROW),
        st.tuples(st.just("key"), st.integers(1, 6)),
        st.tuples(st.just("disturb"), st.sampled_from("ABC")),
        st.tuples(st.just("confirm"), st.none()),
        st.tuples(st.just("drop"), st.none()),
    ),
    max_size=20,
)


def do(gathering: Gathering, name: str, what: object) -> int:
    """Do something; return how many faces dice told with it."""
    match name, what:
        case "take", list(dice):
            gathering.take(dice)
            return len(dice)
        case "propose", list(dice):
            gathering.propose(dice)
            return len(dice)
        case "key", int(face):
            gathering.key(face, "keys")
        case "disturb", str(die):
            gathering.disturb(Origin("tray", die))
        case "confirm", _:
            gathering.confirm()
        case "drop", _ if gathering:
            gathering.drop()
    return 0


@given(st.integers(1, 5), DEEDS)
def test_no_face_is_taken_twice_and_none_is_lost(dice: int, deeds: list[tuple[str, object]]) -> None:
    gathering, told = Gathering(dice), 0
    for name, what in deeds:
        if gathering.whole:
            break  # it is sent
        certain = [die for die in gathering.places if not die.doubt]
        told += do(gathering, name, what)
        assert len(gathering) <= dice
        names = Counter(die.origin.die for die in gathering.places if die.origin.die)
        assert all(count == 1 for count in names.values())
        kept = [die for die in gathering.places if not die.origin.by_hand]
        assert len(kept) + len(gathering.unused) == told
        if name == "propose":
            assert [die for die in gathering.places if not die.doubt] == [d for d in certain if d in gathering.places]
        assert all(die.face for die in gathering.places if not die.doubt)


def roll(n: int, seat: str, *place: str) -> Prompt:
    return Prompt(n, seat, "roll", "attack", "", "", place=place, dice=2)


@given(st.lists(DICE, max_size=14))
def test_what_waits_is_handed_over_whole(early: list[Fallen]) -> None:
    rolls = Rolls()
    rolls.keep(early, None, None)
    gathering = rolls.gather(roll(1, "north", "1"))
    assert not gathering.whole, "what was not thrown for this roll waits for a press"
    assert len(gathering.places) + len(gathering.unused) == len(early), "what was displaced is recorded, too"
    gathering.sent = True
    again = rolls.gather(roll(2, "north", "1"))
    assert (again.places, again.unused) == ([], [])


def test_dice_of_one_throw_take_each_the_place_of_another_in_doubt() -> None:
    gathering = Gathering(2)
    gathering.take([Fallen(None, Origin("tray"), doubt="cocked"), Fallen(4, Origin("tray"), doubt="cocked")])
    gathering.take([Fallen(face, Origin("tray"), doubt="unsure") for face in (2, 6)])
    assert [each.face for each in gathering.places] == [2, 6]
    assert [each.face for each in gathering.unused] == [None, 4]


def test_a_die_thrown_again_while_it_waits_leaves_its_first_face_in_the_record() -> None:
    rolls, die = Rolls(), Origin("bluetooth-dice", "W1", 990)
    for face in (3, 5):
        rolls.keep([Fallen(face, die, seat="south")], None, None)
    gathering = rolls.gather(roll(1, "north", "1"))
    assert (gathering.places, gathering.unused) == ([], []), "it is another seat's"
    gathering = rolls.gather(roll(2, "south", "1"))
    assert [(each.face, each.doubt) for each in gathering.places] == [(5, "thrown before")]
    assert gathering.unused == [Unused(3, die, "again")]


def test_a_seat_throws_in_time_for_its_first_roll_of_the_step_alone() -> None:
    rolls = Rolls()
    attacker, defender, again = roll(1, "north", "1"), roll(2, "south", "1"), roll(3, "north", "1")
    rolls.gather(attacker)
    assert rolls.step("south", 5.0, attacker) is None, "nothing is on the glass yet"
    rolls.shown(attacker, 4.0)
    assert rolls.step("south", 3.9, attacker) is None
    assert rolls.step("south", 4.0, attacker) == ("1",)
    assert rolls.step("", 5.0, attacker) is None
    rolls.gather(defender)
    rolls.shown(defender, 8.0)
    assert rolls.step("south", 5.0, defender) == ("1",)
    assert rolls.step("north", 9.0, defender) is None, "it has had its first roll"
    rolls.gather(again)
    assert rolls.step("north", 9.0, again) is None
    later = roll(4, "north", "2")
    rolls.gather(later)
    assert rolls.step("north", 9.0, later) is None, "nothing is on the glass yet"
