"""Exit codes, and the fault that each belongs to."""

from __future__ import annotations

from typing import Final

from referee.errors import (
    BadSetting,
    ConfigError,
    Diverged,
    JournalDamaged,
    JournalError,
    Malformed,
    RefereeError,
    StationError,
    StoreAway,
    Unfit,
    UnknownGame,
    UnknownRuling,
)

OK, FOUND, USAGE = 0, 1, 2
STATION, FAULT, JOURNAL, CONFIG = 69, 70, 74, 78
"""Those of sysexits.h (UNAVAILABLE, SOFTWARE, IOERR, CONFIG), for systemd names the codes 3 to 7 as init scripts do:
what is called "NOPERMISSION" there is nothing of the kind here.
"""
INTERRUPTED, BROKEN_PIPE = 130, 141

MEANINGS: Final = {
    OK: "done",
    FOUND: "check failed: a replay diverged, a journal or an export is damaged, or the doctor found a fault",
    USAGE: "usage error: wrong arguments; no such game, ruling, switch or file",
    STATION: "the station cannot start",
    FAULT: "a rulebook failed",
    JOURNAL: "journal error: it cannot be opened, read or written, or the game is not in it",
    CONFIG: "the configuration, the pin map or the text file of a card is wrong",
    INTERRUPTED: "interrupted with Ctrl-C",
    BROKEN_PIPE: "the process reading the output closed the pipe",
}
"""What each means, as the help says it."""

_OF: Final[tuple[tuple[type[Exception], int], ...]] = (
    (Diverged, FOUND),
    (JournalDamaged, FOUND),
    (Malformed, FOUND),
    (Unfit, FOUND),
    (StoreAway, STATION),
    (JournalError, JOURNAL),
    (UnknownGame, USAGE),
    (UnknownRuling, USAGE),
    (BadSetting, USAGE),
    (ConfigError, CONFIG),
    (StationError, STATION),
    (RefereeError, FAULT),
    (OSError, USAGE),
)


def code_of(fault: RefereeError | OSError) -> int:
    """Return the code a fault ends with."""
    return next(code for kind, code in _OF if isinstance(fault, kind))


def words_of(fault: RefereeError | OSError) -> str:
    """Return a fault in one line."""
    text = str(fault)
    if isinstance(fault, OSError) and fault.strerror:
        text = f"{fault.filename}: {fault.strerror}" if fault.filename is not None else fault.strerror
    if isinstance(fault, Malformed):
        text = fault.text
    return " ".join(text.split())
