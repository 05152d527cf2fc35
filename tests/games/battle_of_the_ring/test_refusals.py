"""Every refusal code, which one is shown when several fit, and what overriding does."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games.battle_of_the_ring.pieces import own

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def test_X01_before_all_else_of_an_attacker(ring: Make) -> None:
    t = ring().judge("on_board.gandalf", 0).to("sauron", "attack")
    for foreign in ("gondor", "gandalf", "fangorn-army", "man-orc", "ring-bearer", "build", "move"):
        code = "BR-X02" if foreign == "build" else "BR-X01"  # round 1 comes before the phase for a build
        assert t.refused(foreign) == code
    assert all(entry.bar.aside for entry in t.play.ask.barred() if entry.bar.code == "BR-X01")


@pytest.mark.parametrize(
    ("phase", "entry", "code"),
    [
        ("building", "attack", "BR-X01"),
        ("building", "gondor", "BR-X01"),
        (FIRST, "attack", "BR-X01"),
        (FIRST, "build", "BR-X01"),
        ("attack", "build", "BR-X01"),
        ("attack", "move", "BR-X01"),
    ],
)
def test_X01_out_of_step_from_round_2(ring: Make, phase: str, entry: str, code: str) -> None:
    assert ring().to("sauron", phase, 2).refused(entry) == code


def test_X12_of_ones_own_ring_bearer(ring: Make) -> None:
    assert ring().to("alliance", "attack").refused("ring-bearer") == "BR-X12"


def test_attackers_X09_comes_before_X14_and_X10(ring: Make) -> None:
    t = ring().judge("gandalf_in", "moria").judge("on_board.gandalf", 0).to("alliance", "attack")
    assert t.refused("gandalf") == "BR-X09"
    assert t.refused("fangorn-army") == "BR-X14"
    t.judge("on_board.fangorn-army", 0)
    assert t.refused("fangorn-army") == "BR-X09"


def test_attackers_X14_comes_before_X10(ring: Make) -> None:
    t = ring().to("alliance", "attack")
    t.attack("gandalf", "orc", "none", "open", 6)
    assert t.refused("gandalf") == "BR-X10"
    t.judge("gandalf_in", "fangorn")
    assert t.refused("gandalf") == "BR-X14"


def test_targets_X11_comes_before_X09_and_X09_before_X14(ring: Make) -> None:
    t = ring(players=2).judge("on_board.saruman", 0).to("evil", "attack").answer("orc")
    assert t.refused("saruman") == "BR-X11"
    assert t.refused("fangorn-army") == "BR-X14"
    t.judge("on_board.fangorn-army", 0)
    assert t.refused("fangorn-army") == "BR-X09"


def test_X11_follows_the_number_of_players(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    t.attack("orc", "man-orc", "none", "open", 12)
    assert t.board["man-orc"] == 9
    pair = ring(players=2).to("evil", "attack").answer("orc")
    assert pair.refused("man-orc") == "BR-X11"


def test_X19_leaves_the_dice_to_be_entered_again(ring: Make) -> None:
    t = ring().to("sauron", "attack").answer("orc", "gondor", "none", "open")
    assert t.refused([0, 6]) == "BR-X19"
    assert t.refused("six") == "malformed"
    t.answer([6, 6])
    assert t.result == "defender-eliminated"


def test_builds_X07_comes_before_X03_and_X03_before_X06(ring: Make) -> None:
    t = ring(players=2).judge("on_board.orc", 29).to("evil", "building", 2).answer("orc", "harad", "yes")
    assert t.board["orc"] == 30
    assert t.refused("orc") == "BR-X03"
    assert t.refused("nazgul") == "BR-X07"
    t.to("evil", "building", 3)
    assert t.refused("orc") == "BR-X06"


def test_places_X04_comes_before_X08_and_X08_before_X05(ring: Make) -> None:
    t = ring().to("alliance", "building", 2).answer("dwarf")
    assert t.refused("shire") == "BR-X04"
    t.answer("back").judge("shire_owner", "saruman")
    assert t.refused("hobbit") == "BR-X08"
    t.to("saruman", "building", 3).judge("shire_owner", "hobbits").answer("man-orc")
    assert t.refused("shire") == "BR-X08"


def test_X05_for_a_place_built_on_this_phase(ring: Make) -> None:
    t = ring().to("sauron", "building", 3).answer("orc", "harad", "yes", "orc")
    assert t.refused("harad") == "BR-X05"
    t.answer("barad-dur")
    assert t.refused("no") == "BR-X05"


def test_moves_X09_comes_before_X14(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("check")
    assert t.refused("orc") == "BR-X01"
    assert t.refused("army-of-the-dead") == "BR-X14"
    t.judge("on_board.army-of-the-dead", 0)
    assert t.refused("army-of-the-dead") == "BR-X09"


@pytest.mark.parametrize(
    ("seat", "piece", "allowance"),
    [
        ("sauron", "orc", 2),
        ("sauron", "nazgul", 6),
        ("saruman", "man-orc", 3),
        ("saruman", "saruman", 4),
        ("alliance", "gondor", 2),
        ("alliance", "rohan", 3),
        ("alliance", "dwarf", 2),
        ("alliance", "hobbit", 2),
        ("alliance", "elf", 2),
        ("alliance", "fangorn-army", 3),
        ("alliance", "army-of-the-dead", 2),
        ("alliance", "aragorn", 4),
        ("alliance", "gandalf", 6),
        ("alliance", "ring-bearer", 3),
    ],
)
def test_X18_past_the_allowance_of_each_piece(ring: Make, seat: str, piece: str, allowance: int) -> None:
    t = ring().to(seat, FIRST).judge("fangorn", "active").judge("paths", "closed")
    t.answer("check", piece, "ordinary")
    assert t.refused(allowance + 1) == ("BR-X18" if allowance < 6 else "out-of-range")
    t.answer(allowance)
    assert (t.key, t.result) == ("move.menu", "allowed")
    assert (t.game.moved[piece], t.game.attempts) == (allowance, [])


@pytest.mark.parametrize(
    ("seat", "piece", "where", "code"),
    [
        ("sauron", "orc", "moria", "BR-X16"),
        ("sauron", "orc", "isengard", "BR-X16"),
        ("sauron", "nazgul", "fangorn", "BR-X16"),
        ("sauron", "nazgul", "paths-of-the-dead", "BR-X16"),
        ("sauron", "nazgul", "mount-doom", "BR-X16"),
        ("alliance", "gandalf", "isengard", "BR-X16"),
        ("alliance", "rohan", "fangorn", "BR-X16"),
        ("alliance", "gandalf", "paths-of-the-dead", "BR-X16"),
        ("alliance", "ring-bearer", "isengard", "BR-X16"),
        ("alliance", "gandalf", "mount-doom", "BR-X16"),
        ("alliance", "rohan", "through-moria", "BR-X15"),
    ],
)
def test_X16_and_X15_of_special_hexes(ring: Make, seat: str, piece: str, where: str, code: str) -> None:
    t = ring().to(seat, FIRST).answer("check", piece)
    assert t.refused(where) == code


@pytest.mark.parametrize(
    ("seat", "where", "code"),
    [
        ("sauron", "moria", "BR-X16"),
        ("sauron", "fangorn", "BR-X16"),
        ("sauron", "paths-of-the-dead", "BR-X16"),
        ("sauron", "isengard", "BR-X16"),
        ("sauron", "mount-doom", "BR-X16"),
        ("alliance", "isengard", "BR-X16"),
        ("alliance", "through-moria", "BR-X15"),
    ],
)
def test_a_special_hex_that_none_of_the_players_pieces_may_enter_is_not_open(
    ring: Make, seat: str, where: str, code: str
) -> None:
    t = ring().to(seat, FIRST).answer("special-hex")
    assert t.refused(where) == code


@pytest.mark.parametrize(
    ("left", "spent", "where", "code"),
    [
        ((), (), "isengard", "BR-X09"),
        (("army-of-the-dead",), (), "isengard", "BR-X14"),
        (("aragorn",), (), "isengard", "BR-X16"),
        (("gandalf",), ("gandalf",), "moria", "BR-X18"),
        (("gandalf", "aragorn"), ("gandalf",), "moria", "BR-X16"),
        (("gandalf", "aragorn"), ("aragorn",), "moria", ""),
    ],
)
def test_of_several_pieces_those_in_play_say_why_none_goes_there(
    ring: Make, left: tuple[str, ...], spent: tuple[str, ...], where: str, code: str
) -> None:
    t = ring().answer("ring-captured", "orc", 0).to("alliance", FIRST)
    for piece in own("alliance"):
        t.judge(f"on_board.{piece}", int(piece in left)).judge(f"moved.{piece}", 99 if piece in spent else 0)
    assert t.answer("special-hex").barred().get(where, "") == code


def test_a_hex_of_the_ring_alone_is_foreign_once_the_judge_gives_the_ring_to_another(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex").judge("ring_owner", "sauron")
    assert t.refused("barad-dur") == "BR-X01"
    assert "fangorn" in t.open()


@pytest.mark.parametrize(
    ("left", "spent", "code"),
    [
        ((), (), "BR-X09"),
        (("army-of-the-dead",), (), "BR-X21"),
        (("army-of-the-dead", "elf"), ("elf",), "BR-X18"),
        (("gandalf", "elf"), ("gandalf", "elf"), "BR-X15"),
        (("army-of-the-dead", "elf"), (), ""),
    ],
)
def test_of_several_pieces_those_in_play_say_why_none_captures_the_ring(
    ring: Make, left: tuple[str, ...], spent: tuple[str, ...], code: str
) -> None:
    t = ring().answer("ring-captured", "orc", 0).to("alliance", FIRST)
    t.judge("gandalf_in", "moria").judge("moria_used", True)
    for piece in own("alliance"):
        t.judge(f"on_board.{piece}", int(piece in left)).judge(f"moved.{piece}", 99 if piece in spent else 0)
    assert t.barred().get("ring-captured", "") == code


def test_X16_where_another_piece_may_enter(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "fangorn")
    assert t.open() == ["ring-bearer", "gandalf"]
    assert t.refused("rohan") == "BR-X16"


@pytest.mark.parametrize(
    ("where", "piece"),
    [
        ("moria", "gandalf"),
        ("paths-of-the-dead", "aragorn"),
        ("mount-doom", "ring-bearer"),
        ("barad-dur", "ring-bearer"),
    ],
)
def test_a_hex_only_one_piece_enters_asks_for_no_piece(ring: Make, where: str, piece: str) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", where)
    assert (t.key, t.game.entry.piece) == ("move.hexes", piece)


def test_what_means_nothing_is_not_offered(ring: Make) -> None:
    t = ring().answer("check", "orc")
    assert "barad-dur" not in t.open()
    assert "shire" in t.open()
    t.answer("back").to("saruman", FIRST).answer("check", "man-orc")
    assert not {"barad-dur", "shire"} & set(t.open())
    t.answer("back").to("alliance", FIRST).answer("check", "ring-bearer")
    assert "barad-dur" in t.open()
    assert "shire" not in t.open()


def test_who_may_enter_isengard(ring: Make) -> None:
    t = ring().to("saruman", FIRST).answer("special-hex", "isengard", "man-orc", 1)
    assert t.result == "allowed"
    t.to("alliance", FIRST).judge("isengard", "ordinary").answer("special-hex", "isengard", "gandalf", 1)
    assert t.result == "allowed"


def test_X16_evil_passes_moria_with_leave_while_gandalf_is_in(ring: Make) -> None:
    t = ring().answer("special-hex", "through-moria", "orc", 2)
    assert t.result == "allowed"
    t.judge("gandalf_in", "moria").answer("special-hex", "through-moria", "orc")
    assert (t.key, t.play.seat) == ("permission", "alliance")
    t.answer("no")
    assert (t.result, t.last().data["code"], t.key) == ("refused", "BR-X16", "move.menu")
    assert not t.game.moria_used
    t.answer("special-hex", "through-moria", "orc", "yes", 2)
    assert (t.result, t.game.moria_used) == ("allowed", False)


def test_A_BR14_with_gandalf_dead_evil_is_free_and_the_alliance_never_passes(ring: Make) -> None:
    t = ring().judge("on_board.gandalf", 0).answer("special-hex", "through-moria", "orc", 2)
    assert t.result == "allowed"
    t.to("alliance", FIRST).answer("special-hex")
    assert t.refused("through-moria") == "BR-X15"


def test_X17_without_leave(ring: Make) -> None:
    t = ring().answer("elven-hex", "orc", "no")
    assert (t.result, t.last().data["code"]) == ("refused", "BR-X17")
    t.answer("elven-hex", "orc", "yes", 1)
    assert t.result == "allowed"


def test_A_BR33_the_alliance_needs_no_leave(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("elven-hex", "rohan", 1)
    assert (t.key, t.result) == ("move.menu", "allowed")


def test_X15_comes_before_X17_at_the_end_of_a_phase(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "moria", 1, "special-hex", "through-moria", "elf", 2)
    t.answer("elven-hex", "ring-bearer", "elven-1", 1).to("alliance", "attack").to("alliance", SECOND)
    t.judge("moria_used", True).judge("elven_stay.1", 2).answer("done")
    assert t.refused("no") == "BR-X15"
    t.answer("yes")
    assert t.key == "end.elven"
    assert t.refused("yes") == "BR-X17"


@pytest.mark.parametrize("way", ["moves", "back"])
def test_a_bar_at_the_end_of_a_phase_leaves_the_way_back(ring: Make, way: str) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "moria", 1, "special-hex", "through-moria", "elf", 2)
    t.answer("done")
    assert t.refused("no") == "BR-X15"
    t.answer(way)
    assert (t.key, t.game.phase, t.game.gandalf_in) == ("move.menu", FIRST, "moria")


def test_a_bar_at_the_end_of_a_phase_can_be_overridden(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "moria", 1, "special-hex", "through-moria", "elf", 2)
    t.answer("done").answer("no", override=True)
    assert (t.game.phase, t.game.gandalf_in) == ("attack", "none")


@pytest.mark.parametrize(
    ("way", "then"),
    [
        (("ring-captured", "orc"), "ring.escape"),
        (("elven-hex", "orc"), "move.hexes"),
        (("special-hex", "through-moria", "orc"), "move.hexes"),
    ],
)
def test_an_override_asks_no_leave_of_a_player_who_has_given_up(ring: Make, way: tuple[str, ...], then: str) -> None:
    t = ring().judge("ring_hex", "elven-1").judge("gandalf_in", "moria")
    t.play.concede("alliance")
    for answer in way:
        t.answer(answer, override=answer not in t.open())
    assert (t.key, t.play.seat) == (then, "sauron")


def test_X17_no_elven_hex_is_offered_to_a_ring_bearer_that_has_left_them_all(ring: Make) -> None:
    t = ring().to("sauron", FIRST)
    for k in range(1, 7):
        t.judge(f"elven_closed.{k}", True)
    t.answer("ring-captured", "orc", 2)
    assert t.key == "ring.destination"
    assert t.refused("elven-hex") == "BR-X17"


def test_the_hex_the_ring_bearer_is_in_is_always_open_to_it(ring: Make) -> None:
    t = ring().to("alliance", FIRST).judge("ring_hex", "elven-1").judge("elven_closed.1", True)
    t.answer("elven-hex", "ring-bearer")
    assert "elven-1" in [option.id for option in t.play.ask.options()]


def test_only_the_ring_destroys_the_ring(ring: Make) -> None:
    t = ring().to("sauron", FIRST).answer("check", "orc").answer("mount-doom", override=True)
    assert t.key == "move.hexes"


def test_nobody_is_asked_where_a_piece_is_that_has_gone(ring: Make) -> None:
    entered = ("special-hex", "paths-of-the-dead", 1)
    assert ring().to("alliance", FIRST).answer(*entered, "done").key == "end.entered"
    t = ring().to("alliance", FIRST).answer(*entered, "removed", "aragorn", "done")
    assert t.key != "end.entered"


def test_gandalf_does_not_leave_moria_after_the_alliance_passed(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "moria", 1, "special-hex", "through-moria", "elf", 2)
    t.answer("check", "gandalf")
    assert t.refused("ordinary") == "BR-X15"


def test_X21_and_what_comes_before_it(ring: Make) -> None:
    t = ring().judge("on_board.nazgul", 0).answer("ring-captured")
    assert t.refused("gondor") == "BR-X01"
    assert t.refused("nazgul") == "BR-X09"
    t.judge("ring_owner", "sauron")
    assert t.refused("orc") == "BR-X21"
    assert t.refused("ring-bearer") == "BR-X21"
    t.answer("nobody").to("alliance", FIRST).answer("ring-captured")
    assert t.refused("army-of-the-dead") == "BR-X21"
    assert t.refused("fangorn-army") == "BR-X21"
    t.answer("back").judge("ring_owner", "alliance")
    assert t.refused("ring-captured") == "BR-X21"


@pytest.mark.parametrize("hex_", ["fangorn", "isengard"])
def test_A_BR29_a_special_hex_shields_the_ring(ring: Make, hex_: str) -> None:
    t = ring().judge("ring_hex", hex_)
    assert t.refused("ring-captured") == "BR-X16"


def test_X18_a_piece_that_has_moved_its_whole_way_captures_nothing(ring: Make) -> None:
    t = ring().answer("check", "nazgul", "ordinary", 6, "ring-captured")
    assert t.refused("nazgul") == "BR-X18"
    t.answer("orc")
    assert t.game.ring_owner == "sauron"


def test_A_BR29_isengards_own_may_take_the_ring_there(ring: Make) -> None:
    t = ring().judge("ring_hex", "isengard").to("saruman", FIRST).answer("ring-captured", "man-orc")
    assert t.play.over.reason == "ring-in-isengard"


def test_A_BR29_in_an_elven_hex_only_with_leave(ring: Make) -> None:
    t = ring().judge("ring_hex", "elven-2").answer("ring-captured", "orc")
    assert t.key == "permission"
    t.answer("no")
    assert (t.last().data["code"], t.game.ring_owner, t.board["orc"]) == ("BR-X17", "alliance", 25)
    t.answer("ring-captured", "orc", "yes", 0)
    assert (t.game.ring_owner, t.board["orc"]) == ("sauron", 24)


def test_X18_the_escape_was_the_whole_move(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 2, "ordinary", "special-hex")
    assert t.refused("barad-dur") == "BR-X18"
    t.answer("back", "check", "ring-bearer", "ordinary")
    assert t.refused(1) == "BR-X18"
    t.answer("back").to("sauron", SECOND).answer("special-hex", "barad-dur", 1)
    assert t.play.over.winners == ("sauron",)


def test_X20_after_the_end(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "mount-doom", 1)
    for entry in ("done", [1, 2], "gondor"):
        assert t.refused(entry) == "BR-X20"
    with pytest.raises(Refused) as refusal:
        t.play.concede("sauron")
    assert refusal.value.code == "BR-X20"


def test_an_override_takes_a_barred_entry_and_never_what_cannot_be(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    t.attack("nazgul", "gondor", "none", "open", 6)
    t.answer("nazgul", override=True).answer("elf", "open", [1, 1])
    assert (t.board["nazgul"], t.game.attacks["nazgul"]) == (0, 2)
    with pytest.raises(Refused):
        t.play.answer("nazgul", override=True)


def test_dropping_an_action_leaves_no_trace(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    before = copy.deepcopy(t.game)
    t.answer("orc", "gondor", "both", "open", "back")
    assert (t.game, t.key) == (before, "attack.attacker")
