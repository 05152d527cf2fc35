"""Start to first pixels, memory, and what an idle station costs; each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

IMPORTS = "import gpiozero, luma.oled.device"

PROBE = """
import json, os, sys, tempfile, threading, time
from pathlib import Path
started = float(sys.argv[1])
panel, idle = sys.argv[2] == "panel", float(sys.argv[3])
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
    }), flush=True)
    os.kill(os.getpid(), 15)

def ready(address):
    threading.Thread(target=look, args=(address,), daemon=True).start()

with tempfile.TemporaryDirectory() as folder:
    options = Options(fallback=Path(folder) / "journal.db", panel=panel, port=0, browser=False, ready=ready)
    play(options, box)
"""


def station(*, panel: bool, idle: float = 5.0) -> dict[str, float]:
    """Run a simulated station for a while; return its figures."""
    command = [sys.executable, "-c", PROBE, str(time.monotonic()), "panel" if panel else "bare", str(idle)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    times: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return times


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
