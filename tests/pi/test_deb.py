"""The Debian package, as far as it can be looked at without building it; `make test-deb` builds and installs it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from firmware.deb.program import page
from referee.cli.options import parser

DEB = Path(__file__).parents[2] / "firmware" / "deb"
CARD = DEB.with_name("card")
SHELL = re.compile(rb"#!/bin/(busybox )?sh\n|# shellcheck ")


def test_the_shell_has_nothing_to_complain_about(shellcheck: str) -> None:
    folders = (DEB, CARD, CARD.parents[1] / "tests" / "card")
    files = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    scripts = [path for path in files if SHELL.match(path.read_bytes())]
    assert {"build.sh", "postinst", "root.sh", "installed.sh"} <= {path.name for path in scripts}
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


def test_the_manual_page_has_every_command_and_no_line_that_roff_takes_for_its_own() -> None:
    text = page(parser())
    headings = re.findall(r"(?m)^\.SH REFEREE (\w+)$", text)
    assert {"RUN", "PLAY", "DOCTOR", "LOG", "KEY"} <= set(headings)
    assert {line.split()[0] for line in text.splitlines() if line[0] in ".'"} == {".TH", ".SH", ".nf", ".fi"}


def test_what_is_locked_for_the_package_is_locked_nowhere_else() -> None:
    """lgpio and spidev are compiled, the rest comes as wheels: nothing comes twice, in two versions."""
    names = [
        set(re.findall(r"(?m)^([\w.-]+)==", (folder / lock).read_text()))
        for folder, lock in ((DEB, "requirements.lock"), (DEB.parents[1], "requirements-dice.lock"))
    ]
    assert names[0] == {"lgpio", "spidev"}
    assert not names[0] & names[1]
