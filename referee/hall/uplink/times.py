"""How long both sides of the uplink wait, s."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Times:
    """The usual times; others where a network is simulated.

    ``ping``     the box asks whether the hall is there, after so long without a word from it
    ``patience`` a connection is given up after so long without a word, or with nothing acknowledged of what was sent
    ``probe``    how long a box that is connected already is asked for a word before another connection replaces it
    ``grace``    how long a station that starts waits for the hall to give back what its journal lost
    ``retry``    longest pause before the box connects again
    ``refused``  longest pause where the hall refused it for a reason that lasts
    """

    ping: float = 1.0
    patience: float = 8.0
    probe: float = 2.0
    grace: float = 5.0
    retry: float = 1.5
    refused: float = 30.0


USUAL: Final = Times()
