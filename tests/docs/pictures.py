"""Draw every picture of the documents again, of the running thing: ``python -m tests.docs.pictures``.

The pictures of pages are taken in Chromium.
"""

from __future__ import annotations

import io
import sys

from PIL import Image

from tests.browsing import started
from tests.docs.images import FIRST, FOLDER, GLASS, begun, glass
from tests.docs.pages import shots

COLOURS = 128


def main() -> int:
    """Draw them."""
    glass().save(GLASS, optimize=True)
    glass(begun).save(FIRST, optimize=True)
    driver = started("--hide-scrollbars")
    try:
        for shot in shots(driver):
            picture = Image.open(io.BytesIO(shot.png)).convert("RGB")
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{shot.name}.png", optimize=True)
    finally:
        driver.quit()
    sys.stdout.write(f"{FOLDER}: look at the pictures before they are committed\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
