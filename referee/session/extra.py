"""An answer with all that is known of it, and the members of ``extra``, which not every entry has (docs/journal.md).

They are ``faces``, ``unused``, ``sealed``, ``opened``, ``corrected`` and, of a game that was left, ``place``. Unknown
members are neither read nor changed: they are chained, exported and verified as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from referee.errors import WHOLE, Malformed

Right: TypeAlias = Literal["table", "judge"]
"""By whose right a throw is corrected."""

RIGHTS: Final[tuple[Right, ...]] = ("table", "judge")

_PICTURE = re.compile(r"|[0-9a-f]{64}")

_HANDS = ("", "keys", "judge", "panel", "drive")
"""First words of the sources by which a person, or a program in his place, enters a face."""

_WORDS = {"keys": "keyed", "box-dice": "box dice", "dice-reader": "dice reader", "bluetooth-dice": "Bluetooth die"}


class Origin(NamedTuple):
    """Where a face came from.

    ``source``     as an entry names it
    ``die``        which die of it, "" where nobody knows
    ``certainty``  how sure that source was, 0 to 1000; None: it does not say
    ``doubt``      why it was in doubt until somebody confirmed it; "": it was not
    ``picture``    SHA-256 of the picture it was read from, in hexadecimal digits; "": none was kept
    """

    source: str
    die: str = ""
    certainty: int | None = None
    doubt: str = ""
    picture: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether somebody entered it who could read the die wrongly, or press the wrong key."""
        return self.source.partition(" ")[0] in _HANDS

    def __str__(self) -> str:
        """Return it as people say it: "keyed", "dice reader A7", "dice reader A7 97 % (moved)".

        >>> str(Origin("dice-reader", "A7", 999))
        'dice reader A7 99 %'
        """
        sure = "" if self.certainty is None else f"{self.certainty // 10} %"
        doubt = f"({self.doubt})" if self.doubt else ""
        return " ".join(filter(None, (_WORDS.get(self.source, self.source), self.die, sure, doubt)))

    def as_json(self) -> dict[str, Any]:
        """Return it as a member of ``faces``, without what says nothing."""
        members = {name: value for name, value in self._asdict().items() if value not in ("", None)}
        return {"source": self.source} | members

    @classmethod
    def of(cls, face: Mapping[str, Any]) -> Origin:
        """Return what a member of ``faces`` or ``unused`` says."""
        names = {name: face.get(name, "") for name in ("die", "doubt", "picture")}
        return cls(face["source"], certainty=face.get("certainty"), **names)


class Unused(NamedTuple):
    """What a die told for a throw and does not count.

    ``face``  None where nobody could tell; ``why``: as in ``doubt``, or "again", "back", "number"
    ``keyed`` the face that was entered by hand in its place, None if none was
    """

    face: int | None
    origin: Origin
    why: str
    keyed: int | None = None

    def __str__(self) -> str:
        """Return it as people say it: "not 5 dice reader A7 (moved)", "4 for 5 dice reader A7 (tilted)"."""
        instead = "not" if self.keyed is None else f"{self.keyed} for"
        return f"{instead} {'?' if self.face is None else self.face} {self.origin} ({self.why})"

    def as_json(self) -> dict[str, Any]:
        """Return it as a member of ``unused``."""
        face, keyed = (
            ({} if value is None else {name: value}) for name, value in (("face", self.face), ("keyed", self.keyed))
        )
        return face | self.origin.as_json() | {"why": self.why} | keyed

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Unused:
        """Return what a member of ``unused`` says."""
        return cls(told.get("face"), Origin.of(told), told["why"], told.get("keyed"))


Mode: TypeAlias = Literal["", "override", "reroll"]


class Submission(NamedTuple):
    """An answer, with all that is known of how it was given.

    ``value``    the answer to the pending question; of a bundle its id, of a sequence all its answers
    ``n``        number of the question that was on the glass then; None: whichever is pending
    ``seat``     whose button it was; of questions in secret also whose it is, which may be in already: it then takes
                 the place of the answer before
    ``mode``     ``override``: a card says otherwise, so a barred option is taken; ``reroll``: the judge lets dice be
                 thrown again that stand from before an undo
    ``origins``  where each face of a throw came from, in their order; empty: all from ``source``
    ``unused``   what dice told for it that does not count
    ``source``   where it came from (keys, judge at the keys, box-dice, panel with role and pass, drive)
    ``at``       monotonic time, s
    """

    value: object
    n: int | None = None
    seat: str | None = None
    mode: Mode = ""
    origins: tuple[Origin, ...] = ()
    unused: tuple[Unused, ...] = ()
    source: str = ""
    at: float = 0.0

    @classmethod
    def of(cls, given: object) -> Submission:
        """Return what was given, a plain value as an answer of which nothing more is known."""
        return given if isinstance(given, cls) else cls(given)


def plain_answer(answer: Any) -> Any:
    """Return an answer as JSON has it."""
    return list(answer) if isinstance(answer, (list, tuple)) else answer


LONGEST_NAME: Final = 40
"""Letters of a source, or of the name of a die, at most: what is recorded can be exported and read again."""


def check_origins(origins: Sequence[Origin], answer: object) -> None:
    """Raise Malformed unless there is one origin for each face of an answer, or none at all, each with fit names."""
    faces = len(answer) if isinstance(answer, (list, tuple)) else 0
    if origins and len(origins) != faces:
        raise Malformed(f"expected where each of {faces} faces came from, got {len(origins)}")
    for origin in origins:
        if not _is_share(origin.certainty):
            raise Malformed(f"certainty of a face: expected 0 to 1000, got {origin.certainty!r:.60}")
        if not _PICTURE.fullmatch(origin.picture):
            raise Malformed(f"picture of a face: expected 64 hexadecimal digits, got {origin.picture!r:.60}")
        for what, name in (("source", origin.source), ("die", origin.die), ("doubt", origin.doubt)):
            if len(name) > LONGEST_NAME or not name.isprintable():
                raise Malformed(
                    f"{what} of a face: expected at most {LONGEST_NAME} printable letters, got {name!r:.60}"
                )


def origins_of(source: str, count: int, extra: Mapping[str, Any]) -> tuple[Origin, ...]:
    """Return where each of ``count`` faces of an entry came from."""
    if "faces" not in extra:
        return (Origin(source),) * count
    return tuple(map(Origin.of, extra["faces"]))


def unused_of(extra: Mapping[str, Any]) -> tuple[Unused, ...]:
    """Return what dice told for a throw that does not count."""
    return tuple(map(Unused.of, extra.get("unused", ())))


def faces_member(source: str, origins: Sequence[Origin]) -> dict[str, Any]:
    """Return the member ``faces`` of an entry of that source; nothing where it would say no more than the source."""
    if not origins or all(origin == Origin(source) for origin in origins):
        return {}
    return {"faces": [origin.as_json() for origin in origins]}


def unused_member(unused: Sequence[Unused]) -> dict[str, Any]:
    """Return the member ``unused``; nothing where there is none."""
    return {"unused": [each.as_json() for each in unused]} if unused else {}


def in_words(faces: Sequence[int], origins: Sequence[Origin], unused: Sequence[Unused] = ()) -> str:
    """Return where the faces came from as people say it; "" where all were keyed in at the box, and nothing else."""
    names = [str(origin) for origin in origins]
    texts = [f"{face} {name}" for face, name in zip(faces, names, strict=True)]
    if len(set(names)) == 1:
        texts = [] if origins[0] == Origin("keys") else names[:1]
    return ", ".join((*texts, *map(str, unused)))


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
    unused = value.get("unused", [])
    if not isinstance(unused, list) or not all(_is_face(each) and _is_unused(each) for each in unused):
        raise Malformed("extra.unused: expected a list of objects, each with a source and why")
    corrected = value.get("corrected", {"was": [], "by": "table"})
    if not isinstance(corrected, dict) or "was" not in corrected or corrected.get("by") not in RIGHTS:
        raise Malformed(f"extra.corrected: expected an object with was, and by: {' or '.join(RIGHTS)}")
    if not all(value.get(name, True) is True for name in ("sealed", "opened")):
        raise Malformed("extra.sealed, extra.opened: expected true")
    return value


def _is_face(face: object) -> bool:
    if not isinstance(face, dict) or type(face.get("source")) is not str:
        return False
    texts = all(type(face.get(name, "")) is str for name in ("die", "doubt", "picture"))
    return texts and _is_share(face.get("certainty"))


def _is_unused(told: Mapping[str, Any]) -> bool:
    faces = (None, *range(1, 7))
    return type(told.get("why")) is str and told.get("face") in faces and told.get("keyed") in faces


def _is_share(certainty: object) -> bool:
    return certainty is None or (type(certainty) is int and 0 <= certainty <= 1000)


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
