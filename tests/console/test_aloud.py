"""What a voice says: sentences for every screen there can be, and no sign that nobody would say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from referee.console import aloud as module
from referee.console.aloud import aloud
from referee.console.views import Band, Count, Dice, Idle, Log, Notice, Refusal, Ruling, View, Why

KEPT = sorted((Path(__file__).parent / "kept").glob("*.txt"))
WORDS = re.compile(
    r"^(?:Idle, title|Question, text|\w+, (?:headline|to_do|need|foot_left|lines)): (.+)$", re.MULTILINE
)
READ_WITH_THE_EYES = re.compile(r"[^\w\s.,:;?!'()-]|-\d|\d/\d")


def test_there_are_words_for_every_view() -> None:
    assert set(module._SAYS) == set(get_args(View))


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Ruling("Orc out", True, (2, 5), "7", "6+ beats"), "Orc out. Dice 2 and 5. Total 7. 6 or more beats."),
        (Ruling("Orc out", True, (), foot_left="Orc 25→24"), "Orc out. Orc 25 to 24."),
        (Ruling("FP lost 2 Elites", True, (5, 6), "2 hits"), "FP lost 2 Elites. Dice 5 and 6. 2 hits."),
        (Ruling("Gollum", True, to_do=("Discard 1/2 cards",)), "Gollum. Discard 1, 2 cards."),
        (Why(0, 1, "ME-60", ("7+4=11 > 8", "4 -3 untapped")), "7 plus 4 equals 11 beats 8 4 minus 3 untapped."),
        (Dice(Band("Sauron", "attack"), (None, None)), "Sauron. Roll 2 dice."),
        (Dice(Band("Sauron", "attack"), (None,)), "Sauron. Roll 1 die."),
        (Dice(Band("Sauron", "attack"), (3, None)), ""),
        (Count(Band("Shadow", "hits?"), 2, 0, 5, side=("How many hits?",)), "Shadow. How many hits?"),
        (Refusal("Not now", "Needs 2-4 units"), "Not now. Needs 2 to 4 units."),
        (Idle("Gondor", "1st Movement", "Round 4"), "Gondor. 1st Movement."),
        (Notice("BR-20", "No builds in round 1"), "No builds in round 1."),
        (Log(0, 1, ("7 Sauron: attack",)), ""),
    ],
)  # fmt: skip
def test_sentences_for_the_ear(view: View, words: str) -> None:
    assert aloud(view) == words


@pytest.mark.parametrize("evening", KEPT, ids=lambda path: path.stem)
def test_no_sign_of_an_evening_is_left_to_the_voice(evening: Path) -> None:
    said = [module._sentence(text) for text in WORDS.findall(evening.read_text())]
    assert said
    assert [sentence for sentence in said if READ_WITH_THE_EYES.search(sentence)] == []
