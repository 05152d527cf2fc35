"""The installer, run below a directory: once, twice, off again, and among somebody else's files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.components import MEMORY
from tests.pi.image import CONFIG_TXT, INSTALL, PATIENCE, ROOT, Entry, Image
from tests.pi.small import SmallImage

OURS = ("etc/systemd/system/referee.service", "usr/local/bin/referee")


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """An image with 1,000 foreign files, on which the referee is installed and finally uninstalled."""
    image = Image.new(tmp_path_factory.mktemp("card") / "image")
    image.fill(1000)
    return image


@pytest.fixture(scope="module")
def before(card: Image) -> dict[str, Entry]:
    return card.everything()


@pytest.fixture(scope="module")
def image(card: Image, before: object) -> Image:
    done = card.install()
    assert done.returncode == 0, done.stdout + done.stderr
    return card


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallImage:
    """A card with somebody's files."""
    image = SmallImage(Image.new(tmp_path / "image").root, monkeypatch)
    image.fill(60)
    return image


@pytest.fixture
def small(foreign: SmallImage) -> SmallImage:
    """The same with a small referee installed."""
    done = foreign.run()
    assert done.code == 0, done.err
    return foreign


@pytest.mark.long
def test_everything_is_in_its_place(image: Image) -> None:
    for place in (
        "etc/systemd/system/referee.service",
        "etc/udev/rules.d/70-referee.rules",
        "etc/sysusers.d/referee.conf",
        "etc/tmpfiles.d/referee.conf",
        "etc/modules-load.d/referee.conf",
        "etc/systemd/journald.conf.d/referee.conf",
        "etc/referee/referee.toml",
        "boot/firmware/referee-config.txt",
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


@pytest.mark.long
def test_the_installed_command_imports_nothing_of_the_caller_s(image: Image, hostile: Path) -> None:
    done = run_installed(image, hostile, "games")
    assert (done.returncode, "Battle of the Ring" in done.stdout) == (0, True), done.stderr
    done = run_installed(image, hostile, "games", PYTHONPATH=str(hostile))
    assert (done.returncode, "Battle of the Ring" in done.stdout) == (0, True), done.stderr


@pytest.mark.long
def test_the_installer_imports_nothing_of_the_caller_s_and_a_narrow_umask_locks_nobody_out(
    tmp_path: Path, hostile: Path
) -> None:
    image = Image.new(tmp_path / "image")
    before = image.everything()
    done = image.install(cwd=hostile, umask=0o077)
    assert done.returncode == 0, done.stdout + done.stderr
    assert wrong_modes(image, before) == []


def wrong_modes(image: Image, before: dict[str, Entry]) -> list[str]:
    """Name what the service could not read, or others could write."""
    new = {name: entry for name, entry in image.everything().items() if name not in before and entry[0] != "link"}
    assert len(new) > 500
    needed = {"file": 0o444, "directory": 0o555}
    return [name for name, (kind, mode, _, _) in new.items() if mode & needed[kind] != needed[kind] or mode & 0o022]


@pytest.mark.long
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
    (compiled,) = (app / "referee/cli/__pycache__").glob("main.*.pyc")
    assert f"code object from '{compiled}'" in done.stderr
    assert "wrote" not in done.stderr


@pytest.mark.long
def test_the_boot_configuration_applies_to_every_model(image: Image) -> None:
    assert image.boot.read_bytes() == CONFIG_TXT + b"\n[all]\ninclude referee-config.txt\n"


@pytest.mark.long
def test_again_changes_nothing(image: Image) -> None:
    before = image.everything()
    done = image.install()
    assert done.returncode == 0, done.stderr
    assert "wrote" not in done.stdout
    assert image.everything() == before


def test_a_file_system_that_gives_more_rights_is_no_reason_to_write_again(small: SmallImage) -> None:
    """So does FAT, which the firmware boots from."""
    (small.root / "boot/firmware/referee-config.txt").chmod(0o755)
    assert "wrote" not in small.run().out
    (small.root / "opt/referee/bin/referee").chmod(0o644)
    assert "wrote /opt/referee/bin/referee\n" in small.run().out


@pytest.mark.long
def test_another_prefix_is_carried_into_every_file_and_a_wide_umask_lets_nobody_in(tmp_path: Path) -> None:
    image = Image.new(tmp_path)
    image.boot.unlink()
    before = image.everything()
    done = image.install("--prefix", "/srv/box", umask=0)
    assert done.returncode == 0, done.stderr
    assert wrong_modes(image, before) == []
    assert "enable I2C by hand" in done.stdout, "this system has no boot partition"
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

    def test_files_put_into_the_prefix_later_stay(self, small: SmallImage) -> None:
        own = [
            small.one("opt/referee/app-*") / "referee/own.py",
            small.one("opt/referee/venv-*") / "bin/own",
            small.root / "opt/referee/bin/own",
            small.root / "opt/referee/notes/own",
        ]
        for path in own:
            path.parent.mkdir(exist_ok=True)
            path.write_text("own")
        done = small.run("--uninstall")
        assert "Left in /opt/referee" in done.out
        left = [path for path in (small.root / "opt/referee").rglob("*") if not path.is_dir()]
        assert sorted(left) == sorted(own)

    def test_what_was_moved_behind_a_link_stays(self, small: SmallImage) -> None:
        """Somebody moved the environment to another disk and linked it: the names in it are listed."""
        venv = small.one("opt/referee/venv-*")
        moved = small.root / "home/pi/disk"
        venv.rename(moved)
        venv.symlink_to(moved)
        inside = Image(moved).everything()
        assert small.run("--uninstall").code == 0
        assert Image(moved).everything() == inside

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
    def test_a_list_that_names_other_things_removes_nothing(self, small: SmallImage, line: str) -> None:
        listed = small.root / "opt/referee/installed"
        listed.write_text(listed.read_text() + f"{line}\n")
        before = small.everything()
        for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
            done = small.run(*options)
            assert (done.code, "was not written by the installer" in done.err) == (1, True)
        assert small.everything() == before

    def test_a_list_that_others_may_write_removes_nothing(self, small: SmallImage) -> None:
        (small.root / "opt/referee/installed").chmod(0o666)
        before = small.everything()
        done = small.run("--uninstall")
        assert (done.code, "not a file that only root can write" in done.err) == (1, True)
        assert small.everything() == before

    def test_a_disk_that_fails_is_told_and_the_list_stays(
        self, small: SmallImage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unlink = Path.unlink

        def failing(path: Path, missing_ok: bool = False) -> None:
            if path.name == "referee.service":
                raise OSError(5, "Input/output error", str(path))
            unlink(path, missing_ok)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", failing)
            done = small.run("--uninstall")
        assert (done.code, "Input/output error" in done.err) == (1, True)
        assert small.run("--uninstall").code == 0
        assert not (small.root / OURS[0]).exists()
        assert not (small.root / "opt/referee").exists()

    def test_games_of_an_installation_elsewhere_are_not_purged(self, small: SmallImage) -> None:
        (small.root / "var/lib/referee").mkdir(parents=True)
        (small.root / "var/lib/referee/journal.db").write_bytes(b"games")
        before = small.everything()
        done = small.run("--uninstall", "--purge", "--prefix", "/srv/box")
        assert (done.code, "installed elsewhere" in done.err) == (1, True)
        assert small.everything() == before

    @pytest.mark.long
    def test_it_may_be_killed_at_every_step(self) -> None:
        with TemporaryDirectory(dir=MEMORY) as folder:
            done = subprocess.run(
                [sys.executable, "-m", "tests.pi.killed", folder],
                cwd=ROOT,
                env={"PATH": os.environ["PATH"]},
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode == 0, done.stdout + done.stderr
        assert [int(line.split(": ")[1]) > 50 for line in done.stdout.splitlines()] == [True] * 6


class TestPrefix:
    """An invalid directory is refused before anything is changed, for installing and uninstalling."""

    @pytest.mark.parametrize(
        ("prefix", "complaint"),
        [
            ("/", "must not contain"),
            ("//", "must not contain"),
            ("/usr/", "must not contain"),
            ("//usr/local", "must not contain"),
            ("/usr/local/", "must not contain"),
            ("/opt/..", "must not contain"),
            ("/opt/../usr/local", "must not contain"),
            ("/opt/./referee", "must not contain"),
            ("/opt/referee/..", "must not contain"),
            ("/opt//referee", "must not contain"),
            ("/usr", "a separate directory"),
            ("/usr/local", "a separate directory"),
            ("/usr/bin", "a separate directory"),
            ("/opt", "a separate directory"),
            ("/srv", "a separate directory"),
            ("/home/pi", "a separate directory"),
            ("/etc/referee", "a separate directory"),
            ("/var/lib/referee", "a separate directory"),
            ("/usr/local/bin", "used for /usr/local/bin/referee"),
            ("/usr/local/bin/referee", "used for /usr/local/bin/referee"),
            ("/usr/local/bin/referee/x", "used for /usr/local/bin/referee"),
            ("opt/referee", "must be an absolute path"),
            ("../opt/referee", "must be an absolute path"),
            (".", "must be an absolute path"),
            ("/opt/my box", "letters, digits"),
            ("/opt/referee\n/usr", "letters, digits"),
            ("/opt/*", "letters, digits"),
            ("", "requires a directory"),
        ],
    )
    def test_refused(self, foreign: SmallImage, prefix: str, complaint: str) -> None:
        state = foreign.everything()
        for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
            done = foreign.run("--prefix", prefix, *options)
            assert (done.code, complaint in done.err) == (2, True), done.err
        assert foreign.everything() == state

    @pytest.mark.parametrize("prefix", ["/opt/other", "/srv/games", "/usr/local/lib", "/usr/local/lib/tool"])
    def test_somebody_s_own(self, foreign: SmallImage, prefix: str) -> None:
        state = foreign.everything()
        for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
            done = foreign.run("--prefix", prefix, *options)
            assert (done.code, "no installation of the referee" in done.err) == (1, True), done.err
        assert foreign.everything() == state

    @pytest.mark.parametrize(
        ("link", "target"), [("opt/link", "../usr/local"), ("srv", "usr/local"), ("opt/x", "other")]
    )
    def test_a_link(self, foreign: SmallImage, link: str, target: str) -> None:
        if (foreign.root / link).exists():
            (foreign.root / link).rename(foreign.root / "home/moved")
        (foreign.root / link).symlink_to(target)
        state = foreign.everything()
        for prefix in (f"/{link}", f"/{link}/referee"):
            for options in ([], ["--uninstall"], ["--uninstall", "--purge"]):
                done = foreign.run("--prefix", prefix, *options)
                assert done.code in (1, 2)
                assert "symbolic link" in done.err or "a separate directory below" in done.err
        assert foreign.everything() == state

    def test_the_command_is_never_a_link_to_itself(self, tmp_path: Path) -> None:
        """In an image where nothing is there yet, nothing is somebody's own; with the script that people call."""
        image = Image.new(tmp_path)
        state = image.everything()
        assert image.install("--prefix", "/usr/local").returncode == 2
        assert image.install("--prefix", "/usr/local", "--uninstall").returncode == 2
        assert image.everything() == state


@pytest.mark.parametrize("path", [*OURS, "boot/firmware/referee-config.txt", "opt/referee"])
def test_what_is_there_already_is_not_written_over(foreign: SmallImage, path: str) -> None:
    (foreign.root / path).parent.mkdir(parents=True, exist_ok=True)
    (foreign.root / path).write_text("own")
    state = foreign.everything()
    done = foreign.run()
    assert (done.code, path in done.err) == (1, True), done.err
    assert foreign.everything() == state


def test_settings_somebody_made_and_a_boot_line_somebody_moved_are_respected(foreign: SmallImage) -> None:
    foreign.boot.write_bytes(b"include referee-config.txt\n[all]\ngpu_mem=16")
    (foreign.root / "etc/referee/referee.toml").write_text("[table]\n")
    assert foreign.run().code == 0
    assert foreign.boot.read_bytes() == b"include referee-config.txt\n[all]\ngpu_mem=16"
    assert (foreign.root / "etc/referee/referee.toml").read_text() == "[table]\n"
    assert foreign.run("--uninstall").code == 0
    assert foreign.boot.read_bytes() == b"[all]\ngpu_mem=16"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--prefix"], "requires a directory"),
        (["--force"], "unknown option: --force"),
        (["--purge"], "requires --uninstall"),
    ],
)
def test_wrong_arguments_change_nothing(foreign: SmallImage, options: list[str], complaint: str) -> None:
    before = foreign.everything()
    done = foreign.run(*options)
    assert (done.code, complaint in done.err) == (2, True)
    assert foreign.everything() == before


def test_an_old_python_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    image = Image.new(tmp_path)
    before = image.everything()
    done = image.install(PYTHON="false")
    assert (done.returncode, "Python 3.11 or newer" in done.stderr) == (1, True)
    assert image.everything() == before


def test_the_shell_has_nothing_to_complain_about(shellcheck: str) -> None:
    done = subprocess.run([shellcheck, INSTALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_a_thousand_files_are_untouched_when_it_is_taken_off_and_settings_and_games_stay(
    image: Image, before: dict[str, Entry]
) -> None:
    """The last test on this card."""
    (image.root / "etc/referee/referee.toml").write_text("[table]\ndice = 'box'\n")
    (image.root / "var/lib/referee").mkdir(parents=True)
    (image.root / "var/lib/referee/journal.db").write_bytes(b"games")
    remaining = {
        name: entry
        for name, entry in image.everything().items()
        if name in ("etc/referee/referee.toml", "var/lib/referee", "var/lib/referee/journal.db")
    }
    done = image.install("--uninstall")
    assert done.returncode == 0, done.stderr
    assert image.boot.read_bytes() == CONFIG_TXT
    after, expected = image.everything(), before | remaining
    del after["boot/firmware/config.txt"], expected["boot/firmware/config.txt"]
    assert after == expected
    done = image.install("--uninstall", "--purge")
    assert done.returncode == 0, done.stderr
    assert "etc/referee was not removed" in done.stdout, "somebody's own files are in it"
    assert image.everything().keys() == before.keys()
