"""What lies in a tray: what differs from the empty tray, or from its floor, by more than a shadow.

Where nobody has calibrated, the floor itself has to be found in the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array

DARKEST = 0.45
"""A shadow leaves at least this part of the value of a pixel (a sixth of the light)."""

LEAST, SHARE = 11.0, 0.06
"""A difference counts from this many values on, and this share of how bright the floor is there."""

CORNERS = 0.012
"""How far the outline of the floor may be off one with four straight edges, as a part of the longer edge."""

FINE = {"least": 9.0, "share": 0.045}
"""Differences as small as those count: a die may have the hue of the ground, and nobody has looked at the light."""

SHADOW = 0.72
"""Darker than that is the shadow of a wall, as a part of the value of its floor."""

THICK: Array = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
"""What is thinner is the wall, or its shadow."""

TOUCH = 20
"""Pixels of the edge of the floor that a die at the wall hides at most; one that hides more is not seen whole."""

SPARE = 0.15
"""The least part of the picture that is a floor."""


def matter(now: Array, empty: Array, inside: Array) -> Array:
    """Return where something lies, 255 and 0. Pictures are of one size; ``inside``: where to look at the light."""
    return filled(unlike(now, empty, inside))


def unlike(
    now: Array, empty: Array, inside: Array, *, darkest: float = DARKEST, least: float = LEAST, share: float = SHARE
) -> Array:
    """Return where two pictures differ, 255 and 0; as `matter`, but rings are not filled."""
    picture = cv2.GaussianBlur(now, (0, 0), 0.8).astype(np.float32)
    floor = cv2.GaussianBlur(empty, (0, 0), 0.8).astype(np.float32)
    floor *= _gain(picture, floor, inside)
    along = _sum(picture * floor)
    bright = _sum(floor * floor) + 1
    shade = np.clip(along / bright, darkest, 1.12)
    picture -= floor * shade[..., None]
    differs = _sum(picture * picture) > (least + share * np.sqrt(bright) * shade) ** 2
    mask: Array = np.asarray(differs, np.uint8) * 255
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


def _sum(picture: Array) -> Array:
    """Return the sum of the channels."""
    return np.asarray(cv2.transform(picture, np.ones((1, 3), np.float32)))


def filled(mask: Array) -> Array:
    """Return a mask with all that its outlines surround."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros_like(mask)
    cv2.drawContours(whole, outlines, -1, 255, cv2.FILLED)
    return whole


def _gain(picture: Array, floor: Array, inside: Array) -> Array:
    """Return how much brighter each channel of the picture is than that of the empty floor."""
    where = inside[::4, ::4] > 0
    ratio = (picture[::4, ::4][where] + 1) / (floor[::4, ::4][where] + 1)
    return np.asarray(np.median(ratio, axis=0), np.float32)


def grounds(picture: Array, shadows: Sequence[float]) -> Iterator[Array | None]:
    """Yield what lies on the floor, 255 and 0; None where something reaches over its edge, or there is no floor.

    The floor is the colour of which there is most. ``shadows``: what is darker than this part of its value is no
    shadow; there is a ground for each.
    """
    whole = np.full(picture.shape[:2], 255, np.uint8)
    base = floor(picture)
    # Where the walls have the colour of the floor, the shadow at their foot is what tells them from it.
    shaded = _shaded(picture, base)
    for darkest in shadows:
        mask = unlike(picture, base, whole, darkest=darkest, **FINE)
        around, hull = _edges(cv2.bitwise_or(mask, shaded))
        if hull is None:
            around, hull = _edges(mask)
        yield None if hull is None else _within(mask, around, hull)


def _within(mask: Array, around: Array, hull: Array) -> Array | None:
    within = np.zeros_like(mask)
    cv2.fillPoly(within, [hull], 255)
    # Dice that touch the wall in the picture are thicker than what is seen of the wall within straight edges.
    inside = cv2.morphologyEx(cv2.bitwise_and(cv2.bitwise_and(around, mask), within), cv2.MORPH_OPEN, THICK)
    edge = cv2.subtract(within, cv2.erode(within, np.ones((3, 3), np.uint8)))
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_and(inside, edge))
    if (stats[1:, cv2.CC_STAT_AREA] > TOUCH).any():
        return None
    return filled(cv2.bitwise_or(cv2.subtract(cv2.bitwise_and(mask, within), around), inside))


def floor(picture: Array) -> Array:
    """Return the floor without anything on it: its colour, brighter here and darker there."""
    small = cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA).astype(np.float32)
    across, down = np.meshgrid(np.linspace(-1, 1, 160), np.linspace(-1, 1, 120))
    terms = np.stack([np.ones_like(across), across, down, across**2, across * down, down**2], -1)
    model: Array = np.broadcast_to(np.median(small[20:-20, 25:-25].reshape(-1, 3), axis=0), small.shape)
    for _ in range(5):
        shade = (small * model).sum(-1) / ((model * model).sum(-1) + 1)
        away = np.linalg.norm(small - model * np.clip(shade, DARKEST, 1.3)[..., None], axis=-1)
        like = (away < 9 + 0.05 * np.linalg.norm(model, axis=-1)) & (shade > 0.8) & (shade < 1.3)
        if like.mean() < SPARE:
            break
        model = terms @ np.linalg.lstsq(terms[like], small[like], rcond=None)[0]
    size = picture.shape[1], picture.shape[0]
    return np.asarray(cv2.resize(np.clip(model, 1, 255).astype(np.float32), size), np.float32)


def _shaded(picture: Array, base: Array) -> Array:
    """Return where a floor is in the shadow, 255 and 0."""
    light = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32) * base
    return np.asarray(light.sum(-1) < SHADOW * (base * base).sum(-1), np.uint8) * 255


def _edges(mask: Array) -> tuple[Array, Array | None]:
    """Return what is around the floor, and the floor's outline; None if that has not four straight edges."""
    around = _at_the_rim(mask)
    hull = _hull(around)
    # Where something reaches into the floor, its outline has more.
    straight = hull is not None and len(cv2.approxPolyDP(hull, CORNERS * max(mask.shape), True)) == 4
    return around, hull if straight else None


def _at_the_rim(mask: Array) -> Array:
    """Return the parts of a mask that reach the rim of the picture."""
    _, labels = cv2.connectedComponents(mask)
    rim = np.concatenate([labels[:2].ravel(), labels[-2:].ravel(), labels[:, :2].ravel(), labels[:, -2:].ravel()])
    return np.asarray(np.isin(labels, rim[rim > 0]), np.uint8) * 255


def _hull(around: Array) -> Array | None:
    """Return the outline of the floor, pixel by pixel, as if nothing reached into it; None where there is none."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(around))
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest][cv2.CC_STAT_AREA] < SPARE * around.size:
        return None
    whole = np.zeros_like(around)
    cv2.fillPoly(whole, [cv2.convexHull(cv2.findNonZero(np.asarray(labels == largest, np.uint8)))], 1)
    (outline, *_), _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(outline[:, 0])
