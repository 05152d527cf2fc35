"""What a card does to the system below a folder: all of it or nothing, and nothing twice."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from referee.cli.exits import CONFIG, OK
from referee.cli.main import main
from referee.config import load
from referee.errors import ConfigError
from referee.files import durable
from referee.station.card.apply import PROBLEMS, apply, check
from tests.card.test_settings import GOOD

USER_DATA = """\
#cloud-config
hostname: rivendell
manage_etc_hosts: true
apt:
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Berlin
users:
- name: pi
  groups: users,adm,sudo
  lock_passwd: false
  passwd: $5$abc
  ssh_authorized_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ben
  sudo: ALL=(ALL) NOPASSWD:ALL
ssh_pwauth: false
"""

NETWORK = """\
network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "DE"
      access-points:
        "Café \\"Bree\\"":
          hidden: true
          password: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
      optional: true
"""


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


def test_everything_the_file_says_is_in_its_place_and_the_password_is_for_root_alone(card: Path, root: Path) -> None:
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


def test_with_one_mistake_nothing_is_used_and_the_station_is_told(card: Path, root: Path) -> None:
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
def test_what_keeps_a_right_file_from_being_applied_is_told_to_the_station(
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


def test_the_station_may_leave_the_machine_only_as_long_as_it_has_to(card: Path, root: Path) -> None:
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


def test_what_rpi_imager_was_asked_for_is_used_where_the_text_file_says_nothing(card: Path, root: Path) -> None:
    (card / "user-data").write_text(USER_DATA)
    (card / "network-config").write_text(NETWORK)
    apply(card, root)
    files = tree(root)
    assert files["etc/hostname"][0] == "rivendell\n"
    assert files["etc/ssh/authorized_keys"][0].endswith(" ben\n")
    wifi = files["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"][0]
    name = 'Café "Bree"'.encode().hex()
    assert f"ssid={name}\n    scan_ssid=1\n    psk=0123456789abcdef" in wifi
    assert "etc/referee/referee.toml" not in files
    (card / "referee.txt").write_text('[box]\nhostname = "bree"\n')
    assert sorted(apply(card, root)) == ["etc/hostname", "etc/hosts"]
    assert tree(root)["etc/ssh/authorized_keys"][0].endswith(" ben\n")
    (card / "referee.txt").write_text('[wifi]\nname = "open"\ncountry = "DE"\n')
    apply(card, root)
    assert "key_mgmt=NONE" in tree(root)["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"][0]


@pytest.mark.parametrize(
    ("user", "network"),
    [
        ("", ""),
        ("\x00\x01", "\x00"),
        ("users:\n- a\n- b\n", "network: x\n"),
        ("hostname: ../../etc\nssh_authorized_keys: [a, b]\n", "network:\n  wifis:\n    wlan0: {}\n"),
        ("- " * 40 + "a: b\n", "  " * 40 + "a:\n"),
        (
            "hostname: a\n" * 9000,
            "network:\n  wifis:\n    w:\n      access-points:\n        x:\n          password: short\n",
        ),
    ],
)
def test_of_imager_files_that_make_no_sense_nothing_is_used(card: Path, root: Path, user: str, network: str) -> None:
    (card / "user-data").write_text(user)
    (card / "network-config").write_text(network)
    assert apply(card, root) == []


def test_check_names_every_mistake_and_apply_says_what_it_changed(
    card: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = card / "referee.txt"
    file.write_text(GOOD)
    assert main(["card", "check", str(file)]) == OK
    assert capsys.readouterr().out == f"{file}: nothing is wrong\n"
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
