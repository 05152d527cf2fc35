"""A picture in which nothing is like anything else, for controllers to show."""

from __future__ import annotations

from PIL import Image, ImageDraw


def picture(width: int) -> Image.Image:
    """Return 64 rows of so many columns, one bit a pixel."""
    image = Image.new("1", (width, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((3, 2, 40, 12), fill=1)
    draw.text((20, 30), "Gondor out", fill=1)
    draw.line((width - 9, 0, width - 1, 63), fill=1)
    return image
