"""The pictures of the documents are those of the box."""

from __future__ import annotations

from PIL import Image

from tests.docs import images

AGAIN = "run `make images`, and look at the pictures"


def test_the_first_five_minutes_look_as_they_do_in_the_guide() -> None:
    with Image.open(images.FIRST) as stored:
        same = stored.convert("RGB").tobytes() == images.glass(images.begun).convert("RGB").tobytes()
    assert same, f"the screens have changed: {AGAIN}"
