"""Reads a picture of a tray that was never calibrated, as far as the picture itself tells enough.

All that lies on the floor has to be single dice of one size, each as the others tell that the camera must see it.
From a camera that may lean by some degrees and whose lens is not known, a die alone does not tell whether it leans:
what the others and a nearly vertical camera do not fix is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np

from referee.tray.floors import lying
from referee.tray.geometry import Array, Cube
from referee.tray.outlines import Outline, anchored, outline
from referee.tray.pips import NOTHING, Top, contrast_of_square, read_contrast
from referee.tray.poses import Patch, patches
from referee.tray.reader import LIKENESS, OFF, SeenDie, Sight, Why

LONG = 1280
"""Pixels of the longer edge of the picture that is read."""

SMALLEST = 44.0
"""Pixels of the edge of a die there: 22 of a picture of 640 x 480."""

FOCAL, SPREAD = 1.8, 0.5
"""Focal length in longer edges of the picture, and how far lenses are from it."""

UPRIGHT = 0.07
"""How far the base of a die may be shown off by a camera that is not vertical, in edges: 4 degrees."""

BLUR = 0.025
"""How well it is seen where the base of a die is, in edges."""

KNOWN = 0.07
"""How well the others and the camera have to tell where a base is, in edges; a quarter of what 15 degrees do."""

LEANS = 0.07
"""A base that is farther from its place, in edges, is that of a die that leans."""

UNEQUAL = 0.07
"""By what part the edges of dice may differ."""

UNEXPLAINED = 0.016
"""What part of a top may be off the outline by more than `SLACK` edges."""
SLACK = 0.05

SURE = 0.95
"""No face is more certain without a calibration."""

CRUMB = 0.0003
"""What is smaller, as a part of the picture, is nothing."""

DICE = [
    Cube(1.0, 0.1, pip, pitch, long_six)
    for pip, pitch, long_six in product((0.08, 0.095, 0.11), (0.22, 0.25, 0.28), (1.0, 1.07))
]
"""Dice as there are, in edges."""


def read(picture: Array, empty: Array | None = None) -> Sight:
    """Read a picture; ``empty``: one of the empty tray by the same camera, of the same size."""
    scale = LONG / max(picture.shape[:2])
    large = _scaled(picture, scale)
    mask = lying(large, None if empty is None else _scaled(empty, scale))
    if mask is None:
        return Sight("cut off", ())
    parts = patches(mask, CRUMB * mask.size / 16)
    if not parts:
        return Sight("empty", ())
    if sum(part.area for part in parts) > 0.4 * mask.size:
        return Sight("covered", ())
    return _sight(large, parts, scale)


def _scaled(picture: Array, scale: float) -> Array:
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way))


def _sight(picture: Array, parts: Sequence[Patch], scale: float) -> Sight:
    centre = np.array([picture.shape[1] / 2, picture.shape[0] / 2])
    outlines = [outline(part, centre, 1 / (FOCAL * LONG)) for part in parts]
    # The pips tell where the top is, better than the outline; the outline then tells where the base is.
    outlines = [
        each if top.face is None else anchored(part, each, each.onto(top.shift))
        for part, each, top in zip(parts, outlines, _tops(picture, outlines), strict=True)
    ]
    tops = _tops(picture, outlines)
    middle = float(np.median([each.edge for each in outlines]))
    whys = [_why(part, each, middle) for part, each in zip(parts, outlines, strict=True)]
    if not any(whys):
        whys = _leaning(outlines, centre)
    whys = [why or ("" if _sure(top) else "foreign") for why, top in zip(whys, tops, strict=True)]
    dice = [_seen(each, NOTHING if why else top, scale) for each, top, why in zip(outlines, tops, whys, strict=True)]
    worst: Why = next((why for why in whys if why), "")
    return Sight(worst, tuple(sorted(dice, key=lambda die: (die.y, die.x))))


def _why(part: Patch, seen: Outline, middle: float) -> Why:
    """Return what is wrong with what may be a die among dice of that edge."""
    if seen.edge < SMALLEST or abs(seen.edge / middle - 1) > UNEQUAL:
        return "touching" if 1.6 < part.area / middle**2 < 6 else "foreign"
    return "cocked" if seen.unexplained(part, SLACK * seen.edge) > UNEXPLAINED else ""


def _leaning(outlines: Sequence[Outline], centre: Array) -> list[Why]:
    """Return which dice do not lie as the others tell that they must be seen.

    The base of a flat die is off its top by ``near * (nadir - top)``: two unknown numbers and a third, fitted to the
    other dice, beside what is known of cameras and how surely.
    """
    edge = float(np.median([each.edge for each in outlines]))
    near = edge / (FOCAL * LONG)
    start = np.array([near, 0.0, 0.0])
    trust = np.diag([SPREAD * near, UPRIGHT * edge, UPRIGHT * edge]) ** 2
    slopes = [_slope(each.top - centre) for each in outlines]
    weight = 1 / (BLUR * edge) ** 2
    whys: list[Why] = []
    for i, own in enumerate(outlines):
        inverse = np.linalg.inv(trust)
        pull = inverse @ start
        for slope, other in [(s, o) for j, (s, o) in enumerate(zip(slopes, outlines, strict=True)) if j != i]:
            inverse = inverse + slope.T @ slope * weight
            pull = pull + slope.T @ other.lean * weight
        camera, doubt = np.linalg.solve(inverse, pull), np.linalg.inv(inverse)
        off = float(np.linalg.norm(own.lean - slopes[i] @ camera)) / edge
        unknown = float(np.sqrt(np.linalg.eigvalsh(slopes[i] @ doubt @ slopes[i].T)[-1])) / edge
        whys.append("cocked" if off > LEANS else "unsure" if unknown > KNOWN else "")
    return whys


def _slope(away: Array) -> Array:
    """Return what a base's place depends on: nearness, and where the camera's vertical is, across and down."""
    return np.array([[-away[0], 1.0, 0.0], [-away[1], 0.0, 1.0]])


def _tops(picture: Array, outlines: Sequence[Outline]) -> list[Top]:
    """Read all tops as those of one make of dice."""
    contrasts = [contrast_of_square(picture, each.top, each.turn, each.edge) for each in outlines]
    makes = [
        [NOTHING if contrast is None else read_contrast(contrast, cube) for contrast in contrasts] for cube in DICE
    ]
    return max(makes, key=lambda tops: sum(top.likeness for top in tops))


def _sure(top: Top) -> bool:
    return top.face is not None and top.off < OFF and top.likeness > LIKENESS


def _seen(at: Outline, top: Top, scale: float) -> SeenDie:
    x, y = at.top / scale
    if top.face is None:
        return SeenDie(None, 0.0, float(x), float(y))
    margins = (1 - top.off / OFF, (top.likeness - LIKENESS) / (1 - LIKENESS))
    return SeenDie(top.face, 0.9 + (SURE - 0.9) * min(1.0, 2 * min(margins)), float(x), float(y))
