"""Everything the guest is made of, from Debian's packages and this folder, kept in .cache/kernel.

Nothing here needs root: the kernel's packages are fetched and unpacked beside each other, never installed.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parents[2]
GUEST = Path(__file__).with_name("guest")
CACHE = PROJECT / ".cache" / "kernel"

PACKAGES = {
    "qemu-system-x86_64": "qemu-system-x86",
    "/bin/busybox": "busybox-static",
    "mkfs.ext4": "e2fsprogs",
    "debugfs": "e2fsprogs",
    "cpio": "cpio",
    "gcc": "gcc",
    "gcc-12": "gcc-12",
    "make": "make",
    "xz": "xz-utils",
    "apt-get": "apt",
    "dpkg-deb": "dpkg",
}
"""Commands, and Debian's packages that hold them."""

DRIVERS = ("virtio_pci", "virtio_blk", "virtio_console", "crc32c_generic", "ext4", "configfs", "i2c-dev")
"""Of the kernel's own; what they depend on comes along."""

BUILT = ("irq-sim", "gpio-sim", "i2c-glass")

CPUINFO = """\
processor\t: 0
Hardware\t: BCM2711
Revision\t: c03111
Model\t\t: Raspberry Pi 4 Model B Rev 1.1
"""
"""What lgpio's pin factory looks at: revision c03111 is a Raspberry Pi 4B."""


class Missing(Exception):
    """Something has to be installed first; the text says what."""


def needs() -> None:
    """Raise Missing with the packages that have to be installed."""
    sbin = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    packages = {package for command, package in PACKAGES.items() if not shutil.which(command, path=sbin)}
    packages |= set() if Path("/usr/lib/x86_64-linux-gnu/libc.a").exists() else {"libc6-dev"}
    if packages:
        names = " ".join(sorted(packages))
        raise Missing(f"the kernel test needs packages that are not installed: apt-get install {names}")
    if os.uname().machine != "x86_64":
        raise Missing("the kernel test runs on x86-64 only")


def run(
    *command: str | Path, cwd: Path | None = None, stdin: bytes | None = None, well: tuple[int, ...] = (0,)
) -> bytes:
    """Run a command; return its output. Raises Missing with what it complained about unless it ended `well`."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env={**os.environ, "PATH": path, "LC_ALL": "C"},
        check=False,
    )
    if done.returncode not in well:
        complaint = (done.stderr or done.stdout).decode(errors="replace").strip()[-2000:]
        raise Missing(f"{' '.join(str(word) for word in command)[:200]} failed:\n{complaint}")
    return done.stdout


def _release() -> str:
    """Return what the running Debian calls its present kernel, 6.1.0-56-amd64."""
    output = run("apt-cache", "depends", "linux-image-amd64").decode()
    match = re.search(r"Depends: linux-image-(\d\S+)", output)
    if not match:
        raise Missing("apt knows no package linux-image-amd64: this test takes its kernel from Debian's packages")
    return match[1]


def _series(release: str) -> str:
    return ".".join(release.split(".")[:2])


def kernel() -> Path:
    """Return a folder with the kernel's image and all drivers, made now where it is not there. Raises Missing."""
    release = _release()
    made_of = (GUEST / "i2c-glass.c").read_bytes() + repr((DRIVERS, BUILT)).encode()
    mark = hashlib.sha256(made_of).hexdigest()[:12]
    kernel = CACHE / f"{release}-{mark}"
    if kernel.exists():
        return kernel
    work = CACHE / "work"
    shutil.rmtree(work, ignore_errors=True)
    (work / "deb").mkdir(parents=True)
    series = _series(release)
    headers = f"linux-headers-{release}"
    common = f"linux-headers-{release.rsplit('-', 1)[0]}-common"
    packages = (f"linux-image-{release}", headers, common, f"linux-kbuild-{series}", f"linux-source-{series}")
    run("apt-get", "download", "-q", *packages, cwd=work / "deb")
    for package in packages:
        run("dpkg-deb", "-x", *(work / "deb").glob(f"{package}_*.deb"), work)
    simulators(work, series)
    _build(work, work / "usr/src" / headers, work / "usr/src" / common)
    parts = work / "made"
    parts.mkdir()
    shutil.copy(work / "boot" / f"vmlinuz-{release}", parts / "vmlinuz")
    loaded = _collect(work / "lib/modules" / release, parts)
    for name in BUILT:
        shutil.copy(work / "build" / f"{name}.ko", parts)
    (parts / "order").write_text("".join(f"{name}.ko\n" for name in [*loaded, "irq-sim", "gpio-sim"]))
    parts.rename(kernel)
    shutil.rmtree(work)
    return kernel


def simulators(work: Path, series: str) -> None:
    """Take the two simulators out of the kernel's source, unpacked there, into `build`, with all that builds them."""
    build = work / "build"
    build.mkdir()
    files = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
    top = f"linux-source-{series}"
    run("tar", "-xJf", work / f"usr/src/{top}.tar.xz", "-C", work, *(f"{top}/{name}" for name in files))
    for name in files:
        shutil.copy(work / top / name, build)
    text = (build / "irq_sim.c").read_text()
    # A driver outside the kernel cannot look up a descriptor, but it can ask for the interrupt by number.
    text, count = re.subn(r"handle_simple_irq\(irq_to_desc\((\w+)\)\)", r"generic_handle_irq(\1)", text)
    if count != 1:
        raise Missing(f"irq_sim.c of {top} is not the one this test knows how to build outside the kernel")
    (build / "irq-sim.c").write_text(f'{text}\n#include <linux/module.h>\nMODULE_LICENSE("GPL");\n')
    (build / "irq_sim.c").unlink()
    shutil.copy(GUEST / "i2c-glass.c", build)
    (build / "Kbuild").write_text("obj-m := " + " ".join(f"{name}.o" for name in BUILT) + "\n")


def _build(work: Path, headers: Path, common: Path) -> None:
    # The package's Makefile names the place where it would be installed.
    (headers / "Makefile").write_text(f"include {common}/Makefile\n")
    run("make", "-s", "-j2", "-C", headers, f"M={work / 'build'}", "modules")


def _collect(modules: Path, to: Path) -> list[str]:
    """Copy drivers with what they depend on; return their names in the order in which they can be loaded."""
    files = {re.sub(r"\.ko.*", "", path.name).replace("-", "_"): path for path in modules.rglob("*.ko*")}
    order: list[str] = []

    def add(name: str) -> None:
        path = files.get(name.replace("-", "_"))
        if path is None or name.replace("-", "_") in order:
            return  # built into this kernel, or there already
        data = path.read_bytes()
        data = lzma.decompress(data) if path.suffix == ".xz" else data
        for other in _depends(data):
            add(other)
        order.append(name.replace("-", "_"))
        (to / f"{order[-1]}.ko").write_bytes(data)

    for driver in DRIVERS:
        add(driver)
    return order


def _depends(module: bytes) -> Iterable[str]:
    match = re.search(rb"\0depends=([\w,-]*)\0", module)
    return [name for name in (match[1].decode() if match else "").split(",") if name]


def initramfs(kernel: Path, folder: Path) -> Path:
    """Make the guest's initial file system in a folder: drivers, busybox, hands. Raises Missing."""
    root = folder / "initramfs"
    for name in ("bin", "dev", "etc", "host", "lib", "proc", "sys"):
        (root / name).mkdir(parents=True)
    shutil.copy("/bin/busybox", root / "bin/busybox")
    shutil.copy(GUEST / "init", root / "init")
    (root / "init").chmod(0o755)
    run("gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-o", root / "bin/hands", GUEST / "hands.c")
    for path in [*kernel.glob("*.ko"), kernel / "order"]:
        shutil.copy(path, root / "lib")
    (root / "etc/cpuinfo").write_text(CPUINFO)
    names = "".join(f"{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    packed = run("cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0", cwd=root, stdin=names.encode())
    image = folder / "initramfs.gz"
    image.write_bytes(gzip.compress(packed, 1, mtime=0))
    shutil.rmtree(root)
    return image
