"""What a voice says: sentences for every screen there can be, and no sign that nobody would say."""

from __future__ import annotations

import pytest

from referee.console.drawing.screens import paginate
from referee.console.views import Band, Cell, Count, Dice, Idle, Notice, Question, Refusal, Ruling, View, Why
from referee.rulebook import Short, phrase

FREE = Short("FP", "Free Peoples")


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Ruling("Out", True, (2, 5), "7", "6+"), "Out. The dice show 2 and 5. The total is 7. 6 or more."),
        (Ruling("Out", True, (2,), "", "6+ kills"), "Out. The dice show 2. A throw of 6 or more kills."),
        (Ruling("Orc out", True, (), foot_left="Orc 25→24"), "Orc out. Orc 25 to 24."),
        (Ruling(phrase("{} out", FREE), True, (5, 6), "2 hits"), "Free Peoples out. The dice show 5 and 6. 2 hits."),
        (Ruling("Gollum", True, to_do=("Discard 1/2 cards",)), "Gollum. Discard 1, 2 cards."),
        (Why(0, 1, "ME-60", ("7+4=11 > 8", "4 -3 untapped")), "7 plus 4 equals 11 beats 8. 4 minus 3 untapped."),
        (Dice(Band("Sauron", "attack"), (None, None)), "Sauron. Roll 2 dice."),
        (Dice(Band("Sauron", "attack"), (None,)), "Sauron. Roll 1 die."),
        (Dice(Band("Sauron", "attack"), (3, None)), ""),
        (Count(Band("Shadow", "hits?"), 2, 0, 5, question="How many hits?"), "Shadow. How many hits?"),
        (Refusal("Not now", "Needs 2-4 units"), "Not now. Needs 2 to 4 units."),
        (Idle("Gondor", "1st Movement", "Round 4"), "Gondor: 1st Movement."),
        (Notice("BR-20", "No builds in round 1"), "No builds in round 1."),
        (Notice("BR-12", "Over other players' pieces only"), "Over other players' pieces only."),
        (Idle("Gondor", "wins"), "Gondor wins."),
        (Question(Band(FREE), phrase("{}: roll 5 dice", FREE), (Cell("a"),), 0), "Free Peoples: roll 5 dice."),
        (Question(Band("Bow", seat="Sauron"), "Which arrow?", (Cell("a"),), 0), "Sauron. Bow. Which arrow?"),
        (Question(Band(Short("FP: card?", "")), "A card?", (Cell("a"),), 0), "A card?"),
        (Why(0, 2, "", ("D 15/36, A 3/36", "Minions are gone,")), "D 15 in 36, A 3 in 36. Minions are gone."),
        (Why(0, 1, "", ("7 Sauron: attack",), "Log", listed=True), ""),
    ],
)  # fmt: skip
def test_sentences_for_the_ear(view: View, words: str) -> None:
    assert view.speech().aloud == words


def test_a_question_tells_once_what_is_needed() -> None:
    def dice(question: str) -> Dice:
        return Dice(Band("Shadow"), (None,), "5+", "hits", question=question)

    assert dice("Roll 1 die. How many show 5 or more?").speech().text == "Roll 1 die. How many show 5 or more?"
    assert dice("Roll for the strike").speech().text == "Roll for the strike; 5+ hits"


@pytest.mark.parametrize(
    ("signs", "words"),
    [
        ("prowess/body", "Prowess or body."),
        ("12 strikes at 8/5", "12 strikes at 8, 5."),
        ("15/36", "15 in 36."),
        ("-3 untapped, \N{MINUS SIGN}2", "Minus 3 untapped, minus 2."),
        ("9-12 or 2\N{EN DASH}3", "9 to 12 or 2 to 3."),
        ("9+ kills", "9 or more kills."),
        ("7+4, 1 + 1", "7 plus 4, 1 plus 1."),
        ("Orc 25\N{RIGHTWARDS ARROW}24", "Orc 25 to 24."),
        ("O v O, 8:5", "O against O, 8 against 5."),
        ("\N{GREATER-THAN OR EQUAL TO}6", "At least 6."),
        ("4+3=7 > 5", "4 plus 3 equals 7 beats 5."),
        ("\N{MULTIPLICATION SIGN} 2", "Times 2."),
        ("3 \N{CHECK MARK}", "3."),
        ("Man-Orc: where?", "Man-Orc: where?"),
        ("Charge: 9+ drives back (F-2)", "Charge: 9 or more drives back."),
        ("needs 4+ (+1)", "Needs 4 or more (plus 1)."),
    ],
)
def test_each_sign_has_its_words(signs: str, words: str) -> None:
    assert Notice("", signs).speech().aloud == words


def test_a_page_says_the_lines_that_begin_on_it_whole_and_the_next_does_not_say_them_again() -> None:
    long = "Nazgûl with it may come back as reinforcements; Minions are gone, unless their card says otherwise."
    sheets = paginate((phrase("{}: first.", FREE), long, "The last line."))
    said = [Why(at, len(sheets), "", sheet).speech().aloud for at, sheet in enumerate(sheets)]
    assert len(sheets) > 1
    assert " ".join(filter(None, said)) == f"Free Peoples: first. {long} The last line."
