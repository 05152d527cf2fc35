"""Decode text from any editor, spreadsheet or browser, and remove invisible characters.

Byte order marks, soft hyphens, marks of direction and unusual spaces are normalised. Control characters and blank
letters are refused with their place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.errors import Malformed
from referee.files import bounded
from referee.files.plain import JOINERS, joins

LONGEST: Final = 24
"""Letters of a name at a table, as people count them."""
MARKS: Final = 3
"""Marks above or below that one letter may carry, more climb over other lines; of all kinds twice as many."""

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_LINE_ENDS: Final = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\ufffd\U0001d159")
"""Letters and signs by their category that show nothing: fillers, blanks, and what stands for something lost."""
_VARIATIONS: Final = re.compile("[\ufe0e\ufe0f\U000e0100-\U000e01ef]")
_UNSEEN: Final = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d]")
"""Marks without any ink of their own."""
_SKINS: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_FLAGS: Final = re.compile("[\U0001f1e6-\U0001f1ff]")
_JOINER: Final = "\u200d"
_PARTS: Final = 4
"""Emoji that can be joined to one; of more each is seen."""


class NotText(ValueError):
    """Bytes that are no text. ``line``: the first one that cannot be read."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}: expected text: save the file as UTF-8")
        self.line = line


def decoded(data: bytes) -> str:
    """Return the text of a file: in the encoding that its byte order mark names, else UTF-8, else Windows-1252.

    Raises NotText, also where only some of it is UTF-8: that is no other encoding, but damage.
    """
    mark, encoding = next((each for each in _BOMS if data.startswith(each[0])), (b"", "utf-8"))
    body = data[len(mark) :]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as fault:
        good = body[: fault.start].decode(encoding)
        if not mark and body.decode("utf-8", "ignore").isascii():
            try:
                return body.decode("cp1252")
            except UnicodeDecodeError:
                pass
        raise NotText(cleaned(good).count("\n") + 1) from None


def cleaned(text: str) -> str:
    r"""Return a text whose lines end with a newline, with plain spaces, and without unseen signs.

    >>> cleaned("\ufeffGrüner\u00a0Dra\u00adche\r\n")
    'Grüner Drache\n'
    """
    text = _LINE_ENDS.sub("\n", text)
    if text.isascii():
        return text
    return "".join(_seen(text, at) for at in range(len(text)))


def _seen(text: str, at: int) -> str:
    letter = text[at]
    if letter.isprintable() or letter in "\n\t" or joins(text, at):
        return letter
    return {"Zs": " ", "Cf": ""}.get(unicodedata.category(letter), letter)


def read(path: Path) -> str:
    """Return a text file that somebody wrote, cleaned. Raises OSError, or ValueError saying what was expected."""
    return cleaned(decoded(bounded.data(path)))


def line(text: str) -> str:
    """Return one line, cleaned, in Unicode's composed form and with single spaces. Raises Malformed."""
    text = re.sub("[ \t]+", " ", unicodedata.normalize("NFC", cleaned(text).strip()))
    for letter in text:
        if not (letter.isprintable() or letter in JOINERS):
            raise Malformed(f"expected one line of letters, got U+{ord(letter):04X}")
    for letter in letters(text):
        parts = unicodedata.normalize("NFD", letter)
        if sum(map(bool, map(unicodedata.combining, parts))) > MARKS or sum(map(_is_mark, parts)) > 2 * MARKS:
            raise Malformed(f"expected at most {MARKS} marks on a letter")
    return text


def name(text: object, most: int = LONGEST) -> str:
    """Return the name of somebody, as `line`; "" is nobody. Raises Malformed in words for whoever typed it.

    It is what is seen of it: at most ``most`` letters, digits and signs as people count them, each with its marks.
    """
    if not isinstance(text, str):
        raise Malformed("a name is text")
    text = line(text)
    seen = letters(text)
    blank = next((letter for letter in seen if not _visible(letter)), "")
    if blank:
        codes = " ".join(f"U+{ord(each):04X}" for each in blank[:4])
        raise Malformed(f"a name has letters that can be seen, not {codes}")
    if text and not any(_kind(letter)[0] in "LN" or _kind(letter) == "So" for letter in seen):
        raise Malformed("a name has at least one letter")
    count = sum(1 if letter.count(_JOINER) < _PARTS else 1 + letter.count(_JOINER) for letter in seen)
    if count > most:
        raise Malformed(f"a name has at most {most} letters, this one has {count}")
    return text


def letters(text: str) -> Sequence[str]:
    r"""Return the letters of a text as people count them: with marks, and the parts of one emoji together.

    >>> len(letters("Zoe\u0308 \U0001f469\u200d\U0001f467"))
    5
    """
    found: list[str] = []
    for each in text:
        if found and _goes_on(found[-1], each):
            found[-1] += each
        else:
            found.append(each)
    return found


def _goes_on(letter: str, each: str) -> bool:
    """Return whether a sign belongs to the letter before it (in short, UAX 29)."""
    if _is_mark(each) or each in JOINERS or _SKINS.match(each):
        return True
    if letter.endswith(_JOINER):
        return _kind(each) == "So"
    return bool(_FLAGS.match(each) and _FLAGS.fullmatch(letter))


def _kind(letter: str) -> str:
    return unicodedata.category(letter[0])


def _is_mark(letter: str) -> bool:
    return _kind(letter)[0] == "M"


def _visible(letter: str) -> bool:
    """Return whether a letter is one that is seen, with nothing unseen in it but one variation of each sign."""
    if letter[0] in _BLANK or not (letter[0] == " " or _kind(letter)[0] in "LNPS"):
        return False
    parts = letter.split(_JOINER)
    return not _UNSEEN.search(letter) and all(len(_VARIATIONS.findall(part)) <= 1 for part in parts)
