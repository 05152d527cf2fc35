"""The files the guest sees: interpreter, libraries and project at the places they have here, on read-only disks."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from tests.kernel.prepare import CACHE, PROJECT, Missing, run

LIBRARIES = "requirements.lock"
"""What a station has installed."""

SITE = Path("/site")
"""Where the guest has those libraries, as they are installed here, and those of requirements-kernel.lock."""

SERVED = ("referee", "hardware", "firmware", "tests/kernel/guest")
"""What the guest has of the project, at /srv."""

INTERPRETER = Path(os.path.realpath(sys.executable))

_LEFT_OUT = ("site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "ensurepip", "config-*", "*.a")


def world() -> Path:
    """Return the disk with interpreter and libraries, made now where it is not there. Raises Missing."""
    locks = [PROJECT / name for name in (LIBRARIES, "requirements-kernel.lock")]
    made_of = [*(lock.read_bytes() for lock in locks), Path(__file__).read_bytes(), sys.version.encode()]
    made_of += [str(_site_packages()).encode(), str(INTERPRETER).encode()]
    image = CACHE / f"world-{hashlib.sha256(b'|'.join(made_of)).hexdigest()[:12]}"
    if not image.exists():
        root = CACHE / "world"
        shutil.rmtree(root, ignore_errors=True)
        _interpreter(root)
        _libraries(root)
        _linked_libraries(root)
        for folder in ("dev", "etc", "mnt", "proc", "run", "srv", "sys", "tmp", "var"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        (root / "etc/passwd").write_text("root:x:0:0:root:/tmp:/bin/false\n")
        _pack(root, image)
        shutil.rmtree(root)
        for other in CACHE.glob("world-*"):
            if other != image:
                other.unlink()
    return image


def project(folder: Path) -> Path:
    """Return a disk with the project as it is now, made in that folder."""
    for name in SERVED:
        shutil.copytree(PROJECT / name, folder / "project" / name)
    image = folder / "project.ext4"
    _pack(folder / "project", image)
    shutil.rmtree(folder / "project")
    return image


def _interpreter(root: Path) -> None:
    _put(root, INTERPRETER)
    for kind in ("stdlib", "platstdlib"):
        source = Path(sysconfig.get_path(kind, vars={"base": sys.base_prefix, "platbase": sys.base_exec_prefix}))
        target = root / str(source).lstrip("/")
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)


def _libraries(root: Path) -> None:
    site = root / str(SITE).lstrip("/")
    for name in _names(PROJECT / LIBRARIES):
        try:
            files = importlib.metadata.distribution(name).files or []
        except importlib.metadata.PackageNotFoundError:
            continue  # for another Python or another system
        for file in files:
            if ".." not in file.parts and (source := Path(str(file.locate()))).is_file():
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, site / file)
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
    run(*pip, "--require-hashes", "--target", site, "-r", PROJECT / "requirements-kernel.lock")
    run(sys.executable, "-m", "compileall", "-q", site)


def _linked_libraries(root: Path) -> None:
    programs = [INTERPRETER, *root.rglob("*.so*")]
    for library in sorted(_linked(programs)):
        _put(root, library)


def _names(lock: Path) -> list[str]:
    return re.findall(r"(?m)^([\w.-]+)==", lock.read_text())


def _site_packages() -> Path:
    return Path(sysconfig.get_path("purelib"))


def _linked(programs: Iterable[Path]) -> set[Path]:
    """Return the shared libraries that programs are linked with, the loader among them."""
    done = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, check=False)
    libraries = {Path(path) for path in re.findall(r"(?m)^\s*(?:\S+ => )?(/\S+) \(0x", done.stdout)}
    if not libraries:
        raise Missing(f"ldd does not say what {INTERPRETER} is linked with: {done.stderr[:500]}")
    return libraries


def _put(root: Path, source: Path) -> None:
    if not source.is_relative_to(root):
        _copy(source, root, source)


def _copy(source: Path, root: Path, place: Path) -> None:
    target = root / place.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def _pack(root: Path, image: Path) -> None:
    """Make an ext4 image of a folder; it takes its place only when it is whole."""
    files = [path for path in root.rglob("*") if path.is_file()]
    size = sum(-(-path.stat().st_size // 4096) * 4096 for path in files) * 5 // 4 + (8 << 20)
    part = image.with_name(image.name + ".part")
    with part.open("wb") as file:
        file.truncate(-(-size // 4096) * 4096)
    inodes = len(list(root.rglob("*"))) * 5 // 4 + 64
    run("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-N", str(inodes), "-O", "^has_journal", "-d", root, part)
    part.rename(image)


__all__ = ["INTERPRETER", "SITE", "project", "world"]
