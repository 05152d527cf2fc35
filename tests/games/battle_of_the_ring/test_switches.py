"""Switches, the single ruling, what is said on the glass, what a bare Select sends, and why a phase ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.console.cards.asks import deal
from referee.rulebook import Play, Reminder, whole
from referee.session.prompt import Prompt, read_prompt

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def test_same_again_up_to_the_dice(ring: Make) -> None:
    t = ring().to("sauron", "attack")
    assert t.bundles() == {}
    t.attack("orc", "gondor", "both", "cair-andros", 4, 5)
    assert t.bundles() == {"same-again": ("orc", "gondor", "both", "cair-andros")}
    t.send("same-again")
    assert t.key == "attack.dice"
    t.answer([6, 6]).judge("on_board.gondor", 0)
    assert t.bundles() == {}


def test_a_quiet_phase_is_one_press(ring: Make) -> None:
    t = ring()
    for _ in range(30):
        phase = (t.game.round, t.game.seat, t.game.phase)
        t.send("quiet") if "quiet" in t.bundles() else t.answer("done")
        assert (t.game.round, t.game.seat, t.game.phase) != phase


def test_building_as_before_is_one_press(ring: Make) -> None:
    t = ring().to("alliance", "building", 2)
    assert "as-before" not in t.bundles()
    t.answer("gondor", "minas-tirith", "yes", "rohan", "edoras", "yes").to("alliance", "building", 3)
    t.send("as-before")
    assert (t.board["gondor"], t.board["rohan"]) == (10, 8)
    t.to("alliance", "building", 4)
    assert "as-before" not in t.bundles(), "the eighth Rohan is the last piece"


def test_what_the_dice_screen_and_the_ruling_say(ring: Make) -> None:
    t = ring().to("saruman", "attack").answer("man-orc", "gondor", "none", "fortress-or-river")
    roll = t.play.ask
    assert (roll.head, roll.tag, roll.need, roll.need_note) == ("Man-Orc→Gondor", "1/2", "9+", "kills")
    assert roll.foot == ("fort/river", "dies: 2-3")
    assert [chance.out_of_36 for chance in t.play.odds()] == ["3/36", "10/36", "23/36"]
    t.answer([5, 4])
    ruling = t.last()
    assert (ruling.headline, ruling.foot, ruling.need) == ("Gondor out", "Gondor 8→7", "9+ kills")
    assert ruling.why == (
        "Ordinary attacks Ordinary, no helper",
        "Defender: fortress or river",
        "D 9-12, A 2-3",
        "5+4=9: defender out",
        "Odds D 10/36, A 3/36",
        "Man-Orc 10",
        "Gondor 8→7",
    )
    assert ruling.data["faces"] == [5, 4]
    assert ruling.data["sets"] == {"attacker": [2, 3], "defender": [9, 10, 11, 12]}
    assert ruling.data["pools"] == {"before": {"man-orc": 10, "gondor": 8}, "after": {"man-orc": 10, "gondor": 7}}
    t.attack("man-orc", "gondor", "none", "open", 5)
    assert (t.last().headline, t.last().foot, t.last().changed) == ("No effect", "2nd of 10", False)


# -- nothing ends or is barred without a word


def said(t: Any) -> list[str]:
    """Return the texts of all reminders but those of round 1."""
    return [event.text for event in t.events if isinstance(event, Reminder) and event.rule != "BR-20"]


def test_at_the_cap_the_phase_says_why_it_ends(ring: Make) -> None:
    """E5: round 4 allows three Orcs, the 30th is the first of them."""
    t = ring().judge("on_board.orc", 29).to("sauron", "building", 4)
    assert t.play.ask.text == "Build what? Orc 1"
    t.answer("orc", "harad", "yes")
    assert t.last().why[1:] == ("Left: nothing", "All 30 Orc pieces are on the board")
    assert (t.game.phase, said(t)) == (FIRST, ["No more builds. All 30 Orc pieces are on the board"])


def test_what_can_be_built_is_told_in_the_plural(ring: Make) -> None:
    texts = [whole(ring().to("sauron", "building", number).play.ask.text) for number in (2, 3)]
    assert texts == ["Build what? 1 Orc", "Build what? 2 Orcs"]


def test_a_building_phase_that_begins_at_the_cap_is_explained(ring: Make) -> None:
    """E5: as round 1 is."""
    t = ring().judge("on_board.orc", 30).judge("on_board.gondor", 12).judge("on_board.hobbit", 4)
    t.to("sauron", FIRST, 2)
    assert said(t) == ["No builds. All 30 Orc pieces are on the board"]
    t.to("alliance", "building", 2)
    assert t.play.ask.text == "Build what? Rohan 1, Dwarf 1"
    t.answer("rohan", "edoras", "yes", "dwarf", "lonely-mountain", "yes")
    assert said(t)[1:] == ["No more builds. All 12 Gondor pieces are on the board"]


def test_a_building_phase_with_no_place_open_says_which(ring: Make) -> None:
    """E5, E6: Saruman builds nowhere; where he has built, the ruling says it."""
    t = ring().to("saruman", "building", 2).answer("man-orc", "isengard", "yes")
    taken, hobbits = "An army was built on Isengard in this phase", "The Shire is the Hobbits'"
    assert (t.last().why[1:], said(t)) == (("Left: nothing", taken, hobbits), [])
    t.judge("isengard", "ordinary").judge("ring_hex", "isengard").to("saruman", FIRST, 3)
    assert said(t) == ["No builds. The Ring Bearer stands on Isengard", "No builds. The Shire is the Hobbits'"]


def test_an_attack_phase_that_ends_by_itself_says_why(ring: Make) -> None:
    """E5: nobody is left to attack, or nobody could from the first."""
    t = ring().judge("on_board.orc", 0).to("sauron", "attack")
    t.attack("nazgul", "gondor", "none", "open", 5)
    assert (t.game.phase, said(t)) == (SECOND, ["No more attacks: every piece that can attack has done so"])
    t.judge("on_board.man-orc", 0).judge("on_board.saruman", 0).to("saruman", SECOND)
    assert said(t)[1:] == ["No attacks: no piece can attack in this phase"]


def test_a_reason_says_who_and_where(ring: Make) -> None:
    """E6: what is refused reads by itself, in a log as on the glass."""
    t = ring(players=2).judge("isengard", "ordinary").judge("ring_hex", "isengard").to("evil", "building", 2)
    reasons = {entry.option.id: entry.bar.text for entry in t.play.ask.barred()}
    assert reasons["man-orc"] == "The Ring Bearer stands on Isengard"
    t = ring().judge("gandalf_in", "moria").judge("paths", "aragorn-inside").to("sauron", "attack").answer("orc")
    reasons = {entry.option.id: entry.bar.text for entry in t.play.ask.barred()}
    assert (reasons["gandalf"], reasons["aragorn"], reasons["fangorn-army"]) == (
        "Gandalf cannot fight in Moria",
        "Aragorn cannot fight in the Paths of the Dead",
        "The Fangorn army is not activated yet",
    )


# -- what a bare Select sends when a question appears


def prompt(play: Play) -> Prompt:
    asked = read_prompt(play, 1, None)
    assert asked is not None
    return asked


def select(play: Play) -> Any:
    """Return what Select sends before anything was turned, None where it would be refused."""
    asked = prompt(play)
    if asked.kind == "count":
        return None if any(bar.option.id == str(asked.default) for bar in asked.barred) else asked.default
    lit = deal(asked).lit
    return None if lit is None or lit.bar else {b.id: b.answers for b in asked.bundles}.get(lit.id, lit.id)


def test_nobody_leaves_the_paths_by_a_select(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "paths-of-the-dead", 1).pass_phase().to("alliance", SECOND)
    t.answer("done")
    assert select(t.play) == "moves"
    t.judge("on_board.army-of-the-dead", 1)
    assert t.barred() == {"aragorn-and-2-dead": "BR-X09", "2-dead": "BR-X09"}
    t.answer("1-dead")
    assert (t.board["aragorn"], t.board["army-of-the-dead"], t.last().to_do) == (0, 1, ("Remove 1 Aragorn",))


def test_the_last_build_is_not_confirmed_by_a_select(ring: Make) -> None:
    t = ring().to("sauron", "building", 2).answer("orc", "harad")
    assert select(t.play) == "elsewhere"
    t.answer("yes")
    assert t.game.phase == FIRST


@pytest.mark.parametrize("players", [3, 2])
@pytest.mark.parametrize("phase", ["building", FIRST, "attack", SECOND])
def test_the_end_of_the_phase_is_on_the_first_page(ring: Make, players: int, phase: str) -> None:
    for seat in ring(players=players).game.seats():
        asked = prompt(ring(players=players).to(seat, phase, 2).play)
        labels = [cell.short or cell.text for cell in deal(asked).cells()]
        assert {"End", "Done"} & set(labels), (seat, labels)
