"""The text file of a card: what people write into it with whatever editor they have, and what they are told."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from referee.config import Config
from referee.station.card.settings import MOST, parse

GOOD = """\
# Settings
[box]
hostname = "table-3"
ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop"

[wifi]
name = "Gasthof Grüner Drache"
password = "mellon mellon"
country = "DE"

[hall]
address = "192.168.1.10:8470"

[table]
players = ["Anna", "Jürgen"]
"""


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        GOOD.encode("utf-8-sig"),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\r\n").encode("utf-8-sig"),
        GOOD.replace("\n", "\r").encode(),
        b"\xff\xfe" + GOOD.replace("\n", "\r\n").encode("utf-16-le"),
        b"\xfe\xff" + GOOD.encode("utf-16-be"),
        GOOD.encode("cp1252"),
    ],
    ids=["unix", "bom", "windows", "notepad", "mac", "utf-16", "utf-16-be", "windows-1252"],
)
def test_a_file_is_read_as_any_editor_saves_it(data: bytes) -> None:
    settings, faults = parse(data)
    assert faults == []
    assert settings.box.hostname == "table-3"
    assert settings.wifi.name == "Gasthof Grüner Drache"
    assert settings.config is not None
    assert (settings.config.hall.address, settings.config.table.players) == ("192.168.1.10:8470", ("Anna", "Jürgen"))


def test_an_empty_file_asks_for_nothing() -> None:
    settings, faults = parse(b"# nothing yet\n[wifi]\n")
    assert (faults, settings.config, settings.wifi.name) == ([], None, "")
    assert parse(b"")[1] == []


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('[box]\nhostname = "my box"\n', 2, "letters a to z, digits and -"),
        ('[box]\n\nhostname = "-a"\n', 3, "letters a to z, digits and -"),
        ('[box]\nssh_key = "hello"\n', 2, "the line of a public key"),
        ('[box]\nssh_key = "ssh-ed25519 AAAA\\nroot"\n', 2, "the line of a public key"),
        ('[wifi]\nname = "x"\npassword = "short"\ncountry = "DE"\n', 3, "8 to 63 letters"),
        ('[wifi]\nname = "x"\npassword = "grün grün"\ncountry = "DE"\n', 3, "without accents"),
        ('[wifi]\nname = "x"\npassword = "mellon\\nmellon"\ncountry = "DE"\n', 3, "8 to 63 letters"),
        ('[wifi]\nname = "x"\ncountry = "de"\n', 3, "two capitals"),
        ('[wifi]\n\nname = "x"\n', 3, "the country in two capitals"),
        ('[wifi]\npassword = "mellon mellon"\ncountry = "DE"\n', 2, "wifi.name: expected the name of a network"),
        (f'[wifi]\nname = "{"x" * 33}"\ncountry = "DE"\n', 2, "at most 32 bytes"),
        ("[wifi]\nname = 7\n", 2, "the name of a network"),
        ('[wifi]\nhidden = "no"\n', 2, "true or false"),
        ('[wlan]\nname = "x"\n', 1, "one of the sections [box], [wifi], [table]"),
        ('[wifi]\nssid = "x"\n', 2, "one of name, password, country, hidden"),
        ('[hall]\naddress = "somewhere"\n', 2, "host and port"),
        ('[clock]\nmode = "fischer"\n', 2, "a time above 0"),
        ("[wifi]\nname = Gasthof\n", 2, 'KEY = "VALUE"'),
        ("[wifi]\nname = “Gasthof”\n", 2, "straight quotation marks"),
        ('[wifi]\nname = "a"\nname = "b"\n', 3, "each key once"),
        ("[wifi\n", 1, "[SECTION]"),
        ("hello\n", 1, "[SECTION]"),
    ],
)
def test_every_mistake_is_told_with_its_line_and_what_was_expected(text: str, line: int, expected: str) -> None:
    (fault,) = parse(text.encode())[1]
    assert fault.startswith(f"referee.txt:{line}: ")
    assert expected in fault
    assert f"referee.txt:{line}: " in parse(text.replace("\n", "\r\n").encode())[1][0]


def test_all_mistakes_are_told_and_no_password() -> None:
    text = '[box]\nhostname = "my box"\n[wifi]\nname = "x"\npassword = "geheim"\n[panel]\nport = "x"\n'
    faults = parse(text.encode())[1]
    assert [fault.split(":")[1] for fault in faults] == ["2", "5", "7"]
    assert "geheim" not in " ".join(faults)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x" * (MOST + 1), f"at most {MOST} bytes"),
        (b'[box]\nhostname = "a"\n# \xc3\xb6 J\xfcrgen\n', "referee.txt:3: expected text: save the file as UTF-8"),
        (b"\xff\xfea", "save the file as UTF-8"),
        (b"\x7fELF\x02\x01\x00\x00", "expected [SECTION]"),
        (b"a=" + b"[" * 5000, "fewer levels of nesting"),
        (b"a=" + b"9" * 5000, "shorter numbers"),
    ],
    ids=["huge", "two encodings", "half a letter", "a program", "deep", "long number"],
)
def test_a_hostile_file_is_told_in_a_line(data: bytes, expected: str) -> None:
    settings, (fault,) = parse(data)
    assert expected in fault
    assert (settings.config, settings.wifi.name) == (None, "")


def test_noise_is_never_a_crash() -> None:
    chance = random.Random(3)
    for _ in range(300):
        data = bytearray(GOOD.encode())
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        settings, faults = parse(bytes(data))
        assert all("\n" not in fault for fault in faults)
        assert faults or isinstance(settings.config, Config | None)


def test_the_file_that_comes_with_a_card_asks_for_nothing_and_is_right_without_its_marks() -> None:
    data = (Path(__file__).parents[2] / "firmware/card/boot/referee.txt").read_text(encoding="utf-8")
    settings, faults = parse(data.encode())
    assert (faults, settings.config, settings.wifi.name, settings.box.hostname) == ([], None, "", "")
    key = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
    settings, faults = parse(re.sub(r"(?m)^#(?! )", "", data).replace("AAAA...", key).encode())
    assert faults == []
    assert settings.config is not None
    assert (settings.wifi.country, settings.config.hall.address) == ("DE", "192.168.1.10:8470")
    assert settings.config.bluetooth_dice.use, "without which the menu has no page for dice"
