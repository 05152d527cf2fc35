"""Each fault is played, and what was measured is what the document says; nothing is lost and nothing doubled."""

from __future__ import annotations

import pytest

from tests.faults.table import line, measure, scenarios, took, within, written


@pytest.mark.parametrize(
    ("group", "fault"),
    [
        pytest.param(*each, marks=[pytest.mark.long] if each[0] in ("The station's process", "Browsers") else [])
        for each in scenarios()
    ],
    ids=map(" ".join, scenarios()),
)
def test_the_document_says_what_is_measured(group: str, fault: str) -> None:
    row = measure(group, fault)
    assert (row.lost, row.doubled) == (0, 0)
    told = line(fault, row) if row.told else None
    assert written().get((group, fault)) == told, "run `make faults`"


def test_every_row_has_a_scenario() -> None:
    assert set(written()) <= set(scenarios())


def test_a_limit_that_is_not_kept_fails() -> None:
    assert [took(each) for each in (0, 0.0011, 0.01, 0.999, 1.02, 61)] == [
        "at once", "10 ms", "10 ms", "1000 ms", "1.1 s", "61 s"
    ]  # fmt: skip
    assert within(1.9, 2) == "2 s"
    with pytest.raises(AssertionError, match=r"took 2\.100 s, not at most 2 s"):
        within(2.1, 2)
