"""Reads one picture: every flat die in the tray, or why nobody can be sure.

Whatever lies there has to be explained by flat dice of the calibrated size: their outlines, as the camera must see
them, and legal pips at their places on the top. One thing that is not makes the throw a doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import cv2
import numpy as np

from hardware.dice.tray.floors import matter
from hardware.dice.tray.geometry import Array, Cube, Pose, Table, View
from hardware.dice.tray.pips import NOTHING, Top, read_square, square_of_top
from hardware.dice.tray.poses import Patch, fit, patches, unexplained

SCALE = 3.0
"""Pixels a millimetre of the picture from above."""

CRUMB = 2.0
"""Square millimetres; what is smaller is no matter. A pip is larger: at least those of a dark die are seen."""

UNEXPLAINED = 4.0
"""Square millimetres that may be off the outline of a die."""

MOST = 4
"""So many dice may touch each other and still be looked at."""

Why = Literal["", "empty", "cocked", "touching", "cut off", "foreign", "unsure", "covered"]


@dataclass(frozen=True)
class SeenDie:
    """A die in the picture: its face if it is certain, how certain, 0 to 1, and where in pixels of the picture."""

    face: int | None
    certainty: float
    x: float
    y: float


@dataclass(frozen=True)
class Sight:
    """What one picture shows. ``why``: "" if every die is certain."""

    why: Why
    dice: tuple[SeenDie, ...]


class Reader:
    """Reads pictures of one calibrated tray."""

    def __init__(self, view: View, cube: Cube, empty: Array) -> None:
        """``empty``: a picture of the empty tray."""
        self._cube = cube
        self._view = view
        self._table = Table(view, cube.edge, SCALE)
        self._empty = self._table.flat(empty)
        self._inside = self._table.inside()
        self._alone = float(cv2.countNonZero(cube.shape(Pose(0, 0, 0), self._table, (0, 0), self._table.size)))

    def read(self, picture: Array) -> Sight:
        """Read a picture of the size of the empty one."""
        flat = self._table.flat(picture)
        mask = matter(flat, self._empty, self._inside)
        lying = [
            patch
            for patch in patches(mask, CRUMB * SCALE**2, 0.7 * self._alone)
            if cv2.countNonZero(cv2.bitwise_and(patch.mask, self._part(self._inside, patch))) > 0
        ]
        if not lying:
            return Sight("empty", ())
        if sum(patch.area for patch in lying) > self._inside.size * 0.4:
            return Sight("covered", ())
        whys: list[Why] = []
        dice: list[SeenDie] = []
        for patch in lying:
            why, seen = self._patch(patch, flat)
            whys += [why] if why else []
            dice += seen
        return Sight(whys[0] if whys else "", tuple(sorted(dice, key=lambda die: (die.y, die.x))))

    def _part(self, whole: Array, patch: Patch) -> Array:
        (left, top), (width, height) = patch.corner, patch.size
        part: Array = whole[top : top + height, left : left + width]
        return part

    def _patch(self, patch: Patch, flat: Array) -> tuple[Why, list[SeenDie]]:
        if self._cut(patch):
            return "cut off", self._unsure(patch)
        dice = round(patch.area / self._alone)
        if not 0.7 * self._alone < patch.area or dice > MOST:
            return "foreign", self._unsure(patch)
        poses = fit(patch, self._cube, self._table, max(1, dice))
        tops = [read_square(square_of_top(flat, self._table, self._cube, pose), self._cube) for pose in poses]
        left = unexplained(patch, self._cube, self._table, poses)
        sure = [top.margin > 0 and left < UNEXPLAINED for top in tops]
        seen = [
            self._seen(pose, top if certain else NOTHING, left)
            for pose, top, certain in zip(poses, tops, sure, strict=True)
        ]
        if all(sure) and not self._overlap(poses, patch):
            return "", seen
        if len(poses) > 1:
            return "touching", [SeenDie(None, 0.0, die.x, die.y) for die in seen]
        if tops[0].face is None and left < UNEXPLAINED:
            return ("unsure" if tops[0].likeness else "foreign"), seen
        return "cocked", seen

    def _overlap(self, poses: list[Pose], patch: Patch) -> bool:
        """Whether two dice would have to be in one place."""
        shapes = [self._cube.shape(pose, self._table, patch.corner, patch.size) for pose in poses]
        return any(
            cv2.countNonZero(cv2.bitwise_and(one, two)) > self._alone * 0.12 for one, two in combinations(shapes, 2)
        )

    def _cut(self, patch: Patch) -> bool:
        """Whether it reaches the end of what can be seen."""
        whole = np.zeros(self._table.size[::-1], np.uint8)
        self._part(whole, patch)[:] = patch.mask
        whole[2:-2, 2:-2] = 0
        return bool(whole.any())

    def _seen(self, pose: Pose, top: Top, left: float) -> SeenDie:
        x, y = self._view.pixel(pose.x, pose.y, self._cube.edge)
        if top.face is None:
            return SeenDie(None, 0.0, x, y)
        return SeenDie(top.face, 0.9 + 0.1 * min(1.0, 2 * min(top.margin, 1 - left / UNEXPLAINED)), x, y)

    def _unsure(self, patch: Patch) -> list[SeenDie]:
        rows, columns = np.nonzero(patch.mask)
        x, y = self._table.place(columns.mean() + patch.corner[0], rows.mean() + patch.corner[1])
        return [SeenDie(None, 0.0, *self._view.pixel(x, y, self._cube.edge))]
