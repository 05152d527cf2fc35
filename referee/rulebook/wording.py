"""Texts in two lengths: a short form for the glass, and whole words for the voice and wherever there is room.

The string itself is the short form; `whole` returns the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

_new = str.__new__


class Short(str):
    """A short form that knows its whole words; as a string it is the short form, and only that is recorded.

    ``whole``  what a voice says and a panel shows; "" where the short form adds nothing to what stands beside it
    ``words``  the same, or until somebody reads it the function that works it out, and what of: a form and its parts
    """

    __slots__ = ("words",)
    words: str | tuple[Any, ...]

    def __new__(cls, short: str, whole: str) -> Self:
        """Take both forms."""
        self = _new(cls, short)
        self.words = whole
        return self

    @property
    def whole(self) -> str:
        """The whole words."""
        if type(self.words) is tuple:
            work_out, *given = self.words
            self.words = work_out(*given)
        return self.words  # type: ignore[return-value]

    def __reduce__(self) -> tuple[type[Short], tuple[str, str]]:
        return Short, (str(self), self.whole)


def shortened(short: str, work_out: Callable[..., str], *given: Any) -> Short:
    """Return a short form whose whole words are worked out of what is given, once somebody reads them."""
    text = _new(Short, short)
    text.words = work_out, *given
    return text


def whole(text: str) -> str:
    """Return the whole words of a text: its own where it has no short form.

    >>> whole(Short("FP", "Free Peoples")), whole("Shadow")
    ('Free Peoples', 'Shadow')
    """
    return text.whole if isinstance(text, Short) else text


def phrase(form: str, *parts: object) -> Short:
    """Return ``form`` with the parts in the place of each "{}", in both lengths.

    >>> lost = phrase("{} lost {}", Short("FP", "Free Peoples"), Short("R2", "2 Regulars"))
    >>> str(lost), whole(lost)
    ('FP lost R2', 'Free Peoples lost 2 Regulars')
    """
    text = _new(Short, form.format(*parts))
    text.words = _phrase, form, parts
    return text


def _phrase(form: str, parts: tuple[object, ...]) -> str:
    return whole(form).format(*(whole(part) if isinstance(part, str) else part for part in parts))


def after(subject: str, text: str) -> str:
    """Return the whole words of a text that stands after those of its subject: without naming it once more.

    >>> after("Free Peoples", "Free Peoples: how many hits? 2"), after("Shadow", "Shadow lost 2 units")
    ('How many hits? 2', 'Shadow lost 2 units')
    """
    subject, text = whole(subject), whole(text)
    rest = next((text[len(subject + sign) :] for sign in (": ", ", ", ". ") if text.startswith(subject + sign)), text)
    return rest[:1].upper() + rest[1:] if subject and rest else text


def written(text: str) -> str:
    """Return the whole words of a text as a sentence to read: with a capital and a full stop; "" where it has none.

    >>> written(Short("D 9", "the defender is eliminated on 9 (BR-45)")), written("Who attacks?")
    ('The defender is eliminated on 9 (BR-45).', 'Who attacks?')
    """
    text = whole(text)
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".?!" else f"{text}."


def joined(between: str, parts: Iterable[str]) -> Short:
    """Return texts in a row, in both lengths; a part that has no words in one of them is left out there.

    >>> whole(joined(", ", (Short("CP 3", "3 corruption points"), "safe")))
    '3 corruption points, safe'
    """
    texts = tuple(parts)
    return shortened(between.join(filter(None, texts)), _joined, between, texts)


def _joined(between: str, texts: tuple[str, ...]) -> str:
    return whole(between).join(filter(None, map(whole, texts)))
