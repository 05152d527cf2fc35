"""Whole games to every end, the long memories of the rules, and giving up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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


def test_BR8_in_two_players_isengard_wins_nothing(ring: Make) -> None:
    t = ring(players=2).answer("ring-captured", "man-orc", 2, "isengard")
    assert (t.play.over, t.game.ring_hex, t.game.ring_owner) == (None, "isengard", "saruman")


def test_A_BR22_evil_is_asked_before_it_burns_the_ring(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 3, "mount-doom")
    assert t.key == "mount-doom.confirm"
    t.answer("no", "mount-doom", "yes")
    assert t.play.over.winners == ("alliance",)


def test_BR73_the_ring_changes_hands_again_and_again(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 0)
    t.to("saruman", FIRST).answer("ring-captured", "man-orc", 0)
    t.to("alliance", FIRST).answer("ring-captured", "aragorn", 0)
    assert t.game.ring_owner == "alliance"
    assert (t.board["orc"], t.board["man-orc"], t.board["aragorn"]) == (24, 9, 0)
    t.to("alliance", "building", 2)
    assert t.refused("aragorn") == "BR-X07"


def test_A_BR12_the_fangorn_army_takes_the_ring_on_isengard(ring: Make) -> None:
    t = ring(players=2).answer("ring-captured", "man-orc", 2, "isengard")
    t.to("alliance", FIRST).answer("special-hex", "fangorn", 1, "done", "ring-bearer")
    assert (t.key, t.game.ring_owner, t.game.ring_hex) == ("ring.escape", "alliance", "isengard")
    assert (t.board["fangorn-army"], t.game.isengard, t.game.fangorn) == (0, "ordinary", "dead")
    t.answer(0)
    assert t.game.phase == "attack"


def test_BR57_who_woke_fangorn_leaves_and_the_hex_closes(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "fangorn", "gandalf", 1, "done", "nobody")
    assert t.refused("gandalf") == "BR-X14"
    assert "fangorn-army" in t.open()
    t.to("alliance", SECOND)
    assert t.play.ask.notes[0][0] == "BR-57"
    t.answer("done", "no")
    assert "BR-57" in t.reminders
    t.to("alliance", FIRST, 2).answer("done", "yes")
    assert (t.game.fangorn_hex, t.game.gandalf_in) == ("closed", "none")


def test_BR57_the_ring_bearer_in_fangorn_is_asked_about_by_name(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "fangorn", "ring-bearer", 1, "done", "nobody")
    t.answer("done").to("alliance", SECOND)
    t.answer("done")
    assert (t.key, t.play.ask.text) == ("end.fangorn", "Has the Ring Bearer left Fangorn?")


def test_A_BR17_entered_late_they_leave_in_the_next_round(ring: Make) -> None:
    t = ring().to("alliance", SECOND).answer("special-hex", "paths-of-the-dead", 1).pass_phase()
    t.to("sauron", "attack", 2).answer("nazgul")
    assert t.refused("aragorn") == "BR-X14"
    t.answer("back").to("alliance", FIRST, 2)
    assert t.play.ask.notes[0][0] == "BR-58"
    t.answer("done", "aragorn-and-2-dead")
    assert (t.game.paths, t.board["army-of-the-dead"], t.result) == ("closed", 2, "paths-closed")
    assert "army-of-the-dead" in t.open()


def test_A_BR32_aragorn_inside_the_paths_helps_nobody(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "paths-of-the-dead", 1).pass_phase()
    t.judge("on_board.gandalf", 0).judge("on_board.nazgul", 0).answer("gondor", "orc")
    assert t.key == "attack.position"


def test_A_BR18_the_closing_follows_the_ring_not_its_owner(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("elven-hex", "ring-bearer", "elven-4", 1).to("sauron", FIRST, 2)
    t.answer("ring-captured", "orc", "yes", 1, "ordinary").pass_phase()
    assert t.game.elven_closed["4"]
    t.to("sauron", SECOND, 2).answer("elven-hex", "ring-bearer")
    assert t.refused("elven-4") == "BR-X17"


def test_A_BR10_a_third_piece_lost_in_the_shire_changes_nothing(ring: Make) -> None:
    t = ring().answer("special-hex", "shire", "orc", 2, "done", "third").to("alliance", FIRST)
    t.answer("done", "nobody")
    assert (t.game.shire_owner, t.game.shire_third) == ("hobbits", False)


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


def test_BR58_the_dead_take_the_ring_in_the_phase_they_leave_in(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 0).to("alliance", FIRST)
    assert t.answer("check").refused("army-of-the-dead") == "BR-X14"
    t.answer("back", "special-hex", "paths-of-the-dead", 1).pass_phase()
    assert t.refused("army-of-the-dead") == "BR-X14"
    t.to("alliance", SECOND).answer("check", "army-of-the-dead", "ordinary", 2)
    assert t.result == "allowed"
    t.answer("ring-captured", "army-of-the-dead", 0, "done", "aragorn-and-1-dead")
    assert (t.game.ring_owner, t.board["army-of-the-dead"], t.board["aragorn"]) == ("alliance", 1, 1)


def test_an_escape_through_moria_needs_leave_and_says_where_to(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "moria", 1).to("sauron", FIRST, 2)
    t.answer("ring-captured", "orc", 3, "through-moria")
    assert (t.key, t.play.seat) == ("permission", "alliance")
    t.answer("no")
    assert (t.key, t.last().data["code"]) == ("ring.destination", "BR-X16")
    t.answer("through-moria", "yes", "elven-hex", "elven-1", "yes")
    assert (t.key, t.game.ring_hex, t.game.moria_used) == ("move.menu", "elven-1", False)


def test_an_escape_takes_another_way_where_nobody_can_permit(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 3, "elven-hex")
    t.play.concede("alliance")
    assert t.open() == []
    t.answer("back")
    assert t.refused("elven-hex") == "BR-X17"
    t.answer("ordinary")
    assert (t.key, t.game.ring_hex, t.game.ring_moved, t.board["orc"]) == ("move.menu", "ordinary", True, 24)


def test_BR15_the_ring_does_not_return_within_a_phase(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("elven-hex", "ring-bearer", "elven-3", 1).to("alliance", SECOND)
    t.answer("special-hex", "ordinary", "ring-bearer", 1, "elven-hex", "ring-bearer")
    assert t.refused("elven-3") == "BR-X17"
    t.answer("elven-4", 1).pass_phase()
    assert [k for k, closed in t.game.elven_closed.items() if closed] == ["3"]


def test_a_hex_corrected_before_the_ring_moves_closes_nothing(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("elven-hex", "ring-bearer", "elven-3", 1).to("alliance", SECOND)
    t.judge("ring_hex", "elven-4").pass_phase()
    assert not any(t.game.elven_closed.values())
    assert t.game.elven_stay == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 0, "6": 0}


def test_A_BR18_a_hex_the_ring_left_is_closed_whoever_owns_it(ring: Make) -> None:
    t = ring().judge("ring_hex", "elven-3").to("alliance", FIRST)
    t.answer("special-hex", "ordinary", "ring-bearer", 1).judge("ring_owner", "sauron").pass_phase()
    assert [k for k, closed in t.game.elven_closed.items() if closed] == ["3"]


def test_a_ring_that_left_barad_dur_unseen_is_not_won_there(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "barad-dur", 1)
    assert t.bundles()["quiet"] == ("done", "yes")
    t.send("quiet").to("alliance", SECOND).answer("done")
    assert t.key == "end.ring"
    t.answer("no").to("sauron", FIRST, 2).answer("ring-captured", "orc")
    assert (t.play.over, t.key) == (None, "ring.escape")


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


def test_what_moves_through_moria_does_not_move_after_it(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "moria", 1, "check", "ring-bearer", "through-moria", 3)
    assert t.key == "ring.destination"
    t.answer("elven-hex", "elven-2")
    assert (t.game.ring_hex, t.game.moved["ring-bearer"], t.game.moria_used) == ("elven-2", 3, True)
    assert t.answer("check", "ring-bearer").refused("ordinary") == "BR-X18"


def test_who_gives_up_meanwhile_names_no_other_destination(ring: Make) -> None:
    t = ring().answer("ring-captured", "orc", 2, "elven-hex", "elven-1")
    assert t.play.seat == "alliance"
    t.play.concede("sauron")
    t.answer("no")
    assert t.play.seat == "saruman"
