"""How many answer sequences Battle of the Ring allows, by hand: a bar too many or too few shows at once."""

from __future__ import annotations

from collections.abc import Callable

Perft = Callable[..., list[int]]
RING = "battle-of-the-ring"
PLACED = ("placed",) * 3
SAURON = ("done", "done", "done")
"""A turn of Sauron's in which nothing happens."""
SARUMAN = ("done", "nobody", "done", "done", "nobody")
"""A turn of Saruman's in which nothing happens: while the Hobbits own the Shire, he is asked who is on hex R."""


def test_the_checklist_then_sauron_moves(perft: Perft) -> None:
    """One answer a player; then five entries and "done"."""
    assert perft(RING, None, 4) == [1, 1, 1, 6]


def test_a_movement_phase(perft: Perft) -> None:
    """Move check, capture, special hex, Elven hex, removal, done: 6.

    Orc or Nazgûl for a check; the same or nobody for a capture; through Moria, to hex R or back to an ordinary hex;
    Orc or Nazgûl in an Elven hex; thirteen types to be removed; three attackers, done among them: 26.

    A check ends in an ordinary or Elven hex, beyond Moria or on hex R (2 x 4); a capture has four escapes (2 x 4), or
    was none and the menu stands (6); either piece goes to each special hex (3 x 2); the Alliance says yes or no
    (2 x 2); after a removal stands the menu (13 x 6); either type attacks nine others, or the menu of the 2nd
    Movement stands (18 + 6): 134.
    """
    assert perft(RING, None, 3, PLACED) == [6, 26, 8 + 14 + 6 + 4 + 78 + 24]


def test_an_attack_phase(perft: Perft) -> None:
    """Orc, Nazgûl, done: 3. Nine types for each, as two are dormant, and the menu of six: 24.

    Six of the nine could be helped, Saruman, the Elf and Gandalf not. Beside the Orc, who could be, that is four
    answers or two; beside the Nazgûl two, or the five positions: (24 + 6) + (12 + 15). The menu goes on as above, but
    after it comes Saruman's menu of six: 23 + 6.

    Then five positions after each helper (150 + 60) and 21 throws after each of 15 positions (315). The menu as above
    (110), and under Saruman's two to check, three captors, three hexes, two in an Elven hex, thirteen to be removed,
    five answers about hex R: 28.
    """
    start = (*PLACED, "done")
    assert perft(RING, None, 4, start) == [3, 24, 30 + 27 + 29, 150 + 60 + 315 + 110 + 28]


def test_a_building_phase_of_round_2(perft: Perft) -> None:
    """Orc or done: 2. Four crowns, or the menu: 4 + 6. Each crown is empty, or another place is meant: 8 + 26.

    Then the one Orc is built, so the menu stands (4 x 6), or the crowns are asked again (4 x 4): 40 + 134.
    """
    start = (*PLACED, *SAURON, *SARUMAN, "done", "done", "done")
    assert perft(RING, None, 4, start) == [2, 10, 34, 174]


def test_the_attack_alone(perft: Perft) -> None:
    """Four columns or the pieces: 5. Five positions each, or thirteen attackers: 20 + 13.

    Then 21 throws each; either of Sauron's and of Saruman's types has eleven enemies, each of the Alliance's nine
    four: 420 + 80. Of these 80 pairs both could be helped in 26 (four answers), one in 40 (two), neither in 14 (five
    positions): 104 + 80 + 70. Then positions: 520 + 400, and 70 x 21 throws. Then 920 x 21 throws.
    """
    assert perft(RING, "attack", 6) == [5, 33, 500, 254, 2390, 19320]
