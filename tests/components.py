"""Programs of the machine that some tests need: a browser, node, tools that check what goes onto a Raspberry Pi.

Where one is missing, the tests that use its fixture are left out and the summary says so. With CI=true they fail, all
but those of `OPTIONAL`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEMORY = Path("/dev/shm") if os.access("/dev/shm", os.W_OK | os.X_OK) else None
"""Where files lie in memory, None where the machine has no such place."""

SYSTEM = "/usr/sbin:/sbin"
"""Where Debian has programs for disks, which are not on everybody's path."""
DOCS_TOOLS = ROOT / ".venv-docs" / "bin"
MICROPYTHON = ROOT / "tests/firmware/micropython/node_modules/@micropython/micropython-webassembly-pyscript"

AXE = ROOT / "tests/web/axe/node_modules/axe-core/axe.min.js"


def command(*names: str) -> str | None:
    """Return where the first of these commands is: on the path, in `make wiring-tools`, or where root has it."""
    path = os.pathsep.join((os.environ.get("PATH", ""), str(DOCS_TOOLS), SYSTEM))
    places = (shutil.which(name, path=path) for name in names)
    return next((place for place in places if place), None)


PYODIDE = ROOT / "firmware/pocket/node_modules/pyodide/pyodide.asm.wasm"

CHROMIUM = command("chromium", "chromium-browser", "google-chrome")
CHROMEDRIVER = command("chromedriver")
NODE = command("node")
INTERPRETER = MICROPYTHON / "micropython.wasm"
_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
POSTGRES = next((path for path in reversed(_DEBIAN) if (path / "postgres").exists()), None)
"""Where the programs of PostgreSQL's server are; Debian has them on no path."""

GPIOZERO = sorted((ROOT / ".cache/gpiozero").glob("gpiozero-*.tar.gz"))
"""Its source distribution, which has its tests."""

TOOLS = (
    "dbus-daemon",
    "mke2fs",
    "sfdisk",
    "espeak-ng",
    "gcc",
    "systemd-analyze",
    "shellcheck",
    "dot",
    "wireviz",
    "openscad",
    "curl",
    "node",
    "openssl",
    "kicad-cli",
)
OPTIONAL = {"kicad_cli"}
"""What may be missing with CI=true, too: Debian 12 has no KiCad that can be used without its windows."""


def terminal() -> bool:
    """Tell whether the kernel gives out terminals here."""
    try:
        ends = os.openpty()
    except OSError:
        return False
    for end in ends:
        os.close(end)
    return True


COMPONENTS = {
    "browser": ("chromium or chromedriver is not installed", bool(CHROMIUM and CHROMEDRIVER)),
    "pico": (
        "node is not installed, or MicroPython could not be fetched",
        bool(NODE and INTERPRETER.exists()),
    ),
    "axe": ("axe-core could not be fetched from npm", AXE.exists()),
    "pyodide": ("Pyodide could not be fetched from npm", PYODIDE.exists()),
    "gpiozero_tests": ("gpiozero's source distribution could not be fetched", bool(GPIOZERO)),
    "postgres": ("PostgreSQL's server is not installed", POSTGRES is not None),
    "terminal": ("the kernel gives out no terminals: /dev/pts is not mounted", terminal()),
    "root": ("they are not run by root", os.geteuid() == 0),
} | {name.replace("-", "_"): (f"{name} is not installed", command(name) is not None) for name in TOOLS}
"""Fixture -> what is said where its component is missing, and whether it is there."""


def missing() -> dict[str, str]:
    """Return the fixtures that cannot work on this machine, with the reason; with CI=true those that need not."""
    of = OPTIONAL if os.environ.get("CI") == "true" else COMPONENTS
    return {fixture: COMPONENTS[fixture][0] for fixture in of if not COMPONENTS[fixture][1]}
