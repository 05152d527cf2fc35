"""Start to first pixels, memory, and what an idle station costs; each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

IMPORTS = "import gpiozero, luma.oled.device"

PROBE = """
import json, os, shutil, sys, tempfile, threading, time
from pathlib import Path
started = float(sys.argv[1])
panel, idle, beside = sys.argv[2] == "panel", float(sys.argv[3]), sys.argv[4]
for name in sys.argv[5:]:
    sys.modules[name] = None
from hardware.simulated.box import SimulatedBox
first = []
def glass():
    if not first and box.glass().getbbox():
        first.append(time.monotonic() - started)
box = SimulatedBox(on_glass=glass)
from referee.station.main import Options, play

def status(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])

def switches():
    return sum(
        int(line.split()[1])
        for task in Path("/proc/self/task").iterdir()
        for line in (task / "status").read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches")
    )

def written():
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["wchar"])

def look(address):
    for thread in threading.enumerate():
        if thread.name == "warm":
            thread.join()
    threading.Event().wait(1.0)
    cpu, woken, wrote, at = time.process_time(), switches(), written(), time.monotonic()
    threading.Event().wait(idle)
    seconds = time.monotonic() - at
    print(json.dumps({
        "first_pixels_s": first[0],
        "resident_mib": status("VmRSS") / 1024,
        "idle_cpu_percent": 100 * (time.process_time() - cpu) / seconds,
        "idle_wakeups_per_s": (switches() - woken - 1) / seconds,
        "idle_bytes_written": written() - wrote,
        "own_modules": sum(name.partition(".")[0] in ("referee", "hardware") for name in sys.modules),
        "modules": sorted({name.partition(".")[0] for name, module in sys.modules.items() if module}),
    }), flush=True)
    os.kill(os.getpid(), 15)

def ready(address):
    threading.Thread(target=look, args=(address,), daemon=True).start()

with tempfile.TemporaryDirectory() as folder:
    for file in Path(beside).iterdir() if beside else ():
        shutil.copy(file, folder)
    config = Path(folder) / "referee.toml" if beside else None
    journal = Path(folder) / "journal.db"
    options = Options(fallback=journal, panel=panel, port=0, browser=False, ready=ready, config=config)
    play(options, box)
"""


def station(
    *, panel: bool, idle: float = 5.0, beside: Path | None = None, without: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Run a simulated station for a while; return its figures.

    ``beside``: a folder with its `referee.toml` and what else lies beside the journal; ``without``: modules that it
    cannot import.
    """
    words = (str(time.monotonic()), "panel" if panel else "bare", str(idle), str(beside or ""), *without)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words], capture_output=True, text=True, check=True, timeout=120
    )
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def imports() -> float:
    """Return seconds a process takes that only imports the hardware libraries."""
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", IMPORTS], check=True, timeout=120)
    return time.monotonic() - start


def measure(rounds: int = 7) -> dict[str, Any]:
    """Return start times paired with bare imports, and memory and idle figures with and without the panel."""
    pairs = [(station(panel=False, idle=0.2)["first_pixels_s"], imports()) for _ in range(rounds)]
    return {
        "first_pixels_s": [first for first, _ in pairs],
        "imports_s": [bare for _, bare in pairs],
        "ratio": [first / bare for first, bare in pairs],
        "without_panel": station(panel=False),
        "with_panel": station(panel=True),
    }
