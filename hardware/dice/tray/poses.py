"""How dice lie in a patch of matter: the flat dice whose outlines cover it best, and what they leave unexplained."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array, Cube, Pose, Table

T = TypeVar("T")

SLACK = 0.8
"""Millimetres by which an outline may differ from that of a flat die."""

NOTCH = 9
"""Pips at the lower edge of a side look like its shadow: notches of so many pixels are filled."""

GAP = 7
"""Pixels between what belongs together."""

STEPS = (1.2, 6.0), (0.5, 3.0), (0.2, 1.2)
"""Millimetres and degrees by which a place is improved."""


@dataclass(frozen=True)
class Patch:
    """Matter that hangs together. ``corner``: of its part of the table's picture; ``mask``: 255 and 0, with a rim."""

    corner: tuple[int, int]
    mask: Array
    area: float

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.mask.shape[1], self.mask.shape[0]


def patches(mask: Array, least: float, whole: float = 0.0, notch: int = NOTCH) -> list[Patch]:
    """Cut matter of at least that many pixels into what hangs together.

    What is smaller than ``whole`` belongs to what it nearly touches: a side in the dark may look like its shadow.
    """
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (notch, notch))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA].astype(float)
    for small in np.flatnonzero((areas >= least) & (areas < whole)):
        left, top, width, height, _ = (int(v) for v in stats[small])
        part = labels[max(0, top - GAP) : top + height + GAP, max(0, left - GAP) : left + width + GAP]
        own = part == small
        near = np.unique(part[cv2.dilate(np.asarray(own, np.uint8), np.ones((2 * GAP + 1,) * 2, np.uint8)) > 0])
        beside = [j for j in near if j and areas[j] >= whole]
        if len(beside) == 1:
            part[own] = beside[0]
            areas[beside[0]], areas[small] = areas[beside[0]] + areas[small], 0
    parts = []
    for i in range(1, count):
        if areas[i] < least:
            continue
        rows, columns = (np.flatnonzero(each) for each in ((labels == i).any(1), (labels == i).any(0)))
        top, bottom = max(0, rows[0] - notch), rows[-1] + notch + 1
        left, right = max(0, columns[0] - notch), columns[-1] + notch + 1
        own = np.asarray(labels[top:bottom, left:right] == i, np.uint8) * 255
        parts.append(Patch((int(left), int(top)), cv2.morphologyEx(own, cv2.MORPH_CLOSE, disc), float(areas[i])))
    return parts


def fit(patch: Patch, cube: Cube, table: Table, dice: int) -> list[Pose]:
    """Return how that many flat dice lie in the patch, as well as they can."""
    poses = [
        min((replace(start, turn=turn) for turn in range(0, 90, 10)), key=_cost(patch, cube, table, []))
        for start in _starts(patch, cube, table, dice)
    ]
    for _ in range(1 if dice == 1 else 3):
        for i, pose in enumerate(poses):
            cost = _cost(patch, cube, table, poses[:i] + poses[i + 1 :])
            poses[i] = descend(_turned(pose, cost) if dice > 1 else pose, cost, _near, STEPS, 6)
    return poses


def _turned(pose: Pose, cost: Callable[[Pose], float]) -> Pose:
    return min((replace(pose, turn=turn) for turn in (pose.turn, *range(0, 90, 15))), key=cost)


def descend(
    best: T,
    cost: Callable[[T], float],
    near: Callable[[T, float, float], Iterable[T]],
    steps: Sequence[tuple[float, float]],
    times: int,
) -> T:
    """Return what costs least as far as small steps lead.

    ``steps``: how far and by how many degrees, the largest first; ``times``: so many of each at most.
    """
    least = cost(best)
    for step, turn in steps:
        for _ in range(times):
            tried = [(each, cost(each)) for each in near(best, step, turn)]
            better, value = min(tried, key=lambda pair: pair[1])
            if value >= least:
                break
            best, least = better, value
    return best


def _near(pose: Pose, step: float, turn: float) -> Iterator[Pose]:
    for sign in (-1, 1):
        yield replace(pose, x=pose.x + sign * step)
        yield replace(pose, y=pose.y + sign * step)
        yield replace(pose, turn=(pose.turn + sign * turn) % 90)


def shares(patch: Patch, dice: int) -> Array:
    """Return the middles of so many equal shares of a patch, (n, 2), in pixels of the patch."""
    points = np.argwhere(patch.mask > 0)[:, ::-1].astype(np.float32)
    if dice == 1:
        return np.asarray(points.mean(0, keepdims=True))
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, _, middles = cv2.kmeans(points, dice, None, criteria, 3, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    return np.asarray(middles)


def _starts(patch: Patch, cube: Cube, table: Table, dice: int) -> list[Pose]:
    """Return where to begin: the middles of shares of the patch, moved from outlines to tops."""
    poses = []
    for column, row in shares(patch, dice) + patch.corner:
        x, y = table.place(column, row)
        hull = cube.outline(Pose(x, y, 0), table)[:, 0]
        shown = table.place(*((hull.max(0) + hull.min(0)) / 2))
        poses.append(Pose(2 * x - shown[0], 2 * y - shown[1], 0))
    return poses


def _cost(patch: Patch, cube: Cube, table: Table, others: list[Pose]) -> Callable[[Pose], float]:
    """Return a function that counts the pixels which a die and the others do not explain."""
    rest = np.zeros_like(patch.mask)
    for pose in others:
        cube.fill(rest, pose, table, patch.corner)

    def cost(pose: Pose) -> float:
        mine = cube.shape(pose, table, patch.corner, patch.size)
        both = cv2.countNonZero(cv2.bitwise_and(mine, rest))
        cv2.bitwise_or(mine, rest, mine)
        return cv2.countNonZero(cv2.bitwise_xor(mine, patch.mask)) + both

    return cost


def unexplained(patch: Patch, cube: Cube, table: Table, poses: list[Pose]) -> float:
    """Return how many square millimetres are more than `SLACK` off the outlines of these dice."""
    covered = np.zeros_like(patch.mask)
    for pose in poses:
        cube.fill(covered, pose, table, patch.corner)
    return off(patch.mask, covered, SLACK * table.scale) / table.scale**2


def off(mask: Array, covered: Array, slack: float) -> int:
    """Return how many pixels of a mask are farther than ``slack`` off what is covered, inside and out."""
    reach = max(1, round(slack))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    outside = cv2.bitwise_and(mask, cv2.bitwise_not(cv2.dilate(covered, disc)))
    lacking = cv2.bitwise_and(cv2.erode(covered, disc), cv2.bitwise_not(mask))
    return cv2.countNonZero(outside) + cv2.countNonZero(lacking)
