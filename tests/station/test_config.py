"""The configuration file: every mistake is named with its line and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.clock import Control, Customs
from referee.config import Config, load, parse
from referee.errors import ConfigError


def test_an_empty_file_is_the_defaults() -> None:
    assert parse("") == Config()


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('[table]\n\ndice = "loaded"\n', 3, '"either", "physical" or "box"'),
        ("[table]\ndice = 6\n", 2, '"either", "physical" or "box"'),
        ('[table]\nsounds = ["key", "trumpet"]\n', 2, "a list of some of key"),
        ("[table]\nruling_seconds = -1\n", 2, "a whole number from 0 to 60"),
        ("[table]\nruling_seconds = 2.5\n", 2, "a whole number from 0 to 60"),
        ("[table]\nruling_seconds = true\n", 2, "a whole number from 0 to 60"),
        ('[table]\ncorrections = "nobody"\n', 2, '"table" or "judge"'),
        ("[table]\ncorrections = []\n", 2, '"table" or "judge"'),
        ("[table]\ntournament = 1\n", 2, "true or false"),
        ('[clock]\nuse = "on"\n', 2, '"off", "menu" or "start"'),
        ("[clock]\nuse = true\n", 2, '"off", "menu" or "start"'),
        ('[clock]\nmode = "blitz"\n', 2, '"sudden-death", "fischer"'),
        ("[clock]\ntime = 60\n", 2, 'a time up to 24 h, such as "90 min"'),
        ('[clock]\ntime = "60"\n', 2, 'a time up to 24 h, such as "90 min"'),
        ('[clock]\ntime = "0 s"\n', 2, "clock.time: expected a time above 0, up to 24 h"),
        ('[clock]\n\nextra = "5 s"\n', 3, "clock.extra: expected 0 s for sudden-death"),
        ('[clock]\nextra = "25 h"\n', 2, "a time up to 24 h"),
        ("[clock]\nextra = 30\n", 2, "a time up to 24 h"),
        ('[table]\n[clock]\nmode = "fischer"\n', 3, "clock.extra: expected a time above 0"),
        ('[clock]\ntable = "white"\n', 2, '"nobody" or "common"'),
        ('[clock]\nruling = "buttons"\n', 2, '"nobody" or "common"'),
        ('[clock]\nflag = "ring"\n', 2, '"tell" or "lose"'),
        ("[glass]\ncontrast = 256\n", 2, "a whole number from 0 to 255"),
        ("[glass]\ncontrast = true\n", 2, "a whole number from 0 to 255"),
        ("[glass]\ndim_minutes = 1.5\n", 2, "a whole number from 0 to 1440"),
        ("[panel]\nport = 70000\n", 2, "a whole number from 0 to 65535"),
        ('[panel]\nserve = "yes"\n', 2, "true or false"),
        ('[panel]\nhost = ""\n', 2, "the address of an interface"),
        ('[panel]\nnames = "referee.local"\n', 2, 'a list of host names, ["referee.local"]'),
        ('[panel]\nnames = ["http://referee.local"]\n', 2, "a list of host names"),
        ('[panel]\nnames = ["referee.local/"]\n', 2, "a list of host names"),
        ('[panel]\nnames = ["*"]\n', 2, "a list of host names"),
        ('[panel]\nnames = ["", 1]\n', 2, "a list of host names"),
        (f'[table]\nplayers = ["Anna", "{25 * "x"}", "Ben"]\n', 2, f"each of 1 to 24 letters; got '{25 * 'x'}'"),
        ('[table]\nplayers = "Anna"\n', 2, "a list of names, each of 1 to 24 letters; got 'Anna'"),
        ("[journal]\npath = 1\n", 2, "a path as text"),
        ('[journal]\npath = "/"\n', 2, "a path as text, to a file"),
        ('[journal]\npath = "~nobody-of-that-name/journal.db"\n', 2, "a path as text, to a file"),
        ('[pins]\npath = "a\\u0000b"\n', 2, "a path as text, to a file"),
        ("[hall]\naddress = 1\n", 2, "host and port as text"),
        ('[hall]\naddress = "192.168.1.10"\n', 2, "host and port as text"),
        ('[hall]\naddress = "wss://hall:1"\n', 2, "host and port as text"),
        ('[hall]\naddress = "hall:1/x"\n', 2, "host and port as text"),
        ("# first\n[panel]\nhots = 1\n", 3, "no such key; expected one of serve, host"),
        ("[pnael]\nport = 1\n", 1, "expected one of the sections [table], [clock], [voice], [glass]"),
        ("port = 1\n", 1, "expected one of the sections"),
        ("[glass]\n[panel]\nport = -1\n", 3, "a whole number from 0 to 65535"),
        ("glass.contrast = -1\n", 1, "a whole number from 0 to 255"),
        ("[panel]\n'port' = -1\n", 2, "a whole number from 0 to 65535"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_its_line(text: str, line: int, expected: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, "referee.toml")
    assert str(caught.value).startswith(f"referee.toml:{line}: ")
    assert expected in str(caught.value)


def test_a_clock_is_what_its_section_says() -> None:
    clock = parse(
        '[clock]\nuse = "start"\nmode = "fischer"\nflag = "lose"\ntime = "1 h 30 min"\nextra = "30 s"\n'
    ).clock
    assert clock.control == Control("fischer", 5_400_000, 30_000)
    assert (clock.use, clock.customs) == ("start", Customs(flag="lose"))
    assert Config().clock.control == Control("sudden-death", 3_600_000)


def test_names_of_the_panel_may_have_a_port() -> None:
    names = ["referee.local", "box-1", "192.168.1.20", "referee.example.org:8443"]
    assert parse(f"[panel]\nnames = {names}").panel.names == tuple(names)


@pytest.mark.parametrize("address", ["192.168.1.10:8470", "hall.local:1", "[fe80::1]:8470", ""])
def test_the_hall_has_a_host_and_a_port(address: str) -> None:
    assert parse(f'[hall]\naddress = "{address}"\n').hall.address == address


def test_what_is_not_toml_is_said_with_the_line() -> None:
    with pytest.raises(ConfigError, match=r"not TOML: .*line 2"):
        parse("[table]\ndice = \n")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        load(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe[")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "bytes.toml")
