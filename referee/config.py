"""The configuration file: one TOML file, every key known, every value checked, every complaint with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from referee.clock.settings import OFF, one_of
from referee.clock.settings import RULES as CLOCK_RULES
from referee.clock.settings import Settings as Clock
from referee.errors import ConfigError
from referee.files import bounded, players

DiceRule = Literal["either", "physical", "box"]
"""Whose dice count at this table: any, only those keyed in, or only those the box throws."""

Corrections = Literal["table", "judge"]
"""Who may correct a die of the last throw that was keyed in wrong: anybody at the table, or only the judge."""

SOUNDS = ("key", "late", "seat", "none", "change", "doubt", "refusal", "flag", "fault")
"""What can be heard: a key taken, a press that came too early, the next seat, a ruling without effect, a ruling that
changes the table, a face in doubt, a refusal, a flag that falls, a fault of the box."""


@dataclass(frozen=True)
class Table:
    """How this table plays.

    ``dice``            whose dice count
    ``sounds``          which sounds are made
    ``tournament``      whether the two that follow are, unless they are set, as in `TOURNAMENT`
    ``ruling_seconds``  seconds a short ruling stays before it gives way by itself, 0: every ruling waits for a press
    ``corrections``     who may correct a die that was keyed in wrong
    ``players``         names that can be picked for seats, before those that were used
    """

    dice: DiceRule = "either"
    sounds: tuple[str, ...] = SOUNDS
    tournament: bool = False
    ruling_seconds: int = 3
    corrections: Corrections = "table"
    players: tuple[str, ...] = ()


TOURNAMENT: Final = Table(tournament=True, ruling_seconds=0, corrections="judge")
"""What holds at a tournament where the configuration says nothing else."""


@dataclass(frozen=True)
class Voice:
    """Whether the box reads rulings and questions aloud, in which language of espeak-ng, and how fast."""

    speak: bool = False
    language: str = "en-gb"
    words_per_minute: int = 160


@dataclass(frozen=True)
class Glass:
    """The glass: its brightness (0 to 255), and what spares it after so many minutes without a key (0: never).

    It dims; and each ``drift_minutes`` the picture moves by a pixel, round its place. Which display it is, on
    which bus and which way up, is a matter of wiring, so the pin map says it.
    """

    contrast: int = 207
    dim_contrast: int = 8
    dim_minutes: int = 10
    drift_minutes: int = 5


@dataclass(frozen=True)
class Panel:
    """The panel in the browser: whether it is served, and where. Port 0: any free one.

    ``names`` are further host names it answers to, beside those of the loopback and the address it is reached at.
    """

    serve: bool = True
    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    open_browser: bool = True


@dataclass(frozen=True)
class Store:
    """Where the journal lies; empty: in the user's state directory."""

    path: str = ""


@dataclass(frozen=True)
class Wiring:
    """The pin map; empty: that of the reference build."""

    path: str = ""


@dataclass(frozen=True)
class InputBoardPort:
    """Where the input board is: "auto" finds it by its USB ids, and by its serial number if there are several."""

    port: str = ""
    serial_number: str = ""


@dataclass(frozen=True)
class SerialDicePort:
    """Where the dice of another maker are, and how fast they speak."""

    port: str = ""
    baud: int = 115200


@dataclass(frozen=True)
class BluetoothDice:
    """Whether the dice that ``referee dice`` knows are connected to."""

    use: bool = False


@dataclass(frozen=True)
class HallAddress:
    """Where the hall of an event listens for boxes, host and port; empty: this box belongs to no event."""

    address: str = ""


@dataclass(frozen=True)
class Config:
    """Everything that can be configured, section by section."""

    table: Table = Table()
    clock: Clock = OFF
    voice: Voice = Voice()
    glass: Glass = Glass()
    panel: Panel = Panel()
    journal: Store = Store()
    pins: Wiring = Wiring()
    input_board: InputBoardPort = InputBoardPort()
    serial_dice: SerialDicePort = SerialDicePort()
    bluetooth_dice: BluetoothDice = BluetoothDice()
    hall: HallAddress = HallAddress()


class _Rule(NamedTuple):
    expected: str
    accepts: Callable[[Any], bool]


def _is_file(path: str) -> bool:
    try:
        return "\0" not in path and bounded.names_a_file(Path(path).expanduser())
    except RuntimeError:  # no such user in ~user
        return False


def _number(low: int, high: int) -> _Rule:
    return _Rule(f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


_YES_NO = _Rule("true or false", lambda v: isinstance(v, bool))
_PATH = _Rule("a path as text", lambda v: isinstance(v, str))
_FILE = _Rule("a path as text, to a file", lambda v: isinstance(v, str) and (not v or _is_file(v)))
_HOST = _Rule('the address of an interface as text, "127.0.0.1"', lambda v: isinstance(v, str) and v != "")

_NAME = re.compile(r"(?=.{1,253}(:|$))[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?")
"""A host name (RFC 1123) or an IPv4 address, with or without a port."""

_ADDRESS = re.compile(r"(?=.{1,260}$)([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}")

_VOICE = re.compile(r"[A-Za-z][A-Za-z0-9+_-]{0,63}")

_RULES: Mapping[str, _Rule] = {
    "table.dice": _Rule(*one_of("either", "physical", "box")),
    "table.sounds": _Rule(
        f"a list of some of {', '.join(SOUNDS)}",
        lambda v: isinstance(v, list) and all(isinstance(s, str) and s in SOUNDS for s in v),
    ),
    "table.tournament": _YES_NO,
    "table.ruling_seconds": _number(0, 60),
    "table.corrections": _Rule(*one_of("table", "judge")),
    "table.players": _Rule(
        f"a list of names, each of at most {players.LONGEST} printable letters",
        lambda v: isinstance(v, list) and all(map(players.is_name, v)),
    ),
    **{f"clock.{key}": _Rule(*rule) for key, rule in CLOCK_RULES.items()},
    "voice.speak": _YES_NO,
    "voice.language": _Rule(
        'a language of espeak-ng, "en-gb"', lambda v: isinstance(v, str) and bool(_VOICE.fullmatch(v))
    ),
    "voice.words_per_minute": _number(80, 450),
    "glass.contrast": _number(0, 255),
    "glass.dim_contrast": _number(0, 255),
    "glass.dim_minutes": _number(0, 24 * 60),
    "glass.drift_minutes": _number(0, 24 * 60),
    "panel.serve": _YES_NO,
    "panel.host": _HOST,
    "panel.port": _number(0, 65535),
    "panel.names": _Rule(
        'a list of host names, ["referee.local"]',
        lambda v: isinstance(v, list) and all(isinstance(name, str) and _NAME.fullmatch(name) for name in v),
    ),
    "panel.open_browser": _YES_NO,
    "journal.path": _FILE,
    "pins.path": _FILE,
    "input_board.port": _Rule('"auto", a path or a URL as text', lambda v: isinstance(v, str)),
    "input_board.serial_number": _Rule("a serial number as text", lambda v: isinstance(v, str)),
    "serial_dice.port": _PATH,
    "serial_dice.baud": _number(300, 4_000_000),
    "bluetooth_dice.use": _YES_NO,
    "hall.address": _Rule(
        'host and port as text, "192.168.1.10:8470"',
        lambda v: isinstance(v, str) and (not v or bool(_ADDRESS.fullmatch(v))),
    ),
}


def load(path: Path) -> Config:
    """Return the configuration in ``path``. Raises ConfigError naming the line and what was expected."""
    try:
        text = bounded.text(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    return parse(text, str(path))


def parse(text: str, name: str = "configuration") -> Config:
    """Return the configuration in a TOML text. Raises ConfigError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{name}: expected fewer levels of nesting") from error
    except ValueError as error:  # of Python, which reads no number of so many digits
        raise ConfigError(f"{name}: expected shorter numbers: {error}") from error
    config = Config()
    for section, values in data.items():
        if section not in {f.name for f in fields(Config)} or not isinstance(values, dict):
            known = ", ".join(f"[{f.name}]" for f in fields(Config))
            raise ConfigError(f"{name}:{_line(text, section)}: {section}: expected one of the sections {known}")
        config = replace(config, **{section: _section(text, name, section, values)})
    return config


def _section(text: str, name: str, section: str, values: Mapping[str, Any]) -> Any:
    part = getattr(Config(), section)
    assert is_dataclass(part)
    assert not isinstance(part, type)
    known = [f.name for f in fields(part)]
    checked: dict[str, Any] = {}
    for key, value in values.items():
        where = f"{name}:{_line(text, key, section)}: {section}.{key}"
        if key not in known:
            raise ConfigError(f"{where}: no such key; expected one of {', '.join(known)}")
        rule = _RULES[f"{section}.{key}"]
        if not rule.accepts(value):
            raise ConfigError(f"{where}: expected {rule.expected}; got {bounded.shown(value)}")
        checked[key] = tuple(value) if isinstance(value, list) else value
    part = replace(part, **checked)
    if isinstance(part, Clock) and (fault := part.fault):
        key, _, expected = fault.partition(": ")
        line = _line(text, key if key in values else "mode", section)
        raise ConfigError(f"{name}:{line}: {section}.{key}: {expected}")
    return replace(TOURNAMENT, **checked) if isinstance(part, Table) and part.tournament else part


def _line(text: str, key: str, section: str = "") -> int:
    """Return the line number of a key, found in the text because tomllib reports none."""
    inside = not section
    quoted = rf"[\"']?{re.escape(key)}[\"']?"
    section_line = 1
    for number, line in enumerate(text.splitlines(), 1):
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
