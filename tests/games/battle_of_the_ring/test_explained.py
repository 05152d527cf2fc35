"""Nothing ends or is barred without a word: phases that end by themselves, and reasons that say who and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.rulebook import Reminder

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def said(t: Any) -> list[str]:
    """Return the texts of all reminders but those of round 1."""
    return [event.text for event in t.events if isinstance(event, Reminder) and event.rule != "BR-20"]


def test_at_the_cap_nothing_more_is_promised_and_the_phase_says_why_it_ends(ring: Make) -> None:
    """E5: round 4 allows three Orcs, the 30th is the first of them."""
    t = ring().judge("on_board.orc", 29).to("sauron", "building", 4)
    assert t.play.ask.text == "Build what? Orc 1"
    t.answer("orc", "harad", "yes")
    assert t.last().why[1:] == ("Left: nothing", "All 30 Orc pieces are on the board")
    assert (t.game.phase, said(t)) == (FIRST, ["No more builds. All 30 Orc pieces are on the board"])


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
    assert (reasons["man-orc"], reasons["rohan"]) == (
        "The Ring Bearer stands on Isengard",
        "The Rohan army is not yours to build",
    )
    t = ring().judge("gandalf_in", "moria").judge("paths", "aragorn-inside").to("sauron", "attack").answer("orc")
    reasons = {entry.option.id: entry.bar.text for entry in t.play.ask.barred()}
    assert (reasons["gandalf"], reasons["aragorn"], reasons["fangorn-army"]) == (
        "Gandalf cannot fight in Moria",
        "Aragorn cannot fight in the Paths of the Dead",
        "The Fangorn army is not activated yet",
    )
