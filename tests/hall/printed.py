"""What stands on each sheet of a PDF that Chromium printed: its letters, in the order in which they are drawn."""

from __future__ import annotations

import re
import zlib

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\s*(.*?)\s*endobj", re.DOTALL)
_PAGE = re.compile(rb"/Type /Page\b(?!s)")
_DRAWN = re.compile(rb"/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj|([\d.]+) 0 0 -?[\d.]+ [-\d.]+ [-\d.]+ cm")
SCALE = 72 / 96
"""Points of a CSS pixel on paper, unless what is printed was made smaller to fit."""


class Sheets:
    """``texts``: letters of each sheet, without white space; ``scales``: points of a CSS pixel on each."""

    def __init__(self, pdf: bytes) -> None:
        self._objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
        self.texts: list[str] = []
        self.scales: list[float] = []
        for page in (each for each in self._objects.values() if _PAGE.search(each)):
            fonts = self._of(rb"/Font", page) if b"/Font" in page else b""
            letters = {name: self._letters(int(number)) for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", fonts)}
            self._read(self._stream(int(re.findall(rb"/Contents (\d+) 0 R", page)[0])), letters)

    def _read(self, content: bytes, letters: dict[bytes, dict[int, str]]) -> None:
        text, font, scales = "", b"", [float(each) for _, _, each in _DRAWN.findall(content) if each]
        for name, glyphs, _ in _DRAWN.findall(content):
            font = name or font
            for at in range(0, len(glyphs), 4):
                text += letters[font][int(glyphs[at : at + 4], 16)]
        self.texts.append("".join(text.split()))
        self.scales.append(scales[0] * scales[1])

    def _of(self, key: bytes, body: bytes) -> bytes:
        """Return what stands under a key, here or in the object that is named there."""
        rest = body.partition(key)[2]
        named = re.match(rb"\s*(\d+) 0 R", rest)
        return self._objects[int(named[1])] if named else rest.partition(b">>")[0]

    def _stream(self, number: int) -> bytes:
        head, _, rest = self._objects[number].partition(b"stream")
        data = rest.lstrip(b"\r\n").rpartition(b"endstream")[0]
        return zlib.decompress(data) if b"FlateDecode" in head else data

    def _letters(self, font: int) -> dict[int, str]:
        """Return the letters of a font's glyphs, by their numbers."""
        table = self._stream(int(re.findall(rb"/ToUnicode (\d+) 0 R", self._objects[font])[0])).decode()
        letters: dict[int, str] = {}
        for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
            for glyph, letter in re.findall(r"<(\w+)> <(\w+)>", block):
                letters[int(glyph, 16)] = bytes.fromhex(letter).decode("utf-16-be")
        for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
            for first, last, letter in re.findall(r"<(\w+)> <(\w+)> <(\w+)>", block):
                for at in range(int(first, 16), int(last, 16) + 1):
                    letters[at] = chr(int(letter, 16) + at - int(first, 16))
        return letters
