"""The installer, run below a directory: once, twice, off again, and among somebody else's files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pi.image import CONFIG_TXT, INSTALL, PATIENCE, ROOT, Image

OURS = ("etc/systemd/system/referee.service", "usr/local/bin/referee")


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """An image with 1,000 files of somebody's and the referee; tests that change anything take a copy."""
    image = Image.new(tmp_path_factory.mktemp("card") / "image")
    image.fill(1000)
    return image


@pytest.fixture(scope="module")
def before(card: Image) -> dict[str, tuple[str, int, int, bytes]]:
    return card.everything()


@pytest.fixture(scope="module")
def image(card: Image, before: object) -> Image:
    done = card.install()
    assert done.returncode == 0, done.stdout + done.stderr
    return card


@pytest.fixture
def copy(image: Image, tmp_path: Path) -> Image:
    shutil.copytree(image.root, tmp_path / "image", symlinks=True)
    return Image(tmp_path / "image")


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
    ):
        assert (image.root / place).is_file(), place
    assert image.one("opt/referee/app-*/hardware/pins.toml").is_file()
    assert (image.root / "usr/local/bin/referee").readlink() == Path("/opt/referee/bin/referee")
    assert os.access(image.root / "opt/referee/bin/referee", os.X_OK)
    assert "REFEREE_CONFIG:-/etc/referee/referee.toml" in (image.root / "opt/referee/bin/referee").read_text()
    assert "include-system-site-packages = true" in image.one("opt/referee/venv-*/pyvenv.cfg").read_text()


def run_installed(image: Image, cwd: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command, its absolute paths those of the image."""
    launcher = cwd.with_name("launcher")
    text = (image.root / "opt/referee/bin/referee").read_text()
    launcher.write_text(text.replace("/opt/referee", f"{image.root}/opt/referee"))
    return subprocess.run(
        ["/bin/sh", launcher, *arguments],
        env={"PATH": os.environ["PATH"], **env},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A directory whose modules bear the names of Python's, of the tools' and of the program's own."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("referee", "hardware", "pip", "venv", "ensurepip", "firmware"):
        (folder / name).mkdir()
        for module in ("__init__", "__main__"):
            (folder / name / f"{module}.py").write_text("raise SystemExit('taken over')")
    for name in ("json", "signal", "re", "argparse", "sitecustomize", "usercustomize", "hashlib", "shutil"):
        (folder / f"{name}.py").write_text("raise SystemExit('taken over')")
    return folder


def test_the_installed_command_imports_nothing_of_the_caller_s(image: Image, hostile: Path) -> None:
    done = run_installed(image, hostile, "games")
    assert (done.returncode, "Battle of the Ring" in done.stdout) == (0, True), done.stderr
    done = run_installed(image, hostile, "games", PYTHONPATH=str(hostile))
    assert (done.returncode, "Battle of the Ring" in done.stdout) == (0, True), done.stderr


def test_the_installer_imports_nothing_of_the_caller_s(tmp_path: Path, hostile: Path) -> None:
    image = Image.new(tmp_path / "image")
    done = image.install(cwd=hostile)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_installed_program_is_compiled(image: Image) -> None:
    """Nobody who runs it may write there: what is not compiled now is compiled at every start."""
    app = image.one("opt/referee/app-*")
    done = subprocess.run(
        [image.one("opt/referee/venv-*") / "bin/python", "-I", "-v", app, "--version"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout.split()[:1]) == (0, ["referee"]), done.stderr
    cached = f"referee/cli/__pycache__/main.{sys.implementation.cache_tag}.pyc"
    assert f"code object from '{app}/{cached}'" in done.stderr
    assert "wrote" not in done.stderr


def test_the_boot_configuration_applies_to_every_model(image: Image) -> None:
    assert image.boot.read_bytes() == CONFIG_TXT + b"\n[all]\ninclude referee.txt\n"


def test_again_changes_nothing(image: Image) -> None:
    before = image.everything()
    done = image.install()
    assert done.returncode == 0, done.stderr
    assert "wrote" not in done.stdout
    assert image.everything() == before


def test_another_prefix_is_carried_into_every_file(tmp_path: Path) -> None:
    image = Image.new(tmp_path)
    image.boot.unlink()
    done = image.install("--prefix", "/srv/box")
    assert done.returncode == 0, done.stderr
    assert "switch I2C on by hand" in done.stdout, "this system has no boot partition"
    assert "ExecStart=/srv/box/bin/referee run" in (tmp_path / "etc/systemd/system/referee.service").read_text()
    assert "/srv/box/venv-" in (tmp_path / "srv/box/bin/referee").read_text()
    texts = [
        entry[3]
        for name, entry in image.everything().items()
        if name.startswith(("etc/", "srv/box/bin", "usr/local"))
    ]
    assert not any(b"/opt/referee" in data for data in texts)


class TestTakenOff:
    """What the list does not name is as it was, byte for byte."""

    def test_settings_and_games_stay_and_a_thousand_files_are_untouched(
        self, copy: Image, before: dict[str, object]
    ) -> None:
        (copy.root / "etc/referee/referee.toml").write_text("[table]\ndice = 'box'\n")
        (copy.root / "var/lib/referee").mkdir(parents=True)
        (copy.root / "var/lib/referee/journal.db").write_bytes(b"games")
        kept = {
            name: entry
            for name, entry in copy.everything().items()
            if name in ("etc/referee/referee.toml", "var/lib/referee", "var/lib/referee/journal.db")
        }
        done = copy.install("--uninstall")
        assert done.returncode == 0, done.stderr
        assert copy.boot.read_bytes() == CONFIG_TXT
        after = copy.everything()
        assert after.pop("boot/firmware/config.txt")[0] == "file"
        expected = before | kept
        del expected["boot/firmware/config.txt"]
        assert after == expected
        done = copy.install("--uninstall", "--purge")
        assert done.returncode == 0, done.stderr
        assert "etc/referee is kept" in done.stdout, "somebody's own files are in it"
        assert copy.everything().keys() == before.keys()

    def test_files_put_into_the_prefix_later_stay(self, copy: Image) -> None:
        own = [
            copy.one("opt/referee/app-*") / "referee/own.py",
            copy.one("opt/referee/venv-*") / "bin/own",
            copy.root / "opt/referee/bin/own",
            copy.root / "opt/referee/notes/own",
        ]
        for path in own:
            path.parent.mkdir(exist_ok=True)
            path.write_text("own")
        done = copy.install("--uninstall")
        assert done.returncode == 0, done.stderr
        assert "Left in /opt/referee" in done.stdout
        left = [path for path in (copy.root / "opt/referee").rglob("*") if not path.is_dir()]
        assert sorted(left) == sorted(own)

    def test_what_was_moved_behind_a_link_stays(self, copy: Image) -> None:
        """Somebody moved the environment to another disk and linked it: the names in it are listed."""
        venv = copy.one("opt/referee/venv-*")
        moved = copy.root / "home/pi/disk"
        venv.rename(moved)
        venv.symlink_to(moved)
        inside = {path: path.lstat().st_mtime_ns for path in moved.rglob("*")}
        done = copy.install("--uninstall")
        assert done.returncode == 0, done.stderr
        assert {path: path.lstat().st_mtime_ns for path in moved.rglob("*")} == inside

    @pytest.mark.parametrize(
        "line",
        [
            "/home/pi/own 9",
            "/opt/referee/../other/app/own 3",
            "/opt/referee//x",
            "making /usr/local/",
            "/usr/bin/own 2",
            "/etc/systemd/system/own 6",
            "own",
            "",
        ],
    )
    def test_a_list_that_names_other_things_removes_nothing(self, copy: Image, line: str) -> None:
        listed = copy.root / "opt/referee/installed"
        listed.write_text(listed.read_text() + f"{line}\n")
        before = copy.everything()
        for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
            done = copy.install(*options)
            assert (done.returncode, "is not a list of the installer's" in done.stderr) == (1, True)
        assert copy.everything() == before

    def test_a_list_that_others_may_write_removes_nothing(self, copy: Image) -> None:
        (copy.root / "opt/referee/installed").chmod(0o666)
        before = copy.everything()
        done = copy.install("--uninstall")
        assert (done.returncode, "not a file of root's own" in done.stderr) == (1, True)
        assert copy.everything() == before

    def test_games_of_an_installation_elsewhere_are_not_purged(self, copy: Image) -> None:
        (copy.root / "var/lib/referee").mkdir(parents=True)
        (copy.root / "var/lib/referee/journal.db").write_bytes(b"games")
        before = copy.everything()
        done = copy.install("--uninstall", "--purge", "--prefix", "/srv/box")
        assert (done.returncode, "installed elsewhere" in done.stderr) == (1, True)
        assert copy.everything() == before

    def test_it_may_be_killed_at_every_step(self, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "tests.pi.killed", tmp_path / "tries"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert [int(line.split(": ")[1]) > 50 for line in done.stdout.splitlines()] == [True] * 6


class TestPrefix:
    """A directory that cannot be meant is refused before anything is changed, for installing and for taking off."""

    @pytest.mark.parametrize(
        ("prefix", "complaint"),
        [
            ("/", "written plainly"),
            ("//", "written plainly"),
            ("/usr/", "written plainly"),
            ("//usr/local", "written plainly"),
            ("/usr/local/", "written plainly"),
            ("/opt/..", "written plainly"),
            ("/opt/../usr/local", "written plainly"),
            ("/opt/./referee", "written plainly"),
            ("/opt/referee/..", "written plainly"),
            ("/opt//referee", "written plainly"),
            ("/usr", "of the referee's own"),
            ("/usr/local", "of the referee's own"),
            ("/usr/bin", "of the referee's own"),
            ("/opt", "of the referee's own"),
            ("/srv", "of the referee's own"),
            ("/home/pi", "of the referee's own"),
            ("/etc/referee", "of the referee's own"),
            ("/var/lib/referee", "of the referee's own"),
            ("/usr/local/bin", "where /usr/local/bin/referee goes"),
            ("/usr/local/bin/referee", "where /usr/local/bin/referee goes"),
            ("/usr/local/bin/referee/x", "where /usr/local/bin/referee goes"),
            ("opt/referee", "must be an absolute path"),
            ("../opt/referee", "must be an absolute path"),
            (".", "must be an absolute path"),
            ("/opt/my box", "letters, digits"),
            ("/opt/referee\n/usr", "letters, digits"),
            ("/opt/*", "letters, digits"),
            ("", "wants a directory"),
        ],
    )
    def test_refused(self, card: Image, before: object, prefix: str, complaint: str) -> None:
        state = card.everything()
        for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
            done = card.install("--prefix", prefix, *options)
            assert (done.returncode, complaint in done.stderr) == (2, True), done.stderr
        assert card.everything() == state

    @pytest.mark.parametrize("prefix", ["/opt/other", "/srv/games", "/usr/local/lib", "/usr/local/lib/tool"])
    def test_somebody_s_own(self, card: Image, before: object, prefix: str) -> None:
        state = card.everything()
        for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
            done = card.install("--prefix", prefix, *options)
            assert (done.returncode, "no installation of the referee" in done.stderr) == (1, True), done.stderr
        assert card.everything() == state

    @pytest.mark.parametrize(
        ("link", "target"), [("opt/link", "../usr/local"), ("srv", "usr/local"), ("opt/x", "other")]
    )
    def test_a_link(self, tmp_path: Path, link: str, target: str) -> None:
        image = Image.new(tmp_path)
        for folder in ("usr/local/bin", "opt/other/app"):
            (tmp_path / folder).mkdir(parents=True)
            (tmp_path / folder / "own").write_text("own")
        (tmp_path / link).symlink_to(target)
        state = image.everything()
        for prefix in (f"/{link}", f"/{link}/referee"):
            for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
                done = image.install("--prefix", prefix, *options)
                assert done.returncode in (1, 2)
                assert "symbolic link" in done.stderr or "of the referee's own below" in done.stderr
        assert image.everything() == state

    def test_the_command_is_never_a_link_to_itself(self, tmp_path: Path) -> None:
        """In an image where nothing is there yet, nothing is somebody's own."""
        image = Image.new(tmp_path)
        state = image.everything()
        assert image.install("--prefix", "/usr/local").returncode == 2
        assert image.everything() == state


@pytest.mark.parametrize("path", [*OURS, "boot/firmware/referee.txt", "opt/referee"])
def test_what_is_there_already_is_not_written_over(tmp_path: Path, path: str) -> None:
    image = Image.new(tmp_path)
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("own")
    state = image.everything()
    done = image.install()
    assert (done.returncode, path in done.stderr) == (1, True), done.stderr
    assert image.everything() == state


def test_settings_somebody_made_and_a_boot_line_somebody_moved_are_respected(copy: Image) -> None:
    copy.boot.write_bytes(b"include referee.txt\n[all]\ngpu_mem=16")
    (copy.root / "etc/referee/referee.toml").write_text("[table]\n")
    assert copy.install().returncode == 0
    assert copy.boot.read_bytes() == b"include referee.txt\n[all]\ngpu_mem=16"
    assert (copy.root / "etc/referee/referee.toml").read_text() == "[table]\n"
    assert copy.install("--uninstall").returncode == 0
    assert copy.boot.read_bytes() == b"[all]\ngpu_mem=16"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--prefix"], "wants a directory"),
        (["--force"], "no such option: --force"),
        (["--purge"], "goes with --uninstall"),
    ],
)
def test_wrong_arguments_change_nothing(tmp_path: Path, options: list[str], complaint: str) -> None:
    image = Image.new(tmp_path)
    before = image.everything()
    done = image.install(*options)
    assert (done.returncode, complaint in done.stderr) == (2, True)
    assert image.everything() == before


def test_an_old_python_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    image = Image.new(tmp_path)
    before = image.everything()
    done = image.install(PYTHON="false")
    assert (done.returncode, "Python 3.11 or newer" in done.stderr) == (1, True)
    assert image.everything() == before


def test_the_shell_has_nothing_to_complain_about(shellcheck: str) -> None:
    done = subprocess.run([shellcheck, INSTALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
