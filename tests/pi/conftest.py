"""Tools that check what goes onto a Raspberry Pi or into its case."""

from __future__ import annotations

import pytest

from tests.components import needed


@pytest.fixture
def systemd_analyze() -> str:
    return needed("systemd-analyze")


@pytest.fixture
def shellcheck() -> str:
    return needed("shellcheck")


@pytest.fixture
def dot() -> str:
    return needed("dot")


@pytest.fixture
def wireviz() -> str:
    return needed("wireviz")


@pytest.fixture
def openscad() -> str:
    return needed("openscad")
