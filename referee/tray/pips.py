"""The pips on the top of a die that lies flat: which face they are, and how surely."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from referee.tray.geometry import Array, Cube, Pose, Table

PATCH = 48
"""Pixels of the edge of the picture of a top."""

LEAST_CONTRAST = 26.0
"""How much a pip differs in colour from its face at least, in values of 255."""

NEAR = 0.075
"""How far from its place a pip may be, as a part of the edge."""


@dataclass(frozen=True)
class Top:
    """What is on a top. ``face``: None if it is no face; ``shift``: where the middle of its pips is, in edges."""

    face: int | None
    likeness: float = 0.0
    shift: tuple[float, float] = (1.0, 0.0)

    @property
    def off(self) -> float:
        """By how much of the edge its pips are off the middle."""
        return math.hypot(*self.shift)


NOTHING = Top(None)


def read_top(flat: Array, table: Table, cube: Cube, pose: Pose) -> Top:
    """Read the top of a die in a picture of the plane of the tops."""
    contrast = contrast_of_top(flat, table, cube, pose)
    return NOTHING if contrast is None else read_contrast(contrast, cube)


def read_contrast(contrast: Array, cube: Cube) -> Top:
    """Read a top of which it is known how much of each pixel is pip."""
    return _match(contrast, _blobs(contrast, cube), cube)


def contrast_of_top(flat: Array, table: Table, cube: Cube, pose: Pose) -> Array | None:
    """Return how much of each pixel of a top is pip, 0 to 1; None where nothing stands out."""
    (middle,) = table.pixels(np.array([[pose.x, pose.y]]))
    return contrast_of_square(flat, middle, -pose.turn, cube.edge * table.scale)


def contrast_of_square(picture: Array, middle: Array, turn: float, edge: float) -> Array | None:
    """As `contrast_of_top`, of a square around a pixel, turned by so many degrees from rows to columns."""
    step, angle = edge / PATCH, np.radians(turn)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * step
    corner = middle - axes @ (PATCH / 2 - 0.5, PATCH / 2 - 0.5)
    patch = cv2.warpAffine(
        picture, np.column_stack([axes, corner]), (PATCH, PATCH), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return _contrast(patch.astype(np.float32))


def _contrast(patch: Array) -> Array | None:
    rim = round(PATCH * 0.09)
    inner = patch[rim:-rim, rim:-rim]
    face = np.median(inner.reshape(-1, 3), axis=0)
    smooth = cv2.GaussianBlur(patch, (0, 0), 1.2) - face
    away = np.sqrt((smooth[rim:-rim, rim:-rim] ** 2).sum(-1)).ravel()
    order = np.argsort(away)[-max(4, len(away) // 50) :]
    pip = np.median(smooth[rim:-rim, rim:-rim].reshape(-1, 3)[order], axis=0)
    length = float(np.linalg.norm(pip))
    if length < LEAST_CONTRAST:
        return None
    return np.asarray((patch - face) @ (pip / length**2), np.float32)


def _blobs(contrast: Array, cube: Cube) -> Array:
    """Return the middles of what is as round and large as a pip, (n, 2), as parts of the edge from the middle."""
    radius = cube.pip / cube.edge * PATCH
    response = cv2.filter2D(contrast, cv2.CV_32F, _disc(round(radius * 4)), borderType=cv2.BORDER_REPLICATE)
    high = cv2.dilate(response, np.ones((5, 5), np.uint8))
    rim = round(PATCH * 0.1)
    peaks = []
    for row, column in np.argwhere((response >= high) & (response > 0.42)):
        if rim <= row < PATCH - rim and rim <= column < PATCH - rim:
            reach = max(1, round(radius * 0.9))
            part = np.clip(contrast[row - reach : row + reach + 1, column - reach : column + reach + 1], 0, 1)
            rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1][:, : part.shape[0], : part.shape[1]]
            weight = float(part.sum()) or 1.0
            peaks.append((column + (part * columns).sum() / weight, row + (part * rows).sum() / weight))
    return (np.array(peaks).reshape(-1, 2) - (PATCH / 2 - 0.5)) / PATCH


@lru_cache(maxsize=8)
def _disc(quarter: int) -> Array:
    """Return a filter that answers a disc of that radius (in quarters of a pixel) with 1, and what is even with 0."""
    radius = quarter / 4
    reach = int(np.ceil(radius * 1.7))
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(rows, columns)
    disc = np.clip(radius - away + 0.5, 0, 1)
    ring = np.clip(radius * 1.6 - away + 0.5, 0, 1) * (away > radius + 0.5)
    return np.asarray(disc / disc.sum() - ring / ring.sum(), np.float32)


def patterns(cube: Cube) -> list[tuple[int, Array]]:
    """Return the nine ways in which pips lie on a top, each with its face, as parts of the edge from the middle."""
    a = cube.pitch / cube.edge
    b = a * cube.long_six
    slant = [np.array([(-a, -a), (a, a)]), np.array([(-a, a), (a, -a)])]
    middle, four = np.zeros((1, 2)), np.array([(-a, -a), (a, a), (-a, a), (a, -a)])
    six = np.array([(-a, -b), (-a, 0), (-a, b), (a, -b), (a, 0), (a, b)])
    return [(1, middle), *((2, two) for two in slant), *((3, np.vstack([two, middle])) for two in slant),
            (4, four), (5, np.vstack([four, middle])), (6, six), (6, six[:, ::-1])]  # fmt: skip


def _match(contrast: Array, blobs: Array, cube: Cube) -> Top:
    best = NOTHING
    for face, places in patterns(cube):
        if len(places) != len(blobs):
            continue
        gaps = np.linalg.norm(blobs[:, None] - places[None], axis=-1)
        nearest = gaps.argmin(0)
        if len(set(nearest.tolist())) < len(places) or gaps.min(0).max() > NEAR * 2:
            continue
        shift = (blobs[nearest] - places).mean(0)
        spread = float(np.linalg.norm(blobs[nearest] - places - shift, axis=-1).max())
        if spread > NEAR:
            continue
        likeness = _likeness(contrast, blobs[nearest], cube)
        if likeness > best.likeness:
            best = Top(face, likeness, (float(shift[0]), float(shift[1])))
    return best


def _likeness(contrast: Array, places: Array, cube: Cube) -> float:
    """Return how well the top looks like pips at those places and nothing else, up to 1."""
    rows, columns = (np.mgrid[:PATCH, :PATCH] - (PATCH / 2 - 0.5)) / PATCH
    away = np.min([np.hypot(columns - x, rows - y) for x, y in places], axis=0)
    ideal = np.clip((cube.pip / cube.edge - away) * PATCH / 2 + 0.5, 0, 1)
    rim = round(PATCH * 0.12)
    one = ideal[rim:-rim, rim:-rim].ravel()
    two = np.clip(contrast[rim:-rim, rim:-rim], -0.5, 1.3).ravel()
    one, two = one - one.mean(), two - two.mean()
    return float(one @ two / (np.linalg.norm(one) * np.linalg.norm(two) + 1e-9))
