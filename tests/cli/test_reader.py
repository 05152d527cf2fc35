"""A reader of dice alone, as somebody tries one out."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import Run


def test_what_a_reader_writes_is_printed(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "referee.toml"
    line = '{"throw": 1, "faces": [7], "sure": true}'
    config.write_text(f"[reader]\ncommand = ['echo', '{line}']\n")
    done = run("reader", "own", "--config", str(config))
    assert (done.code, done.out) == (69, f"{line}\n")
    assert done.err.splitlines() == [
        "referee: Reader: a face is not 1 to 6",
        "referee: Reader: It ended with 0.",
    ]


def test_a_reader_that_is_not_configured_is_refused(run: Run) -> None:
    done = run("reader", "tray")
    assert (done.code, done.out) == (2, "")
    assert "no reader tray is configured: expected [tray]" in done.err
