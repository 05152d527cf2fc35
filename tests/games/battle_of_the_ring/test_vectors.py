"""The test vectors of the rules, by their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
ATTACK = "attack"
FIRST, SECOND = "first-movement", "second-movement"
D, A, NOTHING = "defender-eliminated", "attacker-eliminated", "no-result"


def test_BR_T01_orc_kills_gondor_in_the_open(ring: Make) -> None:
    t = ring().to("sauron", ATTACK)
    assert t.attack("orc", "gondor", "none", "open", 4, 4) == D
    assert (t.last().data["column"], t.last().data["row"], t.last().data["total"]) == ("o-v-o", "open", 8)
    assert t.board["gondor"] == 7


def test_BR_T02_orc_dies_then_nothing(ring: Make) -> None:
    t = ring().to("sauron", ATTACK)
    assert t.attack("orc", "gondor", "none", "open", 1, 1) == A
    assert t.board["orc"] == 24
    assert t.attack("orc", "gondor", "none", "open", 3, 2) == NOTHING
    assert (t.board["orc"], t.board["gondor"]) == (24, 8)


@pytest.mark.parametrize(
    ("players", "attack", "expected"),
    [
        pytest.param(3, ("orc", "rohan", "attacker", "fortress-or-river", 7), "e-v-o:one:nothing", id="BR-T03-7"),
        pytest.param(3, ("orc", "rohan", "attacker", "fortress-or-river", 8), "e-v-o:one:D", id="BR-T03-8"),
        pytest.param(3, ("orc", "rohan", "attacker", "fortress-or-river", 2), "e-v-o:one:A", id="BR-T03-2"),
        pytest.param(3, ("orc", "gondor", "both", "cair-andros", 10), "e-v-e:both:nothing", id="BR-T04-10"),
        pytest.param(3, ("orc", "gondor", "both", "cair-andros", 11), "e-v-e:both:D", id="BR-T04-11"),
        pytest.param(3, ("orc", "gondor", "both", "cair-andros", 4), "e-v-e:both:A", id="BR-T04-4"),
        pytest.param(3, ("orc", "gondor", "defender", "dol-amroth", 5), "o-v-e:both:A", id="BR-T05-5"),
        pytest.param(3, ("orc", "gondor", "defender", "dol-amroth", 11), "o-v-e:both:nothing", id="BR-T05-11"),
        pytest.param(3, ("orc", "gondor", "defender", "dol-amroth", 12), "o-v-e:both:D", id="BR-T05-12"),
        pytest.param(3, ("man-orc", "rohan", "attacker", "fortress-or-river", 8), "e-v-o:one:D", id="BR-T06"),
        pytest.param(2, ("man-orc", "rohan", "attacker", "open", 7), "e-v-o:open:D", id="BR-T07-2P"),
        pytest.param(3, ("man-orc", "rohan", "none", "open", 7), "o-v-o:open:nothing", id="BR-T07-3P"),
        pytest.param(3, ("orc", "rohan", "none", "open", 8), "o-v-o:open:D", id="BR-T08"),
        pytest.param(3, ("elf", "orc", "none", "open", 2), "e-v-o:open:nothing", id="BR-T11"),
    ],
)
def test_columns_and_rows(ring: Make, players: int, attack: tuple[Any, ...], expected: str) -> None:
    t = ring(players=players)
    t.to(t.game.force_of(attack[0]), ATTACK)
    column, row, result = expected.split(":")
    assert t.attack(*attack) == {"D": D, "A": A, "nothing": NOTHING}[result]
    assert t.last().data["column"] == column
    rows = {"open": "open", "one": "fortress-or-river", "both": "fortress-and-river"}
    assert t.last().data["row"] == rows[row]


def test_BR_T07_in_three_players_the_nazgul_helps_no_man_orc(ring: Make) -> None:
    t = ring().judge("on_board.saruman", 0).judge("on_board.gandalf", 0).to("saruman", ATTACK)
    t.answer("man-orc", "rohan")
    assert t.key == "attack.position"
    pair = ring(players=2).judge("on_board.saruman", 0).to("evil", ATTACK).answer("man-orc", "rohan")
    assert "attacker" in pair.open()


def test_BR_T08_aragorn_does_not_help_rohan(ring: Make) -> None:
    t = ring().judge("on_board.gandalf", 0).to("sauron", ATTACK).answer("orc", "rohan")
    assert t.barred() == {"defender": "BR-X09", "both": "BR-X09"}


def test_BR_T09_the_dead_with_aragorn(ring: Make) -> None:
    t = ring().to("alliance", FIRST).judge("paths", "closed").to("alliance", ATTACK)
    assert t.attack("army-of-the-dead", "orc", "attacker", "open", 7) == D
    assert t.last().data["column"] == "e-v-o"
    assert t.attack("army-of-the-dead", "orc", "attacker", "open", 2) == NOTHING


def test_BR_T10_the_nazgul_dies_for_good_and_helps_nobody(ring: Make) -> None:
    t = ring().to("sauron", ATTACK)
    assert t.attack("nazgul", "elf", "none", "open", 2) == A
    assert t.last().data["column"] == "e-v-e"
    assert t.board["nazgul"] == 0
    t.answer("orc", "elf")
    assert t.key == "attack.position"
    t.answer("back").to("sauron", "building", 2)
    assert t.refused("nazgul") == "BR-X07"


def test_BR_T12_nobody_attacks_the_ring_bearer(ring: Make) -> None:
    t = ring().to("sauron", ATTACK).answer("orc")
    assert t.refused("ring-bearer") == "BR-X12"


def test_BR_T13_gandalf_in_moria_is_out_of_the_fight(ring: Make) -> None:
    t = ring().judge("gandalf_in", "moria").to("sauron", ATTACK).answer("nazgul")
    assert t.refused("gandalf") == "BR-X14"
    t.answer("back").to("alliance", ATTACK)
    assert t.refused("gandalf") == "BR-X14"
    t.answer("rohan", "orc")
    assert "attacker" not in t.open()
    assert t.refused("attacker") == "BR-X14"


def test_BR_T14_the_nazgul_attacks_once(ring: Make) -> None:
    t = ring().to("sauron", ATTACK)
    t.attack("nazgul", "gondor", "none", "open", 6)
    assert t.refused("nazgul") == "BR-X10"


def test_BR_T15_six_rohan_make_six_attacks_whoever_dies(ring: Make) -> None:
    t = ring().to("alliance", ATTACK)
    t.attack("rohan", "orc", "none", "open", 2)
    for _ in range(5):
        t.attack("rohan", "orc", "none", "open", 6)
    assert t.board["rohan"] == 5
    assert t.refused("rohan") == "BR-X10"


def test_BR_T16_one_army_is_attacked_four_times(ring: Make) -> None:
    t = ring().to("sauron", ATTACK)
    throws = (6, 6, 6, 9)
    assert [t.attack("orc", "gondor", "none", "open", n) for n in throws] == [NOTHING, NOTHING, NOTHING, D]


def test_BR_T17_no_build_in_round_1(ring: Make) -> None:
    t = ring()
    assert t.game.phase == FIRST
    assert "BR-20" in t.reminders
    assert t.refused("build") == "BR-X02"
    assert t.to("sauron", ATTACK).refused("build") == "BR-X02"


def test_BR_T18_sauron_builds_up_to_the_cap(ring: Make) -> None:
    t = ring()
    counts = []
    crowns = ("dol-guldur", "minas-morgul", "barad-dur")
    for round_, builds in ((2, 1), (3, 2), (4, 2)):
        t.to("sauron", "building", round_)
        for place in crowns[:builds]:
            t.answer("orc", place, "yes")
            counts.append(t.board["orc"])
    assert counts == [26, 27, 28, 29, 30]
    assert (t.game.round, t.game.phase) == (4, FIRST)  # a third cannot be built, and nothing else
    pair = ring(players=2).judge("on_board.orc", 30).to("evil", "building", 4)
    assert pair.refused("orc") == "BR-X06"


def test_BR_T19_builds_that_cannot_be_made_are_lost(ring: Make) -> None:
    t = ring().to("saruman", "building", 2).answer("man-orc")
    assert t.refused("shire") == "BR-X08"
    t.answer("isengard")
    assert t.refused("no") == "BR-X05"
    t.answer("back").to("saruman", "building", 3)
    assert "Man-Orc 2" in t.play.ask.text
    t.judge("shire_owner", "saruman").answer("man-orc", "isengard", "yes", "man-orc", "shire", "yes")
    assert (t.board["man-orc"], t.game.phase) == (12, FIRST)  # used up: there is nothing left to ask


def test_BR_T20_dwarf_or_hobbit(ring: Make) -> None:
    t = ring().to("alliance", "building", 2).answer("dwarf", "lonely-mountain", "yes")
    assert t.refused("hobbit") == "BR-X03"
    t.answer("gondor", "minas-tirith", "yes")
    assert t.refused("gondor") == "BR-X03"
    t.answer("rohan", "edoras", "yes")
    assert (t.board["dwarf"], t.board["rohan"], t.board["gondor"]) == (4, 7, 9)


def test_BR_T21_nobody_builds_on_anothers_crown(ring: Make) -> None:
    t = ring(players=2).to("evil", "building", 2).answer("orc")
    assert t.refused("isengard") == "BR-X04"
    t.answer("back", "man-orc")
    assert t.refused("dol-guldur") == "BR-X04"


def test_BR_T22_what_is_never_rebuilt(ring: Make) -> None:
    assert ring().to("sauron", "building", 2).refused("nazgul") == "BR-X07"
    assert ring().to("alliance", "building", 2).refused("elf") == "BR-X07"


def test_BR_T23_the_shire_passes_at_the_end_of_a_phase(ring: Make) -> None:
    t = ring().to("saruman", FIRST).answer("done", "nobody")
    assert t.game.shire_owner == "hobbits"
    t.to("saruman", FIRST, 2).answer("done", "saruman")
    assert t.game.shire_owner == "saruman"
    t.to("alliance", FIRST, 2).answer("done")
    assert t.key == "end.shire"
    t.answer("nobody").to("sauron", "building", 3)
    assert t.game.shire_owner == "saruman"


def test_BR_T24_a_third_nation_says_whose_the_shire_is(ring: Make) -> None:
    t = ring().answer("special-hex", "shire", "orc", 2).to("sauron", SECOND)
    assert t.game.shire_third
    t.answer("third-leaves", "saruman")
    assert (t.game.shire_owner, t.game.shire_third) == ("saruman", False)


def test_BR_T24_at_the_end_of_the_phase_too(ring: Make) -> None:
    t = ring().answer("check", "orc", "shire", 1).to("sauron", SECOND).answer("done", "nobody", "saruman")
    assert (t.game.shire_owner, t.game.shire_third) == ("saruman", False)


def test_BR_T25_an_orc_takes_the_ring_to_barad_dur(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc")
    assert (t.board["orc"], t.game.ring_owner) == (24, "sauron")
    assert t.refused(4) == "BR-X18"
    t.answer(3, "barad-dur")
    assert (t.play.over.reason, t.play.over.winners) == ("ring-in-barad-dur", ("sauron",))


def test_BR_T26_saruman_reaches_the_ring(ring: Make) -> None:
    t = ring().to("saruman", FIRST).answer("ring-captured", "saruman")
    assert t.play.over.winners == ("saruman",)
    assert t.board["saruman"] == 1
    pair = ring(players=2).answer("ring-captured", "saruman", 0)
    assert (pair.board["saruman"], pair.game.ring_owner, pair.play.over) == (0, "saruman", None)
    assert pair.game.force_of("ring-bearer") == "evil"


def test_BR_T27_the_ring_bearer_wakes_fangorn(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "fangorn", "ring-bearer", 1, "done", "man-orc")
    assert t.board["man-orc"] == 9
    assert (t.game.fangorn, t.game.isengard, t.game.phase) == ("active", "ordinary", ATTACK)
    assert t.attack("fangorn-army", "man-orc", "none", "open", 7) == D
    assert t.last().data["column"] == "e-v-o"


def test_a_game_won_as_a_phase_ends_ends_in_that_phase(ring: Make) -> None:
    """Fangorn takes the Ring on Isengard, and it escapes into the fire: no other phase begins."""
    t = ring().to("alliance", FIRST).judge("ring_owner", "sauron").judge("ring_hex", "isengard")
    t.answer("special-hex", "fangorn", 1, "done", "ring-bearer", 3, "mount-doom")
    assert t.play.over is not None
    assert (t.play.over.reason, t.play.over.winners) == ("ring-destroyed", ("alliance",))
    assert (t.game.seat, t.game.phase) == ("alliance", FIRST)


def test_BR_T28_who_stays_in_the_paths_dies(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "paths-of-the-dead", 1).pass_phase()
    assert t.game.paths == "aragorn-inside"
    assert t.refused("army-of-the-dead") == "BR-X14"
    assert t.refused("aragorn") == "BR-X14"
    t.answer("done", "done", "nobody")
    assert (t.board["aragorn"], t.board["army-of-the-dead"], t.game.paths) == (0, 0, "closed")


def test_nobody_is_asked_who_leaves_paths_that_nobody_is_in(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "paths-of-the-dead", 1).pass_phase()
    t.judge("on_board.aragorn", 0).judge("on_board.army-of-the-dead", 0)
    t.answer("done", "done")
    assert (t.key, t.play.seat, t.game.paths) == ("build.nation", "sauron", "closed")


def test_BR_T29_two_rounds_in_an_elven_hex(ring: Make) -> None:
    t = ring().to("alliance", FIRST, 2).answer("elven-hex", "ring-bearer", "elven-3", 1)
    t.to("alliance", SECOND, 4)
    assert t.game.elven_stay["3"] == 2
    assert "quiet" not in t.bundles()
    t.answer("done")
    assert t.refused("yes") == "BR-X17"
    t.answer("no")
    assert t.game.elven_closed["3"]
    t.to("alliance", FIRST, 5).answer("elven-hex", "ring-bearer")
    assert t.refused("elven-3") == "BR-X17"


def test_BR_T30_without_elves_nobody_asks_leave(ring: Make) -> None:
    t = ring().answer("elven-hex", "orc")
    assert (t.key, t.play.seat) == ("permission", "alliance")
    t.answer("back").judge("on_board.elf", 0).answer("elven-hex", "orc", 1)
    assert (t.key, t.result) == ("move.menu", "allowed")


def test_BR_T31_the_alliance_needs_gandalf_in_moria(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex")
    assert t.refused("through-moria") == "BR-X15"
    t.answer("back", "special-hex", "moria", 1, "special-hex", "through-moria", "rohan", 2, "done")
    assert t.refused("no") == "BR-X15"
    t.answer("yes")
    assert (t.game.phase, t.game.gandalf_in) == (ATTACK, "moria")


@pytest.mark.parametrize("phase", [FIRST, SECOND])
def test_BR_T32_the_ring_is_destroyed(ring: Make, phase: str) -> None:
    t = ring().to("alliance", phase).answer("special-hex", "mount-doom", 1)
    assert t.play.over.winners == ("alliance",)
    assert t.refused("done") == "BR-X20"


def test_BR_T33_mountains_and_impossible_dice(ring: Make) -> None:
    t = ring().to("sauron", ATTACK).answer("orc", "gondor", "none")
    assert t.refused("not-adjacent") == "BR-X13"
    t.answer("open")
    for dice in ([0, 6], [7, 1], [3], [1, 2, 3], 13, 1):
        assert t.refused(dice) == "BR-X19"


def test_BR_T34_out_of_turn_and_out_of_step(ring: Make) -> None:
    t = ring().to("sauron", ATTACK, 2)
    assert t.refused("gondor") == "BR-X01"
    assert t.refused("build") == "BR-X01"
    assert t.play.book.foreign == "BR-X01"


def test_BR_T35_special_hexes_take_certain_pieces(ring: Make) -> None:
    t = ring().answer("check", "orc")
    assert t.refused("mount-doom") == "BR-X16"
    t.answer("back").to("alliance", FIRST).answer("check", "rohan")
    assert t.refused("moria") == "BR-X16"
    t.answer("back").judge("fangorn", "active").judge("fangorn_hex", "closed").answer("special-hex")
    assert t.refused("fangorn") == "BR-X16"


def test_BR_T36_nobody_captures_their_own_ring(ring: Make) -> None:
    t = ring().to("alliance", FIRST)
    assert t.refused("ring-captured") == "BR-X21"


def test_BR_T37_part_of_the_company_gets_out(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "paths-of-the-dead", 1).pass_phase()
    t.to("alliance", SECOND).answer("done", "aragorn-and-1-dead")
    assert (t.board["aragorn"], t.board["army-of-the-dead"], t.game.paths) == (1, 1, "closed")


def test_BR_T38_saruman_meets_his_own_ring_bearer(ring: Make) -> None:
    t = ring().to("saruman", FIRST).answer("ring-captured", "man-orc", 0)
    assert t.game.ring_owner == "saruman"
    t.to("saruman", FIRST, 2).answer("ring-captured")
    assert t.refused("man-orc") == "BR-X21"
    t.answer("saruman")
    assert t.play.over.winners == ("saruman",)


def test_BR_T39_the_ring_taken_in_barad_dur(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "barad-dur", 1)
    t.to("sauron", FIRST, 2).answer("ring-captured", "nazgul")
    assert t.play.over.winners == ("sauron",)
    assert t.play.ask is None


@pytest.mark.parametrize("place", ["barad-dur", "mount-doom"])
@pytest.mark.parametrize("door", ["check", "special-hex"])
def test_BR_T40_a_ring_bearer_that_does_not_move_wins_nowhere(ring: Make, door: str, place: str) -> None:
    piece = ("ring-bearer", place) if door == "check" else (place,)
    owner = "sauron" if place == "barad-dur" else "alliance"
    t = ring().judge("ring_owner", owner).to(owner, FIRST).answer(door, *piece)
    assert t.refused(0) == "BR-X18"
    t.answer(1)
    assert t.play.over.winners == (owner,)


def test_BR_T40_into_isengard_takes_a_hex(ring: Make) -> None:
    t = ring().judge("ring_owner", "saruman").to("saruman", FIRST).answer("special-hex", "isengard", "ring-bearer")
    assert t.refused(0) == "BR-X18"


def test_BR_T40_an_escape_through_moria_takes_two(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 1)
    assert t.refused("through-moria") == "BR-X18"
    t.answer("barad-dur")
    assert t.play.over.winners == ("sauron",)


@pytest.mark.parametrize(
    ("place", "piece"), [("moria", "gandalf"), ("fangorn", "gandalf"), ("paths-of-the-dead", "aragorn")]
)
def test_BR_T40_who_does_not_move_enters_no_special_hex(ring: Make, place: str, piece: str) -> None:
    t = ring().to("alliance", FIRST).answer("check", piece, place)
    assert t.refused(0) == "BR-X18"
    t.answer(1, "check", piece, "ordinary")
    assert t.refused(0) == "BR-X18"
    t.answer("back", "check", piece, place, 0)
    assert t.result == "allowed"


@pytest.mark.parametrize("door", ["check", "special-hex"])
def test_BR_T40_an_orc_passes_moria_in_two(ring: Make, door: str) -> None:
    where = ("orc", "through-moria") if door == "check" else ("through-moria", "orc")
    t = ring().answer(door, *where)
    assert (t.refused(0), t.refused(1), t.refused(3)) == ("BR-X18", "BR-X18", "BR-X18")
    t.answer(2)
    assert t.result == "allowed"


def test_BR_T41_the_hexes_of_a_unique_piece_add_up(ring: Make) -> None:
    t = ring().judge("ring_owner", "sauron").answer("check", "ring-bearer", "ordinary", 3, "check", "ring-bearer")
    assert t.refused("barad-dur") == "BR-X18"
    t.answer("back", "special-hex")
    assert t.refused("barad-dur") == "BR-X18"
    t.answer("back").to("sauron", SECOND).answer("check", "ring-bearer", "barad-dur", 3)
    assert t.play.over.winners == ("sauron",)


@pytest.mark.parametrize("door", [("check", "gandalf", "moria"), ("special-hex", "moria")])
def test_BR_T41_gandalf_has_six_hexes_in_a_phase(ring: Make, door: tuple[str, ...]) -> None:
    t = ring().to("alliance", FIRST).answer("check", "gandalf", "ordinary", 4, *door)
    assert t.refused(4) == "BR-X18"
    t.answer(2)
    assert (t.result, t.game.gandalf_in) == ("allowed", "moria")
    t.to("alliance", SECOND).answer("check", "gandalf", "ordinary", 6)
    assert t.result == "allowed"


def test_BR_T41_a_type_has_its_allowance_for_every_piece(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer(*("check", "hobbit", "ordinary", 2) * 2, "check", "hobbit", "ordinary")
    assert t.refused(1) == "BR-X18"
    t.answer("back", "check", "dwarf", "ordinary", 2)
    assert t.result == "allowed"


def test_BR_T42_gandalf_or_the_ring_bearer_enters_fangorn(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "fangorn", "gandalf", 1, "check", "ring-bearer")
    assert t.refused("fangorn") == "BR-X16"
    t.answer("back", "check", "gandalf", "ordinary", 1, "special-hex", "fangorn", "ring-bearer", 1)
    assert t.game.ring_hex == "fangorn"
    t.answer("check", "gandalf")
    assert t.refused("fangorn") == "BR-X16"


def test_BR_T43_sauron_says_whose_the_shire_is_with_the_ring(ring: Make) -> None:
    t = ring()
    assert t.refused("third-leaves") == "BR-X09"
    t.answer("ring-captured", "orc", 2, "ordinary")
    assert "BR-32" in t.reminders
    t.answer("third-leaves", "saruman")
    assert t.game.shire_owner == "saruman"
    assert "The Ring was taken on hex R: Sauron's Ring Bearer stood there" in t.last().why
    assert t.refused("third-leaves") == "BR-X09"


def test_BR_T43_a_ring_bearer_that_stays_on_hex_r_leaves_later(ring: Make) -> None:
    t = (
        ring()
        .answer("ring-captured", "orc", 0, "done", "third")
        .to("sauron", SECOND)
        .answer("third-leaves", "saruman")
    )
    assert (t.game.shire_owner, t.game.shire_third) == ("saruman", False)
