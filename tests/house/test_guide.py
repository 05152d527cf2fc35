"""docs/rulebook.md and docs/testing.md keep their promises: what they print is built, installed, tested, played."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from referee import rulebook
from referee.session import Session, Submission
from referee.testing.conformance import BOOK_CHECKS, CHECKS, NotConforming, conformance

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```\w+ (\S+\.\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = dict(FILE.findall(TEXT))
PATTERNS = dict(re.findall(r"^```python-(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
TRANSCRIPTS = re.findall(r"^```transcript\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
(REPORT,) = re.findall(r"^```report\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
GAME = "the_ford.py"
LINT = ("--config", ROOT / "pyproject.toml", "--no-cache")
PATIENCE = 240
Load = Callable[[str, str], ModuleType]


def run(cwd: Path, *module: str | Path, sent: str = "", path: Path | None = None) -> str:
    """Run a Python module far from the checkout; it must end well."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "REFEREE"))}
    if path is not None:
        env["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, "-P", "-m", *module],
        cwd=cwd,
        env=env,
        input=sent,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game, as an author writes it down from the guide."""
    folder = tmp_path_factory.mktemp("authors") / "the-ford"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The referee and the game, built and installed without a network; what they need comes from the environment."""
    checkout, target = tmp_path_factory.mktemp("source") / "checkout", tmp_path_factory.mktemp("installed")
    checkout.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "pytest_referee.py"):
        shutil.copy(ROOT / name, checkout)
    for name in ("referee", "hardware"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    offline = ("--disable-pip-version-check", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation")
    run(package, "pip", *offline, "--target", target, checkout, package)
    return target


@pytest.mark.long
def test_the_tests_of_the_guide_pass(package: Path, installed: Path) -> None:
    output = run(package, "pytest", "-q", "-p", "no:cacheprovider", "tests", path=installed)
    assert f"{FILES['tests/test_the_ford.py'].count('def test_')} passed" in output


@pytest.mark.long
def test_the_examples_of_testing_without_hardware_run(installed: Path, tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    examples = dict(FILE.findall(guide))
    assert len(examples) == 6
    for name, text in examples.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    lumas = "ignore:Image.Image.getdata:DeprecationWarning"
    warnings = ("-W", "error", "-W", lumas)
    output = run(tmp_path, "pytest", "-q", "-rP", *warnings, "-p", "no:cacheprovider", path=installed)
    assert f"{sum(text.count('def test_') for text in examples.values())} passed" in output
    (timeline,) = re.findall(r"^```timeline\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert timeline in output
    run(tmp_path, "ruff", "check", *LINT, "--ignore", "INP001,D103,T201", ".")
    run(tmp_path, "ruff", "format", "--check", *LINT, ".")


@pytest.mark.long
def test_a_run_with_pins_loads_nothing_of_the_referee(installed: Path, tmp_path: Path) -> None:
    text = (
        "import sys\n\ndef test_it(pins):\n    assert not [each for each in sys.modules if each[:7] == 'referee']\n"
    )
    (tmp_path / "test_pins.py").write_text(text, encoding="utf-8")
    assert "1 passed" in run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", path=installed)


@pytest.mark.parametrize("transcript", TRANSCRIPTS)
def test_the_transcript_runs_as_printed(package: Path, installed: Path, transcript: str) -> None:
    command, *rest = transcript.splitlines()
    sent = "".join(line[2:] + "\n" for line in rest if line.startswith("< "))
    expected = [line[2:] for line in rest if line.startswith("> ")]
    output = run(package, *command.removeprefix("$ ").split(), sent=sent, path=installed)
    assert output.splitlines() == expected


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Import a text as a module of this name."""
    monkeypatch.syspath_prepend(tmp_path)

    def imported(name: str, text: str) -> ModuleType:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return import_module(name)

    return imported


def test_bids_in_secret_are_told_when_both_are_in(load: Load) -> None:
    """F3: the example of the guide is played."""
    text = FILES[GAME]
    for before, after in (
        ('"F-3": "Arrows run out"', '"F-3": "Arrows run out", "F-4": "The higher bid begins"'),
        ('    seat: str = "north"\n', "    seat: str = kit.ANYBODY\n    begun: bool = False\n"),
        ("    while max(", "    if not game.begun:\n        yield from bids(game)\n    while max("),
    ):
        assert text.count(before) == 1
        text = text.replace(before, after)
    ford = load("ford_with_bids", text + PATTERNS["bids"])
    session = Session(ford.BOOK)
    session.answer(Submission(2, seat="south"))
    assert "2" not in session.log()[-1].text
    outcome = session.answer(Submission(1, seat="north"))
    (ruling,) = outcome.events
    assert isinstance(ruling, rulebook.Ruling)
    assert (ruling.headline, ruling.why) == ("South begins", ("North bids 1", "South bids 2"))
    assert [line.text for line in session.log()[-4:-1]] == ["North has answered in secret", "Coins: 1", "Coins: 2"]
    conformance(replace(ford.BOOK, rulings={}), 60)


def test_conformance_reports_the_two_faults_as_printed(load: Load) -> None:
    text = FILES[GAME]
    for sound, wrong in (
        ("lambda faces: outcome(action, faces)", 'lambda faces: "driven-back" if sum(faces) >= 8 else "no-effect"'),
        ('"total": sum(faces)', '"total": sum(faces) + 1'),
    ):
        assert text.count(sound) == 1
        text = text.replace(sound, wrong)
    with pytest.raises(NotConforming) as caught:
        conformance(load("wrong_ford", text).BOOK)
    assert str(caught.value).startswith(REPORT)


def test_every_check_of_conformance_is_explained() -> None:
    explained = re.findall(r"^- ([\w ]+)$", TEXT[TEXT.index("### Conformance") :], re.MULTILINE)
    assert explained == [check.__name__.replace("_", " ") for check in (*CHECKS, *BOOK_CHECKS)]


def test_the_guide_names_what_the_kit_offers_and_nothing_else() -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    code = " ".join(re.findall(r"`([^`]+)`", prose))
    named = set(re.findall(r"\b[A-Z][A-Za-z]\w+\b", re.sub(r'"[^"]*"', "", code)))
    of_others = {"ACTIONS", "BOOK", "TABLES", "FordTable", "Table", "NotConforming", "Report", "True", "False"}
    assert {name for name in named if not hasattr(rulebook, name)} == of_others
    named |= set(re.findall(r"\bkit\.(\w+)", TEXT))
    core = {"Choose", "Pick", "Count", "Roll", "Options", "Bar", "Bundle", "Ruling", "Attempt", "MILESTONE", "Switch"}
    types = {"Notes", "Limits", "Cell", "Pool", "Assumed"}
    assert core | types | {"Range", "OneOf", "Conceded", "Game", "YES_NO", "ANYBODY", "Over", "Book"} <= named
