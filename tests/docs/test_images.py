"""The pictures of the build guide are those of the box."""

from __future__ import annotations

from PIL import Image

from tests import docs_images


def test_the_first_five_minutes_look_as_they_do_in_the_guide() -> None:
    with Image.open(docs_images.FIRST) as stored:
        same = stored.convert("RGB").tobytes() == docs_images.glass(docs_images.begun).convert("RGB").tobytes()
    assert same, "the screens have changed: run `make images`, and look at the pictures"
