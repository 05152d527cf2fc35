"""Where the floor of a tray is in a picture that nobody has calibrated, and what lies on it."""

from __future__ import annotations

import cv2
import numpy as np

from referee.tray.geometry import Array
from referee.tray.matter import DARKEST, filled, unlike

CORNERS = 0.012
"""How far the outline of the floor may be off one with four straight edges, as a part of the longer edge."""

SPARE = 0.15
"""The least part of the picture that is a floor."""


def lying(picture: Array, empty: Array | None) -> Array | None:
    """Return what lies on the floor, 255 and 0; None where something reaches over its edge, or there is no floor.

    ``empty``: a picture of the empty tray; without it the floor is the colour of which there is most.
    """
    whole = np.full(picture.shape[:2], 255, np.uint8)
    if empty is not None:
        mask = filled(unlike(picture, empty, whole))
        return None if cv2.countNonZero(_at_the_rim(mask)) else mask
    mask = unlike(picture, floor(picture), whole)
    around = _at_the_rim(mask)
    return None if not _has_four_corners(around) else filled(cv2.subtract(mask, around))


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


def _at_the_rim(mask: Array) -> Array:
    """Return the parts of a mask that reach the rim of the picture."""
    _, labels = cv2.connectedComponents(mask)
    rim = np.concatenate([labels[:2].ravel(), labels[-2:].ravel(), labels[:, :2].ravel(), labels[:, -2:].ravel()])
    return np.asarray(np.isin(labels, rim[rim > 0]), np.uint8) * 255


def _has_four_corners(around: Array) -> bool:
    """Whether what is not around has four straight edges: nothing reaches into it, and no corner is hidden."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(around))
    if count < 2:
        return False
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest][cv2.CC_STAT_AREA] < SPARE * around.size:
        return False
    (outline, *_), _ = cv2.findContours(
        np.asarray(labels == largest, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    slack = CORNERS * max(around.shape)
    return len(cv2.approxPolyDP(outline, slack, True)) == 4
