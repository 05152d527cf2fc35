"""Read a TOML file of known sections and keys; every error names its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.errors import ConfigError
from referee.files import bounded


class Rule(NamedTuple):
    """What a value must be. ``secret``: no message shows it; ``each``: of a list, what each part of it must be."""

    expected: str
    accepts: Callable[[Any], bool]
    secret: bool = False
    each: Callable[[Any], bool] | None = None

    def wrong(self, value: object) -> object:
        """Return what of a value that is not accepted is wrong: the first such part of a list."""
        if self.each is None or not isinstance(value, list):
            return value
        return next(part for part in value if not self.each(part))


def listed(expected: str, each: Callable[[Any], bool]) -> Rule:
    """Return the rule for a list."""
    return Rule(expected, lambda v: isinstance(v, list) and all(map(each, v)), each=each)


def number(low: int, high: int) -> Rule:
    """Return the rule for a whole number."""
    return Rule(f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


def read(
    known: Mapping[str, Sequence[str]], rules: Mapping[str, Rule], text: str, name: str
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the values by section and key, and every fault in them.

    ``known``: the keys of each section; ``rules``: by "section.key". Raises ConfigError where the text is no TOML.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{name}: expected fewer levels of nesting") from error
    except ValueError as error:  # of Python, which reads no number of so many digits
        raise ConfigError(f"{name}: expected shorter numbers: {error}") from error
    values: dict[str, dict[str, Any]] = {}
    faults: list[str] = []
    for section, entries in data.items():
        if section not in known or not isinstance(entries, dict):
            names = ", ".join(f"[{each}]" for each in known)
            faults.append(f"{name}:{line_of(text, section)}: {section}: expected one of the sections {names}")
            continue
        values[section] = {}
        for key, value in entries.items():
            fault = _fault(known[section], rules, section, key, value)
            if fault:
                faults.append(f"{name}:{line_of(text, key, section)}: {section}.{key}{fault}")
            else:
                values[section][key] = tuple(value) if isinstance(value, list) else value
    return values, faults


def _fault(known: Sequence[str], rules: Mapping[str, Rule], section: str, key: str, value: object) -> str:
    if key not in known:
        return f": no such key; expected one of {', '.join(known)}"
    rule = rules[f"{section}.{key}"]
    if rule.accepts(value):
        return ""
    return f": expected {rule.expected}" + ("" if rule.secret else f"; got {bounded.shown(rule.wrong(value))}")


def line_of(text: str, key: str, section: str = "") -> int:
    """Return the line number of a key, found in the text because tomllib reports none."""
    inside = not section
    quoted = rf"[\"']?{re.escape(key)}[\"']?"
    section_line = 1
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[\s*([^\]]*?)\s*\]", line)
        if header:
            inside = not section or header[1].strip("\"'") == section
            if not section and header[1].strip("\"'") == key:
                return number
        elif inside and re.match(rf"\s*{quoted}\s*=", line):
            return number
        elif section and re.match(rf"\s*{re.escape(section)}\s*(\.\s*{quoted}\s*)?=", line):
            section_line = number
    return section_line
