"""A limit on the processor time of a rulebook's code: a loop that asks nothing must not hold the box.

The interval timer of the process interrupts that code, so it costs nothing while it behaves and finds `while True`
without a yield, too. Python runs signal handlers only in the main thread, between two instructions: neither another
thread (which replays only what was accepted before) nor one endless call into C is stopped.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from functools import lru_cache
from types import FrameType
from typing import Final, ParamSpec, TypeVar

from referee.errors import BrokenRulebook, line_of

P = ParamSpec("P")
R = TypeVar("R")

LIMIT: Final = 3.0
"""Processor time, s. The slowest step of the referee's own games takes a thousandth of it on a Pi Zero 2."""
AGAIN: Final = 0.1
"""How soon it is interrupted again where it has caught the interruption, s."""
_TIMED: Final = hasattr(signal, "setitimer")

_armed = False


class _Stop(BaseException):
    """Raised in code of a rulebook; no ``except Exception`` there keeps it."""


def runs_on(where: str) -> BrokenRulebook:
    """Return the error for a rulebook that does not come to its next question; ``where``: file and line."""
    return BrokenRulebook("The rulebook runs on without a question", "The rules run on", where)


def bounded(code: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call code of a rulebook. Raises BrokenRulebook, naming the line, once it has taken `LIMIT`."""
    global _armed  # noqa: PLW0603 - there is one timer in a process, and only the main thread uses it
    if _armed or not _TIMED or threading.get_ident() != threading.main_thread().ident:
        return code(*args, **kwargs)
    _listen()
    _armed = True
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT, AGAIN)
    try:
        return code(*args, **kwargs)
    except _Stop as stop:
        raise runs_on(line_of(stop)) from None
    finally:
        _armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@lru_cache(maxsize=1)
def _listen() -> None:
    signal.signal(signal.SIGVTALRM, _interrupt)


def _interrupt(_: int, __: FrameType | None) -> None:
    if _armed:
        raise _Stop
