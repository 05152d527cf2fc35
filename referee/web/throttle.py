"""A layer between socket and server that limits the rate of each connection and the number of connections.

The server sees an ordinary transport and is not modified. Data that arrives faster than a browser would send it stays
in the kernel's small buffer until it is due, so only its sender has to wait.
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
"""Bytes forwarded at once, 85 of the smallest frames; then other connections get their turn."""


class Watch:
    """Closes connections when their time is up; has one timer, and none if there is nothing to close."""

    def __init__(self, connections: Connections) -> None:
        self.connections: Final = connections
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Set the timer for the next deadline."""
        deadline = self.connections.deadline()
        if self._timer is None and deadline is not None:
            self._timer = asyncio.get_running_loop().call_at(deadline, self._due)

    def stop(self) -> None:
        """Cancel the timer and close all connections that are not exempt."""
        if self._timer is not None:
            self._timer.cancel()
        self.connections.end()

    def _due(self) -> None:
        self._timer = None
        self.connections.due(asyncio.get_running_loop().time())
        self.look()


class Throttle(asyncio.Protocol):
    """One connection. ``make`` creates the server's protocol once there is data to forward."""

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
        """Register the connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = transport.get_extra_info("peername")
        if peer is None:  # already disconnected
            transport.abort()
            return
        self._client = (str(peer[0]), int(peer[1]))
        self._watch.connections.open(self._client, transport, self._loop.time())
        self._watch.look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._watch.connections.closed(self._client)
        if self._timer is not None:
            self._timer.cancel()
        self._waiting = b""
        if self.protocol is not None:
            self.protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Buffer data, and forward as much as is due."""
        self._waiting += data
        if self._timer is None:
            self._forward()

    def pause_writing(self) -> None:
        """Tell the server that the browser reads too slowly."""
        if self.protocol is not None:
            self.protocol.pause_writing()

    def resume_writing(self) -> None:
        """Tell the server that the browser has caught up."""
        if self.protocol is not None:
            self.protocol.resume_writing()

    def sent(self) -> None:
        """Note that something was sent to the browser."""
        self._watch.connections.served(self._client, self._loop.time())

    def pause(self) -> None:
        """Stop forwarding."""
        self.paused = True
        self._transport.pause_reading()

    def resume(self) -> None:
        """Forward again, but not at once: the server may still be processing the last slice."""
        self.paused = False
        if self._waiting:
            self._later(0.0)
        else:
            self._transport.resume_reading()

    def _forward(self) -> None:
        """Forward a slice, if it is due and the server is not paused; resume reading once the buffer is empty."""
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
        self._forward()

    def _until_due(self, size: int) -> float:
        """Return the seconds until that many bytes may be forwarded."""
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
        """Return information about the socket."""
        return self._transport.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Forward to this protocol from now on."""
        self._throttle.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the protocol that receives the data."""
        assert self._throttle.protocol is not None
        return self._throttle.protocol

    def is_reading(self) -> bool:
        """Whether data is forwarded."""
        return not self._throttle.paused

    def pause_reading(self) -> None:
        """Stop forwarding."""
        self._throttle.pause()

    def resume_reading(self) -> None:
        """Forward again."""
        self._throttle.resume()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send."""
        self._throttle.sent()
        self._transport.write(data)

    def is_closing(self) -> bool:
        """Whether it is closing or closed."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Close it when everything is sent."""
        self._transport.close()

    def abort(self) -> None:
        """Close it at once."""
        self._transport.abort()

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes still to be sent."""
        return self._transport.get_write_buffer_size()

    def get_write_buffer_limits(self) -> tuple[int, int]:
        """Return the low and high marks for pausing the server."""
        return self._transport.get_write_buffer_limits()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Set those marks."""
        self._transport.set_write_buffer_limits(high, low)

    def can_write_eof(self) -> bool:
        """Whether the sending half can be closed."""
        return self._transport.can_write_eof()

    def write_eof(self) -> None:
        """Close the sending half."""
        self._transport.write_eof()
