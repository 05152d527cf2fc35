"""What a browser can press on the card on the glass: the same things as the keys, each with its words."""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.rulebook import Bar

SELECT: Final = "select"
BOX_ROLLS: Final = "box-rolls"
AGAIN: Final = "again"
DO: Final = "do"
BACK: Final = "back"
AFTER: Final = "after"
BEFORE: Final = "before"
UNDO: Final = "undo"
MENU: Final = "menu"
SHELF: Final = "shelf"


class Button(NamedTuple):
    """One thing to press.

    ``id``      its name on this card
    ``key``     what does the same at the box, with " or " between two, keys one after another with a blank between
    ``bar``     why it cannot be had now
    ``chosen``  whether it is picked
    ``note``    what else there is to say of it
    ``lit``     whether the encoder is at it
    ``held``    whether it takes a hold at the box, so that only who may hold a key may press it
    """

    id: str
    text: str
    key: str = ""
    bar: Bar | None = None
    chosen: bool = False
    held: bool = False
    note: str = ""
    lit: bool = False
