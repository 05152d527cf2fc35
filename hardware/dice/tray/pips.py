"""The pips on the top of a die that lies flat: which face they are, and how surely."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array, Cube, Pose, Table

PATCH = 48
"""Pixels of the edge of the picture of a top."""

LEAST_CONTRAST = 26.0
"""How much a pip differs in colour from its face at least, in values of 255."""

NEAR = 0.075
"""How far from its place a pip may be, as a part of the edge."""


BLURRED = 2.0 / PATCH
"""How far beyond its edge a pip is seen, in edges."""

UNLIKE, UNEQUAL = 0.1, 0.06
"""By what part of their contrast and size the pips of one top may differ."""

FOREIGN = 0.35
"""What part of the contrast of a pip may be seen where no pip is."""

TRACE, IN_THE_MIDDLE = (4.0, 2.5), (3.0, 1.0)
"""A place without a pip may differ from what is around it by so many values of 255, and so many times the texture."""

BURNT = 250.0
"""Nothing shows in what is as bright as that, in values of 255."""

OFF, LIKENESS = 0.062, 0.84
"""By what part of the edge pips may be off the middle of the outline, and how like ideal ones they must be."""

_INNER = np.zeros((PATCH, PATCH), bool)
_INNER[6:-6, 6:-6] = True


@dataclass(frozen=True)
class Top:
    """What is on a top. ``shift``: where the middle of its pips is, in edges.

    ``face``: None if it is no face, or, where there is a likeness, if something is there beside its pips.
    """

    face: int | None
    likeness: float = 0.0
    shift: tuple[float, float] = (1.0, 0.0)

    @property
    def margin(self) -> float:
        """How far it is from a doubt, at most 1; not above 0: it is in doubt."""
        off, unlike = math.hypot(*self.shift) / OFF, (1 - self.likeness) / (1 - LIKENESS)
        return 0.0 if self.face is None else 1 - max(off, unlike)


NOTHING = Top(None)


@dataclass(frozen=True)
class Square:
    """The picture of a top, `PATCH` pixels to an edge. ``contrast``: how much of each pixel is pip, 0 to 1."""

    paint: Array
    contrast: Array


def read_square(square: Square | None, cube: Cube) -> Top:
    """Read a top."""
    if square is None:
        return NOTHING
    top, places = _match(square, cube)
    return top if top.face is None or _is_clean(square.paint, places, top.shift, cube) else replace(top, face=None)


def likeness_of_square(square: Square | None, cube: Cube) -> float:
    """Return how like a face of such a die a top is, whatever else is there."""
    return 0.0 if square is None else _match(square, cube)[0].likeness


def square_of_top(flat: Array, table: Table, cube: Cube, pose: Pose) -> Square | None:
    """Cut out the top of a die; None where nothing stands out."""
    (middle,) = table.pixels(np.array([[pose.x, pose.y]]))
    return cut_square(flat, middle, -pose.turn, cube.edge * table.scale)


def cut_square(picture: Array, middle: Array, turn: float, edge: float) -> Square | None:
    """As `square_of_top`, of a square around a pixel, turned by so many degrees from rows to columns."""
    step, angle = edge / PATCH, np.radians(turn)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * step
    corner = middle - axes @ (PATCH / 2 - 0.5, PATCH / 2 - 0.5)
    patch = cv2.warpAffine(
        picture, np.column_stack([axes, corner]), (PATCH, PATCH), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    paint = patch.astype(np.float32)
    contrast = _contrast(paint)
    return None if contrast is None else Square(paint, contrast)


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


def _match(square: Square, cube: Cube) -> tuple[Top, Array]:
    """Return the face that a top is most like, and where its pips are."""
    blobs = _blobs(square.contrast, cube)
    best, at = NOTHING, blobs
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
        likeness = _likeness(square.contrast, blobs[nearest], cube)
        if likeness > best.likeness:
            best, at = Top(face, likeness, (float(shift[0]), float(shift[1]))), blobs[nearest]
    return best, at


def _is_clean(paint: Array, places: Array, shift: tuple[float, float], cube: Cube) -> bool:
    """Whether a top shows pips at those places and nothing else: no glint, dirt or trace of another pip.

    A glint can hide a pip, and on a dark die it can look like one.
    """
    radius = cube.pip / cube.edge
    from_each = [_away(place) for place in places]
    near = np.min(from_each, axis=0)
    off = _INNER & (near > radius + BLURRED)
    face = np.median(paint[off], axis=0)
    pips = np.array([paint[away < radius * 0.6].mean(0) - face for away in from_each])
    pip = np.median(pips, axis=0)
    length = float(np.linalg.norm(pip)) + 1e-6
    contrast = (paint - face) @ (pip / length**2)
    sizes = np.sqrt([max(0.0, contrast[(away < radius * 1.7) & (away == near)].sum()) for away in from_each]) + 1e-6
    others = np.linalg.norm(cv2.GaussianBlur(paint, (0, 0), 1.0) - face, axis=-1)[off]
    texture = float(np.median(others))
    vacant = [
        place
        for place in np.unique(np.concatenate([at for _, at in patterns(cube)]), axis=0)
        if np.linalg.norm(places - shift - place, axis=-1).min() > radius
    ]
    return bool(
        np.linalg.norm(pips - pip, axis=-1).max() < UNLIKE * length
        and np.abs(sizes / np.median(sizes) - 1).max() < UNEQUAL
        and others.max() < FOREIGN * length
        and all(_is_vacant(paint, off, face, texture, place, _away(place + shift) / radius) for place in vacant)
    )


def _is_vacant(paint: Array, off: Array, face: Array, texture: float, place: Array, away: Array) -> bool:
    """Whether there is no trace of a pip at a place of the face; ``away``: from it, in radii of a pip."""
    within, around = off & (away < 0.8), off & (away > 1.3) & (away < 1.9)
    if min(within.sum(), around.sum()) < 8:
        return True
    here = paint[within].mean(0)
    most, share = TRACE if place.any() else IN_THE_MIDDLE
    differs = float(np.linalg.norm(here - np.median(paint[around], axis=0)))
    return differs < most + share * texture and not np.min(here) > BURNT > np.min(face)


def _away(place: Array) -> Array:
    """Return how far each pixel of a top is from a place, in edges."""
    rows, columns = (np.mgrid[:PATCH, :PATCH] - (PATCH / 2 - 0.5)) / PATCH
    return np.asarray(np.hypot(columns - place[0], rows - place[1]))


def _likeness(contrast: Array, places: Array, cube: Cube) -> float:
    """Return how well the top looks like pips at those places and nothing else, up to 1."""
    away = np.min([_away(place) for place in places], axis=0)
    ideal = np.clip((cube.pip / cube.edge - away) * PATCH / 2 + 0.5, 0, 1)
    rim = round(PATCH * 0.12)
    one = ideal[rim:-rim, rim:-rim].ravel()
    two = np.clip(contrast[rim:-rim, rim:-rim], -0.5, 1.3).ravel()
    one, two = one - one.mean(), two - two.mean()
    return float(one @ two / (np.linalg.norm(one) * np.linalg.norm(two) + 1e-9))
