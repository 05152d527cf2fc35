"""Kills the installer before each of its steps, and looks at what a second run makes of it.

    python -m tests.pi.killed DIRECTORY

A step is whatever changes the disk or runs a program: the audit hook of a child that is forked for each one counts
them and ends the process. Python's own environment takes seconds to make; here another program, as little trusted,
writes ten files in its place. Prints one line for each kind of run: how many steps it has. Exit code 1:
a file was lost.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from firmware.pi.installer import system
from firmware.pi.installer.main import main
from tests.pi.image import CONFIG_TXT, Entry, Image

STEPS = {
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.mkdir",
    "os.symlink",
    "os.chmod",
    "shutil.rmtree",
    "subprocess.Popen",
}
KILLED = 77
VENV = """#!/bin/sh
[ "$3" = venv ] || exit 0
mkdir -p "$5/bin" "$5/lib/python"
ln -s lib "$5/lib64"
for name in 1 2 3 4 5 6 7 8 9; do echo "$name" >"$5/lib/python/$name.py"; done
printf '#!/bin/sh\\n' >"$5/bin/python"
chmod +x "$5/bin/python"
"""


def child(work: Callable[[], int]) -> int:
    """Return the exit code of what a child does."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed(arguments: list[str], last: int) -> int:
    """Run the installer, and end it before its step of that number."""
    steps = 0

    def hook(event: str, details: tuple[object, ...]) -> None:
        nonlocal steps
        writes = event == "open" and isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR)
        if event in STEPS or writes:
            if steps == last:
                os._exit(KILLED)
            steps += 1

    sys.addaudithook(hook)
    return main(arguments)


class Try:
    """Images with somebody's files on them, one for each step."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.image = Image.new(folder / "image")
        self.image.fill(60)
        self.before = self.image.everything()
        source = folder / "source"
        for package in ("referee", "hardware"):
            (source / package).mkdir(parents=True)
            (source / package / "__init__.py").write_text(f"name = {package!r}\n")
        (source / "LICENSE").write_text("licence\n")
        venv = folder / "python"
        venv.write_text(VENV)
        venv.chmod(0o755)
        system.SOURCE, sys.executable = source, str(venv)
        os.environ["DESTDIR"] = str(self.image.root)
        # A process that is killed loses nothing it wrote: waiting for the disk would prove nothing here.
        os.fsync = lambda fd: None
        os.sync = lambda: None

    def run(self, *options: str) -> None:
        arguments = ["--skip-packages", "--prefix", "/opt/box/referee", *options]
        code = child(lambda: main(arguments))
        assert code == 0, f"{options} ended with {code}"

    def check(self, when: str) -> None:
        """Nothing but the settings is there beyond what was there before, and that is unchanged."""
        settings = self.image.root / system.SETTINGS.lstrip("/")
        now = {path: entry for path, entry in self.image.everything().items() if path != "boot/firmware/config.txt"}
        assert self.image.boot.read_bytes() == CONFIG_TXT, when
        now.pop(str(settings.relative_to(self.image.root)), None)
        before: dict[str, Entry] = {
            key: value for key, value in self.before.items() if key in now or "config.txt" not in key
        }
        changed = {key for key in now.keys() | before.keys() if now.get(key) != before.get(key)}
        assert not changed, f"{when}: {sorted(changed)}"

    def each_step(self, *options: str, first: Callable[[], None], then: Callable[[], None]) -> int:
        """Do `first`, kill a run with these options at its nth step, do `then`; for every n. Returns how many."""
        arguments = ["--skip-packages", "--prefix", "/opt/box/referee", *options]
        for step in count():
            first()
            code = child(partial(killed, arguments, step))
            then()
            self.check(f"{options} killed at step {step}")
            if code != KILLED:
                assert code == 0, f"{options} ended with {code}"
                return step
        raise AssertionError


def everything(folder: Path) -> None:
    """Try every order of a run that is killed and one that is not."""
    attempt = Try(folder)

    def update() -> None:
        """The source changes: what is installed is brought up to date."""
        attempt.run()
        (folder / "source/referee/more.py").write_text("more = 1\n")

    def off() -> None:
        attempt.run("--uninstall")
        (folder / "source/referee/more.py").unlink(missing_ok=True)

    def again() -> None:
        attempt.run()
        off()

    def nothing() -> None:
        return None

    kinds = {
        "install, killed, taken off": attempt.each_step(first=nothing, then=off),
        "install, killed, installed, taken off": attempt.each_step(first=nothing, then=again),
        "update, killed, taken off": attempt.each_step(first=update, then=off),
        "update, killed, installed, taken off": attempt.each_step(first=update, then=again),
        "uninstall, killed, taken off": attempt.each_step("--uninstall", first=attempt.run, then=off),
        "uninstall, killed, installed, taken off": attempt.each_step("--uninstall", first=attempt.run, then=again),
    }
    for kind, steps in kinds.items():
        sys.stdout.write(f"{kind}: {steps}\n")
    shutil.rmtree(folder)


if __name__ == "__main__":
    everything(Path(sys.argv[1]))
