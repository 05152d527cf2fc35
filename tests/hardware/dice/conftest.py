"""Dice without a radio."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hardware.dice.bluez import BlueZ


@pytest.fixture
def bluez(dbus_daemon: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BlueZ]:
    """A BlueZ on a bus of its own, which bleak takes for the system's."""
    service = BlueZ(tmp_path)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", service.address)
    yield service
    service.close()
