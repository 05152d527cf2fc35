"""The installer, run below a directory: once, twice, off again, and with what somebody changed in between."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "firmware" / "pi" / "install.sh"
CONFIG_TXT = "# For more options see http://rptl.io/configtxt\ndtparam=audio=on\n\n[cm5]\ndtoverlay=dwc2\n"
PATIENCE = 120


class Image:
    """A directory that stands for the SD card."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.boot = root / "boot/firmware/config.txt"
        self.boot.parent.mkdir(parents=True)
        self.boot.write_text(CONFIG_TXT)

    def install(self, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [INSTALL, "--skip-packages", *options],
            env={"PATH": os.environ["PATH"], "DESTDIR": str(self.root)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def tree(self) -> dict[str, bytes]:
        """Every file but the environment's, with what is in it; compiled code only by name."""
        return {
            str(path.relative_to(self.root)): b"" if path.suffix == ".pyc" else path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.is_symlink() and "venv" not in path.parts
        }


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    made = Image(tmp_path_factory.mktemp("image"))
    done = made.install()
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_everything_is_in_its_place(image: Image) -> None:
    for place in (
        "etc/systemd/system/referee.service",
        "etc/udev/rules.d/70-referee.rules",
        "etc/sysusers.d/referee.conf",
        "etc/tmpfiles.d/referee.conf",
        "etc/modules-load.d/referee.conf",
        "etc/systemd/journald.conf.d/referee.conf",
        "etc/referee/referee.toml",
        "boot/firmware/referee.txt",
        "opt/referee/app/hardware/pins.toml",
    ):
        assert (image.root / place).is_file(), place
    assert (image.root / "usr/local/bin/referee").readlink() == Path("/opt/referee/bin/referee")
    assert os.access(image.root / "opt/referee/bin/referee", os.X_OK)
    assert "REFEREE_CONFIG:-/etc/referee/referee.toml" in (image.root / "opt/referee/bin/referee").read_text()
    assert "include-system-site-packages = true" in (image.root / "opt/referee/venv/pyvenv.cfg").read_text()


def test_the_installed_program_runs_far_from_the_checkout(image: Image, tmp_path: Path) -> None:
    done = subprocess.run(
        [image.root / "opt/referee/venv/bin/python", "-m", "referee", "--version"],
        env={"PYTHONPATH": str(image.root / "opt/referee/app")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout.split()[:1]) == (0, ["referee"]), done.stderr


def test_the_boot_configuration_applies_to_every_model(image: Image) -> None:
    assert image.boot.read_text() == CONFIG_TXT + "\n[all]\ninclude referee.txt\n"


def test_again_changes_nothing(image: Image) -> None:
    before = image.tree()
    done = image.install()
    assert done.returncode == 0, done.stderr
    assert "wrote" not in done.stdout
    assert image.tree() == before


def test_another_prefix_is_carried_into_every_file(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.boot.unlink()
    done = image.install("--prefix", "/srv/box")
    assert done.returncode == 0, done.stderr
    assert "switch I2C on by hand" in done.stdout, "this system has no boot partition"
    assert "ExecStart=/srv/box/bin/referee run" in (tmp_path / "etc/systemd/system/referee.service").read_text()
    assert "/srv/box/venv/bin/python" in (tmp_path / "srv/box/bin/referee").read_text()
    texts = [data for name, data in image.tree().items() if name.startswith(("etc/", "srv/box/bin"))]
    assert not any(b"/opt/referee" in data for data in texts)


def test_off_again_leaves_settings_and_games_and_nothing_else(tmp_path: Path) -> None:
    image = Image(tmp_path)
    before = image.tree()
    assert image.install().returncode == 0
    (tmp_path / "etc/referee/referee.toml").write_text("[table]\ndice = 'box'\n")
    (tmp_path / "var/lib/referee").mkdir(parents=True)
    (tmp_path / "var/lib/referee/journal.db").write_bytes(b"games")
    done = image.install("--uninstall")
    assert done.returncode == 0, done.stderr
    kept = {
        "etc/referee/referee.toml": b"[table]\ndice = 'box'\n",
        "var/lib/referee/journal.db": b"games",
    }
    assert image.tree() == before | kept
    assert not (tmp_path / "opt/referee").exists()
    assert not (tmp_path / "usr/local/bin/referee").is_symlink()
    assert image.install("--uninstall", "--purge").returncode == 0
    assert image.tree() == before


def test_settings_somebody_made_and_a_boot_line_somebody_moved_are_respected(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.boot.write_text("include referee.txt\n[all]\ngpu_mem=16\n")
    (tmp_path / "etc/referee").mkdir(parents=True)
    (tmp_path / "etc/referee/referee.toml").write_text("[table]\n")
    assert image.install().returncode == 0
    assert image.boot.read_text() == "include referee.txt\n[all]\ngpu_mem=16\n"
    assert (tmp_path / "etc/referee/referee.toml").read_text() == "[table]\n"
    assert image.install("--uninstall").returncode == 0
    assert image.boot.read_text() == "[all]\ngpu_mem=16\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--prefix", "opt/referee"], "must be an absolute path, got opt/referee"),
        (["--prefix", "/usr"], "a directory of the referee's own"),
        (["--prefix", "/opt/my box"], "letters, digits"),
        (["--prefix"], "wants a directory"),
        (["--force"], "no such option: --force"),
    ],
)
def test_wrong_arguments_change_nothing(tmp_path: Path, options: list[str], said: str) -> None:
    image = Image(tmp_path)
    before = image.tree()
    done = image.install(*options)
    assert (done.returncode, said in done.stderr) == (2, True)
    assert image.tree() == before


def test_an_old_python_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    image = Image(tmp_path)
    before = image.tree()
    done = subprocess.run(
        [INSTALL, "--skip-packages"],
        env={"PATH": os.environ["PATH"], "DESTDIR": str(tmp_path), "PYTHON": "false"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, "Python 3.11 or newer" in done.stderr) == (1, True)
    assert image.tree() == before


def test_the_shell_has_nothing_to_complain_about(shellcheck: str) -> None:
    done = subprocess.run([shellcheck, INSTALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
