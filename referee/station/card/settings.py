"""What the text file of a card says: the network and name of the box, and everything that can be configured.

Pure: from the bytes of a file to settings, or to every fault with its line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from referee import config as configuration
from referee.config import Config
from referee.errors import ConfigError
from referee.files import outside, sections
from referee.files.sections import Rule

NAME: Final = "referee.txt"
"""Its name on the card, which every computer can read."""

MOST: Final = 64 * 1024
"""Bytes of the longest file that is read."""

_CURLED: Final = re.compile("[“”„«»‘’]")


@dataclass(frozen=True)
class Box:
    """The name of the box in the network, and who may log in to it; "": as it was."""

    hostname: str = ""
    ssh_key: str = ""


@dataclass(frozen=True)
class Wifi:
    """The wireless network; ``name`` "": none, or as it was. ``password`` "": an open network."""

    name: str = ""
    password: str = ""
    country: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Settings:
    """All of it. ``config``: of the station, None where the file says nothing about it."""

    box: Box = Box()
    wifi: Wifi = Wifi()
    config: Config | None = None
    values: Mapping[str, Mapping[str, Any]] | None = None


_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_KEY = re.compile(
    r"(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]{40,}={0,3}( [^\n]*)?"
)
_HEX = re.compile(r"[0-9A-Fa-f]{64}")


def _name(value: object) -> bool:
    return isinstance(value, str) and len(value.encode("utf-8", "surrogatepass")) <= 32 and value.isprintable()


def _password(value: object) -> bool:
    return isinstance(value, str) and (
        value == ""
        or bool(_HEX.fullmatch(value))
        or (8 <= len(value) <= 63 and value.isascii() and value.isprintable())
    )


RULES: Mapping[str, Rule] = {
    "box.hostname": Rule(
        'letters a to z, digits and -, at most 63: "referee"',
        lambda v: isinstance(v, str) and (v == "" or bool(_HOST.fullmatch(v))),
    ),
    "box.ssh_key": Rule(
        'the line of a public key: "ssh-ed25519 AAAA... name"',
        lambda v: isinstance(v, str) and (v == "" or (bool(_KEY.fullmatch(v)) and v.isprintable())),
    ),
    "wifi.name": Rule("the name of a network, at most 32 bytes", _name),
    "wifi.password": Rule(
        "8 to 63 letters, digits and signs without accents, or 64 hex digits", _password, secret=True
    ),
    "wifi.country": Rule(
        'the country in two capitals: "DE"', lambda v: isinstance(v, str) and bool(re.fullmatch("[A-Z]{2}|", v))
    ),
    "wifi.hidden": Rule("true or false", lambda v: isinstance(v, bool)),
}
"""What each key must be that is not of the station's configuration (IEEE 802.11 for the network)."""

KEYS: Mapping[str, Sequence[str]] = {
    "box": [each.name for each in fields(Box)],
    "wifi": [each.name for each in fields(Wifi)],
    **configuration.KEYS,
}


def parse(data: bytes, name: str = NAME) -> tuple[Settings, list[str]]:
    """Return what a file says, and every fault in it; with a fault nothing of it is to be used."""
    try:
        text = decoded(data, name)
        values, faults = sections.read(KEYS, {**configuration.RULES, **RULES}, text, name)
    except ConfigError as error:
        return Settings(), [_plainer(str(error), data, name)]
    config, more = configuration.build(values, text, name)
    settings = Settings(
        Box(**values.get("box", {})),
        Wifi(**values.get("wifi", {})),
        config if values.keys() - {"box", "wifi"} else None,
        values,
    )
    if not any(": wifi." in fault for fault in faults):
        more += _between(settings.wifi, text, name)
    return settings, faults + more


def _between(wifi: Wifi, text: str, name: str) -> list[str]:
    """Return what is wrong between the keys of the network."""
    for key, has, lacks in (("name", wifi.name, "country"), ("password", wifi.password, "name")):
        if has and not getattr(wifi, lacks):
            line = sections.line_of(text, key, "wifi")
            return [f"{name}:{line}: wifi.{lacks}: expected {RULES[f'wifi.{lacks}'].expected}"]
    return []


def decoded(data: bytes, name: str) -> str:
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
    line = decoded(data, name).split("\n")[int(place[1]) - 1]
    if _CURLED.search(line):
        return f'{name}:{place[1]}: expected straight quotation marks: "..."'
    if "=" in line:
        return f'{name}:{place[1]}: expected KEY = "VALUE", each key once'
    return f'{name}:{place[1]}: expected [SECTION], or KEY = "VALUE"'
