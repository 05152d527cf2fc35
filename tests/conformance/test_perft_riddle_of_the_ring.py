"""How many answer sequences Riddle of the Ring allows, by hand: a bar too many or too few shows at once."""

from __future__ import annotations

from collections.abc import Callable

Perft = Callable[..., list[int]]
RIDDLE = "riddle-of-the-ring"


def test_the_seats(perft: Perft) -> None:
    """Eight characters, then seven; then six or "everybody", as two are enough."""
    assert perft(RIDDLE, None, 3) == [8, 8 * 7, 8 * 7 * 7]


def test_a_turn_of_two_players(perft: Perft) -> None:
    """Move, Riddle, Clairvoyance, take a card, end, game over: 6; no battle before moving.

    Move finished (1), one target (1), four cards (4), four cards (4),
    the other's menu (6), nobody or two winners (3).

    Nobody or BR1 beside (2), the hand (1), one target for each card (4); a target for Gollum and Bilbo, three fates
    before Shelob, eight characters (13); the other's turn (19).

    The menu with the battle in it, or three outcomes of the exchange (10); hands of 1 to 30; a hand for Wizard and
    Spy, the hand or one card for the Palantír, near or another player for the Elf Ring (1 + 1 + 2 + 2); got it or not
    (2 + 2), the menu after Shelob (3 x 6), a draw with eight cards and one card that can be given (9);
    the other's 39.
    """
    start = ("frodo", "br1", "everybody")
    assert perft(RIDDLE, None, 4, start) == [6, 19, 39, 10 + 30 + 6 + 31 + 39]


def test_the_riddle_alone(perft: Perft) -> None:
    """Two cards or more; hands of 1 to 30; right or wrong; with a card left, stop too, and so with two left."""
    assert perft(RIDDLE, "riddle", 5) == [1, 30, 30 * 2, 29 * 3, 28 * 3]


def test_the_battle_alone(perft: Perft) -> None:
    """Hobbit or Rider against Rider or Hobbit: 4. Army, Neutral, the card of 2, city, Ring, own card, stop: 7;
    against his own kind no own card: 6.

    Against 1 point all but the card of 2, or surrender (6), without the Ring once it lies (5); against 2 all (7);
    five letters of a city; a stop ends it: 2 x (6 + 6 + 6 + 5 + 7 + 5) + 2 x (6 + 6 + 5 + 7 + 5).

    A matched army or Neutral: 7 + 7 + 6 + 7, five letters, two spoils = 34; own card 30, Ring 25; the card of 2
    leaves a point open or is matched by the other: 6 + 6 + 6 + 5 + 5 + 5 + 2 = 35; five cities 5 x 6. Against
    his own kind the attacker has one force less: 30, 30, 22, 34, 30.
    """
    unlike = 34 + 34 + 30 + 25 + 35 + 30
    alike = 30 + 30 + 22 + 34 + 30
    assert perft(RIDDLE, "battle", 4) == [4, 7 + 7 + 6 + 6, 2 * 35 + 2 * 29, 2 * unlike + 2 * alike]
