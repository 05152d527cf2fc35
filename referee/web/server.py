"""The panel's web server: a thread and an event loop of its own, silent while nothing happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Iterable
from typing import Final, NamedTuple

import uvicorn

from referee.web.app import create_app
from referee.web.connections import Connections
from referee.web.cpu_share import CpuShareSelector
from referee.web.guard import HTTP_PORT
from referee.web.hub import Hub
from referee.web.identity import LOOPBACK
from referee.web.inbound import MAX_BYTES
from referee.web.listener import Listener
from referee.web.log_limit import LOGGERS, LogLimit
from referee.web.passes import Passes
from referee.web.reach import EVERYWHERE, join_address
from referee.web.throttle import Watch
from referee.web.uvicorn_config import configured
from referee.web.websocket import PanelWebSocket

SEND_BUFFER: Final = 32 * 1024
"""Bytes the kernel may hold for one browser; a large buffer would be filled with stale glasses."""
RECEIVE_BUFFER: Final = 8 * 1024
"""Bytes the kernel may hold that one browser has sent and that are not due yet."""
BACKLOG: Final = 2048
ACCEPTED_AT_ONCE: Final = 8
"""Connections that may wait to be accepted, and that are accepted before the server does something else."""
SILENT_SECONDS: Final = 5
"""Time until the kernel hands over a connection that has sent nothing, about; browsers send their request at once."""
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
        self._limits = {logger: LogLimit() for logger in LOGGERS}
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> Address:
        """Bind, serve, and return the real address, the port chosen when 0 was asked for.

        Raises `OSError` when the address cannot be bound, `RuntimeError` when the server runs already.
        """
        if self._thread is not None:
            raise RuntimeError("the web server runs already; stop it first")
        listener = _bind(self._host, self._port)
        port: int = listener.getsockname()[1]
        self._bound = Address(self._host, port)
        watch = Watch(Connections())
        app = create_app(
            self._hub,
            allowed_hosts=_allowed(self._names, port),
            passes=self._passes,
            connections=watch.connections,
            join_address=self.join_address,
        )
        config = configured(
            app,
            watch,
            backlog=ACCEPTED_AT_ONCE,
            ws=PanelWebSocket,
            ws_max_size=MAX_BYTES,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=LEAVE_SECONDS,
        )
        server = _Server(config, watch)
        thread = threading.Thread(target=server.run_on, args=(listener,), name="web", daemon=True)
        for logger, limit in self._limits.items():
            logging.getLogger(logger).addFilter(limit)
        thread.start()
        server.ready.wait()
        if not server.started:
            thread.join()
            self._unlimited()
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
        self._server.leave()
        self._thread.join()
        self._unlimited()
        self._server = self._thread = None

    def _unlimited(self) -> None:
        for logger, limit in self._limits.items():
            logging.getLogger(logger).removeFilter(limit)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = Listener(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted sockets inherit it.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):  # a connection that sends nothing stays in the kernel meanwhile
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_SECONDS)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _allowed(names: tuple[str, ...], port: int) -> list[str]:
    hosts = []
    for name in (*LOOPBACK, *names):
        has_port = name.rpartition(":")[2].isdigit() and not name.endswith("]")
        hosts.append(name if has_port else f"{name}:{port}")
        # A browser leaves the scheme's own port out.
        if port == HTTP_PORT and not has_port:
            hosts.append(name)
    return hosts


def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(CpuShareSelector())


class _Server(uvicorn.Server):
    """uvicorn without its tick: it wakes ten times a second to look whether it should stop; this one is told."""

    def __init__(self, config: uvicorn.Config, watch: Watch) -> None:
        super().__init__(config)
        self._watch = watch
        self.ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Event | None = None

    def run_on(self, listener: socket.socket) -> None:
        try:
            with listener, asyncio.Runner(loop_factory=_loop) as runner:
                runner.run(self.serve(sockets=[listener]))
        finally:
            self.ready.set()

    def leave(self) -> None:
        """Ask the server to stop, from another thread."""
        assert self._loop is not None
        assert self._leaving is not None
        # The loop may have ended by itself, on a fault its log tells of.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._leaving.set)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._leaving = asyncio.Event()
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)  # asyncio takes how many it accepts at once for how many may wait
        self.ready.set()

    async def main_loop(self) -> None:
        assert self._leaving is not None
        await self.on_tick(0)
        await self._leaving.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A browser that reads nothing would never take its goodbye.
        cut = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._cut)
        self._watch.stop()
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()

    def _cut(self) -> None:
        for connection in list(self.server_state.connections):
            transport = getattr(connection, "transport", None)
            if transport is not None:
                transport.abort()
