"""Text from outside: whatever an editor or a spreadsheet leaves in it unseen is read as it was meant, or refused."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.errors import BadPinMap
from hardware.pins import load
from referee import config
from referee.errors import ConfigError, Malformed
from referee.files import outside
from referee.hall.pages.players import Entered, read_roster
from referee.station import card as text_file
from referee.web.hub import parse

SAVED: dict[str, Callable[[str], bytes]] = {
    "utf-8": str.encode,
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "utf-16, big end first": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "utf-32": lambda text: b"\xff\xfe\x00\x00" + text.encode("utf-32-le"),
    "windows-1252": lambda text: text.encode("cp1252"),
    "windows": lambda text: text.replace("\n", "\r\n").encode(),
    "mac": lambda text: text.replace("\n", "\r").encode(),
    "line separators": lambda text: text.replace("\n", "\u2028").encode(),
    "paragraph separators": lambda text: text.replace("\n", "\u2029").encode(),
    "next lines": lambda text: text.replace("\n", "\x85").encode(),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0").encode(),
    "thin spaces": lambda text: text.replace(" ", "\u2009").encode(),
    "soft hyphens": lambda text: text.replace("a", "a\u00ad").encode(),
    "zero-width spaces": lambda text: text.replace("\n", "\u200b\n").encode(),
    "marks of direction": lambda text: text.replace("=", "=\u200e").replace("\n", "\u202c\n\u202a").encode(),
    "a mark in the middle": lambda text: text.replace("\n", "\n\ufeff").encode(),
    "blank lines at the end": lambda text: (text + "\n \n\n").encode(),
}
"""How a text may have been saved, by what is peculiar about it."""

saved = pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)

TOML = """\
# Grüße
[table]
players = ["Anna Öz", "Bo Li"]
"""
PLAYERS = 'name;rating\n"Öz; Anna";1650\nGrün Li;\n'
ENTERED = [Entered("Öz; Anna", 1650), Entered("Grün Li")]


@saved
def test_a_configuration(save: Callable[[str], bytes], tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    path.write_bytes(save(TOML))
    assert config.load(path).table.players == ("Anna Öz", "Bo Li")
    card, faults = text_file.parse(save(TOML))
    assert faults == []
    assert card.config is not None
    assert card.config.table.players == ("Anna Öz", "Bo Li")


@saved
def test_a_list_of_players(save: Callable[[str], bytes]) -> None:
    assert read_roster(outside.decoded(save(PLAYERS))) == ENTERED


DAMAGED = {
    "two encodings": (
        b'# \xc3\xb6\n[table]\nplayers = ["Anna \xd6z"]\n',
        ":3: expected text: save the file as UTF-8",
    ),
    "half a letter": (b"\xff\xfe#\x00\n\x00a", ":2: expected text: save the file as UTF-8"),
    "NUL": (b'[table]\nplayers = ["An\0na"]\n', ":2: "),
    "UTF-16 without a mark": ('[table]\nplayers = ["Anna"]\n'.encode("utf-16-le"), ":1: "),
}


@pytest.mark.parametrize(("data", "expected"), DAMAGED.values(), ids=DAMAGED)
def test_what_is_damaged_is_refused_with_its_line(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "referee.txt"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as refused:
        config.load(path)
    with pytest.raises(BadPinMap) as unpinned:
        load(path, outside.read)
    line = expected.split(":")[1]
    for told in (str(refused.value), str(unpinned.value)):
        assert told.startswith(f"{path}: ")
        assert f"line {line}" in told
    card, (fault,) = text_file.parse(data)
    assert fault.startswith(f"referee.txt{expected}")
    assert card == text_file.Settings()


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("\ufeff Anna\u00a0\u00a0Öz\u200b ", "Anna Öz"),
        ("Anna O\u0308z\r\n", "Anna Öz"),
        ("\u202aAn\u00adna\u202c", "Anna"),
        ("Anna\u202eeinna", "Annaeinna"),
        ("An\u200dna", "Anna"),
        ("علی\u200fرضا", "علیرضا"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("\u2066東京\u2069", "東京"),
        ("👩🏽\u200d❤️\u200d👨🏻", "👩🏽\u200d❤️\u200d👨🏻"),
        ("葛\U000e0100飾", "葛\U000e0100飾"),
        ("नि\u0902", "नि\u0902"),
        ("🇩🇪" * 12, "🇩🇪" * 12),
        ("\u200b", ""),
    ],
)
def test_a_name_is_what_is_seen_of_it(typed: str, read: str) -> None:
    """L4: on a panel, at the desk of a hall and on the command line alike."""
    assert outside.name(typed) == read
    assert getattr(parse(json.dumps({"type": "name", "key": "seat-1", "name": typed})), "name", None) == read
    if read:
        assert [each.name for each in read_roster(typed)] == [read]


def test_what_is_no_letter_digit_or_sign_is_dropped_or_refused() -> None:
    """L4: whichever of Unicode it is (but for Han and Hangul, which are all letters)."""
    for letter in map(
        chr, (*range(0x3400), *range(0xA000, 0xAC00), *range(0xD7A4, 0x20000), *range(0xE0000, 0xE0200))
    ):
        try:
            name = outside.name(letter)
        except Malformed:
            continue
        assert name == "" or (name.isprintable() and unicodedata.category(name[0])[0] in "LNS"), hex(ord(letter))
