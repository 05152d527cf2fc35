"""A limit on the processor time of a rulebook's code: a loop that asks nothing must not hold the box.

The interval timer of the process interrupts that code, so it costs nothing while it behaves and finds `while True`
without a yield, too. The timer is set once and runs over many calls: a call that is still the same one at its second
tick is stopped. Python runs signal handlers only in the main thread, between two instructions: neither another
thread (which replays only what was accepted before) nor one endless call into C is stopped.
"""

from __future__ import annotations

import atexit
import signal
import threading
from collections.abc import Callable
from functools import lru_cache
from types import FrameType
from typing import Final, ParamSpec, TypeVar

from referee.errors import BrokenRulebook, line_of

P = ParamSpec("P")
R = TypeVar("R")

TICK: Final = 1.5
"""Processor time, s: a call is stopped after one to two of them. No step of the referee's own games takes a
five-hundredth of it on a Pi Zero 2."""
_TIMED: Final = hasattr(signal, "setitimer")
_MAIN: Final = threading.main_thread().ident

_ticking = _inside = False
_call = _seen = 0
"""Number of the latest call, and of the one that ran at the last tick."""


class _Stop(BaseException):
    """Raised in code of a rulebook; no ``except Exception`` there keeps it."""


def runs_on(where: str) -> BrokenRulebook:
    """Return the error for a rulebook that does not come to its next question; ``where``: file and line."""
    return BrokenRulebook("The rulebook runs on without a question", "The rules run on", where)


def bounded(code: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call code of a rulebook. Raises BrokenRulebook, naming the line, once it has taken two `TICK` at most."""
    global _inside, _call  # noqa: PLW0603 - there is one timer in a process, and only the main thread uses it
    if _inside or not _TIMED or threading.get_ident() != _MAIN:
        return code(*args, **kwargs)
    if not _ticking:
        _start()
    _call += 1
    _inside = True
    try:
        return code(*args, **kwargs)
    except _Stop as stop:
        raise runs_on(line_of(stop)) from None
    finally:
        _inside = False


def _start() -> None:
    global _ticking  # noqa: PLW0603
    _listen()
    signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)
    _ticking = True


@lru_cache(maxsize=1)
def _listen() -> None:
    signal.signal(signal.SIGVTALRM, _tick)
    atexit.register(_stop)  # Python takes its handlers away before it ends: a tick would then kill the process


def _stop() -> None:
    global _ticking  # noqa: PLW0603
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    _ticking = False


def _tick(_: int, __: FrameType | None) -> None:
    global _seen  # noqa: PLW0603
    if not _inside:
        _stop()  # until a rulebook is called again
    elif _seen == _call:
        raise _Stop
    else:
        _seen = _call
