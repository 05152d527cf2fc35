"""How many answer sequences a battle allows, worked out by hand: a bar too many or too few shows at once."""

from __future__ import annotations

from collections.abc import Callable

Perft = Callable[..., list[int]]
WAR = "war-of-the-ring"


def test_from_the_first_question(perft: Perft) -> None:
    """Two attackers and "game over" (nothing follows): 3. Six grounds each: 12.

    Then for each attacker five grounds with 0 to 10 Regulars, and three numbers by hand: 2 x (55 + 3). Elites 0 to
    10, but not none beside no Regulars: 2 x (5 x 120 + 3 x 3). Leadership 0 to 10, and five grounds after the two
    numbers by hand: 2 x (5 x 120 x 11 + 9 x 5).
    """
    assert perft(WAR, None, 5) == [3, 12, 116, 1218, 13290]


def test_one_regular_against_one(perft: Perft) -> None:
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


def test_three_hits_on_three_regulars_and_three_elites(perft: Perft) -> None:
    """Regular, reduce or remove: 3.

    Then two hits on R2 E3 (3), the replacement's yes or no (2), or one hit on R3 E2, with no Elite to remove any more
    (2): 7. Then: one hit on R1 E3 (2), the lost Regular, another or none (3), all hits used and the attacker goes on
    or ceases (2); two hits on R4 E2 (3) or on R3 E2 (3); on or cease (2), yes or no (2): 17.
    """
    start = ("shadow", "field", 3, 0, 0, 3, 3, 0, "none", "none", (6, 6, 6), (1, 1, 1, 1, 1))
    assert perft(WAR, "battle", 3, start) == [3, 7, 17]


def test_a_retreat_from_a_siege_is_not_open(perft: Perft) -> None:
    """Without an Elite it ends unasked.

    With one: on or cease; the replacement can only be there; then both players declare a card or none.
    """
    fought = ("none", "none", (1,), (1,))
    assert perft(WAR, "battle", 1, ("shadow", "siege", 1, 0, 0, 1, 0, 0, *fought)) == [0]
    assert perft(WAR, "battle", 4, ("shadow", "siege", 0, 1, 0, 1, 0, 0, *fought)) == [2, 1, 2, 4]


def test_a_leader_throws_any_of_his_failures_again(perft: Perft) -> None:
    """Two dice that failed, Leadership 2: none, one (6) or two of them (21) are thrown again."""
    start = ("shadow", "field", 2, 0, 2, 1, 0, 0, "none", "none", (1, 1), (1,))
    assert perft(WAR, "battle", 1, start) == [1 + 6 + 21]


def test_the_dice_alone(perft: Perft) -> None:
    """Three numbers; eleven modifiers; five counts of dice after 0, three rolls after the other ten: 3 x (5 + 30).

    Leadership 0 to 5, or the dice: 3 x (30 + 150). One to five dice show 6 + 21 + 56 + 126 + 252 = 461 combinations,
    with six Leaderships before them, or Leadership: 3 x (2766 + 900).
    """
    assert perft(WAR, "roll", 5) == [3, 33, 105, 540, 10998]
