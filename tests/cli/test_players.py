"""Names of players on the command line: given, shown, left out and erased."""

from __future__ import annotations

from pathlib import Path

from referee.files.players import beside
from tests.cli.running import Run
from tests.journal.reference import check


def test_names_are_in_log_report_and_export_or_left_out(run: Run, journal: Path, tmp_path: Path) -> None:
    players = beside(journal)
    players.name(1, "north", "Anna")
    telling = ("log", "report", "export")
    for each in telling:
        assert "Anna" in run(each).out
        assert "Anna" not in run(each, "--anonymous").out
    file = tmp_path / "game.jsonl"
    file.write_text(run("export").out, encoding="utf-8")
    assert run("replay", str(file)).code == 0
    assert check(file.read_text(encoding="ascii").splitlines())
    assert run("players").out == "Anna\n"
    assert run("players", "--json").out == '["Anna"]\n'
    wrong = run("players", "--forget", "Ben")
    assert (wrong.code, wrong.err) == (
        2,
        "referee: --forget 'Ben': no player is called that; `referee players` lists the names\n",
    )
    assert run("players", "--forget", "Anna").out == "erased from 1 seat\n"
    assert "Anna" not in "".join(run(each).out for each in telling)
    assert run("verify").code == 0, "no name is in what is proven"
