"""Work that comes again and again, and goes on whatever it meets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

_logger = logging.getLogger(__name__)


async def again(step: Callable[[], object], every: float) -> None:
    """Do a step every so many seconds until cancelled; one that fails is logged, and the next one tries anew.

    A fault that comes again at every step is logged once: four times a second it would bury the rest of the log.
    """
    fault = ""
    while True:
        await asyncio.sleep(every)
        try:
            step()
        except Exception as error:
            if fault != repr(error):
                _logger.exception("the hall goes on after a fault")
            fault = repr(error)
        else:
            fault = ""
