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

    Move finished (1), hands of 1 to 30 as there is one target only, four cards (4), four cards (4), the other's menu
    (6), play on, nobody or two winners (4).

    Nobody or BR1 beside (2), right or wrong for each hand (60); the menu after Wizard and Spy, the hand or one card
    for the Palantír, one target that must be near for the Elf Ring (6 + 6 + 2 + 1); got it or not for Gollum and
    Bilbo, three fates before Shelob, eight characters (15); the other's turn (49); the menu again (6).

    The menu with no battle in it yet, or three outcomes of the exchange (9); the menu after a hand of one or a wrong
    guess, three answers after a right one (6 + 30 x 6 + 29 x 3); the second action after Wizard and Spy, the menu
    after the Palantír, hand or card for the Elf Ring (49 + 49 + 12 + 2); the menu after Gollum, Bilbo and Shelob
    (7 x 6), a draw that comes off or not, or for BR1's card how it is used (8 x 2); the other's 147; 49.
    """
    start = ("frodo", "br1", "everybody")
    third = 2 + 60 + 15 + 15 + 49 + 6
    fourth = 9 + (6 + 180 + 87) + (49 + 49 + 12 + 2) + (42 + 16) + third + 49
    assert perft(RIDDLE, None, 4, start) == [6, 1 + 30 + 4 + 4 + 6 + 4, third, fourth]


def test_the_riddle_alone(perft: Perft) -> None:
    """Hands of 1 to 30; right or wrong; with a card left, stop too, and so with two left."""
    assert perft(RIDDLE, "riddle", 4) == [30, 30 * 2, 29 * 3, 28 * 3]


def test_the_battle_alone(perft: Perft) -> None:
    """Hobbit or Rider against Rider or Hobbit: 4.

    Army, Neutral, city, the card of 2, Ring, own card, another card of 2 or more, stop: 8; against his own kind no
    own card: 7.

    Against 1 point all but the cards of 2, or surrender (6), without the Ring once it lies (5); against 2 all (8);
    2 to 5 points of the other card (4); a stop ends it: 3 x 6 + 8 + 5 + 6 + 4, and without the own card 6 less.

    Matched by army, Neutral, city, Ring, own card, or two spoils: 8 + 8 + 8 + 7 + 8 + 2 = 41 after army or Neutral;
    34 after a city, as a second one is asked for its letter; the card of 2 leaves a point open or is matched by the
    others: 6 + 6 + 6 + 7 + 5 + 5 + 7 + 2 = 44; Ring 30, own card 36; another card of 2 to 5 points 4 x 8. Against a
    player of the same kind the attacker has one force less each time: 36, 36, 30, 42, 26, 32.
    """
    unlike = 41 + 41 + 34 + 44 + 30 + 36 + 32
    alike = 36 + 36 + 30 + 42 + 26 + 32
    assert perft(RIDDLE, "battle", 4) == [4, 8 + 8 + 7 + 7, 2 * 41 + 2 * 35, 2 * unlike + 2 * alike]
