"""Whether Raspberry Pi Imager gets with a manifest what it is promised.

    python tests/deb/manifest.py MANIFEST

The image has to lie beside it. Exit codes: 0 all is right; 1 something is not, and what.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from pathlib import Path
from typing import IO


def wrong(manifest: Path) -> list[str]:
    """Return what a manifest says that is not so, of the image packed and unpacked."""
    (entry,) = json.loads(manifest.read_bytes())["os_list"]
    packed = manifest.parent / entry["url"].rpartition("/")[2]
    with packed.open("rb") as file, lzma.open(packed) as unpacked:
        found = dict(zip(("image_download_size", "image_download_sha256"), _measured(file), strict=True))
        found |= zip(("extract_size", "extract_sha256"), _measured(unpacked), strict=True)
    return [f"{key}: {packed} has {value}, not {entry[key]}" for key, value in found.items() if entry[key] != value]


def _measured(file: IO[bytes]) -> tuple[int, str]:
    digest = hashlib.sha256()
    size = 0
    while block := file.read(1 << 20):
        digest.update(block)
        size += len(block)
    return size, digest.hexdigest()


if __name__ == "__main__":
    faults = wrong(Path(sys.argv[1]))
    print("\n".join(faults) or f"{sys.argv[1]}: as the image is")
    sys.exit(bool(faults))
