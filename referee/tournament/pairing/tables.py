"""Which pair sits at which table: the best at the first, fixed tables kept, nobody at the same table again."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament.event import Seats
from referee.tournament.pairing.entrants import Entrant
from referee.tournament.pairing.matching import Cost, CostOf, pair_up


def at_tables(groups: Sequence[Sequence[Entrant]]) -> tuple[Seats, ...]:
    """Return the seats of pairs or pods, the best first, by table; byes last.

    A player's fixed table is his. The others fill the first tables that are free, in order, except that as few as
    possible sit where they sat before.
    """
    playing = [group for group in groups if len(group) > 1]
    own = {i: next(each.table for each in group if each.table) for i, group in enumerate(playing) if _fixed(group)}
    rest = [i for i in range(len(playing)) if i not in own]
    free = [table for table in range(1, len(playing) + len(own) + 1) if table not in own.values()][: len(rest)]
    places = own | dict(zip(rest, _assign([playing[i] for i in rest], free), strict=True))
    seats = [Seats(places[i], tuple(each.number for each in group)) for i, group in enumerate(playing)]
    byes = [Seats(0, (group[0].number,)) for group in groups if len(group) == 1]
    return (*sorted(seats, key=lambda each: each.table), *byes)


def repeats(group: Sequence[Entrant], table: int) -> int:
    """Return how often players would sit at a table again; one whose table it is does not mind."""
    return sum(each.tables.count(table) for each in group if each.table != table)


def _fixed(group: Sequence[Entrant]) -> bool:
    return any(each.table for each in group)


def _assign(groups: Sequence[Sequence[Entrant]], tables: Sequence[int]) -> list[int]:
    """Return the table of each group: the fewest repeats, then as near to the order as can be."""
    pairs = pair_up(2 * len(groups), table_cost(groups, tables), 1)
    assert pairs is not None, "any group can sit at any table"
    of_group = {min(pair, key=_odd) // 2: tables[max(pair, key=_odd) // 2] for pair in pairs}
    return [of_group[i] for i in range(len(groups))]


def _odd(place: int) -> int:
    return place % 2


def table_cost(groups: Sequence[Sequence[Entrant]], tables: Sequence[int]) -> CostOf:
    """Return the cost of each two places: even ones are groups, odd ones tables, in their order."""

    def cost(i: int, j: int) -> Cost | None:
        if (i + j) % 2 == 0:
            return None
        group, table = (i, j) if i % 2 == 0 else (j, i)
        return repeats(groups[group // 2], tables[table // 2]) ** 2, (group // 2 - table // 2) ** 2

    return cost
