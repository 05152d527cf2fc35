"""What is built is whole: the wheel holds everything it needs, and runs far from the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from referee import __version__

ROOT = Path(__file__).parents[2]
PATIENCE = 60
LOCKS = ("requirements.lock", "requirements-dev.lock")


def run(
    command: Sequence[str | Path], cwd: Path, text: str = "", *, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command that must end well."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "REFEREE", "XDG"))}
    if path is not None:
        env["PYTHONPATH"] = str(path)
    done = subprocess.run(
        command, cwd=cwd, input=text, env=env, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: a build leaves its traces beside the sources."""
    copy = tmp_path_factory.mktemp("source") / "checkout"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "pytest_referee.py"):
        shutil.copy(ROOT / name, copy)
    for name in ("referee", "hardware", "tests", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation", "-w", out, "."], copy)
    (wheel,) = out.iterdir()
    return wheel


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel installed in a folder of its own; its dependencies come from the environment of the tests."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "install", "-q", "--no-deps", "--no-index", "--target", target, wheel], target)
    return target


def test_the_wheel_has_the_files_of_the_packages_alone(names: list[str]) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in ("referee", "hardware")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == wanted | {"pytest_referee.py"}
    for name in (
        "referee/hall/pages/templates/base.html",
        "referee/web/panel/index.html",
        "referee/console/drawing/fonts/helvB24-100dpi.pcf.gz",
        "hardware/pins.toml",
    ):
        assert name in names
    assert {"referee/py.typed", "hardware/py.typed"} <= set(names)


def test_it_runs_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    referee: list[str | Path] = [sys.executable, installed / "bin" / "referee"]
    where = run([sys.executable, "-c", "import referee; print(referee.__file__)"], tmp_path, path=installed)
    assert Path(where.stdout.strip()).is_relative_to(installed)
    assert run([*referee, "--version"], tmp_path, path=installed).stdout == f"referee {__version__}\n"
    shelf = json.loads(run([*referee, "games", "--json"], tmp_path, path=installed).stdout)
    assert len(shelf) >= 4
    sent = '{"answer":"o-v-o"}\n{"answer":"open"}\n{"answer":[5,4]}\n'
    output = run([*referee, "drive", "battle-of-the-ring", "--ruling", "attack"], tmp_path, sent, path=installed)
    rulings = [line for line in map(json.loads, output.stdout.splitlines()) if line["type"] == "ruling"]
    assert [ruling["result"] for ruling in rulings] == ["defender-eliminated"]


def test_the_panel_is_served_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(installed / "bin" / "referee"), "play", "--no-browser", "--port", "0"]
    env = {**os.environ, "PYTHONPATH": str(installed), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, "--journal", str(tmp_path / "journal.db")],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as station:
        assert station.stdout is not None
        try:
            line = station.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/", line)
            assert address, line
            page = urlopen(address[0], timeout=PATIENCE).read().decode("utf-8")  # our own page, on loopback
            for name in re.findall(r'(?:src|href)="(\w+\.\w+)"', page):
                with urlopen(address[0] + name, timeout=PATIENCE) as answer:
                    assert answer.status == 200
                    assert answer.read() == (ROOT / "referee" / "web" / "panel" / name).read_bytes()
        finally:
            station.send_signal(signal.SIGTERM)
        assert station.wait(PATIENCE) == 0


@pytest.mark.parametrize("lock", sorted(path.name for path in ROOT.glob("requirements*.lock")))
def test_a_lock_file_pins_every_requirement_by_its_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    for word in ("http", "index-url", "find-links", "trusted-host", "file:", "@"):
        assert word not in text.lower(), word
    entries = re.split(r"\n(?=\S)", text.strip())
    requirements = [entry for entry in entries if not entry.startswith("#")]
    assert requirements
    for entry in requirements:
        assert re.match(r"[a-z0-9-]+==[\w.]+( ; [^\\\n]+)? \\\n", entry), entry[:60]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), entry[:60]


def pins(lock: str) -> dict[str, str]:
    """Return the versions a lock file pins."""
    versions = re.findall(r"^([a-z0-9-]+)==([\w.]+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
    return dict(versions)


def test_the_lock_files_agree_and_hold_every_dependency() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    plain, dev = (pins(lock) for lock in LOCKS)
    for lines, lock in ((data["project"]["dependencies"], plain), (data["dependency-groups"]["dev"], dev)):
        for line in lines:
            name = re.match(r"[\w.-]+", line)
            assert name
            assert name[0].lower().replace(".", "-") in lock, line
    assert {name: dev.get(name) for name in plain} == plain
