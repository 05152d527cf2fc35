"""The configuration file: TOML with known keys, checked values, and a line number in every error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

from referee.clock.control import Act, Control, Customs, Mode, Shared, duration_of
from referee.errors import ConfigError
from referee.files import bounded, outside, players, sections
from referee.files.sections import Rule, listed, number

DiceRule = Literal["either", "physical", "box"]
"""Whose dice count at this table: any, only those keyed in, or only those the box throws."""

GlassType = Literal["normal", "large"]
"""How much the display shows at a time."""

Corrections = Literal["table", "judge"]
"""Who may correct a die of the last throw that was keyed in wrong: anybody at the table, or only the judge."""

Clocks = Literal["off", "menu", "start"]
"""Whether there are seat clocks: no; in the menu; from the start of every game, and in the menu."""

SOUNDS = ("key", "late", "seat", "none", "change", "doubt", "refusal", "flag", "fault")
"""What can be heard: a key taken, a press that came too early, the next seat, a ruling without effect, a ruling that
changes the table, a face in doubt, a refusal, a flag that falls, a fault of the box."""


def _is_file(path: str) -> bool:
    try:
        return "\0" not in path and bounded.names_a_file(Path(path).expanduser())
    except RuntimeError:  # no such user in ~user
        return False


def _is_time(value: object) -> bool:
    try:
        duration_of(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return True


def _one_of(words: Any) -> Rule:
    """Return the rule for one of the words of a `Literal`."""
    named = [f'"{word}"' for word in get_args(words)]
    expected = f"{', '.join(named[:-1])} or {named[-1]}"
    return Rule(expected, lambda value: isinstance(value, str) and value in get_args(words))


def _text(expected: str, form: str, *, empty: bool = False) -> Rule:
    """Return the rule for a text of this form, a regular expression; ``empty``: or none."""
    return Rule(expected, lambda v: isinstance(v, str) and bool((empty and not v) or re.fullmatch(form, v)))


def _words(expected: str, form: str) -> Rule:
    """Return the rule for a list of texts of this form."""
    return listed(expected, lambda each: isinstance(each, str) and bool(re.fullmatch(form, each)))


_YES_NO = Rule("true or false", lambda v: isinstance(v, bool))
_FILE = Rule("a path as text, to a file", lambda v: isinstance(v, str) and (not v or _is_file(v)))
_NAME = r"(?=.{1,253}(:|$))[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?"
"""A host name (RFC 1123) or an IPv4 address, with or without a port."""
_ADDRESS = r"(?=.{1,260}$)([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}"
_ANY = "(?s).*"
_NO_NUL = r"[^\0]*"
_SOUNDS = listed(f"a list of some of {', '.join(SOUNDS)}", lambda v: isinstance(v, str) and v in SOUNDS)
_PLAYERS = listed(f"a list of names, each of 1 to {outside.LONGEST} letters", players.is_name)
_ARGUMENTS = _words('a list of arguments of rpicam-vid, ["--shutter", "10000"]', _NO_NUL)


@dataclass(frozen=True)
class TableSettings:
    """How this table plays.

    ``dice``            whose dice count
    ``sounds``          which sounds are made
    ``tournament``      whether the two that follow are, unless they are set, as in `TOURNAMENT`
    ``ruling_seconds``  seconds a short ruling stays before it continues by itself, 0: every ruling waits for a press
    ``corrections``     who may correct a die that was keyed in wrong
    ``players``         names that can be picked for seats, before those that were used
    ``glass``           "large": one option, number or headline at a time, to be read from 1.5 m
    """

    dice: Annotated[DiceRule, _one_of(DiceRule)] = "either"
    sounds: Annotated[tuple[str, ...], _SOUNDS] = SOUNDS
    tournament: Annotated[bool, _YES_NO] = False
    ruling_seconds: Annotated[int, number(0, 60)] = 3
    corrections: Annotated[Corrections, _one_of(Corrections)] = "table"
    players: Annotated[tuple[str, ...], _PLAYERS] = ()
    glass: Annotated[GlassType, _one_of(GlassType)] = "normal"


TOURNAMENT: Final = TableSettings(tournament=True, ruling_seconds=0, corrections="judge")
"""What holds at a tournament where the configuration says nothing else."""


@dataclass(frozen=True)
class ClockSettings:
    """How this table keeps time.

    ``use``      whether it does
    ``mode``, ``time``, ``extra``  the control, as `referee.clock.control` says; times as text
    ``table``, ``ruling``, ``flag``  the customs
    """

    use: Annotated[Clocks, _one_of(Clocks)] = "off"
    mode: Annotated[Mode, _one_of(Mode)] = "sudden-death"
    time: Annotated[str, Rule('a time up to 24 h, such as "90 min" or "1 h 30 min"', _is_time)] = "60 min"
    extra: Annotated[str, Rule('a time up to 24 h, such as "30 s" or "1 min"', _is_time)] = "0 s"
    table: Annotated[Shared, _one_of(Shared)] = "nobody"
    ruling: Annotated[Shared, _one_of(Shared)] = "nobody"
    flag: Annotated[Act, _one_of(Act)] = "tell"

    @property
    def control(self) -> Control:
        """The control. Raises ValueError naming the key that is not what it must be, "extra: expected ..."."""
        return Control(self.mode, duration_of(self.time), duration_of(self.extra))

    @property
    def customs(self) -> Customs:
        """The customs."""
        return Customs(self.table, self.ruling, self.flag)


@dataclass(frozen=True)
class VoiceSettings:
    """Whether the box reads rulings and questions aloud, in which language of espeak-ng, and how fast."""

    speak: Annotated[bool, _YES_NO] = False
    language: Annotated[str, _text('a language of espeak-ng, "en-gb"', "[A-Za-z][A-Za-z0-9+_-]{0,63}")] = "en-gb"
    words_per_minute: Annotated[int, number(80, 450)] = 160


@dataclass(frozen=True)
class Glass:
    """The glass: its brightness (0 to 255), and what spares it after so many minutes without a key (0: never).

    It dims; and each ``drift_minutes`` the picture moves by a pixel, round its place. Which display it is, on
    which bus and which way up, is a matter of wiring, so the pin map says it.
    """

    contrast: Annotated[int, number(0, 255)] = 207
    dim_contrast: Annotated[int, number(0, 255)] = 8
    dim_minutes: Annotated[int, number(0, 24 * 60)] = 10
    drift_minutes: Annotated[int, number(0, 24 * 60)] = 5


@dataclass(frozen=True)
class PanelSettings:
    """The panel in the browser: whether it is served, and where. Port 0: any free one.

    ``names`` are further host names it answers to, beside those of the loopback and the address it is reached at.
    """

    serve: Annotated[bool, _YES_NO] = True
    host: Annotated[str, _text('the address of an interface as text, "127.0.0.1"', "(?s).+")] = "127.0.0.1"
    port: Annotated[int, number(0, 65535)] = 8080
    names: Annotated[tuple[str, ...], _words('a list of host names, ["referee.local"]', _NAME)] = ()
    open_browser: Annotated[bool, _YES_NO] = True


@dataclass(frozen=True)
class JournalSettings:
    """Where the journal lies; empty: in the user's state directory."""

    path: Annotated[str, _FILE] = ""


@dataclass(frozen=True)
class Wiring:
    """The pin map; empty: that of the reference build."""

    path: Annotated[str, _FILE] = ""


@dataclass(frozen=True)
class InputBoardPort:
    """Where the input board is: "auto" finds it by its USB ids."""

    port: Annotated[str, _text('"auto", a path or a URL as text', _ANY)] = ""


@dataclass(frozen=True)
class OwnReader:
    """The command of a program that reads dice, word by word (docs/dice.md); empty: there is none."""

    command: Annotated[tuple[str, ...], _words('a list of words, ["bash", "/etc/referee/tower.sh"]', r"[^\0]+")] = ()


@dataclass(frozen=True)
class BluetoothDice:
    """Whether the dice that ``referee dice`` knows are connected to."""

    use: Annotated[bool, _YES_NO] = False


@dataclass(frozen=True)
class Tray:
    """Dice in a tray with a camera (docs/dice.md).

    ``camera``       "rpicam", or the device of a camera by USB; "": none
    ``rpicam``       what rpicam-vid gets beside, for its exposure and white balance
    ``calibration``  its file, "": ``tray/calibration.json`` beside the journal
    ``confirm``      whether every throw has to be confirmed by a press
    ``keep``         whether a picture of each throw is kept beside the journal
    """

    camera: Annotated[str, _text('"rpicam" or the path of a device as text', _NO_NUL)] = ""
    rpicam: Annotated[tuple[str, ...], _ARGUMENTS] = ()
    calibration: Annotated[str, _FILE] = ""
    confirm: Annotated[bool, _YES_NO] = True
    keep: Annotated[bool, _YES_NO] = False


@dataclass(frozen=True)
class HallAddress:
    """The hall of an event; where nothing is said, this box belongs to none.

    ``address``     host and port where it listens for boxes
    ``certificate`` SHA-256 of its certificate, in hex; ``token``: of this box; as the desk shows them
    """

    address: Annotated[str, _text('host and port as text, "192.168.1.10:8470"', _ADDRESS, empty=True)] = ""
    certificate: Annotated[str, _text("64 hex digits as the desk shows them", "[0-9a-f]{64}", empty=True)] = ""
    token: Annotated[str, _text("what the desk shows, as text", "[A-Za-z0-9_-]{20,100}", empty=True)] = ""


@dataclass(frozen=True)
class Config:
    """Everything that can be configured, section by section."""

    table: TableSettings = TableSettings()
    clock: ClockSettings = ClockSettings()
    voice: VoiceSettings = VoiceSettings()
    glass: Glass = Glass()
    panel: PanelSettings = PanelSettings()
    journal: JournalSettings = JournalSettings()
    pins: Wiring = Wiring()
    input_board: InputBoardPort = InputBoardPort()
    reader: OwnReader = OwnReader()
    bluetooth_dice: BluetoothDice = BluetoothDice()
    tray: Tray = Tray()
    hall: HallAddress = HallAddress()


KEYS: Mapping[str, tuple[str, ...]] = {
    part.name: tuple(each.name for each in fields(part.default))  # type: ignore[arg-type]
    for part in fields(Config)
}
"""The keys of each section."""

RULES: Mapping[str, Rule] = {
    f"{section}.{key}": hint.__metadata__[0]
    for section, part in get_type_hints(Config).items()
    for key, hint in get_type_hints(part, include_extras=True).items()
}
"""What each key must be, by section and key."""


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
        if isinstance(part, ClockSettings):
            try:
                part.control  # noqa: B018 - it is worked out here
            except ValueError as fault:
                key, _, expected = str(fault).partition(": ")
                line = sections.line_of(text, key if key in checked else "mode", section)
                faults.append(f"{name}:{line}: {section}.{key}: {expected}")
        if isinstance(part, TableSettings) and part.tournament:
            part = replace(TOURNAMENT, **checked)
        config = replace(config, **{section: part})
    return config, faults
