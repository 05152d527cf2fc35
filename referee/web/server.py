"""The panel's web server: a thread and an event loop of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

import uvicorn

from referee.web.app import create_app
from referee.web.guard import EVERYWHERE, HTTP_PORT, LOOPBACK, join_address
from referee.web.hub import MAX_BYTES, Hub
from referee.web.limits import Connections, Door, configured
from referee.web.passes import Passes

SEND_BUFFER: Final = 32 * 1024
"""Bytes the kernel may hold for one browser; a large buffer would be filled with stale glasses."""
RECEIVE_BUFFER: Final = 8 * 1024
"""Bytes the kernel may hold that one browser has sent, and most of what is read of it at once."""
BACKLOG: Final = 64
"""Connections that may wait to be accepted, and that are accepted before the server does something else."""
ANYWHERE: Final = dict(zip(EVERYWHERE, ("127.0.0.1", "[::1]"), strict=True))
"""The loopback's address where the server listens on every interface."""
PING_SECONDS: Final = 5.0
FLUSH_SECONDS: Final = 1.0
LEAVE_SECONDS: Final = 5


class Address(NamedTuple):
    """Where the panel is."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address to type into a browser on the box."""
        if self.host in ANYWHERE:
            return f"http://{ANYWHERE[self.host]}:{self.port}/"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"


class WebServer:
    """Serves the panel of ``hub``; nothing is opened before `start`.

    Bound to the loopback unless told otherwise. ``names`` are further host names the panel answers to
    (``referee.local``), with or without a port; without them only the loopback's names and the address a request
    came to are accepted. ``passes``: who was let in before; without them, nobody, and it is forgotten at the end.
    """

    def __init__(
        self,
        hub: Hub,
        host: str = "127.0.0.1",
        port: int = 8080,
        *,
        names: Iterable[str] = (),
        passes: Passes | None = None,
    ) -> None:
        self._hub = hub
        self._host = host
        self._port = port
        self._bound = Address(host, port)
        self._names = tuple(names)
        self._passes = Passes() if passes is None else passes
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> Address:
        """Bind, serve, and return the real address, the port chosen when 0 was asked for.

        Raises `OSError` when the address cannot be bound, `RuntimeError` when the server runs already.
        """
        if self._thread is not None:
            raise RuntimeError("the web server runs already; stop it first")
        connections = Connections()
        door = _bind(self._host, self._port, connections)
        port: int = door.getsockname()[1]
        self._bound = Address(self._host, port)
        app = create_app(
            self._hub,
            allowed_hosts=_allowed(self._names, port),
            passes=self._passes,
            connections=connections,
            join_address=self.join_address,
        )
        config = configured(
            app,
            loop="asyncio",
            backlog=BACKLOG,
            ws="websockets-sansio",
            ws_max_size=MAX_BYTES,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=LEAVE_SECONDS,
        )
        server = _Server(config, connections)
        thread = threading.Thread(target=server.run, args=([door],), name="web", daemon=True)
        thread.start()
        server.begun.wait()
        if not server.started:
            thread.join()
            raise RuntimeError("the web server did not start; its log says why")
        self._server, self._thread = server, thread
        return self._bound

    def join_address(self) -> str:
        """Return what a phone opens to reach the panel, "" where only the box itself can; after `start`."""
        return join_address(*self._bound, self._names)

    def stop(self) -> None:
        """Close every connection, release the keys they held, and wait for the thread. Harmless if not running."""
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = True
        self._thread.join()
        self._server = self._thread = None


def _bind(host: str, port: int, connections: Connections) -> Door:
    door = Door(host, connections)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted sockets inherit it.
        door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        door.bind((host, port))
        door.listen(BACKLOG)
    except OSError:
        door.close()
        raise
    return door


def _allowed(names: tuple[str, ...], port: int) -> list[str]:
    hosts = []
    for name in (*LOOPBACK, *names):
        has_port = name.rpartition(":")[2].isdigit() and not name.endswith("]")
        hosts.append(name if has_port else f"{name}:{port}")
        # A browser leaves the scheme's own port out.
        if port == HTTP_PORT and not has_port:
            hosts.append(name)
    return hosts


class _Server(uvicorn.Server):
    """uvicorn, which cuts at its end who does not read: a browser like that would never take its goodbye."""

    def __init__(self, config: uvicorn.Config, connections: Connections) -> None:
        super().__init__(config)
        self._connections = connections
        self.begun = threading.Event()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, until told to stop."""
        try:
            super().run(sockets)
        finally:
            self.begun.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin; ``begun`` is set then, and also where that fails."""
        await super().startup(sockets)
        self.begun.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye to everybody."""
        cut = asyncio.get_running_loop().call_later(FLUSH_SECONDS, partial(self._connections.end, exempt=True))
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()
