"""Draw every picture of the documents again, of the running thing: ``python -m tests.docs.pictures``.

The pictures of pages are taken in Chromium, and what stands on them is kept in ``tests/docs/kept``.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

from tests.components import CHROMEDRIVER, CHROMIUM
from tests.conftest import ARGUMENTS
from tests.docs.images import FIRST, FOLDER, GLASS, begun, glass
from tests.docs.pages import KEPT, shots

COLOURS = 128


@contextmanager
def chromium() -> Iterator[Chrome]:
    """A browser of its own."""
    assert CHROMIUM, "chromium is not installed"
    assert CHROMEDRIVER, "chromedriver is not installed"
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    with tempfile.TemporaryDirectory() as folder:
        for argument in (*ARGUMENTS, f"--user-data-dir={folder}", "--hide-scrollbars"):
            options.add_argument(argument)
        driver = Chrome(options=options, service=ChromeService(CHROMEDRIVER))
        try:
            yield driver
        finally:
            driver.quit()


def main() -> int:
    """Draw them."""
    glass().save(GLASS, optimize=True)
    glass(begun).save(FIRST, optimize=True)
    KEPT.mkdir(exist_ok=True)
    with chromium() as driver:
        for shot in shots(driver):
            picture = Image.open(io.BytesIO(shot.png)).convert("RGB")
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{shot.name}.png", optimize=True)
            (KEPT / f"{shot.name}.txt").write_text(shot.outline, "utf-8")
    sys.stdout.write(f"{FOLDER}: look at the pictures before they are committed\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
