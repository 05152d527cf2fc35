"""Hostile browsers against a running station: what the table, the browser on the box and the log feel of them.

``python -m tests.bench.flood`` runs a station on real threads on one processor, and on the other opens 1,100 silent
sockets, again whenever they are closed, while four floods go on: pings, messages in empty pieces and gestures that
are refused, on lines that were let in and come back whenever they are cut, and posts to the door. It prints, as JSON,
the median latency of the keys of the box alone and under all of that, edge to glass; the median of five pages and of
five lines, fresh connections both, for the browser on the box; by how much the log has grown, and how much memory the
station has taken at most. The journal is in memory: how long a disk takes is no matter of the panel's. It fails
where the keys take more than 1.5 times as long, the panel more than 250 ms, or the log grows by a megabyte.
"""

from __future__ import annotations

import argparse
import base64
import json
import logging
import os
import resource
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from referee.web.passes import Passes
from referee.web.server import WebServer
from tests.bench.latency import ATTACK, BETWEEN, Live
from tests.components import MEMORY

NAME: Final = "referee.localhost"
SLOWER: Final = 1.5
ANSWER: Final = 250.0
LOG: Final = 1_000_000
"""What is allowed: times as long, milliseconds, bytes."""
SETTLED: Final = 2.0
"""Seconds after the floods have begun or ceased until anything is measured."""
ROUNDS: Final = 3
"""Of five presses, each time."""
PATIENCE: Final = 10.0


def ask(port: int, path: str, host: str, *more: str, source: str = "127.0.0.1") -> socket.socket:
    """Connect, and send the head of a request."""
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0))
    head = (f"GET {path} HTTP/1.1", f"Host: {host}:{port}", f"Origin: http://{host}:{port}", *more, "", "")
    line.sendall("\r\n".join(head).encode())
    return line


def upgrade() -> tuple[str, ...]:
    """Return what asks for a line."""
    key = base64.b64encode(os.urandom(16)).decode()
    return ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}")


def until(line: socket.socket, words: bytes) -> None:
    """Read until these words have come."""
    read = b""
    while words not in read:
        data = line.recv(65536)
        if not data:
            raise ConnectionError(f"ended without {words!r}")
        read += data


def masked(kind: int, payload: bytes) -> bytes:
    """Return a frame as a browser sends it."""
    return bytes([kind, 0x80 | len(payload)]) + bytes(4) + payload


# ---------------------------------------------------------------------------------------------------- the attack


def silent(port: int, count: int) -> None:
    """Keep so many sockets open that say nothing."""
    waiting = selectors.DefaultSelector()
    opened = 0
    while True:
        while opened < count:
            line = socket.socket()
            line.bind((f"127.0.0.{70 + opened % 5}", 0))
            line.setblocking(False)
            line.connect_ex(("127.0.0.1", port))
            waiting.register(line, selectors.EVENT_READ)
            opened += 1
        for key, _ in waiting.select():
            waiting.unregister(key.fileobj)
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
            opened -= 1


def lines(port: int, token: str, source: str, frames: bytes) -> None:
    """Send frames on a line for ever, and on another when it is cut."""
    while True:
        with suppress(OSError), ask(port, "/ws", NAME, *upgrade(), f"Cookie: referee={token}", source=source) as line:
            until(line, b"101")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
            while True:
                line.sendall(frames)
                line.settimeout(0.0)
                with suppress(BlockingIOError):
                    while line.recv(65536):
                        pass
                line.settimeout(PATIENCE)


def posts(port: int, source: str) -> None:
    """Ask at the door for ever."""
    body = b'{"do":"wait"}'
    head = (
        "POST /pair HTTP/1.1", f"Host: {NAME}:{port}", f"Origin: http://{NAME}:{port}",
        "Content-Type: application/json", f"Content-Length: {len(body)}", "", "",
    )  # fmt: skip
    request = "\r\n".join(head).encode() + body
    while True:
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0)) as line,
        ):
            while True:
                line.sendall(request)
                until(line, b"}")


def attack(port: int, token: str, sockets: int) -> None:
    """Do all of it, until killed."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    pieces = masked(0x01, b"") + 500 * masked(0x00, b"")
    gestures = 100 * masked(0x81, b'{"type":"click","key":"die-1","ms":0}')
    jobs: list[tuple[Callable[..., None], tuple[object, ...]]] = [
        (silent, (port, sockets)),
        (lines, (port, token, "127.0.0.61", 500 * masked(0x89, b""))),
        (lines, (port, token, "127.0.0.62", pieces)),
        (lines, (port, token, "127.0.0.63", gestures)),
        (posts, (port, "127.0.0.64")),
    ]
    threads = [threading.Thread(target=job, args=arguments, daemon=True) for job, arguments in jobs]
    for thread in threads:
        thread.start()
    threads[0].join()


# ----------------------------------------------------------------------------------------- what others feel of it


def panel(port: int) -> dict[str, float]:
    """Return the median of five pages and of five lines for the browser on the box, ms."""
    times: dict[str, list[float]] = {"page": [], "line": []}
    for _ in range(5):
        for what, path, more, words in (("page", "/", (), b"</html>"), ("line", "/ws", upgrade(), b'"glass"')):
            began = time.monotonic()
            with closing(ask(port, path, "127.0.0.1", *more)) as line:
                until(line, words)
            times[what].append((time.monotonic() - began) * 1000)
    return {what: statistics.median(each) for what, each in times.items()}


def keys(live: Live) -> list[float]:
    """Return the latencies of the keys of the box, ms."""
    pause = threading.Event()
    times = []
    for _ in range(ROUNDS):
        for key in ATTACK:
            times.append(live.press(key)[0] * 1000)
            pause.wait(BETWEEN)
    return times


def run(turns: int, sockets: int) -> dict[str, float]:
    """Return the figures; times in ms, the log in bytes, memory in MiB."""
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, processors[:1])
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        log = Path(folder) / "log"
        logging.basicConfig(filename=log, level=logging.INFO)
        passes = Passes(Path(folder) / "panel.json")
        live = Live(Path(folder))
        server = WebServer(live.hub, port=0, names=[NAME], passes=passes)
        port = server.start().port

        def other(*arguments: object, **options: int) -> subprocess.Popen[str]:
            command = [sys.executable, "-m", "tests.bench.flood", *map(str, arguments)]
            started = subprocess.Popen(command, text=True, **options)  # type: ignore[call-overload]
            os.sched_setaffinity(started.pid, processors[-1:])
            return started  # type: ignore[no-any-return]

        def answers() -> dict[str, float]:
            with other("--panel", port, stdout=subprocess.PIPE) as asking:
                assert asking.stdout is not None
                answer: dict[str, float] = json.loads(asking.stdout.read())
                return answer

        try:
            threading.Event().wait(BETWEEN)
            figures = {f"{what}_idle_ms": ms for what, ms in answers().items()}
            size = log.stat().st_size
            idle, flooded = list[float](), list[float]()
            attacker = other("--attack", port, "--token", passes.issue("watch", "flood"), "--sockets", sockets)
            burner = other("--burn")
            try:
                # In turns, and with the other processor busy all the time, so that both feel the rest of the machine.
                for _ in range(turns):
                    for runs, rests, times in ((attacker, burner, flooded), (burner, attacker, idle)):
                        rests.send_signal(signal.SIGSTOP)
                        runs.send_signal(signal.SIGCONT)
                        threading.Event().wait(SETTLED)
                        times.extend(keys(live))
                burner.send_signal(signal.SIGSTOP)
                attacker.send_signal(signal.SIGCONT)
                threading.Event().wait(SETTLED)
                figures |= {f"{what}_flooded_ms": ms for what, ms in answers().items()}
            finally:
                for each in (attacker, burner):
                    each.kill()
                    each.wait()
            figures |= {"keys_idle_ms": statistics.median(idle), "keys_flooded_ms": statistics.median(flooded)}
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            return figures | {"log_bytes": log.stat().st_size - size, "memory_mib": memory}
        finally:
            server.stop()
            live.close()


def main() -> int:
    """Run it, print the figures, and say whether they hold."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.flood", description=__doc__)
    options.add_argument(
        "--turns", type=int, default=5, help="of fifteen presses under the floods, and fifteen alone"
    )
    options.add_argument("--sockets", type=int, default=1100)
    options.add_argument("--attack", type=int, metavar="PORT", help=argparse.SUPPRESS)
    options.add_argument("--burn", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--token", default="", help=argparse.SUPPRESS)
    options.add_argument("--panel", type=int, metavar="PORT", help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.burn:
        while True:
            pass
    if asked.attack is not None:
        attack(asked.attack, asked.token, asked.sockets)
    elif asked.panel is not None:
        print(json.dumps(panel(asked.panel)))
    else:
        figures = run(asked.turns, asked.sockets)
        figures["keys_times"] = figures["keys_flooded_ms"] / figures["keys_idle_ms"]
        print(json.dumps({name: round(value, 2) for name, value in figures.items()}, indent=2))
        slow = max(figures["page_flooded_ms"], figures["line_flooded_ms"])
        return int(figures["keys_times"] > SLOWER or slow > ANSWER or figures["log_bytes"] > LOG)
    return 0


if __name__ == "__main__":
    sys.exit(main())
