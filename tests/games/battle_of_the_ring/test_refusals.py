"""Refusals in rare positions, the way back from them, and what overriding does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def test_X19_leaves_the_dice_to_be_entered_again(ring: Make) -> None:
    t = ring().to("sauron", "attack").answer("orc", "gondor", "none", "open")
    assert t.refused([0, 6]) == "BR-X19"
    assert t.refused("six") == "malformed"
    t.answer([6, 6])
    assert t.result == "defender-eliminated"


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


def test_A_BR14_with_gandalf_dead_only_evil_passes_moria(ring: Make) -> None:
    t = ring().judge("on_board.gandalf", 0).answer("special-hex", "through-moria", "orc", 2)
    assert t.result == "allowed"
    t.to("alliance", FIRST).answer("special-hex")
    assert t.refused("through-moria") == "BR-X15"


def test_A_BR33_the_alliance_needs_no_leave(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("elven-hex", "rohan", 1)
    assert (t.key, t.result) == ("move.menu", "allowed")


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


def test_X17_a_ring_bearer_that_left_them_all_has_no_elven_hex(ring: Make) -> None:
    t = ring().to("sauron", FIRST)
    for k in range(1, 7):
        t.judge(f"elven_closed.{k}", True)
    t.answer("ring-captured", "orc", 2)
    assert t.key == "ring.destination"
    assert t.refused("elven-hex") == "BR-X17"


@pytest.mark.parametrize("hex_", ["fangorn", "isengard"])
def test_A_BR29_a_special_hex_shields_the_ring(ring: Make, hex_: str) -> None:
    t = ring().judge("ring_hex", hex_)
    assert t.refused("ring-captured") == "BR-X16"


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


def test_an_override_takes_what_is_barred_not_what_cannot_be(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    t.attack("nazgul", "gondor", "none", "open", 6)
    t.answer("nazgul", override=True).answer("elf", "open", [1, 1])
    assert (t.board["nazgul"], t.game.attacks["nazgul"]) == (0, 2)
    with pytest.raises(Refused):
        t.play.answer("nazgul", override=True)
