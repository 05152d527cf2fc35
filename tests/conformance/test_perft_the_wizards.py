"""How many answer sequences combat and corruption allow, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

Perft = Callable[..., list[int]]
WIZARDS = "middle-earth-the-wizards"


def test_from_the_first_question(perft: Perft) -> None:
    """Eight ways to enter the first character; "done" is barred.

    After one of four presets nine ways; prowess 0 to 20 after three of them; five names: 36 + 63 + 5. Then after a
    second preset nine again, 63 and 5 as before, and the limit 1 to 20 after "done": 4 x (36 + 63 + 5 + 20); fifteen
    bodies after each prowess: 945; nine ways after a name: 45.
    """
    assert perft(WIZARDS, None, 3) == [8, 104, 496 + 945 + 45]


def test_assigning_two_strikes_to_three(perft: Perft) -> None:
    """Three characters, "leave the rest", status, check, card, the number of strikes, and cancelling: 9.

    After a target two characters, "leave", status, check and card (strikes and cancelling are too late): 3 x 6. After
    "leave" the attacker has three characters, status, check, card, strikes, cancelling: 8. Status: three or nobody
    (none is tapped): 4. Check: three, a modifier or a hazard: 5. Card: 3. Strikes 0 to 20: 21. After cancelling
    the menu with ten things open: 10.
    """
    company = ("4/7", "4/7", "4/7", "done", 3)
    start = (*company, "attack", "creature", "2", "7", "0", "assign")
    assert perft(WIZARDS, None, 2, start) == [9, 18 + 8 + 4 + 5 + 3 + 21 + 10]


def test_a_strike_by_itself(perft: Perft) -> None:
    """Six ways to enter the target. Presets lead to prowess 1 to 30, other values to 0 to 20, names to five: 146.

    Eleven steps are open before the dice: 4 x 30 x 11; fifteen bodies: 315; a name, then 30: 150. Then tap and the
    dice (21), -3 and what is open after it (8), a hazard (10), one to six spare strikes (6), one to six supporters
    (6), two kinds of resource (10 each), a change of the target (5), the strike's prowess (31), the target's body
    (15), nothing after cancelling: 120 x 122; 315 x 30; 150 x 11.
    """
    assert perft(WIZARDS, "strike", 4) == [6, 146, 1320 + 315 + 150, 14640 + 9450 + 1650]


def test_a_body_check_by_itself(perft: Perft) -> None:
    """Three whose body, fifteen bodies ("-" is barred), 21 throws, and the ruling is given."""
    assert perft(WIZARDS, "body-check", 4) == [3, 45, 945, 0]


def test_a_corruption_check_by_itself(perft: Perft) -> None:
    """0 to 20 points, or a modifier first: 22. 21 throws each, or ten modifiers: 441 + 10.

    A throw of no more than the points asks for a Wizard. So many of the 21 are 2, 3 ... 11 or less: 1, 2, 4, 6, 9,
    12, 15, 17, 19, 20, in all 105; and all of them for 12 to 20 points: 189. Two answers each; 22 after a modifier.
    """
    assert perft(WIZARDS, "corruption-check", 3) == [22, 451, 2 * (105 + 189) + 220]


def test_a_tie_asks_for_no_body_check(perft: Perft) -> None:
    """Prowess 4 against 7: of 21 throws only the sum 2 (one throw) wounds, and the check has 21 throws more."""
    assert perft(WIZARDS, "strike", 3, ("4/7", "7", "tap")) == [21, 21, 0]
