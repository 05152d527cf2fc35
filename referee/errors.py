"""Every error the referee raises. All inherit from `RefereeError`, some also from a standard error."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

WHOLE: Final = 2**53
"""Numbers from outside are whole and smaller than this: every JSON reader agrees on them (RFC 8259, section 6)."""

_KIT = ("referee.rulebook", "referee.session")
"""Modules that run a rulebook: a fault is looked for in the code they called."""


class RefereeError(Exception):
    """Root of all errors raised on purpose by the referee."""


class Refused(RefereeError, ValueError):
    """An entry that was not accepted; the state is as it was before.

    ``code`` is a refusal code of the rulebook (``BR-X10``) or one of the kit's own words
    (``malformed``, ``late``, ``no-such-option`` ...); ``text`` says in one line what was expected.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


class Malformed(Refused):
    """An entry that could not be an answer to any prompt of this kind."""

    def __init__(self, text: str, code: str = "malformed") -> None:
        super().__init__(code, text)


class NotNow(Refused):
    """An entry that exists in the game but is not open at this moment."""


class Late(Refused):
    """An answer to a question that is not pending any more."""

    def __init__(self, text: str) -> None:
        super().__init__("late", text)


class UnknownGame(RefereeError, LookupError):
    """No game of that name is on the shelf."""


class UnknownRuling(RefereeError, LookupError):
    """The book offers no single ruling of that name."""


class BadSetting(RefereeError, ValueError):
    """A switch was set to something it cannot be."""


class BrokenRulebook(RefereeError, RuntimeError):
    """A rulebook did what no rulebook may: a fault in its code, never of the players.

    ``words``: what people at the table read, with the file's name and the line, "" where nobody knows them
    """

    def __init__(self, text: str, words: str = "", where: str = "") -> None:
        """``where``: file and line."""
        super().__init__(f"{text} ({where})" if where else text)
        self.words = f"{words} at {PurePath(where).name}" if where else ""

    @classmethod
    def of(cls, book: str, fault: BaseException) -> BrokenRulebook:
        """Return it for an exception that came out of a rulebook, with the rulebook's own file and line."""
        if isinstance(fault, BrokenRulebook):
            return fault
        return cls(f"{book}: {type(fault).__name__}: {fault}", "The rules fail", line_of(fault))


def line_of(fault: BaseException) -> str:
    """Return the file and line of a rulebook from which an exception came, "" if it came from nowhere."""
    where, trace = "", fault.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if not where or not str(frame.f_globals.get("__name__")).startswith(_KIT):
            where = f"{frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where


class JournalError(RefereeError):
    """The journal cannot be read or written.

    ``words``: what people at the table read and can do where an answer could not be written, "" elsewhere.
    """

    def __init__(self, text: str, words: str = "") -> None:
        super().__init__(text)
        self.words = words


class JournalDamaged(JournalError, ValueError):
    """The hash chain or a row of the journal does not hold."""


class JournalGone(JournalError):
    """There has been a journal here, and it is gone or empty."""


class JournalNewer(JournalError):
    """The journal was written by another release."""


class JournalBusy(JournalError, OSError):
    """The journal is held by another station or the disk does not answer."""


class StoreAway(JournalError):
    """The database of the hall does not answer, or is one that must not be written any more."""


class NoAnswer(RefereeError):
    """The hall did not answer, not as a whole, or not in time."""


class WrongCertificate(NoAnswer):
    """What answers at the hall's address is not the hall that this box was added to."""


class Diverged(RefereeError, ValueError):
    """A recorded game judged again comes out otherwise; the first difference is named."""


class OtherEdition(Diverged):
    """A game that is not over was begun under another edition of its rulebook, so what follows may differ."""


class ConfigError(RefereeError, ValueError):
    """A key of the configuration file is not what it must be; the line is named."""


class StationError(RefereeError, RuntimeError):
    """The station could not be started or lost a part it cannot do without."""


class Unfit(RefereeError, RuntimeError):
    """The doctor found something that does not work."""
