"""Which numbers are read and written."""

from __future__ import annotations

from typing import Final

WHOLE: Final = 2**53
"""Numbers are whole and smaller than this, so that every JSON reader agrees on them (RFC 8259, section 6)."""
