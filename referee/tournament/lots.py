"""Lots: everything that is drawn in an event, from a seed that the record names.

A lot is a hash, so that anybody can draw it again, in any language and many years later.
"""

from __future__ import annotations

from hashlib import sha256


def lot(seed: int, *names: int) -> int:
    """Return the lot of something that these numbers name: the first 32 bits of SHA-256 of "seed:a:b"."""
    text = ":".join(map(str, (seed, *names)))
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")
