"""A small router: tracks on the two sides of the board. Ground has tracks, too, and the pour beside.

Nets may first cross; what is shared becomes dearer with each round, until nothing is (McMurchie and Ebeling,
"PathFinder", FPGA 1995).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, NamedTuple

from firmware.board.parts import BOTTOM, GND, GRID, HEADER, LEFT, RIGHT, TOP, V3, V5, Part

CLEARANCE: Final = 0.2
EDGE: Final = 0.5
VIA, DRILL = 0.6, 0.3
THIN, WIDE = 0.25, 0.35
SLACK: Final = 0.05
"""A step of the grid passes nearer to a pad than its ends."""
ROUNDS: Final = 60
AGAINST: Final = 1.4
"""What a step costs across the direction of its side; along it, 1."""
HASTE: Final = 1.2
"""More than 1: a way is found sooner, and may be a little longer than the shortest."""

Place = tuple[int, int]
"""Column and row on the grid."""
Node = tuple[int, int, int]
"""Side (0: front), column and row; side 2: the edge between two places, which one via takes."""
Way = list[tuple[Node, tuple[Node, ...]]]
"""Nodes, each with what the step to it takes: itself, and what no other net may use then."""


class Track(NamedTuple):
    """A straight piece of copper; ``side`` None: a via at its start."""

    net: str
    side: int | None
    start: tuple[float, float]
    end: tuple[float, float]


def width(net: str) -> float:
    """Return how wide the tracks of a net are, mm."""
    return WIDE if net in (V3, V5, GND) else THIN


class Board:
    """The grid, and what of it the parts leave to each net."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.owners: dict[Place, set[str]] = defaultdict(set)
        columns, rows = (
            (_near(LEFT + EDGE, 0), _near(RIGHT - EDGE, 0)),
            (_near(BOTTOM + EDGE, 1), _near(TOP - EDGE, 1)),
        )
        for column in range(columns[0], columns[1] + 1):
            for row in range(rows[0], rows[1] + 1):
                if column in columns or row in rows:
                    self.owners[column, row].add("edge")
        self.for_via: set[Place] = set()
        self.terminals: dict[str, list[set[Node]]] = defaultdict(list)
        for part in parts:
            for pad, x, y, net in part.pads():
                reach = max(pad.width, pad.height) / 2 + VIA
                copper = set()
                for column in range(_near(x - reach, 0), _near(x + reach, 0) + 1):
                    for row in range(_near(y - reach, 1), _near(y + reach, 1) + 1):
                        at = point((0, column, row))
                        far = pad.distance(at[0] - x, at[1] - y)
                        keeper = net if pad.number else "hole"
                        if far < CLEARANCE + WIDE / 2 - 1e-6:
                            self.owners[column, row].add(keeper)
                        if far < CLEARANCE + VIA / 2 + SLACK:
                            self.for_via.add((column, row))
                        if far == 0:
                            copper |= {(0, column, row), (1, column, row)}
                if net:
                    self.terminals[net].append(copper)

    def barred(self, net: str) -> set[Place]:
        """Return where no track of this net may be."""
        return {at for at, owners in self.owners.items() if owners - {net}}


def _near(value: float, axis: int) -> int:
    return round((value - HEADER[axis]) / GRID)


def point(node: Node) -> tuple[float, float]:
    """Return the place of a node on the board."""
    return round(HEADER[0] + GRID * node[1], 4), round(HEADER[1] + GRID * node[2], 4)


class Unroutable(Exception):
    """A net cannot be connected, or the nets cannot be disentangled."""


def _steps(node: Node, barred: set[Place], no_via: set[Place]) -> Iterator[tuple[float, tuple[Node, ...]]]:
    """Yield where a track can go: how dear that is, and what it takes, first the next node."""
    side, column, row = node
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if (column + right, row + up) not in barred:
            yield 1.0 if (up == 0) == (side == 0) else AGAINST, ((side, column + right, row + up),)
    for right, up in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        three = (column + right, row + up), (column + right, row), (column, row + up)
        if barred.isdisjoint(three):
            yield 1.5, tuple((side, *place) for place in three)
    if (column, row) not in no_via:
        rim = ((2, 2 * column + right, 2 * row + up) for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)))
        yield 8.0, ((1 - side, column, row), *rim)


def _path(board: Board, net: str, tree: Iterable[Node], targets: set[Node], dear: dict[Node, float]) -> Way:
    """Return the cheapest way from a tree to one of the targets. Raises Unroutable."""
    low = [min(node[axis] for node in targets) for axis in (1, 2)]
    high = [max(node[axis] for node in targets) for axis in (1, 2)]

    def left(node: Node) -> float:
        x, y = (max(low[axis] - node[axis + 1], 0, node[axis + 1] - high[axis]) for axis in (0, 1))
        return HASTE * (max(x, y) + 0.5 * min(x, y))

    best: dict[Node, float] = dict.fromkeys(tree, 0.0)
    came: dict[Node, tuple[Node, tuple[Node, ...]]] = {}
    heap = sorted((left(node), node) for node in best)
    done, barred = set(), board.barred(net)

    while heap:
        node = heappop(heap)[1]
        if node in targets:
            way: Way = []
            while node in came:
                before, taken = came[node]
                way.append((node, taken))
                node = before
            return [(node, ()), *reversed(way)]
        if node in done:
            continue
        done.add(node)
        for length, taken in _steps(node, barred, board.for_via):
            after, cost = taken[0], best[node] + length
            for each in taken:
                cost += dear.get(each, 0.0)
            if cost < best.get(after, 1e9):
                best[after] = cost
                came[after] = (node, taken)
                heappush(heap, (cost + left(after), after))
    raise Unroutable(f"{net}: no way to a pad")


def route(parts: Sequence[Part]) -> list[Track]:
    """Return tracks that connect every net. Raises Unroutable."""
    board = Board(parts)
    nets = sorted(
        (net for net, pads in board.terminals.items() if len(pads) > 1), key=lambda net: len(board.terminals[net])
    )
    ways: dict[str, list[Way]] = {}
    history: dict[Node, float] = defaultdict(float)
    used: dict[Node, set[str]] = defaultdict(set)
    again: Iterable[str] = nets
    for turn in range(ROUNDS):
        for net in again:
            for node in _taken(ways.pop(net, [])):
                used[node].discard(net)
            dear = {node: (1 + min(turn, 10)) * len(by) + history[node] for node, by in used.items() if by}
            ways[net] = _tree(board, net, dear)
            for node in _taken(ways[net]):
                used[node].add(net)
        shared = {node: by for node, by in used.items() if len(by) > 1}
        for node in shared:
            history[node] += 5
        again = [net for net in nets if any(net in by for by in shared.values())]
        if not shared:
            return [track for net in nets for track in _tracks(parts, net, ways[net])]
    raise Unroutable(f"these nets cross: {', '.join(again)}")


def _taken(ways: Iterable[Way]) -> set[Node]:
    return {each for way in ways for node, taken in way for each in (node, *taken)}


def _tree(board: Board, net: str, dear: dict[Node, float]) -> list[Way]:
    """Connect the pads of a net, each time the one that is nearest to those that are connected."""
    first, *others = board.terminals[net]
    tree, ways, joined = set(first), [], [min(first)]
    while others:
        nearest = min(
            others, key=lambda pad: min(abs(min(pad)[1] - at[1]) + abs(min(pad)[2] - at[2]) for at in joined)
        )
        others.remove(nearest)
        way = _path(board, net, tree, nearest, dear)
        ways.append(way)
        tree |= nearest | {node for node, _ in way}
        joined.append(min(nearest))
    return ways


def _tracks(parts: Sequence[Part], net: str, ways: Iterable[Way]) -> Iterator[Track]:
    """Yield the straight pieces of a net, with those from the grid to the middles of its pads."""
    pads = [(pad, x, y) for part in parts for pad, x, y, on in part.pads() if on == net]
    for way in ways:
        nodes = [node for node, _ in way]
        for end in (nodes[0], nodes[-1]):
            at = point(end)
            for pad, x, y in pads:
                if pad.distance(at[0] - x, at[1] - y) == 0 and at != (x, y):
                    yield Track(net, end[0], at, (x, y))
        start, going = nodes[0], None
        for before, node in pairwise(nodes):
            step = tuple(after - now for now, after in zip(before, node, strict=True))
            if step != going:
                yield from _piece(net, start, before)
                start, going = before, step
        yield from _piece(net, start, nodes[-1])


def _piece(net: str, start: Node, end: Node) -> Iterator[Track]:
    if start != end:
        yield Track(net, start[0] if start[0] == end[0] else None, point(start), point(end))
