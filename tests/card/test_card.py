"""The text file of a card: what people write into it, what they are told, and what it does to the system."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from referee.cli.exits import CONFIG, OK
from referee.cli.main import main
from referee.config import load
from referee.errors import ConfigError
from referee.files import durable
from referee.station.card import MOST, PROBLEMS, apply, check, parse

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
    assert settings.of("box", "hostname") == "table-3"
    assert settings.of("wifi", "name") == "Gasthof Grüner Drache"
    assert settings.config is not None
    assert (settings.config.hall.address, settings.config.table.players) == ("192.168.1.10:8470", ("Anna", "Jürgen"))


def test_an_empty_file_asks_for_nothing() -> None:
    settings, faults = parse(b"# nothing yet\n[wifi]\n")
    assert (faults, settings.config, settings.of("wifi", "name")) == ([], None, "")
    assert parse(b"")[1] == []


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('[box]\nhostname = "my box"\n', 2, "letters a to z, digits and -"),
        ('[box]\nssh_key = "hello"\n', 2, "the line of a public key"),
        ('[box]\nssh_key = "ssh-ed25519 AAAA\\nroot"\n', 2, "the line of a public key"),
        ('[wifi]\nname = "x"\npassword = "short"\ncountry = "DE"\n', 3, "8 to 63 letters"),
        ('[wifi]\nname = "x"\npassword = "grün grün"\ncountry = "DE"\n', 3, "without accents"),
        ('[wifi]\nname = "x"\npassword = "mellon\\nmellon"\ncountry = "DE"\n', 3, "8 to 63 letters"),
        ('[wifi]\nname = "x"\ncountry = "de"\n', 3, "two capitals"),
        ('[wifi]\n\nname = "x"\n', 3, "the country in two capitals"),
        ('[wifi]\npassword = "mellon mellon"\ncountry = "DE"\n', 2, "wifi.name: expected the name of a network"),
        ('[wifi]\nhidden = "no"\n', 2, "true or false"),
        ('[wlan]\nname = "x"\n', 1, "one of the sections [box], [wifi], [table]"),
        ('[hall]\naddress = "somewhere"\n', 2, "host and port"),
        ('[clock]\nmode = "fischer"\n', 2, "a time above 0"),
        ("[wifi]\nname = Gasthof\n", 2, 'KEY = "VALUE"'),
        ("[wifi]\nname = “Gasthof”\n", 2, "straight quotation marks"),
        ('[wifi]\nname = "a"\nname = "b"\n', 3, "each key once"),
        ("[wifi\n", 1, "[SECTION]"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_was_expected(text: str, line: int, expected: str) -> None:
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
    assert (settings.config, settings.of("wifi", "name")) == (None, "")


def test_the_file_on_a_new_card_is_right_without_its_marks() -> None:
    data = (Path(__file__).parents[2] / "firmware/card/boot/referee.txt").read_text(encoding="utf-8")
    settings, faults = parse(data.encode())
    assert (faults, settings.config, settings.of("wifi", "name"), settings.of("box", "hostname")) == (
        [],
        None,
        "",
        "",
    )
    key = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
    settings, faults = parse(re.sub(r"(?m)^#(?! )", "", data).replace("AAAA...", key).encode())
    assert faults == []
    assert settings.config is not None
    assert (settings.of("wifi", "country"), settings.config.hall.address) == ("DE", "192.168.1.10:8470")
    assert settings.config.bluetooth_dice.use, "without which the menu has no page for dice"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    folder = tmp_path / "card"
    folder.mkdir()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "etc").mkdir(parents=True)
    (tmp_path / "root" / "etc" / "hosts").write_text("127.0.0.1 localhost\n127.0.1.1 referee\n10.0.0.1 nas\n")
    return tmp_path / "root"


def tree(root: Path) -> dict[str, tuple[str, int, int]]:
    return {
        str(path.relative_to(root)): (path.read_text(), stat.S_IMODE(path.stat().st_mode), path.stat().st_mtime_ns)
        for path in root.rglob("*")
        if path.is_file() and path.name != "problems"
    }


def test_all_is_in_its_place_and_the_password_for_root_alone(card: Path, root: Path) -> None:
    (card / "referee.txt").write_bytes(GOOD.replace("\n", "\r\n").encode("utf-8-sig"))
    apply(card, root)
    files = tree(root)
    wifi, mode, _ = files["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"]
    assert mode == 0o600
    assert f"ssid={'Gasthof Grüner Drache'.encode().hex()}\n" in wifi
    assert 'psk="mellon mellon"\n' in wifi
    assert wifi.startswith("country=DE\n")
    assert [name for name, (text, _, _) in files.items() if "mellon" in text] == [
        "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    ]
    assert files["etc/hostname"][0] == "table-3\n"
    assert files["etc/hosts"][0] == "127.0.0.1 localhost\n10.0.0.1 nas\n127.0.1.1 table-3\n"
    assert files["etc/ssh/authorized_keys"][0].startswith("ssh-ed25519 AAAA")
    config = load(root / "etc/referee/referee.toml")
    assert (config.hall.address, config.table.players) == ("192.168.1.10:8470", ("Anna", "Jürgen"))
    assert "IPAddressAllow=10.0.0.0/8" in files["etc/systemd/system/referee.service.d/network.conf"][0]


def test_nothing_changes_when_nothing_changed(card: Path, root: Path) -> None:
    (card / "referee.txt").write_text(GOOD)
    assert len(apply(card, root)) == 6
    before = tree(root)
    assert apply(card, root) == []
    assert tree(root) == before
    (root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").chmod(0o644)
    assert apply(card, root) == ["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"], "a secret that others could read"


def test_with_one_mistake_nothing_is_used(card: Path, root: Path) -> None:
    (card / "referee.txt").write_text(GOOD)
    apply(card, root)
    before = tree(root)
    (card / "referee.txt").write_text(GOOD.replace("table-3", "table-4").replace('"DE"', '"Germany"'))
    with pytest.raises(ConfigError, match=r"referee\.txt is not used: referee\.txt:9: wifi\.country"):
        apply(card, root)
    assert tree(root) == before
    problems = root / PROBLEMS
    expected = "referee.txt:9: wifi.country: expected the country in two capitals"
    assert problems.read_text() == f"{expected}: \"DE\"; got 'Germany'\n"
    (card / "referee.txt").write_text(GOOD)
    apply(card, root)
    assert problems.read_text() == ""


@pytest.mark.parametrize(
    "why", ["No space left on device", "Is a directory", "the card's first partition is not mounted"]
)
def test_what_keeps_a_right_file_from_being_applied_is_told(
    card: Path, root: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    text, hostname = card / "referee.txt", root / "etc/hostname"
    with monkeypatch.context() as patch:
        if why.startswith("No space"):
            patch.setattr(durable, "replace", full)
        if why.startswith("Is"):
            hostname.mkdir()
        if "mounted" not in why:
            text.write_text(GOOD)
        with pytest.raises(OSError, match=why):
            apply(card, root)
    assert (root / PROBLEMS).read_text() == f"referee.txt cannot be applied: {why}\n"
    if hostname.exists():
        hostname.rmdir()
    text.write_text(GOOD)
    assert "etc/hostname" in apply(card, root)
    assert (root / PROBLEMS).read_text() == ""


def full(path: Path, data: str | bytes, mode: int, _replace: Callable[..., None] = durable.replace) -> None:
    """A card without room; memory has some."""
    if "run" not in path.parts:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    _replace(path, data, mode)


def test_the_station_may_leave_the_machine_only_if_it_has_to(card: Path, root: Path) -> None:
    drop_in = root / "etc/systemd/system/referee.service.d/network.conf"
    commands: list[Sequence[str]] = []
    for text, allowed in (
        ('[panel]\nhost = "0.0.0.0"\n', True),
        ('[panel]\nhost = "127.0.0.1"\n', False),
        ('[hall]\naddress = "hall.local:8470"\n', True),
        ('[panel]\nhost = "0.0.0.0"\nserve = false\n', False),
    ):
        (card / "referee.txt").write_text(text)
        apply(card, root, commands.append)
        assert drop_in.exists() is allowed
    assert commands == [["systemctl", "daemon-reload"]] * 4


@pytest.mark.parametrize("password", ['say "friend"', "back\\slash # hash", "'; reboot '", "a}\\u0007 network={"])
def test_a_password_is_itself_whatever_it_contains(card: Path, root: Path, password: str) -> None:
    """wpa_supplicant.conf(5): everything between the first and the last quotation mark of the line."""
    escaped = password.replace("\\", "\\\\").replace('"', '\\"')
    (card / "referee.txt").write_text(f'[wifi]\nname = "x"\ncountry = "DE"\npassword = "{escaped}"\n')
    if not password.isprintable():
        with pytest.raises(ConfigError):
            apply(card, root)
        return
    apply(card, root)
    lines = (root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").read_text().splitlines()
    (line,) = (line.strip() for line in lines if "psk=" in line)
    assert line == f'psk="{password}"'


def test_check_names_every_mistake_and_apply_what_it_changed(
    card: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = card / "referee.txt"
    file.write_text(GOOD)
    assert main(["card", "check", str(file)]) == OK
    assert capsys.readouterr().out == f"{file}: no mistakes\n"
    assert main(["card", "apply", str(card), "--root", str(root)]) == OK
    assert "changed etc/hostname\n" in capsys.readouterr().out
    file.write_text('[box]\nhostname = "my box"\nssh_key = "x"\n')
    assert main(["card", "check", str(file)]) == CONFIG
    out, err = capsys.readouterr()
    assert [line.split(":")[1] for line in out.splitlines()] == ["2", "3"]
    assert err == f"referee: {file}: 2 mistakes\n"
    assert main(["card", "apply", str(card), "--root", str(root)]) == CONFIG
    with pytest.raises(ConfigError, match="cannot be read"):
        check(card / "nowhere")
