"""What a machine lacks: tests that need it are left out and said to be; with CI=true they fail. (F6)"""

from __future__ import annotations

import importlib.util
import os

import pytest

from tests import components


def test_a_place_in_memory_that_nobody_may_write_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """F6: there is a /dev/shm in a bare root file system, for root alone."""
    monkeypatch.setattr(os, "access", lambda path, mode: path != "/dev/shm")
    spec = importlib.util.spec_from_file_location("components_of_a_plain_user", components.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.MEMORY is None


def test_in_continuous_integration_only_kicad_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(components, "COMPONENTS", dict.fromkeys(components.COMPONENTS, ("it is not there", False)))
    assert components.missing() == {"kicad_cli": "it is not there"}
