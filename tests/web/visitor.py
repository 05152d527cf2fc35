"""A browser that is not on the box: over real sockets, under a name that is not the loopback's."""

from __future__ import annotations

import http.client
import json
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.web.conftest import NAME
from tests.web.page import PATIENCE

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """A browser of the network, with its cookies; ``source`` is its address, any of the loopback's."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port = port
        self.source = source
        self.host = f"{NAME}:{port}"
        self.cookies: SimpleCookie = SimpleCookie()

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        sent = {"Host": self.host, "Cookie": self._cookie()} | headers
        with closing(
            http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(self.source, 0))
        ) as line:
            line.request(method, path, body, {name: value for name, value in sent.items() if value})
            response = line.getresponse()
            for cookie in response.headers.get_all("set-cookie") or ():
                self.cookies.load(cookie)
            return Answer(response.status, response.headers, response.read())

    def pair(self, **message: Any) -> Answer:
        return self.send(
            "POST",
            "/pair",
            json.dumps(message).encode(),
            **{"Origin": f"http://{self.host}", "Content-Type": "application/json"},
        )

    @contextmanager
    def line(self, origin: str = "", path: str = "/ws") -> Iterator[ClientConnection]:
        with connect(
            f"ws://127.0.0.1:{self.port}{path}",
            origin=Origin(origin or f"http://{self.host}"),
            additional_headers={"Cookie": self._cookie()},
            open_timeout=PATIENCE,
            max_queue=None,  # what is not read must not keep the goodbye waiting
            # The library would name the address it calls; a browser names what was typed.
            create_connection=named(self.host),
            source_address=(self.source, 0),
        ) as line:
            yield line

    def _cookie(self) -> str:
        return "; ".join(f"{name}={cookie.value}" for name, cookie in self.cookies.items() if cookie.value)


def named(host: str) -> type[ClientConnection]:
    class Named(ClientConnection):
        def handshake(self, *arguments: Any, **options: Any) -> None:
            request = self.protocol.connect()
            self.protocol.connect = lambda: request  # type: ignore[method-assign]
            del request.headers["Host"]
            request.headers["Host"] = host
            super().handshake(*arguments, **options)

    return Named


def read_to_the_end(line: ClientConnection) -> None:
    while True:
        line.recv(timeout=PATIENCE)


_unread: WeakKeyDictionary[ClientConnection, deque[dict[str, Any]]] = WeakKeyDictionary()


def read(line: ClientConnection, seconds: float = PATIENCE) -> dict[str, Any]:
    """Return the next message. Raises TimeoutError if none has come within ``seconds``."""
    unread = _unread.setdefault(line, deque())
    if not unread:
        unread.extend(json.loads(line.recv(timeout=seconds)))
    return unread.popleft()


def receive(line: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while (message := read(line))["type"] != kind:
        pass
    return message


def say(line: ClientConnection, **message: Any) -> None:
    line.send(json.dumps(message))


def let_in(visitor: Visitor, hub: FakeHub, role: str) -> None:
    typed(visitor, hub)
    hub.visitor().answer(role)
    assert visitor.pair(do="wait").json == {"state": "in"}


def typed(visitor: Visitor, hub: FakeHub, wish: str = "watch") -> None:
    """The visitor types the code on the box, each time another one."""
    hub.code = f"{int(hub.code) + 1:06d}"
    assert visitor.pair(do="code", code=hub.code, wish=wish).json == {"state": "role"}
