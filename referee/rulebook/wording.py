"""Texts in two lengths: a short form for the glass, and whole words for the voice and wherever there is room.

The string itself is the short form; `whole` returns the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Self


class Short(str):
    """A short form that knows its whole words; as a string it is the short form, and only that is recorded.

    ``whole``: what a voice says and a panel shows; "" where the short form adds nothing to what stands beside it
    """

    __slots__ = ("_whole",)
    _whole: str | Callable[[], str]

    def __new__(cls, short: str, whole: str | Callable[[], str]) -> Self:
        """Take both forms; the whole words as a function where they cost something and are seldom read."""
        self = super().__new__(cls, short)
        self._whole = whole
        return self

    @property
    def whole(self) -> str:
        """The whole words."""
        if callable(self._whole):
            self._whole = self._whole()
        return self._whole

    def __reduce__(self) -> tuple[type[Short], tuple[str, str]]:
        return Short, (str(self), self.whole)


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
    return Short(form.format(*parts), partial(_phrase, form, parts))


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
    return Short(between.join(filter(None, texts)), partial(_joined, between, texts))


def _joined(between: str, texts: tuple[str, ...]) -> str:
    return whole(between).join(filter(None, map(whole, texts)))
