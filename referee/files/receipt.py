"""The receipt of a text: eight bytes that people can compare by eye."""

from __future__ import annotations

from hashlib import sha256


def receipt(text: str) -> str:
    """Return the first eight bytes of a text's SHA-256 in groups of four digits.

    >>> receipt("abc")
    'ba78 16bf 8f01 cfea'
    """
    digits = sha256(text.encode("utf-8")).hexdigest()
    return " ".join(digits[at : at + 4] for at in range(0, 16, 4))
