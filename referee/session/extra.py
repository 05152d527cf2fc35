"""What some entries have beside their fields: an object that later versions may add to (docs/journal.md).

``faces``      where each face of a throw came from, one object a face: ``source``, and ``die`` where it has a name.
               Left out where each came from the entry's own source
``corrected``  of a throw that was keyed over: ``was``, the answer before, and ``by``, whose right it was

A member that is not known here is neither read nor changed: it is chained, exported and verified as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from referee.errors import Malformed

Right: TypeAlias = Literal["table", "judge"]
"""By whose right a throw is corrected."""

RIGHTS: Final[tuple[Right, ...]] = ("table", "judge")

WHOLE = 2**53
"""Numbers are whole and smaller than this, so that every reader writes them the same way."""

_HANDS = ("", "keys", "judge", "panel", "drive")
"""First words of the sources by which a person, or a program in his place, enters a face."""

_WORDS = {"keys": "keyed", "box-dice": "box dice", "serial-dice": "serial dice"}


class Origin(NamedTuple):
    """Where a face came from. ``source``: as an entry names it; ``die``: which die of it, "" where nobody knows."""

    source: str
    die: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether somebody entered it who could read the die wrongly, or press the wrong key."""
        return self.source.partition(" ")[0] in _HANDS

    def __str__(self) -> str:
        """Return it as people say it: "keyed", "serial dice A7"."""
        return f"{_WORDS.get(self.source, self.source)} {self.die}".rstrip()

    def as_json(self) -> dict[str, str]:
        """Return it as a member of ``faces``."""
        return {"source": self.source, "die": self.die} if self.die else {"source": self.source}


LONGEST_NAME: Final = 40
"""Letters of a source, or of the name of a die, at most: what is recorded can be exported and read again."""


def check_origins(origins: Sequence[Origin], answer: object) -> None:
    """Raise Malformed unless there is one origin for each face of an answer, or none at all, each with fit names."""
    faces = len(answer) if isinstance(answer, (list, tuple)) else 0
    if origins and len(origins) != faces:
        raise Malformed(f"expected where each of {faces} faces came from, got {len(origins)}")
    for origin in origins:
        for what, name in origin._asdict().items():
            if len(name) > LONGEST_NAME or not name.isprintable():
                raise Malformed(
                    f"{what} of a face: expected at most {LONGEST_NAME} printable letters, got {name!r:.60}"
                )


def origins_of(source: str, count: int, extra: Mapping[str, Any]) -> tuple[Origin, ...]:
    """Return where each of ``count`` faces of an entry came from."""
    if "faces" not in extra:
        return (Origin(source),) * count
    return tuple(Origin(face["source"], face.get("die", "")) for face in extra["faces"])


def faces_member(source: str, origins: Sequence[Origin]) -> dict[str, Any]:
    """Return the member ``faces`` of an entry of that source; nothing where it would say no more than the source."""
    if all(origin == Origin(source) for origin in origins):
        return {}
    return {"faces": [origin.as_json() for origin in origins]}


def in_words(faces: Sequence[int], origins: Sequence[Origin]) -> str:
    """Return where the faces came from as people say it; "" where all were keyed in at the box."""
    names = [str(origin) for origin in origins]
    if len(set(names)) == 1:
        return "" if origins[0] == Origin("keys") else names[0]
    return ", ".join(f"{face} {name}" for face, name in zip(faces, names, strict=True))


def check_extra(value: object, answer: object) -> dict[str, Any]:
    """Return the extra of an entry that was read, whose answer that is.

    Raises Malformed naming the member that is not what it must be.
    """
    if not isinstance(value, dict) or not value:
        raise Malformed("extra: expected an object with at least one member")
    _plain("extra", value)
    if "faces" in value:
        faces = value["faces"]
        if not isinstance(faces, list) or not all(_is_face(face) for face in faces):
            raise Malformed("extra.faces: expected a list of objects, each with a source")
        if not isinstance(answer, list) or len(answer) != len(faces):
            raise Malformed("extra.faces: expected one for each face of the answer")
    corrected = value.get("corrected", {"was": [], "by": "table"})
    if not isinstance(corrected, dict) or "was" not in corrected or corrected.get("by") not in RIGHTS:
        raise Malformed(f"extra.corrected: expected an object with was, and by: {' or '.join(RIGHTS)}")
    return value


def _is_face(face: object) -> bool:
    return isinstance(face, dict) and type(face.get("source")) is str and type(face.get("die", "")) is str


def _plain(where: str, value: object) -> None:
    """Raise Malformed for a number that programs write in more than one way."""
    if isinstance(value, dict):
        for name, item in value.items():
            _plain(f"{where}.{name}"[:80], item)
    elif isinstance(value, list):
        for item in value:
            _plain(where, item)
    elif isinstance(value, float) or (type(value) is int and not -WHOLE < value < WHOLE):
        raise Malformed(f"{where}: expected whole numbers below 2**53, got {value!r:.40}")
