"""What Raspberry Pi Imager leaves on a card: the name of the box, a key to log in with, a wireless network.

It writes `user-data` of cloud-init and `network-config` of netplan, both YAML. Of that language only what it writes
is read: mappings and lists by indentation, and plain or quoted values. What is not understood is passed over, since
nobody has typed it; the text file wins over all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from referee.errors import ConfigError
from referee.station.card.settings import MOST, RULES, Box, Settings, Wifi, decoded

DEEPEST: Final = 16
"""Levels of the deepest file that is read."""


class _Line(NamedTuple):
    indent: int
    column: int
    dash: bool
    key: str
    value: str


_FORM = re.compile(
    r"""( *)((?:- +)?)(?:("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#:-][^:#]*|-[^\s:#][^:#]*):(?=\s|$))? *(.*)"""
)


def read(user_data: bytes | None, network: bytes | None) -> Settings:
    """Return what the two files offer, each None where there is none. What the text file may not say is left out."""
    box, wifi = Box(), Wifi()
    user = _yaml(user_data)
    keys = _at(user, "ssh_authorized_keys") or _at(user, "users", 0, "ssh_authorized_keys")
    key = keys[0] if isinstance(keys, list) and keys else ""
    box = _accepted(box, "box", hostname=_at(user, "hostname"), ssh_key=key)
    interfaces = _at(_yaml(network), "network", "wifis")
    for interface in interfaces.values() if isinstance(interfaces, dict) else ():
        points = _at(interface, "access-points")
        if isinstance(points, dict) and points:
            name, point = next(iter(points.items()))
            wifi = _accepted(
                Wifi(),
                "wifi",
                name=name,
                password=_at(point, "password") or _at(point, "auth", "password"),
                country=_at(interface, "regulatory-domain"),
                hidden=_at(point, "hidden") == "true",
            )
    return Settings(box, wifi if wifi.name and wifi.country else Wifi())


def under(settings: Settings, asked: Settings) -> Settings:
    """Return settings with what rpi-imager was asked for where they say nothing."""
    box = replace(
        settings.box, **{e.name: getattr(settings.box, e.name) or getattr(asked.box, e.name) for e in fields(Box)}
    )
    return replace(settings, box=box, wifi=settings.wifi if settings.wifi.name else asked.wifi)


def _accepted(part: Any, section: str, **values: object) -> Any:
    """Return a part with those values that the text file could have, too."""
    return replace(part, **{key: value for key, value in values.items() if RULES[f"{section}.{key}"].accepts(value)})


def _at(tree: object, *path: str | int) -> Any:
    """Return what is in a tree at a path, None where there is nothing."""
    for step in path:
        if isinstance(tree, dict):
            tree = tree.get(step)
        elif isinstance(tree, list) and isinstance(step, int):
            tree = tree[step] if step < len(tree) else None
        else:
            return None
    return tree


def _yaml(data: bytes | None) -> Any:
    """Return a file as dictionaries, lists and texts; None where it is none of those."""
    if data is None or len(data) > MOST:
        return None
    try:
        lines = list(_lines(decoded(data, "")))
    except ConfigError:
        return None
    return _block(lines, 0, DEEPEST)[0]


def _lines(text: str) -> Iterator[_Line]:
    for raw in text.split("\n"):
        if raw.lstrip(" ")[:1] in ("", "#") or raw.startswith("---"):
            continue
        match = _FORM.fullmatch(raw)
        if match is not None:
            yield _Line(len(match[1]), len(match[1] + match[2]), bool(match[2]), _scalar(match[3] or ""), match[4])


def _block(lines: list[_Line], at: int, depth: int) -> tuple[Any, int]:
    """Return the mapping or the list that begins at a line, and the line after it."""
    if at >= len(lines) or not depth:
        return None, len(lines)
    indent, dash = lines[at].indent, lines[at].dash
    entries: dict[str, Any] = {}
    items: list[Any] = []
    while at < len(lines) and lines[at].indent >= indent:
        line = lines[at]
        if line.indent == indent and line.dash != dash:
            break
        if line.indent > indent:  # the text of a block
            at += 1
        elif dash and line.key:
            # The first entry of a mapping stands behind the dash, the others below it.
            lines[at] = line._replace(indent=line.column, dash=False)
            item, at = _block(lines, at, depth - 1)
            items.append(item)
        elif dash:
            items.append(_scalar(line.value))
            at += 1
        elif line.value:
            entries[line.key] = _scalar(line.value)
            at += 1
        elif _inside(lines[at + 1 : at + 2], indent):
            entries[line.key], at = _block(lines, at + 1, depth - 1)
        else:
            at += 1
    return items if dash else entries, at


def _inside(following: list[_Line], indent: int) -> bool:
    """Return whether the next line belongs to a key; a list may stand as far left as its key."""
    return any(line.indent > indent or (line.indent == indent and line.dash) for line in following)


def _scalar(text: str) -> str:
    """Return a value without its quotation marks, or without the remark behind it."""
    if text.startswith('"'):
        try:
            value, _ = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return ""
        return str(value)
    if text.startswith("'"):
        return text[1:].partition("'")[0]
    return text.partition(" #")[0].strip()
