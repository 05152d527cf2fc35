"""Kills the installer before each of its steps, and looks at what another run makes of it.

    python -m tests.pi.killed DIRECTORY

A step is whatever changes the disk: the audit hook of a child that is forked for each one counts them and ends the
process. Prints one line for each kind of run: how many steps it has. Exit code 1: something was lost or left behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.pi.image import CONFIG_TXT, Image
from tests.pi.small import SmallImage

STEPS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.symlink", "os.chmod", "shutil.rmtree"}
KILLED = 77
BOOT, SETTINGS = "boot/firmware/config.txt", "etc/referee/referee.toml"


class Try:
    """A card with somebody's files on it, and what is done to it over and over."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.image = SmallImage(Image.new(folder / "image").root, patch)
        self.image.fill(24)
        self.before = self.image.everything()
        # A process that is killed loses nothing it wrote: waiting for the disk would prove nothing here.
        patch.setattr(os, "fsync", lambda descriptor: None)

    def run(self, *options: str) -> None:
        done = self.image.run("--prefix", "/opt/box/referee", *options)
        assert done.code == 0, done.err

    def killed(self, step: int, *options: str) -> bool:
        """Run the installer in a child, and end it before its step of that number; return False if it has fewer."""
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                sys.addaudithook(Hook(step))
                self.run(*options)
                code = 0
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert code in (0, KILLED), f"{options} ended with {code}"
        return code == KILLED

    def check(self, when: str) -> None:
        """Nothing but the settings is there beyond what was there before, and that is unchanged."""
        assert self.image.boot.read_bytes() == CONFIG_TXT, when
        now, before = self.image.everything(), dict(self.before)
        for name in (BOOT, SETTINGS):
            now.pop(name, None)
            before.pop(name, None)
        changed = {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
        assert not changed, f"{when}: {sorted(changed)}"

    def each_step(self, *options: str, first: Callable[[], None], then: Callable[[], None]) -> int:
        """Do `first`, kill a run with these options at its nth step, do `then`; for every n. Returns how many."""
        for step in count():
            first()
            more = self.killed(step, *options)
            then()
            self.check(f"{options} killed at step {step}")
            if not more:
                return step
        raise AssertionError

    def update(self) -> None:
        """Install, and change the program: what is installed is to be brought up to date."""
        self.run()
        (self.image.source / "referee/more.py").write_text("more = 1\n")

    def off(self) -> None:
        self.run("--uninstall")
        (self.image.source / "referee/more.py").unlink(missing_ok=True)

    def again(self) -> None:
        self.run()
        self.off()


class Hook:
    """Ends the process before its step of that number."""

    def __init__(self, last: int) -> None:
        self._left = last

    def __call__(self, event: str, details: tuple[object, ...]) -> None:
        writes = event == "open" and isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR)
        if event in STEPS or writes:
            if not self._left:
                os._exit(KILLED)
            self._left -= 1


def everything(folder: Path) -> dict[str, int]:
    """Try every order of a run that is killed and one that is not."""
    with pytest.MonkeyPatch.context() as patch:
        on = Try(folder, patch)
        return {
            "install, killed, uninstalled": on.each_step(first=lambda: None, then=on.off),
            "install, killed, installed, uninstalled": on.each_step(first=lambda: None, then=on.again),
            "update, killed, uninstalled": on.each_step(first=on.update, then=on.off),
            "update, killed, installed, uninstalled": on.each_step(first=on.update, then=on.again),
            "uninstall, killed, uninstalled": on.each_step("--uninstall", first=on.run, then=on.off),
            "uninstall, killed, installed, uninstalled": on.each_step("--uninstall", first=on.run, then=on.again),
        }


if __name__ == "__main__":
    for kind, steps in everything(Path(sys.argv[1])).items():
        sys.stdout.write(f"{kind}: {steps}\n")
