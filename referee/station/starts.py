"""One start of the station after another, in one process: after a fault, or because somebody wants it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack

from referee.errors import RefereeError

_logger = logging.getLogger(__name__)


class StartAgain(Exception):
    """Somebody wants the station to start anew, from its safe mode."""


def until_over(run: Callable[[ExitStack, Exception | None], None]) -> None:
    """Run a station, with the parts that it puts on a stack, and the fault that ended the run before it, or None.

    One that falls over is followed by one in its safe mode, which somebody leaves with `StartAgain`. Raises what
    `RefereeError` a run ends with, and what ends the safe mode itself.
    """
    fault: Exception | None = None
    over = False
    while not over:
        try:
            with ExitStack() as parts:
                run(parts, fault)
            over = True
        except StartAgain:
            fault = None
        except RefereeError:
            raise
        except Exception as error:
            if fault is not None:
                raise
            _logger.exception("the program failed")
            fault = error
