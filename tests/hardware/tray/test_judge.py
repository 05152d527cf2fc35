"""Rendered throws of unseen trays: none is read wrongly, nearly all are read, and cocked dice are refused."""

from __future__ import annotations

from argparse import Namespace

import pytest

from tests.hardware.tray.judge import judge_uncalibrated, run


def test_most_throws_are_read_without_a_calibration() -> None:
    """K2: at least 70 % of flat throws on a plain ground of any colour, and none wrongly."""
    figures = judge_uncalibrated(6, 4_100_000, tricks=("", "", "stacked"))
    assert figures["flat"]["accepted"] >= 0.7
    assert all(count["wrong"] == 0 for count in figures.values())
    assert figures["stacked"]["accepted"] == 0


@pytest.mark.long
def test_throws_of_unseen_trays() -> None:
    figures = run(
        Namespace(throws=40, marked=40, cocked=20, others=0, dark=12, uncalibrated=24, seed=3_000_000, keep=None)
    )
    assert figures["flat"]["wrong"] == 0
    assert figures["flat"]["accepted"] >= 0.8
    assert figures["cocked"]["refused"] >= 0.9
    assert figures["dark dice"]["flat"]["wrong"] == figures["dark dice"]["cocked"]["accepted"] == 0
    # K1: a glint or dirt makes no other face.
    assert figures["marked"]["wrong"] == figures["dark dice"]["marked"]["wrong"] == 0
    assert all(count["wrong"] == 0 for count in figures["without a calibration"].values())
    assert figures["without a calibration"]["flat"]["accepted"] >= 0.7  # K2
