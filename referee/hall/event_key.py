"""The event key: who has it can start the hall again on another computer, and boxes follow without being paired anew.

It is made of 16 random bytes, which are written as nine words of five letters, the ninth of which checks the others;
so it can be printed and typed in.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from nacl.signing import SigningKey

from referee.errors import JournalError, Malformed
from referee.files import bounded, durable
from referee.journal.seal import Signer

FILE: Final = "event.key"
"""The words, readable by their owner only."""
SIZE: Final = 16
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_LETTERS = (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, _CONSONANTS)
"""What stands in each place of a word, which has 16 bits."""


@dataclass(frozen=True)
class EventKey:
    """``secret``: 16 random bytes."""

    secret: bytes

    @cached_property
    def signer(self) -> Signer:
        """The key that certifies halls."""
        return Signer(SigningKey(sha256(b"referee event key 1\n" + self.secret).digest()))

    @property
    def words(self) -> str:
        """The nine words, in one line."""
        data = self.secret + _check(self.secret)
        return " ".join(_word(int.from_bytes(data[at : at + 2])) for at in range(0, len(data), 2))


def fresh() -> EventKey:
    """Return a new key."""
    return EventKey(os.urandom(SIZE))


def from_words(text: str) -> EventKey:
    """Return the key with these words, however they are spaced. Raises Malformed."""
    words = text.lower().replace("-", " ").split()
    if len(words) != SIZE // 2 + 1:
        raise Malformed(f"event key: expected {SIZE // 2 + 1} words, got {len(words)}")
    data = b"".join(_number(place, word).to_bytes(2) for place, word in enumerate(words, 1))
    if _check(data[:SIZE]) != data[SIZE:]:
        raise Malformed("event key: expected the words as they were printed; one of them is another")
    return EventKey(data[:SIZE])


def save(folder: Path, key: EventKey) -> None:
    """Write the words into the folder of an event. Raises JournalError."""
    try:
        durable.replace(folder / FILE, f"{key.words}\n", 0o600)
    except OSError as fault:
        raise JournalError(f"{folder / FILE}: the event key cannot be saved: {fault.strerror}") from fault


def read(path: Path) -> EventKey:
    """Return the key in a file. Raises JournalError, Malformed."""
    try:
        text = bounded.text(path)
    except (OSError, ValueError) as fault:
        raise JournalError(f"{path}: the event key cannot be read: {bounded.why(fault)}") from fault
    return from_words(text)


def _check(secret: bytes) -> bytes:
    return sha256(b"referee event key check\n" + secret).digest()[:2]


def _word(number: int) -> str:
    letters = []
    for choice in reversed(_LETTERS):
        number, place = divmod(number, len(choice))
        letters.append(choice[place])
    return "".join(reversed(letters))


def _number(place: int, word: str) -> int:
    number = 0
    fits = len(word) == len(_LETTERS)
    for letter, choice in zip(word, _LETTERS, strict=False):
        fits = fits and letter in choice
        number = number * len(choice) + choice.find(letter)
    if not fits:
        raise Malformed(f"event key, word {place}: expected five letters as in {_word(0x4321)}, got {word[:20]!r}")
    return number
