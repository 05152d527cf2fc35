"""Whole games to every end, giving up, what a judge corrects, and what a card overrides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games.battle_of_the_ring.pieces import PIECES
from referee.rulebook import Play

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def whole(t: Any) -> Any:
    """Play two full rounds with builds, attacks and moves."""
    for round_ in (1, 2):
        for seat in t.game.seats():
            if round_ == 2:
                t.to(seat, "building", 2)
                nation, place = {"saruman": ("man-orc", "isengard"), "alliance": ("gondor", "dol-amroth")}.get(
                    seat, ("orc", "harad")
                )
                t.answer(nation, place, "yes")
            t.to(seat, "attack", round_)
            enemy = "orc" if seat == "alliance" else "rohan"
            t.attack({"saruman": "man-orc", "alliance": "gondor"}.get(seat, "orc"), enemy, "none", "open", 4, 5)
    return t


@pytest.mark.parametrize(
    ("players", "where", "answers", "reason", "winner"),
    [
        (3, ("sauron", FIRST), ("ring-captured", "orc", 3, "barad-dur"), "ring-in-barad-dur", "sauron"),
        (3, ("saruman", SECOND), ("ring-captured", "man-orc", 1, "isengard"), "ring-in-isengard", "saruman"),
        (3, ("saruman", FIRST), ("ring-captured", "saruman"), "saruman-meets-ring", "saruman"),
        (3, ("alliance", SECOND), ("check", "ring-bearer", "mount-doom", 3), "ring-destroyed", "alliance"),
        (2, ("evil", FIRST), ("ring-captured", "orc", 3, "barad-dur"), "ring-in-barad-dur", "evil"),
        (2, ("evil", FIRST), ("ring-captured", "man-orc", 3, "barad-dur"), "ring-in-barad-dur", "evil"),
        (2, ("alliance", FIRST), ("special-hex", "mount-doom", 1), "ring-destroyed", "alliance"),
    ],
    ids=["BR-5", "BR-6-isengard", "BR-6-saruman", "BR-7", "BR-8-orc", "BR-8-A-BR30", "BR-7-2P"],
)
def test_a_whole_game(
    ring: Make, players: int, where: tuple[str, str], answers: tuple[Any, ...], reason: str, winner: str
) -> None:
    t = whole(ring(players=players)).to(*where, 3).answer(*answers)
    assert (t.play.over.reason, t.play.over.winners) == (reason, (winner,))
    again = Play(t.play.book, t.play.settings)
    for move in t.play.moves:
        again.repeat(move)
    assert again.game == t.game


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


@pytest.mark.parametrize("phase", ["setup", FIRST, "attack"])
def test_in_three_players_the_others_play_on(ring: Make, phase: str) -> None:
    t = ring(placed=phase != "setup")
    if phase == "setup":
        t.play.concede("sauron")
        t.answer("placed", "placed", "placed")
    else:
        t.to("sauron", phase)
        t.play.concede("sauron")
    assert t.play.seat == "saruman"
    seen = set()
    for _ in range(60):
        seen.add(t.game.seat)
        t.pass_phase()
    assert seen == {"saruman", "alliance"}
    t.play.concede("alliance")
    assert t.play.over.winners == ("saruman",)


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
