"""The installer in this process, with a small program and a small environment: a run takes milliseconds."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from firmware.pi.installer import system
from firmware.pi.installer.main import main
from tests.pi.image import Image


class Done(NamedTuple):
    code: int
    out: str
    err: str


def venv(command: Sequence[str | Path]) -> None:
    """Stand for Python's own: another program fills a directory, and nobody knows with what."""
    *start, place = command
    assert start == [sys.executable, "-I", "-m", "venv", "--system-site-packages"]
    for folder in ("bin", "lib/python"):
        (Path(place) / folder).mkdir(parents=True, exist_ok=True)
    (Path(place) / "lib64").symlink_to("lib")
    for file in ("bin/python", "lib/python/a.py", "lib/python/b.py"):
        (Path(place) / file).write_text(file)


class SmallImage(Image):
    """A card on which a program of two files is installed, from a source beside it."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        super().__init__(root)
        self.source = root.with_name("source")
        for package in ("referee", "hardware"):
            (self.source / package).mkdir(parents=True)
            (self.source / package / "__init__.py").write_text(f"name = {package!r}\n")
        (self.source / "LICENSE").write_text("licence\n")
        patch.setattr(system, "SOURCE", self.source)
        patch.setattr(system, "run", venv)
        patch.setattr(system, "works", lambda place: (place / "bin/python").exists())

    def run(self, *options: str) -> Done:
        """Run the installer."""
        out, err = io.StringIO(), io.StringIO()
        before, umask = os.environ.get("DESTDIR"), os.umask(0o022)
        os.environ["DESTDIR"] = str(self.root)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(["--skip-packages", *options])
        finally:
            os.umask(umask)
            os.environ.pop("DESTDIR")
            os.environ.update({"DESTDIR": before} if before is not None else {})
        return Done(code, out.getvalue(), err.getvalue())
