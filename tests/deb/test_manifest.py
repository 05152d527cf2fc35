"""What the manifest of an image says of it is compared with the image."""

from __future__ import annotations

import hashlib
import json
import lzma
from pathlib import Path

import pytest

from tests.deb.manifest import wrong

IMAGE = b"card" * 100_000


@pytest.mark.parametrize(
    "key", ["", "extract_size", "extract_sha256", "image_download_size", "image_download_sha256"]
)
def test_each_figure_that_is_not_the_image_s_is_named(tmp_path: Path, key: str) -> None:
    packed = lzma.compress(IMAGE)
    (tmp_path / "card.img.xz").write_bytes(packed)
    entry: dict[str, object] = {
        "url": "https://example.org/cards/card.img.xz",
        "extract_size": len(IMAGE),
        "extract_sha256": hashlib.sha256(IMAGE).hexdigest(),
        "image_download_size": len(packed),
        "image_download_sha256": hashlib.sha256(packed).hexdigest(),
    }
    if key:
        entry[key] = 7
    manifest = tmp_path / "manifest"
    manifest.write_text(json.dumps({"os_list": [entry]}))
    assert [each.partition(":")[0] for each in wrong(manifest)] == ([key] if key else [])
