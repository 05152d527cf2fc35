"""QR codes (ISO/IEC 18004) by segno, which is imported when the first one is drawn."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from segno import QRCode

Rows: TypeAlias = tuple[bytes, ...]
"""The modules of a code from the top, without the quiet zone: a byte for each, 1 where it is dark."""


@lru_cache(maxsize=4)
def rows(text: str) -> Rows:
    """Return the smallest code that holds a text, with the best error correction of that size."""
    return tuple(map(bytes, _code(text).matrix))


@lru_cache(maxsize=4)
def svg(text: str, title: str) -> str:
    """Return the same code as SVG, dark on white with its quiet zone, one unit a module; ``title``: what it is."""
    file = BytesIO()
    _code(text).save(file, kind="svg", xmldecl=False, light="#fff", omitsize=True, title=title)
    return file.getvalue().decode("utf-8").strip()


def _code(text: str) -> QRCode:
    import segno

    return segno.make(text, micro=False)
