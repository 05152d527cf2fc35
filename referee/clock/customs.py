"""How a table keeps time: what runs while nobody is asked, and what happens when a flag falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from referee.clock.clocks import COMMON, NOBODY
from referee.errors import Malformed

Asked = Literal["nobody", "common", "buttons"]
"""Whose time runs while the whole table is asked: nobody's, common time, or that of the seat that ran last, until its
button passes the clock on."""

Read = Literal["nobody", "common"]
"""Whose time runs while a ruling or a reminder is read."""

Act = Literal["tell", "freeze", "lose", "finish"]
"""What a flag does that falls: it is told; all stops until the judge has ruled; its seat gives up; its seat finishes
the action under way, and then does only what it must."""

Back = Literal["turn", "time"]
"""What an undo gives back: only the turn, or the time too, as it was when the question was first asked."""

ASKED: Final[tuple[Asked, ...]] = get_args(Asked)
READ: Final[tuple[Read, ...]] = get_args(Read)
ACTS: Final[tuple[Act, ...]] = get_args(Act)
BACK: Final[tuple[Back, ...]] = get_args(Back)
AT_FALL: Final[Mapping[Act, str]] = {
    "tell": "it is told, and nothing more",
    "freeze": "all stops until the judge has ruled",
    "lose": "its seat loses",
    "finish": "its seat finishes the action, then does only what it must",
}
"""What happens when a flag falls, as people read it."""


@dataclass(frozen=True, slots=True)
class Customs:
    """How a table keeps time; see `Asked`, `Read`, `Act` and `Back`."""

    table: Asked = "nobody"
    ruling: Read = "nobody"
    flag: Act = "tell"
    undo: Back = "turn"

    @property
    def while_read(self) -> str:
        """Whose time runs while a ruling is read."""
        return COMMON if self.ruling == "common" else NOBODY

    def as_json(self) -> dict[str, str]:
        """Return them as a JSON object."""
        return {"table": self.table, "ruling": self.ruling, "flag": self.flag, "undo": self.undo}

    @classmethod
    def from_json(cls, value: object) -> Customs:
        """Return the customs an object describes. Raises Malformed."""
        known: dict[str, tuple[Any, ...]] = {"table": ASKED, "ruling": READ, "flag": ACTS, "undo": BACK}
        if not isinstance(value, dict) or set(value) != set(known):
            raise Malformed("expected the customs of clocks: table, ruling, flag and undo")
        for name, words in known.items():
            if value[name] not in words:
                raise Malformed(f"{name}: expected one of {', '.join(words)}")
        return cls(**value)
