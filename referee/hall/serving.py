"""The hall's servers: the desk on the loopback, public pages, the staff's and the boxes' port on the network.

They share one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
import resource
import signal
import socket
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

import uvicorn
from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.requests import Request

from referee.errors import StationError
from referee.hall import tls
from referee.hall.backup import Backup
from referee.hall.boxes import Boxes
from referee.hall.calls import AT_ONCE, Calls
from referee.hall.desk import Desk
from referee.hall.pages.organiser import organiser_app
from referee.hall.pages.public import public_app
from referee.hall.pages.render import News, Served
from referee.hall.reports import Replays, Reports
from referee.hall.staff import AT_STAFF, Access, StaffPort, WayIn, at_desk, passes_of
from referee.web import guard
from referee.web.guard import BOX_ADDRESSES, LOOPBACK
from referee.web.limits import Connections, Door, configured

MAX_CONNECTIONS: Final = 600
MAX_OF_ADDRESS: Final = 48
"""Connections of the public pages at once, and of one address: a phone has six and one that listens."""
MAX_STAFF: Final = 96
MAX_STAFF_OF_ADDRESS: Final = 16  # the same of the staff's port
MAX_BOXES: Final = 1000  # connections of boxes at once: two each
FILES: Final = 8192
"""Files open at once, where the system allows it: shells give 1024, and connections alone may be more."""
BACKLOG: Final = 512
LEAVE_SECONDS: Final = 3
KEEP_ALIVE: Final = 75  # how long a connection may be quiet, s; what listens for news is exempt
LOOK: Final = 0.25  # how often it is seen which boxes are silent, and what other halls have done, s
ANYWHERE: Final = "0.0.0.0"  # noqa: S104 - the public pages are for everybody in the room
SSLProtocol.max_size = 4 * 1024
"""Bytes that asyncio reads of a TLS connection at once, 256 KiB by itself; each holds a buffer of that size."""
THREADS: Final = 8  # that read the store and make pages; each has memory of its own

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the pages are. Port 0: any that is free. ``address``, ``names``: of all but the desk.

    ``boxes``: port at which boxes connect, None: none can; ``staff``: that of the staff's tablets, None: none.
    """

    desk: int = 8090
    public: int = 8091
    boxes: int | None = None
    staff: int | None = None
    address: str = ANYWHERE
    names: tuple[str, ...] = field(default_factory=lambda: (socket.gethostname(), f"{socket.gethostname()}.local"))


Addresses: TypeAlias = dict[str, str]
"""Where everything is, "" for what is not served: desk (the one-time link), public, boxes, staff; and the SHA-256 of
the ``certificate`` of the boxes' port."""


def bound(listener: socket.socket, host: str, port: int) -> socket.socket:
    """Bind a socket and listen; return it. Raises StationError if the port is taken."""
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as fault:
        listener.close()
        raise StationError(f"port {port} cannot be used: {fault.strerror}; name another one") from fault
    return listener


def check(ports: Ports) -> None:
    """Raise StationError if a port is taken: before anything is written."""
    others = (each for each in (ports.public, ports.boxes, ports.staff) if each)
    for address, port in (("127.0.0.1", ports.desk), *((ports.address, each) for each in others)):
        bound(socket.socket(), address, port).close()


async def again(step: Callable[[], object], every: float) -> None:
    """Do a step every so many seconds until cancelled. A fault that comes again at every step is logged once."""
    fault = ""
    while True:
        await asyncio.sleep(every)
        try:
            step()
            fault = ""
        except Exception as error:
            if fault != repr(error):
                _logger.exception("the hall goes on after a fault")
            fault = repr(error)


def run(
    desk: Desk,
    ports: Ports,
    ready: Callable[[Addresses], None],
    *,
    example: bool = False,
    backup: Backup | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; ``ready``: called once everything listens. Raises StationError, JournalError."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, FILES) if files > 0 else FILES, files))
    asyncio.run(_Hall(desk, ports, Served(backup=backup), {"example": example}).serve(ready))


class _Server(uvicorn.Server):
    """uvicorn, several of which share a loop; whoever runs it hears the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Hall:
    """What `run` serves. ``common``: what the pages of the desk and of the staff's port are made with."""

    def __init__(self, desk: Desk, ports: Ports, served: Served, common: dict[str, Any]) -> None:
        self._desk, self._ports, self._served, self._common = desk, ports, served, common
        self._access = Access(passes_of(desk.folder, lambda: desk.now() / 1000))  # whatever is done to its clock
        self._own = ports.address if ports.address != ANYWHERE else guard.own_address() or "127.0.0.1"
        self._servers: list[tuple[uvicorn.Server, socket.socket]] = []
        self._pages: list[News] = []
        self._leave: list[Callable[[], None]] = []

    async def serve(self, ready: Callable[[Addresses], None]) -> None:
        loop, leave = asyncio.get_running_loop(), asyncio.Event()
        setattr(current_default_thread_limiter(), "total_tokens", THREADS)  # noqa: B010 - read by anyio alone

        def tell() -> None:
            for each in self._pages:
                each.tell()

        def changed() -> None:
            loop.call_soon_threadsafe(tell)

        with contextlib.ExitStack() as stack:
            addresses = self._open(stack)
            for heard in (self._desk.ledger.listeners, self._access.listeners):
                heard.append(changed)
                stack.callback(heard.remove, changed)
            looking = asyncio.create_task(again(self._look, LOOK))
            stack.callback(looking.cancel)
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, leave.set)
            tasks = [asyncio.create_task(server.serve(sockets=[listener])) for server, listener in self._servers]
            try:
                ready(addresses)
                waiting = asyncio.create_task(leave.wait())
                await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
            finally:
                for each in self._leave:
                    each()
                for server, _ in self._servers:
                    server.should_exit = True
                await asyncio.gather(*tasks)

    def _look(self) -> None:
        """See what other halls of the event have done, and who has fallen silent."""
        if not self._desk.alone:
            self._desk.follow()
        if self._served.boxes is not None:
            self._served.boxes.look()

    def _open(self, stack: contextlib.ExitStack) -> Addresses:
        ports, desk = self._ports, self._desk
        if ports.boxes is not None:
            door, connections = self._door(stack, ports.boxes, MAX_BOXES)
            shown = tls.for_boxes(desk.folder)
            heard = Boxes(desk, f"{self._own}:{_port(door)}", shown.digest)
            calls = Calls(desk, heard, _keeper(connections, AT_ONCE))
            self._leave += [calls.close, partial(connections.end, exempt=True)]
            self._serve(calls.app, door, shown.context())
            self._served = self._served._replace(boxes=heard, reports=Reports(desk, heard, Replays()))
        public, connections = self._door(stack, ports.public, MAX_CONNECTIONS)
        address = f"http://{self._own}:{_port(public)}/"
        self._common |= {"public": address, "access": self._access}
        if ports.staff is not None:
            self._open_staff(stack, ports.staff, f"{address}staff")
        news, hosts = self._news(connections), _hosts((*LOOPBACK, *ports.names), public)
        example = self._common["example"]
        app = public_app(desk, news, allowed_hosts=hosts, example=example, address=address, served=self._served)
        self._serve(app, public)
        listener = stack.enter_context(bound(socket.socket(), "127.0.0.1", ports.desk))
        self._open_pages(listener, _hosts(LOOPBACK, listener), at_desk(_port(listener)))
        boxes, staff = self._served.boxes, self._served.staff
        return {
            "desk": f"http://127.0.0.1:{_port(listener)}/login?link={self._access.link()}",
            "public": address,
            "boxes": boxes.address if boxes else "",
            "staff": staff.address if staff else "",
            "certificate": boxes.certificate if boxes else "",
        }

    def _open_staff(self, stack: contextlib.ExitStack, port: int, install: str) -> None:
        names = self._ports.names
        door, connections = self._door(stack, port, MAX_STAFF, MAX_STAFF_OF_ADDRESS)
        shown = tls.for_staff(self._desk.folder, (self._own, *names), dt.datetime.now(dt.UTC))
        self._open_pages(door, _hosts(names, door), AT_STAFF, connections, shown.context())
        staff = StaffPort(self._access, shown, f"https://{self._own}:{_port(door)}/", install)
        self._served = self._served._replace(staff=staff)

    def _open_pages(
        self,
        listener: socket.socket,
        hosts: list[str],
        door: WayIn,
        connections: Connections | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        news, of_board = self._news(connections), self._news(connections, self._served.boxes)
        more: dict[str, Any] = {"allowed_hosts": hosts, "door": door, "served": self._served, "board_news": of_board}
        app = organiser_app(self._desk, news, **self._common, **more)
        self._serve(app, listener, tls)

    def _serve(self, app: Starlette, listener: socket.socket, tls: ssl.SSLContext | None = None) -> None:
        config = configured(
            app,
            ws="none",
            timeout_graceful_shutdown=LEAVE_SECONDS,
            timeout_keep_alive=KEEP_ALIVE,
            ssl_context_factory=None if tls is None else lambda _config, _default: tls,
        )
        self._servers.append((_Server(config), listener))

    def _door(
        self, stack: contextlib.ExitStack, port: int, most: int, of_address: int = MAX_OF_ADDRESS
    ) -> tuple[socket.socket, Connections]:
        address, connections = self._ports.address, Connections(passing=most, of_address=of_address)
        return stack.enter_context(bound(Door(address, connections), address, port)), connections

    def _news(self, connections: Connections | None, boxes: Boxes | None = None) -> News:
        keep = _keeper(connections, connections.of_address) if connections is not None else lambda _request: None
        news = News(lambda: len(self._desk.acts) + (boxes.changes if boxes else 0), keep)
        self._pages.append(news)
        self._leave += [news.close, *([connections.end] if connections is not None else [])]
        if boxes is not None:
            boxes.listeners.append(news.tell)
        return news


def _keeper(connections: Connections, most: int) -> Callable[..., None]:
    """Return what exempts the lines of a box, and those of pages that listen; ``most``: of one box, or address."""

    def keep(request: Request, box: str = "") -> None:
        if request.client is not None:
            host, port = request.client
            connections.exempt((host, port), box or host, 0 if host in BOX_ADDRESSES and not box else most)

    return keep


def _port(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def _hosts(names: Iterable[str], listener: socket.socket) -> list[str]:
    return [f"{name}:{_port(listener)}" for name in names]
