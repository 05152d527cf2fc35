"""Giving up, what a judge corrects, and what a card overrides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games.battle_of_the_ring.pieces import PIECES

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def test_a_correction_while_the_question_stands_is_seen(ring: Make) -> None:
    t = ring().to("sauron", "attack").answer("orc")
    t.judge("on_board.gandalf", 0)
    assert t.barred()["gandalf"] == "BR-X09"
    t.answer("gondor").judge("on_board.gondor", 0).answer("none", "open", [6, 6])
    assert t.board["gondor"] == 0


def test_the_first_round_begins_with_a_player_who_is_still_there(ring: Make) -> None:
    t = ring(placed=False).answer("placed")
    t.play.concede("sauron")
    t.answer("placed", "placed")
    assert (t.game.seat, t.game.phase) == ("saruman", FIRST)
    assert [event.rule for event in t.events if getattr(event, "rule", "") == "BR-20"] == ["BR-20"]


def test_who_gave_up_gives_no_leave(ring: Make) -> None:
    t = ring().answer("elven-hex", "orc")
    t.play.concede("alliance")
    assert (t.key, t.play.seat, t.game.over) == ("move.menu", "sauron", None)
    t.answer("elven-hex")
    assert t.refused("orc") == "BR-X17"


def test_who_gives_up_while_another_is_asked_is_not_asked_again(ring: Make) -> None:
    t = ring().answer("elven-hex", "orc")
    t.play.concede("sauron")
    assert t.play.seat == "alliance"
    t.answer("yes")
    assert t.play.seat == "saruman"


def test_what_must_leave_now_is_said_all_together(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "fangorn", "gandalf", 1)
    t.answer("special-hex", "paths-of-the-dead", 1, "elven-hex", "ring-bearer", "elven-1", 1)
    t.judge("elven_stay.1", 2).answer("done", "yes", "nobody", "yes").to("alliance", SECOND)
    assert [rule for rule, _ in t.play.ask.notes[:3]] == ["BR-58", "BR-15", "BR-57"]


def test_what_is_elven_itself_is_not_said_to_lack_a_helper(ring: Make) -> None:
    t = ring().to("sauron", "attack").answer("nazgul", "gondor")
    bars = {entry.option.id: entry.bar for entry in t.play.ask.barred()}
    assert (bars["attacker"].code, bars["attacker"].text) == ("BR-X09", "The Nazgûl has Elven strength already")


def test_leave_given_to_a_player_who_has_given_up_moves_nothing(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("elven-hex", "ring-bearer", "elven-2", 1).to("sauron", FIRST, 2)
    t.answer("ring-captured", "orc")
    t.play.concede("sauron")
    t.answer("yes")
    assert (t.play.seat, t.game.ring_owner, t.board["orc"]) == ("saruman", "alliance", 25)


@pytest.mark.parametrize(
    ("players", "owner", "hex_", "winner"),
    [
        (3, "sauron", "barad-dur", "sauron"),
        (3, "saruman", "isengard", "saruman"),
        (3, "alliance", "mount-doom", "alliance"),
        (2, "saruman", "barad-dur", "evil"),
    ],
)
@pytest.mark.parametrize("last", ["owner", "hex"])
def test_a_correction_that_wins_by_the_ring_ends_the_game(
    ring: Make, players: int, owner: str, hex_: str, winner: str, last: str
) -> None:
    t = ring(players=players)
    fields = [("ring_owner", owner), ("ring_hex", hex_)]
    for path, value in fields if last == "hex" else fields[::-1]:
        if t.play.over is None:
            t.judge(path, value)
    assert (t.play.over.winners, t.play.ask) == ((winner,), None)
    assert t.result == "victory"
    t.play.rewind(len(t.play.moves) - 1)
    assert (t.play.over, t.game.over, t.key) == (None, None, "move.menu")


def test_the_checklist_counts_the_pieces_that_are_on_the_board(ring: Make) -> None:
    t = ring(placed=False).answer("placed", "placed")
    ours = [piece for piece in PIECES.values() if piece.side == "alliance"]
    armies = sum(piece.start for piece in ours if piece.id not in ("gandalf", "aragorn"))
    assert t.play.ask.text == f"Alliance: {armies} armies, 2 characters, the Ring"
    assert armies == 28


def test_the_elven_hexes_are_numbered_before_the_ring_needs_it(ring: Make) -> None:
    t = ring(placed=False).answer("placed", "placed")
    assert any("Elven hex 1 to 6" in line for _, line in t.play.ask.notes)
    t.answer("placed").to("alliance", FIRST).answer("elven-hex", "ring-bearer")
    assert any("1 to 6" in line for _, line in t.play.ask.notes)


def test_an_attacker_that_cannot_lose_is_said_so(ring: Make) -> None:
    t = ring().to("sauron", "attack").answer("nazgul", "gondor", "none", "open")
    assert t.play.ask.foot == ("open", "never dies")


def test_who_gives_up_meanwhile_names_no_other_destination(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 2, "elven-hex", "elven-1")
    assert t.play.seat == "alliance"
    t.play.concede("sauron")
    t.answer("no")
    assert t.play.seat == "saruman"


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


def test_an_override_takes_what_is_barred_not_what_cannot_be(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    t.attack("nazgul", "gondor", "none", "open", 6)
    t.answer("nazgul", override=True).answer("elf", "open", [1, 1])
    assert (t.board["nazgul"], t.game.attacks["nazgul"]) == (0, 2)
    with pytest.raises(Refused):
        t.play.answer("nazgul", override=True)
