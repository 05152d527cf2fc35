"""The Debian package, as far as it can be looked at without building it; `make test-deb` builds and installs it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from firmware.deb import boot
from firmware.deb.locked import locked
from firmware.deb.manual import page
from referee.cli.options import parser

ROOT = Path(__file__).parents[2]
DEB = ROOT / "firmware" / "deb"
SHELL = re.compile(rb"#!/(usr/)?bin/(busybox |env ba)?sh\n|# shellcheck ")


def test_the_shell_has_nothing_to_complain_about(shellcheck: str) -> None:
    names = ("firmware", "firmware/board", "firmware/card", "firmware/deb", "firmware/deb/tray")
    folders = [ROOT / name for name in (*names, "tests/card", "tests/deb", "tests/house")]
    files = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    scripts = [path for path in files if SHELL.match(path.read_bytes())]
    assert {"build.sh", "postinst", "root.sh", "installed.sh", "bare.sh"} <= {path.name for path in scripts}
    done = subprocess.run([shellcheck, *scripts], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_missing_tool_is_named_with_its_package() -> None:
    done = subprocess.run(
        [DEB / "needs.sh", "make deb", "sh:dash", "no-such-tool:its-package"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "make deb needs packages that are not installed: apt-get install its-package\n"


def test_the_manual_page_has_every_command() -> None:
    text = page(parser())
    headings = re.findall(r"(?m)^\.SH REFEREE (\w+)$", text)
    assert {"RUN", "PLAY", "DOCTOR", "LOG", "VERIFY"} <= set(headings)
    assert {line.split()[0] for line in text.splitlines() if line[0] in ".'"} == {".TH", ".SH", ".nf", ".fi"}


def test_what_is_locked_for_the_package_is_locked_nowhere_else() -> None:
    """lgpio and spidev are compiled, the rest comes as wheels: nothing comes twice, in two versions."""
    compiled, station = versions("firmware/deb/requirements.lock"), versions("requirements-dice.lock")
    assert {name for name, _ in compiled} == {"lgpio", "spidev"}
    assert not {name for name, _ in compiled} & {name for name, _ in station}
    tray = {name for name, _ in versions("requirements-tray.lock") - station}
    assert tray == {"numpy", "opencv-python-headless"}, "the second package adds these, and replaces nothing"


def versions(lock: str) -> set[tuple[str, str]]:
    return set(re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / lock).read_text()))


@pytest.mark.parametrize(("python", "numpy"), [("3.11", "2.4.6"), ("3.13", "2.5.5")])
def test_what_a_lock_file_wants_depends_on_the_python_of_the_pi(python: str, numpy: str) -> None:
    texts = [(ROOT / name).read_text() for name in ("requirements-tray.lock", "requirements-dice.lock")]
    lines = list(locked(texts[0], python, texts[1]))
    assert [line.split()[0] for line in lines] == [f"numpy=={numpy}", "opencv-python-headless==5.0.0.93"]
    assert all(re.fullmatch(r"\S+ (--hash=sha256:[0-9a-f]{64}\s*)+", line) for line in lines)
    everything = {line.partition("==")[0] for line in locked(texts[1], python)}
    assert {"bleak", "dbus-fast", "typing-extensions"} < everything, "conditions that hold on every Pi"


class TestBootConfiguration:
    """config.txt belongs to the owner of the Pi."""

    @pytest.fixture
    def config(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(boot, "BOOT", (str(tmp_path / "firmware"), str(tmp_path)))
        monkeypatch.setattr(boot, "HOOK", tmp_path / "etc" / "hook")
        monkeypatch.setattr(boot, "ADDED", tmp_path / "etc" / "added")
        return tmp_path / "config.txt"

    @pytest.mark.parametrize("text", [b"dtparam=audio=on\n\n[cm5]\ndtoverlay=dwc2\n", b"[all]\ngpu_mem=16"])
    def test_ours_is_included_for_every_model_and_leaves_no_trace(self, config: Path, text: bytes) -> None:
        config.write_bytes(text)
        ours = DEB.with_name("pi") / "config.txt"
        for _ in range(2):
            boot.main("with-line", str(ours))
            assert config.read_bytes() == text + b"\n[all]\ninclude referee-config.txt\n"
        assert (config.parent / boot.NAME).read_bytes() == ours.read_bytes()
        boot.main("without-line")
        assert [path.name for path in config.parent.iterdir()] == ["config.txt"]
        assert config.read_bytes() == text

    def test_a_line_that_somebody_moved_stays_there_and_goes_alone(self, config: Path) -> None:
        config.write_bytes(b"include referee-config.txt\r\n[all]\ngpu_mem=16")
        boot.main("with-line", str(DEB / "control"))
        assert config.read_bytes() == b"include referee-config.txt\r\n[all]\ngpu_mem=16"
        boot.main("without-line")
        assert config.read_bytes() == b"[all]\ngpu_mem=16"

    @pytest.mark.parametrize("text", [None, b"gpu_mem=16\n"])
    def test_where_each_kernel_writes_it_anew_ours_is_added_again(self, config: Path, text: bytes | None) -> None:
        config.write_bytes(b"arm_64bit=1\n")
        added = boot.ADDED
        added.parent.mkdir()
        boot.HOOK.write_text("cp kernel /boot\n")
        boot.main("with-line", str(DEB / "control"))
        assert not added.exists(), "that of Raspberry Pi OS"
        boot.HOOK.write_text(f'cat "{added}" >>config.txt\n')
        if text is not None:
            added.write_bytes(text)
        for _ in range(2):
            boot.main("with-line", str(DEB / "control"))
            assert added.read_bytes() == (text or b"") + b"\n[all]\ninclude referee-config.txt\n"
        boot.main("without-line")
        assert (added.read_bytes() if added.exists() else None) == text
        assert config.read_bytes() == b"arm_64bit=1\n"

    def test_a_system_without_one_is_left_alone(self, config: Path) -> None:
        boot.main("with-line", str(DEB / "control"))
        boot.main("without-line")
        assert list(config.parent.iterdir()) == []
