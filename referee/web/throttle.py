"""What lies between a socket and the server: it hands on no more than a browser says, and ends what has no place.

The server above sees an ordinary transport, and nothing of it is overridden. What comes faster than any browser
speaks stays in the kernel, whose buffer is small, until it is due: the far end waits, and nobody else does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from referee.web.connections import Client, Connections

RATE: Final = 8 * 1024
BURST: Final = 16 * 1024
"""Bytes a second from one connection, and at once. 40 gestures are 2 KiB, a request of the page is half a one."""
SLICE: Final = 512
"""Bytes handed on at once, 85 of the smallest frames: what one connection may cost before it is another's turn."""


class Watch:
    """Ends connections when their time is up; keeps one timer, and none where there is nothing to end."""

    def __init__(self, connections: Connections) -> None:
        self.connections: Final = connections
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Come back when the next connection is due."""
        deadline = self.connections.deadline()
        if self._timer is None and deadline is not None:
            self._timer = asyncio.get_running_loop().call_at(deadline, self._due)

    def stop(self) -> None:
        """End all that have no line."""
        if self._timer is not None:
            self._timer.cancel()
        self.connections.end()

    def _due(self) -> None:
        self._timer = None
        self.connections.due(asyncio.get_running_loop().time())
        self.look()


class Throttle(asyncio.Protocol):
    """One connection. ``make``: makes the server's own protocol, once there is something to hand on."""

    def __init__(self, make: Callable[[], asyncio.Protocol], watch: Watch) -> None:
        self._make = make
        self._watch = watch
        self._loop = asyncio.get_running_loop()
        self._waiting = b""
        self._tokens = float(BURST)
        self._filled_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._client: Client = ("", 0)
        self._transport: asyncio.Transport
        self.protocol: asyncio.BaseProtocol | None = None
        self.paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Find a place for it."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = transport.get_extra_info("peername")
        if peer is None:  # it has gone already
            transport.abort()
            return
        self._client = (str(peer[0]), int(peer[1]))
        self._watch.connections.open(self._client, transport, self._loop.time())
        self._watch.look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give its place free."""
        self._watch.connections.closed(self._client)
        if self._timer is not None:
            self._timer.cancel()
        self._waiting = b""
        if self.protocol is not None:
            self.protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hand on what is due of it."""
        self._waiting += data
        if self._timer is None:
            self._hand_on()

    def pause_writing(self) -> None:
        """Tell the server that the far end reads too slowly."""
        if self.protocol is not None:
            self.protocol.pause_writing()

    def resume_writing(self) -> None:
        """Tell the server that the far end has caught up."""
        if self.protocol is not None:
            self.protocol.resume_writing()

    def sent(self) -> None:
        """Something was sent to the far end."""
        self._watch.connections.served(self._client, self._loop.time())

    def pause(self) -> None:
        """Hand on nothing more for now."""
        self.paused = True
        self._transport.pause_reading()

    def resume(self) -> None:
        """Hand on again, though not at once: the server may be in the middle of what it was handed before."""
        self.paused = False
        if self._waiting:
            self._later(0.0)
        else:
            self._transport.resume_reading()

    def _hand_on(self) -> None:
        """Hand on a slice, if the server takes it and it is due; read on once nothing waits."""
        seconds = self._until_due(min(SLICE, len(self._waiting)))
        if seconds <= 0.0 and not self.paused and not self._transport.is_closing():
            self._deliver()
        if self._waiting:
            self._transport.pause_reading()
            if not self.paused:
                self._later(seconds)
        elif not self.paused:
            self._transport.resume_reading()

    def _later(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(max(0.0, seconds), self._again)

    def _again(self) -> None:
        self._timer = None
        self._hand_on()

    def _until_due(self, size: int) -> float:
        """Return the seconds until so many bytes may be handed on."""
        now = self._loop.time()
        self._tokens = min(BURST, self._tokens + (now - self._filled_at) * RATE)
        self._filled_at = now
        return (size - self._tokens) / RATE

    def _deliver(self) -> None:
        part, self._waiting = self._waiting[:SLICE], self._waiting[SLICE:]
        self._tokens -= len(part)
        if self.protocol is None:
            self.protocol = self._make()
            self.protocol.connection_made(ThrottledTransport(self, self._transport))
        assert isinstance(self.protocol, asyncio.Protocol)
        self.protocol.data_received(part)


class ThrottledTransport(asyncio.Transport):
    """The transport that the server sees."""

    def __init__(self, throttle: Throttle, transport: asyncio.Transport) -> None:
        super().__init__()
        self._throttle = throttle
        self._transport = transport

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the socket."""
        return self._transport.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Hand everything on to this protocol from here on."""
        self._throttle.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the protocol that everything is handed on to."""
        assert self._throttle.protocol is not None
        return self._throttle.protocol

    def is_reading(self) -> bool:
        """Whether what comes is handed on."""
        return not self._throttle.paused

    def pause_reading(self) -> None:
        """Hand on nothing for now."""
        self._throttle.pause()

    def resume_reading(self) -> None:
        """Hand on again."""
        self._throttle.resume()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send."""
        self._throttle.sent()
        self._transport.write(data)

    def is_closing(self) -> bool:
        """Whether the end has begun."""
        return self._transport.is_closing()

    def close(self) -> None:
        """End it when everything is sent."""
        self._transport.close()

    def abort(self) -> None:
        """End it at once."""
        self._transport.abort()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be sent."""
        return self._transport.get_write_buffer_size()

    def get_write_buffer_limits(self) -> tuple[int, int]:
        """Return the marks at which the server is told to pause and to go on."""
        return self._transport.get_write_buffer_limits()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Set those marks."""
        self._transport.set_write_buffer_limits(high, low)

    def can_write_eof(self) -> bool:
        """Whether half of it can be closed."""
        return self._transport.can_write_eof()

    def write_eof(self) -> None:
        """Close the half that sends."""
        self._transport.write_eof()
