"""The hall's servers: the organiser's pages on the loopback, the public ones on the network, in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.errors import StationError
from referee.hall.boxes import Boxes, receiving
from referee.hall.desk import Desk
from referee.hall.pages.news import News
from referee.hall.pages.organiser import organiser_app
from referee.hall.pages.public import public_app
from referee.web.connections import Connections
from referee.web.identity import LOOPBACK
from referee.web.throttle import Throttle, Watch

MAX_HEADERS: Final = 8 * 1024
"""Bytes of a request's head."""
MAX_CONNECTIONS: Final = 600
MAX_OF_ADDRESS: Final = 48
"""Connections at once, and of one address: a phone has six and one that listens."""
LEAVE_SECONDS: Final = 3
ANYWHERE: Final = "0.0.0.0"  # noqa: S104 - the public pages are for everybody in the room
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): asking for the way there sends nothing, and names our own address."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the pages are. Port 0: any that is free. ``address``, ``names``: of the public pages.

    ``boxes``: port at which boxes connect, None: none can.
    """

    organiser: int = 8090
    public: int = 8091
    boxes: int | None = None
    address: str = ANYWHERE
    names: tuple[str, ...] = field(default_factory=lambda: (socket.gethostname(), f"{socket.gethostname()}.local"))


def run(
    desk: Desk,
    ports: Ports,
    ready: Callable[[str, str, str], None],
    *,
    example: bool = False,
    seed: Callable[[], int] = lambda: secrets.randbelow(2**31),
) -> None:
    """Serve until SIGINT or SIGTERM.

    ``ready``: called with the addresses of the organiser's and the public pages, and that for boxes, "" for none.
    Raises StationError if a port is taken.
    """
    with _listening("127.0.0.1", ports.organiser) as own, _listening(ports.address, ports.public) as public:
        asyncio.run(_serve(desk, ports, (own, public), ready, example=example, seed=seed))


async def _serve(
    desk: Desk,
    ports: Ports,
    listeners: tuple[socket.socket, socket.socket],
    ready: Callable[[str, str, str], None],
    *,
    example: bool,
    seed: Callable[[], int],
) -> None:
    """Serve the pages, and the boxes if there is a port for them."""
    async with contextlib.AsyncExitStack() as stack:
        boxes = None
        if ports.boxes is not None:
            boxes = await stack.enter_async_context(receiving(desk, ports.address, ports.boxes, _own_address(ports)))
        await _serve_pages(desk, ports, listeners, ready, boxes, example=example, seed=seed)


async def _serve_pages(
    desk: Desk,
    ports: Ports,
    listeners: tuple[socket.socket, socket.socket],
    ready: Callable[[str, str, str], None],
    boxes: Boxes | None,
    *,
    example: bool,
    seed: Callable[[], int],
) -> None:
    own, public = (listener.getsockname()[1] for listener in listeners)
    url = f"http://127.0.0.1:{own}/"
    public_url = f"http://{_own_address(ports)}:{public}/"
    watch = Watch(Connections(passing=MAX_CONNECTIONS, of_address=MAX_OF_ADDRESS))

    def newest() -> int:
        return len(desk.acts)

    news = News(newest), News(newest, _kept(watch)), News(lambda: newest() + (boxes.changes if boxes else 0))
    apps = (
        organiser_app(
            desk,
            news[0],
            allowed_hosts=_hosts(LOOPBACK, own),
            public=public_url,
            example=example,
            seed=seed,
            boxes=boxes,
            board_news=news[2],
        ),
        public_app(desk, news[1], allowed_hosts=_hosts((*LOOPBACK, *ports.names), public), example=example),
    )
    servers = [_Server(_config(apps[0], H11Protocol)), _Server(_config(apps[1], _throttled(watch)))]
    leave = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, leave.set)
    forgets = [desk.listen(lambda _act, _event, each=each: each.tell()) for each in news]  # type: ignore[misc]
    if boxes is not None:
        forgets.append(boxes.listen(news[2].tell))
    tasks = [
        asyncio.create_task(server.serve(sockets=[listener]))
        for server, listener in zip(servers, listeners, strict=True)
    ]
    try:
        ready(url, public_url, boxes.address if boxes is not None else "")
        waiting = asyncio.create_task(leave.wait())
        await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    finally:
        for forget in forgets:
            forget()
        for each in news:
            each.close()
        watch.stop()
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*tasks)


class _Server(uvicorn.Server):
    """uvicorn, two of which share a loop; whoever runs it hears the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _throttled(watch: Watch) -> Callable[..., asyncio.Protocol]:
    """Return what makes the protocol of a connection, as uvicorn calls it: its own comes behind a throttle."""

    def make(**of_server: Any) -> Throttle:
        return Throttle(lambda: H11Protocol(**of_server), watch)

    return make


def _config(app: Starlette, protocol: Callable[..., asyncio.Protocol]) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", protocol),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEADERS,
        timeout_graceful_shutdown=LEAVE_SECONDS,
    )


def _kept(watch: Watch) -> Callable[[Request], None]:
    """Return what exempts the line of a page that listens from the limit on how long a line may be quiet."""

    def keep(request: Request) -> None:
        if request.client is not None:
            watch.connections.exempt((request.client.host, request.client.port))

    return keep


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError as fault:
        listener.close()
        raise StationError(f"port {port} cannot be used: {fault.strerror}; name another one") from fault
    return listener


def _hosts(names: tuple[str, ...], port: int) -> list[str]:
    return [f"{name}:{port}" for name in names]


def _own_address(ports: Ports) -> str:
    """Return this computer's address on the network, the loopback's without one."""
    if ports.address != ANYWHERE:
        return ports.address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(ELSEWHERE)
        except OSError:
            return "127.0.0.1"
        return str(line.getsockname()[0])
