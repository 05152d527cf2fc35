"""What lies in the tray: what differs from the empty tray, or from its floor, by more than a shadow."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array

DARKEST = 0.45
"""A shadow leaves at least this part of the value of a pixel (a sixth of the light)."""

LEAST, SHARE = 11.0, 0.06
"""A difference counts from this many values on, and this share of how bright the floor is there."""


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
