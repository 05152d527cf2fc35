"""One WebSocket line: uvicorn's protocol, quiet about what a hostile browser can make it say, and bounded.

Text that is no UTF-8 closes the line with 1007 (RFC 6455, 8.1) as any other breach of the protocol does, without a
traceback in the log. A message in more pieces than any browser makes closes it with 1009 (7.4.1): empty ones would
never add up to one that is too long. What the panel still has to say when the line was closed for such a breach is
said to somebody who has gone, and is no fault of the panel's.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

INVALID_PAYLOAD: Final = 1007
MESSAGE_TOO_BIG: Final = 1009
MAX_FRAMES: Final = 16
"""Of one message; a browser sends one."""


class Line(WebSocketsSansIOProtocol):
    """See the module."""

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message on, or close the line if it is no text; what comes after a goodbye is nothing."""
        if self.conn.state.name != "OPEN":
            self.frames = []
            return
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._breach(INVALID_PAYLOAD)
            return
        super().send_receive_event_to_app()

    def handle_cont(self, event: Frame) -> None:
        """Take one more piece of a message, or close the line if there are too many."""
        if self.conn.state.name != "OPEN":
            return
        if len(self.frames) >= MAX_FRAMES:
            self._breach(MESSAGE_TOO_BIG)
        else:
            super().handle_cont(event)

    async def send(self, message: Any) -> None:
        """Send what the panel says, unless the line has been closed for a breach of the protocol meanwhile."""
        await self.writable.wait()
        if self.close_sent:
            if message["type"] == "websocket.close":
                return
            raise ClientDisconnected
        await super().send(message)

    def _breach(self, code: int) -> None:
        self.frames = []
        self.conn.send_close(code)
        self.handle_parser_exception()

    def shutdown(self) -> None:
        """End it with the station; a line that is closing already has no second goodbye."""
        self.close_sent |= self.handshake_complete and self.conn.state.name != "OPEN"
        super().shutdown()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
