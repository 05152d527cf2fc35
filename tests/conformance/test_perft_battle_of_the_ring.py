"""How many answer sequences Battle of the Ring allows, by hand: a bar too many or too few shows at once."""

from __future__ import annotations

from collections.abc import Callable

Perft = Callable[..., list[int]]
RING = "battle-of-the-ring"
PLACED = ("placed",) * 3
QUIET = ("done", "nobody", "done", "done", "nobody")
"""A turn in which nothing happens, of Sauron or Saruman: the Shire matters to both."""


def test_the_checklist_then_sauron_moves(perft: Perft) -> None:
    """One answer a player; then five entries and "done"."""
    assert perft(RING, None, 4) == [1, 1, 1, 6]


def test_a_movement_phase(perft: Perft) -> None:
    """Move check, capture, special hex, Elven hex, removal, done: 6.

    Orc or Nazgûl for a check, a capture or an Elven hex (2 + 2 + 2), eight special hexes, thirteen types to be
    removed, five answers about the Shire: 32.

    A check ends in an ordinary or Elven hex, beyond Moria or in Barad-dûr (2 x 4); a capture has four escapes
    (2 x 4); through Moria, into Barad-dûr or back to an ordinary hex goes either piece, elsewhere nobody (3 x 2); the
    Alliance says yes or no (2 x 2); after a removal stands the menu (13 x 6); after the Shire the attackers, two
    types or done (4 x 3), or the menu (6): 122.
    """
    assert perft(RING, None, 3, PLACED) == [6, 32, 8 + 8 + 6 + 4 + 78 + 18]


def test_an_attack_phase(perft: Perft) -> None:
    """Orc, Nazgûl, done: 3. Nine types for each, as two sleep, and the menu of six: 24.

    Six of the nine could be helped, Saruman, the Elf and Gandalf not. Beside the Orc, who could be, that is four
    answers or two; beside the Nazgûl two, or the five positions: (24 + 6) + (12 + 15) + 32.

    Then five positions after each helper (150 + 60) and 21 throws after each of 15 positions (315). The menu as
    above, but after the Shire comes Saruman's menu of six: 104 + 5 x 6.
    """
    start = (*PLACED, "done", "nobody")
    assert perft(RING, None, 4, start) == [3, 24, 30 + 27 + 32, 150 + 60 + 315 + 134]


def test_a_building_phase_of_round_2(perft: Perft) -> None:
    """Orc or done: 2. Four crowns, or the menu: 4 + 6. Each crown is empty, or it is refused: 4 + 32. Then the one
    Orc is built and only "done" is left: 4 + 122.
    """
    start = (*PLACED, *QUIET, *QUIET, "done", "done", "done")
    assert perft(RING, None, 4, start) == [2, 10, 36, 126]


def test_the_attack_alone(perft: Perft) -> None:
    """Four columns or the pieces: 5. Five positions each, or thirteen attackers: 20 + 13. Then 21 throws each; either
    of Sauron's and of Saruman's types has eleven enemies, each of the nine of the Alliance four: 420 + 80.

    Of these 80 pairs both could be helped in 26 (four answers), one in 40 (two), neither in 14 (five positions):
    104 + 80 + 70. Then positions: 520 + 400, and 70 x 21 throws. Then 920 x 21 throws.
    """
    assert perft(RING, "attack", 6) == [5, 33, 500, 254, 2390, 19320]
