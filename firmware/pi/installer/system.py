"""The steps of installing and uninstalling."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.pi.installer import boot, program
from firmware.pi.installer.errors import Refused, Usage
from firmware.pi.installer.manifest import Manifest
from referee.files import durable

HERE = Path(__file__).parents[1]
SOURCE = HERE.parents[1]

FILES = {
    "referee.service": "/etc/systemd/system/referee.service",
    "referee.rules": "/etc/udev/rules.d/70-referee.rules",
    "sysusers.conf": "/etc/sysusers.d/referee.conf",
    "tmpfiles.conf": "/etc/tmpfiles.d/referee.conf",
    "modules.conf": "/etc/modules-load.d/referee.conf",
    "journald.conf": "/etc/systemd/journald.conf.d/referee.conf",
}
LINK = "/usr/local/bin/referee"
SETTINGS = "/etc/referee/referee.toml"
STATE = "/var/lib/referee"
GAMES = ("journal.db*", "panel.json", "referee.key", "referee.pub", "export-*", ".*.new")
PLACES = (*FILES.values(), LINK, SETTINGS, *(f"{folder}/{boot.NAME}" for folder in boot.BOOT))
PACKAGES = ("python3-venv", "python3-lgpio", "python3-spidev")
"""lgpio has no wheel for every Python of a Pi; the distribution's own is built for its Python."""

PIP_INSTALL = ["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"]


class System:
    """The running system, or an image of one below a directory."""

    def __init__(self, image: str, prefix: str, flags: set[str]) -> None:
        if image and not Path(image).is_absolute():
            raise Usage(f"DESTDIR must be an absolute path, got {image!r}")
        self.live = not image
        self.packages = "--skip-packages" not in flags
        self.start = "--no-start" not in flags
        self.purge = "--purge" in flags
        self.prefix = prefix
        if self.live and os.geteuid() != 0:
            raise Refused("run this as root, with sudo")
        self.manifest = Manifest(Path(image or "/"), prefix, PLACES)

    @property
    def running(self) -> bool:
        """Whether systemd is running; an image or a chroot reads everything when it boots."""
        return self.live and Path("/run/systemd/system").is_dir()

    # Installing.

    def install(self) -> None:
        """Install, or bring what is installed up to date. Raises Refused, before anything is changed if it can."""
        contents = program.files(SOURCE)
        app = f"{self.prefix}/app-{program.version(contents)}"
        venv = self._environment_name()
        launcher = program.LAUNCHER.format(app=app, venv=venv).encode()
        placed = self._placed()
        self._refuse_foreign({f"{self.prefix}/bin/referee": launcher, **placed})
        if self.live and self.packages:
            self._system_packages()
        self.manifest.create()
        self.manifest.claim([f"{self.prefix}/bin/referee", *placed])
        self._environment(venv)
        self._program(app, contents)
        self._put(f"{self.prefix}/bin/referee", launcher, 0o755)
        for path, data in placed.items():
            self._put(path, data)
        self._settings()
        self._boot()
        if self.live:
            self._activate()
        # The last program may have run until now.
        self.manifest.drop(f"{self.prefix}/app-", but=app)
        self.manifest.drop(f"{self.prefix}/venv-", but=venv)
        say(f"The referee is installed in {self.prefix}.")

    def _placed(self) -> dict[str, bytes | str]:
        """Files outside the prefix: contents, or the target of a link."""
        placed: dict[str, bytes | str] = {
            path: (HERE / name).read_bytes().replace(b"/opt/referee", self.prefix.encode())
            for name, path in FILES.items()
        }
        placed[LINK] = f"{self.prefix}/bin/referee"
        if folder := self._boot_folder():
            placed[f"{folder}/{boot.NAME}"] = (HERE / "config.txt").read_bytes()
        return placed

    def _refuse_foreign(self, files: dict[str, bytes | str]) -> None:
        for path, data in files.items():
            if self.manifest.foreign(path, data):
                raise Refused(
                    f"{path} exists and was not created by the installation in {self.prefix}: "
                    "move it away, or uninstall the other installation first"
                )

    def _put(self, path: str, data: bytes | str, mode: int = 0o644) -> None:
        if self.manifest.put(path, data, mode):
            say(f"wrote {path}")

    def _system_packages(self) -> None:
        query = ["dpkg-query", "-W", "-f", "${Status}"]
        missing = [name for name in PACKAGES if "install ok installed" not in output([*query, name])]
        if missing:
            run(["apt-get", "install", "-y", "--no-install-recommends", *missing])

    def _environment_name(self) -> str:
        """Environments are named after this Python and the packages in them, and never changed."""
        ready = [f"{self.prefix}/{path.name}" for path in self.manifest.at(f"{self.prefix}/x").parent.glob("venv-*")]
        usable = [name for name in ready if f"{name}/" in self.manifest.entries and works(self.manifest.at(name))]
        if not self.packages and usable:
            return usable[0]
        lock = (SOURCE / "requirements.lock").read_bytes() if self.packages else b""
        digest = hashlib.sha256(f"{sys.implementation.cache_tag}\n".encode() + lock)
        return f"{self.prefix}/venv-{digest.hexdigest()[:12]}"

    def _environment(self, venv: str) -> None:
        place = self.manifest.at(venv)
        if f"{venv}/" in self.manifest.entries:
            if works(place):
                return
            self.manifest.drop(f"{venv}/")
        self.manifest.begin(venv)
        run([sys.executable, "-I", "-m", "venv", "--system-site-packages", place])
        if self.packages:
            run([place / "bin/python", *PIP_INSTALL, SOURCE / "requirements.lock"])
        self.manifest.finish(venv)

    def _program(self, app: str, contents: dict[str, bytes]) -> None:
        complete = {f"{app}/{name}": data for name, data in (contents | program.compiled(contents, app)).items()}
        self._refuse_foreign(dict(complete))
        self.manifest.claim(complete)
        self.manifest.put_all(complete)

    def _settings(self) -> None:
        """Never overwrite existing settings."""
        if not os.path.lexists(self.manifest.at(SETTINGS)):
            self.manifest.directory("/etc/referee")
            self._put(SETTINGS, (HERE / "referee.toml").read_bytes())

    def _boot_folder(self) -> str | None:
        return next((folder for folder in boot.BOOT if self.manifest.at(f"{folder}/config.txt").is_file()), None)

    def _boot(self) -> None:
        folder = self._boot_folder()
        if folder is None:
            say(f"no config.txt found: enable I2C by hand (see {HERE / 'config.txt'})")
        elif self._change_boot(folder, boot.with_line):
            say(f"wrote {folder}/config.txt", "Restart the Pi, so that the boot configuration takes effect.")

    def _change_boot(self, folder: str, change: Callable[[bytes], bytes]) -> bool:
        place = self.manifest.at(f"{folder}/config.txt")
        before = place.read_bytes()
        after = change(before)
        if after != before:
            durable.replace(place, after)
        return after != before

    def _activate(self) -> None:
        run(["systemd-sysusers", FILES["sysusers.conf"]])
        run(["systemd-tmpfiles", "--create", FILES["tmpfiles.conf"]])
        run(["systemctl", "enable", "--quiet", "referee.service"])
        if self.running:
            attempt(["systemctl", "restart", "systemd-modules-load.service", "systemd-journald.service"])
            run(["udevadm", "control", "--reload"])
            run(["udevadm", "trigger", "--subsystem-match=usb", "--subsystem-match=tty"])
            run(["systemctl", "daemon-reload"])
            if self.start and not attempt(["systemctl", "restart", "referee.service"]):
                say("The station did not start. To see why: sudo -u referee referee doctor")

    # Taking off.

    def uninstall(self) -> None:
        """Remove what the list in the prefix names, and with `purge` settings and games."""
        installed = self.manifest.exists
        if installed and self.live:
            if self.running:
                attempt(["systemctl", "stop", "--quiet", "referee.service"])
            attempt(["systemctl", "disable", "--quiet", "referee.service"])
        if installed and (folder := self._boot_folder()):
            self._change_boot(folder, boot.without_line)
        stays = self.manifest.remove()
        for place in self._half_written():
            place.unlink(missing_ok=True)
        if installed and self.running:
            attempt(["systemctl", "daemon-reload"])
            attempt(["systemctl", "restart", "systemd-journald.service"])
            attempt(["udevadm", "control", "--reload"])
        say(
            f"The referee was removed from {self.prefix}."
            if installed
            else f"The referee is not installed in {self.prefix}."
        )
        if stays:
            say(f"Left in {self.prefix}, because the installer did not create it: {', '.join(stays)}")
        if self.purge:
            self._purge()
        else:
            say("Settings (/etc/referee) and games (/var/lib/referee) were not removed.")

    def _half_written(self) -> list[Path]:
        """Files that a killed installer may have left beside files that are not listed."""
        changed = (SETTINGS, *(f"{folder}/config.txt" for folder in boot.BOOT))
        return [durable.draft(self.manifest.at(path)) for path in changed]

    def _purge(self) -> None:
        if os.path.lexists(self.manifest.at(FILES["referee.service"])):
            raise Refused("the referee is installed elsewhere: its settings and games are not removed")
        settings, state = self.manifest.at(SETTINGS), self.manifest.at(f"{STATE}/x").parent
        files = [settings]
        if not state.is_symlink():
            files += [path for pattern in GAMES for path in state.glob(pattern)]
        for path in files:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        for folder in (settings.parent, state):
            try:
                folder.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                say(f"{folder} was not removed: it contains other files")


def say(*lines: str) -> None:
    """Print what was done."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def run(command: Sequence[str | Path]) -> None:
    """Run a command. Raises Refused if it fails."""
    if not attempt(command):
        raise Refused(f"command failed: {' '.join(map(str, command))}")


def attempt(command: Sequence[str | Path]) -> bool:
    """Run a command and return whether it succeeded."""
    try:
        return subprocess.run(command, check=False).returncode == 0
    except FileNotFoundError:
        return False


def output(command: Sequence[str | Path]) -> str:
    """Return what a command says; nothing if it fails."""
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def works(venv: Path) -> bool:
    """Return whether an environment's Python is still there; an upgrade of the system may have taken it away."""
    return (venv / "bin/python").exists() and attempt([venv / "bin/python", "-I", "-c", ""])
