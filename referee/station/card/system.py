"""What the settings of a card mean for the system: which files it has then. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from typing import Any, Final, NamedTuple

from referee.config import Config
from referee.station.card.settings import Settings, Wifi

WIFI: Final = "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
KEYS: Final = "etc/ssh/authorized_keys"
HOSTNAME: Final = "etc/hostname"
HOSTS: Final = "etc/hosts"
CONFIG: Final = "etc/referee/referee.toml"
NETWORK: Final = "etc/systemd/system/referee.service.d/network.conf"
"""What the service may reach beyond this machine."""

PRIVATE: Final = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/10"
"""Addresses of private networks (RFC 1918, 3927, 4193, 4291)."""


class File(NamedTuple):
    """A file as it has to be. ``text`` None: it must not be there."""

    path: str
    text: str | None
    mode: int = 0o644


def files(settings: Settings, hosts: str) -> Iterator[File]:
    """Yield the files that settings ask for; about what they do not say nothing is yielded.

    ``hosts``: what /etc/hosts says now.
    """
    if settings.wifi.name:
        yield File(WIFI, _supplicant(settings.wifi), 0o600)
    if settings.box.ssh_key:
        yield File(KEYS, f"{settings.box.ssh_key}\n")
    if settings.box.hostname:
        yield File(HOSTNAME, f"{settings.box.hostname}\n")
        yield File(HOSTS, _hosts(hosts, settings.box.hostname))
    if settings.config is not None and settings.values is not None:
        yield File(CONFIG, _toml(settings.values))
        yield File(NETWORK, f"[Service]\nIPAddressAllow={PRIVATE}\n" if _networked(settings.config) else None)


def _supplicant(wifi: Wifi) -> str:
    """Return the configuration of wpa_supplicant."""
    ssid = wifi.name.encode().hex()
    key = "key_mgmt=NONE"
    if wifi.password:
        raw = bool(re.fullmatch("[0-9A-Fa-f]{64}", wifi.password))
        # Between the first and the last quotation mark everything stands for itself (wpa_supplicant.conf(5)).
        key = f"psk={wifi.password}" if raw else f'psk="{wifi.password}"'
        if not raw:
            key += "\n    key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n    ieee80211w=1"
    hidden = "\n    scan_ssid=1" if wifi.hidden else ""
    return f"country={wifi.country}\nnetwork={{\n    ssid={ssid}{hidden}\n    {key}\n}}\n"


def _hosts(hosts: str, name: str) -> str:
    """Return /etc/hosts with the name of the box at 127.0.1.1, the rest as it was."""
    others = [line for line in hosts.splitlines() if line.split()[:1] != ["127.0.1.1"]]
    return "".join(f"{line}\n" for line in [*others, f"127.0.1.1 {name}"])


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
