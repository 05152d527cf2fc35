"""How many answer sequences combat and corruption allow, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

Perft = Callable[..., list[int]]
WIZARDS = "middle-earth-the-wizards"


def test_from_the_first_question(perft: Perft) -> None:
    """Eight ways to enter the first character; "done" is barred.

    After one of four presets nine ways; prowess 0 to 14 after three of them; five names: 36 + 45 + 5. Then after a
    second preset nine again, 45 and 5 as before, and the limit 1 to 20 after "done": 4 x (36 + 45 + 5 + 20); ten
    bodies after each prowess: 450; nine ways after a name: 45.
    """
    assert perft(WIZARDS, None, 3) == [8, 86, 424 + 450 + 45]


def test_assigning_two_strikes_to_three(perft: Perft) -> None:
    """Three characters, "leave the rest", status, the number of strikes, and cancelling: 7.

    After a target two characters, "leave" and status (strikes and cancelling are too late): 3 x 4. After "leave" the
    attacker has three characters, status, strikes, cancelling: 6. Status: three or nobody (none is tapped): 4.
    Strikes 0 to 15: 16. After cancelling the menu with ten things open: 10.
    """
    company = ("4/7", "4/7", "4/7", "done", 3)
    start = (*company, "attack", "creature", "orc", "2", "7", "0", "assign")
    assert perft(WIZARDS, None, 2, start) == [7, 12 + 6 + 4 + 16 + 10]


def test_a_strike_by_itself(perft: Perft) -> None:
    """Six ways to say who. Four presets lead to prowess 1 to 25, other values to 0 to 14, names to five: 120.

    Nine steps are open before the dice: 4 x 25 x 9; ten bodies: 150; a name, then 25: 125. Then tap or -3 and the
    dice (21 each), a hazard (10), none to six spare strikes (7), the stance before support or a resource (2 each),
    status (2), the strike's prowess (25), nothing after cancelling: 100 x 90; 150 x 25; 125 x 9.
    """
    assert perft(WIZARDS, "strike", 4) == [6, 120, 900 + 150 + 125, 9000 + 3750 + 1125]


def test_a_body_check_by_itself(perft: Perft) -> None:
    """Three whose body, ten bodies ("-" is barred), 21 throws, and the ruling is given."""
    assert perft(WIZARDS, "body-check", 4) == [3, 30, 630, 0]


def test_a_corruption_check_by_itself(perft: Perft) -> None:
    """0 to 20 points, or a modifier first: 22. 21 throws each, or ten modifiers: 441 + 10.

    A throw of no more than the points asks for a Wizard. So many of the 21 are 2, 3 ... 11 or less: 1, 2, 4, 6, 9,
    12, 15, 17, 19, 20, in all 105; and all of them for 12 to 20 points: 189. Two answers each; 22 after a modifier.
    """
    assert perft(WIZARDS, "corruption-check", 3) == [22, 451, 2 * (105 + 189) + 220]


def test_a_tie_asks_for_no_body_check(perft: Perft) -> None:
    """Prowess 4 against 7: of 21 throws only the sum 2 (one throw) wounds, and the check has 21 throws more."""
    assert perft(WIZARDS, "strike", 3, ("4/7", "7", "tap")) == [21, 21, 0]
