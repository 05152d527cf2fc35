"""One WebSocket connection: uvicorn's protocol with limits, and without log entries that a hostile browser can cause.

Text that is not UTF-8 closes the connection with 1007 (RFC 6455, 8.1), like any other protocol error, without a
traceback in the log. A message in more fragments than any browser sends closes it with 1009 (7.4.1), because empty
fragments would never exceed the length limit. Messages that the panel sends after such a close are discarded.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

INVALID_PAYLOAD: Final = 1007
MESSAGE_TOO_BIG: Final = 1009
MAX_FRAMES: Final = 16
"""Fragments of one message; a browser sends one."""


class PanelWebSocket(WebSocketsSansIOProtocol):
    """See the module."""

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message on, or close the connection if it is not text; ignore messages after a close."""
        if self.conn.state.name != "OPEN":
            self.frames = []
            return
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._protocol_error(INVALID_PAYLOAD)
            return
        super().send_receive_event_to_app()

    def handle_cont(self, event: Frame) -> None:
        """Accept a fragment of a message, or close the connection if there are too many."""
        if self.conn.state.name != "OPEN":
            return
        if len(self.frames) >= MAX_FRAMES:
            self._protocol_error(MESSAGE_TOO_BIG)
        else:
            super().handle_cont(event)

    async def send(self, message: Any) -> None:
        """Send, unless the connection was closed for a protocol error."""
        await self.writable.wait()
        if self.close_sent:
            if message["type"] == "websocket.close":
                return
            raise ClientDisconnected
        await super().send(message)

    def _protocol_error(self, code: int) -> None:
        self.frames = []
        self.conn.send_close(code)
        self.handle_parser_exception()

    def shutdown(self) -> None:
        """Close it when the station stops; a connection that is already closing gets no second close frame."""
        self.close_sent |= self.handshake_complete and self.conn.state.name != "OPEN"
        super().shutdown()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
