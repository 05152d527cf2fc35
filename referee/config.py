"""The configuration file: one TOML file, every key known, every value checked, every complaint with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Literal

from referee.clock.settings import OFF, one_of
from referee.clock.settings import RULES as CLOCK_RULES
from referee.clock.settings import Settings as Clock
from referee.errors import ConfigError
from referee.files import bounded, outside, players, sections
from referee.files.sections import Rule, listed, number

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
class OwnReader:
    """The command of a program that reads dice, word by word (docs/dice.md); empty: there is none."""

    command: tuple[str, ...] = ()


@dataclass(frozen=True)
class BluetoothDice:
    """Whether the dice that ``referee dice`` knows are connected to."""

    use: bool = False


@dataclass(frozen=True)
class Tray:
    """Dice in a tray with a camera (docs/dice.md).

    ``camera``       "rpicam", or the device of a camera by USB; "": none
    ``rpicam``       what rpicam-vid gets beside, for its exposure and white balance
    ``calibration``  its file, "": ``tray/calibration.json`` beside the journal
    ``confirm``      whether every throw has to be confirmed by a press
    ``keep``         whether a picture of each throw is kept beside the journal
    """

    camera: str = ""
    rpicam: tuple[str, ...] = ()
    calibration: str = ""
    confirm: bool = True
    keep: bool = False


@dataclass(frozen=True)
class HallAddress:
    """The hall of an event; where nothing is said, this box belongs to none.

    ``address``     host and port where it listens for boxes
    ``certificate`` SHA-256 of its certificate, in hex; ``token``: of this box; as the desk shows them
    """

    address: str = ""
    certificate: str = ""
    token: str = ""


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
    reader: OwnReader = OwnReader()
    bluetooth_dice: BluetoothDice = BluetoothDice()
    tray: Tray = Tray()
    hall: HallAddress = HallAddress()


def _is_file(path: str) -> bool:
    try:
        return "\0" not in path and bounded.names_a_file(Path(path).expanduser())
    except RuntimeError:  # no such user in ~user
        return False


_YES_NO = Rule("true or false", lambda v: isinstance(v, bool))
_FILE = Rule("a path as text, to a file", lambda v: isinstance(v, str) and (not v or _is_file(v)))
_HOST = Rule('the address of an interface as text, "127.0.0.1"', lambda v: isinstance(v, str) and v != "")

_NAME = re.compile(r"(?=.{1,253}(:|$))[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?")
"""A host name (RFC 1123) or an IPv4 address, with or without a port."""

_ADDRESS = re.compile(r"(?=.{1,260}$)([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}")

_DIGITS = re.compile(r"[0-9a-f]{64}")

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")

_VOICE = re.compile(r"[A-Za-z][A-Za-z0-9+_-]{0,63}")

RULES: Mapping[str, Rule] = {
    "table.dice": Rule(*one_of("either", "physical", "box")),
    "table.sounds": listed(
        f"a list of some of {', '.join(SOUNDS)}", lambda sound: isinstance(sound, str) and sound in SOUNDS
    ),
    "table.tournament": _YES_NO,
    "table.ruling_seconds": number(0, 60),
    "table.corrections": Rule(*one_of("table", "judge")),
    "table.players": listed(f"a list of names, each of 1 to {outside.LONGEST} letters", players.is_name),
    **{f"clock.{key}": Rule(*rule) for key, rule in CLOCK_RULES.items()},
    "voice.speak": _YES_NO,
    "voice.language": Rule(
        'a language of espeak-ng, "en-gb"', lambda v: isinstance(v, str) and bool(_VOICE.fullmatch(v))
    ),
    "voice.words_per_minute": number(80, 450),
    "glass.contrast": number(0, 255),
    "glass.dim_contrast": number(0, 255),
    "glass.dim_minutes": number(0, 24 * 60),
    "glass.drift_minutes": number(0, 24 * 60),
    "panel.serve": _YES_NO,
    "panel.host": _HOST,
    "panel.port": number(0, 65535),
    "panel.names": listed(
        'a list of host names, ["referee.local"]',
        lambda name: isinstance(name, str) and _NAME.fullmatch(name) is not None,
    ),
    "panel.open_browser": _YES_NO,
    "journal.path": _FILE,
    "pins.path": _FILE,
    "input_board.port": Rule('"auto", a path or a URL as text', lambda v: isinstance(v, str)),
    "input_board.serial_number": Rule("a serial number as text", lambda v: isinstance(v, str)),
    "reader.command": listed(
        'a list of words, ["bash", "/etc/referee/tower.sh"]',
        lambda each: isinstance(each, str) and each != "" and "\0" not in each,
    ),
    "bluetooth_dice.use": _YES_NO,
    "tray.camera": Rule('"rpicam" or the path of a device as text', lambda v: isinstance(v, str) and "\0" not in v),
    "tray.rpicam": listed(
        'a list of arguments of rpicam-vid, ["--shutter", "10000"]',
        lambda each: isinstance(each, str) and "\0" not in each,
    ),
    "tray.calibration": _FILE,
    "tray.confirm": _YES_NO,
    "tray.keep": _YES_NO,
    "hall.address": Rule(
        'host and port as text, "192.168.1.10:8470"',
        lambda v: isinstance(v, str) and (not v or bool(_ADDRESS.fullmatch(v))),
    ),
    "hall.certificate": Rule(
        "the 64 hex digits that the desk shows, as text",
        lambda v: isinstance(v, str) and (not v or bool(_DIGITS.fullmatch(v))),
    ),
    "hall.token": Rule(
        "what the desk shows, as text", lambda v: isinstance(v, str) and (not v or bool(_TOKEN.fullmatch(v)))
    ),
}
"""What each key must be."""

KEYS: Mapping[str, tuple[str, ...]] = {
    part.name: tuple(each.name for each in fields(part.default))  # type: ignore[arg-type]
    for part in fields(Config)
}
"""The keys of each section."""


def load(path: Path) -> Config:
    """Return the configuration in ``path``. Raises ConfigError naming the line and what was expected."""
    try:
        text = outside.read(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {bounded.why(error)}") from error
    return parse(text, str(path))


def parse(text: str, name: str = "configuration") -> Config:
    """Return the configuration in a TOML text. Raises ConfigError."""
    values, faults = sections.read(KEYS, RULES, text, name)
    config, more = build(values, text, name)
    if faults or more:
        raise ConfigError((faults + more)[0])
    return config


def build(values: Mapping[str, Mapping[str, Any]], text: str, name: str) -> tuple[Config, list[str]]:
    """Return the configuration of values that were checked one by one, and what is wrong between them.

    ``text``, ``name``: of the file they come from; ``values`` of other sections are left alone.
    """
    config = Config()
    faults: list[str] = []
    for section in KEYS:
        checked = values.get(section, {})
        part = replace(getattr(config, section), **checked)
        if isinstance(part, Clock) and (fault := part.fault):
            key, _, expected = fault.partition(": ")
            line = sections.line_of(text, key if key in checked else "mode", section)
            faults.append(f"{name}:{line}: {section}.{key}: {expected}")
        if isinstance(part, Table) and part.tournament:
            part = replace(TOURNAMENT, **checked)
        config = replace(config, **{section: part})
    return config, faults
