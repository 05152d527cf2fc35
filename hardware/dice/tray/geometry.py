"""Where a camera sees what: the tray's floor is z = 0, x to the right, y away, z up; lengths are millimetres.

A flat die is known before it is seen: its top is a square of the calibrated edge at that height, and its outline is
the hull of eight corners, as wide again as the rounding of its edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from hardware.errors import BadPicture

Array: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True)
class Pose:
    """A flat die: the middle of its top in mm, and its turn in degrees, 0 to 90."""

    x: float
    y: float
    turn: float


class View:
    """A calibrated camera above a tray. ``matrix``: 3 x 4, from the tray to pixels."""

    def __init__(self, matrix: Array, floor: tuple[float, float]) -> None:
        self.matrix = matrix
        self.floor = floor
        self.eye: Array = -np.linalg.solve(matrix[:, :3], matrix[:, 3])

    def plane(self, height: float) -> Array:
        """Return the homography from (x, y) at that height to pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * height + m[:, 3]], -1)

    def pixel(self, x: float, y: float, z: float) -> tuple[float, float]:
        """Return where a point is seen."""
        u, v, w = self.matrix @ (x, y, z, 1.0)
        return float(u / w), float(v / w)

    def onto(self, points: Array, height: float) -> Array:
        """Return where points (n, 3) appear on the plane at that height, seen from the camera; (n, 2)."""
        reach = (self.eye[2] - height) / (self.eye[2] - points[:, 2])
        shown: Array = self.eye[:2] + (points[:, :2] - self.eye[:2]) * reach[:, None]
        return shown


def view(homography: Array, floor: tuple[float, float], size: tuple[int, int], height: float) -> View:
    """Return the camera that sees the floor by that homography, from that height above the floor.

    ``homography``: from the floor to pixels; ``size``: of the picture. Raises BadPicture where no camera sees that.
    """

    def at(focal: float) -> View:
        inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
        columns = np.linalg.solve(inner, homography)
        columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
        if columns[2, 2] < 0:
            columns = -columns
        third = np.cross(columns[:, 0], columns[:, 1])
        return View(inner @ np.column_stack([columns[:, :2], third, columns[:, 2]]), floor)

    low, high = size[0] * 0.3, size[0] * 12.0
    if not at(low).eye[2] < height < at(high).eye[2]:
        raise BadPicture(f"expected a camera {at(low).eye[2]:.0f} to {at(high).eye[2]:.0f} mm above the floor")
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle).eye[2] < height else (low, middle)
    return at(low)


class Table:
    """The tray from straight above: a picture of one plane at a fixed scale. ``height``: of the plane."""

    MARGIN = 14.0
    """Millimetres that are seen around the floor."""

    def __init__(self, seen: View, height: float, scale: float) -> None:
        self.view = seen
        self.height = height
        self.scale = scale
        width, depth = seen.floor
        self.size = round((width + 2 * self.MARGIN) * scale), round((depth + 2 * self.MARGIN) * scale)
        # From pixels of this picture to millimetres; their rows run towards us.
        self._millimetres = np.array([
            [1 / scale, 0, -width / 2 - self.MARGIN], [0, -1 / scale, depth / 2 + self.MARGIN], [0, 0, 1],
        ])  # fmt: skip
        self._map = seen.plane(height) @ self._millimetres

    def flat(self, picture: Array) -> Array:
        """Return the camera's picture as it looks from straight above."""
        warped: Array = cv2.warpPerspective(
            picture, self._map, self.size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        return warped

    def pixels(self, points: Array) -> Array:
        """Return pixels of points (n, 2) in mm."""
        width, depth = self.view.floor
        return (points * (1, -1) + (width / 2 + self.MARGIN, depth / 2 + self.MARGIN)) * self.scale

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Return the point in mm of a pixel."""
        x, y, _ = self._millimetres @ (column, row, 1.0)
        return float(x), float(y)

    def inside(self) -> Array:
        """Return which pixels are those of the floor."""
        mask = np.zeros(self.size[::-1], np.uint8)
        margin = round(self.MARGIN * self.scale)
        mask[margin:-margin, margin:-margin] = 255
        return mask


@dataclass(frozen=True)
class Cube:
    """The dice of a table. All in mm: edge, rounding of the edges, radius of a pip, from a pip to the next;

    ``long_six``: how much longer the rows of a six are than those of a four.
    """

    edge: float
    rounding: float
    pip: float
    pitch: float
    long_six: float = 1.0

    def outline(self, pose: Pose, table: Table) -> Array:
        """Return the hull of a flat die in pixels of the table, without its rounding."""
        half = self.edge / 2 - self.rounding
        angle = np.radians(pose.turn)
        across, along = half * np.cos(angle), half * np.sin(angle)
        one, two = across - along, across + along
        corners = np.empty((8, 3))
        corners[:4, :2] = np.add([[one, two], [-two, one], [-one, -two], [two, -one]], (pose.x, pose.y))
        corners[4:] = corners[:4]
        corners[:4, 2], corners[4:, 2] = self.rounding, self.edge - self.rounding
        hull: Array = cv2.convexHull(table.pixels(table.view.onto(corners, table.height)).astype(np.float32))
        return hull

    def shape(self, pose: Pose, table: Table, corner: tuple[int, int], size: tuple[int, int]) -> Array:
        """Return what a flat die covers in a part of the table's picture: 255 and 0."""
        mask = np.zeros(size[::-1], np.uint8)
        self.fill(mask, pose, table, corner)
        return mask

    def fill(self, mask: Array, pose: Pose, table: Table, corner: tuple[int, int]) -> None:
        """Cover what a flat die covers."""
        hull = np.asarray((self.outline(pose, table) - corner) * 16, np.int32)
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_8, 4)
        cv2.polylines(mask, [hull], True, 255, max(1, round(2 * self.rounding * table.scale)), cv2.LINE_8, 4)
