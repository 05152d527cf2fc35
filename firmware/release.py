"""`make release`: what people download, in dist/release, with checksums. The same commit gives the same bytes.

Everything is made of a clone of the commit, so nothing else of the working tree gets in.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from referee import __version__

ROOT: Final = Path(__file__).parents[1]
SUITES: Final = ("bookworm", "trixie")
WHEEL: Final = (
    "import sys; from setuptools import build_meta as to; out = sys.argv[1]; to.build_sdist(out); to.build_wheel(out)"
)


class Release:
    """A release in the making. ``clone``: of the commit; ``out``: where the files go; ``epoch``: of the commit, s."""

    def __init__(self, clone: Path, out: Path) -> None:
        self.clone = clone
        self.out = out
        self.epoch = int(self.run("git", "log", "-1", "--format=%ct").strip())

    def run(self, *command: str | Path) -> str:
        """Run a command in the clone and return what it prints. Raises CalledProcessError."""
        # The clone's own sources and npm packages; Python and its packages are those that run this.
        where = {**os.environ, "PYTHONPATH": str(self.clone)}
        if hasattr(self, "epoch"):
            where["SOURCE_DATE_EPOCH"] = str(self.epoch)
        return subprocess.run(  # noqa: S603
            command, cwd=self.clone, env=where, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    def python(self) -> None:
        """The wheel, and the sources: owner, order and times in them are fixed."""
        self.run(sys.executable, "-c", WHEEL, self.out)
        (sources,) = self.out.glob("*.tar.gz")
        packed = BytesIO()
        with tarfile.open(sources) as was, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as now:
            for member in sorted(was.getmembers(), key=lambda each: each.name):
                member.uid = member.gid = 0
                member.uname = member.gname = ""
                member.mtime, member.pax_headers = self.epoch, {}
                now.addfile(member, was.extractfile(member) if member.isfile() else None)
        sources.write_bytes(gzip.compress(packed.getvalue(), mtime=self.epoch))

    def pocket(self) -> None:
        """The referee in a browser, to unpack on a web host."""
        self.run("make", "firmware/pocket/node_modules/.package-lock.json")
        self.run(sys.executable, "-m", "firmware.pocket.build", "dist/pocket")
        self.zip(f"pocket-{__version__}.zip", self.clone / "dist" / "pocket")

    def case(self) -> None:
        """Box and lid, for a printer."""
        folder = self.clone / "dist" / "case"
        folder.mkdir(parents=True)
        for part in ("box", "lid"):
            model, solid = self.clone / "firmware" / "case" / "case.scad", folder / f"{part}.stl"
            self.run("openscad", "-q", "-D", f'part="{part}"', "-o", solid, model)
            # OpenSCAD writes the facets in another order each time.
            facets = sorted(re.findall(r"  facet.*?endfacet\n", solid.read_text(encoding="ascii"), re.DOTALL))
            solid.write_text(f"solid {part}\n{''.join(facets)}endsolid {part}\n", encoding="ascii")
        self.zip(f"case-{__version__}.zip", folder)

    def deb(self) -> None:
        """The packages for both Debians."""
        for suite in SUITES:
            for package in ("station", "tray"):
                self.run(self.clone / "firmware" / "deb" / "build.sh", package, suite, self.out)

    def image(self) -> None:
        """The card; needs root."""
        (deb,) = self.out.glob("electronic-referee_*deb13_arm64.deb")
        self.run(self.clone / "firmware" / "card" / "image.sh", deb, self.out)
        for image in self.out.glob("*.img"):
            image.unlink()  # the compressed one is what people flash

    def site(self) -> None:
        """The site, which tells the sums of all others."""
        self.sums()
        site, pocket = self.clone / "dist" / "site", self.clone / "dist" / "pocket"
        self.run(sys.executable, "-m", "firmware.site.build", site, pocket, self.out)
        self.zip(f"site-{__version__}.zip", site)

    def zip(self, name: str, folder: Path) -> None:
        """Pack a folder, each file with the time of the commit."""
        at = time.gmtime(self.epoch)[:6]
        with zipfile.ZipFile(self.out / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(each for each in folder.rglob("*") if each.is_file()):
                entry = zipfile.ZipInfo(str(path.relative_to(folder)), at)
                entry.external_attr = 0o644 << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())

    def sums(self) -> None:
        """Write the checksums of all files."""
        files = sorted(each for each in self.out.iterdir() if each.name != "SHA256SUMS")
        lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files]
        (self.out / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


PARTS: Final = ("python", "pocket", "case", "deb", "image", "site")


def main(out: Path, parts: Sequence[str]) -> int:
    """Make the parts; 1 if one of them could not be made, which is said."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "electronic-referee"
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)  # noqa: S603, S607
        (ROOT / ".cache").mkdir(exist_ok=True)
        (clone / ".cache").symlink_to(ROOT / ".cache")  # downloads
        release = Release(clone, out.resolve())
        for name in parts:
            make: Callable[[], None] = getattr(release, name)
            try:
                make()
            except (OSError, subprocess.CalledProcessError) as fault:
                print(f"make release: {name} was not made: {fault}", file=sys.stderr)  # noqa: T201
                failed = 1
        release.sums()
    print((out / "SHA256SUMS").read_text(encoding="ascii"), end="")  # noqa: T201
    return failed


if __name__ == "__main__":
    unknown = set(sys.argv[2:]) - set(PARTS)
    if unknown:
        sys.exit(f"make release: expected some of {', '.join(PARTS)}; got {', '.join(sorted(unknown))}")
    sys.exit(main(Path(sys.argv[1]), [each for each in PARTS if each in (sys.argv[2:] or PARTS)]))
