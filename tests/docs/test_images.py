"""The pictures of the documents are those of the box, and of its pages as they are now."""

from __future__ import annotations

from itertools import zip_longest

from PIL import Image
from selenium.webdriver import Chrome

from tests.docs import images, pages

AGAIN = "run `make images`, and look at the pictures"


def test_the_first_five_minutes_look_as_they_do_in_the_guide() -> None:
    with Image.open(images.FIRST) as stored:
        same = stored.convert("RGB").tobytes() == images.glass(images.begun).convert("RGB").tobytes()
    assert same, f"the screens have changed: {AGAIN}"


def test_every_picture_of_a_page_shows_what_the_page_says_now(browser: Chrome) -> None:
    names = set()
    for shot in pages.shots(browser):
        names.add(f"{shot.name}.txt")
        stored = (pages.KEPT / f"{shot.name}.txt").read_text("utf-8").splitlines()
        for before, now in zip_longest(stored, shot.outline.splitlines()):
            assert now == before, f"{shot.name}.png is out of date: {AGAIN}"
        assert (images.FOLDER / f"{shot.name}.png").is_file()
    assert {path.name for path in pages.KEPT.iterdir()} == names
