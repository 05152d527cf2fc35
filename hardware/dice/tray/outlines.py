"""The outline of a die that nobody has measured, in pixels: a square top, and the same square again where it stands.

How far the base is shown from the top depends on the camera alone, for dice that lie flat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array
from hardware.dice.tray.poses import Patch, descend, off, shares

FARTHER = 0.955
"""The base is farther away than the top, and so much smaller."""

STARTS = (0.0, 0.0), (0.1, 0.0), (-0.1, 0.0), (0.0, 0.1), (0.0, -0.1)
"""Where to look for the base, from where it is expected, in edges."""

STEPS = (0.05, 4.0), (0.02, 2.0), (0.008, 0.8)
"""Edges and degrees by which an outline is improved."""


@dataclass(frozen=True)
class Outline:
    """What is seen of a die, in pixels.

    ``x``, ``y``            middle of the whole outline
    ``turn``                degrees
    ``edge``                of the top
    ``lean_x``, ``lean_y``  from the middle of the top to that of the base
    ``rounding``            of the edges, as a part of one
    """

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

    def onto(self, shift: tuple[float, float]) -> Array:
        """Return the pixel of a place on the top, in edges from its middle and along them."""
        angle = np.radians(self.turn)
        axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(self.top + axes @ shift * self.edge)

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
        return off(patch.mask, self.shape(patch), slack) / self.edge**2


def outline(patch: Patch, centre: Array, away: float) -> Outline:
    """Return the outline that covers a patch best.

    ``centre``: the pixel that a camera straight above looks at; the base is expected towards it, by ``away`` edges
    for each pixel between.
    """
    rows, columns = np.nonzero(patch.mask)
    x, y = float(columns.mean() + patch.corner[0]), float(rows.mean() + patch.corner[1])
    edge = float(np.sqrt(len(rows)) * 0.95)
    lean_x, lean_y = edge * (centre - (x, y)) * away
    start = Outline(x, y, 0, edge, lean_x, lean_y, 0.1)
    cost = _cost(patch)
    start = min((replace(start, turn=turn) for turn in range(0, 90, 6)), key=cost)
    starts = [replace(start, lean_x=lean_x + edge * across, lean_y=lean_y + edge * down) for across, down in STARTS]
    return min((descend(each, cost, _near, STEPS, 12) for each in starts), key=cost)


def split(patch: Patch, dice: int, centre: Array, away: float) -> list[Patch]:
    """Cut a patch into what each of so many dice covers of it that touch each other: as `outline` for the others."""
    rows, columns = np.indices(patch.mask.shape)
    near = [-np.hypot(columns - x, rows - y) for x, y in shares(patch, dice)]
    for _ in range(3):
        nearest = np.argmax(near, axis=0)
        masks = [np.where(nearest == each, patch.mask, 0).astype(np.uint8) for each in range(dice)]
        pieces = [Patch(patch.corner, mask, float(cv2.countNonZero(mask))) for mask in masks]
        shapes = [outline(piece, centre, away).shape(piece) for piece in pieces]
        near = [_deep(shape) - _deep(cv2.bitwise_not(shape)) for shape in shapes]
    return pieces


def _deep(mask: Array) -> Array:
    """Return how far each pixel of a mask is from its edge."""
    return np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 3))


def anchored(patch: Patch, before: Outline, top: Array) -> Outline:
    """Return the outline of a die of which it is known where the middle of its top is, better than ``before``."""
    start = replace(before, lean_x=2 * (before.x - float(top[0])), lean_y=2 * (before.y - float(top[1])))
    return descend(start, _cost(patch), partial(_near, anchored=True), STEPS, 12)


def _cost(patch: Patch) -> Callable[[Outline], float]:
    """Return a function that counts the pixels which an outline does not explain."""
    return lambda tried: cv2.countNonZero(cv2.bitwise_xor(tried.shape(patch), patch.mask))


def _near(at: Outline, step: float, turn: float, *, anchored: bool = False) -> Iterator[Outline]:
    """Yield outlines that differ a little; ``step`` in edges; ``anchored``: with the top where it is."""
    for sign in (-step * at.edge, step * at.edge):
        if not anchored:
            yield replace(at, x=at.x + sign)
            yield replace(at, y=at.y + sign)
        part = 0.5 if anchored else 0.0
        yield replace(at, lean_x=at.lean_x + sign, x=at.x + part * sign)
        yield replace(at, lean_y=at.lean_y + sign, y=at.y + part * sign)
        yield replace(at, turn=(at.turn + (turn if sign > 0 else -turn)) % 90)
        yield replace(at, edge=at.edge + sign)
        yield replace(at, rounding=min(0.16, max(0.05, at.rounding + sign / at.edge)))
