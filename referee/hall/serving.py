"""The hall's servers: the desk on the loopback, public pages and the staff's on the network, in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import itertools
import secrets
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request

from referee.hall.again import again
from referee.hall.backup import Backup
from referee.hall.bound import bound
from referee.hall.boxes import Boxes
from referee.hall.calls import Calls
from referee.hall.certificate import certificate as certificate_of_calls
from referee.hall.desk import Desk
from referee.hall.pages.news import News
from referee.hall.pages.organiser import organiser_app
from referee.hall.pages.public import public_app
from referee.hall.replay import Replays
from referee.hall.reports import Reports
from referee.hall.served import Served
from referee.hall.staff.access import Access, passes_of
from referee.hall.staff.certificates import certificate
from referee.hall.staff.gate import AT_STAFF, at_desk
from referee.hall.staff.port import StaffPort
from referee.web import guard
from referee.web.guard import LOOPBACK
from referee.web.limits import Connections, Door, configured

MAX_CONNECTIONS: Final = 600
MAX_OF_ADDRESS: Final = 48
"""Connections of the public pages at once, and of one address: a phone has six and one that listens."""
MAX_STAFF: Final = 96
MAX_STAFF_OF_ADDRESS: Final = 16
"""The same of the staff's port."""
MAX_BOXES: Final = 1000
"""Connections of boxes at once: two each."""
LEAVE_SECONDS: Final = 3
KEEP_ALIVE: Final = 75
"""How long a connection may be quiet, s; what listens for news is exempt."""
LOOK: Final = 0.25
"""How often it is seen which boxes are silent, and what other halls have done, s."""
ANYWHERE: Final = "0.0.0.0"  # noqa: S104 - the public pages are for everybody in the room


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


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where everything is, "" for what is not served.

    ``desk``: the one-time link; ``certificate``: SHA-256 of that of the boxes' port
    """

    desk: str
    public: str
    boxes: str
    staff: str
    certificate: str


def check(ports: Ports) -> None:
    """Raise StationError if a port is taken: before anything is written."""
    others = (each for each in (ports.public, ports.boxes, ports.staff) if each)
    for address, port in (("127.0.0.1", ports.desk), *((ports.address, each) for each in others)):
        bound(socket.socket(), address, port).close()


def run(
    desk: Desk,
    ports: Ports,
    ready: Callable[[Addresses], None],
    *,
    example: bool = False,
    seed: Callable[[], int] = lambda: secrets.randbelow(2**31),
    backup: Backup | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM. ``ready``: called once everything listens; ``backup``: told of at the desk.

    Raises StationError if a port is taken, JournalError if a key cannot be read or written.
    """
    asyncio.run(_Hall(desk, ports, ready, example=example, seed=seed, backup=backup).serve())


class _Hall:
    """What `run` serves."""

    def __init__(
        self,
        desk: Desk,
        ports: Ports,
        ready: Callable[[Addresses], None],
        *,
        example: bool,
        seed: Callable[[], int],
        backup: Backup | None,
    ) -> None:
        self._backup = backup
        self._desk = desk
        self._ports = ports
        self._ready = ready
        self._common: dict[str, Any] = {"example": example, "seed": seed}
        self._access = Access(passes_of(desk.folder))
        self._own = own_address(ports)
        self._sites: list[_Site] = []

    async def serve(self) -> None:
        """Serve all until a signal comes, or one of them ends."""
        async with contextlib.AsyncExitStack() as stack:
            addresses = self._open(stack)
            await stack.enter_async_context(_told(self._desk, self._access, self._sites))
            looking = asyncio.create_task(again(self._look, LOOK))
            stack.callback(looking.cancel)
            await _until_left(self._sites, lambda: self._ready(addresses))

    def _look(self) -> None:
        """See what other halls of the event have done, and who has fallen silent."""
        if not self._desk.alone:
            self._desk.follow()
        if self._boxes is not None:
            self._boxes.look()

    def _open(self, stack: contextlib.AsyncExitStack) -> Addresses:
        """Open every site, and return where they are."""
        ports = self._ports
        self._boxes = boxes = None if ports.boxes is None else self._open_calls(stack, ports.boxes)
        reports = None if boxes is None else Reports(self._desk, boxes, Replays())
        connections = Connections(passing=MAX_CONNECTIONS, of_address=MAX_OF_ADDRESS)
        listener = Door(ports.address, connections)
        public, public_port = self._listening(stack, listener, ports.address, ports.public)
        public_url = f"http://{self._own}:{public_port}/"
        common = {
            **self._common,
            "public": public_url,
            "access": self._access,
        }
        served = Served(boxes, reports, self._backup)
        staff = None if ports.staff is None else self._open_staff(stack, ports.staff, common, served)
        served = served._replace(staff=staff)
        self._open_public(public, public_port, connections, served)
        desk, desk_port = self._listening(stack, socket.socket(), "127.0.0.1", ports.desk)
        news = self._news(), self._news(boxes=boxes)
        app = organiser_app(
            self._desk,
            news[0],
            board_news=news[1],
            door=at_desk(desk_port),
            allowed_hosts=_hosts(LOOPBACK, desk_port),
            served=served,
            **common,
        )
        self._sites.append(_Site(app, desk, news))
        link = f"http://127.0.0.1:{desk_port}/login?link={self._access.link()}"
        at_boxes = (boxes.address, boxes.certificate) if boxes else ("", "")
        return Addresses(link, public_url, at_boxes[0], staff.address if staff else "", at_boxes[1])

    def _open_public(self, listener: socket.socket, port: int, connections: Connections, served: Served) -> None:
        news = (self._news(connections),)
        names = (*LOOPBACK, *self._ports.names)
        example = self._common["example"]
        hosts = _hosts(names, port)
        app = public_app(self._desk, news[0], allowed_hosts=hosts, example=example, served=served)
        self._sites.append(_Site(app, listener, news, connections))

    def _open_calls(self, stack: contextlib.AsyncExitStack, port: int) -> Boxes:
        """Open the port of the boxes; return what comes there."""
        connections = Connections(passing=MAX_BOXES, of_address=MAX_OF_ADDRESS)
        door, port = self._listening(stack, Door(self._ports.address, connections), self._ports.address, port)
        pem, shown = certificate_of_calls(self._desk.folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(pem)
        boxes = Boxes(self._desk, f"{self._own}:{port}", shown)
        calls = Calls(self._desk, boxes, _keeper(connections))
        self._sites.append(_Site(calls.app, door, (), connections, context, calls.close))
        return boxes

    def _open_staff(
        self, stack: contextlib.AsyncExitStack, port: int, common: dict[str, Any], served: Served
    ) -> StaffPort:
        address, names = self._ports.address, self._ports.names
        connections = Connections(passing=MAX_STAFF, of_address=MAX_STAFF_OF_ADDRESS)
        door, port = self._listening(stack, Door(address, connections), address, port)
        shown = certificate(self._desk.folder, (self._own, *names), dt.datetime.now(dt.UTC))
        news = self._news(connections), self._news(connections, served.boxes)
        hosts = _hosts(names, port)
        app = organiser_app(
            self._desk, news[0], board_news=news[1], door=AT_STAFF, allowed_hosts=hosts, served=served, **common
        )
        self._sites.append(_Site(app, door, news, connections, shown.context()))
        return StaffPort(self._access, shown, f"https://{self._own}:{port}/", f"{common['public']}staff")

    def _listening(
        self, stack: contextlib.AsyncExitStack, listener: socket.socket, host: str, port: int
    ) -> tuple[socket.socket, int]:
        opened = stack.enter_context(bound(listener, host, port))
        return opened, opened.getsockname()[1]

    def _news(self, connections: Connections | None = None, boxes: Boxes | None = None) -> News:
        """Return news of acts, and of what changes at the boxes."""
        keep = _keeper(connections) if connections is not None else lambda _request: None
        news = News(lambda: len(self._desk.acts) + (boxes.changes if boxes else 0), keep)
        if boxes is not None:
            boxes.listen(news.tell)
        return news


class _Site:
    """One application on its socket. ``connections``: its own, None where they are not limited."""

    def __init__(
        self,
        app: Starlette,
        listener: socket.socket,
        news: tuple[News, ...],
        connections: Connections | None = None,
        tls: ssl.SSLContext | None = None,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        """``close``: lets go whoever waits for an answer."""
        self._close = close
        self.listener = listener
        self.news = news
        self.connections = connections
        context = None if tls is None else lambda _config, _default: tls
        self.server = _Server(
            configured(
                app,
                ws="none",
                timeout_graceful_shutdown=LEAVE_SECONDS,
                timeout_keep_alive=KEEP_ALIVE,
                ssl_context_factory=context,
            )
        )

    def leave(self) -> None:
        """Let every page go, and end."""
        self._close()
        for each in self.news:
            each.close()
        if self.connections is not None:
            self.connections.end(exempt=not self.news)  # pages that listen are let go, boxes hung up on
        self.server.should_exit = True


@contextlib.asynccontextmanager
async def _told(desk: Desk, access: Access, sites: list[_Site]) -> AsyncIterator[None]:
    """Have every page hear of acts, and of passes that are taken back."""
    loop = asyncio.get_running_loop()

    def tell() -> None:
        for each in itertools.chain.from_iterable(site.news for site in sites):
            each.tell()

    with contextlib.ExitStack() as listening:
        listening.callback(desk.listen(lambda: cast("None", loop.call_soon_threadsafe(tell))))
        listening.callback(access.listen(lambda: cast("None", loop.call_soon_threadsafe(tell))))
        yield


async def _until_left(sites: list[_Site], ready: Callable[[], None]) -> None:
    """Serve sites until a signal comes, or one of them ends."""
    leave = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, leave.set)
    tasks = [asyncio.create_task(site.server.serve(sockets=[site.listener])) for site in sites]
    try:
        ready()
        waiting = asyncio.create_task(leave.wait())
        await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    finally:
        for site in sites:
            site.leave()
        await asyncio.gather(*tasks)


class _Server(uvicorn.Server):
    """uvicorn, several of which share a loop; whoever runs it hears the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _keeper(connections: Connections) -> Callable[[Request], None]:
    """Return what exempts the line of a page that listens from the limit on how long a line may be quiet."""

    def keep(request: Request) -> None:
        if request.client is not None:
            connections.exempt((request.client.host, request.client.port))

    return keep


def _hosts(names: tuple[str, ...], port: int) -> list[str]:
    return [f"{name}:{port}" for name in names]


def own_address(ports: Ports) -> str:
    """Return this computer's address on the network, the loopback's without one."""
    return ports.address if ports.address != ANYWHERE else guard.own_address() or "127.0.0.1"
