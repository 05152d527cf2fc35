"""The fixture that comes with the package."""

import pytest_referee

pins = pytest_referee.pins
