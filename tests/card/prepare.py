"""What the emulated Pi is made of: the image's own kernel and files, and drivers that stand for keys and display.

The drivers are built for the image's kernel from Debian's packages and kept in .cache/card.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import shutil
import subprocess
from pathlib import Path

from tests.kernel.machine import Guest
from tests.kernel.prepare import BUILT, PROJECT, Missing, run, simulators
from tests.kernel.prepare import GUEST as KERNEL_GUEST
from tests.kernel.sitting import Differs

GUEST = Path(__file__).with_name("guest")
CACHE = PROJECT / ".cache" / "card"
DEBIAN = PROJECT / "firmware" / "deb" / "debian.sh"
CROSS = "aarch64-linux-gnu-"
FIRST = "4M"
"""Where the first partition begins."""

TREE = "bcm2837-rpi-3-b.dtb"
BOARDS = ("bcm2837-rpi-zero-2-w.dtb", "bcm2837-rpi-3-b-plus.dtb", TREE, "bcm2711-rpi-4-b.dtb")
BUS_HZ = 400_000
"""Of the display's bus, in the device tree of each board that the card is for."""
REVISION = "a02082"
"""A Raspberry Pi 3B; the Pi's own firmware would say so."""

CARD = "card.img"
BYTES = 1 << 30
"""Size of the emulated card, larger than the image."""
TWIN = "twin.db"
"""The journal of the twin that gets the same presses as the card."""
LOADED = ("vmlinuz", "initrd", "cmdline.txt", TREE)
"""What the Pi's firmware loads from the card."""

HOOKS = (("drivers", "/bin/splash &"), ("services", "umount /system/proc"))
"""Scripts of `guest`, and the lines of the card's first process before which they run."""

NEEDS = (
    "qemu-system-aarch64:qemu-system-arm",
    "aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu",
    "/usr/aarch64-linux-gnu/lib/libc.a:libc6-dev-arm64-cross",
    *("fdtget:device-tree-compiler", "fdtput:device-tree-compiler", "mcopy:mtools", "cpio:cpio", "make:make"),
)


def needs() -> None:
    """Raise Missing with the packages that have to be installed."""
    done = subprocess.run(
        [DEBIAN.with_name("needs.sh"), "make test-image", *NEEDS], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Missing(done.stderr.strip())


def board(image: Path, folder: Path) -> Guest:
    """Put the card, and what the firmware would load from it, into a folder. Raises Differs, Missing."""
    card, tree = folder / CARD, folder / TREE
    run("cp", "--sparse=always", image, card)
    os.truncate(card, BYTES)
    for name in LOADED:
        run("mcopy", "-n", "-i", f"{card}@@{FIRST}", f"::{name}", folder / name)
    _buses(card, folder)
    run("fdtput", "-p", "-t", "x", tree, "/system", "linux,revision", REVISION)
    run("fdtput", "-r", tree, "/soc/serial@7e201000/bluetooth")  # its line is the hands'
    version = run("sh", "-c", 'strings "$0" | sed -n "s/^Linux version \\([^ ]*\\) .*/\\1/p"', folder / "vmlinuz")
    _initial(_drivers(version.decode().split()[0]), folder)
    return Guest(folder / "vmlinuz", folder / "initrd", folder, folder)


def _buses(card: Path, folder: Path) -> None:
    """Look at the display's bus on each board. Raises Differs unless it is as fast as it must be, Missing."""
    for name in BOARDS:
        tree = folder / f"bus-{name}"
        run("mcopy", "-n", "-i", f"{card}@@{FIRST}", f"::{name}", tree)
        bus = run("fdtget", "-t", "s", tree, "/aliases", "i2c1").decode().strip()
        seen = run("fdtget", tree, bus, "clock-frequency").decode().strip()
        if seen != str(BUS_HZ):
            raise Differs(f"{name} has the display's bus at {seen} Hz; expected {BUS_HZ}")


def put(card: Path, name: str, data: bytes) -> None:
    """Put a file on the first partition of a card that is switched off, as any computer does. Raises Missing.

    Where it is there already, not a byte of the partition changes.
    """
    first = f"{card}@@{FIRST}"
    if run("mtype", "-i", first, f"::{name}", well=(0, 1)) != data:
        run("mcopy", "-o", "-i", first, "-", f"::{name}", stdin=data)


def _drivers(release: str) -> Path:
    """Return a folder with the drivers for a kernel, built now if need be."""
    mark = hashlib.sha256((KERNEL_GUEST / "i2c-glass.c").read_bytes()).hexdigest()[:12]
    place = CACHE / f"drivers-{release}-{mark}"
    if place.exists():
        return place
    work = CACHE / "drivers"
    shutil.rmtree(work, ignore_errors=True)
    series, base = ".".join(release.split(".")[:2]), release.rsplit("-", 1)[0]
    headers, common, kbuild = f"linux-headers-{release}", f"linux-headers-{base}-common", f"linux-kbuild-{base}"
    run(DEBIAN, "unpack", "trixie", "arm64", work, headers, common, f"linux-source-{series}")
    run(DEBIAN, "unpack", "trixie", "amd64", work, kbuild)
    run(DEBIAN, "unpack", "trixie", "amd64", work / "libc", "libc6")
    loader = work / "libc/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
    scripts = work / "usr/lib" / kbuild / "scripts"
    for script, program in (("basic/fixdep", "basic/fixdep"), ("mod/modpost", "mod/modpost.real-lsb-64")):
        _through(loader, scripts / script, scripts / program)
    source = work / "usr/src"
    makefile = source / common / "Makefile"
    makefile.write_text(makefile.read_text().replace("-fmin-function-alignment=", "-falign-functions="))
    (source / headers / "Makefile").write_text(f"include {source / common}/Makefile\n")
    (source / headers / "vmlinux").unlink(missing_ok=True)
    simulators(work, series)
    build = work / "build"
    cross = ("ARCH=arm64", f"CROSS_COMPILE={CROSS}", f"CC={CROSS}gcc")
    run("make", "-s", "-j2", "-C", source / headers, f"M={build}", *cross, "modules")
    parts = work / "parts"
    parts.mkdir()
    for name in BUILT:
        shutil.copy(build / f"{name}.ko", parts)
    # The card has no need of this one; it comes from what the image was made of.
    (packed,) = CACHE.glob(f"parts-*/usr/lib/modules/{release}/kernel/fs/configfs/configfs.ko.xz")
    (parts / "configfs.ko").write_bytes(lzma.decompress(packed.read_bytes()))
    parts.rename(place)
    shutil.rmtree(work)
    return place


def _through(loader: Path, script: Path, program: Path) -> None:
    """Let a program of Debian 13 run on Debian 12, with its own C library."""
    real = program.with_name(f"{program.name}.elf")
    shutil.copy(program, real)
    script.write_text(f'#!/bin/sh\nexec {loader} --library-path {loader.parent} {real} "$@"\n')


def _initial(drivers: Path, folder: Path) -> None:
    """Add the drivers to the card's initial file system, and lines that make its first process use them."""
    root = folder / "initial"
    (root / "test").mkdir(parents=True)
    with gzip.open(folder / "initrd") as packed:
        run("cpio", "--quiet", "-i", "init", cwd=root, stdin=packed.read())
    init = (root / "init").read_text()
    for script, line in HOOKS:
        if init.count(f"\n{line}") != 1:
            raise Missing(
                f"firmware/card/init has no line {line!r} any more, before which the test would run its own"
            )
        init = init.replace(f"\n{line}", f"\n. /test/{script}\n{line}")
    (root / "init").write_text(init)
    for path in [*drivers.iterdir(), *GUEST.iterdir()]:
        shutil.copy(path, root / "test")
    for code in (KERNEL_GUEST / "hands.c", GUEST / "glass.c"):
        run(f"{CROSS}gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-o", root / "test" / code.stem, code)
    names = "".join(f"{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    more = run("cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0", cwd=root, stdin=names.encode())
    with (folder / "initrd").open("ab") as file:
        file.write(gzip.compress(more, 1, mtime=0))
