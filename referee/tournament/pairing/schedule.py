"""Round robin: rounds that follow from the list of players alone."""

from __future__ import annotations

from collections.abc import Sequence


def round_robin(players: Sequence[int], round_: int) -> list[tuple[int, ...]]:
    """Return who meets in a round of a round robin, 0 the first, by seat; one has a bye if they are odd.

    The circle method with the seats of Berger's tables (FIDE C.05, annex 1): one stays, the others turn; in a cycle
    everybody meets everybody once, and nobody sits first more than once oftener than second. The next cycle has the
    seats exchanged.
    """
    circle: list[int] = [*players, *([0] if len(players) % 2 else [])]
    turns = len(circle) - 1
    cycle, turn = divmod(round_, turns)
    pairs = []
    for i in range(turns):
        j = (turn - i) % turns
        if i < j:
            pairs.append((i, j) if (i + j) % 2 else (j, i))
    stays = turn * (turns + 1) // 2 % turns
    pairs.append((stays, turns) if stays < (turns + 1) // 2 else (turns, stays))
    seats = [pair[::-1] if cycle % 2 else pair for pair in pairs]
    return [tuple(circle[i] for i in pair if circle[i]) for pair in seats]
