"""Calibrating: four markers on a sheet as large as the floor say where the camera is; dice say what a die is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from hardware.dice.tray.floors import matter
from hardware.dice.tray.geometry import Array, Cube, Pose, Table, View, view
from hardware.dice.tray.pips import PATCH, square_of_top
from hardware.dice.tray.poses import Patch, fit, patches
from hardware.errors import BadPicture

MARKER, INSET = 30.0, 5.0
"""Edge of a marker, and its distance from the edges of the sheet, in mm."""

DOTS = 8
"""Pixels a millimetre of the printed sheet: 203 dots an inch."""

ENOUGH = 4
"""So many dice have to be seen, each lying alone."""

EDGES = 9.0, 26.0

MISFIT = 0.2
"""A die that is no flat one leaves more than this part of its top unexplained."""


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _corners(floor: tuple[float, float]) -> list[Array]:
    """Return the corners of each marker in mm, as OpenCV lists them: clockwise from the top left."""
    width, depth = floor
    x, y = width / 2 - INSET - MARKER, depth / 2 - INSET - MARKER
    square = np.array([(0, MARKER), (MARKER, MARKER), (MARKER, 0), (0, 0)])
    return [square + at for at in ((-x - MARKER, y), (x, y), (x, -y - MARKER), (-x - MARKER, -y - MARKER))]


def sheet(floor: tuple[float, float]) -> Array:
    """Return the sheet to print, `DOTS` pixels a millimetre. Raises BadPicture."""
    if min(floor) < 2 * (MARKER + INSET) + 20 or max(floor) > 420:
        raise BadPicture("expected a floor of 90 to 420 mm each way")
    width, depth = (round(each * DOTS) for each in floor)
    paper = np.full((depth, width), 255, np.uint8)
    for number, square in enumerate(_corners(floor)):
        left, top = square[0] * (1, -1) + np.array(floor) / 2
        image = cv2.aruco.generateImageMarker(_dictionary(), number, round(MARKER * DOTS))
        row, column = round(top * DOTS), round(left * DOTS)
        paper[row : row + image.shape[0], column : column + image.shape[1]] = image
    return paper


def locate(picture: Array, floor: tuple[float, float], height: float) -> View:
    """Return where the camera is, from a picture of the sheet in the tray. Raises BadPicture.

    ``height``: of the lens above the floor, in mm.
    """
    squares, numbers, _ = cv2.aruco.ArucoDetector(_dictionary()).detectMarkers(picture)
    marks = zip(numbers.ravel(), squares, strict=True) if squares else ()
    seen = {int(number): square[0] for number, square in marks}
    if set(seen) != {0, 1, 2, 3}:
        raise BadPicture(f"expected the four markers of the sheet; {len(seen)} of them can be seen")
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    points: Array = np.concatenate([seen[n] for n in range(4)]).astype(np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    points = cv2.cornerSubPix(grey, points[:, None].copy(), (3, 3), (-1, -1), criteria)[:, 0]
    homography, _ = cv2.findHomography(np.concatenate(_corners(floor)), points.astype(np.float64))
    return view(homography, floor, (picture.shape[1], picture.shape[0]), height)


def measure(seen: View, empty: Array, pictures: Sequence[Array]) -> Cube:
    """Return what the dice of this table are, from pictures of throws. Raises BadPicture."""
    table = Table(seen, 0.0, 3.0)
    floor, inside = table.flat(empty), table.inside()
    alone = [
        patch
        for picture in pictures
        for patch in patches(matter(table.flat(picture), floor, inside), 40 * table.scale**2)
        if patch.area < EDGES[1] ** 2 * 2 * table.scale**2
    ]
    if len(alone) < ENOUGH:
        raise BadPicture(f"expected at least {ENOUGH} dice, each lying alone; {len(alone)} can be seen")
    # Most are dice that lie alone: what is much larger or smaller than the one in the middle is not asked.
    middle = float(np.median([patch.area for patch in alone]))
    alone = sorted(
        (patch for patch in alone if 0.75 < patch.area / middle < 1.33), key=lambda patch: abs(patch.area - middle)
    )[:8]
    starts = np.sqrt([patch.area for patch in alone]) / table.scale
    cube, misfits = _size(alone, table, float(np.median(starts)))
    if max(misfits) > MISFIT * cube.edge**2:
        raise BadPicture("expected dice of one size, none of them leaning")
    return _pips(seen, cube, empty, pictures)


def _size(dice: Sequence[Patch], table: Table, start: float) -> tuple[Cube, list[float]]:
    """Return the die that covers all of them best, and the square mm of each that it does not explain."""
    best, misfits = Cube(start, start * 0.1, start * 0.1, start * 0.25), [float("inf")]
    for spread, steps, parts in (
        (0.12, 7, (0.1,)),
        (0.03, 5, (0.06, 0.1, 0.14)),
        (0.01, 5, (0.05, 0.08, 0.11, 0.14)),
    ):
        for edge in np.linspace(best.edge * (1 - spread), best.edge * (1 + spread), steps):
            for part in parts:
                cube = replace(best, edge=float(edge), rounding=float(edge) * part)
                tried = [_misfit(patch, cube, table, fit(patch, cube, table, 1)[0]) for patch in dice]
                if sum(tried) < sum(misfits):
                    best, misfits = cube, tried
    return best, misfits


def _misfit(patch: Patch, cube: Cube, table: Table, pose: Pose) -> float:
    differs = cv2.bitwise_xor(cube.shape(pose, table, patch.corner, patch.size), patch.mask)
    return cv2.countNonZero(differs) / table.scale**2


def _pips(seen: View, cube: Cube, empty: Array, pictures: Sequence[Array]) -> Cube:
    table = Table(seen, cube.edge, 3.0)
    floor, inside = table.flat(empty), table.inside()
    alone = (cube.edge * table.scale) ** 2
    tops = [
        _found(flat, table, cube, fit(patch, cube, table, 1)[0])
        for flat in map(table.flat, pictures)
        for patch in patches(matter(flat, floor, inside), 0.7 * alone)
        if patch.area < 1.8 * alone
    ]
    radii = [radius for _, those in tops for radius in those]
    pitches = [max(away) / np.sqrt(2) for away, _ in tops if len(away) in (2, 3, 4, 5)]
    if len(pitches) < 2:
        raise BadPicture("expected pips that stand out, and among the dice two that show 2, 3, 4 or 5")
    pitch = float(np.median(pitches))
    sixes = [math.sqrt(max(sum(sorted(away)[2:]) ** 2 / 16 - pitch**2, 0)) for away, _ in tops if len(away) == 6]
    long_six = float(np.median(sixes)) / pitch if sixes else 1.0
    return replace(cube, pip=float(np.median(radii)), pitch=pitch, long_six=min(1.4, max(0.8, long_six)))


def _found(flat: Array, table: Table, cube: Cube, pose: Pose) -> tuple[list[float], list[float]]:
    """Return how far the pips of a top are from its middle, and their radii, in mm."""
    top = square_of_top(flat, table, cube, pose)
    if top is None:
        return [], []
    contrast = top.contrast
    rim = round(PATCH * 0.1)
    mask = np.zeros((PATCH, PATCH), np.uint8)
    mask[rim:-rim, rim:-rim] = contrast[rim:-rim, rim:-rim] > 0.5
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    step = cube.edge / PATCH
    round_ones = [
        i for i in range(1, len(stats))
        if stats[i][4] > 12 and max(stats[i][2], stats[i][3]) < 1.6 * min(stats[i][2], stats[i][3])
    ]  # fmt: skip
    places = middles[round_ones]
    if not len(places):
        return [], []
    away = np.linalg.norm(places - places.mean(0), axis=-1) * step
    return away.tolist(), [float(np.sqrt(stats[i][4] / np.pi)) * step for i in round_ones]
