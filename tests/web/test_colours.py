"""Light and dark: text of every page stands out from every ground, and what somebody chose stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.components import ROOT

READABLE = 4.5
"""Least contrast of text (WCAG 2.2, 1.4.3)."""

PANEL, HALL = ROOT / "referee/web/panel", ROOT / "referee/hall/pages/files"


def colours(path: Path) -> dict[str, tuple[str, str]]:
    """Return each colour of a style sheet that has a name, light and dark."""
    text = path.read_text("utf-8")
    return {
        name: (light, dark)
        for name, light, dark in re.findall(r"([\w.-]+)(?: \{ color)?: light-dark\((#\w+), (#\w+)\)", text)
    }


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("sheet", "texts", "grounds"),
    [
        (
            PANEL / "page.css",
            ("--ink", "--soft", "--brass", "--lamp", "--bad", "--good"),
            ("--ground", "--card", "--raised", "--chosen"),
        ),
        (HALL / "hall.css", ("--ink", "--soft", "--accent", "--bad", "--good"), ("--ground", "--card")),
        *(
            (HALL / "hall.css", (text,), (ground,))
            for text, ground in (
                ("--on-accent", "--accent"),
                *((f"--{each}", f"--{each}-ground") for each in ("news", "good", "grey")),
            )
        ),
        (HALL / "tv.css", ("--ink", "--soft", "--accent"), ("--ground",)),
        (
            ROOT / "referee/report/report.css",
            ("--ink", "--soft", "--brass", *(f".c{number}" for number in range(8))),
            ("--ground",),
        ),
    ],
)
def test_text_stands_out_from_every_ground(sheet: Path, texts: tuple[str, ...], grounds: tuple[str, ...]) -> None:
    named = colours(sheet)
    for theme in (0, 1):
        for text in texts:
            for ground in (named[each][theme] for each in grounds):
                assert contrast(named[text][theme], ground) >= READABLE, (text, ground)
