"""Reads a picture of a tray that was never calibrated, as far as the picture itself tells enough.

All that lies on the floor has to be single dice of one size, each as the others tell that the camera must see it.
From a camera that may lean by some degrees and whose lens is not known, a die alone does not tell whether it leans:
what the others and a nearly vertical camera do not fix is in doubt.

The outline of a die is a square top, and the same square again where it stands. How far the base is shown from the
top depends on the camera alone, for dice that lie flat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import cv2
import numpy as np

from hardware.dice.tray.floors import grounds
from hardware.dice.tray.geometry import Array, Cube
from hardware.dice.tray.pips import NOTHING, Top, cut_square, likeness_of_square, read_square
from hardware.dice.tray.poses import Patch, descend, off, patches, shares
from hardware.dice.tray.reader import SeenDie, Sight, Why

LONG = 1280
"""Pixels of the longer edge of the picture that is read."""

SMALLEST = 44.0
"""Pixels of the edge of a die there: 22 of a picture of 640 x 480."""

FOCAL, SPREAD = 1.7, 0.3
"""Focal length in longer edges of the picture, and how far lenses are from it: its logarithm, one in three."""

UPRIGHT = 0.07
"""How far cameras are from vertical, one in three: 4 degrees."""

BLUR = 0.03
"""How well it is seen where the base of a die is, in edges."""

LEANS = 0.26
"""So far, in edges, is the base of a die that leans by 15 degrees from that of a flat one."""

FLAT, WORSE = 0.085, 2.0
"""So near its place is the base of a flat die, in edges; so much less likely, in squares, is a die that leans."""

UNLIKE = 0.2
"""By what part the edges of any two dice may differ at all."""

UNEQUAL, MORE, MEASURED = 0.034, 0.004, 0.012
"""By what part two like dice may differ, and how much more for each further die, where such a camera sees all as
equal: one on another die is nearer, and seems larger; and how well they are seen, one in three."""

COLOUR, APART = 40.0, 0.085
"""Dice that differ by fewer values of 255 are alike; by what part those of others may seem larger or smaller."""

NOTCH = 19
"""Pixels of a notch that a pip leaves in the outline of a die, at most."""

UNEXPLAINED = 0.008
"""What part of a top may be off the outline by more than `SLACK` edges."""
SLACK = 0.03

SURE = 0.95
"""No face is more certain without a calibration."""

CRUMB = 0.01
"""What is smaller, as a part of a die, is nothing: a pip is twice as large."""

SHADOWS = 0.5, 0.6, 0.7
"""What is darker than this part of the value of the floor is no shadow; the first that reads the picture counts."""

DICE = [
    Cube(1.0, 0.1, pip, pitch, long_six)
    for pip, pitch, long_six in product((0.08, 0.095, 0.11), (0.22, 0.25, 0.28), (1.0, 1.07))
]
"""Dice as there are, in edges."""

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


def read(picture: Array) -> Sight:
    """Read a picture."""
    scale = LONG / max(picture.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    large = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way))
    sights = (_read(large, mask, scale) for mask in grounds(large, SHADOWS))
    first = next(sights)
    return first if not first.why else next((sight for sight in sights if not sight.why), first)


def _read(picture: Array, mask: Array | None, scale: float) -> Sight:
    if mask is None:
        return Sight("cut off", ())
    parts = patches(mask, CRUMB * SMALLEST**2, 0.7 * SMALLEST**2, NOTCH)
    if not parts:
        return Sight("empty", ())
    if sum(part.area for part in parts) > 0.4 * mask.size:
        return Sight("covered", ())
    largest = max(part.area for part in parts)
    return _sight(picture, [part for part in parts if part.area > CRUMB * largest], scale)


def _sight(picture: Array, parts: Sequence[Patch], scale: float) -> Sight:
    centre = np.array([picture.shape[1] / 2, picture.shape[0] / 2])
    away = 1 / (FOCAL * LONG)
    least = min(part.area for part in parts)
    parts = [
        piece
        for part in parts
        for piece in (
            split(part, round(part.area / least), centre, away) if 1.5 < part.area / least < 3.5 else [part]
        )
    ]
    outlines = [outline(part, centre, away) for part in parts]
    # The pips tell where the top is, better than the outline; the outline then tells where the base is.
    outlines = [
        each if top.face is None else anchored(part, each, each.onto(top.shift))
        for part, each, top in zip(parts, outlines, _tops(picture, outlines), strict=True)
    ]
    tops = _tops(picture, outlines)
    edges = [each.edge for each in outlines]
    whys = [_why(part, each, edges) for part, each in zip(parts, outlines, strict=True)]
    if not any(whys):
        colours = np.array([_colour(picture, each) for each in outlines])
        whys = _leaning(outlines, centre, colours)
    whys = [
        why or ("" if top.margin > 0 else "unsure" if top.likeness else "foreign")
        for why, top in zip(whys, tops, strict=True)
    ]
    dice = [_seen(each, NOTHING if why else top, scale) for each, top, why in zip(outlines, tops, whys, strict=True)]
    worst: Why = next((why for why in whys if why), "")
    return Sight(worst, tuple(sorted(dice, key=lambda die: (die.y, die.x))))


def _why(part: Patch, seen: Outline, edges: Sequence[float]) -> Why:
    """Return what is wrong with what may be a die among dice of those edges."""
    middle = float(np.median(edges))
    if seen.edge < SMALLEST or max(seen.edge / min(edges), max(edges) / seen.edge) > 1 + UNLIKE:
        return "touching" if 1.6 < part.area / middle**2 < 6 else "foreign"
    return "cocked" if seen.unexplained(part, SLACK * seen.edge) > UNEXPLAINED else ""


def _leaning(outlines: Sequence[Outline], centre: Array, colours: Array) -> list[Why]:
    """Return which dice do not lie as the others tell that they must be seen, and of which nobody can tell.

    The base of a flat die is off its top by ``edge * (tilt - (top - centre) / focal)``, and its edge grows with
    ``1 + tilt * (top - centre) / focal``. Cameras are tried: one has to show all dice as flat ones and those of a
    colour as equal ones, and none may show one as a leaning one nearly as well.
    """
    cameras, costs = _cameras()
    away = np.array([(each.top - centre) / LONG for each in outlines])
    lean = np.array([each.lean / each.edge for each in outlines])
    # One row a camera, one column a die.
    off = np.linalg.norm(lean - cameras[:, None, 1:] + away / cameras[:, :1, None], axis=-1)
    alike = np.linalg.norm(colours[:, None] - colours, axis=-1) < COLOUR
    edges = np.log([each.edge for each in outlines]) - np.log(1 + cameras[:, 1:] @ away.T / cameras[:, :1])
    of_like = edges @ (alike / alike.sum(0))
    edges = edges - of_like
    costs = costs + ((edges / MEASURED) ** 2).sum(1)
    flat = (off / BLUR) ** 2
    leaning = (np.maximum(0, LEANS - off) / BLUR) ** 2
    together = costs + flat.sum(1)
    best = int(np.argmin(together))
    if np.ptp(edges[best]) > UNEQUAL + MORE * (len(outlines) - 2) or np.ptp(of_like[best]) > APART:
        return ["foreign"] * len(outlines)
    whys: list[Why] = []
    for i in range(len(outlines)):
        otherwise = float(np.min(together - flat[:, i] + leaning[:, i]))
        whys.append("cocked" if off[best, i] > FLAT else "unsure" if otherwise - together[best] < WORSE else "")
    return whys


def _colour(picture: Array, at: Outline) -> Array:
    """Return the colour of a top; pips are less than half of it."""
    size = round(0.7 * at.edge)
    square = cv2.getRectSubPix(picture, (size, size), at.top.astype(np.float32).tolist())
    return np.asarray(np.median(square.reshape(-1, 3), axis=0), np.float32)


def _cameras() -> tuple[Array, Array]:
    """Return cameras, (n, 3), focal length and tilts across and down, and how unlikely each is, in squares."""
    tried = np.array([
        (focal, across, down)
        for focal in FOCAL * np.exp(np.linspace(-2.5 * SPREAD, 2.5 * SPREAD, 11))
        for across, down in product(np.linspace(-0.2, 0.2, 21), repeat=2)
    ])  # fmt: skip
    return tried, (np.log(tried[:, 0] / FOCAL) / SPREAD) ** 2 + ((tried[:, 1:] / UPRIGHT) ** 2).sum(-1)


def _tops(picture: Array, outlines: Sequence[Outline]) -> list[Top]:
    """Read all tops as those of one make of dice."""
    squares = [cut_square(picture, each.top, each.turn, each.edge) for each in outlines]
    likely = [sum(likeness_of_square(square, cube) for square in squares) for cube in DICE]
    return [read_square(square, DICE[int(np.argmax(likely))]) for square in squares]


def _seen(at: Outline, top: Top, scale: float) -> SeenDie:
    x, y = at.top / scale
    if top.face is None:
        return SeenDie(None, 0.0, float(x), float(y))
    return SeenDie(top.face, 0.9 + (SURE - 0.9) * min(1.0, 2 * top.margin), float(x), float(y))
