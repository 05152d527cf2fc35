"""A solid read from an ASCII STL file: is it closed, how large is it, and how many holes go through it?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Solid:
    """Triangles whose corners run anticlockwise as seen from outside, in millimetres."""

    facets: tuple[tuple[Point, Point, Point], ...]

    @property
    def open_edges(self) -> int:
        """Edges that are not shared by exactly two facets in opposite directions; 0 if the solid is watertight."""
        edges = Counter(edge for facet in self.facets for edge in pairwise((*facet, facet[0])))
        return sum(count != 1 or edges[edge[::-1]] != 1 for edge, count in edges.items())

    @property
    def through_holes(self) -> float:
        """How many holes go through a solid of one piece: Euler's V - E + F = 2 - 2g."""
        corners = {corner for facet in self.facets for corner in facet}
        edges = len(self.facets) * 3 / 2
        return (2 - (len(corners) - edges + len(self.facets))) / 2

    @property
    def volume(self) -> float:
        """Cubic millimetres: the signed tetrahedra from the origin to each facet; negative if turned inside out."""
        return (
            sum(
                a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
                for a, b, c in self.facets
            )
            / 6
        )

    @property
    def size(self) -> Point:
        """Width, depth and height."""
        spans = [[corner[axis] for facet in self.facets for corner in facet] for axis in range(3)]
        width, depth, height = (round(max(span) - min(span), 3) for span in spans)
        return width, depth, height


def read(text: str) -> Solid:
    """Return the solid of an ASCII STL text. Raises ValueError where there is none."""
    corners = [
        (float(words[1]), float(words[2]), float(words[3]))
        for words in map(str.split, text.splitlines())
        if words and words[0] == "vertex"
    ]
    if not corners or len(corners) % 3:
        raise ValueError(f"{len(corners)} corners: expected three for each facet of an ASCII STL file")
    return Solid(tuple((corners[i], corners[i + 1], corners[i + 2]) for i in range(0, len(corners), 3)))
