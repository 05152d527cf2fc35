"""Decode text from any editor, spreadsheet or browser, and remove invisible characters.

Byte order marks, soft hyphens, marks of direction and unusual spaces are normalised. Control characters and blank
letters are refused with their place.
"""

from __future__ import annotations

import re
import unicodedata
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
_UNSEEN: Final = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d]")
"""Marks without any ink of their own."""
_SKINS: Final = re.compile("[\U0001f3fb-\U0001f3ff]")


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
    marks = above = 0
    for letter in unicodedata.normalize("NFD", text):
        if _kind(letter) == "M":
            marks, above = marks + 1, above + bool(unicodedata.combining(letter))
        elif letter not in JOINERS:
            marks = above = 0
        if above > MARKS or marks > 2 * MARKS:
            raise Malformed(f"expected at most {MARKS} marks on a letter")
    return text


def name(text: object, most: int = LONGEST) -> str:
    """Return the name of somebody, as `line`; "" is nobody. Raises Malformed in words for whoever typed it.

    It has at most ``most`` visible letters, digits and signs; the marks on them do not count.
    """
    if not isinstance(text, str):
        raise Malformed("a name is text")
    text = line(text)
    hidden = next((each for each in text if each in _BLANK or _UNSEEN.match(each) or _kind(each) in {"C", "Z"}), "")
    if text and (hidden or _kind(text[0]) == "M"):
        raise Malformed(f"a name has letters that can be seen, not U+{ord(hidden or text[0]):04X}")
    if text and not any(_kind(each) in {"L", "N"} or unicodedata.category(each) == "So" for each in text):
        raise Malformed("a name has at least one letter")
    count = sum(_kind(each) != "M" and each not in JOINERS and not _SKINS.match(each) for each in text)
    if count > most:
        raise Malformed(f"a name has at most {most} letters, this one has {count}")
    return text


def _kind(letter: str) -> str:
    """Return the class of a letter, "" of a space and of a joiner."""
    return "" if letter == " " or letter in JOINERS else unicodedata.category(letter)[0]
