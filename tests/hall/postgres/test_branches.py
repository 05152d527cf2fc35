"""The tests of a journal with two branches, once more, with everything in PostgreSQL.

They are not among `test_same`: the desk of their table has the event key that its box knows.
"""

from __future__ import annotations

import pytest
from _pytest.fixtures import FixtureFunctionDefinition

from tests.hall import test_branches

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("in_postgres")]

for name, value in vars(test_branches).items():
    if isinstance(value, FixtureFunctionDefinition) or name.startswith("test_"):
        globals()[name] = value
