"""Files from somebody who means ill: a journal, a configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.journal import Journal
from referee.session.entries import Entry
from tests.journal.reference import tampered

ESCAPES = "\x1b[2J\x1b]0;title\x07\r\x7f\x9b1A\u202egnorw\u2028\x00"
ROOT = Path(__file__).parents[2]
GAME = "battle-of-the-ring"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process; return its exit code and what it prints."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        return (main([str(word) for word in words]), *capsys.readouterr())

    return run


class TestJournal:
    """A journal from elsewhere, its chains in order, that says what no referee ever said."""

    def entries(self, book: str) -> list[Entry]:
        ruling = {"result": ESCAPES, "headline": ESCAPES, "rules": [ESCAPES]}
        start = Entry(0, "start", ESCAPES, answer={"book": book, "settings": {}, "ruling": ESCAPES}, wall=1e300)
        words: dict[str, Any] = {
            "ask": ESCAPES,
            "rule": ESCAPES,
            "seat": ESCAPES,
            "by": ESCAPES,
            "mode": ESCAPES,
            "source": ESCAPES,
        }
        return [
            start,
            Entry(1, "answer", ESCAPES, **words, answer=ESCAPES, result={"rulings": [ruling]}, wall=-1e300),
        ]

    @pytest.fixture(params=[ESCAPES, GAME])
    def journal(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        path = tmp_path / "journal.db"
        first, second = self.entries(request.param)
        with Journal(path) as journal:
            journal.append(journal.begin(request.param, first), [second])
        return path

    @pytest.mark.parametrize(
        "words",
        [
            "log",
            "log --json",
            "log --list",
            "log --list --json",
            "check",
            "verify",
            "export",
            "doctor --no-ask",
        ],
    )
    def test_prints_nothing_but_letters(self, run: Run, journal: Path, words: str) -> None:
        code, *output = run(*words.split(), "--journal", journal)
        assert code in (0, 1)
        assert [line for line in "".join(output).split("\n") if not line.isprintable()] == []

    @pytest.mark.parametrize("column", ["began", "wall"])
    @pytest.mark.parametrize("value", ["1e300", "-1e300", "9e999", "253402300800.0"])
    def test_a_time_that_no_calendar_has(self, run: Run, journal: Path, column: str, value: str) -> None:
        tampered(journal, f"UPDATE {'games' if column == 'began' else 'entries'} SET {column} = {value}")
        for words in (["log"], ["log", "--list"], ["log", "--list", "--json"], ["check"], ["verify"]):
            assert run(*words, "--journal", journal)[0] in (0, 1)


class TestConfiguration:
    """Whatever is wrong with it, it ends with 2, which the service does not start again."""

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("a = " + "[" * 5000 + "]" * 5000, "levels of nesting"),
            (
                "glass.contrast." + "a." * 2000 + "a = 1",
                "expected a whole number from 0 to 255; got ",
            ),
            ("glass.contrast = " + "1" * 5000, "shorter numbers"),
            ("glass.contrast = " + "1" * 5000 + ".0", "expected a whole number from 0 to 255"),
            ("glass.contrast = 9999-99-99", "not TOML"),
            ('panel.host = "\\u001b[2J"\npanel.port = "\\u001b[2J"', "expected a whole number"),
        ],
    )
    @pytest.mark.parametrize("command", ["run", "doctor --no-ask"])
    def test_ends_with_78(self, run: Run, tmp_path: Path, text: str, complaint: str, command: str) -> None:
        file = tmp_path / "referee.toml"
        file.write_text(text)
        code, output, errors = run(*command.split(), "--journal", tmp_path / "journal.db", "--config", file)
        assert (code, output) == (78, "")
        assert errors.startswith(f"referee: {file}")
        assert complaint in errors
        assert errors.count("\n") == 1
        assert errors.rstrip("\n").isprintable()
        assert [*tmp_path.iterdir()] == [file]


WORDS = ("", "\udcff\udcfe", "A\udce4", "\u00a0", "\u202e", "x" * 100_000, "\x1b[2J\n", "/", "-5", "9" * 30)
"""Of the environment and of the command line: nothing, not UTF-8, unseen, huge, escapes, a folder, numbers."""


class TestSurroundings:
    """What a shell or a service hands over."""

    @pytest.mark.parametrize("value", WORDS, ids=range(len(WORDS)))
    def test_an_argument(self, run: Run, tmp_path: Path, value: str) -> None:
        for words in (
            ["log", value],
            ["log", "--journal", value],
            ["odds", value],
            ["replay", value],
            ["drive", "battle-of-the-ring", "--set", f"players={value}"],
        ):
            try:
                code, *output = run(*words)
            except SystemExit as end:
                code, output = int(end.code or 0), []
            assert code in (2, 74), words
            assert [
                line for line in "".join(output).split("\n") if not line.replace("\u00a0", " ").isprintable()
            ] == []
        assert [*tmp_path.iterdir()] == []
