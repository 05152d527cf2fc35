"""The outline of a die that nobody has measured, in pixels: a square top, and the same square again where it stands.

How far the base is shown from the top depends on the camera alone, for dice that lie flat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.tray.geometry import Array
from referee.tray.poses import Patch

FARTHER = 0.955
"""The base is farther away than the top, and so much smaller."""

STARTS = (0.0, 0.0), (0.1, 0.0), (-0.1, 0.0), (0.0, 0.1), (0.0, -0.1)
"""Where to look for the base, from where it is expected, in edges."""


@dataclass(frozen=True)
class Outline:
    """``x``, ``y``: middle of the whole outline; ``turn``: degrees; ``edge``: of the top; ``lean_x``, ``lean_y``: from
    the middle of the top to that of the base; ``rounding``: of the edges, as a part of one."""

    x: float
    y: float
    turn: float
    edge: float
    lean_x: float
    lean_y: float
    rounding: float

    @property
    def top(self) -> Array:
        """The middle of the top."""
        return np.array([self.x - self.lean_x / 2, self.y - self.lean_y / 2])

    @property
    def lean(self) -> Array:
        """From the top to the base."""
        return np.array([self.lean_x, self.lean_y])

    def shape(self, patch: Patch) -> Array:
        """Return what it covers of a patch, 255 and 0."""
        half = self.edge * (0.5 - self.rounding)
        angle = np.radians(self.turn)
        one, two = half * (np.cos(angle) - np.sin(angle)), half * (np.cos(angle) + np.sin(angle))
        square = np.array([[one, two], [-two, one], [-one, -two], [two, -one]])
        upper = self.top + self.lean * self.rounding
        lower = self.top + self.lean * (1 - self.rounding)
        hull = cv2.convexHull(np.concatenate([square + upper, square * FARTHER + lower]).astype(np.float32))
        fine = np.asarray((hull - patch.corner) * 16, np.int32)
        mask = np.zeros(patch.mask.shape, np.uint8)
        cv2.fillConvexPoly(mask, fine, 255, cv2.LINE_8, 4)
        cv2.polylines(mask, [fine], True, 255, max(1, round(2 * self.rounding * self.edge)), cv2.LINE_8, 4)
        return mask

    def unexplained(self, patch: Patch, slack: float) -> float:
        """Return how much of the patch is farther off than ``slack`` pixels, inside and out, as a part of the top."""
        covered = self.shape(patch)
        reach = max(1, round(slack))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        outside = cv2.bitwise_and(patch.mask, cv2.bitwise_not(cv2.dilate(covered, disc)))
        lacking = cv2.bitwise_and(cv2.erode(covered, disc), cv2.bitwise_not(patch.mask))
        return (cv2.countNonZero(outside) + cv2.countNonZero(lacking)) / self.edge**2


def outline(patch: Patch, centre: Array, away: float) -> Outline:
    """Return the outline that covers a patch best.

    ``centre``: the pixel that a camera straight above looks at; the base is expected towards it, by ``away`` edges
    for each pixel between.
    """
    rows, columns = np.nonzero(patch.mask)
    x, y = float(columns.mean() + patch.corner[0]), float(rows.mean() + patch.corner[1])
    edge = float(np.sqrt(len(rows)) * 0.95)
    expected = (centre - (x, y)) * away
    starts = [
        Outline(x, y, 0, edge, *(edge * (expected + shift)), 0.1)
        for shift in STARTS
    ]  # fmt: skip
    turn = min(range(0, 90, 6), key=lambda each: _cost(replace(starts[0], turn=each), patch))
    return min((_descend(replace(start, turn=turn), patch) for start in starts), key=lambda each: _cost(each, patch))


def _cost(tried: Outline, patch: Patch) -> int:
    return cv2.countNonZero(cv2.bitwise_xor(tried.shape(patch), patch.mask))


def _descend(start: Outline, patch: Patch) -> Outline:
    best, least = start, _cost(start, patch)
    for step, turn in ((0.05, 4.0), (0.02, 2.0), (0.008, 0.8)):
        for _ in range(12):
            tried = [(each, _cost(each, patch)) for each in _near(best, step * best.edge, turn)]
            better, value = min(tried, key=lambda pair: pair[1])
            if value >= least:
                break
            best, least = better, value
    return best


def _near(at: Outline, step: float, turn: float) -> Iterator[Outline]:
    for sign in (-1, 1):
        yield replace(at, x=at.x + sign * step)
        yield replace(at, y=at.y + sign * step)
        yield replace(at, edge=at.edge + sign * step)
        yield replace(at, lean_x=at.lean_x + sign * step)
        yield replace(at, lean_y=at.lean_y + sign * step)
        yield replace(at, turn=(at.turn + sign * turn) % 90)
        yield replace(at, rounding=min(0.16, max(0.05, at.rounding + sign * step / at.edge)))
