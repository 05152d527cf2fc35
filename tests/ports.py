"""Ports of the loopback for what is killed and started again."""

from __future__ import annotations

import contextlib
import random
import socket


def quiet_port() -> int:
    """Return a port that is free now, and that the kernel gives to nobody by itself while the hall is dead."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 1000):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("expected a free port below those that the kernel gives")
