"""How many answer sequences each game allows, by hand, as chess programs count moves.

A bar too many or too few shows at once.
"""

from __future__ import annotations

from typing import Any

from referee.games import load
from referee.rulebook import Play
from referee.testing.random_table import open_answers


def count_sequences(play: Play, depth: int) -> int:
    """Return the number of sequences of `depth` answers from here (perft); none past the end of the game."""
    if play.ask is None:
        return 0
    answers = open_answers(play.ask)
    if depth == 1:
        return len(answers)
    here, sequences = len(play.moves), 0
    for answer in answers:
        play.answer(answer)
        sequences += count_sequences(play, depth - 1)
        play.rewind(here)
    return sequences


def perft(game: str, ruling: str | None, depth: int, answers: tuple[Any, ...] = ()) -> list[int]:
    """Return the numbers of answer sequences of length 1 to ``depth``, after some answers have been given."""
    play = Play(load(game), {}, ruling)
    for answer in answers:
        play.answer(answer)
    return [count_sequences(play, each) for each in range(1, depth + 1)]


# -- Battle of the Ring

RING = "battle-of-the-ring"
PLACED = ("placed",) * 3
SAURON = ("done", "done", "done")
"""A turn of Sauron's in which nothing happens."""
SARUMAN = ("done", "nobody", "done", "done", "nobody")
"""A turn of Saruman's in which nothing happens: while the Hobbits own the Shire, he is asked who is on hex R."""


def test_the_checklist_then_sauron_moves() -> None:
    """One answer a player; then five entries and "done"."""
    assert perft(RING, None, 4) == [1, 1, 1, 6]


def test_a_movement_phase() -> None:
    """Move check, capture, special hex, Elven hex, removal, done: 6.

    Orc or Nazgûl for a check; the same or nobody for a capture; through Moria, to hex R or back to an ordinary hex;
    Orc or Nazgûl in an Elven hex; thirteen types to be removed; three attackers, done among them: 26.

    A check ends in an ordinary or Elven hex, beyond Moria or on hex R (2 x 4); a capture has four escapes (2 x 4), or
    was none and the menu stands (6); either piece goes to each special hex (3 x 2); the Alliance says yes or no
    (2 x 2); after a removal stands the menu (13 x 6); either type attacks nine others, or the menu of the 2nd
    Movement stands (18 + 6): 134.
    """
    assert perft(RING, None, 3, PLACED) == [6, 26, 8 + 14 + 6 + 4 + 78 + 24]


def test_an_attack_phase() -> None:
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


def test_a_building_phase_of_round_2() -> None:
    """Orc or done: 2. Four crowns, or the menu: 4 + 6. Each crown is empty, or another place is meant: 8 + 26.

    Then the one Orc is built, so the menu stands (4 x 6), or the crowns are asked again (4 x 4): 40 + 134.
    """
    start = (*PLACED, *SAURON, *SARUMAN, "done", "done", "done")
    assert perft(RING, None, 4, start) == [2, 10, 34, 174]


def test_the_attack_alone() -> None:
    """Four columns or the pieces: 5. Five positions each, or thirteen attackers: 20 + 13.

    Then 21 throws each; either of Sauron's and of Saruman's types has eleven enemies, each of the Alliance's nine
    four: 420 + 80. Of these 80 pairs both could be helped in 26 (four answers), one in 40 (two), neither in 14 (five
    positions): 104 + 80 + 70. Then positions: 520 + 400, and 70 x 21 throws. Then 920 x 21 throws.
    """
    assert perft(RING, "attack", 6) == [5, 33, 500, 254, 2390, 19320]


# -- Riddle of the Ring

RIDDLE = "riddle-of-the-ring"


def test_the_seats() -> None:
    """Two to eight players; eight characters, then seven; then six, or the turn of the first of two players."""
    assert perft(RIDDLE, None, 4) == [7, 7 * 8, 7 * 8 * 7, 7 * 8 * 7 * 6]


def test_a_turn_of_two_players() -> None:
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
    start = (2, "frodo", "br1")
    third = 2 + 60 + 15 + 15 + 49 + 6
    fourth = 9 + (6 + 180 + 87) + (49 + 49 + 12 + 2) + (42 + 16) + third + 49
    assert perft(RIDDLE, None, 4, start) == [6, 1 + 30 + 4 + 4 + 6 + 4, third, fourth]


def test_the_riddle_alone() -> None:
    """Hands of 1 to 30; right or wrong; with a card left, stop too, and so with two left."""
    assert perft(RIDDLE, "riddle", 4) == [30, 30 * 2, 29 * 3, 28 * 3]


def test_the_battle_alone() -> None:
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


# -- Middle-earth: The Wizards

WIZARDS = "middle-earth-the-wizards"


def test_from_the_first_question() -> None:
    """Eight ways to enter the first character; "done" is barred.

    After one of four presets nine ways; prowess 0 to 20 after three of them; five names: 36 + 63 + 5. Then after a
    second preset nine again, 63 and 5 as before, and the limit 1 to 20 after "done": 4 x (36 + 63 + 5 + 20); fifteen
    bodies after each prowess: 945; nine ways after a name: 45.
    """
    assert perft(WIZARDS, None, 3) == [8, 104, 496 + 945 + 45]


def test_assigning_two_strikes_to_three() -> None:
    """Three characters, "leave the rest", status, check, card, the number of strikes, and cancelling: 9.

    After a target two characters, "leave", status, check and card (strikes and cancelling are too late): 3 x 6. After
    "leave" the attacker has three characters, status, check, card, strikes, cancelling: 8. Status: three or nobody
    (none is tapped): 4. Check: three, a modifier or a hazard: 5. Card: 3. Strikes 0 to 20: 21. After cancelling
    the menu with ten things open: 10.
    """
    company = ("4/7", "4/7", "4/7", "done", 3)
    start = (*company, "attack", "creature", "2", "7", "0", "assign")
    assert perft(WIZARDS, None, 2, start) == [9, 18 + 8 + 4 + 5 + 3 + 21 + 10]


def test_a_strike_by_itself() -> None:
    """Six ways to enter the target. Presets lead to prowess 1 to 30, other values to 0 to 20, names to five: 146.

    Eleven steps are open before the dice: 4 x 30 x 11; fifteen bodies: 315; a name, then 30: 150. Then tap and the
    dice (21), -3 and what is open after it (8), a hazard (10), one to six spare strikes (6), one to six supporters
    (6), two kinds of resource (10 each), a change of the target (5), the strike's prowess (31), the target's body
    (15), nothing after cancelling: 120 x 122; 315 x 30; 150 x 11.
    """
    assert perft(WIZARDS, "strike", 4) == [6, 146, 1320 + 315 + 150, 14640 + 9450 + 1650]


def test_a_body_check_by_itself() -> None:
    """Three whose body, fifteen bodies ("-" is barred), 21 throws, and the ruling is given."""
    assert perft(WIZARDS, "body-check", 4) == [3, 45, 945, 0]


def test_a_corruption_check_by_itself() -> None:
    """0 to 20 points, or a modifier first: 22. 21 throws each, or ten modifiers: 441 + 10.

    A throw of no more than the points asks for a Wizard. So many of the 21 are 2, 3 ... 11 or less: 1, 2, 4, 6, 9,
    12, 15, 17, 19, 20, in all 105; and all of them for 12 to 20 points: 189. Two answers each; 22 after a modifier.
    """
    assert perft(WIZARDS, "corruption-check", 3) == [22, 451, 2 * (105 + 189) + 220]


def test_a_tie_asks_for_no_body_check() -> None:
    """Prowess 4 against 7: of 21 throws only the sum 2 (one throw) wounds, and the check has 21 throws more."""
    assert perft(WIZARDS, "strike", 3, ("4/7", "7", "tap")) == [21, 21, 0]


# -- War of the Ring

WAR = "war-of-the-ring"


def test_a_battle_from_the_first_question() -> None:
    """Two attackers and "game over" (nothing follows): 3. Six grounds each: 12.

    Then for each attacker five grounds with 0 to 10 Regulars, and three numbers by hand: 2 x (55 + 3). Elites 0 to
    10, but not none beside no Regulars: 2 x (5 x 120 + 3 x 3). Leadership 0 to 10, and five grounds after the two
    numbers by hand: 2 x (5 x 120 x 11 + 9 x 5).
    """
    assert perft(WAR, None, 5) == [3, 12, 116, 1218, 13290]


def test_one_regular_against_one() -> None:
    """A card or none for each: 2, then 4.

    With no card a die is thrown (6); the attacker's card has 18 effects, the defender's a retreat as well: 6 + 18 +
    19 + 18. Both dice (36). A modifier, a number and automatic hits lead to six answers each, fewer dice and a
    limit of them to two each, a Leader and losses to four each: 30. Ten effects of the attacker (eleven of the
    defender) lead to the effects again, an empty card to the die or to the other card's effects: 30 + 10 x 18 + 6,
    30 + 11 x 19 + 6, 30 + 10 x 18 + 19.

    Of the 36 pairs of dice 16 hit nothing, and the attacker goes on or ceases: 32. Eleven amounts for six rolls,
    three numbers for six, six limits and five numbers of dice for two are 106 for every card; after hits, Leader
    and losses come the effects again (14 times); two empty cards lead to both dice (36), or to the other card's
    effects and the die. After one effect that waits come 30 answers, the effects again, or its moment: six numbers
    of dice, seven of Leadership to cancel, eleven of losses, retreat or stay (2), or the die (6, seven times:
    nothing is there to forfeit or to cancel, or it comes later).
    """
    moments = 6 + 7 + 11 + 7 * 6
    attacker = 106 + 14 * 18 + 36 + 10 * (30 + 10 * 18) + moments
    defender = 106 + 14 * 19 + 36 + 11 * (30 + 11 * 19) + moments + 2
    both = 106 + 14 * 18 + (30 + 11 * 19 + 6) + 10 * (30 + 10 * 18 + 19)
    fifth, fourth = 32 + attacker + defender + both, 36 + 216 + 245 + 229
    assert perft(WAR, "battle", 5, ("shadow", "field", 1, 0, 0, 1, 0, 0)) == [2, 4, 61, fourth, fifth]


def test_three_hits_on_three_regulars_and_three_elites() -> None:
    """Regular, reduce or remove: 3.

    Then two hits on R2 E3 (3), the replacement's yes or no (2), or one hit on R3 E2, with no Elite to remove any more
    (2): 7. Then: one hit on R1 E3 (2), the lost Regular, another or none (3), all hits used and the attacker goes on
    or ceases (2); two hits on R4 E2 (3) or on R3 E2 (3); on or cease (2), yes or no (2): 17.
    """
    start = ("shadow", "field", 3, 0, 0, 3, 3, 0, "none", "none", (6, 6, 6), (1, 1, 1, 1, 1))
    assert perft(WAR, "battle", 3, start) == [3, 7, 17]


def test_a_retreat_from_a_siege_is_not_open() -> None:
    """Without an Elite it ends unasked.

    With one: on or cease; the replacement can only be there; then both players declare a card or none.
    """
    fought = ("none", "none", (1,), (1,))
    assert perft(WAR, "battle", 1, ("shadow", "siege", 1, 0, 0, 1, 0, 0, *fought)) == [0]
    assert perft(WAR, "battle", 4, ("shadow", "siege", 0, 1, 0, 1, 0, 0, *fought)) == [2, 1, 2, 4]


def test_a_leader_throws_any_of_his_failures_again() -> None:
    """Two dice that failed, Leadership 2: none, one (6) or two of them (21) are thrown again."""
    start = ("shadow", "field", 2, 0, 2, 1, 0, 0, "none", "none", (1, 1), (1,))
    assert perft(WAR, "battle", 1, start) == [1 + 6 + 21]


def test_the_dice_alone() -> None:
    """Three numbers; eleven modifiers; five counts of dice after 0, three rolls after the other ten: 3 x (5 + 30).

    Leadership 0 to 5, or the dice: 3 x (30 + 150). One to five dice show 6 + 21 + 56 + 126 + 252 = 461 combinations,
    with six Leaderships before them, or Leadership: 3 x (2766 + 900).
    """
    assert perft(WAR, "roll", 5) == [3, 33, 105, 540, 10998]
