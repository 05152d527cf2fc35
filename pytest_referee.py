"""Fixtures for pytest, on by themselves once the package is installed (docs/testing.md).

``pins``         gpiozero's default pins without a Raspberry Pi, and virtual time
``box``          a simulated box on virtual time: press, turn, read the glass, the lamps and the sounds
``drive``        plays a rulebook over the drive protocol: ``drive("the-ford")(answer=[6, 3])``
``conformance``  tries a rulebook with random tables; raises with all that it breaks

Every run of pytest imports this module, so it is in no package and imports nothing before a fixture is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hardware.simulated.mock_pins import MockPins
    from referee.station.virtual.bench import Bench
    from referee.testing.plugin import Conformance, Drive


@pytest.fixture
def pins() -> Iterator[MockPins]:
    """gpiozero's default pins without a Raspberry Pi, and virtual time, while the test lasts."""
    from hardware.simulated.mock_pins import MockPins

    with MockPins() as mock:
        yield mock


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Bench]:
    """A simulated box with the shelf on its glass; its journal lies in ``tmp_path``."""
    from referee.station.virtual.bench import Bench

    with Bench(tmp_path / "journal.db") as bench:
        yield bench


@pytest.fixture
def drive() -> Drive:
    """Begin a game by its id, with its switches; the function returned sends a message and returns the replies."""
    from referee.testing.plugin import begin

    return begin


@pytest.fixture
def conformance() -> Conformance:
    """Try a book, or the one of a game's id. Raises NotConforming."""
    from referee.testing.plugin import tried

    return tried
