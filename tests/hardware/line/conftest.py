"""What the tests of the serial line share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hardware.line.cable import Cable, Reports


@pytest.fixture
def cable(terminal: None) -> Iterator[Cable]:
    cable = Cable()
    cable.plug()
    yield cable
    cable.pull()


@pytest.fixture
def reports() -> Reports:
    return Reports()
