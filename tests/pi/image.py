"""A directory that stands for the SD card of a Pi, with somebody's own files on it."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "firmware" / "pi" / "install.sh"
CONFIG_TXT = b"# For more options see http://rptl.io/configtxt\ndtparam=audio=on\n\n[cm5]\ndtoverlay=dwc2\n"
PATIENCE = 240

FOREIGN = (
    "usr/local/bin",
    "usr/local/lib/tool",
    "usr/bin",
    "opt/other/app",
    "opt/other/venv/bin",
    "srv/games",
    "etc/systemd/system",
    "etc/udev/rules.d",
    "etc/referee",
    "home/pi",
    "var/lib/other",
    "boot/firmware",
)

Entry = tuple[str, int, int, bytes]


class Image:
    """The card: its boot configuration, and the installer run below it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.boot = root / "boot/firmware/config.txt"

    @classmethod
    def new(cls, root: Path) -> Image:
        image = cls(root)
        image.boot.parent.mkdir(parents=True)
        image.boot.write_bytes(CONFIG_TXT)
        return image

    def fill(self, count: int) -> None:
        """Put somebody's files, links and empty directories everywhere around the referee's places."""
        chance = random.Random(count)
        for number in range(count):
            folder = self.root / FOREIGN[number % len(FOREIGN)]
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"own {number}"
            if number % 50 == 0:
                path.mkdir()
            elif number % 20 == 0:
                path.symlink_to(f"own {number - 1}")
            else:
                path.write_bytes(chance.randbytes(number % 97))
                path.chmod(0o600 + chance.randrange(0o100))

    def install(
        self, *options: str, cwd: Path = ROOT, umask: int = -1, **env: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [INSTALL, "--skip-packages", *options],
            env={"PATH": os.environ["PATH"], "DESTDIR": str(self.root), **env},
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            umask=umask,
        )

    def everything(self) -> dict[str, Entry]:
        """Every path on the card: kind, mode, time of change (but for directories) and what is in it."""
        return {str(path.relative_to(self.root)): _entry(path) for path in sorted(self.root.rglob("*"))}

    def one(self, pattern: str) -> Path:
        """The only path of this pattern."""
        (path,) = self.root.glob(pattern)
        return path


def _entry(path: Path) -> Entry:
    status = path.lstat()
    if path.is_symlink():
        return ("link", 0, status.st_mtime_ns, os.fsencode(path.readlink()))
    if path.is_dir():
        return ("directory", status.st_mode, 0, b"")
    return ("file", status.st_mode, status.st_mtime_ns, path.read_bytes())
