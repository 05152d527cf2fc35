"""The text file of a flashed card: what a box gets to know without a terminal.

It says the network and name of the box, and everything that can be configured. All of it is applied to the system
before the station starts, or nothing.
"""

from __future__ import annotations

import errno
import json
import re
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee import config as configuration
from referee.config import Config
from referee.errors import ConfigError
from referee.files import bounded, durable, outside, sections
from referee.files.sections import Rule

NAME: Final = "referee.txt"
"""Its name on the card, which every computer can read."""

MOST: Final = 64 * 1024
"""Bytes of the longest file that is read."""

PROBLEMS: Final = "run/referee-card/problems"
"""What is wrong with the file, or kept it from being applied, a line each, for the station to say on the glass.

It lies in memory: it can be written when the card is full.
"""

WIFI: Final = "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
LOGINS: Final = "etc/ssh/authorized_keys"
HOSTNAME: Final = "etc/hostname"
HOSTS: Final = "etc/hosts"
CONFIG: Final = "etc/referee/referee.toml"
NETWORK: Final = "etc/systemd/system/referee.service.d/network.conf"
"""What the service may reach beyond this machine."""

PRIVATE: Final = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/10"
"""Addresses of private networks (RFC 1918, 3927, 4193, 4291)."""

_KEY: Final = r"(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]{40,}={0,3}( [^\n]*)?"


@dataclass(frozen=True)
class Settings:
    """``values``: by section and key; ``config``: of the station, None where the file says nothing about it."""

    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    config: Config | None = None

    def of(self, section: str, key: str) -> Any:
        """Return a value of the sections that only a card has, "" where it is not said: as it was."""
        return self.values.get(section, {}).get(key, "")


def _text(pattern: str, also: Callable[[str], bool] = str.isprintable) -> Callable[[object], bool]:
    """Return whether a value is "" or of this form."""
    return lambda value: isinstance(value, str) and (not value or bool(re.fullmatch(pattern, value) and also(value)))


RULES: Mapping[str, Rule] = {
    "box.hostname": Rule('letters a to z, digits and -, at most 63: "referee"', _text(r"(?!-)[a-z0-9-]{1,63}(?<!-)")),
    "box.ssh_key": Rule('the line of a public key: "ssh-ed25519 AAAA... name"', _text(_KEY)),
    "wifi.name": Rule(
        "the name of a network, at most 32 bytes",
        lambda v: isinstance(v, str) and len(v.encode("utf-8", "surrogatepass")) <= 32 and v.isprintable(),
    ),
    "wifi.password": Rule(
        "8 to 63 letters, digits and signs without accents, or 64 hex digits",
        _text(r"[0-9A-Fa-f]{64}|[ -~]{8,63}"),
        secret=True,
    ),
    "wifi.country": Rule('the country in two capitals: "DE"', _text("[A-Z]{2}")),
    "wifi.hidden": Rule("true or false", lambda v: isinstance(v, bool)),
}
"""What each key must be that is not of the station's configuration (IEEE 802.11 for the network)."""

KEYS: Mapping[str, Sequence[str]] = {
    "box": ("hostname", "ssh_key"),
    "wifi": ("name", "password", "country", "hidden"),
    **configuration.KEYS,
}


# -- what it says ------------------------------------------------------------------------------------------------


def parse(data: bytes, name: str = NAME) -> tuple[Settings, list[str]]:
    """Return what a file says, and every fault in it; with a fault nothing of it is to be used."""
    try:
        text = _decoded(data, name)
        values, faults = sections.read(KEYS, {**configuration.RULES, **RULES}, text, name)
    except ConfigError as error:
        return Settings(), [_plainer(str(error), data, name)]
    config, more = configuration.build(values, text, name)
    settings = Settings(values, config if values.keys() - {"box", "wifi"} else None)
    if not any(": wifi." in fault for fault in faults):
        more += _between(settings, text, name)
    return settings, faults + more


def check(path: Path) -> list[str]:
    """Return every fault of a text file. Raises ConfigError where there is none."""
    data = _bytes(path)
    if data is None:
        raise ConfigError(f"{path}: cannot be read")
    return parse(data, path.name)[1]


def _between(settings: Settings, text: str, name: str) -> list[str]:
    """Return what is wrong between the keys of the network."""
    for key, lacks in (("name", "country"), ("password", "name")):
        if settings.of("wifi", key) and not settings.of("wifi", lacks):
            line = sections.line_of(text, key, "wifi")
            return [f"{name}:{line}: wifi.{lacks}: expected {RULES[f'wifi.{lacks}'].expected}"]
    return []


def _decoded(data: bytes, name: str) -> str:
    """Return the text of a file that any editor may have saved, cleaned. Raises ConfigError."""
    if len(data) > MOST:
        raise ConfigError(f"{name}: expected a file of at most {MOST} bytes")
    try:
        return outside.cleaned(outside.decoded(data))
    except outside.NotText as error:
        raise ConfigError(f"{name}:{str(error).removeprefix('line ')}") from error


def _plainer(fault: str, data: bytes, name: str) -> str:
    """Say of what is no TOML what people do wrong: values without quotation marks, or with curled ones."""
    place = re.search(r"not TOML: .*\(at line (\d+), column \d+\)", fault)
    if place is None:
        return fault
    line = _decoded(data, name).split("\n")[int(place[1]) - 1]
    if re.search("[“”„«»‘’]", line):
        return f'{name}:{place[1]}: expected straight quotation marks: "..."'
    if "=" in line:
        return f'{name}:{place[1]}: expected KEY = "VALUE", each key once'
    return f'{name}:{place[1]}: expected [SECTION], or KEY = "VALUE"'


# -- which files the system has then -----------------------------------------------------------------------------


class File(NamedTuple):
    """A file as it has to be. ``text`` None: it must not be there."""

    path: str
    text: str | None
    mode: int = 0o644


def files(settings: Settings, hosts: str) -> Iterator[File]:
    """Yield the files that settings ask for; about what they do not say nothing is yielded.

    ``hosts``: what /etc/hosts says now.
    """
    if settings.of("wifi", "name"):
        yield File(WIFI, _supplicant(settings.values["wifi"]), 0o600)
    if key := settings.of("box", "ssh_key"):
        yield File(LOGINS, f"{key}\n")
    if name := settings.of("box", "hostname"):
        yield File(HOSTNAME, f"{name}\n")
        others = [line for line in hosts.splitlines() if line.split()[:1] != ["127.0.1.1"]]
        yield File(HOSTS, "".join(f"{line}\n" for line in [*others, f"127.0.1.1 {name}"]))
    if settings.config is not None:
        yield File(CONFIG, _toml(settings.values))
        yield File(NETWORK, f"[Service]\nIPAddressAllow={PRIVATE}\n" if _networked(settings.config) else None)


def _supplicant(wifi: Mapping[str, Any]) -> str:
    """Return the configuration of wpa_supplicant."""
    password, key = wifi.get("password", ""), "key_mgmt=NONE"
    if len(password) == 64:
        key = f"psk={password}"
    elif password:
        # Between the first and the last quotation mark everything stands for itself (wpa_supplicant.conf(5)).
        key = f'psk="{password}"\n    key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n    ieee80211w=1'
    hidden = "\n    scan_ssid=1" if wifi.get("hidden") else ""
    ssid = wifi["name"].encode().hex()
    return f"country={wifi['country']}\nnetwork={{\n    ssid={ssid}{hidden}\n    {key}\n}}\n"


def _networked(config: Config) -> bool:
    """Return whether the station talks to other machines: its panel does, or the hall is one."""
    return bool(config.hall.address) or (config.panel.serve and not _loopback(config.panel.host))


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _toml(values: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the sections of the station's configuration as TOML."""
    lines = ["# Made of referee.txt on the card at each start: change that."]
    for section, entries in values.items():
        if section not in ("box", "wifi"):
            lines += ["", f"[{section}]", *(f"{key} = {_value(value)}" for key, value in entries.items())]
    return "".join(f"{line}\n" for line in lines)


def _value(value: object) -> str:
    """Return a value as TOML: its strings, numbers and lists are those of JSON."""
    text = json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")


# -- applying it -------------------------------------------------------------------------------------------------


def apply(folder: Path, root: Path, act: Callable[[Sequence[str]], None] | None = None) -> list[str]:
    """Apply what lies in a folder to the system below ``root``; return the paths that were changed.

    ``act`` runs a command of the running system. Raises ConfigError, with nothing changed; OSError, with each file
    as it was or as it has to be. `PROBLEMS` says what was wrong.
    """
    faults: list[str] = []
    try:
        if not any(folder.iterdir()):
            raise OSError(errno.ENOENT, "the card's first partition is not mounted", str(folder))
        data = _bytes(folder / NAME)
        settings, faults = parse(data or b"")
        if faults:
            raise ConfigError(f"{NAME} is not used: {'; '.join(faults)}")
        return _applied(settings, root, act)
    except OSError as fault:
        faults = [f"{NAME} cannot be applied: {bounded.why(fault)}"]
        raise
    finally:
        durable.replace(_made(root / PROBLEMS), "".join(f"{fault}\n" for fault in faults), 0o644)


def _applied(settings: Settings, root: Path, act: Callable[[Sequence[str]], None] | None) -> list[str]:
    hosts = _bytes(root / HOSTS) or b""
    changed = [file.path for file in files(settings, hosts.decode("utf-8", "surrogateescape")) if _put(root, file)]
    if act is not None:
        if HOSTNAME in changed:
            socket.sethostname(settings.of("box", "hostname"))
        if NETWORK in changed:
            act(["systemctl", "daemon-reload"])
    return changed


def run(command: Sequence[str]) -> None:
    """Run a command of the system. Raises OSError."""
    try:
        subprocess.run(command, check=True)  # noqa: S603 - ours
    except subprocess.CalledProcessError as error:
        raise OSError(0, f"{command[0]} failed: {error}") from error


def _put(root: Path, file: File) -> bool:
    """Have a file as it must be; return whether it was not."""
    path = root / file.path
    if file.text is None:
        if not path.exists():
            return False
        durable.remove(path)
        return True
    data = file.text.encode("utf-8", "surrogateescape")
    if _bytes(path) == data and stat.S_IMODE(path.stat().st_mode) == file.mode:
        return False
    durable.replace(_made(path), data, file.mode)
    return True


def _made(path: Path) -> Path:
    durable.folder(path.parent)
    return path


def _bytes(path: Path) -> bytes | None:
    """Return a file, of a very long one only its beginning; None where there is none."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return file.read(MOST + 1)
